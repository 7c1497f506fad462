//! Parses the text of rules to a [`Description`] and prints it back, in two syntaxes.
//!
//! *Prefix* is the syntax in which the game description language is defined, S-expressions; *infix* is that of the
//! Stanford chapter and of Prolog. Both give the same [`Description`]: what was written, with the location of
//! every part; later stages decide whether it is a game. Names are lower case; the original spelling is in the
//! text at the span.
//!
//! [`read`] detects the syntax of a text. The parser for prefix text splits it into forms, with an explicit stack, and
//! turns each into a clause; every mistake becomes a diagnostic with a byte span.

mod ast;
mod comment;
mod commentary;
mod encoding;
mod excess;
mod form;
mod infix;
mod piece;
mod prefix;
mod print;
mod reading;

pub use ast::{Clause, Description, Formula, Term, TermKind};
pub use comment::Comment;
pub use encoding::{Decoded, decode};
pub use infix::{print_infix, print_infix_clause, print_infix_commented, read_infix};
pub use prefix::{read_ground_term, read_prefix};
pub use print::{print_clause, print_commented, print_description, print_formula, print_term};
pub use reading::{Reading, Syntax, read};
