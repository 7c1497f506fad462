//! What *maximal* may mean in definition 23: 100, and the best goal that the rules name for a role.

use croupier_engine::{Game, RoleId};

/// A goal that a role would win with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Maximum {
    pub(crate) role: RoleId,
    /// The place of the role among players.
    pub(crate) player: usize,
    pub(crate) goal: i32,
    /// Whether the rules can derive it at all.
    pub(crate) is_named: bool,
}

impl Maximum {
    /// For each player the best goal that the rules name; where that is not 100, 100 too.
    pub(crate) fn of_all(game: &Game) -> Vec<Self> {
        let network = game.network();
        let mut found = Vec::new();
        for (player, role) in game.roles().players().enumerate() {
            let named = network.into_iter().flat_map(|network| network.goal_values(role)).flatten();
            let named: Vec<i32> = named.map(croupier_engine::GoalValue::value).collect();
            let best = named.iter().copied().max();
            if let Some(goal) = best {
                found.push(Self { role, player, goal, is_named: true });
            }
            if best != Some(100) {
                found.push(Self { role, player, goal: 100, is_named: named.contains(&100) });
            }
        }
        found
    }
}
