//! The writing side of a match: chance, and the lines of the record.

use std::collections::BTreeMap;

use croupier_engine::RoleId;

use crate::{
    chance::{Chance, Nonce, Seed},
    digest::Digest,
    header::Substitution,
    record::{Chain, Entry, Genesis, Kind, Record, SealKey, Turns, commitment_of, nonce},
};

/// The referee's secrets while a match runs.
#[derive(Clone, Debug)]
pub struct Secrets {
    /// Where all chance comes from.
    pub seed: Seed,
    /// What signs the record.
    pub seal_key: SealKey,
}

impl Secrets {
    /// Secrets without a signing key: see [`SealKey::from_seed`] for the limits of such a seal.
    #[must_use]
    pub fn from_seed(seed: Seed) -> Self {
        let seal_key = SealKey::from_seed(&seed);
        Self { seed, seal_key }
    }
}

/// Where draws come from.
#[derive(Debug)]
enum Draws {
    /// The seed of the match.
    Seed(Chance),
    /// A record whose seed is not revealed yet: draws by turn or update, and by the name of the role for a substitute.
    Recorded(BTreeMap<(u32, Option<String>), u64>),
}

/// The chain of a record that is being written, and its writer's secrets.
#[derive(Debug)]
pub(crate) struct Ledger {
    chain: Chain,
    commitment: Digest,
    draws: Draws,
    /// Revealed at the end, if known.
    seed: Option<Seed>,
    /// Signs the end, if known.
    seal_key: Option<SealKey>,
    /// Whether the match has ended, so that nothing follows.
    is_closed: bool,
}

impl Ledger {
    /// The ledger of a new match.
    pub(crate) fn new<K: Kind>(header: &K::Header, Secrets { seed, seal_key }: Secrets) -> Self {
        Self { seal_key: Some(seal_key), ..Self::unsealed::<K>(header, seed) }
    }

    /// A ledger that writes everything but the seal.
    pub(crate) fn unsealed<K: Kind>(header: &K::Header, seed: Seed) -> Self {
        Self {
            chain: Chain::default(),
            commitment: commitment_of::<K>(header, &seed),
            draws: Draws::Seed(Chance::new(&seed)),
            seed: Some(seed),
            seal_key: None,
            is_closed: false,
        }
    }

    /// A ledger that repeats the draws of a record without a seed.
    pub(crate) fn recorded<K: Kind>(record: &Record<K>) -> Self {
        let draws = record.lines().iter().filter_map(|line| match &line.entry {
            Entry::Draw { step, index, .. } => Some(((*step, None), *index)),
            Entry::Own(line) => K::substituted(line),
            _ => None,
        });
        Self {
            chain: Chain::default(),
            commitment: record.genesis().commitment,
            draws: Draws::Recorded(draws.collect()),
            seed: None,
            seal_key: None,
            is_closed: false,
        }
    }

    /// The chain value of the lines so far; `None` before the first.
    pub(crate) fn chain_head(&self) -> Option<Digest> {
        self.chain.head()
    }

    /// From now on draws from the seed combined with these nonces, if there are any.
    pub(crate) fn join(&mut self, nonces: &[(&str, Nonce)]) {
        if let (Some(seed), Draws::Seed(chance)) = (&self.seed, &mut self.draws)
            && !nonces.is_empty()
        {
            *chance = Chance::new(&seed.joined(nonces));
        }
    }

    /// The first line.
    pub(crate) fn genesis<K: Kind>(&self, header: &K::Header) -> Entry<K> {
        Entry::Genesis(Genesis::new(header, self.commitment).into())
    }

    /// The next line of the record.
    ///
    /// # Panics
    /// If the closing lines were written: nothing can follow a seal.
    pub(crate) fn line<K: Kind>(&mut self, entry: &Entry<K>) -> String {
        assert!(!self.is_closed, "a line follows the end of a record");
        self.chain.append(entry)
    }

    /// The index of `random`'s move among its `n` legal moves.
    pub(crate) fn draw(&self, step: u32, n: u64) -> u64 {
        let index = match &self.draws {
            Draws::Seed(chance) => chance.draw(step, n),
            Draws::Recorded(draws) => recorded(draws, (step, None), n),
        };
        #[cfg(feature = "mutants")]
        let index = crate::mutant::draw(index, n);
        index
    }

    /// The index of the substituted move among a player's `n` legal moves.
    pub(crate) fn substitute(&self, turn: u32, role: RoleId, name: &str, n: u64, rule: Substitution) -> u64 {
        match (rule, &self.draws) {
            (Substitution::First, _) => 0,
            (Substitution::Drawn, Draws::Seed(chance)) => chance.substitute(turn, role, n),
            (Substitution::Drawn, Draws::Recorded(draws)) => {
                recorded(draws, (turn, Some(name.to_owned())), n)
            }
        }
    }

    /// The lines after the last message: the seed and the seal, as far as they are known.
    pub(crate) fn closing_lines(&mut self) -> Vec<String> {
        let mut lines = Vec::new();
        // They are the same lines in every kind of match.
        if let Some(seed) = self.seed.take() {
            let nonce = nonce(&seed);
            lines.push(self.line::<Turns>(&Entry::Reveal { seed, nonce }));
        }
        if let (Some(seal_key), Some(head)) = (self.seal_key.take(), self.chain.head()) {
            lines.push(self.line::<Turns>(&seal_key.seal(head)));
        }
        self.is_closed = true;
        lines
    }
}

/// The draw given in a record, or 0 if the record has none that is possible: then its line will not match.
fn recorded(draws: &BTreeMap<(u32, Option<String>), u64>, key: (u32, Option<String>), n: u64) -> u64 {
    draws.get(&key).copied().filter(|&index| index < n).unwrap_or(0)
}
