//! The pages of a referee in HTML: from plain data to text.
//!
//! Every page is a struct with a template, which is compiled with the program. A template shows what its struct holds and decides
//! nothing: what somebody may see was decided when the struct was filled. All texts are escaped; only [`Markup`], which other
//! templates and pictures are made of, goes in as it is.
//!
//! A page works without scripts: moves are forms, links are links. With scripts its panels change by themselves: a stream sends
//! [`Panel`]s, and the page replaces those that have changed. No page needs inline scripts, inline styles or `eval`, and none
//! loads anything from elsewhere: [`assets`] are part of the program.
//!
//! This package is pure: no clock, no entropy, no I/O, no log.
//!
//! ```
//! use croupier_pages::{RefusalPage, render};
//!
//! let page = RefusalPage { status: 404, title: "Not found", detail: "there is no table <b>7</b>" };
//! let html = render(&page)?;
//! assert!(html.starts_with("<!doctype html>"));
//! assert!(html.contains("there is no table &#60;b&#62;7"));
//! # Ok::<(), croupier_pages::PageError>(())
//! ```
#![forbid(unsafe_code)]

mod markup;
pub mod assets;
mod code;
mod games;
mod rules;
mod lobby;
mod opening;
mod invitation;
mod session;
mod story;
mod table;
mod replay;
mod people;
mod refusal;

pub use code::code;
pub use games::{GameCard, GamePage, GamesPage, NamedValue};
pub use invitation::{InvitationPage, WelcomePage};
pub use lobby::{LobbyPage, OpenTable};
pub use markup::{Markup, PageError, render};
pub use opening::{AgentOffer, NewTablePage, TableForm, TableGame};
pub use people::{CrossLine, FixtureLine, PlayedLine, PlayerPage, RatingLine, StandingLine, TournamentPage};
pub use refusal::{RefusalNotice, RefusalPage};
pub use replay::{ReplayPage, ReplayStep};
pub use rules::{RulesLine, RulesNote, RulesPage, rules_lines};
pub use session::{
    ChatPanel, ChatRow, HandRow, HostPanel, HostSeat, NextSession, SeatRow, SessionPanel, SharedLink,
    TableControl,
};
pub use story::{ToldTurn, turn_text};
pub use table::{ClockPanel, MovesPanel, Panel, Panels, StoryLine, StoryPanel, TablePage};
