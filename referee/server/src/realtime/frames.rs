//! What a seat of a real-time match was told, recomputed from its record.

use std::sync::Arc;

use croupier_referee::realtime::{
    RealTimeHeader, read_real_time_records, replay_real_time, wire::RealTimeMessage,
};

use super::RealTimeTerms;
use crate::setup::StoredSetup;

/// What a role was told in a match, as frames.
pub(crate) fn told_in(
    record: &str,
    role: &str,
    setup: &StoredSetup,
    terms: &RealTimeTerms,
) -> Option<Vec<Arc<str>>> {
    let records = read_real_time_records(record.as_bytes()).ok()?;
    let replayed = replay_real_time(records.first()?).ok()?;
    let header: &RealTimeHeader = replayed.header();
    let place = header.roles().find(role)?;
    let start: Arc<str> = terms.start(setup, header, role).to_json().into();
    let notices = replayed.notices().iter().filter(|(of, _)| *of == place);
    let frames = notices.map(|(_, notice)| RealTimeMessage::of(header, notice).to_json().into());
    Some(std::iter::once(start).chain(frames).collect())
}
