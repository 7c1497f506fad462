//! Push mode, in which a player is an HTTP server: the messages of the referee and how to parse them, without I/O.
//!
//! [`compose`] turns what a role is told into the text of a dialect, [`http_request`] adds the HTTP header,
//! and [`read_message`] is the player's side. Only [`view`](crate::view) decides what a message says; this module
//! only serialises it.
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

/// A player's reply to START and PREVIEW.
pub const READY: &str = "READY";
