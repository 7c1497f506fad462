//! The keys of a session: who holds one may do what it opens. Only digests of them are stored.
//!
//! The key of the host and that of watchers follow from the server's key, so that a request that comes twice is answered alike. The
//! key of a seat does not: it is made when an invitation is exchanged for it, so neither host nor creator can know it. It is also
//! the guest's recovery link: on another device it is exchanged for itself.

use std::collections::BTreeMap;

use actix_web::{
    HttpRequest,
    http::header::{COOKIE, HeaderValue},
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::view::SeatPlace;
use crate::rights::{TokenDigest, shown};

/// How long a browser keeps a key, in seconds: a session that nobody comes back to for so long is forgotten.
const COOKIE_S: u64 = 90 * 24 * 3_600;

/// What the name of every cookie begins with.
const COOKIE_PREFIX: &str = "croupier-";

/// What a key opens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(tag = "opens", rename_all = "snake_case")]
pub(crate) enum Grant {
    /// The controls of the host.
    Host,
    /// What watchers see.
    Watch,
    /// A seat.
    Seat {
        /// Which one.
        place: SeatPlace,
    },
}

impl Grant {
    /// The last part of the name of its cookie: one cookie a seat, so that one browser can hold two.
    fn cookie_part(self) -> String {
        match self {
            Self::Host => "host".to_owned(),
            Self::Watch => "watch".to_owned(),
            Self::Seat { place } => place.to_string(),
        }
    }
}

/// The keys that a request shows.
#[derive(Clone, Debug, Default)]
pub(crate) struct Guest(Vec<TokenDigest>);

impl Guest {
    /// A program: it shows one key, as a bearer.
    pub(crate) fn of_bearer(request: &HttpRequest) -> Self {
        Self(shown(request).into_iter().collect())
    }

    /// A browser: it shows the cookies of a table, which are named after its first session.
    pub(crate) fn of_cookies(request: &HttpRequest, table: &str) -> Self {
        let prefix = format!("{COOKIE_PREFIX}{table}-");
        let digests = cookies(request)
            .filter(|(name, _)| name.starts_with(&prefix))
            .map(|(_, value)| TokenDigest::of(value));
        // More than seats can be is nothing but work.
        Self(digests.take(Self::KEYS_MAX).collect())
    }

    /// Keys of one request that are looked at.
    const KEYS_MAX: usize = 64;

    /// Their digests.
    pub(crate) fn keys(&self) -> &[TokenDigest] {
        &self.0
    }
}

/// The cookies of a request, by name.
pub(crate) fn cookies(request: &HttpRequest) -> impl Iterator<Item = (&str, &str)> {
    let headers = request.headers().get_all(COOKIE).filter_map(|value| value.to_str().ok());
    headers.flat_map(|text| text.split(';')).filter_map(|pair| pair.trim().split_once('='))
}

/// The value of `Set-Cookie` that gives a browser a key of a session: no script can read it, and no other site can send it with a form.
pub(crate) fn key_cookie(table: &str, grant: Grant, secret: &str, is_encrypted: bool) -> HeaderValue {
    set_cookie(&format!("{COOKIE_PREFIX}{table}-{}", grant.cookie_part()), secret, is_encrypted)
}

/// The value of `Set-Cookie` for a name and a value of letters, digits and hyphens.
pub(crate) fn set_cookie(name: &str, value: &str, is_encrypted: bool) -> HeaderValue {
    let secure = if is_encrypted { "; Secure" } else { "" };
    let text = format!("{name}={value}; Path=/; Max-Age={COOKIE_S}; HttpOnly; SameSite=Lax{secure}");
    HeaderValue::from_str(&text).expect("letters, digits and hyphens are a header")
}

/// A key of a seat, and the matches for which it holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SeatKey {
    pub(crate) digest: TokenDigest,
    /// The first match that it opens, from 1.
    pub(crate) from: u64,
    /// The last, if another key has followed.
    pub(crate) until: Option<u64>,
}

impl SeatKey {
    /// Whether it opens this match.
    pub(crate) fn opens(&self, index: u64) -> bool {
        self.from <= index && self.until.is_none_or(|until| index <= until)
    }
}

/// All keys of a session, as far as they open something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SessionKeys {
    /// That of the host's link; it opens nothing once the role was handed on.
    pub(crate) host: TokenDigest,
    /// The seat to which the host's role was handed on.
    pub(crate) host_place: Option<SeatPlace>,
    /// That of the watchers' link.
    pub(crate) watch: TokenDigest,
    /// By place, the keys that its guests have had, the newest last.
    pub(crate) seats: BTreeMap<SeatPlace, Vec<SeatKey>>,
    /// Which match is played now, or will be next.
    pub(crate) index: u64,
}

impl SessionKeys {
    /// The key of a seat that opens a match.
    pub(crate) fn of_hand(&self, place: SeatPlace, index: u64) -> Option<&TokenDigest> {
        let own = self.seats.get(&place)?.iter().rev();
        own.map(|key| (key, key.opens(index))).find(|(_, opens)| *opens).map(|(key, _)| &key.digest)
    }

    /// The key of whoever has a seat now, perhaps from the next match on.
    pub(crate) fn of_seat(&self, place: SeatPlace) -> Option<&TokenDigest> {
        let last = self.seats.get(&place)?.last()?;
        last.until.is_none_or(|until| until >= self.index).then_some(&last.digest)
    }

    /// The key of the host.
    pub(crate) fn of_host(&self) -> &TokenDigest {
        self.host_place.and_then(|place| self.of_seat(place)).unwrap_or(&self.host)
    }

    /// Whether a client that holds some keys has one that opens something of this session, now or earlier.
    pub(crate) fn are_held_by(&self, holds: impl Fn(&TokenDigest) -> bool) -> bool {
        let mut seats = self.seats.values().flatten();
        holds(&self.host) || holds(&self.watch) || seats.any(|key| holds(&key.digest))
    }

    /// What this guest may open now.
    pub(crate) fn grants(&self, guest: &Guest) -> Vec<Grant> {
        let holds = |digest: &TokenDigest| guest.keys().iter().any(|key| key.is(digest));
        let seats = self.seats.keys().copied();
        let own = seats.filter(|place| self.of_seat(*place).is_some_and(holds));
        let mut grants: Vec<Grant> = own.map(|place| Grant::Seat { place }).collect();
        grants.extend(holds(self.of_host()).then_some(Grant::Host));
        grants.extend(holds(&self.watch).then_some(Grant::Watch));
        grants
    }
}
