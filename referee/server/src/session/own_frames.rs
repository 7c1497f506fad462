//! What a seat was told in matches of a session that are over: its own frames, for whoever had the seat then.

use std::{collections::BTreeMap, sync::Arc};

use super::{handle::SessionHandle, keys::Guest, view::SeatPlace};
use crate::{
    problem::{Problem, ProblemCode, Result},
    referee::Referee,
    rights::{Actor, Operation, may},
    setup::StoredSetup,
};

/// The frames of a seat in a match that is over.
#[derive(Clone, Debug)]
pub(crate) struct EarlierFrames {
    pub(crate) match_id: String,
    pub(crate) role: String,
    pub(crate) frames: Arc<[Arc<str>]>,
}

impl Referee {
    /// The frames of a seat in a match of a session that is over, recomputed from its record: those of the seat, and nothing else.
    ///
    /// # Errors
    /// [`Problem`] without the key that the seat had in that match, or if it was in none.
    pub(crate) async fn earlier_frames(
        &self,
        session: &SessionHandle,
        guest: &Guest,
        place: SeatPlace,
        index: u64,
    ) -> Result<EarlierFrames> {
        let absent = || Problem::absent("the seat was in no such match of the session");
        {
            let keys = &session.secrets.borrow().keys;
            let key = keys.of_hand(place, index).ok_or_else(absent)?;
            may(&Actor::Anybody, guest.keys(), Operation::Sit(key))?;
        }
        self.frames_of(session, index, |places| {
            places.iter().find(|(_, own)| **own == place).map(|(role, _)| role.clone())
        })
        .await
    }

    /// The frames of one player in a match of a session that is over, for what those who watch may see of them: whoever has the right to
    /// see the session. They must not be shown as they are.
    ///
    /// # Errors
    /// [`Problem`] without the right, or if there is no such match.
    pub(crate) async fn frames_for_watchers(
        &self,
        session: &SessionHandle,
        guest: &Guest,
        index: u64,
    ) -> Result<EarlierFrames> {
        session.look(guest)?;
        self.frames_of(session, index, |places| places.keys().next().cloned()).await
    }

    /// The frames of a role in a match of a session that is over. Whether whoever asks may have them is for the caller to know.
    async fn frames_of(
        &self,
        session: &SessionHandle,
        index: u64,
        role: impl FnOnce(&BTreeMap<String, SeatPlace>) -> Option<String>,
    ) -> Result<EarlierFrames> {
        let absent = || Problem::absent("the seat was in no such match of the session");
        let at = self.store().match_at(&session.id, index).await?.ok_or_else(absent)?;
        if at.outcome.is_none() {
            return Err(ProblemCode::Running.because("that match of the session is being played"));
        }
        let stored = self.store().find(&at.id).await?.ok_or_else(absent)?;
        let setup = StoredSetup::read(&stored.setup)?;
        let hand = setup.session.as_ref().ok_or_else(absent)?;
        let role = role(&hand.places).ok_or_else(absent)?;
        let frames = self.told(&at.id, &role, &setup).await?;
        Ok(EarlierFrames { match_id: at.id, role, frames })
    }
}
