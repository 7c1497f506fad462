//! UCT in tic-tac-toe against full enumeration.

use std::{collections::BTreeMap, sync::Arc};

use croupier_engine::{Game, InformationSet, MoveId, RoleId, Scratch, State, Status};
use croupier_players::{Budget, StopReason};
use croupier_tests::size;
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;

use crate::referee::{TIC_TAC_TOE, game, play, player, role};

/// Every position of a game for two without chance, by exhaustive search.
struct Minimax<'g> {
    game: &'g Game,
    x: RoleId,
    scratch: Scratch,
    values: BTreeMap<Vec<Arc<str>>, i32>,
}

impl Minimax<'_> {
    /// The goal of x under best play.
    fn value(&mut self, state: &State) -> i32 {
        let key = self.game.state_terms(state);
        if let Some(&value) = self.values.get(&key) {
            return value;
        }
        let value = match self.game.status(state, &mut self.scratch).unwrap() {
            Status::Terminal { goals } => goals[self.x].value(),
            Status::Running { legal } => {
                let is_x = legal[self.x].len() > 1 || &*self.game.move_text(legal[self.x][0]) != "noop";
                let values = self.successors(state).into_iter().map(|(_, next)| self.value(&next));
                let values: Vec<i32> = values.collect();
                if is_x { values.into_iter().max().unwrap() } else { values.into_iter().min().unwrap() }
            }
        };
        self.values.insert(key, value);
        value
    }

    /// What can be played in a running state, by whoever it is to move, and the state after it.
    fn successors(&mut self, state: &State) -> Vec<(MoveId, State)> {
        let Status::Running { legal } = self.game.status(state, &mut self.scratch).unwrap() else {
            return Vec::new();
        };
        let joint_moves: Vec<_> = self.game.joint_moves(&legal).collect();
        let next = joint_moves.into_iter().map(|joint_move| {
            let mut played = joint_move.moves().iter().map(|(_, &played)| played);
            let mark = played.find(|&played| &*self.game.move_text(played) != "noop").unwrap();
            (mark, self.game.successor(state, &joint_move, &mut self.scratch).unwrap())
        });
        next.collect()
    }
}

#[test]
fn uct_plays_what_keeps_the_value_of_the_game() {
    let game = game(TIC_TAC_TOE);
    let roles = ["x", "o"].map(|name| role(&game, name));
    let mut minimax = Minimax { game: &game, x: roles[0], scratch: game.scratch(), values: BTreeMap::new() };
    assert_eq!(minimax.value(game.initial_state()), 50, "a draw, as everybody knows");
    assert_eq!(minimax.values.len(), 5_478, "the positions that play can reach");
    let mut rng = ChaCha8Rng::from_seed([4; 32]);
    let mut scratch = game.scratch();
    let (mut decisions, mut telling, mut proved) = (0, 0, 0);
    for number in 0..40 {
        let mut state = game.initial_state().clone();
        let mut known = roles.map(InformationSet::initial);
        let mut players = ["x", "o"].map(|name| player(&game, name, "uct:iterations=3000", number));
        for turn in 0.. {
            let Some(random) = game.random_joint_move(&state, &mut rng, &mut scratch).unwrap() else { break };
            let mover = turn % 2;
            let decision = players[mover].choose(&known[mover], &mut Budget::Own).unwrap();
            let value = minimax.value(&state);
            let after = minimax.successors(&state);
            let (_, next) = after.iter().find(|(played, _)| *played == decision.chosen).unwrap();
            telling += u32::from(after.iter().any(|(_, next)| minimax.value(next) != value));
            decisions += 1;
            proved += u32::from(decision.stop == StopReason::Proved);
            assert_eq!(minimax.value(next), value, "turn {turn}: {:?}", game.state_terms(&state));
            // The match goes on by a random move, so that all kinds of positions are seen.
            let step = game.turn(&state, &random, &mut scratch).unwrap();
            for (known, role) in known.iter_mut().zip(roles) {
                known.turns.push((random.of(role), step.percepts[role].clone()));
            }
            state = step.successor;
        }
    }
    assert!(decisions > 250 && telling > 100, "{decisions} decisions, {telling} of them can go wrong");
    assert!(proved > 150, "{proved} of {decisions} decisions are proved");
}

#[test]
fn matches_between_searches_are_drawn() {
    let game = game(TIC_TAC_TOE);
    for kind in ["uct:iterations=3000", "ismcts:iterations=3000", "mo-ismcts:iterations=3000"] {
        for seed in 0..size(1, 3) {
            let goals = play(&game, &[kind, kind], seed, |_, _| ());
            assert!(goals.iter().all(|(_, goal)| goal.value() == 50), "{kind}");
        }
    }
}

#[test]
fn a_move_that_is_proved_to_be_the_worst_is_not_played_because_others_were_not_tried() {
    // Giving up costs less than being called, which is the worst that the rules know. Found with full sight of Kuhn poker.
    let rules =
        "(role x) (role y) (init start) (<= (legal x fold) (true start)) (<= (legal x call) (true start))
        (<= (legal x noop) (not (true start))) (legal y noop) (<= (next folded) (does x fold))
        (<= (next called) (does x call)) (<= terminal (not (true start)))
        (<= (goal x 25) (true folded)) (<= (goal y 75) (true folded))
        (<= (goal x 0) (true called)) (<= (goal y 100) (true called))";
    let mirrored = rules.replace("(role x) (role y)", "(role y) (role x)");
    for rules in [rules, &mirrored] {
        let game = game(rules);
        let known = InformationSet::initial(role(&game, "x"));
        for seed in 0..20 {
            let decision = player(&game, "x", "uct", seed).choose(&known, &mut Budget::Own).unwrap();
            assert_eq!(
                (&*game.move_text(decision.chosen), decision.stop),
                ("fold", StopReason::Proved),
                "{seed}"
            );
        }
    }
}

#[test]
fn who_ponders_knows_more_of_the_next_move_with_a_clock_alone() {
    let game = game(TIC_TAC_TOE);
    let known = InformationSet::initial(role(&game, "x"));
    let mut x = player(&game, "x", "uct:iterations=40", 1);
    let visits = |decision: croupier_players::Decision| -> u32 {
        decision.estimates.iter().map(|estimate| estimate.visits).sum()
    };
    let own = x.choose(&known, &mut Budget::Own).unwrap();
    x.choose(&known, &mut Budget::Until(&mut || false)).unwrap();
    x.ponder(&mut Budget::Offered(&mut || false));
    let later = x.choose(&known, &mut Budget::Until(&mut || false)).unwrap();
    assert!(visits(later) > 2 * visits(own.clone()));
    assert_eq!(x.choose(&known, &mut Budget::Own).unwrap(), own);
    x.ponder(&mut Budget::Own);
    assert_eq!(x.choose(&known, &mut Budget::Own).unwrap(), own);
}
