//! One turn of many matches at once: the same moves of the players, and in each lane what its deal says of chance.

use std::sync::Arc;

use croupier_engine::{
    GoalValue, RoleId,
    batch::{Lanes, Plane},
    draw::draw_index,
    game::GameNetwork,
    stages::{bits::Bits, propnet::Phase},
};
use rand_core::Rng;

use super::DealError;

/// Words of a plane.
pub(super) const W: usize = 8;

/// Deals that are played side by side.
pub(super) const LANES: usize = 64 * W;

/// A state for each lane: for each base the lanes in which it is true.
pub(super) type States = Vec<Plane<W>>;

/// The moves of chance in each lane: by chance turn, moves with the lanes that make them.
#[derive(Clone, Debug, Default)]
pub(super) struct Deals {
    /// By chance turn, the move of each lane.
    pub(super) numbers: Vec<Vec<u32>>,
    planes: Vec<Vec<(u32, Plane<W>)>>,
}

/// The tape, and what its numbers mean.
#[derive(Debug)]
pub(super) struct DealTape {
    lanes: Lanes<W>,
    random: Option<RoleId>,
    /// By role, the values of its goals by their index on the tape.
    goals: Vec<Vec<f32>>,
}

impl Deals {
    /// Sets the moves of chance in its next turn: one for each lane.
    pub(super) fn push(&mut self, numbers: Vec<u32>) {
        let mut planes: Vec<(u32, Plane<W>)> = Vec::new();
        let most = numbers.iter().copied().max().map_or(0, |most| most as usize + 1);
        let mut places: Vec<Option<u16>> = vec![None; most];
        for (lane, &number) in numbers.iter().enumerate() {
            let place = *places[number as usize].get_or_insert_with(|| {
                planes.push((number, Plane::NONE));
                u16::try_from(planes.len() - 1).expect("no more moves than lanes")
            });
            planes[usize::from(place)].1.set(lane, true);
        }
        planes.sort_unstable_by_key(|(number, _)| *number);
        self.numbers.push(numbers);
        self.planes.push(planes);
    }

    /// Sets the move of chance in its next turn: the same in all lanes.
    pub(super) fn push_same(&mut self, number: u32) {
        self.numbers.push(vec![number; LANES]);
        self.planes.push(vec![(number, Plane::ALL)]);
    }

    /// The number of chance turns set so far.
    pub(super) fn turns(&self) -> usize {
        self.numbers.len()
    }

    /// The moves of a chance turn, with the lanes that make them.
    pub(super) fn planes(&self, turn: usize) -> &[(u32, Plane<W>)] {
        &self.planes[turn]
    }
}

impl DealTape {
    pub(super) fn new(network: &Arc<GameNetwork>, random: Option<RoleId>) -> Self {
        let value = |value: Option<GoalValue>| value.map_or(f32::NAN, |value| value.value() as f32);
        let of_role = |role: RoleId| network.goal_values(role).map(value).collect();
        let goals = network.tape().roles().map(of_role).collect();
        Self { lanes: Lanes::new(Arc::clone(network.tape())), random, goals }
    }

    /// The initial state in all lanes.
    pub(super) fn initial(&self) -> States {
        let all = |&is_true: &bool| if is_true { Plane::ALL } else { Plane::NONE };
        self.lanes.tape().initial().iter().map(all).collect()
    }

    /// Evaluates a state in each lane: the legal moves, and whether it is terminal.
    pub(super) fn enter(&mut self, states: &States) {
        for (base, &plane) in states.iter().enumerate() {
            self.lanes.set_base(base, plane);
        }
        self.lanes.evaluate(Phase::State);
    }

    /// The lanes in which the match is over, after [`enter`](Self::enter).
    pub(super) fn terminal(&self) -> Plane<W> {
        self.lanes.terminal()
    }

    /// The lanes in which a move is legal, after [`enter`](Self::enter).
    pub(super) fn legal(&self, role: RoleId, number: u32) -> Plane<W> {
        self.lanes.legal(role, number as usize)
    }

    /// The moves of a role that are legal in all lanes, after [`enter`](Self::enter).
    ///
    /// # Errors
    /// If some are legal in some lanes and not in others.
    pub(super) fn common_legal(&self, role: RoleId) -> Result<Vec<u32>, DealError> {
        let mut common = Vec::new();
        for number in 0..self.lanes.tape().moves_count(role) {
            let legal = self.lanes.legal(role, number);
            if legal == Plane::ALL {
                common.push(id(number));
            } else if legal.any() {
                return Err(DealError::LegalMoves { role });
            }
        }
        Ok(common)
    }

    /// How many moves chance has, the same in all lanes, after [`enter`](Self::enter); 0 without chance.
    ///
    /// # Errors
    /// If it has a choice in some lanes and none in others.
    pub(super) fn chance_moves(&self) -> Result<usize, DealError> {
        let Some(random) = self.random else { return Ok(0) };
        let (mut some, mut more) = (Plane::NONE, Plane::NONE);
        for number in 0..self.lanes.tape().moves_count(random) {
            let legal = self.lanes.legal(random, number);
            more |= some & legal;
            some |= legal;
        }
        match (some == Plane::ALL, more == Plane::ALL, more.any()) {
            (true, true, _) => Ok(2),
            (true, _, false) => Ok(1),
            _ => Err(DealError::LegalMoves { role: random }),
        }
    }

    /// A move of chance for each lane, each legal one equally likely, after [`enter`](Self::enter).
    pub(super) fn deal(&self, rng: &mut impl Rng) -> Vec<u32> {
        let drawn = |legal: Vec<u32>| legal[draw_index(legal.len(), rng)];
        self.legal_by_lane(&self.chance_numbers()).into_iter().map(drawn).collect()
    }

    /// All moves of chance.
    pub(super) fn chance_numbers(&self) -> Vec<u32> {
        let count = self.random.map_or(0, |random| self.lanes.tape().moves_count(random));
        (0..id(count)).collect()
    }

    /// By lane, those of some moves of chance that are legal there, after [`enter`](Self::enter).
    pub(super) fn legal_by_lane(&self, moves: &[u32]) -> Vec<Vec<u32>> {
        let random = self.random.expect("chance has a choice");
        let mut legal = vec![Vec::new(); LANES];
        for &number in moves {
            self.legal(random, number).lanes().for_each(|lane| legal[lane].push(number));
        }
        legal
    }

    /// Whether every lane can do at a chance turn what its deal says, after [`enter`](Self::enter).
    pub(super) fn can_deal(&self, deals: &Deals, turn: usize) -> bool {
        let random = self.random.expect("chance has a choice");
        deals.planes(turn).iter().all(|&(number, lanes)| (self.legal(random, number) & lanes) == lanes)
    }

    /// Plays the same move of a role in all lanes in which it plays no other.
    pub(super) fn make(&mut self, role: RoleId, number: u32) {
        self.lanes.make_where(role, number as usize, Plane::ALL);
    }

    /// Makes a move of chance in some lanes, beside those that were made in others.
    pub(super) fn make_chance(&mut self, number: u32, lanes: Plane<W>) {
        let random = self.random.expect("chance has a choice");
        self.lanes.make_where(random, number as usize, lanes);
    }

    /// Makes the moves of a chance turn.
    pub(super) fn make_deal(&mut self, deals: &Deals, turn: usize) {
        for &(number, lanes) in deals.planes(turn) {
            self.make_chance(number, lanes);
        }
    }

    /// Takes back all moves.
    pub(super) fn clear_moves(&mut self) {
        self.lanes.clear_moves();
    }

    /// The states after the moves that are made.
    pub(super) fn next(&mut self) -> States {
        self.lanes.evaluate(Phase::Next);
        (0..self.lanes.tape().bases_count()).map(|base| self.lanes.next(base)).collect()
    }

    /// What a role is told in one lane as a result of the moves, after [`next`](Self::next) and [`listen`](Self::listen).
    pub(super) fn told(&self, role: RoleId, lane: usize) -> Bits {
        let percepts = 0..self.lanes.tape().sees(role).len();
        percepts.filter(|&percept| self.lanes.sees(role, percept).get(lane)).collect()
    }

    /// Computes what everybody is told, after [`next`](Self::next).
    pub(super) fn listen(&mut self) {
        self.lanes.evaluate(Phase::Sees);
    }

    /// The lanes in which a role is told exactly this, after [`listen`](Self::listen).
    pub(super) fn told_exactly(&self, role: RoleId, percepts: &Bits) -> Plane<W> {
        self.lanes.sees_exactly(role, percepts)
    }

    /// Computes goals, after [`enter`](Self::enter).
    pub(super) fn count(&mut self) {
        self.lanes.evaluate(Phase::Goal);
    }

    /// The value of the end for a role in each lane, after [`count`](Self::count); not a number if it has no goal.
    pub(super) fn goals(&self, role: RoleId, values: &mut [f32]) {
        values.fill(f32::NAN);
        for (index, lanes) in self.lanes.goals(role) {
            let value = self.goals[role.index()][index as usize];
            if lanes == Plane::ALL {
                values.fill(value);
                return;
            }
            lanes.lanes().for_each(|lane| values[lane] = value);
        }
    }
}

pub(super) fn id(index: usize) -> u32 {
    u32::try_from(index).expect("moves and nodes are fewer than 2^32")
}
