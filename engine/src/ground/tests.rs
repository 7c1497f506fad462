//! Whatever is computed on demand, a network says the same.

use rand_chacha::{
    ChaCha8Rng,
    rand_core::{Rng, SeedableRng},
};

use super::*;
use crate::{
    Strictness,
    check::check_text,
    datalog::Reasoner,
    propnet::{Network, Wire},
};

/// Recursion, negation and parts of rules, all of which can be asked for with known values.
const LINES: &str = "
    (role x) (role random)
    (succ 1 2) (succ 2 3) (succ 3 4)
    (init (at 1)) (init (wall 3))
    (<= (reach ?a ?b) (true (at ?a)) (succ ?a ?b))
    (<= (reach ?a ?c) (reach ?a ?b) (succ ?b ?c) (not (true (wall ?c))))
    (<= (free ?a ?b ?ignored) (reach ?a ?b) (number ?ignored) (distinct ?ignored ?b))
    (number 1) (number 2) (number 3) (number 4)
    (<= (legal x (go ?b)) (true (at ?a)) (number ?b) (number ?c) (succ ?b ?c) (not (free ?a ?b ?c)))
    (<= (legal x stay) (true (at ?a)) (free ?a 2 4))
    (<= (legal random (build ?n)) (number ?n))
    (<= (next (at ?b)) (does x (go ?b)))
    (<= (next (at ?a)) (true (at ?a)) (does x stay))
    (<= (next (wall ?n)) (does random (build ?n)))
    (<= (sees x (wall ?n)) (does random (build ?n)) (true (at ?a)) (reach ?a ?n))
    (<= terminal (true (at 4)))
    (<= (goal x 100) (true (at 4)))
    (<= (goal x 0) (not (true (at 4))))
";

/// Terms of ten kinds that grow in every turn: at depth seven there are ten million.
const LISTS: &str = "
    (role a) (init (hand nil)) (goal a 50)
    (card 0) (card 1) (card 2) (card 3) (card 4) (card 5) (card 6) (card 7) (card 8) (card 9)
    (<= (legal a (put ?c)) (card ?c))
    (<= (next (hand (cons ?c ?h))) (does a (put ?c)) (true (hand ?h)))
    (<= terminal (true (hand (cons 1 (cons 2 nil)))))
";

#[test]
fn a_network_of_growing_terms_is_refused_with_the_limits_of_auto() {
    use crate::{
        CompileError, Game, GameError, Options,
        game::{Backend, BuildReport},
    };
    let auto = Game::compile(LISTS, &Options::PLAY).expect("the lifted reasoner plays it").game;
    let BuildReport::NotGrounded(stopped) = auto.build_report() else { panic!("{:?}", auto.build_report()) };
    let asked = Game::compile(LISTS, &Options { backend: Backend::Propnet, ..Options::PLAY });
    let Err(CompileError::Evaluation(GameError::Ground(refused))) = asked else { panic!("{asked:?}") };
    assert_eq!(&refused, stopped, "the same limit, far below that of other rules");
    assert!(refused.limit.limit() < Limits::STANDARD.ground_rows / 10, "{refused}");
    assert_eq!(refused.limit.rule().map(|rule| &*rule.relation), Some("next"));
}

fn roots(network: &Network) -> Vec<Wire> {
    let told = network.legal.iter().chain(&network.sees).flatten();
    let goals = network.goals.iter().flatten().map(|(_, wire)| wire);
    told.chain(goals).chain(&network.next).chain([&network.terminal]).copied().collect()
}

#[test]
fn computing_on_demand_changes_nothing_that_a_game_is_asked_for() {
    let limits = Limits::STANDARD;
    let rules = check_text(LINES, Strictness::Strict, &limits).0.expect("the rules are sound");
    let reasoner = Reasoner::new(&rules, &limits).expect("the rules are small");
    let ground = |wanted: &dyn Fn(&Flat, &[bool]) -> DemandedRelations| {
        let vocabulary = reasoner.vocabulary();
        ground_on_demand(&rules, reasoner.roles(), vocabulary, &limits, wanted)
            .expect("the rules are small")
            .0
    };
    let whole = ground(&|_, _| DemandedRelations::new());
    let on_demand = ground(&|flat, is_dynamic| {
        let open = |predicate: &crate::id::PredicateId| {
            is_dynamic[predicate.index()] && relax::is_open(flat, *predicate)
        };
        let wanted: DemandedRelations = flat
            .program
            .predicate_ids()
            .filter(open)
            .map(|predicate| (predicate, predicate.index()))
            .collect();
        assert!(!Demands::of(&flat.program, &wanted).is_empty(), "something is asked for with known values");
        wanted
    });
    assert!(on_demand.atoms_count < whole.atoms_count, "{} atoms", on_demand.atoms_count);
    let [whole, on_demand] = [&whole, &on_demand].map(Network::of);
    assert_eq!(whole.initial, on_demand.initial);
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    for _ in 0..2_000 {
        let inputs: Vec<bool> = (0..whole.gates.inputs_count()).map(|_| rng.next_u32() % 3 == 0).collect();
        let [one, other] = [&whole, &on_demand].map(|network| {
            let values = network.gates.evaluate(&inputs);
            let value = |wire: Wire| values[wire.node()] != wire.is_inverted();
            roots(network).into_iter().map(value).collect::<Vec<bool>>()
        });
        assert_eq!(one, other);
    }
}
