//! Description to program: names interned, formulas in disjunctive normal form.

use super::program::{Atom, Literal, Program, Rule, Term};
use crate::{
    diagnostic::{Diagnostic, Severity, Span},
    limits::Limits,
    syntax::{self, Clause, Description, Formula, TermKind},
};

/// A program, the findings about rewritten or too large parts, and the clauses that were left out.
#[derive(Debug)]
pub struct Normalised {
    /// The rules within the limits.
    pub program: Program,
    /// The findings.
    pub diagnostics: Vec<Diagnostic>,
    /// By clause, whether it is in the program: a clause beyond a limit is reported and left out.
    pub is_kept: Vec<bool>,
}

/// The program of a description.
#[must_use]
pub fn normalise(description: &Description, limits: &Limits) -> Normalised {
    let mut normaliser = Normaliser {
        program: Program::default(),
        limits,
        diagnostics: Vec::new(),
        roles: 0,
        literals_left: Some(limits.alternatives),
        relation: String::new(),
    };
    let mut is_kept = vec![false; description.clauses.len()];
    for (clause, is_kept) in description.clauses.iter().zip(&mut is_kept) {
        let told = normaliser.diagnostics.len();
        normaliser.clause(clause);
        let is_full = normaliser.fill(clause);
        *is_kept = normaliser.diagnostics[told..].iter().all(|found| found.code != "limit");
        if is_full {
            break;
        }
    }
    let Normaliser { program, diagnostics, .. } = normaliser;
    Normalised { program, diagnostics, is_kept }
}

/// A literal of the syntax: an atom or comparison under at most one negation.
#[derive(Clone, Copy)]
enum SyntaxLiteral<'d> {
    Atom { atom: &'d syntax::Term, is_positive: bool },
    Comparison { left: &'d syntax::Term, right: &'d syntax::Term, span: Span, is_distinct: bool },
}

type Conjunction<'d> = Vec<SyntaxLiteral<'d>>;

struct Normaliser<'l> {
    program: Program,
    limits: &'l Limits,
    diagnostics: Vec<Diagnostic>,
    /// Facts of `role` so far.
    roles: usize,
    /// Literals that alternatives may still have; none if they needed more.
    literals_left: Option<usize>,
    /// The relation of the rule that is read, which a limit of one rule is reported with.
    relation: String,
}

impl Normaliser<'_> {
    /// Whether a limit of the whole text is reached with this clause, which is then reported.
    fn fill(&mut self, clause: &Clause) -> bool {
        let is_role = clause.head.name() == Some("role") && clause.head.arguments().len() == 1;
        self.roles += usize::from(is_role);
        let demands = [
            (self.program.rules.len(), self.limits.rules, "rules and facts"),
            (self.roles, self.limits.roles, "roles"),
        ];
        let beyond = demands.into_iter().find(|(demand, limit, _)| demand > limit);
        if let Some((_, limit, what)) = beyond {
            let message = format!("{what}: limit {limit}, more needed");
            self.report("limit", Severity::Error, clause.span, &message);
        }
        beyond.is_some() || self.literals_left.is_none()
    }

    /// Reports a rule that needs more than a limit of one rule.
    fn report_rule(&mut self, what: &str, limit: usize, demand: usize, span: Span) {
        let message = format!("{what} for `{}`: limit {limit}, {demand} needed", self.relation);
        self.report("limit", Severity::Error, span, &message);
    }

    fn report(&mut self, code: &'static str, severity: Severity, span: Span, message: &str) {
        self.diagnostics.push(Diagnostic::new(code, severity, span, message));
    }

    fn clause(&mut self, clause: &Clause) {
        self.relation.clear();
        self.relation.push_str(clause.head.name().expect("a head has a name"));
        let mut alternatives: Vec<Conjunction<'_>> = vec![Vec::new()];
        for formula in &clause.body {
            let parts = self.disjuncts(formula, true);
            let Some(product) = self.product(alternatives, &parts, clause.span) else { return };
            alternatives = product;
        }
        if alternatives.is_empty() {
            let message = "the body of this rule can never hold: it contains an empty `or`";
            let span =
                clause.body.iter().find_map(|part| empty_disjunction(part, true)).unwrap_or(clause.span);
            self.report("empty-disjunction", Severity::Warning, span, message);
            self.reserve_head(clause);
        }
        for parts in alternatives {
            self.rule(clause, &parts);
        }
    }

    /// A predicate without rules still exists.
    fn reserve_head(&mut self, clause: &Clause) {
        let name = clause.head.name().expect("a head has a name");
        self.program.predicate(name, clause.head.arguments().len());
    }

    /// The conjunctions whose disjunction is equivalent to `formula`, or to its negation.
    fn disjuncts<'d>(&mut self, formula: &'d Formula, is_positive: bool) -> Vec<Conjunction<'d>> {
        match formula {
            Formula::Atom(atom) => vec![vec![SyntaxLiteral::Atom { atom, is_positive }]],
            Formula::Distinct(span, left, right) => {
                if !is_positive {
                    let message = "a negated `distinct` is read as equality";
                    self.report("negated-distinct", Severity::Warning, *span, message);
                }
                vec![vec![SyntaxLiteral::Comparison { left, right, span: *span, is_distinct: is_positive }]]
            }
            Formula::Not(span, inner) => {
                if !matches!(**inner, Formula::Atom(_) | Formula::Distinct(..)) || !is_positive {
                    let message = "`not` before anything but an atom is rewritten";
                    self.report("nested-negation", Severity::Warning, *span, message);
                }
                self.disjuncts(inner, !is_positive)
            }
            Formula::And(span, parts) => {
                self.report(
                    "conjunction",
                    Severity::Warning,
                    *span,
                    "`and` is not needed: a body is a conjunction",
                );
                self.combine(parts, is_positive, is_positive, *span)
            }
            Formula::Or(span, parts) => self.combine(parts, is_positive, !is_positive, *span),
        }
    }

    /// The parts joined: by conjunction (a product) or disjunction (a union).
    fn combine<'d>(
        &mut self,
        parts: &'d [Formula],
        is_positive: bool,
        is_conjunction: bool,
        span: Span,
    ) -> Vec<Conjunction<'d>> {
        let mut joined = if is_conjunction { vec![Vec::new()] } else { Vec::new() };
        for part in parts {
            let disjuncts = self.disjuncts(part, is_positive);
            if is_conjunction {
                let Some(product) = self.product(joined, &disjuncts, span) else { return Vec::new() };
                joined = product;
            } else {
                joined.extend(disjuncts);
            }
        }
        joined
    }

    fn product<'d>(
        &mut self,
        mut left: Vec<Conjunction<'d>>,
        right: &[Conjunction<'d>],
        span: Span,
    ) -> Option<Vec<Conjunction<'d>>> {
        let demand = left.len().saturating_mul(right.len());
        let literals = |side: &[Conjunction<'d>]| side.iter().map(Vec::len).max().unwrap_or(0);
        let limits = [
            (demand, self.limits.rules, "alternatives of one rule"),
            (literals(&left) + literals(right), self.limits.literals, "literals in one body"),
        ];
        for (demand, limit, what) in limits {
            if demand > limit {
                self.report_rule(what, limit, demand, span);
                return None;
            }
        }
        let total = |side: &[Conjunction<'d>]| side.iter().map(Vec::len).sum::<usize>();
        // A single alternative is added in place, so that a long body is not copied for each of its literals.
        let made = match right {
            [only] => left.len() * only.len(),
            _ => total(&left) * right.len() + total(right) * left.len(),
        };
        self.literals_left = self.literals_left.and_then(|left| left.checked_sub(made));
        if self.literals_left.is_none() {
            let limit = self.limits.alternatives;
            let message = format!("literals of all alternatives of all rules: limit {limit}, more needed");
            self.report("limit", Severity::Error, span, &message);
            return None;
        }
        if let [only] = right {
            left.iter_mut().for_each(|one| one.extend_from_slice(only));
            return Some(left);
        }
        let pairs = left.iter().flat_map(|one| right.iter().map(move |other| (one, other)));
        Some(pairs.map(|(one, other)| [one.as_slice(), other].concat()).collect())
    }

    fn rule(&mut self, clause: &Clause, parts: &[SyntaxLiteral<'_>]) {
        let mut variables = Vec::new();
        let head = self.atom(&clause.head, &mut variables);
        let body = parts.iter().map(|part| self.literal(*part, &mut variables)).collect();
        if variables.len() > self.limits.variables {
            self.report_rule("variables in one rule", self.limits.variables, variables.len(), clause.span);
            return;
        }
        self.program.rules.push(Rule { head, body, variables, span: clause.span });
    }

    fn literal(&mut self, part: SyntaxLiteral<'_>, variables: &mut Vec<String>) -> Literal {
        match part {
            SyntaxLiteral::Atom { atom, is_positive: true } => Literal::Positive(self.atom(atom, variables)),
            SyntaxLiteral::Atom { atom, is_positive: false } => Literal::Negative(self.atom(atom, variables)),
            SyntaxLiteral::Comparison { left, right, span, is_distinct } => {
                let (left, right) = (self.term(left, variables), self.term(right, variables));
                if is_distinct {
                    Literal::Distinct(left, right, span)
                } else {
                    Literal::Same(left, right, span)
                }
            }
        }
    }

    fn atom(&mut self, atom: &syntax::Term, variables: &mut Vec<String>) -> Atom {
        let name = atom.name().expect("the reader lets no variable be an atom");
        let predicate = self.program.predicate(name, atom.arguments().len());
        let arguments = atom.arguments().iter().map(|term| self.term(term, variables)).collect();
        Atom { predicate, arguments, span: atom.span }
    }

    fn term(&mut self, term: &syntax::Term, variables: &mut Vec<String>) -> Term {
        match &term.kind {
            TermKind::Variable(name) => {
                let index = variables.iter().position(|known| known == name).unwrap_or_else(|| {
                    variables.push(name.clone());
                    variables.len() - 1
                });
                Term::Variable(index)
            }
            TermKind::Constant(name) => Term::Constant(self.program.symbols.intern(name)),
            TermKind::Compound(name, arguments) => {
                let symbol = self.program.symbols.intern(name);
                let arguments = arguments.iter().map(|argument| self.term(argument, variables)).collect();
                Term::Compound(symbol, arguments)
            }
        }
    }
}

/// The location of the first empty disjunction: an empty `or`, or an empty `and` under `not`.
fn empty_disjunction(formula: &Formula, is_positive: bool) -> Option<Span> {
    match formula {
        Formula::Atom(_) | Formula::Distinct(..) => None,
        Formula::Not(_, inner) => empty_disjunction(inner, !is_positive),
        Formula::Or(span, parts) if parts.is_empty() => is_positive.then_some(*span),
        Formula::And(span, parts) if parts.is_empty() => (!is_positive).then_some(*span),
        Formula::Or(_, parts) | Formula::And(_, parts) => {
            parts.iter().find_map(|part| empty_disjunction(part, is_positive))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::read_prefix;

    fn bodies(text: &str) -> Vec<usize> {
        let (description, _) = read_prefix(text, &Limits::STANDARD);
        let Normalised { program, .. } = normalise(&description, &Limits::STANDARD);
        program.rules.iter().map(|rule| rule.body.len()).collect()
    }

    #[test]
    fn a_body_becomes_its_disjunctive_normal_form() {
        assert_eq!(bodies("(<= p (or a b) (or c (and d e)))"), [2, 3, 2, 3]);
        assert_eq!(bodies("(<= p (not (or a b)))"), [2]);
        assert_eq!(bodies("(<= p (not (and a b)))"), [1, 1]);
        assert_eq!(bodies("(<= p (or))"), [0; 0]);
        assert_eq!(bodies("(<= p (and))"), [0]);
    }

    #[test]
    fn an_exploding_disjunction_is_refused_with_its_size() {
        let text = format!("(<= p {})", "(or a b c d)".repeat(60));
        let (description, _) = read_prefix(&text, &Limits::STANDARD);
        let Normalised { program, diagnostics, .. } = normalise(&description, &Limits::STANDARD);
        assert!(program.rules.is_empty());
        assert!(diagnostics[0].message.starts_with("alternatives of one rule for `p`: limit 20000, 65536"));
    }
}
