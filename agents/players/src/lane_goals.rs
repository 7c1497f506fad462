//! What playouts in lanes come to.

use std::sync::Arc;

use croupier_engine::{
    Game, GameError, RoleId,
    batch::{Lanes, Plane, Width},
    game::GameNetwork,
};

use crate::ending::{OpenEnds, STAND_IN, note};

/// The mean goal of each role over some playouts, by the index of the role; 0 for `random`.
pub(crate) type MeanGoals = Vec<f64>;

/// The goals of a game whose states are in lanes.
#[derive(Debug)]
pub(crate) struct LaneGoals {
    game: Arc<Game>,
    network: Arc<GameNetwork>,
    /// For each role, the values of its goals by the index that the tape assigns to them; not a number where it is no goal value.
    values: Vec<Vec<f64>>,
}

/// Lanes in which nothing is played any more, those of one group beside each other.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EndedLanes<const W: usize> {
    /// The lanes that count.
    pub(crate) here: Plane<W>,
    /// Those in which some role has no legal move.
    pub(crate) stuck: Plane<W>,
    /// Lanes of a group.
    pub(crate) group: usize,
    pub(crate) groups: usize,
}

/// The lanes of a group.
pub(crate) fn lanes_of<const W: usize>(number: usize, group: usize) -> Plane<W>
where
    Plane<W>: Width<W>,
{
    Plane::first((number + 1) * group) & !Plane::first(number * group)
}

impl LaneGoals {
    pub(crate) fn new(game: Arc<Game>, network: &Arc<GameNetwork>) -> Self {
        let of_role = |role: RoleId| {
            let values = network.goal_values(role);
            values.map(|value| value.map_or(f64::NAN, |value| f64::from(value.value()))).collect()
        };
        let values = network.tape().roles().map(of_role).collect();
        Self { game, network: Arc::clone(network), values }
    }

    /// The mean goals of each group, after the phase of goals; what the rules leave open is noted.
    pub(crate) fn means<const W: usize>(
        &self,
        lanes: &Lanes<W>,
        ended: EndedLanes<W>,
        open_ends: &mut Option<OpenEnds>,
    ) -> Vec<MeanGoals>
    where
        Plane<W>: Width<W>,
    {
        let EndedLanes { here, stuck, group, groups } = ended;
        let mut means = vec![vec![0.0; self.values.len()]; groups];
        let stuck = here & stuck;
        if stuck.any() {
            note(open_ends, stuck.count().into(), self.without_move(lanes, stuck));
        }
        let over = here & !stuck;
        let (mut open, mut first) = (Plane::NONE, None);
        for role in self.game.roles().players() {
            let mut add = |lanes: Plane<W>, value: f64| {
                lanes.lanes().for_each(|lane| means[lane / group][role.index()] += value);
            };
            let mut without = here;
            for (index, has) in lanes.goals(role) {
                let value = self.values[role.index()][index as usize];
                if value.is_nan() {
                    let value = || self.network.goals(role)[index as usize].clone();
                    let error = || GameError::GoalOutOfRange { role: self.name(role), value: value() };
                    first = first.or_else(|| (has & over).any().then(error));
                    continue;
                }
                add(has & here, value);
                without &= !has;
            }
            add(without, STAND_IN);
            if (without & over).any() {
                first.get_or_insert_with(|| GameError::NoGoal { role: self.name(role) });
                open |= without & over;
            }
        }
        if let Some(first) = first {
            note(open_ends, open.count().into(), first);
        }
        means.iter_mut().flatten().for_each(|mean| *mean /= group as f64);
        means
    }

    /// What is wrong in lanes in which some role has no legal move.
    fn without_move<const W: usize>(&self, lanes: &Lanes<W>, stuck: Plane<W>) -> GameError
    where
        Plane<W>: Width<W>,
    {
        let moves = |role: RoleId| {
            let numbers = 0..lanes.tape().moves_count(role);
            numbers.fold(Plane::NONE, |any, number| any | lanes.legal(role, number))
        };
        let role = self.game.roles().all().find(|&role| (stuck & !moves(role)).any());
        GameError::NoLegalMove { role: role.map_or_else(String::new, |role| self.name(role)) }
    }

    fn name(&self, role: RoleId) -> String {
        self.game.roles().name(role).to_owned()
    }
}
