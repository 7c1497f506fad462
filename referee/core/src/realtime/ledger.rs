//! The lines of a real-time record, as they are written.

use std::collections::BTreeMap;

use croupier_engine::{RoleId, realtime::RealTimeError};

use super::{MoveStatus, RealTimeEnd, RealTimeHeader, RealTimeOutcome};
use crate::{
    chance::{Chance, Nonce, RNG, Seed},
    digest::Digest,
    event::Failure,
    match_state::{Secrets, error_word},
    record::{
        Chain, Commitment, Entry, PROTOCOL, PROTOCOL_WITH_NONCES, REVEALED, SEMANTICS, SealKey, Value,
        commitment, nonce, strictness_str,
    },
};

/// Version of the lines and fields of a real-time record.
pub(super) const FORMAT: u64 = 3;

/// Version of those of a match whose players may commit to nonces.
pub(super) const FORMAT_WITH_NONCES: u64 = 5;

/// Where draws come from.
#[derive(Debug)]
pub(super) enum Draws {
    /// The seed of the match.
    Seed(Chance),
    /// A record whose seed is not revealed yet: draws by update.
    Recorded(BTreeMap<u32, u64>),
}

/// A move with what became of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Judged<'j> {
    /// When it counted.
    pub(super) at_us: u64,
    /// When it came.
    pub(super) arrived_us: u64,
    pub(super) role: &'j str,
    pub(super) id: u64,
    pub(super) status: MoveStatus,
    pub(super) text: Option<&'j str>,
}

/// The chain of a record that is being written, and its writer's secrets.
#[derive(Debug)]
pub(super) struct RealTimeLedger {
    chain: Chain,
    commitment: Digest,
    draws: Draws,
    seed: Option<Seed>,
    seal_key: Option<SealKey>,
}

impl RealTimeLedger {
    /// The ledger of a new match.
    pub(super) fn new(header: &RealTimeHeader, Secrets { seed, seal_key }: Secrets) -> Self {
        Self { seal_key: Some(seal_key), ..Self::unsealed(header, seed) }
    }

    /// A ledger that writes everything but the seal.
    pub(super) fn unsealed(header: &RealTimeHeader, seed: Seed) -> Self {
        Self {
            chain: Chain::default(),
            commitment: commitment_of(header, &seed),
            draws: Draws::Seed(Chance::new(&seed)),
            seed: Some(seed),
            seal_key: None,
        }
    }

    /// A ledger that repeats the draws of a record without a seed.
    pub(super) fn recorded(commitment: Digest, draws: BTreeMap<u32, u64>) -> Self {
        Self {
            chain: Chain::default(),
            commitment,
            draws: Draws::Recorded(draws),
            seed: None,
            seal_key: None,
        }
    }

    pub(super) fn chain_head(&self) -> Option<Digest> {
        self.chain.head()
    }

    /// The index of `random`'s move among its `n` legal moves in an update.
    pub(super) fn draw(&self, update: u32, n: u64) -> u64 {
        match &self.draws {
            Draws::Seed(chance) => chance.draw(update, n),
            Draws::Recorded(draws) => draws.get(&update).copied().filter(|&index| index < n).unwrap_or(0),
        }
    }

    fn line<'f>(&mut self, event: &str, fields: impl IntoIterator<Item = (&'f str, Value)>) -> String {
        let prev = self.chain.head().map(|prev| prev.to_string());
        let own = [("event", Value::text(event)), ("prev", prev.into())];
        let fields = fields.into_iter().chain(own).map(|(name, value)| (name.to_owned(), value));
        let line = Value::Object(fields.collect()).to_text();
        self.chain.absorb(line.as_bytes());
        line
    }

    pub(super) fn genesis(&mut self, header: &RealTimeHeader) -> String {
        let setup = header.setup();
        let game = Value::object([
            ("name", setup.game_name.clone().into()),
            ("rules", Value::text(&setup.rules)),
            ("sha256", Value::text(header.game_digest().to_string())),
        ]);
        let players = setup.players.iter().map(|(role, player)| (role.clone(), Value::text(player)));
        let roles = roles_of(header).into_iter().map(Value::Text);
        let commitment = Value::text(self.commitment.to_string());
        let (format, protocol) = match setup.nonces_ms {
            None => (FORMAT, PROTOCOL),
            Some(_) => (FORMAT_WITH_NONCES, PROTOCOL_WITH_NONCES),
        };
        let nonces = setup.nonces_ms.map(|ms| ("nonces_ms", Value::count(ms)));
        self.line(
            "genesis",
            [
                ("format", Value::count(format)),
                ("time", Value::text("real")),
                ("semantics", Value::count(SEMANTICS)),
                ("protocol", Value::count(protocol)),
                ("rng", Value::text(RNG)),
                ("match_id", Value::text(&setup.match_id)),
                ("game", game),
                ("roles", Value::List(roles.collect())),
                ("players", Value::Object(players.collect())),
                ("strictness", Value::text(strictness_str(setup.strictness))),
                ("tick_us", Value::count(setup.tick_us)),
                ("updates_max", Value::count(u64::from(setup.updates_max))),
                ("time_max_us", Value::count(setup.time_max_us)),
                ("commitment", commitment),
            ]
            .into_iter()
            .chain(nonces),
        )
    }

    /// A player is ready, or was not in time.
    pub(super) fn ready(
        &mut self,
        role: &str,
        failure: Option<Failure>,
        commitment: Option<Digest>,
    ) -> String {
        let status = failure.map_or("ready", Failure::as_str);
        let fields = [("role", Value::text(role)), ("status", Value::text(status))];
        let commitment = commitment.map(|digest| ("commitment", Value::text(digest.to_string())));
        self.line("ready", fields.into_iter().chain(commitment))
    }

    /// A player disclosed its nonce, or withheld it.
    pub(super) fn nonce(&mut self, role: &str, revealed: Result<Nonce, Failure>) -> String {
        let status = revealed.map_or_else(Failure::as_str, |_| REVEALED);
        let fields = [
            ("role", Value::text(role)),
            ("status", Value::text(status)),
            ("nonce", revealed.ok().map(|Nonce(bytes)| hex::encode(bytes)).into()),
        ];
        self.line("nonce", fields)
    }

    /// From now on draws from the seed combined with these nonces, if there are any.
    pub(super) fn join(&mut self, nonces: &BTreeMap<RoleId, Nonce>, header: &RealTimeHeader) {
        let nonces: Vec<_> =
            nonces.iter().map(|(&role, &nonce)| (header.roles().name(role), nonce)).collect();
        if let (Some(seed), Draws::Seed(chance)) = (&self.seed, &mut self.draws)
            && !nonces.is_empty()
        {
            *chance = Chance::new(&seed.joined(&nonces));
        }
    }

    /// A move that was judged.
    pub(super) fn judged(&mut self, judged: &Judged<'_>) -> String {
        let fields = [
            ("at_us", Value::count(judged.at_us)),
            ("role", Value::text(judged.role)),
            ("id", Value::count(judged.id)),
            ("status", Value::text(judged.status.as_str())),
            ("move", judged.text.map(str::to_owned).into()),
        ];
        // Where it counted when it came, as in matches in one process, the line is as it always was.
        let arrived = (judged.arrived_us != judged.at_us).then_some(("arrived_us", judged.arrived_us));
        self.line("move", fields.into_iter().chain(arrived.map(|(name, us)| (name, Value::count(us)))))
    }

    /// Game time was paused.
    pub(super) fn paused(&mut self, at_us: u64, lasted_us: u64) -> String {
        self.line("pause", [("at_us", Value::count(at_us)), ("lasted_us", Value::count(lasted_us))])
    }

    pub(super) fn drawn(&mut self, update: u32, n: u64, index: u64) -> String {
        let fields = [
            ("update", Value::count(u64::from(update))),
            ("n", Value::count(n)),
            ("index", Value::count(index)),
        ];
        self.line("draw", fields)
    }

    pub(super) fn updated(
        &mut self,
        update: u32,
        at_us: u64,
        moves: BTreeMap<String, Value>,
        state: Digest,
        percepts: BTreeMap<String, Value>,
    ) -> String {
        self.line(
            "update",
            [
                ("update", Value::count(u64::from(update))),
                ("at_us", Value::count(at_us)),
                ("moves", Value::Object(moves)),
                ("state", Value::text(state.to_string())),
                ("percepts", Value::Object(percepts)),
            ],
        )
    }

    pub(super) fn ended(&mut self, header: &RealTimeHeader, end: &RealTimeEnd) -> String {
        let goals = end.outcome.goals().map(|goals| {
            let goals = goals.iter();
            let named = goals.map(|(role, goal)| {
                (header.roles().name(role).to_owned(), Value::Integer(i64::from(goal.value())))
            });
            Value::Object(named.collect())
        });
        let error = match &end.outcome {
            RealTimeOutcome::GameError(error) => Some(word(error).to_owned()),
            _ => None,
        };
        self.line(
            "end",
            [
                ("updates", Value::count(u64::from(end.updates))),
                ("at_us", Value::count(end.at_us)),
                ("status", Value::text(end.outcome.status())),
                ("goals", goals.into()),
                ("error", error.into()),
            ],
        )
    }

    /// The lines after the last notice: the seed and the seal, as far as they are known.
    pub(super) fn closing_lines(&mut self) -> Vec<String> {
        let mut lines = Vec::new();
        if let Some(seed) = self.seed.take() {
            let hidden = nonce(&seed);
            let fields = [("seed", Value::text(seed.reveal())), ("nonce", Value::text(hex::encode(hidden)))];
            lines.push(self.line("reveal", fields));
        }
        if let (Some(seal_key), Some(head)) = (self.seal_key.take(), self.chain.head())
            && let Entry::Seal { head, public_key, signature } = seal_key.seal(head)
        {
            let fields = [
                ("head", Value::text(head.to_string())),
                ("public_key", Value::text(hex::encode(public_key))),
                ("signature", Value::text(hex::encode(signature))),
            ];
            lines.push(self.line("seal", fields));
        }
        lines
    }
}

fn roles_of(header: &RealTimeHeader) -> Vec<String> {
    header.roles().all().map(|role| header.roles().name(role).to_owned()).collect()
}

/// The commitment of a match that is dealt from a seed.
pub(super) fn commitment_of(header: &RealTimeHeader, seed: &Seed) -> Digest {
    let roles = roles_of(header);
    let bound =
        Commitment { match_id: &header.setup().match_id, game_digest: header.game_digest(), roles: &roles };
    commitment(&bound, seed, &nonce(seed))
}

/// A word rather than the text of the error, so that records outlive its wording.
fn word(error: &RealTimeError) -> &'static str {
    match error {
        RealTimeError::Lifetime { .. } => "lifetime",
        RealTimeError::SkipsExpiry { .. } => "limit",
        RealTimeError::Game(error) => error_word(error),
    }
}
