//! The input of the checks: the text, its description, the program, and an index over them.

use crate::{
    diagnostic::Span,
    id::{PredicateId, SymbolId},
    rules::{self, DependencyGraph, Keyword, OPERATORS, Program, Rule, ordinary_words},
    syntax::{Clause, Description, Formula, Term, TermKind},
};

/// The text of rules at every stage that a check may need.
pub(super) struct Subject<'a> {
    /// The text, if the description comes from one: spellings are there.
    pub(super) text: Option<&'a str>,
    /// The clauses of the text.
    pub(super) clauses: &'a [Clause],
    /// The rules in normal form, those of full sight included.
    pub(super) program: &'a Program,
    /// Which predicate is computed from which.
    pub(super) graph: &'a DependencyGraph,
    /// Whether the text has no rule for `sees`.
    pub(super) has_full_sight: bool,
    /// Whether fluents have lifetimes.
    pub(super) is_real_time: bool,
    /// Words of the language that the text uses as relations of its own.
    pub(super) ordinary: Vec<Keyword>,
    /// Every name, in the order of the text.
    pub(super) uses: Vec<Use<'a>>,
    /// By predicate.
    keywords: Vec<Option<Keyword>>,
    /// By symbol.
    words: Vec<Option<ReservedWord>>,
    /// By symbol.
    predicates: Vec<Vec<PredicateId>>,
}

/// A name with a meaning of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ReservedWord {
    /// A relation of the language.
    Keyword(Keyword),
    /// Words that connect conditions and are not relations.
    Operator,
}

/// One occurrence of a name.
#[derive(Clone, Copy)]
pub(super) struct Use<'a> {
    /// The atom, compound or constant that has the name.
    pub(super) term: &'a Term,
    /// The name.
    pub(super) symbol: SymbolId,
    /// The kind of use.
    pub(super) kind: UseKind,
    /// The clause that contains it.
    pub(super) clause: &'a Clause,
}

/// The kinds of use of a name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum UseKind {
    /// A relation that a clause concludes.
    Head,
    /// A relation in a body.
    Body,
    /// A function with arguments.
    Function,
    /// An object constant.
    Constant,
}

impl Use<'_> {
    /// The name as it is folded.
    pub(super) fn name(&self) -> &str {
        self.term.name().unwrap_or_default()
    }
}

impl UseKind {
    pub(super) fn is_relation(self) -> bool {
        matches!(self, Self::Head | Self::Body)
    }
}

impl<'a> Subject<'a> {
    pub(super) fn new(
        text: Option<&'a str>,
        description: &'a Description,
        program: &'a Program,
        graph: &'a DependencyGraph,
        has_full_sight: bool,
    ) -> Self {
        let mut keywords = vec![None; program.predicates.len()];
        let mut words = vec![None; program.symbols.len()];
        for keyword in Keyword::ALL {
            if let Some(predicate) = program.keyword(keyword) {
                keywords[predicate.index()] = Some(keyword);
            }
            if let Some(symbol) = program.symbols.get(keyword.name()) {
                words[symbol.index()] = Some(ReservedWord::Keyword(keyword));
            }
        }
        for symbol in OPERATORS.iter().filter_map(|name| program.symbols.get(name)) {
            words[symbol.index()] = Some(ReservedWord::Operator);
        }
        let mut predicates = vec![Vec::new(); program.symbols.len()];
        for id in program.predicate_ids() {
            predicates[program.predicates[id.index()].symbol.index()].push(id);
        }
        // The rule of full sight is the last clause, and nobody wrote it.
        let written = description.clauses.len() - usize::from(has_full_sight);
        let clauses = &description.clauses[..written];
        let ordinary = ordinary_words(clauses);
        let uses = uses(clauses, program);
        Self {
            text,
            clauses,
            program,
            graph,
            has_full_sight,
            is_real_time: false,
            ordinary,
            uses,
            keywords,
            words,
            predicates,
        }
    }

    /// The keyword that a predicate is.
    pub(super) fn keyword(&self, predicate: PredicateId) -> Option<Keyword> {
        self.keywords[predicate.index()]
    }

    /// The meaning of a name on its own.
    pub(super) fn word(&self, symbol: SymbolId) -> Option<ReservedWord> {
        self.words[symbol.index()]
    }

    /// The predicate of an atom.
    pub(super) fn predicate(&self, used: &Use<'_>) -> Option<PredicateId> {
        let arity = used.term.arguments().len();
        let of_name = self.predicates[used.symbol.index()].iter();
        of_name.copied().find(|id| self.program.predicates[id.index()].arity == arity)
    }

    /// The predicate of an atom that may not be one of [`uses`](Self::uses).
    pub(super) fn predicate_of(&self, atom: &Term) -> Option<PredicateId> {
        self.program.find(atom.name()?, atom.arguments().len())
    }

    /// All atoms of heads and bodies.
    pub(super) fn atoms(&self) -> impl Iterator<Item = &Use<'a>> {
        self.uses.iter().filter(|used| used.kind.is_relation())
    }

    /// The atoms of one keyword with its proper arity.
    pub(super) fn atoms_of(&self, keyword: Keyword) -> impl Iterator<Item = &Use<'a>> {
        let symbol = self.program.symbols.get(keyword.name());
        self.atoms()
            .filter(move |used| Some(used.symbol) == symbol && used.term.arguments().len() == keyword.arity())
    }

    /// The location of the name of a term, without parentheses and arguments.
    pub(super) fn name_span(&self, term: &Term) -> Span {
        let (Some(text), Some(name)) = (self.text, term.name()) else { return term.span };
        let Some(written) = text.get(term.span.range()) else { return term.span };
        let start = name_start(written);
        let end = start + name.len();
        match written.get(start..end) {
            Some(spelled) if spelled.eq_ignore_ascii_case(name) => {
                let offset = term.span.start as usize;
                Span::new(offset + start, offset + end)
            }
            _ => term.span,
        }
    }

    /// The written form of a name or variable, if it differs from its folded form at most in case.
    pub(super) fn spelling(&self, term: &Term) -> Option<&'a str> {
        let text = self.text?;
        let (span, name) = match &term.kind {
            TermKind::Variable(name) => (term.span, name),
            TermKind::Constant(name) | TermKind::Compound(name, _) => (self.name_span(term), name),
        };
        let spelled = text.get(span.range())?.trim_start_matches('?');
        spelled.eq_ignore_ascii_case(name).then_some(spelled)
    }

    /// The written form of a name or variable, or otherwise its folded form.
    pub(super) fn shown(&self, term: &'a Term) -> &'a str {
        let folded = match &term.kind {
            TermKind::Variable(name) | TermKind::Constant(name) | TermKind::Compound(name, _) => name,
        };
        self.spelling(term).unwrap_or(folded)
    }

    /// A variable as it is written, with its question mark if the text has one.
    pub(super) fn shown_variable(&self, term: &'a Term) -> String {
        let written = self.text.and_then(|text| text.get(term.span.range()));
        match written.filter(|written| !written.starts_with('?') && !written.is_empty()) {
            Some(written) => written.to_owned(),
            None => format!("?{}", self.shown(term)),
        }
    }

    /// A variable of a rule as its clause writes it first.
    pub(super) fn shown_name(&self, rule: &Rule, name: &str) -> String {
        let mut first = None;
        if let Some(clause) = self.clause_at(rule.span) {
            clause.for_each_variable(&mut |other, term| {
                if first.is_none() && other == name {
                    first = Some(term);
                }
            });
        }
        first.map_or_else(|| format!("?{name}"), |term| self.shown_variable(term))
    }

    /// A term of a rule in the syntax of its clause.
    pub(super) fn shown_term(&self, rule: &Rule, term: &rules::Term) -> String {
        match term {
            rules::Term::Variable(variable) => self.shown_name(rule, &rule.variables[*variable]),
            rules::Term::Constant(symbol) => self.program.symbols.name(*symbol).to_owned(),
            rules::Term::Compound(symbol, arguments) => {
                let name = self.program.symbols.name(*symbol);
                let arguments = arguments.iter().map(|argument| self.shown_term(rule, argument));
                let arguments: Vec<String> = arguments.collect();
                if self.clause_at(rule.span).is_none_or(|clause| self.is_prefix(clause)) {
                    format!("({name} {})", arguments.join(" "))
                } else {
                    format!("{name}({})", arguments.join(", "))
                }
            }
        }
    }

    /// Whether a clause is in prefix syntax, as far as the text shows.
    pub(super) fn is_prefix(&self, clause: &Clause) -> bool {
        self.text.is_none_or(|text| text.as_bytes().get(clause.span.start as usize) == Some(&b'('))
    }

    /// The clause at `span`.
    pub(super) fn clause_at(&self, span: Span) -> Option<&'a Clause> {
        let index = self.clauses.binary_search_by_key(&span.start, |clause| clause.span.start).ok()?;
        Some(&self.clauses[index])
    }
}

/// The start of the name in `(name ...)`: after the parenthesis, spaces and comments.
fn name_start(written: &str) -> usize {
    let mut rest = written;
    loop {
        rest = rest.trim_start_matches(|c: char| c == '(' || c.is_whitespace() || c.is_control());
        let Some(comment) = rest.strip_prefix(';') else { break };
        rest = &comment[comment.find(['\n', '\r']).unwrap_or(comment.len())..];
    }
    written.len() - rest.len()
}

/// Every name of the clauses that the program has.
fn uses<'a>(clauses: &'a [Clause], program: &Program) -> Vec<Use<'a>> {
    let mut uses = Vec::new();
    for clause in clauses {
        let mut walker = Walker { clause, program, uses: &mut uses };
        walker.atom(&clause.head, UseKind::Head);
        for formula in &clause.body {
            walker.formula(formula);
        }
    }
    uses
}

struct Walker<'a, 'p, 'u> {
    clause: &'a Clause,
    program: &'p Program,
    uses: &'u mut Vec<Use<'a>>,
}

impl<'a> Walker<'a, '_, '_> {
    fn push(&mut self, term: &'a Term, kind: UseKind) {
        if let Some(symbol) = term.name().and_then(|name| self.program.symbols.get(name)) {
            self.uses.push(Use { term, symbol, kind, clause: self.clause });
        }
    }

    fn formula(&mut self, formula: &'a Formula) {
        match formula {
            Formula::Atom(atom) => self.atom(atom, UseKind::Body),
            Formula::Distinct(_, left, right) => {
                self.term(left);
                self.term(right);
            }
            Formula::Not(_, inner) => self.formula(inner),
            Formula::And(_, parts) | Formula::Or(_, parts) => {
                for part in parts {
                    self.formula(part);
                }
            }
        }
    }

    fn atom(&mut self, atom: &'a Term, kind: UseKind) {
        self.push(atom, kind);
        for argument in atom.arguments() {
            self.term(argument);
        }
    }

    fn term(&mut self, term: &'a Term) {
        let kind = if term.arguments().is_empty() { UseKind::Constant } else { UseKind::Function };
        self.atom(term, kind);
    }
}

/// Whether a name joins conditions.
pub(super) fn is_operator(name: &str) -> bool {
    OPERATORS.contains(&name)
}
