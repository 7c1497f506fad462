//! The names of an environment's numbers.

use std::sync::Arc;

use croupier_engine::{
    Game, MoveId, PerceptId, RoleId,
    game::GameNetwork,
    stages::propnet::{Operand, Tape},
};

use crate::{Features, TrainingError, knowledge::Events, size::check_memory};

/// Who moves for a role.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SeatKind {
    /// The caller, who steps the environment.
    Open,
    /// Each legal move is equally likely.
    Random,
}

/// The features and moves of one player.
#[derive(Clone, Debug)]
pub struct PlayerSpace {
    /// Its role.
    pub role: RoleId,
    /// By column of the mask, the move's number on the tape.
    pub(crate) moves: Vec<usize>,
    /// Percepts that can ever be told, by their number on the tape.
    pub(crate) percepts: Vec<usize>,
    pub(crate) events: Events,
    /// By column of the mask, the move as canonical text.
    pub move_names: Vec<Arc<str>>,
    /// By feature, its meaning if it is 1, or the fact of which it is the probability.
    pub feature_names: Vec<String>,
}

/// The features and moves of all players.
#[derive(Clone, Debug)]
pub struct Space {
    pub(crate) network: Arc<GameNetwork>,
    pub(crate) features: Features,
    /// By player.
    pub players: Vec<PlayerSpace>,
    /// By player and index of a goal on the tape, its value.
    pub(crate) goals: Vec<Vec<Option<f32>>>,
}

impl Space {
    /// The space of a game.
    ///
    /// # Errors
    /// [`TrainingError::NoNetwork`].
    pub fn new(game: &Game, features: Features) -> Result<Self, TrainingError> {
        let network = Arc::clone(game.network().ok_or(TrainingError::NoNetwork)?);
        let roles = || game.roles().players();
        let players = roles().map(|role| PlayerSpace::new(game, &network, role, features)).collect();
        let values = |role: RoleId| {
            network.goal_values(role).map(|value| value.map(|value| value.value() as f32)).collect()
        };
        let goals = roles().map(values).collect();
        Ok(Self { network, features, players, goals })
    }

    /// The same for one match, if its names fit in memory.
    ///
    /// # Errors
    /// [`TrainingError::NoNetwork`], [`TrainingError::TooLarge`].
    pub fn fitting(game: &Game, features: Features) -> Result<Self, TrainingError> {
        check_memory(game, 1, features)?;
        Self::new(game, features)
    }

    /// Columns of the mask: the number of moves of the player with the most.
    #[must_use]
    pub fn moves_count(&self) -> usize {
        self.players.iter().map(|player| player.moves.len()).max().unwrap_or(0)
    }

    /// Features of a player: the number of features of the player with the most; those of others are padded with zeros.
    #[must_use]
    pub fn features_count(&self) -> usize {
        self.players.iter().map(|player| player.feature_names.len()).max().unwrap_or(0)
    }

    /// How many recent turns features distinguish.
    pub(crate) fn turns_kept(&self) -> usize {
        match self.features {
            Features::Percepts { last } => last,
            Features::Turn => 1,
            Features::Belief { .. } | Features::State => 0,
        }
    }

    /// Whether features are probabilities instead of bits.
    #[must_use]
    pub fn has_probabilities(&self) -> bool {
        matches!(self.features, Features::Belief { .. })
    }

    /// Whether features are a player's own moves and percepts.
    pub(crate) fn shows_knowledge(&self) -> bool {
        matches!(self.features, Features::Percepts { .. } | Features::Turn)
    }

    /// Whether features say what ever came.
    pub(crate) fn keeps_all(&self) -> bool {
        matches!(self.features, Features::Percepts { .. })
    }

    pub(crate) fn tape(&self) -> &Arc<Tape> {
        self.network.tape()
    }
}

impl PlayerSpace {
    fn new(game: &Game, network: &GameNetwork, role: RoleId, features: Features) -> Self {
        let tape = network.tape();
        let possible = |operands: &[Operand]| {
            let numbers = operands.iter().enumerate().filter(|(_, operand)| **operand != Operand::FALSE);
            numbers.map(|(number, _)| number).collect::<Vec<usize>>()
        };
        let (moves, percepts) = (possible(tape.legal(role)), possible(tape.sees(role)));
        let made: Vec<MoveId> = moves.iter().map(|&number| network.moves(role)[number]).collect();
        let told: Vec<PerceptId> = percepts.iter().map(|&number| network.percepts(role)[number]).collect();
        let events = Events::new(&made, &told);
        let move_names: Vec<Arc<str>> = made.iter().map(|&made| game.move_text(made)).collect();
        let told = told.iter().map(|&told| game.percept_text(told));
        let of_turn: Vec<String> = move_names
            .iter()
            .map(|name| format!("did {name}"))
            .chain(told.map(|name| format!("saw {name}")))
            .collect();
        let ago = |turns: usize| of_turn.iter().map(move |name| format!("{name}, {turns} turns ago"));
        let feature_names = match features {
            Features::Percepts { last } => {
                let ever = of_turn.iter().map(|name| format!("{name}, ever"));
                ever.chain((1..=last).flat_map(ago)).collect()
            }
            Features::Turn => of_turn.clone(),
            Features::Belief { .. } | Features::State => {
                network.fluents().iter().map(|&fluent| game.fluent_text(fluent).to_string()).collect()
            }
        };
        Self { role, moves, percepts, events, move_names, feature_names }
    }

    /// The possible events for a player in a turn: its moves and then its percepts.
    pub(crate) fn events_count(&self) -> usize {
        self.moves.len() + self.percepts.len()
    }
}
