//! The events of a record as values, and the one line that each of them has.

use std::{collections::BTreeMap, sync::Arc};

use croupier_engine::{Strictness, game::PerceptReading};

use crate::{
    chance::{Nonce, RNG, Seed},
    digest::Digest,
    event::{Failure, ReplyStatus},
    header::{Clocks, GRACE_MS, Header, MatchSetup, Nonces, SeriesPlace, Substitution},
    record::json::Value,
};

/// Version of the lines and fields of a record of a match in a series.
pub const FORMAT: u64 = 2;

/// Version of the lines and fields of a record of a match on its own: without `series`, and otherwise the same.
pub const FORMAT_WITHOUT_SERIES: u64 = 1;

/// Version of the lines and fields of a record of a match whose genesis says whether players add nonces to the seed; with or
/// without `series`.
pub const FORMAT_WITH_NONCES: u64 = 4;

/// Version of the semantics of records: evaluation of rules, canonical order, percepts, substitution.
pub const SEMANTICS: u64 = 1;

/// Version of the messages to players.
pub const PROTOCOL: u64 = 1;

/// Version of the messages to players that may commit to nonces.
pub const PROTOCOL_WITH_NONCES: u64 = 2;

/// The first line of a record: everything that is fixed before the first message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Genesis {
    /// The match, with the rules text.
    pub setup: MatchSetup,
    /// SHA-256 of the rules text.
    pub game_digest: Digest,
    /// The roles in the order of the rules, `random` included.
    pub roles: Vec<String>,
    /// Names of the roles that the rules give full sight by a rule of their own; the line says so only if there are
    /// any.
    pub full_sight: Vec<String>,
    /// What binds the referee to the seed: see [`commitment`](crate::record::commitment).
    pub commitment: Digest,
}

impl Genesis {
    /// The first line for a match.
    #[must_use]
    pub fn new(header: &Header, commitment: Digest) -> Self {
        let roles = header.roles();
        Self {
            setup: header.setup().clone(),
            game_digest: header.game_digest(),
            roles: roles.all().map(|role| roles.name(role).to_owned()).collect(),
            full_sight: header.full_sight().to_vec(),
            commitment,
        }
    }
}

/// One line of a record. Roles are named, moves are canonical text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entry {
    /// The header of the match.
    Genesis(Arc<Genesis>),
    /// A player answered START, or failed to.
    Ready {
        /// The player's role.
        role: String,
        /// Why the player is not ready, if it is not; the match continues anyway.
        failure: Option<Failure>,
        /// Time since START was sent.
        elapsed_ms: u64,
        /// The player's nonce in the clear; only written if there is one.
        nonce: Option<Nonce>,
        /// The player's commitment to a nonce; only written if there is one.
        commitment: Option<Digest>,
    },
    /// A player disclosed the nonce that it had committed to, or failed to.
    Nonce {
        /// The player's role.
        role: String,
        /// The nonce, which fits the commitment, or what came instead.
        revealed: Result<Nonce, Failure>,
        /// Time since REVEAL was sent.
        elapsed_ms: u64,
    },
    /// Another referee resumed the match, or the same one after an interruption.
    Resume {
        /// Its number: each is higher than the one before.
        epoch: u64,
    },
    /// A player answered PLAY, or failed to.
    Reply {
        /// The turn.
        turn: u32,
        /// The player's role.
        role: String,
        /// The status of the reply.
        status: ReplyStatus,
        /// The move it wrote, legal or illegal; `None` if there was none to read.
        own_move: Option<String>,
        /// Time since PLAY was sent.
        elapsed_ms: u64,
    },
    /// `random` chose.
    Draw {
        /// The turn.
        turn: u32,
        /// How many legal moves there were.
        n: u64,
        /// The index of the drawn move, from 0 in canonical order.
        index: u64,
    },
    /// A move was played for a player that gave no legal one.
    Substitute {
        /// The turn.
        turn: u32,
        /// The player's role.
        role: String,
        /// How many legal moves there were.
        n: u64,
        /// The index of the drawn move, from 0 in canonical order.
        index: u64,
    },
    /// A joint move was played.
    Turn {
        /// The turn.
        turn: u32,
        /// The move of each role.
        moves: BTreeMap<String, String>,
        /// SHA-256 of the state after it: its fluents in canonical order, one a line.
        state: Digest,
        /// SHA-256 of each player's percepts: in canonical order, one a line.
        percepts: BTreeMap<String, Digest>,
    },
    /// The match is over.
    End {
        /// How many turns were played.
        turns: u32,
        /// How it ended: `terminal`, `turn_limit`, `game_error` or `aborted`.
        status: String,
        /// The goal of each player, if the match ended by the rules.
        goals: Option<BTreeMap<String, i64>>,
        /// The role for which the rules failed, if they did for one.
        role: Option<String>,
        /// How the rules failed, if they did, as one word.
        error: Option<String>,
    },
    /// The seed, now that nothing is hidden any more.
    Reveal {
        /// The seed.
        seed: Seed,
        /// What hid it in the commitment.
        nonce: [u8; 32],
    },
    /// The signature that ends the record.
    Seal {
        /// The chain value of everything before this line.
        head: Digest,
        /// The ed25519 key that signed.
        public_key: [u8; 32],
        /// The signature of the head.
        signature: [u8; 64],
    },
}

impl Entry {
    /// The word for this event in a record.
    #[must_use]
    pub fn event(&self) -> &'static str {
        match self {
            Self::Genesis(_) => "genesis",
            Self::Ready { .. } => "ready",
            Self::Nonce { .. } => "nonce",
            Self::Resume { .. } => "resume",
            Self::Reply { .. } => "reply",
            Self::Draw { .. } => "draw",
            Self::Substitute { .. } => "substitute",
            Self::Turn { .. } => "turn",
            Self::End { .. } => "end",
            Self::Reveal { .. } => "reveal",
            Self::Seal { .. } => "seal",
        }
    }

    /// The turn it belongs to, if it belongs to one.
    #[must_use]
    pub fn turn(&self) -> Option<u32> {
        match self {
            Self::Reply { turn, .. }
            | Self::Draw { turn, .. }
            | Self::Substitute { turn, .. }
            | Self::Turn { turn, .. } => Some(*turn),
            Self::Genesis(_)
            | Self::Ready { .. }
            | Self::Nonce { .. }
            | Self::Resume { .. }
            | Self::End { .. }
            | Self::Reveal { .. }
            | Self::Seal { .. } => None,
        }
    }

    /// The line for it after a chain value, without its newline.
    pub(crate) fn line(&self, prev: Option<Digest>) -> String {
        self.to_value(prev).to_text()
    }

    pub(crate) fn to_value(&self, prev: Option<Digest>) -> Value {
        let mut fields = match self {
            Self::Genesis(genesis) => genesis_fields(genesis),
            Self::Ready { role, failure, elapsed_ms, nonce, commitment } => {
                let status = failure.map_or("ready", Failure::as_str);
                let nonce = nonce.map(|Nonce(bytes)| ("nonce", Value::text(hex::encode(bytes))));
                let commitment = commitment.map(|digest| ("commitment", Value::text(digest.to_string())));
                let fields = [
                    ("role", Value::text(role)),
                    ("status", Value::text(status)),
                    ("elapsed_ms", Value::count(*elapsed_ms)),
                ];
                let fields = fields.into_iter().chain(nonce).chain(commitment);
                Value::Object(fields.map(|(name, value)| (name.to_owned(), value)).collect())
            }
            Self::Nonce { role, revealed, elapsed_ms } => nonce_fields(role, *revealed, *elapsed_ms),
            Self::Resume { epoch } => Value::object([("epoch", Value::count(*epoch))]),
            Self::Reply { turn, role, status, own_move, elapsed_ms } => Value::object([
                ("turn", Value::count(u64::from(*turn))),
                ("role", Value::text(role)),
                ("status", Value::text(status.as_str())),
                ("move", own_move.clone().into()),
                ("elapsed_ms", Value::count(*elapsed_ms)),
            ]),
            Self::Draw { turn, n, index } => Value::object([
                ("turn", Value::count(u64::from(*turn))),
                ("n", Value::count(*n)),
                ("index", Value::count(*index)),
            ]),
            Self::Substitute { turn, role, n, index } => Value::object([
                ("turn", Value::count(u64::from(*turn))),
                ("role", Value::text(role)),
                ("n", Value::count(*n)),
                ("index", Value::count(*index)),
            ]),
            Self::Turn { turn, moves, state, percepts } => Value::object([
                ("turn", Value::count(u64::from(*turn))),
                ("moves", by_name(moves, |text| Value::text(text))),
                ("state", Value::text(state.to_string())),
                ("percepts", by_name(percepts, |digest| Value::text(digest.to_string()))),
            ]),
            Self::End { turns, status, goals, role, error } => Value::object([
                ("turns", Value::count(u64::from(*turns))),
                ("status", Value::text(status)),
                ("goals", goals.as_ref().map(|goals| by_name(goals, |&goal| Value::Integer(goal))).into()),
                ("role", role.clone().into()),
                ("error", error.clone().into()),
            ]),
            Self::Reveal { seed, nonce } => Value::object([
                ("seed", Value::text(seed.reveal())),
                ("nonce", Value::text(hex::encode(nonce))),
            ]),
            Self::Seal { head, public_key, signature } => Value::object([
                ("head", Value::text(head.to_string())),
                ("public_key", Value::text(hex::encode(public_key))),
                ("signature", Value::text(hex::encode(signature))),
            ]),
        };
        if let Value::Object(fields) = &mut fields {
            fields.insert("event".to_owned(), Value::text(self.event()));
            fields.insert("prev".to_owned(), prev.map(|prev| prev.to_string()).into());
        }
        fields
    }
}

fn nonce_fields(role: &str, revealed: Result<Nonce, Failure>, elapsed_ms: u64) -> Value {
    let status = revealed.map_or_else(Failure::as_str, |_| REVEALED);
    Value::object([
        ("role", Value::text(role)),
        ("status", Value::text(status)),
        ("nonce", revealed.ok().map(|Nonce(bytes)| hex::encode(bytes)).into()),
        ("elapsed_ms", Value::count(elapsed_ms)),
    ])
}

fn genesis_fields(genesis: &Genesis) -> Value {
    let Genesis { setup, game_digest, roles, full_sight, commitment } = genesis;
    let mut game = Value::object([
        ("name", setup.game_name.clone().into()),
        ("rules", Value::text(&setup.rules)),
        ("sha256", Value::text(game_digest.to_string())),
    ]);
    if let (Value::Object(fields), false) = (&mut game, full_sight.is_empty()) {
        fields.insert("full_sight".to_owned(), Value::List(full_sight.iter().map(Value::text).collect()));
    }
    let players = setup.players.iter().map(|(role, player)| (role.clone(), Value::text(player)));
    let (format, protocol) = match setup.nonces {
        Nonces::Clear if setup.series.is_some() => (FORMAT, PROTOCOL),
        Nonces::Clear => (FORMAT_WITHOUT_SERIES, PROTOCOL),
        Nonces::Committed | Nonces::Declined => (FORMAT_WITH_NONCES, PROTOCOL_WITH_NONCES),
    };
    let mut line = Value::object([
        ("format", Value::count(format)),
        ("semantics", Value::count(SEMANTICS)),
        ("protocol", Value::count(protocol)),
        ("rng", Value::text(RNG)),
        ("match_id", Value::text(&setup.match_id)),
        ("game", game),
        ("roles", Value::List(roles.iter().map(Value::text).collect())),
        ("players", Value::Object(players.collect())),
        ("clocks", clocks(setup.clocks)),
        ("percepts", Value::text(percept_reading_str(setup.percepts))),
        ("strictness", Value::text(strictness_str(setup.strictness))),
        ("substitution", Value::text(substitution_str(setup.substitution))),
        ("turns_max", Value::count(u64::from(setup.turns_max))),
        ("commitment", Value::text(commitment.to_string())),
    ]);
    if let (Value::Object(fields), Some(SeriesPlace { id, index, total })) = (&mut line, &setup.series) {
        let place = Value::object([
            ("id", Value::text(id)),
            ("index", Value::count(*index)),
            ("total", Value::count(*total)),
        ]);
        fields.insert("series".to_owned(), place);
    }
    if let (Value::Object(fields), Some(word)) = (&mut line, nonces_str(setup.nonces)) {
        fields.insert("nonces".to_owned(), Value::text(word));
    }
    line
}

fn by_name<T>(values: &BTreeMap<String, T>, value: impl Fn(&T) -> Value) -> Value {
    Value::Object(values.iter().map(|(name, entry)| (name.clone(), value(entry))).collect())
}

/// The status of a disclosed nonce.
pub(crate) const REVEALED: &str = "revealed";

/// The word in the genesis; none where nonces are in the clear, as in formats without that field.
pub(crate) fn nonces_str(nonces: Nonces) -> Option<&'static str> {
    match nonces {
        Nonces::Clear => None,
        Nonces::Committed => Some("committed"),
        Nonces::Declined => Some("declined"),
    }
}

pub(crate) fn percept_reading_str(reading: PerceptReading) -> &'static str {
    match reading {
        PerceptReading::OldState => "old_state",
        PerceptReading::NewState => "new_state",
    }
}

pub(crate) fn strictness_str(strictness: Strictness) -> &'static str {
    match strictness {
        Strictness::Compatible => "compatible",
        Strictness::Strict => "strict",
    }
}

pub(crate) fn substitution_str(substitution: Substitution) -> &'static str {
    match substitution {
        Substitution::Drawn => "drawn",
        Substitution::First => "first",
    }
}

/// The grace is written where it is not the usual one, so that records are the same to the byte as before it could be chosen.
fn clocks(clocks: Clocks) -> Value {
    let mut written = Value::object([
        ("start_ms", Value::count(clocks.start_ms)),
        ("play_ms", Value::count(clocks.play_ms)),
    ]);
    if let Value::Object(fields) = &mut written
        && clocks.grace_ms != GRACE_MS
    {
        fields.insert("grace_ms".to_owned(), Value::count(clocks.grace_ms));
    }
    written
}
