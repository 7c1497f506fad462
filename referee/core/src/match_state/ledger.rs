//! The writing side of a match: chance, and the lines of the record.

use std::collections::BTreeMap;

use croupier_engine::{GameError, RoleId};

use crate::{
    chance::{Chance, Nonce, Seed},
    digest::Digest,
    event::Outcome,
    header::{Header, Substitution},
    match_state::Secrets,
    record::{Chain, Entry, Genesis, SealKey, commitment_of, nonce},
};

/// Where draws come from.
#[derive(Debug)]
pub(crate) enum Draws {
    /// The seed of the match.
    Seed(Chance),
    /// A record whose seed is not revealed yet: draws by turn, and by the name of the role for a substitute.
    Recorded(BTreeMap<(u32, Option<String>), u64>),
}

/// The chain of a record that is being written, and its writer's secrets.
#[derive(Debug)]
pub(crate) struct Ledger {
    pub(crate) chain: Chain,
    pub(crate) commitment: Digest,
    pub(crate) draws: Draws,
    /// Revealed at the end, if known.
    pub(crate) seed: Option<Seed>,
    /// Signs the end, if known.
    pub(crate) seal_key: Option<SealKey>,
}

impl Ledger {
    /// The ledger of a new match.
    pub(crate) fn new(header: &Header, Secrets { seed, seal_key }: Secrets) -> Self {
        Self { seal_key: Some(seal_key), ..Self::unsealed(header, seed) }
    }

    /// A ledger that writes everything but the seal.
    pub(crate) fn unsealed(header: &Header, seed: Seed) -> Self {
        Self {
            chain: Chain::default(),
            commitment: commitment_of(header, &seed),
            draws: Draws::Seed(Chance::new(&seed)),
            seed: Some(seed),
            seal_key: None,
        }
    }

    /// A ledger that repeats the draws of a record without a seed.
    pub(crate) fn recorded(commitment: Digest, draws: BTreeMap<(u32, Option<String>), u64>) -> Self {
        Self {
            chain: Chain::default(),
            commitment,
            draws: Draws::Recorded(draws),
            seed: None,
            seal_key: None,
        }
    }

    /// From now on draws from the seed combined with these nonces, if there are any.
    pub(crate) fn join(&mut self, nonces: &[(&str, Nonce)]) {
        if let (Some(seed), Draws::Seed(chance)) = (&self.seed, &mut self.draws)
            && !nonces.is_empty()
        {
            *chance = Chance::new(&seed.joined(nonces));
        }
    }

    pub(crate) fn genesis(&self, header: &Header) -> Entry {
        Entry::Genesis(Genesis::new(header, self.commitment).into())
    }

    pub(crate) fn line(&mut self, entry: &Entry) -> String {
        self.chain.append(entry)
    }

    /// The index of `random`'s move among its `n` legal moves.
    pub(crate) fn draw(&self, turn: u32, n: u64) -> u64 {
        match &self.draws {
            Draws::Seed(chance) => chance.draw(turn, n),
            Draws::Recorded(draws) => recorded(draws, (turn, None), n),
        }
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
        if let Some(seed) = self.seed.take() {
            let nonce = nonce(&seed);
            lines.push(self.line(&Entry::Reveal { seed, nonce }));
        }
        if let (Some(seal_key), Some(head)) = (self.seal_key.take(), self.chain.head()) {
            lines.push(self.line(&seal_key.seal(head)));
        }
        lines
    }
}

/// The draw given in a record, or 0 if the record has none that is possible: then its line will not match.
fn recorded(draws: &BTreeMap<(u32, Option<String>), u64>, key: (u32, Option<String>), n: u64) -> u64 {
    draws.get(&key).copied().filter(|&index| index < n).unwrap_or(0)
}

/// The line that ends a match, but for its seal.
pub(crate) fn end_entry(header: &Header, outcome: &Outcome) -> Entry {
    let name = |role: RoleId| header.role_name(role).to_owned();
    let goals = outcome.goals().map(|goals| {
        goals.iter().map(|(role, goal)| (name(role), i64::from(goal.value()))).collect::<BTreeMap<_, _>>()
    });
    let (role, error) = match outcome {
        Outcome::GameError { role, error, .. } => (role.map(name), Some(error_word(error).to_owned())),
        Outcome::Void { role, failure } => (Some(name(*role)), Some(failure.as_str().to_owned())),
        Outcome::Withheld { by } => {
            let first = by.first();
            (first.map(|(role, _)| name(*role)), first.map(|(_, failure)| failure.as_str().to_owned()))
        }
        Outcome::Terminal { .. } | Outcome::TurnLimit { .. } | Outcome::Aborted { .. } => (None, None),
    };
    Entry::End { turns: outcome.turns(), status: outcome.status().to_owned(), goals, role, error }
}

/// A word rather than the text of the error, so that records outlive its wording.
pub(crate) fn error_word(error: &GameError) -> &'static str {
    match error {
        GameError::NoLegalMove { .. } => "no_legal_move",
        GameError::NoGoal { .. } => "no_goal",
        GameError::SeveralGoals { .. } => "several_goals",
        GameError::GoalOutOfRange { .. } => "goal_out_of_range",
        GameError::Limit { .. } | GameError::Ground(_) | GameError::OutOfReach => "limit",
    }
}
