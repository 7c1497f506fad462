//! The rules of a game with one more role, who watches.
//!
//! The new role must change nothing for the others. So conditions of the rules no longer range over all roles, but over those that were
//! there: `role`, `does` and `legal` in a body become relations of the old roles.

use std::fmt::Write as _;

use crate::syntax::{Clause, Formula, Term, TermKind, print_clause, print_term};

use super::{PublicRule, is_of};

/// Numbers tried for a name that the rules do not use.
const NAMES_MAX: usize = 1_000;

/// Rules that get a watcher.
pub(super) struct WatchedRules {
    /// As they are written, to see which names they use.
    text: String,
}

impl WatchedRules {
    pub(super) fn of(clauses: &[Clause]) -> Self {
        Self { text: clauses.iter().map(print_clause).collect::<Vec<_>>().join("\n") }
    }

    /// The text of some of the rules, with a watcher who is told each of these percepts under its conditions, and the watcher's name.
    /// `None` if no name is free.
    pub(super) fn with_watcher(
        &self,
        clauses: &[&Clause],
        public: &[PublicRule<'_>],
    ) -> Option<(String, String)> {
        let names = ReplacedNames {
            role: self.free("seated")?,
            does: self.free("played")?,
            legal: self.free("allowed")?,
        };
        let watcher = self.free("watcher")?;
        let is_scored = self.is_in_a_body(clauses, "goal");
        let mut text = String::new();
        for clause in clauses {
            if is_of(clause, "goal", 2) && !is_scored {
                continue;
            }
            writeln!(text, "{}", print_clause(&names.in_clause(clause))).ok()?;
            if is_of(clause, "role", 1) {
                writeln!(text, "({} {})", names.role, print_term(&clause.head.arguments()[0])).ok()?;
            }
        }
        writeln!(text, "(role {watcher})\n(legal {watcher} noop)").ok()?;
        match is_scored {
            true => writeln!(text, "(goal {watcher} 0)"),
            false => writeln!(text, "(<= (goal ?of 0) (role ?of))"),
        }
        .ok()?;
        if clauses.iter().any(|clause| is_of(clause, "input", 2)) {
            writeln!(text, "(input {watcher} noop)").ok()?;
        }
        let ReplacedNames { role, does, legal } = &names;
        writeln!(text, "(<= ({does} ?of ?move) (does ?of ?move) ({role} ?of))").ok()?;
        writeln!(text, "(<= ({legal} ?of ?move) (legal ?of ?move) ({role} ?of))").ok()?;
        // Without a rule on what it sees, it would see everything. This one never holds.
        writeln!(text, "(<= (sees {watcher} {watcher}) ({role} {watcher}))").ok()?;
        for PublicRule { percept, conditions } in public {
            let conditions: Vec<Formula> =
                conditions.iter().map(|condition| names.in_formula(condition)).collect();
            let span = percept.span;
            let told = TermKind::Constant(watcher.clone());
            let arguments = vec![Term { span, kind: told }, percept.clone()];
            let head = Term { span, kind: TermKind::Compound("sees".to_owned(), arguments) };
            writeln!(text, "{}", print_clause(&Clause { span, head, body: conditions })).ok()?;
        }
        Some((text, watcher))
    }

    /// A name like this that does not occur in the rules.
    fn free(&self, name: &str) -> Option<String> {
        let numbered = (2..NAMES_MAX).map(|number| format!("{name}_{number}"));
        std::iter::once(name.to_owned()).chain(numbered).find(|name| !self.text.contains(name.as_str()))
    }

    fn is_in_a_body(&self, clauses: &[&Clause], name: &str) -> bool {
        fn occurs(formula: &Formula, name: &str) -> bool {
            match formula {
                Formula::Atom(atom) => atom.name() == Some(name),
                Formula::Distinct(..) => false,
                Formula::Not(_, inner) => occurs(inner, name),
                Formula::And(_, parts) | Formula::Or(_, parts) => parts.iter().any(|part| occurs(part, name)),
            }
        }
        let others = clauses.iter().filter(|clause| !is_of(clause, name, 2));
        others.flat_map(|clause| &clause.body).any(|formula| occurs(formula, name))
    }
}

/// What stands in bodies in place of the relations that range over all roles.
struct ReplacedNames {
    role: String,
    does: String,
    legal: String,
}

impl ReplacedNames {
    fn in_clause(&self, clause: &Clause) -> Clause {
        let body = clause.body.iter().map(|formula| self.in_formula(formula)).collect();
        Clause { body, ..clause.clone() }
    }

    fn in_formula(&self, formula: &Formula) -> Formula {
        let all =
            |parts: &[Formula]| -> Vec<Formula> { parts.iter().map(|part| self.in_formula(part)).collect() };
        match formula {
            Formula::Atom(atom) => Formula::Atom(self.in_atom(atom)),
            Formula::Distinct(..) => formula.clone(),
            Formula::Not(span, inner) => Formula::Not(*span, Box::new(self.in_formula(inner))),
            Formula::And(span, parts) => Formula::And(*span, all(parts)),
            Formula::Or(span, parts) => Formula::Or(*span, all(parts)),
        }
    }

    fn in_atom(&self, atom: &Term) -> Term {
        let name = match (atom.name(), atom.arguments().len()) {
            (Some("role"), 1) => &self.role,
            (Some("does"), 2) => &self.does,
            (Some("legal"), 2) => &self.legal,
            _ => return atom.clone(),
        };
        Term { span: atom.span, kind: TermKind::Compound(name.clone(), atom.arguments().to_vec()) }
    }
}
