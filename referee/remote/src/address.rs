//! The address of a player.

use std::{fmt, str::FromStr};

use thiserror::Error;

/// The default port: the usual one of general game players.
const PORT: u16 = 9147;

/// The address of a player: `http://host:port`, in which `http://` may be left out.
///
/// ```
/// use croupier_remote::{AddressError, PlayerAddress};
///
/// let address: PlayerAddress = "http://player.example".parse()?;
/// assert_eq!((address.host(), address.port()), ("player.example", 9147));
/// assert_eq!("https://player.example".parse::<PlayerAddress>(), Err(AddressError::Scheme));
/// # Ok::<(), AddressError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PlayerAddress {
    /// A name or an address; of version 6 without brackets.
    host: String,
    port: u16,
}

/// A text that is not an address of a player.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum AddressError {
    /// It does not begin as one.
    #[error("a player's address must start with http://; the protocol has no TLS")]
    Scheme,
    /// It has a user or a password in it, which would be in the record.
    #[error("a player's address cannot have a user or password: the protocol does not support them")]
    User,
    /// It has a path, which the protocol does not send.
    #[error("a player's address must end with the port: messages are posted to /")]
    Path,
    /// There is no host, or one with invalid characters.
    #[error("the address has no host; write it like http://127.0.0.1:{PORT}")]
    Host,
    /// The port is not a number from 1 to 65535.
    #[error("a port must be a number from 1 to 65535")]
    Port,
}

impl PlayerAddress {
    /// How an address begins.
    pub const SCHEME: &'static str = "http://";

    /// The host, without brackets.
    #[must_use]
    pub fn host(&self) -> &str {
        &self.host
    }

    /// The port.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.port
    }
}

impl FromStr for PlayerAddress {
    type Err = AddressError;

    fn from_str(text: &str) -> Result<Self, AddressError> {
        // Whoever leaves the scheme out means the only one there is.
        let rest = match text.split_once("://") {
            None => text,
            Some(_) => text.strip_prefix(Self::SCHEME).ok_or(AddressError::Scheme)?,
        };
        if rest.contains('@') {
            return Err(AddressError::User);
        }
        let rest = rest.strip_suffix('/').unwrap_or(rest);
        if rest.contains(['/', '?', '#']) {
            return Err(AddressError::Path);
        }
        let (host, port) = match rest.strip_prefix('[') {
            Some(bracketed) => {
                let (host, port) = bracketed.split_once(']').ok_or(AddressError::Host)?;
                let port = if port.is_empty() {
                    None
                } else {
                    Some(port.strip_prefix(':').ok_or(AddressError::Port)?)
                };
                (host, port)
            }
            None => rest.split_once(':').map_or((rest, None), |(host, port)| (host, Some(port))),
        };
        let is_host = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_' | ':');
        if host.is_empty() || !host.chars().all(is_host) {
            return Err(AddressError::Host);
        }
        let port = match port {
            None => PORT,
            Some(text) => text.parse().ok().filter(|&port| port > 0).ok_or(AddressError::Port)?,
        };
        Ok(Self { host: host.to_owned(), port })
    }
}

impl fmt::Display for PlayerAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.host.contains(':') {
            write!(f, "{}[{}]:{}", Self::SCHEME, self.host, self.port)
        } else {
            write!(f, "{}{}:{}", Self::SCHEME, self.host, self.port)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read_and_written() {
        for (text, written) in [
            ("http://127.0.0.1:9147", "http://127.0.0.1:9147"),
            ("http://player.example/", "http://player.example:9147"),
            ("http://[::1]:80", "http://[::1]:80"),
            ("http://[::1]", "http://[::1]:9147"),
            ("127.0.0.1:9147", "http://127.0.0.1:9147"),
            ("player.example", "http://player.example:9147"),
        ] {
            assert_eq!(
                text.parse::<PlayerAddress>().map(|address| address.to_string()).as_deref(),
                Ok(written)
            );
        }
        for (text, error) in [
            ("ftp://x:1", AddressError::Scheme),
            ("https://x:1", AddressError::Scheme),
            ("http://me:secret@x:1", AddressError::User),
            ("http://x:1/play", AddressError::Path),
            ("http://:1", AddressError::Host),
            ("http://a b", AddressError::Host),
            ("http://x:0", AddressError::Port),
            ("http://x:99999", AddressError::Port),
            ("http://[::1]9", AddressError::Port),
        ] {
            assert_eq!(text.parse::<PlayerAddress>(), Err(error), "{text}");
        }
    }
}
