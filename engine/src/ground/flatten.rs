//! Every kind of fluent and move as a predicate of its own, with its arguments in columns.
//!
//! `(true (cell ?x ?y b))` becomes an atom of the predicate `true cell` with three arguments, and so do
//! `init` and `next`; `legal` and `does` likewise with the role in front. If a rule has a variable for
//! the whole fluent or move, it becomes one rule for each possible function; constants
//! share one predicate. A name with a space cannot come from a text, so there are no conflicts.

use std::collections::BTreeMap;

use super::{
    signature::{Signature, Signatures, substitute},
    unpack::Unpacked,
};
use crate::{
    diagnostic::Span,
    id::{PredicateId, RuleId, SymbolId},
    rules::{Atom, Keyword, Literal, Program, Rule, Term},
};

/// A program without keywords that take terms apart.
pub(super) struct Flat {
    /// The rules; `role` and `terminal` keep their names, and so do `sees` and what authors named.
    pub(super) program: Program,
    /// For each rule the one that it comes from; none for what names the constants.
    pub(super) origins: Vec<Option<RuleId>>,
    /// The meanings of the new predicates.
    pub(super) parts: BTreeMap<PredicateId, PredicateMeaning>,
    /// The predicate of each keyword and signature.
    ids: BTreeMap<(Keyword, Signature), PredicateId>,
}

/// The meaning of a predicate of a flat program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PredicateMeaning {
    /// Fluents under `true`, `init` or `next`; moves under `does` or `legal`.
    Term(Keyword, Signature),
    /// The goals that one rule gives.
    Goal(RuleId),
}

/// The flat form of a program.
pub(super) fn flatten(unpacked: &Unpacked) -> Flat {
    let program = &unpacked.program;
    let mut flattening = Flattening {
        program,
        signatures: Signatures::of(program),
        flat: Flat {
            program: Program::with_symbols(program.symbols.clone()),
            origins: Vec::new(),
            parts: BTreeMap::new(),
            ids: BTreeMap::new(),
        },
        has_guard: false,
    };
    for (rule, &origin) in program.rules.iter().zip(&unpacked.origins) {
        flattening.rule(rule, origin);
    }
    if flattening.has_guard {
        flattening.define_constants();
    }
    flattening.flat.complete();
    flattening.flat
}

/// The predicate of all constants.
const CONSTANT: &str = "constant ";

struct Flattening<'p> {
    program: &'p Program,
    signatures: Signatures<'p>,
    flat: Flat,
    /// Whether some rule tests whether a term is a constant.
    has_guard: bool,
}

/// A rule on its way, and the variables that must be constants in it.
#[derive(Clone)]
struct Variant {
    rule: Rule,
    constants: Vec<usize>,
}

impl Flattening<'_> {
    fn rule(&mut self, rule: &Rule, id: RuleId) {
        let mut variants = vec![Variant { rule: rule.clone(), constants: Vec::new() }];
        for variable in self.whole_variables(rule) {
            let signatures = self.signatures.of_variable(rule, variable);
            let is_open = signatures.len() > 1 && !self.is_bound_whole(rule, variable);
            let with = |variant: &Variant| -> Vec<Variant> {
                signatures.iter().map(|&signature| variant.with(variable, signature, is_open)).collect()
            };
            variants = variants.iter().flat_map(with).collect();
        }
        for variant in variants {
            self.add(id, variant);
        }
        if self.program.as_keyword(rule.head.predicate) == Some(Keyword::Goal) {
            self.collect_goal(id, rule.span);
        }
    }

    /// The argument of an atom that is a fluent or a move, if it has one.
    fn whole<'a>(&self, atom: &'a Atom) -> Option<(Keyword, &'a Term)> {
        let keyword = self.program.as_keyword(atom.predicate)?;
        match keyword {
            Keyword::True | Keyword::Init | Keyword::Next => Some((keyword, &atom.arguments[0])),
            Keyword::Does | Keyword::Legal => Some((keyword, &atom.arguments[1])),
            _ => None,
        }
    }

    fn whole_variables(&self, rule: &Rule) -> Vec<usize> {
        let atoms = rule.body.iter().filter_map(Literal::atom).chain([&rule.head]);
        let mut variables: Vec<usize> = atoms
            .filter_map(|atom| match self.whole(atom)?.1 {
                Term::Variable(variable) => Some(*variable),
                Term::Constant(_) | Term::Compound(..) => None,
            })
            .collect();
        variables.sort_unstable();
        variables.dedup();
        variables
    }

    /// Whether a condition has the variable as its fluent or move, so that it has the right kind.
    fn is_bound_whole(&self, rule: &Rule, variable: usize) -> bool {
        rule.body.iter().any(|literal| {
            let Literal::Positive(atom) = literal else { return false };
            self.whole(atom).is_some_and(|(_, term)| *term == Term::Variable(variable))
        })
    }

    /// The goals of one rule count as goals.
    fn collect_goal(&mut self, origin: RuleId, span: Span) {
        let arguments = vec![Term::Variable(0), Term::Variable(1)];
        let head = Atom { predicate: self.flat.program.predicate("goal", 2), arguments, span };
        let body = vec![Literal::Positive(Atom { predicate: self.goal_of(origin), ..head.clone() })];
        self.push(Some(origin), Rule { head, body, variables: vec!["r".to_owned(), "v".to_owned()], span });
    }

    fn goal_of(&mut self, origin: RuleId) -> PredicateId {
        let predicate = self.flat.program.predicate(&format!("goal {}", origin.index()), 2);
        self.flat.parts.insert(predicate, PredicateMeaning::Goal(origin));
        predicate
    }

    fn add(&mut self, origin: RuleId, variant: Variant) {
        let Variant { rule, constants } = variant;
        let mut head = self.atom(&rule.head);
        if self.program.as_keyword(rule.head.predicate) == Some(Keyword::Goal) {
            head.predicate = self.goal_of(origin);
        }
        let body = rule.body.into_iter().map(|literal| match literal {
            Literal::Positive(atom) => Literal::Positive(self.atom(&atom)),
            Literal::Negative(atom) => Literal::Negative(self.atom(&atom)),
            other => other,
        });
        let mut body: Vec<Literal> = body.collect();
        for variable in constants {
            self.has_guard = true;
            let predicate = self.flat.program.predicate(CONSTANT, 1);
            let arguments = vec![Term::Variable(variable)];
            body.push(Literal::Positive(Atom { predicate, arguments, span: rule.span }));
        }
        self.push(Some(origin), Rule { head, body, ..rule });
    }

    fn push(&mut self, origin: Option<RuleId>, rule: Rule) {
        self.flat.program.rules.push(rule);
        self.flat.origins.push(origin);
    }

    fn atom(&mut self, atom: &Atom) -> Atom {
        let Some((keyword, term)) = self.whole(atom) else {
            let name = self.program.name(atom.predicate);
            let predicate = self.flat.program.predicate(name, atom.arguments.len());
            return Atom { predicate, ..atom.clone() };
        };
        let role = atom.arguments[..atom.arguments.len() - 1].iter().cloned();
        let (signature, arguments): (_, Vec<Term>) = match term {
            Term::Compound(symbol, inner) => {
                (Signature::Function(*symbol, inner.len()), role.chain(inner.iter().cloned()).collect())
            }
            constant => (Signature::Constant, role.chain([constant.clone()]).collect()),
        };
        Atom { predicate: self.flat.part(keyword, signature, arguments.len()), arguments, span: atom.span }
    }

    fn define_constants(&mut self) {
        let predicate = self.flat.program.predicate(CONSTANT, 1);
        let span = Span::new(0, 0);
        for symbol in (0..self.program.symbols.len()).filter_map(SymbolId::new) {
            let head = Atom { predicate, arguments: vec![Term::Constant(symbol)], span };
            self.push(None, Rule { head, body: Vec::new(), variables: Vec::new(), span });
        }
    }
}

impl Flat {
    /// The predicate of one keyword and signature, if any rule has it.
    pub(super) fn find(&self, keyword: Keyword, signature: Signature) -> Option<PredicateId> {
        self.ids.get(&(keyword, signature)).copied()
    }

    /// Whatever is defined can be used.
    fn complete(&mut self) {
        for (predicate, part) in self.parts.clone() {
            let arity = self.program.predicates[predicate.index()].arity;
            match part {
                PredicateMeaning::Term(Keyword::Init | Keyword::Next, signature) => {
                    self.part(Keyword::True, signature, arity);
                }
                PredicateMeaning::Term(Keyword::Legal, signature) => {
                    self.part(Keyword::Does, signature, arity);
                }
                PredicateMeaning::Term(..) | PredicateMeaning::Goal(_) => {}
            }
        }
    }

    /// The predicate of one keyword and signature.
    fn part(&mut self, keyword: Keyword, signature: Signature, arity: usize) -> PredicateId {
        let name = match signature {
            Signature::Constant => format!("{} ", keyword.name()),
            Signature::Function(symbol, _) => {
                format!("{} {}", keyword.name(), self.program.symbols.name(symbol))
            }
        };
        let predicate = self.program.predicate(&name, arity);
        self.parts.insert(predicate, PredicateMeaning::Term(keyword, signature));
        self.ids.insert((keyword, signature), predicate);
        predicate
    }
}

impl Variant {
    /// The variant in which a variable for a whole fluent or move has this signature.
    fn with(&self, variable: usize, signature: Signature, is_open: bool) -> Self {
        let mut variant = self.clone();
        match signature {
            Signature::Constant if is_open => variant.constants.push(variable),
            Signature::Constant => {}
            Signature::Function(symbol, arity) => {
                let first = variant.rule.variables.len();
                let name = variant.rule.variables[variable].clone();
                variant.rule.variables.extend((0..arity).map(|place| format!("{name}.{place}")));
                let arguments = (first..first + arity).map(Term::Variable).collect();
                substitute(&mut variant.rule, variable, &Term::Compound(symbol, arguments));
            }
        }
        variant
    }
}
