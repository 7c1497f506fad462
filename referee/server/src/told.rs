//! What a seat was told in a match that is over, recomputed from its record.

use std::sync::Arc;

use croupier_referee::{read_records, replay};

use crate::{
    frame::frame,
    pledge::Pledge,
    problem::{Problem, Result},
    realtime,
    referee::Referee,
    setup::StoredSetup,
};

impl Referee {
    /// Every frame of a role in a match that is over. Whether whoever asks may have them is for the caller to know.
    ///
    /// # Errors
    /// [`Problem`] if there are none, or too many wait for such an answer.
    pub(crate) async fn told(&self, id: &str, role: &str, setup: &StoredSetup) -> Result<Arc<[Arc<str>]>> {
        let record = async { Ok(self.store().record(id).await?) };
        let name = format!("{id} seat {role}");
        let (role, setup, pledge) = (role.to_owned(), setup.clone(), self.pledge(setup));
        let told = self.replays.of(name, record, move |text| {
            let told = match &setup.real_time {
                Some(terms) => realtime::told_in(text, &role, &setup, terms, &pledge),
                None => told_in(text, &role, &pledge),
            };
            told.map(Arc::from)
                .ok_or_else(|| Problem::absent("there is no such seat, or it is not one to connect to"))
        });
        told.await
    }
}

/// What a role was told in a match, as frames.
fn told_in(record: &str, role: &str, pledge: &Pledge) -> Option<Vec<Arc<str>>> {
    let records = read_records(record.as_bytes()).ok()?;
    let replayed = replay(records.first()?).ok()?;
    let header = replayed.header();
    let role = header.roles().find(role)?;
    let frames = replayed.messages(role).iter().map(|message| frame(header, pledge, message));
    Some(frames.collect())
}
