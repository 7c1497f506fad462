//! Rules in normal form.

use std::collections::BTreeMap;

use super::Symbols;
use crate::{
    diagnostic::{RulePlace, Span},
    id::{PredicateId, RuleId, SymbolId},
    syntax,
};

/// A rules text in normal form: every body is a conjunction of literals.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// Every name that occurs.
    pub symbols: Symbols,
    /// Every predicate that occurs, in order of first sight.
    pub predicates: Vec<Predicate>,
    /// Facts and rules in file order; a disjunction gives several in a row.
    pub rules: Vec<Rule>,
    pub(super) ids: BTreeMap<(SymbolId, usize), PredicateId>,
}

/// A relation name together with its arity: `p/1` and `p/2` are unrelated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Predicate {
    /// The name.
    pub symbol: SymbolId,
    /// The number of arguments.
    pub arity: usize,
}

/// A head that holds whenever all literals of the body do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// The head.
    pub head: Atom,
    /// What must hold; nothing for a fact.
    pub body: Vec<Literal>,
    /// Names of the variables; a variable is an index into them.
    pub variables: Vec<String>,
    /// The clause it comes from.
    pub span: Span,
}

/// A predicate applied to terms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Atom {
    /// The predicate.
    pub predicate: PredicateId,
    /// As many terms as its arity.
    pub arguments: Vec<Term>,
    /// The location.
    pub span: Span,
}

/// A condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Literal {
    /// The atom holds.
    Positive(Atom),
    /// The atom does not hold.
    Negative(Atom),
    /// The terms are not the same.
    Distinct(Term, Term, Span),
    /// The terms are equal: the remainder of a negated `distinct`.
    Same(Term, Term, Span),
}

/// A term of a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Term {
    /// A variable of the rule.
    Variable(usize),
    /// An object constant.
    Constant(SymbolId),
    /// A function applied to at least one term.
    Compound(SymbolId, Vec<Term>),
}

/// Words that connect conditions and are not relations.
pub(crate) const OPERATORS: [&str; 5] = ["<=", "not", "and", "or", "distinct"];

/// The relations with a meaning in the language.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Keyword {
    /// `role(r)`
    Role,
    /// `init(f)`
    Init,
    /// `true(f)`
    True,
    /// `next(f)`
    Next,
    /// `legal(r, m)`
    Legal,
    /// `does(r, m)`
    Does,
    /// `goal(r, v)`
    Goal,
    /// `terminal`
    Terminal,
    /// `sees(r, p)`
    Sees,
    /// `base(f)`
    Base,
    /// `input(r, m)`
    Input,
    /// `percept(r, p)`
    Percept,
}

impl Keyword {
    /// All of them.
    pub const ALL: [Self; 12] = [
        Self::Role,
        Self::Init,
        Self::True,
        Self::Next,
        Self::Legal,
        Self::Does,
        Self::Goal,
        Self::Terminal,
        Self::Sees,
        Self::Base,
        Self::Input,
        Self::Percept,
    ];

    /// Words that declare something and decide nothing.
    pub const DECLARATIONS: [Self; 3] = [Self::Base, Self::Input, Self::Percept];

    /// Whether an atom is of this relation, with its regular number of arguments.
    pub(crate) fn is_of(self, atom: &syntax::Term) -> bool {
        atom.name() == Some(self.name()) && atom.arguments().len() == self.arity()
    }

    /// How it is written.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Role => "role",
            Self::Init => "init",
            Self::True => "true",
            Self::Next => "next",
            Self::Legal => "legal",
            Self::Does => "does",
            Self::Goal => "goal",
            Self::Terminal => "terminal",
            Self::Sees => "sees",
            Self::Base => "base",
            Self::Input => "input",
            Self::Percept => "percept",
        }
    }

    /// How many arguments it takes.
    #[must_use]
    pub fn arity(self) -> usize {
        match self {
            Self::Terminal => 0,
            Self::Role | Self::Init | Self::True | Self::Next | Self::Base => 1,
            Self::Legal | Self::Does | Self::Goal | Self::Sees | Self::Input | Self::Percept => 2,
        }
    }
}

impl Program {
    /// A program without rules whose constants are those of `symbols`.
    pub(crate) fn with_symbols(symbols: Symbols) -> Self {
        Self { symbols, ..Self::default() }
    }

    /// The predicate with this name and arity, new if it was not known.
    pub(crate) fn predicate(&mut self, name: &str, arity: usize) -> PredicateId {
        let symbol = self.symbols.intern(name);
        let next = PredicateId::new(self.predicates.len()).expect("limits keep predicates few");
        *self.ids.entry((symbol, arity)).or_insert_with(|| {
            self.predicates.push(Predicate { symbol, arity });
            next
        })
    }

    /// The predicate with this name and arity, if it occurs.
    #[must_use]
    pub fn find(&self, name: &str, arity: usize) -> Option<PredicateId> {
        self.ids.get(&(self.symbols.get(name)?, arity)).copied()
    }

    /// The predicate of a keyword, if it occurs with its proper arity.
    #[must_use]
    pub fn keyword(&self, keyword: Keyword) -> Option<PredicateId> {
        self.find(keyword.name(), keyword.arity())
    }

    /// The keyword that a predicate is, if any.
    #[must_use]
    pub fn as_keyword(&self, predicate: PredicateId) -> Option<Keyword> {
        let (name, arity) = (self.name(predicate), self.predicates[predicate.index()].arity);
        Keyword::ALL.into_iter().find(|keyword| keyword.arity() == arity && keyword.name() == name)
    }

    /// The name of a predicate.
    #[must_use]
    pub fn name(&self, predicate: PredicateId) -> &str {
        self.symbols.name(self.predicates[predicate.index()].symbol)
    }

    /// All predicates.
    pub fn predicate_ids(&self) -> impl ExactSizeIterator<Item = PredicateId> + use<> {
        (0..self.predicates.len()).map(|index| PredicateId::new(index).expect("counted when made"))
    }

    /// All rules with their ids.
    pub fn rule_ids(&self) -> impl ExactSizeIterator<Item = RuleId> + use<> {
        (0..self.rules.len()).map(|index| RuleId::new(index).expect("limits keep rules few"))
    }

    /// The location of each rule in the text, and the relation for which it was written: further rules from the same clause were
    /// added for the first one.
    #[must_use]
    pub fn places(&self) -> Vec<RulePlace> {
        let mut written: BTreeMap<Span, PredicateId> = BTreeMap::new();
        let place = |rule: &Rule| {
            let head = *written.entry(rule.span).or_insert(rule.head.predicate);
            RulePlace { relation: self.name(head).into(), span: rule.span }
        };
        self.rules.iter().map(place).collect()
    }
}

impl Literal {
    /// The atom of a positive or negative literal.
    #[must_use]
    pub fn atom(&self) -> Option<&Atom> {
        match self {
            Self::Positive(atom) | Self::Negative(atom) => Some(atom),
            Self::Distinct(..) | Self::Same(..) => None,
        }
    }

    /// The location.
    #[must_use]
    pub fn span(&self) -> Span {
        match self {
            Self::Positive(atom) | Self::Negative(atom) => atom.span,
            Self::Distinct(_, _, span) | Self::Same(_, _, span) => *span,
        }
    }

    /// The terms of the atom or comparison.
    pub fn terms(&self) -> impl Iterator<Item = &Term> {
        let (many, two): (&[Term], _) = match self {
            Self::Positive(atom) | Self::Negative(atom) => (&atom.arguments, None),
            Self::Distinct(left, right, _) | Self::Same(left, right, _) => (&[], Some([left, right])),
        };
        many.iter().chain(two.into_iter().flatten())
    }
}

impl Term {
    /// The constant, or the function that is applied.
    #[must_use]
    pub fn name(&self) -> Option<SymbolId> {
        match self {
            Self::Variable(_) => None,
            Self::Constant(symbol) | Self::Compound(symbol, _) => Some(*symbol),
        }
    }

    /// Whether no variable occurs in it.
    #[must_use]
    pub fn is_ground(&self) -> bool {
        let mut is_ground = true;
        self.for_each_variable(&mut |_| is_ground = false);
        is_ground
    }

    /// Calls `visit` with every occurrence of a variable.
    pub fn for_each_variable(&self, visit: &mut impl FnMut(usize)) {
        match self {
            Self::Variable(variable) => visit(*variable),
            Self::Constant(_) => {}
            Self::Compound(_, arguments) => {
                for argument in arguments {
                    argument.for_each_variable(visit);
                }
            }
        }
    }
}
