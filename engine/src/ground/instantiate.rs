//! Rows of the relaxed model to ground rules.

use std::collections::BTreeMap;

use super::{
    GroundProgram,
    flatten::{Flat, PredicateMeaning},
    program::{Atom, GroundFluent, GroundLiteral, GroundMove},
    relax::{Relaxed, Template},
    signature::Signature,
};
use crate::{
    datalog::Model,
    diagnostic::RulePlace,
    id::{PredicateId, RuleId, TermId},
    limits::LimitError,
    rules::{self, Keyword, Literal, Term},
};

/// Makes a ground program from a relaxed model.
pub(super) struct Instantiation<'m> {
    flat: &'m Flat,
    relaxed: &'m Relaxed,
    model: &'m mut Model,
    /// The first atom of each dynamic predicate.
    first: Vec<Option<Atom>>,
    atoms_count: usize,
    /// Head and literals of each rule, in order of the templates.
    heads: Vec<Atom>,
    first_literal: Vec<u32>,
    literals: Vec<GroundLiteral>,
}

impl<'m> Instantiation<'m> {
    /// Numbers the atoms.
    pub(super) fn new(flat: &'m Flat, relaxed: &'m Relaxed, model: &'m mut Model) -> Self {
        let mut first = Vec::new();
        let mut atoms_count = 0;
        for predicate in flat.program.predicate_ids() {
            let is_dynamic = relaxed.is_dynamic[predicate.index()];
            first.push(is_dynamic.then(|| number(atoms_count)));
            if is_dynamic {
                atoms_count += model.len(predicate);
            }
        }
        Self {
            flat,
            relaxed,
            model,
            first,
            atoms_count,
            heads: Vec::new(),
            first_literal: vec![0],
            literals: Vec::new(),
        }
    }

    /// The first atom of each predicate that the state or the moves decide.
    pub(super) fn first_atoms(&self) -> &[Option<Atom>] {
        &self.first
    }

    /// Creates all rules, and names the atoms that a game needs.
    ///
    /// # Errors
    /// [`LimitError`] if the game has no room for that many fluents and moves.
    pub(super) fn finish(mut self, roles: &[TermId]) -> Result<GroundProgram, LimitError> {
        let relaxed = self.relaxed;
        for template in &relaxed.templates {
            self.instances(template);
        }
        let mut program = GroundProgram {
            atoms_count: self.atoms_count,
            fluents: self.fluents()?,
            moves: roles.iter().map(|&role| self.moves(role)).collect::<Result<_, _>>()?,
            terminal: self
                .flat
                .program
                .keyword(Keyword::Terminal)
                .and_then(|terminal| self.atom(terminal, &[])),
            goals: roles.iter().map(|&role| self.goals(role)).collect(),
            sees: roles.iter().map(|&role| self.sees(role)).collect(),
            ..GroundProgram::default()
        };
        self.sort_rules(&mut program);
        Ok(program)
    }

    /// The ground rules of one template.
    fn instances(&mut self, template: &Template) {
        let rule = &self.flat.program.rules[template.rule.index()];
        let mut places = vec![usize::MAX; rule.variables.len()];
        for (column, &variable) in template.columns.iter().enumerate() {
            places[variable] = column;
        }
        let dynamic: Vec<(&rules::Atom, bool)> = rule
            .body
            .iter()
            .filter_map(|literal| Some((literal.atom()?, matches!(literal, Literal::Negative(_)))))
            .filter(|(atom, _)| self.relaxed.is_dynamic[atom.predicate.index()])
            .collect();
        let mut values = vec![0; template.columns.len()];
        for row in 0..self.model.len(template.instances) {
            values.copy_from_slice(self.model.row(template.instances, row));
            let value = |variable: usize| values[places[variable]];
            let start = self.literals.len();
            for &(atom, is_negative) in &dynamic {
                // What can never hold is denied for nothing.
                if let Some(atom) = self.ground(atom, &value) {
                    self.literals.push(GroundLiteral::new(atom, is_negative));
                }
            }
            self.literals[start..].sort_unstable();
            let head = self.ground(&rule.head, &value).expect("the head of an instance was derived with it");
            self.heads.push(head);
            self.first_literal.push(number(self.literals.len()));
        }
    }

    /// The atom that an atom of a rule is for these values, if it can ever hold.
    fn ground(&mut self, atom: &rules::Atom, value: &impl Fn(usize) -> u32) -> Option<Atom> {
        let row: Option<Vec<u32>> = atom.arguments.iter().map(|term| self.term(term, value)).collect();
        self.atom(atom.predicate, &row?)
    }

    fn term(&mut self, term: &Term, value: &impl Fn(usize) -> u32) -> Option<u32> {
        match term {
            Term::Variable(variable) => Some(value(*variable)),
            Term::Constant(symbol) => Some(number(symbol.index())),
            Term::Compound(symbol, arguments) => {
                let arguments: Option<Vec<u32>> =
                    arguments.iter().map(|argument| self.term(argument, value)).collect();
                self.model.terms().find(*symbol, arguments?.into_iter()).map(TermId::raw)
            }
        }
    }

    fn atom(&mut self, predicate: PredicateId, row: &[u32]) -> Option<Atom> {
        let first = self.first[predicate.index()]?;
        Some(first + self.model.find(predicate, row)?)
    }

    /// Every fluent that can be true, in canonical order.
    fn fluents(&mut self) -> Result<Vec<GroundFluent>, LimitError> {
        let mut fluents = Vec::new();
        for (now, signature) in self.parts(Keyword::True) {
            let [next, init] =
                [Keyword::Next, Keyword::Init].map(|keyword| self.flat.find(keyword, signature));
            for row in self.rows(now) {
                let term = self.compose(signature, &row).map_err(|limit| self.at(limit, next.or(init)))?;
                let now = self.atom(now, &row).expect("its own row");
                let next = next.and_then(|next| self.atom(next, &row));
                let is_initial = init.is_some_and(|init| self.model.find(init, &row).is_some());
                fluents.push(GroundFluent { term, now, next, is_initial });
            }
        }
        self.sort(&mut fluents, |fluent| fluent.term);
        Ok(fluents)
    }

    fn moves(&mut self, role: TermId) -> Result<Vec<GroundMove>, LimitError> {
        let mut moves = Vec::new();
        for (legal, signature) in self.parts(Keyword::Legal) {
            let does = self.flat.find(Keyword::Does, signature);
            for row in self.rows(legal) {
                let Some(does) = does.filter(|_| row[0] == role.raw()) else { continue };
                let composed = self.compose(signature, &row[1..]);
                let term = composed.map_err(|limit| self.at(limit, Some(legal)))?;
                let legal = self.atom(legal, &row).expect("its own row");
                let does = self.atom(does, &row).expect("what is legal for a role can be played");
                moves.push(GroundMove { term, does, legal });
            }
        }
        self.sort(&mut moves, |found| found.term);
        Ok(moves)
    }

    /// The goals of a role: by rule, then by the value's print.
    fn goals(&mut self, role: TermId) -> Vec<(TermId, Atom)> {
        let mut by_rule: BTreeMap<RuleId, Vec<(TermId, Atom)>> = BTreeMap::new();
        for (&predicate, &part) in &self.flat.parts {
            let PredicateMeaning::Goal(rule) = part else { continue };
            let goals = self.told(predicate, role);
            by_rule.entry(rule).or_default().extend(goals);
        }
        by_rule.into_values().flatten().collect()
    }

    fn sees(&mut self, role: TermId) -> Vec<(TermId, Atom)> {
        let sees = self.flat.program.keyword(Keyword::Sees);
        sees.map(|sees| self.told(sees, role)).unwrap_or_default()
    }

    /// The second arguments that a predicate can have with a role as the first, in canonical order.
    fn told(&mut self, predicate: PredicateId, role: TermId) -> Vec<(TermId, Atom)> {
        let Some(first) = self.first[predicate.index()] else { return Vec::new() };
        let rows = self.model.rows(predicate).zip(first..).filter(|(row, _)| row[0] == role.raw());
        let mut told: Vec<_> = rows.map(|(row, atom)| (TermId::from_raw(row[1]), atom)).collect();
        self.sort(&mut told, |(term, _)| *term);
        told
    }

    fn parts(&self, wanted: Keyword) -> Vec<(PredicateId, Signature)> {
        let parts = self.flat.parts.iter().filter_map(|(&predicate, &part)| match part {
            PredicateMeaning::Term(keyword, signature) if keyword == wanted => Some((predicate, signature)),
            PredicateMeaning::Term(..) | PredicateMeaning::Goal(_) => None,
        });
        parts.collect()
    }

    fn rows(&self, predicate: PredicateId) -> Vec<Vec<u32>> {
        self.model.rows(predicate).map(<[u32]>::to_vec).collect()
    }

    /// The whole fluent or move from its columns.
    fn compose(&mut self, signature: Signature, columns: &[u32]) -> Result<TermId, LimitError> {
        match signature {
            Signature::Constant => Ok(TermId::from_raw(columns[0])),
            Signature::Function(symbol, _) => self.model.terms().intern(symbol, columns.iter().copied()),
        }
    }

    /// A limit that was reached by terms of a relation, at the first rule that concludes it.
    fn at(&self, limit: LimitError, head: Option<PredicateId>) -> LimitError {
        let program = &self.flat.program;
        let rule = program.rules.iter().find(|rule| Some(rule.head.predicate) == head);
        let keyword = head.and_then(|head| match self.flat.parts.get(&head)? {
            PredicateMeaning::Term(keyword, _) => Some(keyword.name()),
            PredicateMeaning::Goal(_) => None,
        });
        match rule.zip(keyword) {
            Some((rule, relation)) => limit.by(RulePlace { relation: relation.into(), span: rule.span }),
            None => limit,
        }
    }

    fn sort<T>(&mut self, values: &mut [T], term: impl Fn(&T) -> TermId) {
        let vocabulary = self.model.terms().vocabulary();
        values.sort_by_cached_key(|value| vocabulary.print(term(value)));
    }

    /// Groups the rules by head, keeping no rule twice.
    fn sort_rules(self, program: &mut GroundProgram) {
        let body = |rule: u32| {
            let rule = rule as usize;
            &self.literals[self.first_literal[rule] as usize..self.first_literal[rule + 1] as usize]
        };
        let mut order: Vec<u32> = (0..number(self.heads.len())).collect();
        order.sort_unstable_by(|&one, &other| {
            let key = |rule: u32| (self.heads[rule as usize], body(rule));
            key(one).cmp(&key(other))
        });
        order.dedup_by(|one, other| {
            self.heads[*one as usize] == self.heads[*other as usize] && body(*one) == body(*other)
        });
        program.first_literal.push(0);
        for &rule in &order {
            program.literals.extend_from_slice(body(rule));
            program.first_literal.push(number(program.literals.len()));
        }
        let mut rules = order.iter().enumerate().peekable();
        for head in 0..=number(self.atoms_count) {
            while rules.next_if(|(_, rule)| self.heads[**rule as usize] < head).is_some() {}
            let begin = rules.peek().map_or(order.len(), |(place, _)| *place);
            program.first_body.push(number(begin));
        }
    }
}

fn number(count: usize) -> u32 {
    u32::try_from(count).expect("limits keep what is ground below 2^32")
}
