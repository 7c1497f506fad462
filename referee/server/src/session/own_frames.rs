//! What a seat was told in matches of a session that are over: its own frames, for whoever had the seat then.

use std::sync::Arc;

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
        let at = self.store().match_at(&session.id, index).await?.ok_or_else(absent)?;
        if at.outcome.is_none() {
            return Err(ProblemCode::Running.because("that match of the session is being played"));
        }
        let stored = self.store().find(&at.id).await?.ok_or_else(absent)?;
        let setup = StoredSetup::read(&stored.setup)?;
        let hand = setup.session.as_ref().ok_or_else(absent)?;
        let role = hand.places.iter().find(|(_, own)| **own == place).map(|(role, _)| role.clone());
        let role = role.ok_or_else(absent)?;
        let frames = self.told(&at.id, &role, &setup).await?;
        Ok(EarlierFrames { match_id: at.id, role, frames })
    }
}
