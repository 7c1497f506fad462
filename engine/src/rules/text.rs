//! Rules in normal form as text, which means the same.

use std::fmt;

use super::{Atom, Literal, Program, Rule, Term};

/// A clause a line, without comments; relations of full sight that were added are written out.
impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rule in &self.rules {
            let writer = RuleWriter { program: self, rule };
            if rule.body.is_empty() {
                writer.atom(f, &rule.head)?;
            } else {
                f.write_str("(<= ")?;
                writer.atom(f, &rule.head)?;
                for literal in &rule.body {
                    f.write_str(" ")?;
                    writer.literal(f, literal)?;
                }
                f.write_str(")")?;
            }
            f.write_str("\n")?;
        }
        Ok(())
    }
}

struct RuleWriter<'p> {
    program: &'p Program,
    rule: &'p Rule,
}

impl RuleWriter<'_> {
    fn literal(&self, f: &mut fmt::Formatter<'_>, literal: &Literal) -> fmt::Result {
        let (before, after) = match literal {
            Literal::Positive(_) | Literal::Distinct(..) => ("", ""),
            Literal::Negative(_) | Literal::Same(..) => ("(not ", ")"),
        };
        f.write_str(before)?;
        match literal {
            Literal::Positive(atom) | Literal::Negative(atom) => self.atom(f, atom)?,
            Literal::Distinct(left, right, _) | Literal::Same(left, right, _) => {
                f.write_str("(distinct")?;
                self.arguments(f, [left, right])?;
                f.write_str(")")?;
            }
        }
        f.write_str(after)
    }

    fn atom(&self, f: &mut fmt::Formatter<'_>, atom: &Atom) -> fmt::Result {
        self.applied(f, self.program.name(atom.predicate), &atom.arguments)
    }

    fn applied(&self, f: &mut fmt::Formatter<'_>, name: &str, arguments: &[Term]) -> fmt::Result {
        if arguments.is_empty() {
            return f.write_str(name);
        }
        write!(f, "({name}")?;
        self.arguments(f, arguments)?;
        f.write_str(")")
    }

    fn arguments<'t>(
        &self,
        f: &mut fmt::Formatter<'_>,
        terms: impl IntoIterator<Item = &'t Term>,
    ) -> fmt::Result {
        terms.into_iter().try_for_each(|term| {
            f.write_str(" ")?;
            match term {
                Term::Variable(variable) => write!(f, "?{}", self.rule.variables[*variable]),
                Term::Constant(symbol) => f.write_str(self.program.symbols.name(*symbol)),
                Term::Compound(symbol, arguments) => {
                    self.applied(f, self.program.symbols.name(*symbol), arguments)
                }
            }
        })
    }
}
