//! The record of a session that is over, made from its journal: the same bytes whenever it is asked for.

use croupier_session::{SessionEvent, SessionLedger};

use super::{handle::SessionHandle, journal::JournalEntry};
use crate::{
    problem::{Problem, ProblemCode, Result},
    referee::Referee,
    rights::{Actor, Operation, PublicationStage, may},
};

impl Referee {
    /// The record of a session, with the records of its matches, once it is over.
    ///
    /// # Errors
    /// [`Problem`] before that, or if the store does not answer.
    pub(crate) async fn session_record(&self, session: &SessionHandle) -> Result<String> {
        let stage = if session.is_over() { PublicationStage::Over } else { PublicationStage::Running };
        may(&Actor::Anybody, &[], Operation::Review(stage))?;
        let stored = self.store().session(&session.id).await?.ok_or_else(Problem::lost)?;
        let mut books = self.blank_books(&stored)?;
        let (mut ledger, mut record) = SessionLedger::open(books.state());
        for entry in self.journal(&stored.id).await? {
            let effects =
                books.take(&entry).map_err(|refusal| ProblemCode::Altered.because(refusal.to_string()))?;
            let JournalEntry::Happened { what } = &entry else { continue };
            if let SessionEvent::MatchOver(over) = what
                && over.record.is_some()
                && let Some(at) = self.store().match_at(&stored.id, over.index).await?
            {
                record.push_str(&self.store().record(&at.id).await?);
            }
            record.push_str(&ledger.lines(what, &effects));
        }
        record.push_str(&ledger.close(&books.origin().seed, Some(self.seal_key())));
        Ok(record)
    }
}
