//! Rules that only set lifetimes and keep them, as rules without lifetimes: those can become a network.
//!
//! Most rules only start a clock or leave it running: they form a timed automaton. Then what holds next does
//! not depend on remaining times, but on what holds, what is endless and what has just expired. The rules
//! are rewritten to say for each fluent whether it *holds*, whether it is *endless*, and, of what comes next, whether it is
//! *fresh*, with a new lifetime, or *carried*, with the lifetime of another fluent. The clocks themselves are kept beside the network.

use crate::{
    check::CheckedRules,
    diagnostic::Span,
    id::PredicateId,
    lifetime::INFINITY,
    rules::{Atom, EXPIRED, Keyword, LASTING, Literal, Program, Rule, Term},
};

/// The functions of fluents in rewritten rules, and the relations of what comes next. They contain a space, which no name in a text can.
pub(super) const HOLDS: &str = "holding fluent";
pub(super) const ENDLESS: &str = "endless fluent";
pub(super) const FRESH: &str = "fresh fluent";
pub(super) const CARRIED: &str = "carried fluent";

/// The rules without lifetimes.
///
/// # Errors
/// The location of a rule that uses a lifetime in another way.
pub(super) fn with_clocks(rules: &CheckedRules) -> Result<CheckedRules, Span> {
    let mut program = rules.program().clone();
    let written = std::mem::take(&mut program.rules);
    let mut rewriting = ClockRewriting::new(program);
    for rule in written {
        rewriting.rule(rule)?;
    }
    rewriting.add_consequences();
    Ok(rules.with_program(rewriting.program))
}

struct ClockRewriting {
    program: Program,
    next: PredicateId,
    init: PredicateId,
    truth: PredicateId,
    fresh: PredicateId,
    carried: PredicateId,
}

/// What a rule's head specifies about the lifetime of its fluent.
enum Clock {
    /// It is set.
    Set(Term),
    /// It is that of another fluent.
    Kept(Term),
}

impl ClockRewriting {
    fn new(mut program: Program) -> Self {
        let [next, init, truth] =
            [Keyword::Next, Keyword::Init, Keyword::True].map(|word| program.predicate(word.name(), 1));
        let fresh = program.predicate(FRESH, 2);
        let carried = program.predicate(CARRIED, 2);
        Self { program, next, init, truth, fresh, carried }
    }

    fn rule(&mut self, mut rule: Rule) -> Result<(), Span> {
        let lasting = self.lasting(&rule.head);
        let clock = match &lasting {
            Some((lifetime, _)) => Some(self.clock(&rule, lifetime)?),
            None => None,
        };
        let carrier = match (&lasting, &clock) {
            (Some((Term::Variable(variable), _)), Some(Clock::Kept(_))) => Some(*variable),
            _ => None,
        };
        let counts = occurrences(&rule);
        for literal in &mut rule.body {
            let span = literal.span();
            let (Literal::Positive(atom) | Literal::Negative(atom)) = literal else { continue };
            let Some((lifetime, fluent)) = self.lasting(atom) else { continue };
            let function = match &lifetime {
                Term::Variable(variable) if Some(*variable) == carrier || counts[*variable] == 1 => HOLDS,
                Term::Constant(symbol) if self.program.symbols.name(*symbol) == INFINITY => ENDLESS,
                _ => return Err(span),
            };
            atom.arguments = vec![self.fluent(function, fluent)];
        }
        let Some(((lifetime, fluent), clock)) = lasting.zip(clock) else {
            self.program.rules.push(rule);
            return Ok(());
        };
        if rule.head.predicate == self.init {
            self.add_initial(&rule, lifetime, fluent);
            return Ok(());
        }
        let (predicate, from) = match clock {
            Clock::Set(lifetime) => (self.fresh, lifetime),
            Clock::Kept(other) => (self.carried, other),
        };
        rule.head = Atom { predicate, arguments: vec![from, fluent], span: rule.head.span };
        self.program.rules.push(rule);
        Ok(())
    }

    /// The effect of a head with this lifetime on the clock of its fluent.
    fn clock(&self, rule: &Rule, lifetime: &Term) -> Result<Clock, Span> {
        let Term::Variable(variable) = lifetime else { return Ok(Clock::Set(lifetime.clone())) };
        let sources: Vec<Term> = rule
            .body
            .iter()
            .filter_map(|literal| match literal {
                Literal::Positive(atom) => self.lasting(atom),
                _ => None,
            })
            .filter(|(time, _)| time == lifetime)
            .map(|(_, fluent)| fluent)
            .collect();
        match sources.as_slice() {
            [] => Ok(Clock::Set(lifetime.clone())),
            [other] if occurrences(rule)[*variable] == 2 => Ok(Clock::Kept(other.clone())),
            _ => Err(rule.span),
        }
    }

    /// Lifetime and fluent of an atom that has both.
    fn lasting(&self, atom: &Atom) -> Option<(Term, Term)> {
        match atom.arguments.as_slice() {
            [Term::Compound(function, parts)] if self.program.symbols.name(*function) == LASTING => {
                Some((parts[0].clone(), parts[1].clone()))
            }
            _ => None,
        }
    }

    fn fluent(&mut self, function: &str, fluent: Term) -> Term {
        Term::Compound(self.program.symbols.intern(function), vec![fluent])
    }

    fn infinity(&mut self) -> Term {
        Term::Constant(self.program.symbols.intern(INFINITY))
    }

    /// The fluents that hold, and those that are endless, in the initial state.
    fn add_initial(&mut self, rule: &Rule, lifetime: Term, fluent: Term) {
        let head =
            |function: Term| Atom { predicate: self.init, arguments: vec![function], span: rule.head.span };
        let (mut holding, mut endless) = (rule.clone(), rule.clone());
        let holds = self.program.symbols.intern(HOLDS);
        let ends_not = self.program.symbols.intern(ENDLESS);
        holding.head = head(Term::Compound(holds, vec![fluent.clone()]));
        endless.head = head(Term::Compound(ends_not, vec![fluent]));
        let infinity = self.infinity();
        self.program.rules.push(holding);
        if matches!(lifetime, Term::Constant(_)) && lifetime != infinity {
            return;
        }
        if lifetime != infinity {
            endless.body.push(Literal::Same(lifetime, infinity, rule.span));
        }
        self.program.rules.push(endless);
    }

    /// The consequences of a clock that is set or kept.
    fn add_consequences(&mut self) {
        let variables = [Term::Variable(0), Term::Variable(1)];
        let [from, to] = &variables;
        let holds = self.fluent(HOLDS, to.clone());
        let endless = self.fluent(ENDLESS, to.clone());
        let was_endless = self.fluent(ENDLESS, from.clone());
        let held = self.fluent(HOLDS, from.clone());
        let expired = self.fluent(EXPIRED, from.clone());
        let infinity = self.infinity();
        let relation = |predicate, from: &Term| atom(predicate, vec![from.clone(), to.clone()]);
        let fresh = Literal::Positive(relation(self.fresh, from));
        let carried = Literal::Positive(relation(self.carried, from));
        let is_endless = Literal::Positive(atom(self.truth, vec![was_endless]));
        let symbols = &mut self.program.symbols;
        let [sets, keeps] =
            [FRESH, CARRIED].map(|name| Term::Compound(symbols.intern(name), variables.to_vec()));
        let rules = [
            (holds.clone(), vec![fresh.clone()]),
            (holds, vec![carried.clone()]),
            (endless.clone(), vec![Literal::Positive(relation(self.fresh, &infinity))]),
            (endless, vec![carried.clone(), is_endless]),
            (sets, vec![fresh]),
            (keeps, vec![carried]),
            // What holds may have expired in the next state: that it is one of these is all that this rule is for.
            (expired, vec![Literal::Positive(atom(self.truth, vec![held]))]),
        ];
        for (fluent, body) in rules {
            let variables = vec!["from".to_owned(), "to".to_owned()];
            let head = atom(self.next, vec![fluent]);
            self.program.rules.push(Rule { head, body, variables, span: NOWHERE });
        }
    }
}

const NOWHERE: Span = Span { start: 0, end: 0 };

fn atom(predicate: PredicateId, arguments: Vec<Term>) -> Atom {
    Atom { predicate, arguments, span: NOWHERE }
}

/// How often each variable of a rule occurs.
fn occurrences(rule: &Rule) -> Vec<usize> {
    let mut counts = vec![0; rule.variables.len()];
    let terms = rule.head.arguments.iter().chain(rule.body.iter().flat_map(Literal::terms));
    for term in terms {
        term.for_each_variable(&mut |variable| counts[variable] += 1);
    }
    counts
}
