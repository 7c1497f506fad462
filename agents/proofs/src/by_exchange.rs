//! What a role never learns, where its information sets are too many.
//!
//! Cards that it has not met can change places in a match: as long as the rules tell them apart by nothing but goals, nothing that it does or is
//! told becomes different. So it is never certain who holds which of them, if there are more of them than it can have met and somebody can hold.
//! What it has met it remembers: some fluent that it always knows has the card in it from then on.

use std::collections::BTreeMap;

use croupier_engine::{
    game::{ClassMember, ExchangeableValues},
    stages::propnet::{Gates, Wire},
};

use crate::{
    agreed::AgreedFluents,
    answer::{Grounds, RuleAnswer, RuleQuestion, RuleVerdict},
    by_sets::never_learns,
    graph::StateGraph,
    invariants::KnownInvariants,
    pairs::{ToldTurn, TurnCircuit},
    patterns::FluentPatterns,
    prover::is_impossible,
};

/// Where roles may have secrets from each other.
pub(crate) struct Hidden<'h> {
    pub(crate) graph: &'h StateGraph,
    pub(crate) invariants: &'h KnownInvariants,
    pub(crate) patterns: &'h FluentPatterns,
}

/// For each player the groups of fluents of which it is found that it is never certain of one before the end.
pub(crate) fn exchange_answers(
    hidden: &Hidden<'_>,
    agreed: &[AgreedFluents],
    is_over: &dyn Fn() -> bool,
) -> Vec<RuleAnswer> {
    let Hidden { graph, invariants, patterns } = *hidden;
    let game = graph.game();
    let values = game.exchangeable_values();
    let mut answers = Vec::new();
    if values.class_sizes().is_empty() {
        return answers;
    }
    let fluents: Vec<Vec<ClassMember>> =
        graph.network().fluents().iter().map(|&fluent| values.fluent_shape(game, fluent).members).collect();
    for agreed in agreed {
        let secrets = Secrets { hidden, fluents: &fluents, agreed, values: &values };
        let turn = TurnCircuit::new(graph.network().tape(), agreed.role, &invariants.plain);
        let Some(mut turn) = turn.filter(|_| !is_over()) else { continue };
        if !secrets.are_remembered(&mut turn, is_over) {
            continue;
        }
        let name = game.roles().name(agreed.role);
        for (group, pattern) in patterns.names.iter().enumerate() {
            if !agreed.has_all(patterns, group) && secrets.are_kept(group, &mut turn, is_over) {
                let text = never_learns(name, pattern);
                let answer =
                    RuleAnswer::new(RuleQuestion::NeverLearns, RuleVerdict::Proved, Grounds::Induction, text);
                answers.push(answer.of(agreed.role).about(pattern.clone()));
            }
        }
    }
    answers
}

/// What others may keep from a role.
struct Secrets<'s> {
    hidden: &'s Hidden<'s>,
    /// Of each fluent the values in it that can be exchanged.
    fluents: &'s [Vec<ClassMember>],
    agreed: &'s AgreedFluents,
    values: &'s ExchangeableValues,
}

impl Secrets<'_> {
    /// For each value whether the role always knows a fluent of a state that is true and has it.
    fn met(&self, gates: &mut Gates, bases: &[Wire]) -> BTreeMap<ClassMember, Wire> {
        let mut wires: BTreeMap<ClassMember, Vec<Wire>> = BTreeMap::new();
        for (fluent, members) in
            self.fluents.iter().enumerate().filter(|(fluent, _)| self.agreed.has(*fluent))
        {
            members.iter().for_each(|&member| wires.entry(member).or_default().push(bases[fluent]));
        }
        wires.into_iter().map(|(member, wires)| (member, gates.any(wires))).collect()
    }

    /// Whether what the role does, is told or has met stays in what it knows, as long as the match goes on.
    fn are_remembered(&self, turn: &mut TurnCircuit, is_over: &dyn Fn() -> bool) -> bool {
        let (game, network, role) = (self.hidden.graph.game(), self.hidden.graph.network(), self.agreed.role);
        let TurnCircuit { gates, clauses, turn: ToldTurn { before, after, percepts } } = turn;
        let mut met: BTreeMap<ClassMember, Vec<Wire>> = BTreeMap::new();
        for (member, wire) in self.met(gates, &before.bases) {
            met.entry(member).or_default().push(wire);
        }
        for (&played, &wire) in network.moves(role).iter().zip(&before.moves[role.index()]) {
            let members = self.values.move_shape(game, played).members;
            members.into_iter().for_each(|member| met.entry(member).or_default().push(wire));
        }
        for (&percept, &wire) in network.percepts(role).iter().zip(percepts.iter()) {
            let members = self.values.percept_shape(game, percept).members;
            members.into_iter().for_each(|member| met.entry(member).or_default().push(wire));
        }
        let kept = self.met(gates, &after.bases);
        let forgotten: Vec<Wire> = met
            .into_iter()
            .map(|(member, wires)| {
                let is_met = gates.any(wires);
                gates.and(is_met, !kept.get(&member).copied().unwrap_or(Wire::FALSE))
            })
            .collect();
        let some = gates.any(forgotten);
        let broken = gates.and(some, !after.terminal);
        is_impossible(gates, clauses, broken, is_over)
    }

    /// Whether of each true fluent of a group the value in it has not been met, and there is always another that was not met either and with
    /// which the fluent is false.
    fn are_kept(&self, group: usize, turn: &mut TurnCircuit, is_over: &dyn Fn() -> bool) -> bool {
        let own: Vec<usize> = self.hidden.patterns.of_group(group).collect();
        let single = |&fluent: &usize| <[ClassMember; 1]>::try_from(self.fluents[fluent].clone()).ok();
        let members: Option<Vec<[ClassMember; 1]>> = own.iter().map(single).collect();
        let members = members.unwrap_or_default().concat();
        let Some(&ClassMember { class, .. }) = members.first() else { return false };
        let is_enough = members.iter().all(|member| member.class == class)
            && self.met_at_most(class).saturating_add(self.true_at_most(&own))
                < self.values.class_sizes()[class];
        if !is_enough {
            return false;
        }
        let TurnCircuit { gates, clauses, turn: ToldTurn { before, .. } } = turn;
        let met = self.met(gates, &before.bases);
        let found = own.iter().zip(&members);
        let shown: Vec<Wire> = found
            .map(|(&fluent, member)| {
                gates.and(before.bases[fluent], met.get(member).copied().unwrap_or(Wire::FALSE))
            })
            .collect();
        let broken = gates.any(shown);
        is_impossible(gates, clauses, broken, is_over)
    }

    /// How many values of a class can be in fluents that the role always knows.
    fn met_at_most(&self, class: usize) -> usize {
        let values =
            |fluent: &usize| self.fluents[*fluent].iter().filter(|member| member.class == class).count();
        let of_group = |group: usize| {
            let known = self.hidden.patterns.of_group(group).filter(|&fluent| self.agreed.has(fluent));
            let known: Vec<usize> = known.filter(|fluent| values(fluent) > 0).collect();
            known.iter().map(values).max().unwrap_or(0).saturating_mul(self.true_at_most(&known))
        };
        (0..self.hidden.patterns.names.len()).map(of_group).fold(0, usize::saturating_add)
    }

    /// How many of some fluents can be true at once, as the invariants say.
    fn true_at_most(&self, fluents: &[usize]) -> usize {
        let KnownInvariants { plain, sums } = self.hidden.invariants;
        let said = plain.iter().chain(sums).filter_map(|invariant| invariant.most(fluents));
        said.min().unwrap_or(fluents.len()).min(fluents.len())
    }
}
