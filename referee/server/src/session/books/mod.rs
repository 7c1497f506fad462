//! A session as it follows from its journal: the state machine, who holds which key, which invitations are open. No clock, no store.

use std::{
    collections::{BTreeMap, VecDeque},
    sync::Arc,
};

use croupier_games::GameFacts;
use croupier_referee::Seed;
use croupier_session::{
    MatchOrder, SeatHolder, SeatNumber, SessionEffect, SessionEvent, SessionNews, SessionRefusal,
    SessionState, TermsError,
};

use super::{
    handle::Done,
    journal::JournalEntry,
    keys::{SeatKey, SessionKeys},
    setup::SessionSetup,
    terms_line::{ending_sentence, terms_line},
    view::{HandLine, HandResult, Occupant, Place, SeatLine, SessionStatus, SessionView},
};
use crate::rights::TokenDigest;

/// Matches that are over of which a view tells.
const RESULTS_MAX: usize = 50;

/// Answered requests that are remembered.
const ANSWERS_MAX: usize = 1_024;

/// An invitation that is open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct OpenInvitation {
    /// Which invitation of the session it is, from 1.
    pub(crate) number: u64,
    pub(crate) token: TokenDigest,
    pub(crate) until_ms: i64,
    /// The first match that the key opens, if it is a new link for whoever sits there.
    pub(crate) renews_from: Option<u64>,
}

/// What never changes of a session besides its terms.
#[derive(Clone, Debug)]
pub(crate) struct Origin {
    pub(crate) id: String,
    pub(crate) setup: SessionSetup,
    /// The words of its game.
    pub(crate) facts: Arc<GameFacts>,
    pub(crate) seed: Seed,
    pub(crate) created_ms: i64,
    /// The digest of the host's key.
    pub(crate) host: TokenDigest,
    /// That of the watchers'.
    pub(crate) watch: TokenDigest,
}

/// A session as it follows from its journal.
#[derive(Clone, Debug)]
pub(crate) struct SessionBooks {
    origin: Origin,
    state: SessionState,
    keys: SessionKeys,
    invitations: BTreeMap<Place, OpenInvitation>,
    /// How many invitations were made.
    invited: u64,
    results: VecDeque<HandResult>,
    /// What was answered to requests that may come again, and the digests of what they asked for.
    answers: BTreeMap<String, (String, Done)>,
    /// Their names, the oldest first.
    answered: VecDeque<String>,
    /// How many entries the journal has.
    entries: u64,
    /// The last time that is in it.
    clock_ms: u64,
}

impl SessionBooks {
    /// A session of which nothing is in the journal.
    ///
    /// # Errors
    /// [`TermsError`].
    pub(crate) fn open(origin: Origin) -> Result<Self, TermsError> {
        let state = SessionState::open(origin.setup.terms.clone(), origin.seed.clone())?;
        let seats = state.seats().iter().map(|seat| (seat.number.0, Vec::new())).collect();
        let keys = SessionKeys { host: origin.host, host_place: None, watch: origin.watch, seats, index: 1 };
        Ok(Self {
            origin,
            state,
            keys,
            invitations: BTreeMap::new(),
            invited: 0,
            results: VecDeque::new(),
            answers: BTreeMap::new(),
            answered: VecDeque::new(),
            entries: 0,
            clock_ms: 0,
        })
    }

    /// Takes an entry in; what the session does then.
    ///
    /// # Errors
    /// [`SessionRefusal`] if it cannot happen now.
    pub(crate) fn take(&mut self, entry: &JournalEntry) -> Result<Vec<SessionEffect>, SessionRefusal> {
        let mut effects = Vec::new();
        match entry {
            JournalEntry::Happened { what } => effects = self.happen(what)?,
            JournalEntry::Invited { place, number, token, until_ms, renews_from } => {
                let Some(token) = TokenDigest::from_hex(token) else { return Ok(effects) };
                let open =
                    OpenInvitation { number: *number, token, until_ms: *until_ms, renews_from: *renews_from };
                self.invitations.insert(*place, open);
                self.invited = self.invited.max(*number);
            }
            JournalEntry::Revoked { place } => drop(self.invitations.remove(place)),
            JournalEntry::Keyed { place, key } => self.give_key(*place, key),
            JournalEntry::Answered { request, digest, done } => {
                self.answers.insert(request.clone(), (digest.clone(), done.clone()));
                self.answered.push_back(request.clone());
                if self.answered.len() > ANSWERS_MAX
                    && let Some(oldest) = self.answered.pop_front()
                {
                    self.answers.remove(&oldest);
                }
            }
        }
        self.entries += 1;
        Ok(effects)
    }

    fn happen(&mut self, what: &SessionEvent) -> Result<Vec<SessionEffect>, SessionRefusal> {
        let last = self.last_index();
        let totals = self.totals();
        let order = self.state.running().cloned();
        let effects = self.state.step(what)?;
        if let SessionEvent::Tick { now_ms } = what {
            self.clock_ms = *now_ms;
        }
        for effect in &effects {
            match effect {
                SessionEffect::Tell(SessionNews::SeatFreed { seat }) => self.close_key(seat.0, last),
                SessionEffect::NewLink(seat) => self.close_key(seat.0, last),
                _ => {}
            }
        }
        if let (SessionEvent::MatchOver(_), Some(order)) = (what, order) {
            self.note_result(&order, &totals);
        }
        self.keys.host_place = self.state.host().map(|seat| seat.0);
        self.keys.index = self.last_index() + u64::from(self.state.running().is_none());
        Ok(effects)
    }

    /// The key of a seat opens no match after this one.
    fn close_key(&mut self, place: Place, last: u64) {
        if let Some(key) = self.keys.seats.entry(place).or_default().last_mut() {
            key.until = Some(key.until.map_or(last, |until| until.min(last)));
        }
        self.invitations.remove(&place);
    }

    fn give_key(&mut self, place: Place, key: &str) {
        let invitation = self.invitations.remove(&place);
        let next = self.last_index() + 1;
        let from = invitation.and_then(|invitation| invitation.renews_from).unwrap_or(next);
        if let Some(digest) = TokenDigest::from_hex(key) {
            self.keys.seats.entry(place).or_default().push(SeatKey { digest, from, until: None });
        }
    }

    fn note_result(&mut self, order: &MatchOrder, before: &BTreeMap<Place, f64>) {
        let after = self.totals();
        let change = |place: Place| {
            let [before, after] =
                [before, &after].map(|totals| totals.get(&place).copied().unwrap_or_default());
            (place, after - before)
        };
        self.results.push_back(HandResult {
            index: order.index,
            match_id: order.match_id.clone(),
            roles: order.seats.iter().map(|seat| (seat.role.clone(), seat.seat.0)).collect(),
            changes: order.seats.iter().map(|seat| change(seat.seat.0)).collect(),
        });
        if self.results.len() > RESULTS_MAX {
            self.results.pop_front();
        }
    }

    fn totals(&self) -> BTreeMap<Place, f64> {
        self.state.seats().iter().map(|seat| (seat.number.0, self.state.total(seat))).collect()
    }

    /// The index of the last match that was ordered; 0 before the first.
    fn last_index(&self) -> u64 {
        self.state.matches_over() + u64::from(self.state.running().is_some())
    }

    /// The seats that are free and have no invitation, while there is a use for them.
    pub(crate) fn uninvited(&self) -> Vec<Place> {
        if self.is_over() {
            return Vec::new();
        }
        let free = self.state.seats().iter().filter(|seat| seat.holder.is_none()).map(|seat| seat.number.0);
        free.filter(|place| !self.invitations.contains_key(place)).collect()
    }

    /// The number of the next invitation.
    pub(crate) fn next_invitation(&self) -> u64 {
        self.invited + 1
    }

    /// The first match of the next key of a seat whose link is replaced now.
    pub(crate) fn renewal_from(&self, place: Place) -> u64 {
        let last = self.keys.seats.get(&place).and_then(|keys| keys.last()?.until);
        last.map_or(self.last_index() + 1, |last| last + 1)
    }

    pub(crate) fn origin(&self) -> &Origin {
        &self.origin
    }

    pub(crate) fn state(&self) -> &SessionState {
        &self.state
    }

    pub(crate) fn keys(&self) -> &SessionKeys {
        &self.keys
    }

    pub(crate) fn invitations(&self) -> &BTreeMap<Place, OpenInvitation> {
        &self.invitations
    }

    /// The last time that is in its journal.
    pub(crate) fn clock_ms(&self) -> u64 {
        self.clock_ms
    }

    pub(crate) fn entries(&self) -> u64 {
        self.entries
    }

    /// What was answered to a request, and the digest of what it asked for.
    pub(crate) fn answer(&self, request: &str) -> Option<&(String, Done)> {
        self.answers.get(request)
    }

    /// Whether no other match will be played.
    pub(crate) fn is_over(&self) -> bool {
        self.state.stage() == croupier_session::SessionStage::Over
    }

    /// Whether whoever sits there is played for: away, or about to go.
    pub(crate) fn is_played_for(&self, place: Place) -> bool {
        self.state.seat(SeatNumber(place)).is_none_or(|seat| seat.is_away || seat.leaves)
    }

    /// The session as everybody who may look at it sees it.
    pub(crate) fn view(&self, hand: Option<HandLine>) -> SessionView {
        let Origin { id, setup, created_ms, seed, .. } = &self.origin;
        let is_over = self.is_over();
        SessionView {
            id: id.clone(),
            version: self.entries,
            game: setup.game.clone(),
            title: setup.title.clone(),
            status: self.status(),
            seats: self.state.seats().iter().map(|seat| self.seat_line(seat)).collect(),
            host: self.keys.host_place,
            hand,
            hands_played: self.state.matches_over(),
            hands: self.results.iter().cloned().collect(),
            terms: terms_line(setup, self.state.level()),
            has_chat: setup.has_chat,
            is_listed: setup.is_listed,
            is_ending: self.state.is_ending(),
            lacks_seats: self.state.is_waiting(),
            commitment: self.state.commitment().to_string(),
            seed: is_over.then(|| seed.reveal()),
            ending: self.state.ending().map(ending_sentence),
            created_ms: *created_ms,
        }
    }

    fn status(&self) -> SessionStatus {
        match self.state.stage() {
            croupier_session::SessionStage::Waiting => SessionStatus::Waiting,
            croupier_session::SessionStage::Playing => SessionStatus::Playing,
            croupier_session::SessionStage::Paused => SessionStatus::Paused,
            croupier_session::SessionStage::Over => SessionStatus::Over,
        }
    }

    fn seat_line(&self, seat: &croupier_session::SessionSeat) -> SeatLine {
        let has_chips = self.origin.setup.terms.session.family.is_some();
        SeatLine {
            place: seat.number.0,
            occupant: match &seat.holder {
                None => Occupant::Free,
                Some(SeatHolder::Person { .. }) => Occupant::Person,
                Some(SeatHolder::Agent { .. }) => Occupant::Agent,
            },
            name: seat.holder.as_ref().map(|holder| holder.name().to_owned()),
            total: self.state.total(seat),
            stack: has_chips.then(|| seat.holds()),
            is_away: seat.is_away,
            is_leaving: seat.leaves,
            has_button: self.state.button() == Some(seat.number),
            is_out: seat.out_in.is_some(),
        }
    }
}

#[cfg(test)]
mod tests;
