//! Answers for all states at once, those that can be reached among them.

use std::collections::BTreeMap;

use croupier_engine::{
    Game, GoalValue, RoleId,
    game::GameNetwork,
    stages::propnet::{Gates, Wire},
};

use crate::{
    answer::{Grounds, RuleAnswer, RuleQuestion, RuleVerdict},
    circuit::{Circuit, StateWires},
    groups::FluentGroups,
    guesses::{counted, guesses},
    invariants::{Invariant, inductive},
    maximum::Maximum,
    prover::{Proof, Prover},
    ranking::{RankingBasis, Turns, must_end},
    walks::Walked,
};

/// Turns of which some fluent must change in one that never changes back: more make longer proofs of more games.
const STEPS: [usize; 3] = [1, 2, 4];

/// Turns before the state that a claim is about: what any such turns exclude need not be excluded by the invariants.
const DEPTHS: [usize; 4] = [0, 1, 2, 4];

/// What is known of a game before anything is proved by induction.
pub(crate) struct Induction<'i> {
    pub(crate) game: &'i Game,
    pub(crate) walked: &'i Walked,
    pub(crate) maxima: &'i [Maximum],
    /// Every state that is reached in fewer turns was looked at.
    pub(crate) turns: usize,
}

impl Induction<'_> {
    /// What can be proved, of what is asked in `open`: first without counting, which is quick, then with it.
    pub(crate) fn answers(&self, open: &[RuleAnswer], has_passed: &dyn Fn(f64) -> bool) -> Vec<RuleAnswer> {
        let Some(network) = self.game.network() else { return Vec::new() };
        let groups = FluentGroups::of(self.game, network);
        let is_open = |answer: &RuleAnswer| {
            let is_same = |open: &&RuleAnswer| {
                open.question == answer.question && open.role == answer.role && open.about == answer.about
            };
            open.iter().find(is_same).is_some_and(|open| open.verdict == RuleVerdict::Open)
        };
        let mut found: Vec<RuleAnswer> = Vec::new();
        for (counts, share) in [(false, 0.8), (true, 1.0)] {
            let is_over = || has_passed(share);
            let Some(invariants) = self.invariants(network, &groups, counts, &is_over) else { continue };
            for depth in DEPTHS.into_iter().filter(|&depth| depth <= self.turns && !is_over()) {
                let wanted = |answer: &RuleAnswer| is_open(answer) && !found.contains(answer);
                let new = self.of_states(network, &invariants, depth, &wanted).unwrap_or_default();
                found.extend(new);
            }
            let ends = ends_answer();
            let known = RankingBasis { invariants: &invariants, groups: &groups };
            let is_ended = |steps: usize| {
                let turns: Turns<'_> = self.walked.turns().collect();
                Circuit::new(network.tape(), steps)
                    .is_some_and(|mut circuit| must_end(&mut circuit, &known, turns, &is_over))
            };
            if is_open(&ends) && !found.contains(&ends) && STEPS.into_iter().any(is_ended) {
                found.push(ends);
            }
        }
        found
    }

    fn invariants(
        &self,
        network: &GameNetwork,
        groups: &FluentGroups,
        counts: bool,
        is_over: &dyn Fn() -> bool,
    ) -> Option<Vec<Invariant>> {
        // Induction begins with the first state, whether or not a match was kept.
        let first = network.row(self.game.initial_state())?;
        let bases = network.fluents().len();
        let states = || self.walked.states().chain([&first[..]]);
        let mut guesses = guesses(groups, bases, states());
        if counts {
            let counted = counted(groups, states());
            guesses.extend(counted.into_iter().filter(|guess| states().all(|row| guess.holds(row))));
        }
        let mut circuit = Circuit::new(network.tape(), 1)?;
        inductive(&mut circuit, guesses, is_over)
    }

    /// What the invariants say of single states after so many turns from any; those before were looked at.
    fn of_states(
        &self,
        network: &GameNetwork,
        invariants: &[Invariant],
        depth: usize,
        is_wanted: &dyn Fn(&RuleAnswer) -> bool,
    ) -> Option<Vec<RuleAnswer>> {
        let mut circuit = Circuit::new(network.tape(), depth)?;
        let Circuit { gates, clauses, states } = &mut circuit;
        for state in states.iter() {
            let held: Vec<Wire> =
                invariants.iter().map(|invariant| invariant.wire(gates, &state.bases)).collect();
            clauses.extend(held.into_iter().map(|wire| vec![wire]));
        }
        let mut claims = self.claims(network, gates, &states[depth]);
        // Before the state that a claim is about every sum would do.
        let is_of_all = |claim: &StateClaim| depth == 0 || claim.answer.question != RuleQuestion::ConstantSum;
        claims.retain(|claim| is_of_all(claim) && is_wanted(&claim.answer));
        let wires: Vec<Wire> = claims.iter().map(|claim| claim.broken).collect();
        let mut prover = Prover::new(&circuit.gates, &circuit.clauses, &wires)?;
        let mut found = Vec::new();
        for (place, claim) in claims.into_iter().enumerate() {
            let broken = prover.literal(place);
            if prover.ask(&[broken]) == Proof::Impossible {
                found.push(claim.answer);
            }
        }
        Some(found)
    }

    fn claims(&self, network: &GameNetwork, gates: &mut Gates, state: &StateWires) -> Vec<StateClaim> {
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
        if let (&[one, other], [(sum, _)]) = (&players[..], &self.walked.sums[..]) {
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

/// That every match ends.
fn ends_answer() -> RuleAnswer {
    let text = "every match ends: in every few turns some fluent changes that never changes back".to_owned();
    RuleAnswer::new(RuleQuestion::Terminates, RuleVerdict::Proved, Grounds::Induction, text)
}

/// An answer, and the wire that is true where it is wrong.
struct StateClaim {
    answer: RuleAnswer,
    broken: Wire,
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

/// At least two of these are true.
fn several(gates: &mut Gates, wires: &[Wire]) -> Wire {
    gates.at_least(wires.iter().copied(), 2)[2]
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
