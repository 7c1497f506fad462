//! Real-time rules (rtGDL) as rules of the ordinary shape: a lifetime becomes a part of its fluent.
//!
//! `true(T, f)` is read as `true` of the fluent *f for T*, and `expired(f)` as `true` of the fluent *f, expired*. So a
//! state is a set of ordinary fluents, and checks and reasoner are those of turn-based games.
//!
//! # Sources
//! J. Kowalski and A. Kisielewicz, "Towards a Real-time Game Description Language", ICAART 2016, section 2.

use std::collections::BTreeSet;

use super::{Atom, Keyword, Program};
use crate::{
    diagnostic::{Diagnostic, Severity, Span},
    id::SymbolId,
    lifetime::{INFINITY, Lifetime, LifetimeError, canonical_decimal},
    syntax::{Clause, Description, Formula, Term, TermKind, print_term},
};

/// The function that joins a lifetime and its fluent. No text can write a name with a blank.
pub(crate) const LASTING: &str = "lasting fluent";

/// The function that marks a fluent whose lifetime has ended.
pub(crate) const EXPIRED: &str = "expired fluent";

/// The keyword for what has expired.
const EXPIRED_WORD: &str = "expired";

/// A description after its lifetimes were looked for.
pub(crate) struct Timed {
    /// Ordinary rules.
    pub(crate) description: Description,
    /// The same as it was written, if it was one of real time.
    pub(crate) written: Option<Description>,
    /// Problems with lifetimes.
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// Whether a text is one of real time: a condition asks what has `expired`, and no rule defines that, or `init`, `true` and
/// `next` have two arguments at least as often as one. Whether any lifetime is well formed does not matter.
#[must_use]
pub fn is_real_time(description: &Description) -> bool {
    let mut with = 0_usize;
    let mut without = 0_usize;
    let mut constants = Vec::new();
    for clause in &description.clauses {
        for_each_atom(clause, &mut |atom| match (is_timed_word(atom), atom.arguments()) {
            (true, [first, second]) => match &first.kind {
                TermKind::Variable(_) => with += 1,
                TermKind::Constant(name) => constants.push(name.as_str()),
                // Two arguments in the wrong order.
                TermKind::Compound(..) => with += usize::from(can_be_time(second)),
            },
            (true, [_]) => without += 1,
            _ => {}
        });
    }
    with += constants.len();
    if with > 0 && with >= without && !constants.is_empty() {
        // `(true cell 1)` beside `(init (cell 1))` lacks its parentheses.
        let functions = functions(description);
        with -= constants.iter().filter(|name| functions.contains(*name)).count();
    }
    with > 0 && with >= without || asks_for_expiries(description)
}

/// Whether a term is probably meant as a time, correct or not.
fn can_be_time(term: &Term) -> bool {
    match &term.kind {
        TermKind::Variable(_) => true,
        TermKind::Constant(name) => is_time(name),
        TermKind::Compound(..) => false,
    }
}

fn is_time(name: &str) -> bool {
    name == INFINITY || canonical_decimal(name).is_some()
}

/// Whether a condition asks for `expired`, which is no relation of the text's own.
fn asks_for_expiries(description: &Description) -> bool {
    let is_expiry = |atom: &Term| atom.name() == Some(EXPIRED_WORD);
    let mut is_asked = false;
    for clause in &description.clauses {
        if is_expiry(&clause.head) {
            return false;
        }
        for formula in &clause.body {
            formula.for_each_atom(&mut |atom| is_asked |= is_expiry(atom) && atom.arguments().len() == 1);
        }
    }
    is_asked
}

/// The names that have arguments inside atoms.
fn functions(description: &Description) -> BTreeSet<&str> {
    fn add<'d>(term: &'d Term, functions: &mut BTreeSet<&'d str>) {
        if let TermKind::Compound(name, arguments) = &term.kind {
            functions.insert(name);
            arguments.iter().for_each(|argument| add(argument, functions));
        }
    }
    let mut functions = BTreeSet::new();
    for clause in &description.clauses {
        for_each_atom(clause, &mut |atom| {
            atom.arguments().iter().for_each(|argument| add(argument, &mut functions));
        });
    }
    functions
}

/// The rules with lifetimes in their fluents; a turn-based text as it is.
pub(crate) fn with_lifetimes(mut description: Description) -> Timed {
    let is_real_time = is_real_time(&description);
    let mut reader = LifetimeReader { diagnostics: Vec::new(), first: None };
    let written = is_real_time.then(|| description.clone());
    if is_real_time {
        reader.first = first_timed(&description);
        for clause in &mut description.clauses {
            reader.head(&mut clause.head);
            clause.body.iter_mut().for_each(|formula| reader.formula(formula));
        }
    }
    Timed { description, written, diagnostics: reader.diagnostics }
}

/// A term with every decimal in it written in the shortest way, as real-time rules have it.
pub(crate) fn with_canonical_decimals(term: &mut Term) {
    match &mut term.kind {
        TermKind::Variable(_) => {}
        TermKind::Constant(name) => {
            if let Some(canonical) = canonical_decimal(name).filter(|canonical| canonical != name) {
                *name = canonical.into_owned();
            }
        }
        TermKind::Compound(_, arguments) => arguments.iter_mut().for_each(with_canonical_decimals),
    }
}

/// The functions of lifetimes and expiries in the rules of a program, to see the fluents in them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TimeMarks {
    lasting: Option<SymbolId>,
    expired: Option<SymbolId>,
}

impl TimeMarks {
    pub(crate) fn of(program: &Program) -> Self {
        Self { lasting: program.symbols.get(LASTING), expired: program.symbols.get(EXPIRED) }
    }

    /// The lifetime, if there is one, and the fluent of an `init`, `true` or `next`.
    pub(crate) fn parts<'t>(&self, term: &'t super::Term) -> (Option<&'t super::Term>, &'t super::Term) {
        match term {
            super::Term::Compound(mark, parts) => match parts.as_slice() {
                [lifetime, fluent] if Some(*mark) == self.lasting => (Some(lifetime), fluent),
                [fluent] if Some(*mark) == self.expired => (None, fluent),
                _ => (None, term),
            },
            _ => (None, term),
        }
    }

    /// The lifetime of an atom of `init`, `true` or `next`.
    pub(crate) fn lifetime<'a>(&self, atom: &'a Atom) -> Option<&'a super::Term> {
        atom.arguments.first().and_then(|argument| self.parts(argument).0)
    }

    /// Whether an atom is an `expired`.
    pub(crate) fn is_expiry(&self, atom: &Atom) -> bool {
        let mark = match atom.arguments.first() {
            Some(super::Term::Compound(mark, _)) => Some(*mark),
            _ => None,
        };
        mark.is_some() && mark == self.expired
    }

    /// The word that a text has for the relation of an atom.
    pub(crate) fn word<'p>(&self, program: &'p Program, atom: &Atom) -> &'p str {
        if self.is_expiry(atom) { EXPIRED_WORD } else { program.name(atom.predicate) }
    }
}

/// The word that a text has for the relation of an atom as it was read.
pub(crate) fn written_word(atom: &Term) -> &str {
    match atom.arguments().first().and_then(Term::name) {
        Some(EXPIRED) => EXPIRED_WORD,
        _ => atom.name().unwrap_or_default(),
    }
}

fn is_timed_word(atom: &Term) -> bool {
    [Keyword::Init, Keyword::True, Keyword::Next].into_iter().any(|word| atom.name() == Some(word.name()))
}

fn first_timed(description: &Description) -> Option<Span> {
    let mut first: Option<Span> = None;
    for clause in &description.clauses {
        for_each_atom(clause, &mut |atom| {
            if is_timed_word(atom) && atom.arguments().len() == 2 && first.is_none() {
                first = Some(atom.span);
            }
        });
    }
    first
}

fn for_each_atom<'d>(clause: &'d Clause, visit: &mut impl FnMut(&'d Term)) {
    visit(&clause.head);
    clause.body.iter().for_each(|formula| formula.for_each_atom(visit));
}

struct LifetimeReader {
    diagnostics: Vec<Diagnostic>,
    /// The first atom with a lifetime.
    first: Option<Span>,
}

impl LifetimeReader {
    fn report(&mut self, code: &'static str, span: Span, message: String) -> &mut Diagnostic {
        self.diagnostics.push(Diagnostic::new(code, Severity::Error, span, message));
        self.diagnostics.last_mut().expect("just pushed")
    }

    fn formula(&mut self, formula: &mut Formula) {
        match formula {
            Formula::Atom(atom) => self.atom(atom),
            Formula::Distinct(_, left, right) => {
                with_canonical_decimals(left);
                with_canonical_decimals(right);
            }
            Formula::Not(_, inner) => self.formula(inner),
            Formula::And(_, parts) | Formula::Or(_, parts) => {
                parts.iter_mut().for_each(|part| self.formula(part));
            }
        }
    }

    fn head(&mut self, head: &mut Term) {
        if head.name() == Some(EXPIRED_WORD) {
            let message =
                "`expired` describes the fluents that have just expired; rules can only define `next`"
                    .to_owned();
            self.report("keyword-in-head", head.span, message).help = Some("write `next`".to_owned());
        } else {
            self.atom(head);
        }
    }

    fn atom(&mut self, atom: &mut Term) {
        // As it is written, for what is said of it.
        if let (true, [lifetime, fluent]) = (is_timed_word(atom), atom.arguments())
            && self.check_lifetime(atom, lifetime, fluent)
            && let TermKind::Compound(_, arguments) = &mut atom.kind
        {
            arguments.swap(0, 1);
        }
        with_canonical_decimals(atom);
        if atom.name() == Some(EXPIRED_WORD) {
            self.expired(atom);
        } else if is_timed_word(atom) {
            self.timed(atom);
        }
    }

    fn expired(&mut self, atom: &mut Term) {
        let count = atom.arguments().len();
        if count != 1 {
            let message = format!("`expired` takes 1 argument, not {count}");
            self.report("keyword-arity", atom.span, message).help = Some("write (expired FLUENT)".to_owned());
            return;
        }
        let TermKind::Compound(_, arguments) = &mut atom.kind else { return };
        let fluent = wrapped(EXPIRED, std::mem::take(arguments));
        atom.kind = TermKind::Compound(Keyword::True.name().to_owned(), vec![fluent]);
    }

    fn timed(&mut self, atom: &mut Term) {
        let (name, span) = (atom.name().unwrap_or_default().to_owned(), atom.span);
        let TermKind::Compound(_, arguments) = &mut atom.kind else { return };
        match arguments.len() {
            1 => {
                let first = self.first;
                let message = match first {
                    Some(_) => format!("`{name}` has no lifetime here, but has lifetimes elsewhere"),
                    None => format!("`{name}` has no lifetime, but rules with `expired` are in real time"),
                };
                let found = self.report("mixed-time", span, message);
                found.help = Some(format!(
                    "write ({name} LIFETIME FLUENT), with `infinity` for a fluent that does not expire"
                ));
                found.notes.extend(first.map(|first| (first, "a lifetime".to_owned())));
                let forever = Term { span, kind: TermKind::Constant(INFINITY.to_owned()) };
                arguments.insert(0, forever);
            }
            2 => {}
            _ => return,
        }
        *arguments = vec![wrapped(LASTING, std::mem::take(arguments))];
    }

    /// Reports what is wrong with a lifetime; whether it stands behind its fluent.
    fn check_lifetime(&mut self, atom: &Term, lifetime: &Term, fluent: &Term) -> bool {
        let (problem, written) = match &lifetime.kind {
            TermKind::Variable(_) => return false,
            TermKind::Constant(name) => match name.parse::<Lifetime>() {
                Ok(_) => return false,
                Err(problem) => (problem, name),
            },
            TermKind::Compound(name, _) => (LifetimeError::NotANumber, name),
        };
        let is_behind =
            problem == LifetimeError::NotANumber && meant(written).is_none() && can_be_time(fluent);
        let word = atom.name().unwrap_or_default();
        let message = match is_behind {
            true => format!("the lifetime of `{word}` comes before the fluent"),
            false => format!("`{written}` is not a lifetime: {problem}"),
        };
        let help = match meant(written) {
            Some(meant) => format!("did you mean {meant}? A lifetime is a decimal of seconds, or `infinity`"),
            None if is_behind => {
                format!("write ({word} {} {})", print_term(fluent), print_term(lifetime))
            }
            None => {
                let help = "write seconds as a decimal, such as 1.5, or `infinity`; the lifetime comes before the fluent";
                match &lifetime.kind {
                    // A fluent without its parentheses looks the same.
                    TermKind::Constant(name) if problem == LifetimeError::NotANumber => {
                        let fluent = print_term(fluent);
                        format!("{help}. Without real time a fluent is one term: ({word} ({name} {fluent}))")
                    }
                    _ => help.to_owned(),
                }
            }
        };
        self.report("lifetime", lifetime.span, message).help = Some(help);
        is_behind
    }
}

/// What are no numbers of GDL, and what other languages make of them.
fn meant(written: &str) -> Option<String> {
    const ENDLESS: [&str; 7] = ["inf", "infinite", "forever", "always", "endless", "unlimited", "∞"];
    const UNITS: [(&str, f64); 9] = [
        ("ms", 0.001),
        ("milliseconds", 0.001),
        ("seconds", 1.0),
        ("secs", 1.0),
        ("sec", 1.0),
        ("s", 1.0),
        ("min", 60.0),
        ("m", 60.0),
        ("h", 3600.0),
    ];
    if ENDLESS.contains(&written.trim_start_matches('+')) {
        return Some(INFINITY.to_owned());
    }
    if is_time(written) {
        return None;
    }
    let (digits, seconds) = UNITS
        .iter()
        .find_map(|(unit, seconds)| Some((written.strip_suffix(unit)?, *seconds)))
        .unwrap_or((written, 1.0));
    let digits = digits.replace(',', ".").replace('_', "");
    let is_number = |c: char| c.is_ascii_digit() || matches!(c, '.' | 'e' | '+' | '-');
    if !digits.contains(|c: char| c.is_ascii_digit()) || !digits.chars().all(is_number) {
        return None;
    }
    let number = digits.parse::<f64>().ok()? * seconds;
    let written = format!("{number:.6}");
    written.parse::<Lifetime>().ok().map(|lifetime| lifetime.to_string())
}

fn wrapped(function: &str, arguments: Vec<Term>) -> Term {
    let span = arguments
        .first()
        .zip(arguments.last())
        .map_or(Span::new(0, 0), |(first, last)| first.span.to(last.span));
    Term { span, kind: TermKind::Compound(function.to_owned(), arguments) }
}
