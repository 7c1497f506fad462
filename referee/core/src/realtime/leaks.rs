//! The effects of [mutants](crate::mutant) on a real-time match; compiled only for tests.

use std::sync::Arc;

use croupier_engine::{ByPlayer, RoleId, Roles};

use super::{Notice, RealTimeEffect};
use crate::mutant::{Mutant, is_on};

/// Percepts of more than the role that they are told.
pub(super) fn percepts(roles: &Roles, told: ByPlayer<Vec<Arc<str>>>) -> ByPlayer<Vec<Arc<str>>> {
    if !is_on(Mutant::EventPerceptsOfAll) {
        return told;
    }
    let all: Vec<Arc<str>> = told.iter().flat_map(|(_, percepts)| percepts.clone()).collect();
    ByPlayer::from_fn(roles, |_| all.clone())
}

/// Whether roles are notified of updates about which the rules tell them nothing.
pub(super) fn tells_everything() -> bool {
    is_on(Mutant::UnseenEvents)
}

/// Notices for others that a move was received.
pub(super) fn receipts(
    others: impl Iterator<Item = RoleId>,
    notice: &Notice,
) -> impl Iterator<Item = RealTimeEffect> {
    let is_told = is_on(Mutant::ReceiptsOfOthers) && matches!(notice, Notice::Received { .. });
    others.filter(move |_| is_told).map(|role| RealTimeEffect::Send { role, message: notice.clone() })
}

/// A notice whose instant depends on the number of updates.
pub(super) fn notice(mut notice: Notice, updates: u32) -> Notice {
    if is_on(Mutant::InstantsCountUpdates)
        && let Notice::Event { at_us, .. } = &mut notice
    {
        *at_us += u64::from(updates);
    }
    notice
}
