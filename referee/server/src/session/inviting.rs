//! Links: what one opens, and what it is exchanged for.
//!
//! To fetch a link changes nothing: messengers do that by themselves. Who opens it is shown a form, and the form exchanges an invitation, once, for a
//! key of the seat that was made then and is nowhere but with the guest.

use std::{collections::BTreeMap, sync::Arc};

use serde::Serialize;
use utoipa::ToSchema;

use super::{
    handle::{Call, Joining, SessionHandle},
    keys::{Grant, Guest},
    view::{SeatPlace, SessionView},
    wording,
};
use crate::{
    clock,
    problem::{Problem, ProblemCode, Result},
    referee::Referee,
    rights::{Actor, Operation, TokenDigest, may},
};

/// The shortest key of a form that may exchange an invitation twice: nobody guesses it, so nobody else gets the seat.
const FORM_KEY_MIN: usize = 32;

/// What a link opens.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct InvitationView {
    /// The session.
    pub(crate) session: String,
    #[serde(flatten)]
    pub(crate) grant: Grant,
    /// Whether it is exchanged once, for a key that is made then; who takes a free seat says a name.
    pub(crate) is_invitation: bool,
    /// Whether a name is needed.
    pub(crate) needs_name: bool,
    /// What the table is called.
    pub(crate) title: String,
    /// The name of the game in the catalogue, if it has one.
    pub(crate) game: Option<String>,
    /// Who sits at the table.
    pub(crate) names: Vec<String>,
}

/// What a link was exchanged for.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Accepted {
    /// The session.
    pub(crate) session: String,
    /// The first of the sessions that followed each other at this table.
    #[serde(skip)]
    pub(crate) table: String,
    #[serde(flatten)]
    pub(crate) grant: Grant,
    /// The key, which is shown only here. That of a seat opens it on any device, as a link too: who loses it loses the seat.
    pub(crate) token: String,
}

/// The links that a host gives to others.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct SessionLinks {
    /// By seat, the token of its open invitation.
    pub(crate) invitations: BTreeMap<SeatPlace, String>,
    /// The token of those who watch.
    pub(crate) watch: String,
}

/// What the token of a link is in its session.
enum Opens {
    /// A key as it is.
    Key(Grant),
    /// An invitation.
    Invitation { place: SeatPlace, renews: bool },
    /// A link that was used, taken back or replaced.
    Nothing,
}

impl Referee {
    /// What a link opens. Nobody is seated by asking.
    ///
    /// # Errors
    /// [`Problem`] if there is no such link, or it opens nothing any more.
    pub(crate) async fn invitation(&self, token: &str) -> Result<InvitationView> {
        let (session, opens) = self.opened_by(token).await?;
        let view: Arc<SessionView> = Arc::clone(&session.view.borrow());
        let (grant, is_invitation, needs_name) = match opens {
            Opens::Key(grant) => (grant, false, false),
            Opens::Invitation { place, renews } => (Grant::Seat { place }, true, !renews),
            Opens::Nothing => return Err(ProblemCode::LinkUsed.into()),
        };
        Ok(InvitationView {
            session: view.id.clone(),
            grant,
            is_invitation,
            needs_name,
            title: view.title.clone(),
            game: view.game.clone(),
            names: view.seats.iter().filter_map(|seat| seat.name.clone()).collect(),
        })
    }

    /// Exchanges a link for what it opens. An invitation is exchanged once; the same form again, which its secret `form_key` names, gets the same key again.
    ///
    /// # Errors
    /// [`Problem`] if it opens nothing any more, or a name is needed and unfit.
    pub(crate) async fn accept(&self, token: &str, name: &str, form_key: Option<&str>) -> Result<Accepted> {
        let (session, opens) = self.opened_by(token).await?;
        let accepted = |grant, token| Accepted {
            session: session.id.to_string(),
            table: session.table.to_string(),
            grant,
            token,
        };
        let secret = match form_key {
            Some(form_key) if form_key.len() >= FORM_KEY_MIN => {
                // The same form makes the same key, and nobody else can.
                self.token_for(&format!("guest/{token}/{form_key}"))
            }
            Some(_) => {
                let detail =
                    format!("the key of a form that takes a seat has at least {FORM_KEY_MIN} characters");
                return Err(ProblemCode::BadKey.because(detail));
            }
            None => self.fresh_token()?,
        };
        let key = TokenDigest::of(&secret);
        if let Some(place) = session.place_of(&key) {
            return Ok(accepted(Grant::Seat { place }, secret));
        }
        let (place, renews) = match opens {
            Opens::Key(grant) => return Ok(accepted(grant, token.to_owned())),
            Opens::Invitation { place, renews } => (place, renews),
            Opens::Nothing => return Err(ProblemCode::LinkUsed.into()),
        };
        let name = if renews { String::new() } else { wording::name(name)? };
        let joining = Joining { place, invitation: TokenDigest::of(token), key, name };
        session.call(|done| Call::Join(joining, done)).await?;
        Ok(accepted(Grant::Seat { place }, secret))
    }

    /// The links of a session, for its host.
    ///
    /// # Errors
    /// [`Problem`] without the key of the host.
    pub(crate) fn links(&self, session: &SessionHandle, guest: &Guest) -> Result<SessionLinks> {
        let secrets = Arc::clone(&session.secrets.borrow());
        may(&Actor::Anybody, guest.keys(), Operation::Control(secrets.keys.of_host()))?;
        let now_ms = clock::unix_ms();
        let open = secrets.invitations.iter().filter(|(_, open)| open.until_ms > now_ms);
        let invitations =
            open.map(|(place, open)| (*place, self.invitation_token(&session.id, open.number))).collect();
        Ok(SessionLinks { invitations, watch: self.watch_token(&session.id) })
    }

    /// The session of a token, and what it is there.
    async fn opened_by(&self, token: &str) -> Result<(SessionHandle, Opens)> {
        let digest = TokenDigest::of(token);
        let none = || Problem::absent("there is no such link");
        let id = self.store().session_of_key(digest).await?.ok_or_else(none)?;
        let session = self.session(&id).await?;
        let secrets = Arc::clone(&session.secrets.borrow());
        let open = secrets.invitations.iter().find(|(_, open)| open.token.is(&digest));
        let opens = match open {
            Some((_, open)) if open.until_ms <= clock::unix_ms() => Opens::Nothing,
            Some((place, open)) => Opens::Invitation { place: *place, renews: open.renews_from.is_some() },
            None if secrets.keys.of_host().is(&digest) => Opens::Key(Grant::Host),
            None if secrets.keys.watch.is(&digest) => Opens::Key(Grant::Watch),
            None => {
                session.place_of(&digest).map_or(Opens::Nothing, |place| Opens::Key(Grant::Seat { place }))
            }
        };
        Ok((session, opens))
    }
}

impl SessionHandle {
    /// The seat that a key opens.
    fn place_of(&self, key: &TokenDigest) -> Option<SeatPlace> {
        let keys = &self.secrets.borrow().keys;
        keys.seats.keys().copied().find(|place| keys.of_seat(*place).is_some_and(|own| own.is(key)))
    }
}
