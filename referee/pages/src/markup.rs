//! Text that is HTML already, and how pages become such text.

use std::fmt;

use askama::{FastWritable, NO_VALUES, Template, Values, filters::HtmlSafe};
use thiserror::Error;

/// HTML that was escaped where it was made: what a template of this package or a picture gives. It goes into a page as it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Markup(String);

impl Markup {
    /// Takes HTML from a source that escapes every text that it did not write itself.
    #[must_use]
    pub fn trusted(html: String) -> Self {
        Self(html)
    }

    /// The HTML.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether there is nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl fmt::Display for Markup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl HtmlSafe for Markup {}

impl FastWritable for Markup {
    fn write_into(&self, dest: &mut dyn fmt::Write, _: &dyn Values) -> askama::Result<()> {
        Ok(dest.write_str(&self.0)?)
    }
}

/// Why a page could not be written: one of its values cannot be printed.
#[derive(Debug, Error)]
#[error("the page cannot be written: {0}")]
pub struct PageError(#[from] askama::Error);

/// A page, or a part of one, as HTML.
///
/// # Errors
/// [`PageError`] if one of its values cannot be printed.
pub fn render(page: &impl Template) -> Result<String, PageError> {
    Ok(page.render_with_values(NO_VALUES)?)
}
