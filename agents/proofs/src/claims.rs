//! What is claimed of every state that can be reached, as wires that are true where it is wrong.

use std::collections::BTreeMap;

use croupier_engine::{
    Game, GoalValue, RoleId,
    game::GameNetwork,
    stages::propnet::{Gates, Wire},
};

use crate::{
    answer::{Grounds, RuleAnswer, RuleQuestion, RuleVerdict},
    circuit::StateWires,
    counting::several,
    maximum::Maximum,
    shown::Way,
};

/// An answer, and the wire that is true where it is wrong.
pub(crate) struct StateClaim {
    pub(crate) answer: RuleAnswer,
    pub(crate) broken: Wire,
}

/// What is claimed of a game.
pub(crate) struct Claims<'c> {
    pub(crate) game: &'c Game,
    pub(crate) maxima: &'c [Maximum],
    /// Sums of goals that were met.
    pub(crate) sums: &'c [(i64, Way)],
}

impl Claims<'_> {
    /// All claims, about one state.
    pub(crate) fn of(&self, network: &GameNetwork, gates: &mut Gates, state: &StateWires) -> Vec<StateClaim> {
        let (game, maxima) = (self.game, self.maxima);
        let proved = |question, text: &str| {
            RuleAnswer::new(question, RuleVerdict::Proved, Grounds::Induction, text.to_owned())
        };
        let values: Vec<Vec<Option<i32>>> = game
            .roles()
            .all()
            .map(|role| network.goal_values(role).map(|value| value.map(GoalValue::value)).collect())
            .collect();
        let players: Vec<usize> = game.roles().players().map(RoleId::index).collect();
        let mut claims = vec![
            StateClaim {
                answer: proved(RuleQuestion::Playable, "every role has a legal move until the match is over"),
                broken: stuck(gates, state),
            },
            StateClaim {
                answer: proved(
                    RuleQuestion::Goals,
                    "every player has exactly one goal from 0 to 100 in every end",
                ),
                broken: faulty(gates, state, &values, &players),
            },
            StateClaim {
                answer: proved(
                    RuleQuestion::Alternating,
                    "at most one role, chance included, has something to choose in a turn",
                ),
                broken: together(gates, state),
            },
        ];
        if let (&[one, other], [(sum, _)]) = (&players[..], self.sums) {
            let zero = if *sum == 100 { ": what one wins the other loses" } else { "" };
            let answer =
                proved(RuleQuestion::ConstantSum, &format!("the goals add up to {sum} in every end{zero}"));
            let claim = SumClaim { roles: [one, other], sum: *sum };
            claims.push(StateClaim { answer, broken: unequal(gates, state, &values, &claim) });
        }
        for maximum in maxima.iter().filter(|maximum| maximum.is_named) {
            let role = maximum.role.index();
            let has = values[role].iter().zip(&state.goals[role]);
            let has: Vec<Wire> =
                has.filter(|(value, _)| **value == Some(maximum.goal)).map(|(_, &wire)| wire).collect();
            let any = gates.any(has);
            let name = game.roles().name(maximum.role);
            let text = format!("{name} never has its best goal, {}, when a match is over", maximum.goal);
            let answer =
                RuleAnswer::new(RuleQuestion::WeaklyWinnable, RuleVerdict::Refuted, Grounds::Induction, text);
            let answer = answer.of(maximum.role).about(maximum.goal.to_string());
            claims.push(StateClaim { answer, broken: gates.and(state.terminal, any) });
        }
        claims
    }
}

/// The match is not over, and some role has no legal move.
fn stuck(gates: &mut Gates, state: &StateWires) -> Wire {
    let none: Vec<Wire> = state.legal.iter().map(|legal| !gates.any(legal.iter().copied())).collect();
    let some = gates.any(none);
    gates.and(!state.terminal, some)
}

/// The match is not over, and two roles have two legal moves.
fn together(gates: &mut Gates, state: &StateWires) -> Wire {
    let choice: Vec<Wire> = state.legal.iter().map(|legal| several(gates, legal)).collect();
    let two = several(gates, &choice);
    gates.and(!state.terminal, two)
}

/// The match is over, and some player has not exactly one goal from 0 to 100.
fn faulty(gates: &mut Gates, state: &StateWires, values: &[Vec<Option<i32>>], players: &[usize]) -> Wire {
    let mut all = Vec::new();
    for &role in players {
        let goals = &state.goals[role];
        let any = gates.any(goals.iter().copied());
        all.push(!any);
        // Several rules may give the same goal.
        let mut by_value: BTreeMap<Option<i32>, Vec<Wire>> = BTreeMap::new();
        for (value, &wire) in values[role].iter().zip(goals) {
            by_value.entry(*value).or_default().push(wire);
        }
        let distinct: Vec<Wire> = by_value.into_values().map(|wires| gates.any(wires)).collect();
        all.push(several(gates, &distinct));
        let is_bad = |value: &Option<i32>| value.is_none_or(|value| !(0..=100).contains(&value));
        all.extend(values[role].iter().zip(goals).filter(|(value, _)| is_bad(value)).map(|(_, &wire)| wire));
    }
    let some = gates.any(all);
    gates.and(state.terminal, some)
}

/// The goals of these two roles have this sum.
struct SumClaim {
    roles: [usize; 2],
    sum: i64,
}

/// The match is over, and the goals of two players do not have the sum that is claimed.
fn unequal(gates: &mut Gates, state: &StateWires, values: &[Vec<Option<i32>>], claim: &SumClaim) -> Wire {
    let [one, other] = claim.roles;
    let mut all = Vec::new();
    for (first, &has_first) in values[one].iter().zip(&state.goals[one]) {
        for (second, &has_second) in values[other].iter().zip(&state.goals[other]) {
            let total = first.zip(*second).map(|(first, second)| i64::from(first) + i64::from(second));
            if total != Some(claim.sum) {
                all.push(gates.and(has_first, has_second));
            }
        }
    }
    // Without a goal there is no sum either.
    for role in [one, other] {
        let any = gates.any(state.goals[role].iter().copied());
        all.push(!any);
    }
    let some = gates.any(all);
    gates.and(state.terminal, some)
}
