//! Matches side by side, each in a lane of its own: hundreds take a turn at once in the bits of vectors.

use std::sync::Arc;

use croupier_engine::{
    Game,
    draw::draw_index,
    game::{GameNetwork, PlayedRows, RowLooker, RowStatus, RowStatuses},
};
use rand_chacha::ChaCha8Rng;
use rand_core::Rng;

use crate::interner::{bits, hash_of, is_set};

/// Matches side by side.
pub(crate) struct MatchLanes {
    looker: RowLooker,
    network: Arc<GameNetwork>,
    players: usize,
    roles: usize,
    /// A row for each lane.
    states: Vec<u64>,
    statuses: RowStatuses,
    played: PlayedRows,
    /// The lanes that are about to take a turn, and their moves, by role.
    going: Vec<u32>,
    moves: Vec<u32>,
}

/// As many as take a turn in the time of one.
pub(crate) const LANES: usize = RowLooker::BLOCK;

impl MatchLanes {
    /// So many matches at most, each in the first state. `None` if the game has no network for rows.
    pub(crate) fn new(game: &Game, lanes: usize) -> Option<Self> {
        let network = Arc::clone(game.network()?);
        Some(Self {
            looker: RowLooker::new(game)?,
            states: network.row(game.initial_state())?.repeat(lanes),
            network,
            players: game.roles().players().count(),
            roles: game.roles().len(),
            statuses: RowStatuses::default(),
            played: PlayedRows::default(),
            going: Vec::new(),
            moves: Vec::new(),
        })
    }

    pub(crate) fn network(&self) -> &GameNetwork {
        &self.network
    }

    /// How many roles there are, `random` among them.
    pub(crate) fn roles(&self) -> usize {
        self.roles
    }

    pub(crate) fn words(&self) -> usize {
        self.looker.words()
    }

    /// The state of a lane.
    pub(crate) fn row(&self, lane: usize) -> &[u64] {
        let words = self.words();
        &self.states[lane * words..][..words]
    }

    /// Puts a state into a lane.
    pub(crate) fn set(&mut self, lane: usize, row: &[u64]) {
        let words = self.words();
        self.states[lane * words..][..words].copy_from_slice(row);
    }

    /// Evaluates the states of all lanes: what is asked of them afterwards.
    pub(crate) fn look(&mut self) {
        let count = self.states.len() / self.words();
        self.looker.look(&self.states, count, &mut self.statuses);
    }

    pub(crate) fn status(&self, lane: usize) -> RowStatus {
        self.statuses.kinds[lane]
    }

    /// The goals of all players in a lane whose match is over.
    pub(crate) fn goals(&self, lane: usize) -> impl Iterator<Item = i32> {
        self.statuses.goals[lane * self.players..][..self.players].iter().map(|goal| goal.value())
    }

    /// For each role its legal moves in a lane, as a row.
    pub(crate) fn legal(&self, lane: usize) -> impl Iterator<Item = &[u64]> {
        self.statuses.legal.iter().map(move |rows| {
            let words = rows.len() / self.statuses.kinds.len();
            &rows[lane * words..][..words]
        })
    }

    /// Draws a move for each role of a lane that is running, to be made by [`play`](Self::play); the moves by role.
    pub(crate) fn draw(&mut self, lane: usize, style: &Style, turn: usize, rng: &mut ChaCha8Rng) -> &[u32] {
        let numbers: Vec<u32> = self
            .legal(lane)
            .enumerate()
            .map(|(role, legal)| style.draw(turn * self.roles + role, legal, rng))
            .collect();
        self.make(lane, &numbers)
    }

    /// Has the roles of a lane make these moves when [`play`](Self::play) is called.
    pub(crate) fn make(&mut self, lane: usize, numbers: &[u32]) -> &[u32] {
        let begin = self.moves.len();
        self.going.push(u32::try_from(lane).expect("a lane of a block"));
        self.moves.extend_from_slice(numbers);
        &self.moves[begin..]
    }

    /// Makes the moves of all lanes that have some; how many.
    pub(crate) fn play(&mut self) -> usize {
        let words = self.words();
        self.looker.play(&self.states, &self.going, &self.moves, &mut self.played);
        for (&lane, next) in self.going.iter().zip(self.played.states.chunks_exact(words)) {
            self.states[lane as usize * words..][..words].copy_from_slice(next);
        }
        self.moves.clear();
        self.going.drain(..).count()
    }
}

/// How the moves of a match are drawn.
#[derive(Debug, Default)]
pub(crate) enum Style {
    /// Any legal move.
    #[default]
    Uniform,
    /// Mostly the move that comes first in an order which this number stands for.
    Preferring(u64),
    /// These moves, by role, turn after turn, where they are legal; any where they are not, and after them.
    Following(Vec<u32>),
}

/// How often a match with a preference follows it, of eight moves.
const FAITHFUL: u64 = 7;

impl Style {
    /// Every other match has an order of its own: so matches differ in style, and reach what uniform play hardly ever does.
    pub(crate) fn of_lane(lane: usize, rng: &mut ChaCha8Rng) -> Self {
        if lane % 2 == 1 { Self::Preferring(rng.next_u64()) } else { Self::Uniform }
    }

    /// One of the legal moves, for the place of a role and turn in a match.
    fn draw(&self, place: usize, legal: &[u64], rng: &mut ChaCha8Rng) -> u32 {
        let known = match self {
            Self::Uniform => None,
            Self::Preferring(order) if rng.next_u64() % 8 < FAITHFUL => {
                // One round of the hash would leave all moves in the same cyclic order.
                let liked = |&number: &u32| hash_of(&[hash_of(&[*order, u64::from(number)])]);
                bits(legal).max_by_key(liked)
            }
            Self::Preferring(_) => None,
            Self::Following(moves) => {
                moves.get(place).copied().filter(|&number| number != ANY && is_set(legal, number as usize))
            }
        };
        known.unwrap_or_else(|| {
            let legal: Vec<u32> = bits(legal).collect();
            legal[draw_index(legal.len(), rng)]
        })
    }
}

/// In a match that is followed: whatever is legal.
pub(crate) const ANY: u32 = u32::MAX;
