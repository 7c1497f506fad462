//! The machine of a match and a record, line by line.

use std::{collections::VecDeque, fmt::Debug, sync::Arc};

use croupier_engine::RoleId;

use crate::{
    chance::Seed,
    digest::Digest,
    event::Effect,
    record::{Entry, Kind, Ledger, Record, RecordLine, Secrets, Shared, nonce},
    replay::{Difference, ReplayError, Seal, SealCheck},
};

/// A match of some kind as a machine that can follow a record of it.
pub(crate) trait Machine: Debug + Sized {
    /// The kind of match.
    type Kind: Kind;
    /// What players are told.
    type Message;
    /// What only the driver is told.
    type Signal;
    /// How a match ends.
    type Outcome: Clone;

    /// A match that has not begun.
    fn with_ledger(header: Arc<HeaderOf<Self>>, ledger: Ledger) -> Self;
    /// How the match ended, if it has.
    fn outcome(&self) -> Option<&Self::Outcome>;
    /// The chain value of the lines so far.
    fn chain_head(&self) -> Option<Digest>;
    /// Gives the machine the events from which the first of these lines came, and maybe others.
    fn feed(&mut self, lines: &[RecordLine<Self::Kind>]) -> Vec<EffectOf<Self>>;
    /// What is wrong with a line of which the machine writes none.
    fn out_of_place(&self, line: &RecordLine<Self::Kind>) -> Difference;
}

pub(crate) type HeaderOf<M> = <<M as Machine>::Kind as Kind>::Header;
pub(crate) type EffectOf<M> =
    Effect<<M as Machine>::Message, <M as Machine>::Signal, <M as Machine>::Outcome>;

/// The match that a genesis describes, with the game of another one if that is the same.
pub(crate) fn header_of<K: Kind>(
    record: &Record<K>,
    other: Option<&K::Header>,
) -> Result<Arc<K::Header>, ReplayError> {
    let (genesis, first) = (record.genesis(), record.first());
    let Shared { rules, .. } = K::shared(&genesis.setup);
    let rules_digest = Digest::of(rules.as_bytes());
    if rules_digest != genesis.game_digest {
        let (expected, found) = (rules_digest.to_string(), genesis.game_digest.to_string());
        let difference = Difference::new(first, "game.sha256", &expected, &found);
        return Err(difference.into());
    }
    let header = K::header(genesis.setup.clone(), other);
    header.map(Arc::new).map_err(|error| ReplayError::Header { line: first.number, error })
}

/// What a record holds besides its lines.
pub(crate) struct Verified<M: Machine> {
    pub(crate) machine: M,
    pub(crate) told: Vec<(RoleId, M::Message)>,
    pub(crate) signals: Vec<M::Signal>,
    pub(crate) outcome: Option<M::Outcome>,
    pub(crate) seal: SealCheck,
    pub(crate) seed: Option<Seed>,
}

/// Compares a record with what a machine writes that is given the same events.
pub(crate) fn verify<M: Machine>(
    record: &Record<M::Kind>,
    header: &Arc<HeaderOf<M>>,
) -> Result<Verified<M>, Difference> {
    let seed = revealed(record)?;
    let ledger = match &seed {
        Some(seed) => Ledger::unsealed::<M::Kind>(header, seed.clone()),
        None => Ledger::recorded(record),
    };
    let mut lockstep = Lockstep::new(M::with_ledger(Arc::clone(header), ledger));
    let seal = lockstep.follow_all(record.lines(), seed.as_ref())?;
    lockstep.take_told();
    let Lockstep { machine, told, signals, .. } = lockstep;
    // A match whose last line is not there was not over when the record was cut off.
    let is_over = record.lines().iter().any(|line| line.entry.event() == "end");
    let outcome = machine.outcome().filter(|_| is_over).cloned();
    Ok(Verified { machine, told, signals, outcome, seal, seed })
}

/// A match that goes on after the last line of its record.
pub(crate) struct Resumed<M: Machine> {
    pub(crate) machine: M,
    /// What players were told before its last line.
    pub(crate) told: Vec<(RoleId, M::Message)>,
    /// What was to be done after it.
    pub(crate) effects: VecDeque<EffectOf<M>>,
}

/// The machine of a record that was cut off, with its effects after the last existing line.
///
/// A record that is sealed already may be so with another key: that of a referee that was interrupted after it.
pub(crate) fn resume<M: Machine>(
    record: &Record<M::Kind>,
    header: &Arc<HeaderOf<M>>,
    secrets: Secrets,
) -> Result<Resumed<M>, Difference> {
    let seed = secrets.seed.clone();
    let ledger = if record.is_sealed() {
        Ledger::unsealed::<M::Kind>(header, secrets.seed)
    } else {
        Ledger::new::<M::Kind>(header, secrets)
    };
    let mut lockstep = Lockstep::<M>::new(M::with_ledger(Arc::clone(header), ledger));
    lockstep.follow_all(record.lines(), Some(&seed))?;
    let Lockstep { machine, told, pending, .. } = lockstep;
    Ok(Resumed { machine, told, effects: pending })
}

/// The seed that a record reveals, if it does.
fn revealed<K: Kind>(record: &Record<K>) -> Result<Option<Seed>, Difference> {
    for line in record.lines() {
        let Entry::Reveal { seed, nonce: found } = &line.entry else { continue };
        let expected = nonce(seed);
        if expected != *found {
            return Err(Difference::new(line, "nonce", &hex::encode(expected), &hex::encode(found)));
        }
        return Ok(Some(seed.clone()));
    }
    Ok(None)
}

/// A machine that is fed from a record, and its effects that have not yet been compared with a line.
struct Lockstep<M: Machine> {
    machine: M,
    pending: VecDeque<EffectOf<M>>,
    told: Vec<(RoleId, M::Message)>,
    signals: Vec<M::Signal>,
}

impl<M: Machine> Lockstep<M> {
    fn new(machine: M) -> Self {
        Self { machine, pending: VecDeque::new(), told: Vec::new(), signals: Vec::new() }
    }

    /// Has the machine write all of these lines but for the seal, which is checked; what it shows.
    fn follow_all(
        &mut self,
        lines: &[RecordLine<M::Kind>],
        seed: Option<&Seed>,
    ) -> Result<SealCheck, Difference> {
        let mut seal = SealCheck::Missing;
        for (index, line) in lines.iter().enumerate() {
            match &line.entry {
                Entry::Seal { .. } => seal = self.check_seal(line, seed)?,
                _ => self.follow(&lines[index..])?,
            }
        }
        Ok(seal)
    }

    /// Has the machine write the first of these lines.
    fn follow(&mut self, lines: &[RecordLine<M::Kind>]) -> Result<(), Difference> {
        let Some(line) = lines.first() else { return Ok(()) };
        let expected = match self.next_line() {
            Some(expected) => expected,
            None => {
                let effects = self.machine.feed(lines);
                self.pending.extend(effects);
                self.next_line().ok_or_else(|| self.machine.out_of_place(line))?
            }
        };
        Difference::between(&expected, line).map_or(Ok(()), Err)
    }

    /// The next line that the machine wrote and nothing was compared with; what is told before it is kept.
    fn next_line(&mut self) -> Option<String> {
        self.take_told();
        match self.pending.pop_front_if(|effect| matches!(effect, Effect::Append(_))) {
            Some(Effect::Append(line)) => Some(line),
            _ => None,
        }
    }

    /// Carries out the machine's effects up to its next line, or its end.
    fn take_told(&mut self) {
        let is_told = |effect: &mut EffectOf<M>| matches!(effect, Effect::Send { .. } | Effect::Signal(_));
        while let Some(effect) = self.pending.pop_front_if(is_told) {
            match effect {
                Effect::Send { role, message } => self.told.push((role, message)),
                Effect::Signal(signal) => self.signals.push(signal),
                Effect::Append(_) | Effect::Finish { .. } => {}
            }
        }
    }

    fn check_seal(
        &mut self,
        line: &RecordLine<M::Kind>,
        seed: Option<&Seed>,
    ) -> Result<SealCheck, Difference> {
        if let Some(expected) = self.next_line() {
            let difference = Difference::between(&expected, line);
            return Err(difference.unwrap_or_else(|| self.machine.out_of_place(line)));
        }
        let Entry::Seal { head, public_key, signature } = &line.entry else {
            return Err(self.machine.out_of_place(line));
        };
        if self.machine.outcome().is_none() {
            return Err(self.machine.out_of_place(line));
        }
        let seed = seed.ok_or_else(|| Difference::new(line, "event", "reveal", "seal"))?;
        let seal = Seal { prev: line.prev, head: *head, public_key, signature };
        let checked = seal.check(self.machine.chain_head(), seed);
        checked.map_err(|wrong| Difference::new(line, wrong.field, &wrong.expected, &wrong.found))
    }
}
