//! A public state: the histories with the same public percepts, and what each player may know in them.

use std::sync::Arc;

use croupier_engine::{
    Game, GameError, GoalValue, InformationSet, MoveId, Percepts, RoleId, State, Status, Turn,
    game::{Branch, Looker},
};

use crate::{
    PublicError, PublicEyes, PublicLimits,
    growing::{Children, Continuation, Growing, Step},
};

/// Turns of the game that are played at once.
const BLOCK: usize = 512;

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
    is_sampled: bool,
}

/// A history of a public state. Histories that lead to the same state and to the same private states are one.
#[derive(Clone, Debug)]
pub struct PublicHistory {
    /// The state that it leads to.
    pub state: State,
    /// By player, the number of its private state.
    pub private: Vec<u32>,
    /// The probability of the moves of chance in it; in a sample, a weight in proportion to what it stands for.
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
            is_sampled: false,
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

    /// Whether it has some of the histories of the public state and not all, so that their `chance` is a weight of a sample.
    #[must_use]
    pub fn is_sampled(&self) -> bool {
        self.is_sampled
    }

    /// The public states of the next turn, in canonical order of what becomes public; histories that are over go on in none.
    ///
    /// # Errors
    /// [`PublicError::TooMany`] beyond the limit for all of them together, [`PublicError::UnknownMoves`] if a player cannot know its
    /// legal moves, [`PublicError::Game`] if the rules fail.
    ///
    /// # Complexity
    /// A turn of the game for each joint move of each history.
    pub fn expand(
        &self,
        eyes: &mut PublicEyes,
        looker: &mut Looker,
        limits: &PublicLimits,
    ) -> Result<Vec<Self>, PublicError> {
        let mut children = Children::new(None, limits);
        self.grow(&mut children, eyes, looker)?;
        let mut found: Vec<(Percepts, Growing)> = children.found().into_iter().collect();
        found.sort_by_cached_key(|(told, _)| self.game.percept_terms(told));
        found.into_iter().map(|(told, child)| self.child(told, child, looker)).collect()
    }

    /// The public state of the next turn in which this becomes public; `None` if it cannot.
    ///
    /// # Errors
    /// As [`expand`](Self::expand), but the limit is for this public state alone; [`PublicError::TooManyMoves`] if too much would have to
    /// be looked at to find it.
    pub fn after(
        &self,
        told: &Percepts,
        eyes: &mut PublicEyes,
        looker: &mut Looker,
        limits: &PublicLimits,
    ) -> Result<Option<Self>, PublicError> {
        let mut children = Children::new(Some(told), limits);
        self.grow(&mut children, eyes, looker)?;
        let found = children.found().into_iter().next();
        found.map(|(told, child)| self.child(told, child, looker)).transpose()
    }

    fn grow(
        &self,
        children: &mut Children<'_>,
        eyes: &mut PublicEyes,
        looker: &mut Looker,
    ) -> Result<(), PublicError> {
        let states: Vec<&State> = self.histories.iter().map(|history| &history.state).collect();
        let chance = self.game.roles().random();
        let playable = looker.playable_moves(&self.game, &states);
        let mut waiting: Vec<Continuation> = Vec::new();
        for (history, playable) in playable.into_iter().enumerate() {
            if self.histories[history].goals.is_some() {
                continue;
            }
            let Some(legal) = playable? else { continue };
            let share = chance.map_or(1.0, |chance| 1.0 / legal[chance].len() as f64);
            let chance = self.histories[history].chance * share;
            for joint_move in self.game.joint_moves(&legal) {
                waiting.push(Continuation { history, joint_move, chance });
                if waiting.len() == BLOCK {
                    self.play(&waiting, children, eyes, looker)?;
                    waiting.clear();
                }
            }
        }
        self.play(&waiting, children, eyes, looker)
    }

    /// Plays a turn of these histories, and adds what follows to the public states that it belongs to.
    fn play(
        &self,
        continuations: &[Continuation],
        children: &mut Children<'_>,
        eyes: &mut PublicEyes,
        looker: &mut Looker,
    ) -> Result<(), PublicError> {
        let turns = self.turns(continuations, looker)?;
        for (continuation, turn) in continuations.iter().zip(turns) {
            let told = self.public(&turn, eyes);
            children.look(told, self.told.len() + 1, |child| {
                let steps = self.steps(continuation, &turn);
                child.add(turn.successor, steps, continuation.chance);
            })?;
        }
        Ok(())
    }

    /// The public state of the next turn as far as these histories lead to it, all of which make the same public; and for each of them,
    /// the place of the one that it goes on in.
    pub(crate) fn along(
        &self,
        continuations: &[Continuation],
        eyes: &mut PublicEyes,
        looker: &mut Looker,
    ) -> Result<(Self, Vec<usize>), PublicError> {
        let turns = self.turns(continuations, looker)?;
        let told = turns.first().map(|turn| self.public(turn, eyes)).unwrap_or_default();
        let mut child = Growing::default();
        let places = continuations.iter().zip(turns).map(|(continuation, turn)| {
            let steps = self.steps(continuation, &turn);
            child.add(turn.successor, steps, continuation.chance)
        });
        let places = places.collect();
        Ok((self.child(told, child, looker)?, places))
    }

    /// The same public state with these weights of its histories.
    pub(crate) fn weighted(mut self, weights: &[f64], is_sampled: bool) -> Self {
        self.is_sampled = is_sampled;
        for (history, &weight) in self.histories.iter_mut().zip(weights) {
            history.chance = weight;
        }
        self
    }

    /// The turns by which these histories go on.
    fn turns(&self, continuations: &[Continuation], looker: &mut Looker) -> Result<Vec<Turn>, GameError> {
        // Only the states that are needed: all of them are entered into lanes.
        let (mut states, mut branches) = (Vec::new(), Vec::new());
        let mut last = None;
        for Continuation { history, joint_move, .. } in continuations {
            if last.replace(history) != Some(history) {
                states.push(&self.histories[*history].state);
            }
            branches.push(Branch { state: states.len() - 1, joint_move });
        }
        looker.turns(&self.game, &states, &branches)
    }

    /// What becomes public in a turn.
    fn public(&self, turn: &Turn, eyes: &mut PublicEyes) -> Percepts {
        let first = self.players.first().copied();
        first.map_or_else(Percepts::default, |role| eyes.public(&turn.percepts[role]))
    }

    /// By player, the step that leads to its next private state.
    fn steps(&self, continuation: &Continuation, turn: &Turn) -> Vec<Step> {
        let step = |(player, &role): (usize, &RoleId)| {
            let own = continuation.joint_move.of(role);
            let parent = self.histories[continuation.history].private[player];
            let legal = &self.private[player][parent as usize].legal;
            let made = legal.iter().position(|&legal| legal == own).unwrap_or_default();
            Step { parent, made: made as u32, own, percepts: turn.percepts[role].clone() }
        };
        self.players.iter().enumerate().map(step).collect()
    }

    fn child(&self, told: Percepts, mut child: Growing, looker: &mut Looker) -> Result<Self, PublicError> {
        let private = child.steps().enumerate().map(|(player, steps)| {
            let following = |step: Step| {
                let mut known = self.private[player][step.parent as usize].known.clone();
                known.turns.push((step.own, step.percepts));
                PrivateState::of(known, step.parent, step.made)
            };
            steps.into_iter().map(following).collect()
        });
        let private = private.collect();
        let mut node = Self {
            game: Arc::clone(&self.game),
            players: self.players.clone(),
            told: self.told.iter().cloned().chain([told]).collect(),
            private,
            histories: child.histories,
            is_sampled: self.is_sampled,
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
