//! The events of a record as values, and the one line that each of them has.

use std::sync::Arc;

use croupier_engine::Strictness;

use crate::{
    chance::{Nonce, RNG, Seed},
    digest::{Digest, bytes_of_hex},
    event::Failure,
    header::{SeriesPlace, SessionPlace},
    record::{
        fields::{FieldError, Fields},
        json::Value,
        kind::{Kind, Shared},
        turns::Turns,
    },
};

/// Version of the semantics of records: evaluation of rules, canonical order, percepts, substitution.
pub const SEMANTICS: u64 = 1;

/// The status of a player that answered START.
const READY: &str = "ready";

/// The status of a disclosed nonce.
const REVEALED: &str = "revealed";

/// The first line of a record: everything that is fixed before the first message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Genesis<K: Kind = Turns> {
    /// The match, with the rules text.
    pub setup: K::Setup,
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

/// One line of a record. Roles are named, moves are canonical text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entry<K: Kind = Turns> {
    /// The header of the match.
    Genesis(Arc<Genesis<K>>),
    /// A player answered START, or failed to.
    Ready {
        /// The player's role.
        role: String,
        /// Why the player is not ready, if it is not; the match continues anyway.
        failure: Option<Failure>,
        /// Time since START was sent, in matches in turns.
        elapsed_ms: Option<u64>,
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
        /// Time since REVEAL was sent, in matches in turns.
        elapsed_ms: Option<u64>,
    },
    /// `random` chose.
    Draw {
        /// The turn or update.
        step: u32,
        /// How many legal moves there were.
        n: u64,
        /// The index of the drawn move, from 0 in canonical order.
        index: u64,
    },
    /// An event that only this kind of match has.
    Own(K::Line),
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

impl<K: Kind> Genesis<K> {
    /// The first line for a match.
    #[must_use]
    pub fn new(header: &K::Header, commitment: Digest) -> Self {
        let roles = K::roles(header);
        Self {
            setup: K::setup(header).clone(),
            game_digest: K::game_digest(header),
            roles: roles.all().map(|role| roles.name(role).to_owned()).collect(),
            full_sight: K::full_sight(header).to_vec(),
            commitment,
        }
    }

    fn write(&self) -> Value {
        let Shared { match_id, series, session, rules, game_name, players, strictness } =
            K::shared(&self.setup);
        let full_sight = Value::List(self.full_sight.iter().map(Value::text).collect());
        let game = Value::object([
            ("name", game_name.map(str::to_owned).into()),
            ("rules", Value::text(rules)),
            ("sha256", Value::text(self.game_digest.to_string())),
        ])
        .with("full_sight", (!self.full_sight.is_empty()).then_some(full_sight));
        let players = players.iter().map(|(role, player)| (role.clone(), Value::text(player)));
        let place = series.map(|SeriesPlace { id, index, total }| {
            Value::object([
                ("id", Value::text(id)),
                ("index", Value::count(*index)),
                ("total", Value::count(*total)),
            ])
        });
        let session = session.map(|SessionPlace { id, index, before }| {
            Value::object([
                ("id", Value::text(id)),
                ("index", Value::count(*index)),
                ("before", Value::text(before.to_string())),
            ])
        });
        let shared = [
            ("semantics", Some(Value::count(SEMANTICS))),
            ("rng", Some(Value::text(RNG))),
            ("match_id", Some(Value::text(match_id))),
            ("series", place),
            ("session", session),
            ("game", Some(game)),
            ("roles", Some(Value::List(self.roles.iter().map(Value::text).collect()))),
            ("players", Some(Value::Object(players.collect()))),
            ("strictness", Some(Value::text(strictness_str(strictness)))),
            ("commitment", Some(Value::text(self.commitment.to_string()))),
        ];
        shared.into_iter().fold(K::write_setup(&self.setup), |line, (name, value)| line.with(name, value))
    }

    fn read(fields: &mut Fields) -> Result<Self, FieldError> {
        let format = fields.format(K::FORMATS)?;
        fields.version("semantics", SEMANTICS)?;
        fields.word("rng", &[(RNG, ())])?;
        let mut game = fields.object("game")?;
        let game_name = game.optional_text("name")?;
        let rules = game.text("rules")?;
        let game_digest = game.digest("sha256")?;
        let full_sight = if game.has("full_sight") { game.names("full_sight")? } else { Vec::new() };
        game.finish()?;
        let strictnesses = [Strictness::Compatible, Strictness::Strict];
        let series = if fields.has("series") { Some(series(fields)?) } else { None };
        let session = if fields.has("session") { Some(session(fields)?) } else { None };
        let players: Vec<_> = fields.texts("players")?.into_iter().collect();
        let shared = Shared {
            match_id: &fields.text("match_id")?,
            series: series.as_ref(),
            session: session.as_ref(),
            rules: &rules,
            game_name: game_name.as_deref(),
            players: &players,
            strictness: fields
                .word("strictness", &strictnesses.map(|strict| (strictness_str(strict), strict)))?,
        };
        let setup = K::read_setup(format, fields, shared)?;
        let (roles, commitment) = (fields.names("roles")?, fields.digest("commitment")?);
        Ok(Self { setup, game_digest, roles, full_sight, commitment })
    }
}

impl<K: Kind> Entry<K> {
    /// The word for this event in a record.
    #[must_use]
    pub fn event(&self) -> &'static str {
        match self {
            Self::Genesis(_) => "genesis",
            Self::Ready { .. } => "ready",
            Self::Nonce { .. } => "nonce",
            Self::Draw { .. } => "draw",
            Self::Own(line) => K::event(line),
            Self::Reveal { .. } => "reveal",
            Self::Seal { .. } => "seal",
        }
    }

    /// The turn or update that it belongs to, if it belongs to one.
    #[must_use]
    pub fn step(&self) -> Option<u32> {
        match self {
            Self::Draw { step, .. } => Some(*step),
            Self::Own(line) => K::step(line),
            _ => None,
        }
    }

    /// The line for it after a chain value, without its newline.
    pub(crate) fn line(&self, prev: Option<Digest>) -> String {
        self.to_value(prev).to_text()
    }

    pub(crate) fn to_value(&self, prev: Option<Digest>) -> Value {
        let fields = match self {
            Self::Genesis(genesis) => genesis.write(),
            Self::Ready { role, failure, elapsed_ms, nonce, commitment } => Value::object([
                ("role", Value::text(role)),
                ("status", Value::text(failure.map_or(READY, Failure::as_str))),
            ])
            .with("elapsed_ms", elapsed_ms.map(Value::count))
            .with("nonce", nonce.map(|Nonce(bytes)| Value::text(hex::encode(bytes))))
            .with("commitment", commitment.map(|digest| Value::text(digest.to_string()))),
            Self::Nonce { role, revealed, elapsed_ms } => Value::object([
                ("role", Value::text(role)),
                ("status", Value::text(revealed.map_or_else(Failure::as_str, |_| REVEALED))),
                ("nonce", revealed.ok().map(|Nonce(bytes)| hex::encode(bytes)).into()),
            ])
            .with("elapsed_ms", elapsed_ms.map(Value::count)),
            Self::Draw { step, n, index } => Value::object([
                (K::STEP, Value::count(u64::from(*step))),
                ("n", Value::count(*n)),
                ("index", Value::count(*index)),
            ]),
            Self::Own(line) => K::write(line),
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
        fields
            .with("event", Some(Value::text(self.event())))
            .with("prev", Some(prev.map(|prev| prev.to_string()).into()))
    }

    /// The event of one line, and the chain value that it claims to follow.
    pub(crate) fn read(line: Value) -> Result<(Self, Option<Digest>), FieldError> {
        let (mut fields, event, prev) = Fields::of_line(line)?;
        let entry = match event.as_str() {
            "genesis" => Self::Genesis(Arc::new(Genesis::read(&mut fields)?)),
            "ready" => ready(&mut fields)?,
            "nonce" => nonce(&mut fields)?,
            "draw" => Self::Draw {
                step: fields.turn(K::STEP)?,
                n: fields.count("n")?,
                index: fields.count("index")?,
            },
            "reveal" => {
                Self::Reveal { seed: Seed::from_bytes(fields.bytes("seed")?), nonce: fields.bytes("nonce")? }
            }
            "seal" => Self::Seal {
                head: fields.digest("head")?,
                public_key: fields.bytes("public_key")?,
                signature: fields.bytes("signature")?,
            },
            _ => Self::Own(K::read(&event, &mut fields)?),
        };
        fields.finish()?;
        Ok((entry, prev))
    }
}

fn ready<K: Kind>(fields: &mut Fields) -> Result<Entry<K>, FieldError> {
    let words = Failure::ALL.map(|failure| (failure.as_str(), Some(failure)));
    let words: Vec<_> = words.into_iter().chain([(READY, None)]).collect();
    let failure = fields.word("status", &words)?;
    for field in ["nonce", "commitment"] {
        if fields.has(field) && failure.is_some() {
            return Err(fields.wrong(field, "beside a player that is ready"));
        }
    }
    Ok(Entry::Ready {
        role: fields.text("role")?,
        failure,
        elapsed_ms: if K::TIMES_ANSWERS { Some(fields.count("elapsed_ms")?) } else { None },
        nonce: if fields.has("nonce") { Some(Nonce(fields.bytes("nonce")?)) } else { None },
        commitment: if fields.has("commitment") { Some(fields.digest("commitment")?) } else { None },
    })
}

fn nonce<K: Kind>(fields: &mut Fields) -> Result<Entry<K>, FieldError> {
    let words = Failure::ALL.map(|failure| (failure.as_str(), Some(failure)));
    let words: Vec<_> = words.into_iter().chain([(REVEALED, None)]).collect();
    let status = fields.word("status", &words)?;
    let revealed = match (status, fields.optional_text("nonce")?) {
        (Some(failure), None) => Err(failure),
        (None, Some(text)) => {
            let bytes = bytes_of_hex(&text);
            Ok(Nonce(bytes.ok_or_else(|| fields.wrong("nonce", "64 lower-case hexadecimal digits"))?))
        }
        _ => return Err(fields.wrong("nonce", "text where it was revealed, and null otherwise")),
    };
    let elapsed_ms = if K::TIMES_ANSWERS { Some(fields.count("elapsed_ms")?) } else { None };
    Ok(Entry::Nonce { role: fields.text("role")?, revealed, elapsed_ms })
}

fn series(fields: &mut Fields) -> Result<SeriesPlace, FieldError> {
    let mut place = fields.object("series")?;
    let series =
        SeriesPlace { id: place.text("id")?, index: place.count("index")?, total: place.count("total")? };
    place.finish()?;
    Ok(series)
}

fn session(fields: &mut Fields) -> Result<SessionPlace, FieldError> {
    let mut place = fields.object("session")?;
    let session =
        SessionPlace { id: place.text("id")?, index: place.count("index")?, before: place.digest("before")? };
    place.finish()?;
    Ok(session)
}

fn strictness_str(strictness: Strictness) -> &'static str {
    match strictness {
        Strictness::Compatible => "compatible",
        Strictness::Strict => "strict",
    }
}
