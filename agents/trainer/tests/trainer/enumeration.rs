//! Whole games, history by history, from the definitions.

use std::sync::Arc;

use croupier_belief::Policy;
use croupier_engine::{ByPlayer, Game, InformationSet, MoveId, Options, RoleId, State, Status};
use croupier_games::find;
use croupier_players::Solutions;
use croupier_trainer::{Trainer, TrainerOptions};

/// A history of a game with how likely chance and others than `role` make it.
#[derive(Clone, Debug)]
pub(crate) struct ReachedHistory {
    pub(crate) state: State,
    pub(crate) known: ByPlayer<InformationSet>,
    pub(crate) reach: f64,
    /// The goals, if the match is over.
    pub(crate) goals: Option<Vec<f64>>,
    /// Of which entry in the list it is a continuation, and by which move of `role`.
    pub(crate) parent: Option<(usize, MoveId)>,
    /// How likely everybody makes the last turn, the role included.
    pub(crate) turn_share: f64,
}

pub(crate) fn game(name: &str) -> Arc<Game> {
    let entry = find(name).expect("a bundled game");
    Arc::new(Game::compile(entry.rules, &Options::PLAY).expect("sound rules").game)
}

pub(crate) fn role(game: &Game, name: &str) -> RoleId {
    game.roles().find(name).expect("a role of the game")
}

pub(crate) fn trainer(game: &Arc<Game>, role: RoleId, options: TrainerOptions) -> Trainer {
    Trainer::new(Arc::clone(game), role, options, Solutions::default())
}

/// All histories of a small game, parents first. `policy` is how players choose; uniformly without one.
pub(crate) fn histories(game: &Game, role: RoleId, policy: Option<&dyn Policy>) -> Vec<ReachedHistory> {
    let mut scratch = game.scratch();
    let mut all = vec![ReachedHistory {
        state: game.initial_state().clone(),
        known: ByPlayer::from_fn(game.roles(), InformationSet::initial),
        reach: 1.0,
        goals: None,
        parent: None,
        turn_share: 1.0,
    }];
    let mut next = 0;
    while next < all.len() {
        let here = all[next].clone();
        match game.status(&here.state, &mut scratch).expect("sound rules") {
            Status::Terminal { goals } => {
                all[next].goals = Some(goals.iter().map(|(_, goal)| f64::from(goal.value())).collect());
            }
            Status::Running { legal } => {
                for joint_move in game.joint_moves(&legal) {
                    let share = |of: RoleId| -> f64 {
                        let moves = &legal[of];
                        let place = moves.iter().position(|id| *id == joint_move.of(of)).expect("legal");
                        match policy.filter(|_| Some(of) != game.roles().random()) {
                            Some(policy) => policy.probabilities(&here.known[of], moves)[place],
                            None => 1.0 / moves.len() as f64,
                        }
                    };
                    let others: f64 = game.roles().all().filter(|&of| of != role).map(share).product();
                    let turn = game.turn(&here.state, &joint_move, &mut scratch).expect("sound rules");
                    let mut known = here.known.clone();
                    for (of, known) in known.iter_mut() {
                        known.turns.push((joint_move.of(of), turn.percepts[of].clone()));
                    }
                    all.push(ReachedHistory {
                        state: turn.successor,
                        known,
                        reach: here.reach * others,
                        goals: None,
                        parent: Some((next, joint_move.of(role))),
                        turn_share: others * share(role),
                    });
                }
            }
        }
        next += 1;
    }
    all
}

/// The legal moves of a role in a state.
pub(crate) fn legal(game: &Game, state: &State, role: RoleId) -> Vec<MoveId> {
    game.legal_moves(state, role, &mut game.scratch()).expect("sound rules")
}
