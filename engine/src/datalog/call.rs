//! Calls at work: what a plan asks of a callee is computed to the end before the plan goes on.

use super::{
    LimitError,
    callee::{Callee, Entry, Filed},
    machine::{Frame, Memory, Outcome, ROWS_DERIVED},
    relation::NONE,
};

impl Memory {
    /// Computes the rows of an entry that have a key, unless that was done.
    #[inline(never)]
    pub(super) fn call(
        &mut self,
        (number, entry): (usize, usize),
        key: impl ExactSizeIterator<Item = u32> + Clone,
        frame: Frame<'_>,
    ) -> Outcome {
        let callee = &frame.callees[number];
        let entry = &callee.entries[entry];
        if !self.relations[entry.asked as usize].insert(key.clone(), entry.asked_index) {
            return Outcome::Success;
        }
        self.is_called[number] = true;
        if !self.allowance.derive(entry.places.len()) {
            return self.stop(ROWS_DERIVED);
        }
        let result = if callee.rounds.is_empty() {
            self.answer(entry, key, frame)
        } else {
            self.iterate(callee, entry, frame)
        };
        match result {
            Ok(()) => Outcome::Success,
            Err(error) => self.stop_with(error),
        }
    }

    /// Each rule once, for the last question; where one row is sought, until it is there.
    fn answer(
        &mut self,
        entry: &Entry,
        key: impl Iterator<Item = u32> + Clone,
        frame: Frame<'_>,
    ) -> Result<(), LimitError> {
        let asked = &mut self.relations[entry.asked as usize];
        asked.delta_start = asked.len() - 1;
        for filed in &entry.plans {
            self.run_filed(filed, frame)?;
            let is_found = |index| self.relations[entry.head as usize].contains(key.clone(), index);
            if entry.sought.is_some_and(is_found) {
                break;
            }
        }
        Ok(())
    }

    /// Rounds until neither a row nor a question is new; at first the last question is.
    fn iterate(&mut self, callee: &Callee, entry: &Entry, frame: Frame<'_>) -> Result<(), LimitError> {
        for relation in callee.relations() {
            let relation = &mut self.relations[relation as usize];
            relation.visible_end = relation.len();
        }
        self.relations[entry.asked as usize].visible_end -= 1;
        loop {
            let mut is_growing = false;
            for relation in callee.relations() {
                let relation = &mut self.relations[relation as usize];
                relation.delta_start = relation.visible_end;
                relation.visible_end = relation.len();
                is_growing |= relation.delta_start < relation.visible_end;
            }
            if !is_growing {
                break;
            }
            for filed in &callee.rounds {
                self.run_filed(filed, frame)?;
            }
        }
        for relation in callee.relations() {
            let relation = &mut self.relations[relation as usize];
            (relation.delta_start, relation.visible_end) = (0, NONE);
        }
        Ok(())
    }

    fn run_filed(&mut self, filed: &Filed, frame: Frame<'_>) -> Result<(), LimitError> {
        let mut registers = std::mem::take(&mut self.files[filed.file]);
        let result = self.run_above(&filed.plan, &mut registers, frame);
        self.files[filed.file] = registers;
        result
    }

    /// Forgets what callees were asked and said of which `is_stale`.
    pub(super) fn forget_calls(&mut self, callees: &[Callee], is_stale: impl Fn(&Callee) -> bool) {
        let called = callees.iter().zip(&mut self.is_called);
        for (callee, is_called) in called.filter(|(callee, is_called)| **is_called && is_stale(callee)) {
            *is_called = false;
            for relation in callee.relations() {
                self.relations[relation as usize].clear();
            }
        }
    }
}
