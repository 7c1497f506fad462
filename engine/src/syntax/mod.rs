//! Rules text to [`Description`] and back.
//!
//! The description says what was written, with the place of everything; whether it is a game is
//! decided later. Names are lower case; the original spelling is in the text at the span.

mod ast;
mod description;
mod form;
mod print;

use std::borrow::Cow;

pub use ast::{Clause, Description, Formula, Term, TermKind};
pub use description::{read_ground_term, read_prefix};
pub use print::{print_clause, print_description, print_formula, print_term};

/// The text in `bytes`: UTF-8 if it is that, else every byte as the Latin-1 character it is.
#[must_use]
pub fn decode(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text.trim_start_matches('\u{feff}')),
        Err(_) => Cow::Owned(bytes.iter().map(|&byte| char::from(byte)).collect()),
    }
}
