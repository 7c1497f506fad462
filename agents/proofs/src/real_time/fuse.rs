//! A lifetime that every match runs into, as the rules say it: a fluent of the first state that is always kept, and with which the match is over.

use croupier_engine::{
    realtime::{RealTimeGame, seconds},
    stages::syntax::{Clause, Formula, Term, TermKind, print_term},
};

use super::question::{TimedAnswer, TimedGrounds, TimedQuestion};
use crate::answer::RuleVerdict;

/// What follows from such a fluent where states are too many: something can always happen; and without chance, which may move for ever at one
/// instant, every match ends.
pub(super) fn fuse_answers(game: &RealTimeGame) -> Vec<TimedAnswer> {
    // Rules that read times may give a fluent a lifetime that is none.
    let Some(fuse) = shortest(game).filter(|_| game.network().is_some()) else { return Vec::new() };
    let Fuse { fluent, micros } = fuse;
    let proved = |question, text| TimedAnswer::new(question, RuleVerdict::Proved, TimedGrounds::Rules, text);
    let mut answers = vec![proved(
        TimedQuestion::Playable,
        format!("something expires until the match is over: {fluent}, at the latest"),
    )];
    if game.roles().random().is_none() {
        let text = format!("every match ends, within {} s: {fluent} runs all the time", seconds(micros));
        answers.push(TimedAnswer { bound_us: Some(micros), ..proved(TimedQuestion::Terminates, text) });
    }
    answers
}

/// A fluent with which every match is over, and when.
struct Fuse {
    fluent: String,
    micros: u64,
}

fn shortest(game: &RealTimeGame) -> Option<Fuse> {
    let clauses = &game.rules().written().description.clauses;
    let state = game.initial_state();
    let lifetimes = state.facts().filter_map(|(fluent, lifetime)| {
        Some(Fuse { fluent: game.fluent_text(fluent).to_string(), micros: lifetime.micros()? })
    });
    let is_fuse = |fuse: &Fuse| {
        let keeps = clauses.iter().any(|clause| is_kept(clause, &fuse.fluent));
        keeps && clauses.iter().any(|clause| ends(clause, &fuse.fluent))
    };
    lifetimes.filter(is_fuse).min_by_key(|fuse| fuse.micros)
}

/// The arguments of the only condition of a rule, if that has this name.
fn only_condition<'c>(clause: &'c Clause, name: &str) -> Option<&'c [Term]> {
    match &clause.body[..] {
        [Formula::Atom(atom)] if atom.name() == Some(name) => Some(atom.arguments()),
        _ => None,
    }
}

/// Whether a rule keeps a fluent whatever happens: `(<= (next ?t fluent) (true ?t fluent))`.
fn is_kept(clause: &Clause, fluent: &str) -> bool {
    let Some([condition, kept]) = only_condition(clause, "true") else { return false };
    let [lifetime, next] = clause.head.arguments() else { return false };
    let is_same_variable = matches!(
        (&lifetime.kind, &condition.kind),
        (TermKind::Variable(one), TermKind::Variable(other)) if one == other
    );
    let is_next = clause.head.name() == Some("next");
    is_next && is_same_variable && print_term(next) == fluent && print_term(kept) == fluent
}

/// Whether a rule says that the match is over when a fluent expires, whatever else holds.
fn ends(clause: &Clause, fluent: &str) -> bool {
    let expired = only_condition(clause, "expired");
    let is_end = clause.head.name() == Some("terminal") && clause.head.arguments().is_empty();
    is_end && expired.is_some_and(|expired| matches!(expired, [one] if print_term(one) == fluent))
}
