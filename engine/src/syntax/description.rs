//! S-expressions to clauses: the second half of reading prefix syntax.

use super::{
    ast::{Clause, Description, Formula, Term, TermKind},
    form::{Form, FormKind, read_forms},
};
use crate::{
    diagnostic::{Diagnostic, Severity, Span},
    limits::Limits,
};

/// Reads a rules text in prefix syntax: every clause that can be read, and every finding.
#[must_use]
pub fn read_prefix(text: &str, limits: &Limits) -> (Description, Vec<Diagnostic>) {
    let mut diagnostics = Vec::new();
    let forms = read_forms(text, limits, &mut diagnostics);
    let mut reader = Reader { text, limits, diagnostics };
    let clauses = forms.iter().filter_map(|form| reader.clause(form)).collect();
    (Description { clauses }, reader.diagnostics)
}

/// Reads one ground term, such as a move or percept.
///
/// # Errors
/// What is wrong with the text, in a few words.
pub fn read_ground_term(text: &str, limits: &Limits) -> Result<Term, String> {
    let mut diagnostics = Vec::new();
    let forms = read_forms(text, limits, &mut diagnostics);
    let mut reader = Reader { text, limits, diagnostics };
    let term = forms.first().and_then(|form| reader.term(form));
    if let Some(first) = reader.diagnostics.iter().find(|found| found.severity == Severity::Error) {
        return Err(first.message.clone());
    }
    match term {
        None => Err("there is no term".to_owned()),
        Some(_) if forms.len() > 1 => Err("there is more than one term".to_owned()),
        Some(term) if !term.is_ground() => Err("it has a variable".to_owned()),
        Some(term) => Ok(term),
    }
}

struct Reader<'t> {
    text: &'t str,
    limits: &'t Limits,
    diagnostics: Vec<Diagnostic>,
}

impl Reader<'_> {
    fn spelling(&self, form: &Form) -> &str {
        &self.text[form.span.range()]
    }

    /// What the symbol that leads a list spells, in lower case.
    fn leader(&self, form: &Form) -> Option<String> {
        match &form.kind {
            FormKind::List(items) => match items.first() {
                Some(first) if matches!(first.kind, FormKind::Symbol) => {
                    Some(self.spelling(first).to_ascii_lowercase())
                }
                _ => None,
            },
            FormKind::Symbol => None,
        }
    }

    fn error(&mut self, code: &'static str, span: Span, message: impl Into<String>) -> &mut Diagnostic {
        self.report(code, Severity::Error, span, message)
    }

    fn report(
        &mut self,
        code: &'static str,
        severity: Severity,
        span: Span,
        message: impl Into<String>,
    ) -> &mut Diagnostic {
        self.diagnostics.push(Diagnostic::new(code, severity, span, message));
        self.diagnostics.last_mut().expect("one was just pushed")
    }

    fn clause(&mut self, form: &Form) -> Option<Clause> {
        let leader = self.leader(form);
        match (&form.kind, leader.as_deref()) {
            (FormKind::List(items), Some("<=" | "⇐")) => {
                if leader.as_deref() == Some("⇐") {
                    self.report("arrow", Severity::Warning, items[0].span, "`⇐` is read as `<=`");
                }
                let Some(head) = items.get(1) else {
                    self.error("rule-without-head", form.span, "a rule needs a head").help =
                        Some("write (<= HEAD BODY...)".to_owned());
                    return None;
                };
                if items.len() == 2 {
                    self.report(
                        "empty-body",
                        Severity::Warning,
                        form.span,
                        "this rule has no body; it is read as a fact",
                    );
                }
                let head = self.atom(head);
                let mut body = Vec::with_capacity(items.len() - 2);
                let mut is_whole = true;
                for item in &items[2..] {
                    match self.formula(item) {
                        Some(formula) => body.push(formula),
                        None => is_whole = false,
                    }
                }
                head.filter(|_| is_whole).map(|head| Clause { span: form.span, head, body })
            }
            _ => self.atom(form).map(|head| Clause { span: form.span, head, body: Vec::new() }),
        }
    }

    fn formula(&mut self, form: &Form) -> Option<Formula> {
        let leader = self.leader(form);
        let FormKind::List(items) = &form.kind else { return self.atom(form).map(Formula::Atom) };
        let arguments = items.get(1..).unwrap_or_default();
        match leader.as_deref() {
            Some("not") => match arguments {
                [inner] => Some(Formula::Not(form.span, Box::new(self.formula(inner)?))),
                _ => self.wrong_count(form, "not", "one formula", "(not FORMULA)"),
            },
            Some("distinct") => match arguments {
                [left, right] => {
                    let (left, right) = (self.term(left), self.term(right));
                    Some(Formula::Distinct(form.span, left?, right?))
                }
                _ => self.wrong_count(form, "distinct", "two terms", "(distinct TERM TERM)"),
            },
            Some("and") => self.formulas(arguments).map(|parts| Formula::And(form.span, parts)),
            Some("or") => self.formulas(arguments).map(|parts| Formula::Or(form.span, parts)),
            _ => self.atom(form).map(Formula::Atom),
        }
    }

    fn formulas(&mut self, forms: &[Form]) -> Option<Vec<Formula>> {
        let parts: Vec<_> = forms.iter().map(|form| self.formula(form)).collect();
        parts.into_iter().collect()
    }

    fn wrong_count(&mut self, form: &Form, word: &str, wanted: &str, shape: &str) -> Option<Formula> {
        self.error("keyword-arity", form.span, format!("`{word}` takes {wanted}")).help =
            Some(format!("write {shape}"));
        None
    }

    /// An atom has the shape of a term, but a variable is none, nor is a rule.
    fn atom(&mut self, form: &Form) -> Option<Term> {
        if matches!(self.leader(form).as_deref(), Some("<=" | "⇐")) {
            self.error("nested-rule", form.span, "a rule inside a rule").help =
                Some("a closing parenthesis is probably missing before it".to_owned());
            return None;
        }
        let atom = self.term(form)?;
        if matches!(atom.kind, TermKind::Variable(_)) {
            self.error("variable-as-atom", form.span, "a variable cannot stand for an atom").help =
                Some("write a relation, such as (true ?x)".to_owned());
            return None;
        }
        Some(atom)
    }

    fn term(&mut self, form: &Form) -> Option<Term> {
        let items = match &form.kind {
            FormKind::Symbol => return self.symbol(form),
            FormKind::List(items) => items,
        };
        let Some((first, arguments)) = items.split_first() else {
            self.error("empty-list", form.span, "`()` is neither a term nor an atom");
            return None;
        };
        if arguments.len() > self.limits.arity {
            let message = format!("arguments: limit {}, {} needed", self.limits.arity, arguments.len());
            self.error("limit", form.span, message);
            return None;
        }
        let name = match (&first.kind, self.spelling(first)) {
            (FormKind::List(_), _) => {
                self.error("list-as-name", first.span, "a list cannot name a relation or function").help =
                    Some("there is probably one parenthesis too many here".to_owned());
                return None;
            }
            (FormKind::Symbol, spelling) if spelling.starts_with('?') => {
                self.error("variable-as-name", first.span, "a variable cannot name a relation or function");
                return None;
            }
            (FormKind::Symbol, spelling) => spelling.to_ascii_lowercase(),
        };
        if arguments.is_empty() {
            let message = format!("`({name})` is read as `{name}`");
            self.report("empty-arguments", Severity::Warning, form.span, message);
            return Some(Term { span: form.span, kind: TermKind::Constant(name) });
        }
        let arguments: Vec<_> = arguments.iter().map(|argument| self.term(argument)).collect();
        let arguments = arguments.into_iter().collect::<Option<Vec<_>>>()?;
        Some(Term { span: form.span, kind: TermKind::Compound(name, arguments) })
    }

    fn symbol(&mut self, form: &Form) -> Option<Term> {
        let name = self.spelling(form).to_ascii_lowercase();
        let kind = match name.strip_prefix('?') {
            Some("") => {
                self.error("variable-without-name", form.span, "a variable needs a name after `?`");
                return None;
            }
            Some(variable) => TermKind::Variable(variable.to_owned()),
            None => TermKind::Constant(name),
        };
        Some(Term { span: form.span, kind })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::print_description;

    fn codes(text: &str) -> Vec<(&'static str, u32, u32)> {
        let (_, diagnostics) = read_prefix(text, &Limits::STANDARD);
        diagnostics.iter().map(|found| (found.code, found.span.start, found.span.end)).collect()
    }

    #[test]
    fn all_findings_come_at_once_with_their_places() {
        assert_eq!(codes("(role a))"), [("unbalanced-parenthesis", 8, 9)]);
        assert_eq!(codes("(role a"), [("unbalanced-parenthesis", 0, 1)]);
        assert_eq!(
            codes("() (<= p (not a b)) (?x a)"),
            [("empty-list", 0, 2), ("keyword-arity", 9, 18), ("variable-as-name", 21, 23),]
        );
        assert_eq!(codes("(<= (p ?x) (q ?x)) ; (\n"), []);
    }

    #[test]
    fn a_megabyte_of_parentheses_is_one_error() {
        let (_, diagnostics) = read_prefix(&"(".repeat(1_000_000), &Limits::STANDARD);
        assert_eq!(diagnostics.len(), 1);
        assert_eq!(diagnostics[0].message, "open parentheses: limit 256, 1000000 needed");
    }

    #[test]
    fn a_missing_parenthesis_is_sought_where_the_next_clause_starts() {
        let text = "(<= (p ?x)\n    (q ?x)\n(role a)\n";
        let (_, diagnostics) = read_prefix(text, &Limits::STANDARD);
        assert_eq!(diagnostics[0].notes[0].0, Span::new(22, 23));
    }

    #[test]
    fn names_are_folded_and_zero_arguments_dropped() {
        let (description, _) = read_prefix("(Role (A))(⇐ P (Q ?X))", &Limits::STANDARD);
        assert_eq!(print_description(&description), "(role a)\n(<= p\n    (q ?x))\n");
    }

    #[test]
    fn a_reply_must_be_one_ground_term() {
        let read = |text| read_ground_term(text, &Limits::STANDARD);
        assert!(read(" (Mark 1 (f 2)) ; thanks").is_ok());
        assert_eq!(read("(mark ?x)").unwrap_err(), "it has a variable");
        assert_eq!(read("").unwrap_err(), "there is no term");
        assert_eq!(read("a b").unwrap_err(), "there is more than one term");
        assert_eq!(read("(a").unwrap_err(), "this parenthesis is never closed");
    }
}
