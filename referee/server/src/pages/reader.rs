//! Who reads a page of a session, and what follows from the keys that the browser holds.

use std::{collections::BTreeMap, sync::Arc};

use actix_web::HttpRequest;
use croupier_games::GameFacts;

use super::{
    screen::{HandScreen, Onlooker, ScreenStep},
    watched,
};
use crate::{
    api::Context,
    problem::{Problem, ProblemCode, Result},
    session::{Guest, Place, SessionHandle, SessionView, keys::Grant, view::HandResult},
};

/// A match that is over as a reader may see it.
pub(super) struct PastHand {
    pub(super) screen: HandScreen,
    pub(super) steps: Arc<Vec<ScreenStep>>,
    /// Whether the reader had a seat in it.
    pub(super) is_own: bool,
}

/// What a hand hides stays hidden until the session is over.
pub(super) fn closed() -> Problem {
    ProblemCode::Held.because("the hands of a session are open to everybody when the session is over; until then, to those who sat there")
}

/// Who reads a page of a session.
#[derive(Clone, Debug)]
pub(super) struct TableReader {
    pub(super) handle: SessionHandle,
    pub(super) guest: Guest,
    /// The seat that the page is of.
    pub(super) place: Option<Place>,
    pub(super) is_host: bool,
    /// Whether it has the key of those who watch.
    pub(super) may_watch: bool,
}

impl TableReader {
    /// The reader that the cookies of a request show; of several seats the one that is `asked` for, or the first.
    ///
    /// # Errors
    /// [`Problem`] if there is no such session, or this browser may not see it.
    pub(super) async fn of(
        request: &HttpRequest,
        context: &Context,
        id: &str,
        asked: Option<Place>,
    ) -> Result<Self> {
        let at = |problem: Problem| problem.at(&request.uri().to_string());
        let handle = context.referee.session(id).await.map_err(at)?;
        let guest = Guest::of_cookies(request, &handle.table);
        handle.look(&guest)?;
        let grants = handle.secrets.borrow().keys.grants(&guest);
        let mut places = grants.iter().filter_map(|grant| match grant {
            Grant::Seat { place } => Some(*place),
            Grant::Host | Grant::Watch => None,
        });
        let own: Vec<Place> = places.by_ref().collect();
        let place = asked.filter(|place| own.contains(place)).or_else(|| own.first().copied());
        let [is_host, may_watch] = [Grant::Host, Grant::Watch].map(|grant| grants.contains(&grant));
        Ok(Self { handle, guest, place, is_host, may_watch })
    }

    /// The session as it is now.
    pub(super) fn view(&self) -> Arc<SessionView> {
        Arc::clone(&self.handle.view.borrow())
    }

    /// What is known of the game, in whose words roles are called as the people who have them.
    pub(super) fn facts(&self, roles: &BTreeMap<String, Place>) -> Arc<GameFacts> {
        let view = self.view();
        let name = |place: &Place| view.seats.iter().find(|seat| seat.place == *place)?.name.clone();
        let people: Vec<(&str, String)> =
            roles.iter().filter_map(|(role, place)| Some((role.as_str(), name(place)?))).collect();
        let people: Vec<(&str, &str)> = people.iter().map(|(role, name)| (*role, name.as_str())).collect();
        let mut facts = GameFacts::clone(&self.handle.facts);
        facts.words = facts.words.naming(&people);
        Arc::new(facts)
    }

    /// A match that is over as the reader's seat saw it, or, who had none in it, as those who watch.
    ///
    /// # Errors
    /// [`Problem`] if neither may be seen.
    pub(super) async fn past_hand(
        &self,
        context: &Context,
        hand: &HandResult,
        facts: Arc<GameFacts>,
    ) -> Result<PastHand> {
        let referee = &context.referee;
        let own = self.place.filter(|place| hand.roles.values().any(|other| other == place));
        let (told, onlooker) = match own {
            Some(place) => {
                let told = referee.earlier_frames(&self.handle, &self.guest, place, hand.index).await?;
                (told, Onlooker::Seat)
            }
            None => {
                let told = referee.frames_for_watchers(&self.handle, &self.guest, hand.index).await?;
                let told = watched::of_earlier(&told, self.view().terms.spectators).ok_or_else(closed)?;
                (told, Onlooker::Watcher)
            }
        };
        let (screen, steps) = context.screens.past(referee, told, facts, onlooker).await?;
        Ok(PastHand { screen, steps, is_own: own.is_some() })
    }

    /// As whom the reader is here, in words.
    pub(super) fn words(&self) -> String {
        let view = self.view();
        let own = self.place.and_then(|place| view.seats.iter().find(|seat| seat.place == place));
        let seat = own.and_then(|seat| seat.name.as_deref()).map(|name| format!("you are {name}"));
        match (seat, self.is_host) {
            (Some(seat), true) => format!("{seat}, the host"),
            (Some(seat), false) => seat,
            (None, true) => "you are the host".to_owned(),
            (None, false) => "you watch".to_owned(),
        }
    }
}
