//! What a seat of a real-time match was told, recomputed from its record.

use std::sync::Arc;

use croupier_referee::realtime::{
    Notice, RealTimeHeader, read_real_time_records, replay_real_time, wire::RealTimeMessage,
};

use super::RealTimeTerms;
use crate::{pledge::Pledge, setup::StoredSetup};

/// A notice as a frame: the same bytes whenever it is told.
pub(super) fn frame(header: &RealTimeHeader, pledge: &Pledge, notice: &Notice) -> Arc<str> {
    let mut message = RealTimeMessage::of(header, notice);
    if let (RealTimeMessage::Reveal { signature, .. }, Notice::Reveal { commitments }) =
        (&mut message, notice)
    {
        *signature = Some(pledge.of_nonces(commitments));
    }
    message.to_json().into()
}

/// What a role was told in a match, as frames.
pub(crate) fn told_in(
    record: &str,
    role: &str,
    setup: &StoredSetup,
    terms: &RealTimeTerms,
    pledge: &Pledge,
) -> Option<Vec<Arc<str>>> {
    let records = read_real_time_records(record.as_bytes()).ok()?;
    let replayed = replay_real_time(records.first()?).ok()?;
    let header: &RealTimeHeader = replayed.header();
    let place = header.roles().find(role)?;
    let start: Arc<str> = terms.start(setup, header, role, pledge).to_json().into();
    let notices = replayed.notices().iter().filter(|(of, _)| *of == place);
    let frames = notices.map(|(_, notice)| frame(header, pledge, notice));
    Some(std::iter::once(start).chain(frames).collect())
}
