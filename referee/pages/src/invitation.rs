//! The page behind an invitation, and what a guest is shown once.

use askama::Template;

/// `/i/TOKEN`. Reading it seats nobody: messengers read links too.
#[derive(Clone, Debug, Template)]
#[template(path = "invitation.html")]
pub struct InvitationPage {
    /// Where the form goes: the address of the invitation.
    pub address: String,
    /// What is played.
    pub title: String,
    /// Who invites.
    pub host: Option<String>,
    /// Who sits at the table.
    pub seated: Vec<String>,
    /// Whether the link is for somebody who watches.
    pub is_for_watching: bool,
    /// Whether a name is asked for: whoever comes back has one.
    pub needs_name: bool,
    /// Longest name that is taken, in characters.
    pub name_max: usize,
    /// The name that was asked for last.
    pub name: String,
    /// What was wrong with it.
    pub trouble: Option<String>,
    /// What the form must carry to be the reader's own.
    pub csrf: String,
    /// Which exchange it is: a form that comes twice seats once.
    pub key: String,
}

/// What a guest is shown on joining, and never again.
#[derive(Clone, Debug, Template)]
#[template(path = "welcome.html")]
pub struct WelcomePage {
    /// The link that brings the guest back to the seat from another device.
    pub recovery: String,
    /// Where the table is.
    pub table: String,
    /// What is played.
    pub title: String,
}
