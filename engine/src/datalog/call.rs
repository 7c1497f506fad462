//! Runs calls: what a plan requests from a callee is computed completely before the plan continues.

use std::{mem, sync::Arc};

use super::{
    callee::{Callee, CalleeEntry, Filed},
    machine::{Memory, StepOutcome, Stopped, values},
    plan::Register,
    relation::NONE,
};

impl Memory {
    /// Computes the rows of an entry that have a key, unless that was done.
    #[inline(never)]
    pub(super) fn call(
        &mut self,
        callee: usize,
        entry: usize,
        key: &[Register],
        registers: &[u32],
    ) -> StepOutcome {
        let known = &self.calling.callees[callee].entries[entry];
        let asked = &mut self.relations[known.asked as usize];
        if !asked.insert(values(key, registers), known.asked_index) {
            return StepOutcome::Success;
        }
        if !self.count_row(key.len()) {
            return self.stop_deriving();
        }
        self.calling.is_called[callee] = true;
        let callees = Arc::clone(&self.calling.callees);
        let cursors = self.calling.spare_cursors.pop().unwrap_or_default();
        let waiting = mem::replace(&mut self.cursors, cursors);
        let (callee, entry) = (&callees[callee], &callees[callee].entries[entry]);
        let result = if callee.rounds.is_empty() {
            self.answer(entry, values(key, registers))
        } else {
            self.iterate(callee, entry)
        };
        let cursors = mem::replace(&mut self.cursors, waiting);
        self.calling.spare_cursors.push(cursors);
        match result {
            Ok(()) => StepOutcome::Success,
            Err(Stopped { rule, limit }) => self.stop_within(Some(rule), limit),
        }
    }

    /// Each rule once, for the last question; where one row is sought, until it is there.
    fn answer(&mut self, entry: &CalleeEntry, key: impl Iterator<Item = u32> + Clone) -> Result<(), Stopped> {
        let asked = &mut self.relations[entry.asked as usize];
        asked.delta_start = asked.len() - 1;
        for filed in &entry.plans {
            self.run_filed(filed)?;
            let is_found = |index| self.relations[entry.head as usize].contains(key.clone(), index);
            if entry.sought.is_some_and(is_found) {
                break;
            }
        }
        Ok(())
    }

    /// Rounds until neither a row nor a question is new; at first the last question is.
    fn iterate(&mut self, callee: &Callee, entry: &CalleeEntry) -> Result<(), Stopped> {
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
                self.run_filed(filed)?;
            }
        }
        for relation in callee.relations() {
            let relation = &mut self.relations[relation as usize];
            (relation.delta_start, relation.visible_end) = (0, NONE);
        }
        Ok(())
    }

    fn run_filed(&mut self, filed: &Filed) -> Result<(), Stopped> {
        let mut registers = mem::take(&mut self.calling.files[filed.file]);
        let result = self.run(&filed.plan, &mut registers);
        self.calling.files[filed.file] = registers;
        result
    }

    /// Clears the questions and answers of stale callees, as determined by `is_stale`.
    pub(super) fn forget_calls(&mut self, is_stale: impl Fn(&Callee) -> bool) {
        let Self { calling, relations, .. } = self;
        let called = calling.callees.iter().zip(&mut calling.is_called);
        for (callee, is_called) in called.filter(|(callee, is_called)| **is_called && is_stale(callee)) {
            *is_called = false;
            for relation in callee.relations() {
                relations[relation as usize].clear();
            }
        }
    }
}
