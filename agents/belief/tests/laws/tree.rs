//! Whole game trees, enumerated forwards from the rules: what a belief must agree with.

use std::{collections::BTreeMap, sync::Arc};

use croupier_engine::{
    Game, InformationSet, JointMove, Options, RoleId, Scratch, State, Status, game::Backend,
};
use rand_core::Rng;

pub(crate) const KUHN: &str = include_str!("../../../../games-ii/kuhn/rules.gdl");
pub(crate) const LEDUC: &str = include_str!("../../../../games-ii/leduc/rules.gdl");
pub(crate) const MONTY_HALL: &str = include_str!("../../../../games-ii/monty-hall/rules.gdl");
pub(crate) const MASTERMIND: &str = include_str!("../../../../games-ii/mastermind-2x3/rules.gdl");
pub(crate) const KRIEGSPIEL: &str = include_str!("../../../../games-ii/krieg-tic-tac-toe-4x4/rules.gdl");
pub(crate) const HOLDEM: &str = include_str!("../../../../games-ii/holdem/rules.gdl");

/// A state as printed.
pub(crate) type Terms = Vec<Arc<str>>;

/// What is behind one information set.
#[derive(Default)]
pub(crate) struct Posterior {
    /// By printed state, the sum of the weights and the number of histories.
    pub(crate) states: BTreeMap<Terms, (f64, u64)>,
    /// Whether the role has a choice there.
    pub(crate) has_choice: bool,
}

pub(crate) fn game(rules: &str) -> Arc<Game> {
    Arc::new(Game::compile(rules, &Options::PLAY).expect("the rules are sound").game)
}

/// The same on the lifted reasoner, which has no lanes.
pub(crate) fn lifted(rules: &str) -> Arc<Game> {
    let options = Options { backend: Backend::Datalog, ..Options::PLAY };
    Arc::new(Game::compile(rules, &options).expect("the rules are sound").game)
}

/// The game on every backend.
pub(crate) fn both(rules: &str) -> [Arc<Game>; 2] {
    let network = game(rules);
    assert!(network.network().is_some(), "the rules can be grounded");
    [network, lifted(rules)]
}

pub(crate) fn role(game: &Game, name: &str) -> RoleId {
    game.roles().find(name).expect("a role of the game")
}

/// Every information set of `role`, terminal ones too, with the normalised weights of its states.
pub(crate) fn posteriors(game: &Game, role: RoleId) -> BTreeMap<InformationSet, Posterior> {
    let mut scratch = game.scratch();
    let mut posteriors: BTreeMap<InformationSet, Posterior> = BTreeMap::new();
    let mut open = vec![(game.initial_state().clone(), InformationSet::initial(role), 1.0_f64)];
    while let Some((state, known, weight)) = open.pop() {
        let posterior = posteriors.entry(known.clone()).or_default();
        let entry = posterior.states.entry(game.state_terms(&state)).or_default();
        entry.0 += weight;
        entry.1 += 1;
        let Status::Running { legal } = game.status(&state, &mut scratch).unwrap() else { continue };
        posterior.has_choice |= legal[role].len() > 1;
        let others = legal.iter().filter(|(other, _)| *other != role);
        let choices: usize = others.map(|(_, moves)| moves.len()).product();
        for joint_move in game.joint_moves(&legal) {
            let turn = game.turn(&state, &joint_move, &mut scratch).unwrap();
            let mut known = known.clone();
            known.turns.push((joint_move.of(role), turn.percepts[role].clone()));
            open.push((turn.successor, known, weight / choices as f64));
        }
    }
    for posterior in posteriors.values_mut() {
        let total: f64 = posterior.states.values().map(|(weight, _)| weight).sum();
        for (weight, _) in posterior.states.values_mut() {
            *weight /= total;
        }
    }
    posteriors
}

/// What `role` knows after `joint_moves`, and the state they lead to.
pub(crate) fn replay(
    game: &Game,
    role: RoleId,
    joint_moves: &[JointMove],
    scratch: &mut Scratch,
) -> (InformationSet, State) {
    let mut known = InformationSet::initial(role);
    let mut state = game.initial_state().clone();
    for joint_move in joint_moves {
        let turn = game.turn(&state, joint_move, scratch).unwrap();
        known.turns.push((joint_move.of(role), turn.percepts[role].clone()));
        state = turn.successor;
    }
    (known, state)
}

/// The joint moves of a match in which everyone plays uniformly.
pub(crate) fn random_match(game: &Game, rng: &mut impl Rng, scratch: &mut Scratch) -> Vec<JointMove> {
    let mut joint_moves = Vec::new();
    let mut state = game.initial_state().clone();
    while let Some(joint_move) = game.random_joint_move(&state, rng, scratch).unwrap() {
        state = game.successor(&state, &joint_move, scratch).unwrap();
        joint_moves.push(joint_move);
    }
    joint_moves
}
