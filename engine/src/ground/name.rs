//! What the atoms of a ground program say.

use std::{fmt, sync::Arc};

use super::{
    Atom,
    flatten::{Flat, PredicateMeaning},
    signature::Signature,
};
use crate::{
    datalog::{Model, Vocabulary},
    id::{PredicateId, TermId},
    rules::Keyword,
};

/// What the atoms of a ground program say. It holds the model that the atoms were counted in, and makes a
/// name when it is asked for one.
#[derive(Debug)]
pub struct AtomNames {
    model: Model,
    vocabulary: Arc<Vocabulary>,
    /// In order of their first atoms.
    ranges: Vec<AtomRange>,
    atoms_count: usize,
}

/// The atoms of one predicate.
#[derive(Debug)]
struct AtomRange {
    first: Atom,
    predicate: PredicateId,
    subject: Subject,
    /// How the arguments of a fluent or move are put together.
    signature: Option<Signature>,
    symbol: String,
}

/// What an atom is about.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Subject {
    /// One of the language's own relations.
    Keyword(Keyword),
    /// A relation that the rules define.
    Relation(String),
    /// Part of a rule's body, or the goals of one rule: the grounder's own. The name has a blank in it, so no
    /// relation of a rules text is called like this.
    Inner(String),
}

/// What one atom says: a relation of terms, each as printed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct AtomName {
    /// The relation.
    pub subject: Subject,
    /// Its arguments in prefix syntax.
    pub arguments: Vec<String>,
}

impl AtomNames {
    /// Takes the model in which the atoms of each predicate are its rows, from `first` on.
    pub(super) fn new(flat: &Flat, first: &[Option<Atom>], mut model: Model) -> Self {
        let vocabulary = Arc::clone(model.terms().vocabulary());
        let dynamic = flat.program.predicate_ids().zip(first);
        let ranges: Vec<AtomRange> = dynamic
            .filter(|&(predicate, _)| model.len(predicate) > 0)
            .filter_map(|(predicate, &first)| Some(AtomRange::of(flat, predicate, first?)))
            .collect();
        let atoms_count = ranges.iter().map(|range| model.len(range.predicate)).sum();
        Self { model, vocabulary, ranges, atoms_count }
    }

    /// What an atom says.
    ///
    /// # Panics
    /// If there is no such atom.
    #[must_use]
    pub fn name(&self, atom: Atom) -> AtomName {
        assert!((atom as usize) < self.atoms_count, "an atom of the program");
        let behind = self.ranges.partition_point(|range| range.first <= atom);
        let range = &self.ranges[behind - 1];
        let row = self.model.row(range.predicate, (atom - range.first) as usize);
        let mut arguments: Vec<String> =
            row.iter().map(|&raw| self.vocabulary.print(TermId::from_raw(raw))).collect();
        if let (Some(Signature::Function(..)), Subject::Keyword(keyword)) = (range.signature, &range.subject)
        {
            let whole = arguments.split_off(keyword.arity() - 1);
            let parts = std::iter::once(range.symbol.clone()).chain(whole).collect::<Vec<_>>();
            arguments.push(format!("({})", parts.join(" ")));
        }
        AtomName { subject: range.subject.clone(), arguments }
    }
}

impl AtomRange {
    fn of(flat: &Flat, predicate: PredicateId, first: Atom) -> Self {
        let program = &flat.program;
        let name = program.name(predicate).to_owned();
        let (subject, signature) = match (flat.parts.get(&predicate), program.as_keyword(predicate)) {
            (Some(&PredicateMeaning::Term(keyword, signature)), _) => {
                (Subject::Keyword(keyword), Some(signature))
            }
            (Some(PredicateMeaning::Goal(_)), _) => (Subject::Inner(name), None),
            (None, Some(keyword)) => (Subject::Keyword(keyword), None),
            (None, None) if name.contains(' ') => (Subject::Inner(name), None),
            (None, None) => (Subject::Relation(name), None),
        };
        let symbol = match signature {
            Some(Signature::Function(symbol, _)) => program.symbols.name(symbol).to_owned(),
            Some(Signature::Constant) | None => String::new(),
        };
        Self { first, predicate, subject, signature, symbol }
    }
}

impl fmt::Display for AtomName {
    /// In prefix syntax.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match &self.subject {
            Subject::Keyword(keyword) => keyword.name(),
            Subject::Relation(name) | Subject::Inner(name) => name,
        };
        if self.arguments.is_empty() {
            return f.write_str(name);
        }
        write!(f, "({name} {})", self.arguments.join(" "))
    }
}
