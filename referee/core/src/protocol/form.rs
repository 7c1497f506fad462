//! How one seat is written to: its dialect, its notation, and the style of its headers.

use std::{fmt, str::FromStr};

use thiserror::Error;

use super::Notation;

/// Which messages a player understands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// GDL-I: `(PLAY id (move ...))` with the moves of all roles in the order of the rules.
    Gdl1,
    /// GDL-II, official: `(PLAY id turn lastmove (percept ...))`.
    Gdl2,
    /// GDL-II as Dresden had it in 2011: `(PLAY id (percept ...))`.
    Gdl2Of2011,
    /// Stanford, 2017: `(SEES id (percept ...))`.
    Sees,
}

impl Dialect {
    /// Every dialect.
    pub const ALL: [Self; 4] = [Self::Gdl1, Self::Gdl2, Self::Gdl2Of2011, Self::Sees];

    /// Its name, as it is written in options.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Gdl1 => "gdl1",
            Self::Gdl2 => "gdl2",
            Self::Gdl2Of2011 => "gdl2-2011",
            Self::Sees => "sees",
        }
    }
}

/// How the header of a message is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeaderStyle {
    /// As ggp-base does: `Sender: GAMESERVER`, and the receiver's name.
    GameServer,
    /// As the Dresden GameController does: `Sender: Gamecontroller`.
    GameController,
    /// As the specification of 2006 shows it, down to the letters: `Sender: GAMEMASTER`, `Content-length`, all
    /// text in upper case, and the rules as they were written.
    Spec2006,
}

/// How one seat is written to.
///
/// As text it is the dialect, followed by `+infix` and a header style if they are not the default: `gdl2`,
/// `gdl2-2011+infix`, `gdl1+spec-2006`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WireForm {
    /// Which messages.
    pub dialect: Dialect,
    /// How rules and terms are written.
    pub notation: Notation,
    /// How headers are written.
    pub headers: HeaderStyle,
}

impl WireForm {
    /// The default form of messages.
    pub const STANDARD: Self = Self::usual(Dialect::Gdl2);

    /// Prefix text under the headers that referees of this dialect send.
    #[must_use]
    pub const fn usual(dialect: Dialect) -> Self {
        let headers = match dialect {
            Dialect::Gdl2Of2011 => HeaderStyle::GameController,
            Dialect::Gdl1 | Dialect::Gdl2 | Dialect::Sees => HeaderStyle::GameServer,
        };
        Self { dialect, notation: Notation::Prefix, headers }
    }
}

/// A text that names no way of writing.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FormError {
    /// Unknown dialect.
    #[error("unknown dialect {0:?}; known dialects are gdl1, gdl2, gdl2-2011 and sees")]
    Dialect(String),
    /// Unknown option after the dialect.
    #[error(
        "unknown option {0:?}; a dialect can be followed by +infix, +gameserver, +gamecontroller and +spec-2006"
    )]
    Addition(String),
    /// The headers of 2006 come with the messages of 2006.
    #[error("+spec-2006 needs gdl1 in prefix syntax: the specification of 2006 has nothing else")]
    Spec2006,
}

impl FromStr for WireForm {
    type Err = FormError;

    fn from_str(text: &str) -> Result<Self, FormError> {
        let mut words = text.split('+');
        let name = words.next().unwrap_or_default();
        let dialect = Dialect::ALL.into_iter().find(|dialect| dialect.as_str() == name);
        let mut form = Self::usual(dialect.ok_or_else(|| FormError::Dialect(name.to_owned()))?);
        for word in words {
            match word {
                "infix" => form.notation = Notation::Infix,
                "gameserver" => form.headers = HeaderStyle::GameServer,
                "gamecontroller" => form.headers = HeaderStyle::GameController,
                "spec-2006" => form.headers = HeaderStyle::Spec2006,
                other => return Err(FormError::Addition(other.to_owned())),
            }
        }
        let is_of_2006 = form.dialect == Dialect::Gdl1 && form.notation == Notation::Prefix;
        if form.headers == HeaderStyle::Spec2006 && !is_of_2006 { Err(FormError::Spec2006) } else { Ok(form) }
    }
}

impl fmt::Display for WireForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.dialect.as_str())?;
        if self.notation == Notation::Infix {
            f.write_str("+infix")?;
        }
        match self.headers {
            headers if headers == Self::usual(self.dialect).headers => Ok(()),
            HeaderStyle::GameServer => f.write_str("+gameserver"),
            HeaderStyle::GameController => f.write_str("+gamecontroller"),
            HeaderStyle::Spec2006 => f.write_str("+spec-2006"),
        }
    }
}
