//! What a role knows where its information sets are too many: two matches that are the same to it are followed at once.
//!
//! Fluents on which their states agree whatever is played are found by induction: all are taken to, and those are given up on which some turn
//! makes two such states differ though they agreed on all that is left. What follows from these fluents the role always knows.
//!
//! # Sources
//! G. Barthe, P. R. D'Argenio and T. Rezk, "Secure information flow by self-composition", CSFW 2004.

use croupier_engine::{
    RoleId,
    stages::propnet::{Gates, Wire},
};

use crate::{
    agreed::{AgreedFluents, agreed_fluents},
    answer::{Grounds, RuleAnswer, RuleQuestion, RuleVerdict, Searched},
    by_exchange::{Hidden, exchange_answers},
    by_search::settle,
    by_sets::{always_knows, latest_percepts_do},
    circuit::StateWires,
    counting::{differ, same, several},
    graph::StateGraph,
    invariants::KnownInvariants,
    knowledge::Need,
    pairs::{PairCircuit, agreements},
    patterns::FluentPatterns,
    prover::{Proof, Prover, is_impossible},
};

/// What follows about the players from what always holds, as far as it is found before `is_over` says so.
pub(crate) fn pair_answers(
    graph: &StateGraph,
    invariants: &KnownInvariants,
    is_over: &dyn Fn() -> bool,
) -> Vec<RuleAnswer> {
    let (game, tape, known) = (graph.game(), graph.network().tape(), &invariants.plain[..]);
    let mut answers = Vec::new();
    let mut agreed: Vec<AgreedFluents> = Vec::new();
    for &role in graph.players() {
        let name = game.roles().name(role);
        let proved = |question, text| {
            RuleAnswer::new(question, RuleVerdict::Proved, Grounds::Induction, text).of(role)
        };
        let Some(mut circuit) = PairCircuit::of_turn(tape, role, known) else { continue };
        if is_told_moves(&mut circuit, role, is_over) {
            answers.push(proved(RuleQuestion::LatestPercepts, latest_percepts_do(name)));
        }
        let Some(fluents) = agreed_fluents(&mut circuit, is_over) else { continue };
        let needs = known_needs(circuit, role, &fluents, is_over);
        answers
            .extend(needs.into_iter().map(|need| proved(need.question(), always_knows(name, need.words()))));
        agreed.push(AgreedFluents { role, fluents });
    }
    let patterns = FluentPatterns::of(graph);
    answers.extend(known_fluents(graph, &patterns, &agreed));
    answers.extend(exchange_answers(&Hidden { graph, invariants, patterns: &patterns }, &agreed, is_over));
    let open = open_secrets(graph, &patterns, &agreed);
    settle(&mut answers, open);
    answers
}

/// For each player the groups of fluents that it is not found always to know: whether it can be certain of one is open, unless it is settled.
fn open_secrets(graph: &StateGraph, patterns: &FluentPatterns, agreed: &[AgreedFluents]) -> Vec<RuleAnswer> {
    let searched = Searched { states: graph.expanded(), turns: 0, playouts: 0 };
    let mut answers = Vec::new();
    for &role in graph.players() {
        let name = graph.game().roles().name(role);
        let open = |what: &str| {
            let text = format!("whether {name} can be certain of {what} before the end was not worked out");
            RuleAnswer::new(RuleQuestion::NeverLearns, RuleVerdict::Open, Grounds::Search(searched), text)
                .of(role)
        };
        match agreed.iter().find(|agreed| agreed.role == role) {
            None => answers.push(open("what others hide")),
            Some(agreed) => {
                let groups = patterns.names.iter().enumerate();
                let unknown = groups.filter(|(group, _)| !agreed.has_all(patterns, *group));
                answers.extend(
                    unknown.map(|(_, pattern)| open(&format!("one of {pattern}")).about(pattern.clone())),
                );
            }
        }
    }
    answers
}

/// What a role always knows of what it needs, where states that it cannot tell apart agree on these fluents.
fn known_needs(
    circuit: PairCircuit,
    role: RoleId,
    fluents: &[usize],
    is_over: &dyn Fn() -> bool,
) -> Vec<Need> {
    // The first state is one, and every other comes after a turn.
    let PairCircuit { mut gates, mut clauses, before, after } = circuit;
    let gates = &mut gates;
    let agreed = agreements(gates, &before);
    clauses.extend(fluents.iter().map(|&fluent| vec![agreed[fluent]]));
    let agreed_after = agreements(gates, &after);
    let differences: Vec<Wire> = agreed_after.into_iter().map(|agreement| !agreement).collect();
    // In the same state everything is the same, which a solver sees only after long.
    clauses.push(differences.clone());
    let doubts: Vec<Wire> = Need::ALL.iter().map(|&need| doubt(gates, &after, role, need)).collect();
    let wires = [&doubts[..], &differences].concat();
    // Where no turn leads to different states nothing is left to know.
    let Some(mut prover) = Prover::new(gates, &clauses, &wires) else { return Need::ALL.to_vec() };
    let mut is_known = |place: &usize| {
        let doubt = prover.literal(*place);
        let found = prover.ask(&[doubt], is_over);
        // If it is hard to see, each difference is looked at alone.
        let mut places = (0..differences.len()).filter(|fluent| fluents.binary_search(fluent).is_err());
        let mut is_impossible = |fluent: usize| {
            let difference = prover.literal(doubts.len() + fluent);
            !is_over() && prover.ask(&[doubt, difference], is_over) == Proof::Impossible
        };
        found == Proof::Impossible || found == Proof::Unknown && places.all(&mut is_impossible)
    };
    (0..doubts.len()).filter(|place| is_known(place)).map(|place| Need::ALL[place]).collect()
}

/// The wire that says that two states differ in what a role needs to know.
fn doubt(gates: &mut Gates, [one, other]: &[StateWires; 2], role: RoleId, need: Need) -> Wire {
    let role = role.index();
    match need {
        Need::Moves => {
            let is_same = same(gates, &one.legal[role], &other.legal[role]);
            let go_on = gates.and(!one.terminal, !other.terminal);
            gates.and(go_on, !is_same)
        }
        Need::Choice => {
            let [one_has, other_has] = [one, other].map(|state| several(gates, &state.legal[role]));
            let differs = differ(gates, one_has, other_has);
            let go_on = gates.and(!one.terminal, !other.terminal);
            gates.and(go_on, differs)
        }
        Need::End => differ(gates, one.terminal, other.terminal),
        Need::Goal => {
            let is_same = same(gates, &one.goals[role], &other.goals[role]);
            let are_over = gates.and(one.terminal, other.terminal);
            gates.and(are_over, !is_same)
        }
    }
}

/// Whether after any turn its own move and percepts tell a role its legal moves, whatever went before.
fn is_told_moves(circuit: &mut PairCircuit, role: RoleId, is_over: &dyn Fn() -> bool) -> bool {
    let doubt = doubt(&mut circuit.gates, &circuit.after, role, Need::Moves);
    is_impossible(&circuit.gates, &circuit.clauses, doubt, is_over)
}

/// Groups of fluents that some player always knows, and not every player, as far as is found.
fn known_fluents(graph: &StateGraph, patterns: &FluentPatterns, agreed: &[AgreedFluents]) -> Vec<RuleAnswer> {
    let mut answers = Vec::new();
    for (group, pattern) in patterns.names.iter().enumerate() {
        let knowing: Vec<&AgreedFluents> =
            agreed.iter().filter(|agreed| agreed.has_all(patterns, group)).collect();
        if knowing.len() == graph.players().len() {
            continue;
        }
        answers.extend(knowing.into_iter().map(|agreed| {
            let text = always_knows(graph.game().roles().name(agreed.role), pattern);
            RuleAnswer::new(RuleQuestion::AlwaysKnows, RuleVerdict::Proved, Grounds::Induction, text)
                .of(agreed.role)
                .about(pattern.clone())
        }));
    }
    answers
}
