//! What is proved, against exhaustive search.

use std::sync::Arc;

use croupier_engine::{Game, InformationSet, Options, Scratch, State, Status, game::Backend};
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;
use rustc_hash::FxHashMap;

use super::{Sighted, SightedDecision, TurnBackend};
use crate::{Budget, PlayerKind, StopReason};

const TIC_TAC_TOE: &str = include_str!("../../../../games-ii/tic-tac-toe/rules.gdl");
const NIM: &str = include_str!("../../../../games-ii/nim/rules.gdl");

/// Going quietly loses to one answer of six; going boldly wins by one way of 64.
const BOLD: &str = "
    (role x) (role y) (init (at start))
    (number 1) (number 2) (number 3) (number 4) (number 5) (number 6) (<= (way ?n) (number ?n)) (way 7) (way 8)
    (<= (legal x quietly) (true (at start))) (<= (legal x boldly) (true (at start)))
    (<= (legal y noop) (true (at start))) (<= (legal y noop) (true (at once))) (<= (legal y noop) (true (at twice)))
    (<= (legal x noop) (true (at quiet))) (<= (legal y (answer ?n)) (true (at quiet)) (number ?n))
    (<= (legal x (choose ?n)) (true (at once)) (way ?n)) (<= (legal x (choose ?n)) (true (at twice)) (way ?n))
    (<= (next (at quiet)) (does x quietly)) (<= (next (at once)) (does x boldly))
    (<= (next (at twice)) (true (at once)) (does x (choose 5)))
    (<= (next (at won)) (true (at twice)) (does x (choose 3)))
    (<= (next (at lost)) (does x (choose ?n)) (true (at once)) (distinct ?n 5))
    (<= (next (at lost)) (does x (choose ?n)) (true (at twice)) (distinct ?n 3))
    (<= (next (at lost)) (does y (answer 4)))
    (<= (next (at won)) (does y (answer ?n)) (distinct ?n 4))
    (<= terminal (true (at won))) (<= terminal (true (at lost)))
    (<= (goal x 100) (true (at won))) (<= (goal y 0) (true (at won)))
    (<= (goal x 0) (true (at lost))) (<= (goal y 100) (true (at lost)))";

fn game(rules: &str, backend: Backend) -> Arc<Game> {
    let options = Options { backend, ..Options::PLAY };
    Arc::new(Game::compile(rules, &options).expect("the rules are sound").game)
}

/// Three heaps, so that everything can be gone through.
fn small_nim() -> String {
    NIM.replace("(heap d 7)", "")
}

/// The goal of the first player under best play of both.
fn minimax(game: &Game, state: &State, known: &mut FxHashMap<State, f64>, scratch: &mut Scratch) -> f64 {
    if let Some(&value) = known.get(state) {
        return value;
    }
    let players: Vec<_> = game.roles().players().collect();
    let value = match game.status(state, scratch).expect("sound rules") {
        Status::Terminal { goals } => f64::from(goals[players[0]].value()),
        Status::Running { legal } => {
            let joint_moves: Vec<_> = game.joint_moves(&legal).collect();
            let values: Vec<f64> = joint_moves
                .iter()
                .map(|joint_move| {
                    let next = game.successor(state, joint_move, scratch).expect("sound rules");
                    minimax(game, &next, known, scratch)
                })
                .collect();
            let is_first = legal[players[0]].len() > 1;
            let better = if is_first { f64::max } else { f64::min };
            values.into_iter().reduce(better).expect("a move")
        }
    };
    known.insert(state.clone(), value);
    value
}

/// The search at the start of a game with a limit of descents, and what stopped it.
fn searched(game: &Arc<Game>, limit: u32, seed: u8) -> (Sighted, StopReason) {
    let mut sighted = Sighted::new(Arc::clone(game), 1);
    let (mut scratch, mut rng) = (game.scratch(), ChaCha8Rng::from_seed([seed; 32]));
    let role = game.roles().players().next().expect("a player");
    let state = game.initial_state();
    let moves = game.legal_moves(state, role, &mut scratch).expect("sound rules");
    let question = SightedDecision { state, role, moves: &moves, limit };
    let answer = sighted.choose(&question, &mut rng, &mut Budget::Own, &mut scratch).expect("sound rules");
    (sighted, answer.stop)
}

/// How many states that are not ends have a proved value; each is compared with exhaustive search.
fn compared(game: &Arc<Game>, sighted: &Sighted) -> usize {
    let (mut known, mut scratch) = (FxHashMap::default(), game.scratch());
    let mut count = 0;
    for (row, values) in sighted.graph.proved() {
        let Some(values) = values else { continue };
        let state = match &sighted.backend {
            TurnBackend::Lanes { .. } => game.network().expect("lanes").state_of_row(row),
            TurnBackend::Lifted(numbered) => numbered.state(row).clone(),
        };
        let value = minimax(game, &state, &mut known, &mut scratch);
        assert_eq!((values[0], values[1]), (value, 100.0 - value), "{:?}", game.state_terms(&state));
        count += usize::from(!game.is_terminal(&state, &mut scratch).expect("sound rules"));
    }
    count
}

#[test]
fn what_is_proved_is_what_exhaustive_search_finds() {
    let renamed = small_nim().replace("first", "zoe").replace("second", "adam").replace("take", "aaa");
    for (rules, limit) in [(TIC_TAC_TOE.to_owned(), 20_000), (small_nim(), 3_000), (renamed, 3_000)] {
        for backend in [Backend::Propnet, Backend::Datalog] {
            let game = game(&rules, backend);
            // Stopped at different times, so that half-finished proofs are compared as well.
            for part in [8, 4, 1] {
                let (sighted, stop) = searched(&game, limit / part, 3);
                let count = compared(&game, &sighted);
                assert!(count > 0, "{backend:?}, {part}: nothing was proved");
                assert!(part > 1 || stop == StopReason::Proved, "{backend:?}: {stop:?} after {count} proofs");
            }
        }
    }
}

#[test]
fn chance_proves_nothing_unless_all_its_outcomes_agree() {
    // Whoever rolls wins by a six; both ways of waiting end alike.
    let rules = "(role x) (role y) (role random) (init (at start)) (side 1) (side 6) (legal y noop)
        (<= (legal x roll) (true (at start))) (<= (legal x wait) (true (at start))) (<= (legal x noop) (not (true (at start))))
        (<= (legal random (show ?n)) (side ?n) (not (true (at start)))) (<= (legal random noop) (true (at start)))
        (<= (next (at table)) (does x roll)) (<= (next (at home)) (does x wait))
        (<= (next won) (true (at table)) (does random (show 6))) (<= (next drawn) (true (at home)))
        (<= (next over) (not (true (at start)))) (<= terminal (true over))
        (<= (goal x 100) (true won)) (<= (goal y 0) (true won))
        (<= (goal x 50) (true drawn)) (<= (goal y 50) (true drawn))
        (<= (goal x 0) (not (true won)) (not (true drawn))) (<= (goal y 100) (not (true won)) (not (true drawn)))";
    for backend in [Backend::Propnet, Backend::Datalog] {
        let game = game(rules, backend);
        let (sighted, stop) = searched(&game, 400, 1);
        assert_eq!(stop, StopReason::IterationLimit(400), "{backend:?}: rolling may give all or nothing");
        let proved =
            sighted.graph.proved().filter(|(_, values)| values.as_deref() == Some(&[50.0, 50.0, 0.0]));
        // The end after waiting, and the state before it.
        assert_eq!(proved.count(), 2, "{backend:?}");
    }
}

#[test]
fn goals_of_different_sums_prove_nothing() {
    let rules = BOLD.replace("(goal y 100) (true (at lost))", "(goal y 50) (true (at lost))");
    let (sighted, stop) = searched(&game(&rules, Backend::Auto), 200, 1);
    assert_eq!(stop, StopReason::IterationLimit(200));
    let ends = sighted.graph.proved().filter(|(_, values)| values.is_some());
    assert_eq!(ends.count(), 2, "only the ends themselves have a value");
}

#[test]
fn a_forced_win_is_found_that_means_do_not_show() {
    let game = game(BOLD, Backend::Auto);
    let x = game.roles().find("x").expect("a role");
    let chosen = |kind: &str, seed: u8| {
        let kind: PlayerKind = kind.parse().expect("a kind");
        let mut player = kind.player(Arc::clone(&game), x, [seed; 32]).expect("a player");
        let decision = player.choose(&InformationSet::initial(x), &mut Budget::Own).expect("a move");
        (game.move_text(decision.chosen).to_string(), decision.stop)
    };
    for seed in 0..10 {
        assert_eq!(chosen("uct:iterations=40,playouts=1", seed), ("boldly".to_owned(), StopReason::Proved));
        // With one state to start from this is the same search without proofs.
        assert_eq!(chosen("hyperplay:iterations=40,playouts=1", seed).0, "quietly");
    }
}
