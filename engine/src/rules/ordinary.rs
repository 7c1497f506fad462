//! Words that came later than the first specification, used as ordinary relations.
//!
//! LG-2006-01 reserves neither `base`, `input`, `percept` nor `sees`, and old rules have relations such as
//! `(base white 3)`.

use std::collections::BTreeSet;

use super::Keyword;
use crate::syntax::{Clause, Term};

/// The words that the specification of 2006 does not reserve.
const LATER: [Keyword; 4] = [Keyword::Sees, Keyword::Base, Keyword::Input, Keyword::Percept];

/// The later keywords that a text uses as ordinary relations: the text has no `random` and no `sees` with two arguments, never
/// gives the keyword its regular number of arguments, and both defines and uses it with another one.
pub(crate) fn ordinary_words(clauses: &[Clause]) -> Vec<Keyword> {
    let heads = clauses.iter().map(|clause| &clause.head);
    let is_random = |head: &Term| {
        head.name() == Some("role") && head.arguments().iter().any(|role| role.name() == Some("random"))
    };
    if heads.clone().any(|head| is_random(head) || Keyword::Sees.is_of(head)) {
        return Vec::new();
    }
    let mut asked = Vec::new();
    for clause in clauses {
        clause.body.iter().for_each(|formula| formula.for_each_atom(&mut |atom| asked.push(atom)));
    }
    let is_ordinary = |keyword: &Keyword| {
        let arities = |atoms: &mut dyn Iterator<Item = &Term>| -> BTreeSet<usize> {
            let named = atoms.filter(|atom| atom.name() == Some(keyword.name()));
            named.map(|atom| atom.arguments().len()).collect()
        };
        let concluded = arities(&mut heads.clone());
        let asked = arities(&mut asked.iter().copied());
        !concluded.is_empty() && concluded == asked && !concluded.contains(&keyword.arity())
    };
    LATER.into_iter().filter(is_ordinary).collect()
}
