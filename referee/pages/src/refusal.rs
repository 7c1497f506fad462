//! The page that says why there is no other.

use askama::Template;

/// Why there is no page.
#[derive(Clone, Copy, Debug, Template)]
#[template(path = "refusal.html")]
pub struct RefusalPage<'r> {
    /// The status of the response.
    pub status: u16,
    /// What it means.
    pub title: &'r str,
    /// What is wrong, and what to do.
    pub detail: &'r str,
}

/// The same as a part of a page, for a form that a script sent.
#[derive(Clone, Copy, Debug, Template)]
#[template(source = "<p class=\"note error\">{{ text }}</p>", ext = "html")]
pub struct RefusalNotice<'n> {
    /// What is wrong, and what to do.
    pub text: &'n str,
}
