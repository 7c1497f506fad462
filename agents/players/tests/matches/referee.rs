//! A referee for tests: it holds the true state and tells each player what it may know.

use std::sync::Arc;

use croupier_engine::{
    ByPlayer, ByRole, Game, GoalValue, InformationSet, Options, RoleId, Status, draw::draw_index,
};
use croupier_players::{Budget, Decision, Player, PlayerKind};
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;

pub(crate) const KUHN: &str = include_str!("../../../../games-ii/kuhn/rules.gdl");
pub(crate) const NUMBER_GUESSING: &str = include_str!("../../../../games-ii/number-guessing/rules.gdl");
pub(crate) const EXPLODING_BOMB: &str = include_str!("../../../../games-ii/exploding-bomb/rules.gdl");
pub(crate) const MASTERMIND: &str = include_str!("../../../../games-ii/mastermind-2x3/rules.gdl");
pub(crate) const BANKER_AND_THIEF: &str = include_str!("../../../../games-ii/banker-and-thief/rules.gdl");
pub(crate) const KRIEGSPIEL: &str = include_str!("../../../../games-ii/krieg-tic-tac-toe-4x4/rules.gdl");
pub(crate) const TIC_TAC_TOE: &str = include_str!("../../../../games-ii/tic-tac-toe/rules.gdl");
pub(crate) const LEDUC: &str = include_str!("../../../../games-ii/leduc/rules.gdl");
pub(crate) const MONTY_HALL: &str = include_str!("../../../../games-ii/monty-hall/rules.gdl");
pub(crate) const CONNECT_FOUR: &str = include_str!("../../../../games-ii/connect-four/rules.gdl");
pub(crate) const BREAKTHROUGH: &str = include_str!("../../../../games-ii/breakthrough/rules.gdl");
pub(crate) const REVERSI: &str = include_str!("../../../../games-ii/reversi/rules.gdl");
pub(crate) const CHESS: &str = include_str!("../../../../games-ii/chess/rules.gdl");
pub(crate) const HOLDEM: &str = include_str!("../../../../games-ii/holdem/rules.gdl");

pub(crate) fn game(rules: &str) -> Arc<Game> {
    Arc::new(Game::compile(rules, &Options::PLAY).expect("the rules are sound").game)
}

pub(crate) fn role(game: &Game, name: &str) -> RoleId {
    game.roles().find(name).expect("a role of the game")
}

pub(crate) fn player(game: &Arc<Game>, name: &str, kind: &str, seed: u8) -> Box<dyn Player> {
    let kind: PlayerKind = kind.parse().expect("a kind of player");
    kind.player(Arc::clone(game), role(game, name), [seed; 32]).expect("a role that is played")
}

/// Plays a match of players of the given kinds, in the order of the roles, and shows each decision to
/// `watch`. The draws of chance come from `seed`; each player has a seed of its own.
pub(crate) fn play(
    game: &Arc<Game>,
    kinds: &[&str],
    seed: u8,
    mut watch: impl FnMut(&InformationSet, &Decision),
) -> ByPlayer<GoalValue> {
    let mut scratch = game.scratch();
    let mut chance = ChaCha8Rng::from_seed([seed; 32]);
    let roles = game.roles();
    let mut kinds = kinds.iter().zip(1..);
    let mut players = ByPlayer::from_fn(roles, |role| {
        let (kind, number) = kinds.next().expect("a kind for each role");
        player(game, roles.name(role), kind, seed.wrapping_mul(5).wrapping_add(number))
    });
    let mut known = ByPlayer::from_fn(roles, InformationSet::initial);
    let mut state = game.initial_state().clone();
    loop {
        let legal = match game.status(&state, &mut scratch).unwrap() {
            Status::Running { legal } => legal,
            Status::Terminal { goals } => return goals,
        };
        let moves = ByRole::from_fn(roles, |role| {
            if Some(role) == roles.random() {
                return legal[role][draw_index(legal[role].len(), &mut chance)];
            }
            let decision = players[role].choose(&known[role], &mut Budget::Own).unwrap();
            assert!(legal[role].contains(&decision.chosen), "{}", game.move_text(decision.chosen));
            watch(&known[role], &decision);
            decision.chosen
        });
        let joint_move = game.joint_move(&state, moves, &mut scratch).unwrap();
        let turn = game.turn(&state, &joint_move, &mut scratch).unwrap();
        for (role, known) in known.iter_mut() {
            known.turns.push((joint_move.of(role), turn.percepts[role].clone()));
        }
        state = turn.successor;
    }
}
