//! The variables of a clause in infix text, and their names in prefix syntax.

use rustc_hash::FxHashMap;

use super::{
    name::variable_name,
    token::{Token, TokenKind},
};

/// The variables of one clause. Spellings that differ only in case are different variables in infix.
pub(super) struct Variables<'t> {
    names: FxHashMap<&'t str, String>,
    /// The names that are taken, each with the number that the next one of its kind gets.
    taken: FxHashMap<String, u32>,
    /// The number of the first anonymous variable of a clause: no variable of the text is named so.
    first_anonymous: u64,
    anonymous_count: u64,
}

impl<'t> Variables<'t> {
    pub(super) fn new(text: &str, tokens: &[Token]) -> Self {
        let variables = tokens
            .iter()
            .filter(|token| matches!(token.kind, TokenKind::Variable | TokenKind::PrefixVariable))
            .map(|token| text[token.span.range()].trim_start_matches('?'));
        let numbers = variables.filter_map(|spelling| spelling.strip_prefix('_'));
        let last = numbers.filter_map(|number| number.parse::<u32>().ok()).max().unwrap_or(0);
        Self {
            names: FxHashMap::default(),
            taken: FxHashMap::default(),
            first_anonymous: u64::from(last) + 1,
            anonymous_count: 0,
        }
    }

    /// A new clause has variables of its own.
    pub(super) fn forget(&mut self) {
        self.names.clear();
        self.taken.clear();
        self.anonymous_count = 0;
    }

    /// The name of one more variable without a name.
    pub(super) fn anonymous(&mut self) -> String {
        self.anonymous_count += 1;
        format!("_{}", self.first_anonymous + self.anonymous_count - 1)
    }

    /// The name of a variable, and whether it is another than its spelling says.
    pub(super) fn name(&mut self, spelling: &'t str) -> (String, bool) {
        if let Some(name) = self.names.get(spelling) {
            return (name.clone(), false);
        }
        let plain = variable_name(spelling);
        let mut name = plain.clone();
        while self.taken.contains_key(&name) {
            let number = self.taken.get_mut(&plain).expect("it is taken");
            *number += 1;
            name = format!("{plain}_{number}");
        }
        self.taken.insert(name.clone(), 1);
        self.names.insert(spelling, name.clone());
        let is_renamed = name != plain;
        (name, is_renamed)
    }
}
