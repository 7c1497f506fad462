//! Push mode, where a player is an HTTP server: what the referee writes to it and how it is read, without I/O.
//!
//! [`compose`] turns what a role is told into the text of a dialect, [`http_request`] puts the header before it,
//! and [`read_message`] is the player's side. What a message says is decided in [`view`](crate::view) alone; here it
//! is only written down.
//!
//! # Sources
//! Love, Hinrichs, Haley, Schkufza and Genesereth, *General Game Playing: Game Description Language Specification*
//! (LG-2006-01), section 8 and appendix B; the protocol page of the Dresden GameController for GDL-II; the
//! messages of ggp-base; the Stanford notes, chapter 3, for messages in infix.

mod compose;
mod form;
mod incoming;
mod items;
mod notation;
#[cfg(test)]
mod tests;

pub use compose::{ComposeError, check_form, compose, http_request, reply_to_prefix};
pub use form::{Dialect, FormError, HeaderStyle, WireForm};
pub use incoming::{Incoming, MessageError, Notice, Told, read_message};
pub(crate) use items::prefix_items;
pub use notation::Notation;

/// What a player answers to START and PREVIEW.
pub const READY: &str = "READY";
