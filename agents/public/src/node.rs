//! A public state: the histories with the same public percepts, and what each player may know in them.

use std::{collections::BTreeMap, sync::Arc};

use croupier_engine::{
    ByRole, Game, GameError, GoalValue, InformationSet, JointMove, MoveId, Percepts, RoleId, State, Status,
    game::{Branch, Looker},
};
use rustc_hash::FxHashMap;

use crate::{PublicError, PublicEyes};

/// How large a public state may become.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PublicLimits {
    /// Histories with the same public percepts, at most.
    pub histories: usize,
}

impl PublicLimits {
    /// Some hundred megabytes.
    pub const STANDARD: Self = Self { histories: 500_000 };
}

/// All histories in which the same was public, and the players' private states in them.
///
/// The order of everything follows from the rules.
#[derive(Clone, Debug)]
pub struct PublicNode {
    game: Arc<Game>,
    players: Vec<RoleId>,
    /// What was public in each turn.
    told: Vec<Percepts>,
    histories: Vec<PublicHistory>,
    /// By player.
    private: Vec<Vec<PrivateState>>,
}

/// A history of a public state. Histories that lead to the same state and to the same private states are one.
#[derive(Clone, Debug)]
pub struct PublicHistory {
    /// The state that it leads to.
    pub state: State,
    /// By player, the number of its private state.
    pub private: Vec<u32>,
    /// The probability of the moves of chance in it.
    pub chance: f64,
    /// By player the goal, if the match is over.
    pub goals: Option<Vec<GoalValue>>,
}

/// What a player may know in a public state.
#[derive(Clone, Debug)]
pub struct PrivateState {
    /// All that it did and was told.
    pub known: InformationSet,
    /// The private state that it comes from, in the public state before.
    pub parent: u32,
    /// The place of the move that it made there, among its legal moves.
    pub made: u32,
    /// Its legal moves in canonical order; none if the match is over.
    pub legal: Vec<MoveId>,
}

impl PrivateState {
    /// Whether the player has more than one legal move.
    #[must_use]
    pub fn has_choice(&self) -> bool {
        self.legal.len() > 1
    }
}

impl PublicNode {
    /// The public state before the first move.
    ///
    /// # Errors
    /// [`PublicError::Game`] if the rules fail.
    pub fn initial(game: &Arc<Game>, looker: &mut Looker) -> Result<Self, PublicError> {
        let players: Vec<RoleId> = game.roles().players().collect();
        let private = players.iter().map(|&role| vec![PrivateState::of(InformationSet::initial(role), 0, 0)]);
        let history = PublicHistory {
            state: game.initial_state().clone(),
            private: vec![0; players.len()],
            chance: 1.0,
            goals: None,
        };
        let mut node = Self {
            game: Arc::clone(game),
            told: Vec::new(),
            histories: vec![history],
            private: private.collect(),
            players,
        };
        node.look(looker)?;
        Ok(node)
    }

    /// The players, in the order of the rules.
    #[must_use]
    pub fn players(&self) -> &[RoleId] {
        &self.players
    }

    /// The name of a player's role.
    pub(crate) fn role_name(&self, player: usize) -> String {
        self.game.roles().name(self.players[player]).to_owned()
    }

    /// What was public in each turn.
    #[must_use]
    pub fn told(&self) -> &[Percepts] {
        &self.told
    }

    /// The histories.
    #[must_use]
    pub fn histories(&self) -> &[PublicHistory] {
        &self.histories
    }

    /// The private states of a player, by its place among the players.
    #[must_use]
    pub fn private(&self, player: usize) -> &[PrivateState] {
        &self.private[player]
    }

    /// By player and private state, the range after one in the public state before, and the choices made there: by player, private state
    /// and move.
    pub(crate) fn ranges_after(&self, before: &[Vec<f64>], chosen: &[Vec<Vec<f64>>]) -> Vec<Vec<f64>> {
        let mut ranges = Vec::new();
        for (player, private) in self.private.iter().enumerate() {
            let reach = |state: &PrivateState| {
                let parent = state.parent as usize;
                before[player][parent] * chosen[player][parent][state.made as usize]
            };
            ranges.push(private.iter().map(reach).collect());
        }
        ranges
    }

    /// Whether the match is over in all histories.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.histories.iter().all(|history| history.goals.is_some())
    }

    /// Whether some player has a choice in some history.
    #[must_use]
    pub fn has_choice(&self) -> bool {
        self.private.iter().flatten().any(PrivateState::has_choice)
    }

    /// The public states of the next turn, in canonical order of what becomes public; histories that are over go on in none.
    ///
    /// # Errors
    /// [`PublicError::TooMany`] beyond the limit, [`PublicError::UnknownMoves`] if a player cannot know its legal moves,
    /// [`PublicError::Game`] if the rules fail.
    ///
    /// # Complexity
    /// A turn of the game for each joint move of each history.
    pub fn expand(
        &self,
        eyes: &mut PublicEyes,
        looker: &mut Looker,
        limits: &PublicLimits,
    ) -> Result<Vec<Self>, PublicError> {
        let states: Vec<&State> = self.histories.iter().map(|history| &history.state).collect();
        let chance = self.game.roles().random();
        let playable = looker.playable_moves(&self.game, &states);
        let mut children: BTreeMap<Percepts, Growing> = BTreeMap::new();
        let mut count = 0;
        for (place, playable) in playable.into_iter().enumerate() {
            if self.histories[place].goals.is_some() {
                continue;
            }
            let Some(legal) = playable? else { continue };
            let joint_moves: Vec<JointMove> = self.game.joint_moves(&legal).collect();
            let share = chance.map_or(1.0, |chance| 1.0 / legal[chance].len() as f64);
            let branches: Vec<Branch<'_>> =
                joint_moves.iter().map(|joint_move| Branch { state: place, joint_move }).collect();
            let turns = looker.turns(&self.game, &states, &branches)?;
            for (joint_move, turn) in joint_moves.iter().zip(turns) {
                let first = self.players.first().copied();
                let told = first.map_or_else(Percepts::default, |role| eyes.public(&turn.percepts[role]));
                let steps = self.steps(place, &legal, joint_move, |role| turn.percepts[role].clone());
                let child = children.entry(told).or_insert_with(|| Growing::new(self.players.len()));
                count += usize::from(child.add(turn.successor, steps, self.histories[place].chance * share));
                if count > limits.histories {
                    let private = children.values().map(Growing::private_count).sum();
                    return Err(PublicError::TooMany {
                        turns: self.told.len() + 1,
                        most: limits.histories,
                        private,
                    });
                }
            }
        }
        children.into_iter().map(|(told, child)| self.child(told, child, looker)).collect()
    }

    /// By player, the step that leads to its next private state.
    fn steps(
        &self,
        history: usize,
        legal: &ByRole<Vec<MoveId>>,
        joint_move: &JointMove,
        percepts: impl Fn(RoleId) -> Percepts,
    ) -> Vec<Step> {
        let step = |(player, &role): (usize, &RoleId)| {
            let own = joint_move.of(role);
            let made = legal[role].iter().position(|&legal| legal == own).unwrap_or_default();
            let parent = self.histories[history].private[player];
            Step { parent, made: made as u32, own, percepts: percepts(role) }
        };
        self.players.iter().enumerate().map(step).collect()
    }

    fn child(&self, told: Percepts, child: Growing, looker: &mut Looker) -> Result<Self, PublicError> {
        let private = child.steps.into_iter().enumerate().map(|(player, steps)| {
            let mut steps: Vec<(Step, u32)> = steps.into_iter().collect();
            steps.sort_unstable_by_key(|(_, number)| *number);
            let following = |(step, _): (Step, u32)| {
                let mut known = self.private[player][step.parent as usize].known.clone();
                known.turns.push((step.own, step.percepts));
                PrivateState::of(known, step.parent, step.made)
            };
            steps.into_iter().map(following).collect()
        });
        let mut node = Self {
            game: Arc::clone(&self.game),
            players: self.players.clone(),
            told: self.told.iter().cloned().chain([told]).collect(),
            private: private.collect(),
            histories: child.histories,
        };
        node.look(looker)?;
        Ok(node)
    }

    /// Works out legal moves and goals.
    fn look(&mut self, looker: &mut Looker) -> Result<(), PublicError> {
        let states: Vec<&State> = self.histories.iter().map(|history| &history.state).collect();
        let statuses: Vec<Result<Status, GameError>> = looker.statuses(&self.game, &states);
        let Self { game, players, histories, private, .. } = self;
        for (history, status) in histories.iter_mut().zip(statuses) {
            match status? {
                Status::Terminal { goals } => {
                    history.goals = Some(players.iter().map(|&role| goals[role]).collect());
                }
                Status::Running { legal } => {
                    for ((&role, &set), private) in players.iter().zip(&history.private).zip(&mut *private) {
                        let state = &mut private[set as usize];
                        if state.legal.is_empty() {
                            state.legal.clone_from(&legal[role]);
                        } else if state.legal != legal[role] {
                            let information_set = game.information_set_text(&state.known);
                            let role = game.roles().name(role).to_owned();
                            return Err(PublicError::UnknownMoves { role, information_set });
                        }
                    }
                }
            }
        }
        Ok(())
    }
}

impl PrivateState {
    fn of(known: InformationSet, parent: u32, made: u32) -> Self {
        Self { known, parent, made, legal: Vec::new() }
    }
}

/// How a private state follows from one of the turn before.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Step {
    parent: u32,
    made: u32,
    own: MoveId,
    percepts: Percepts,
}

/// A public state of the next turn, while its histories are found.
struct Growing {
    histories: Vec<PublicHistory>,
    places: FxHashMap<(State, Vec<u32>), usize>,
    /// By player, the steps in the order of their numbers.
    steps: Vec<FxHashMap<Step, u32>>,
}

impl Growing {
    fn new(players: usize) -> Self {
        Self {
            histories: Vec::new(),
            places: FxHashMap::default(),
            steps: vec![FxHashMap::default(); players],
        }
    }

    /// Adds a history, and says whether it was not there.
    fn add(&mut self, state: State, steps: Vec<Step>, chance: f64) -> bool {
        let numbered = steps.into_iter().zip(&mut self.steps).map(|(step, known)| {
            let next = known.len() as u32;
            *known.entry(step).or_insert(next)
        });
        let private: Vec<u32> = numbered.collect();
        let key = (state, private);
        if let Some(&place) = self.places.get(&key) {
            self.histories[place].chance += chance;
            return false;
        }
        self.places.insert(key.clone(), self.histories.len());
        let (state, private) = key;
        self.histories.push(PublicHistory { state, private, chance, goals: None });
        true
    }

    fn private_count(&self) -> usize {
        self.steps.iter().map(FxHashMap::len).sum()
    }
}
