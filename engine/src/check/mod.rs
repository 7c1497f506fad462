//! Checks whether a program is a game: one file per check, one table of severities, one entry point.
//!
//! Only [`check`] creates [`CheckedRules`], and all later stages rely on what the
//! checks establish: safety, stratification, and correct use of keywords.
//!
//! If there is a cycle through negation on the level of relations, the dependency graph is split by the constants in
//! heads; rules that are stratified after the split are played, with a warning. An unbound variable whose position
//! determines its domain gets the missing condition (`unbound.rs`): an error in the strict reading, otherwise a warning.
//! Each check adds findings; `table.rs` assigns their severity in the strict or the compatible reading.

mod arity;
mod conditions;
mod declarations;
mod definitions;
mod dependencies;
mod effort;
mod explanation;
mod fluents;
mod goals;
mod growth;
mod keywords;
mod names;
mod near;
mod order;
mod places;
mod real_time;
mod recursion;
mod roles;
mod safety;
mod shapes;
mod spelling;
mod stratification;
mod subject;
mod table;
mod unbound;
mod values;
mod variables;

use effort::Effort;
use near::Near;
use subject::Subject;

pub use explanation::Explanation;
pub use shapes::{Misfit, Shape, Shapes, TermKind};
pub use table::{CODES, Code, Finder, find, severity};

use std::sync::Arc;

use crate::{
    diagnostic::{Diagnostic, Severity, Strictness, has_errors},
    limits::Limits,
    rules::{
        DependencyGraph, Normalised, Program, Timed, normalise, shows_every_move, with_full_sight,
        with_lifetimes, without_anonymous,
    },
    syntax::{self, Description, Reading, Syntax},
};

/// Rules that passed every check: only [`check`] and [`check_text`] make them.
///
/// They are what games of both kinds are compiled from, so that a text is parsed once ([`Game::of_rules`](crate::Game::of_rules),
/// [`RealTimeGame::of_rules`](crate::realtime::RealTimeGame::of_rules)).
#[derive(Clone, Debug)]
pub struct CheckedRules {
    written: Arc<Reading>,
    program: Program,
    graph: DependencyGraph,
    has_full_sight: bool,
    shows_every_move: bool,
    is_real_time: bool,
    has_growing_terms: bool,
    strictness: Strictness,
}

impl CheckedRules {
    /// The rules as they were written, before anything was added or left out, and what the parser found in them.
    #[must_use]
    pub fn written(&self) -> &Reading {
        &self.written
    }

    /// The rules in normal form, those of full sight included.
    #[must_use]
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// Which predicate is computed from which.
    #[must_use]
    pub fn graph(&self) -> &DependencyGraph {
        &self.graph
    }

    /// Whether the text has no `sees` and everybody is taken to see every move.
    #[must_use]
    pub fn has_full_sight(&self) -> bool {
        self.has_full_sight
    }

    /// Whether everybody sees every move, by the one rule that full sight stands for, be it added or in the text.
    #[must_use]
    pub fn shows_every_move(&self) -> bool {
        self.shows_every_move
    }

    /// Whether fluents have lifetimes: then the program's fluents contain their lifetimes.
    #[must_use]
    pub fn is_real_time(&self) -> bool {
        self.is_real_time
    }

    /// Rules made from these that need no checks, since they say the same without lifetimes.
    pub(crate) fn with_program(&self, program: Program) -> Self {
        let graph = stratification::graph(&program);
        Self { program, graph, is_real_time: false, ..self.clone() }
    }

    /// Whether some rule may build ever larger terms, so that there may be endlessly many instances of rules.
    pub(crate) fn has_growing_terms(&self) -> bool {
        self.has_growing_terms
    }

    /// How the text was judged.
    #[must_use]
    pub fn strictness(&self) -> Strictness {
        self.strictness
    }
}

/// The codes of findings that something is missing: it may be in a clause that could not be parsed.
const ABSENCES: [&str; 18] = [
    "impossible-rule",
    "impossible-value",
    "missing-keyword",
    "no-role",
    "not-a-role",
    "random-without-sees",
    "role-without-goal",
    "role-without-moves",
    "role-without-percepts",
    "undeclared-fluent",
    "undeclared-move",
    "undeclared-percept",
    "undefined-fluent",
    "undefined-move",
    "undefined-relation",
    "unreachable-relation",
    "unused-fluent",
    "unused-relation",
];

/// The codes that say that terms may grow without end.
const GROWTH: [&str; 2] = ["unbounded-growth", "unbounded-recursion"];

/// Reads and checks a rules text: the rules if nothing is an error, and every finding in file order.
///
/// ```
/// use croupier_engine::{Limits, Strictness, stages::check::check_text};
///
/// let rules = "(role me) (init begun) (legal me wait) (<= terminal (not (true begun))) (<= (goal me ?worth) (not (true begun)))";
/// let (checked, findings) = check_text(rules, Strictness::Compatible, &Limits::STANDARD);
/// assert!(checked.is_none());
/// let unsafe_rule = findings.iter().find(|finding| finding.code == "unsafe-variable").ok_or("nothing binds it")?;
/// assert_eq!(&rules[unsafe_rule.span.range()], "?worth");
/// # Ok::<(), &str>(())
/// ```
#[must_use]
pub fn check_text(text: &str, strictness: Strictness, limits: &Limits) -> Checked {
    let never = &mut || false;
    check_text_until(text, strictness, limits, never).unwrap_or_else(|_| unreachable!("it never stops"))
}

/// A check was stopped before it had an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped;

/// The rules if nothing is an error, and every finding in file order.
pub type Checked = (Option<Arc<CheckedRules>>, Vec<Diagnostic>);

/// The same as [`check_text`], until `is_over` returns true; it is called once for every rule and check that takes long.
///
/// # Errors
/// [`Stopped`] if `is_over` returned true.
pub fn check_text_until(
    text: &str,
    strictness: Strictness,
    limits: &Limits,
    is_over: &mut dyn FnMut() -> bool,
) -> Result<Checked, Stopped> {
    let effort = Effort::until(is_over);
    let written = ParsedText { reading: syntax::read(text, Syntax::Auto, limits), text: Some(text) };
    check_written(written, strictness, limits, &effort)
}

/// Checks a description: the rules if nothing is an error, and every finding in file order.
///
/// Findings about the spelling of names come only from [`check_text`].
#[must_use]
pub fn check(description: Description, strictness: Strictness, limits: &Limits) -> Checked {
    let reading = Reading { syntax: Syntax::Prefix, description, diagnostics: Vec::new() };
    let (never, written) = (&mut || false, ParsedText { reading, text: None });
    let checked = check_written(written, strictness, limits, &Effort::until(never));
    checked.unwrap_or_else(|_| unreachable!("it never stops"))
}

/// What was parsed, and from which text.
struct ParsedText<'t> {
    reading: Reading,
    text: Option<&'t str>,
}

fn check_written(
    written: ParsedText<'_>,
    strictness: Strictness,
    limits: &Limits,
    effort: &Effort<'_>,
) -> Result<Checked, Stopped> {
    let ParsedText { reading: Reading { syntax, description, diagnostics: parsed }, text } = written;
    effort.go_on()?;
    let Timed { description, written, diagnostics: found } = with_lifetimes(description);
    let is_real_time = written.is_some();
    let diagnostics = parsed.iter().cloned().chain(found).collect();
    let (mut description, has_full_sight) = with_full_sight(description);
    let options = CheckOptions { text, has_full_sight, is_real_time, strictness, limits };
    let (normal, found) = options.check_leniently(&description, diagnostics, effort)?;
    let Some(NormalForm { program, graph, shows_every_move, has_growing_terms }) = normal else {
        return Ok((None, found));
    };
    if has_full_sight {
        // The rule that was added stands at the end.
        description.clauses.pop();
    }
    let description = written.unwrap_or(description);
    let written = Arc::new(Reading { syntax, description, diagnostics: parsed });
    let rules = CheckedRules {
        written,
        program,
        graph,
        has_full_sight,
        shows_every_move,
        is_real_time,
        has_growing_terms,
        strictness,
    };
    Ok((Some(Arc::new(rules)), found))
}

/// Rules in normal form, and what follows from them alone.
struct NormalForm {
    program: Program,
    graph: DependencyGraph,
    shows_every_move: bool,
    has_growing_terms: bool,
}

/// Rules in normal form if nothing is an error, and every finding.
type Inspected = (Option<NormalForm>, Vec<Diagnostic>);

fn is_same(one: &Diagnostic, other: &Diagnostic) -> bool {
    one.code == other.code && one.span == other.span
}

fn is_same_error(one: &Diagnostic, other: &Diagnostic) -> bool {
    other.severity == Severity::Error && is_same(one, other)
}

/// How a description is judged.
#[derive(Clone, Copy)]
struct CheckOptions<'t> {
    text: Option<&'t str>,
    has_full_sight: bool,
    is_real_time: bool,
    strictness: Strictness,
    limits: &'t Limits,
}

impl CheckOptions<'_> {
    /// The rules if nothing is an error, if need be without declarations that are faulty, and every finding.
    fn check_leniently(
        self,
        description: &Description,
        mut diagnostics: Vec<Diagnostic>,
        effort: &Effort<'_>,
    ) -> Result<Inspected, Stopped> {
        let (normal, found) = self.check(description, diagnostics.clone(), effort)?;
        if normal.is_some() || self.strictness == Strictness::Strict {
            return Ok((normal, found));
        }
        let words = declarations::faulty(description, &found);
        if words.is_empty() {
            return Ok((normal, found));
        }
        diagnostics.retain(|diagnostic| !found.iter().any(|other| is_same_error(diagnostic, other)));
        let kept = declarations::without(description.clone(), &words);
        let (normal, left) = self.check(&kept, diagnostics, effort)?;
        // What only a declaration uses is not missed when it is left out.
        let is_new = |other: &Diagnostic| found.iter().all(|known| !is_same(known, other));
        let left = left.into_iter().filter(|other| !(ABSENCES.contains(&other.code) && is_new(other)));
        let errors = found.iter().filter(|found| found.severity == Severity::Error).cloned();
        let mut all: Vec<Diagnostic> =
            left.chain(errors.map(|error| declarations::excused(error, &words))).collect();
        all.sort();
        Ok((normal, all))
    }

    /// The rules if nothing is an error, and every finding, those that were there already included.
    fn check(
        self,
        description: &Description,
        mut diagnostics: Vec<Diagnostic>,
        effort: &Effort<'_>,
    ) -> Result<Inspected, Stopped> {
        let Self { text, has_full_sight, is_real_time, strictness, limits } = self;
        let projected = without_anonymous(description);
        let Normalised { mut program, diagnostics: found, is_kept } =
            normalise(projected.as_ref().map_or(description, |(changed, _)| changed), limits);
        diagnostics.extend(found.into_iter().chain(projected.into_iter().flat_map(|(_, found)| found)));
        let moderate = self.moderate(description, &is_kept);
        let description = moderate.as_ref().unwrap_or(description);
        effort.go_on()?;
        let ranged = unbound::bind(&mut program, effort)?;
        judge(&mut diagnostics, strictness);
        let is_whole = !diagnostics.iter().any(|found| has_hole(found.code));
        let graph = stratification::graph(&program);
        effort.go_on()?;
        let mut subject = Subject::new(text, description, &program, &graph, has_full_sight);
        subject.is_real_time = is_real_time;
        let mut found = findings(&subject, effort)?;
        unbound::check(&subject, &ranged, &mut found);
        if !is_whole {
            found.retain(|found| !ABSENCES.contains(&found.code));
        }
        diagnostics.extend(found);
        judge(&mut diagnostics, strictness);
        let is_sound = !has_errors(&diagnostics);
        let has_growing_terms = diagnostics.iter().any(|found| GROWTH.contains(&found.code));
        let shows_every_move = shows_every_move(description);
        let normal = NormalForm { program, graph, shows_every_move, has_growing_terms };
        Ok((is_sound.then_some(normal), diagnostics))
    }

    /// The description without clauses that are too large, if there are any: nothing is said, and no time is spent, on them.
    fn moderate(self, description: &Description, is_kept: &[bool]) -> Option<Description> {
        let written = description.clauses.len() - usize::from(self.has_full_sight);
        if is_kept.iter().take(written).all(|&is_kept| is_kept) {
            return None;
        }
        let (mut moderate, mut place) = (description.clone(), 0..);
        moderate.clauses.retain(|_| place.next().is_none_or(|place| place >= written || is_kept[place]));
        Some(moderate)
    }
}

/// The codes of findings that keep a match from beginning or from having a result, although rules with them are read.
const UNPLAYABLE: [&str; 3] = ["missing-keyword", "role-without-goal", "role-without-moves"];

/// The first finding that keeps rules from being played: an error, or what they need and do not have. What only play shows
/// is not among them.
#[must_use]
pub fn obstacle(diagnostics: &[Diagnostic]) -> Option<&Diagnostic> {
    let is_error = |found: &&Diagnostic| found.severity == Severity::Error;
    let is_lack = |found: &&Diagnostic| UNPLAYABLE.contains(&found.code);
    diagnostics.iter().find(is_error).or_else(|| diagnostics.iter().find(is_lack))
}

/// Whether a finding of the reader means that a clause is missing: every strict error but the rewritings.
fn has_hole(code: &str) -> bool {
    severity(code, Strictness::Compatible) == Severity::Error
}

/// The findings of every check, in no particular order.
fn findings(subject: &Subject<'_>, effort: &Effort<'_>) -> Result<Vec<Diagnostic>, Stopped> {
    let (program, graph) = (subject.program, subject.graph);
    let mut near = Near::new();
    let mut found = Vec::new();
    safety::check(subject, &mut near, effort, &mut found);
    effort.go_on()?;
    order::check(subject, &mut found);
    effort.go_on()?;
    variables::check(subject, &mut found);
    stratification::check(program, graph, &mut found);
    effort.go_on()?;
    recursion::check(subject, effort, &mut found);
    growth::check(subject, effort, &mut found);
    effort.go_on()?;
    keywords::check(subject, &mut found);
    dependencies::check(subject, &mut found);
    effort.go_on()?;
    roles::check(subject, &mut near, &mut found);
    arity::check(subject, &mut found);
    names::check(subject, &mut found);
    effort.go_on()?;
    spelling::check(subject, &mut found);
    definitions::check(subject, &mut near, &mut found);
    effort.go_on()?;
    fluents::check(subject, &mut near, &mut found);
    values::check(subject, &mut near, &mut found);
    goals::check(subject, &mut found);
    conditions::check(subject, &mut found);
    real_time::check(subject, &mut found);
    effort.go_on()?;
    Ok(found)
}

/// Gives each finding the weight that the table says, sorts them, and drops repetitions.
fn judge(diagnostics: &mut Vec<Diagnostic>, strictness: Strictness) {
    for found in &mut *diagnostics {
        found.severity = severity(found.code, strictness);
    }
    diagnostics.sort();
    diagnostics.dedup();
}

/// A finding whose severity is not set yet.
fn finding(code: &'static str, span: crate::Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(code, Severity::Error, span, message)
}

#[cfg(test)]
mod tests;
