//! Messages as prefix text, each with the id of its match.

use std::collections::BTreeMap;

use croupier_engine::{
    Limits,
    stages::syntax::{print_term, read_ground_term},
};

use super::{
    SAID_BYTES_MAX,
    error::{WireError, check_length, part},
    message::{Opening, RealTimeMessage, RealTimeSaid, Seen, check_id},
};
use crate::{chance::Nonce, digest::Digest, protocol::prefix_items, realtime::MoveStatus};

impl RealTimeMessage {
    /// The message as prefix text, in a match.
    #[must_use]
    pub fn to_prefix(&self, match_id: &str) -> String {
        match self {
            Self::Start { role, rules, tick_us, opening, now_us, .. } => {
                let Opening { speed_permille, start_clock_ms, commitment, .. } = opening;
                let clocks = format!("{tick_us} {speed_permille} {start_clock_ms} {now_us}");
                let commitment = commitment.as_ref().map(|text| format!(" {text}")).unwrap_or_default();
                format!("(START {match_id} {role} ({rules}) REAL {clocks}{commitment})")
            }
            Self::Reveal { commitments, signature } => {
                let listed: Vec<String> =
                    commitments.iter().map(|(role, digest)| format!("({role} {digest})")).collect();
                let signature = signature.as_ref().map(|text| format!(" {text}")).unwrap_or_default();
                format!("(REVEAL {match_id} ({}){signature})", listed.join(" "))
            }
            Self::Clock { now_us } => format!("(CLOCK {match_id} {now_us})"),
            Self::Event { at_us, seen: Seen::Moves(moves) } => {
                let moves: Vec<String> =
                    moves.iter().map(|(role, played)| format!("({role} {played})")).collect();
                format!("(EVENT {match_id} {at_us} ({}))", moves.join(" "))
            }
            Self::Event { at_us, seen: Seen::Percepts { own_move, percepts } } => {
                let own_move = own_move.as_deref().unwrap_or(NOTHING);
                format!("(EVENT {match_id} {at_us} {own_move} ({}))", percepts.join(" "))
            }
            Self::Received { id, at_us, arrived_us, status } => {
                let is_plain = *status == MoveStatus::Legal && arrived_us == at_us;
                let rest =
                    if is_plain { String::new() } else { format!(" {} {arrived_us}", status.as_str()) };
                format!("(RECEIVED {match_id} {id} {at_us}{rest})")
            }
            Self::Stop { at_us, goals: None } => format!("(STOP {match_id} {at_us} NIL)"),
            Self::Stop { at_us, goals: Some(goals) } => {
                let goals: Vec<String> =
                    goals.iter().map(|(role, goal)| format!("({role} {goal})")).collect();
                format!("(STOP {match_id} {at_us} ({}))", goals.join(" "))
            }
        }
    }

    /// Parses a message: the id of its match, and its content.
    ///
    /// # Errors
    /// [`WireError`], for text that is not a message.
    ///
    /// # Complexity
    /// Linear in the length of the text.
    pub fn read_prefix(text: &str, limits: &Limits) -> Result<(String, Self), WireError> {
        check_length(text.len(), limits.source_bytes.saturating_add(4096))?;
        let parts = Parts::of(text, limits)?;
        let message = match (parts.kind, parts.rest.as_slice()) {
            ("START", &[role, rules, time, tick, speed, clock, now]) => {
                parts.start([role, rules, time, tick, speed, clock, now], None)?
            }
            ("START", &[role, rules, time, tick, speed, clock, now, commitment]) => {
                parts.start([role, rules, time, tick, speed, clock, now], Some(commitment.to_owned()))?
            }
            ("REVEAL", &[listed]) => {
                Self::Reveal { commitments: parts.pairs(listed, limits)?, signature: None }
            }
            ("REVEAL", &[listed, signature]) => Self::Reveal {
                commitments: parts.pairs(listed, limits)?,
                signature: Some(signature.to_owned()),
            },
            ("CLOCK", [now]) => Self::Clock { now_us: parts.number(now)? },
            ("EVENT", [at, moves]) => {
                let moves = parts.pairs(moves, limits)?;
                Self::Event { at_us: parts.number(at)?, seen: Seen::Moves(moves) }
            }
            ("EVENT", [at, own_move, percepts]) => {
                let own_move = (*own_move != NOTHING).then(|| parts.term(own_move, limits)).transpose()?;
                let percepts = parts.items(percepts, limits)?.into_iter();
                let percepts =
                    percepts.map(|percept| parts.term(percept, limits)).collect::<Result<_, _>>()?;
                Self::Event { at_us: parts.number(at)?, seen: Seen::Percepts { own_move, percepts } }
            }
            ("RECEIVED", [id, at]) => {
                let (id, at_us) = (parts.number(id)?, parts.number(at)?);
                Self::Received { id, at_us, arrived_us: at_us, status: MoveStatus::Legal }
            }
            ("RECEIVED", [id, at, status, arrived]) => {
                let known =
                    MoveStatus::ALL.into_iter().find(|known| status.eq_ignore_ascii_case(known.as_str()));
                Self::Received {
                    id: parts.number(id)?,
                    at_us: parts.number(at)?,
                    arrived_us: parts.number(arrived)?,
                    status: known.ok_or_else(|| part("RECEIVED", "the status"))?,
                }
            }
            ("STOP", [at, goals]) if is_nil(goals) => Self::Stop { at_us: parts.number(at)?, goals: None },
            ("STOP", [at, goals]) => {
                let goal = |(role, goal): (String, String)| Some((role, goal.parse().ok()?));
                let goals: Option<BTreeMap<String, i32>> =
                    parts.pairs(goals, limits)?.into_iter().map(goal).collect();
                let goals = goals.ok_or_else(|| part("STOP", "a goal"))?;
                Self::Stop { at_us: parts.number(at)?, goals: Some(goals) }
            }
            ("READY" | "MOVE", _) => return Err(WireError::UnknownKind),
            (kind, rest) => return Err(WireError::Parts { kind, found: rest.len() + 1 }),
        };
        Ok((parts.match_id.to_owned(), message.checked(limits)?))
    }
}

impl RealTimeSaid {
    /// A player's message in a match as prefix text.
    #[must_use]
    pub fn to_prefix(&self, match_id: &str) -> String {
        match self {
            Self::Ready { commitment: None } => format!("(READY {match_id})"),
            Self::Ready { commitment: Some(digest) } => format!("(READY {match_id} {digest})"),
            Self::Reveal { nonce } => format!("(REVEAL {match_id} {})", hex::encode(nonce.0)),
            Self::Move { id, text, not_before_us: None } => format!("(MOVE {match_id} {id} {text})"),
            Self::Move { id, text, not_before_us: Some(at_us) } => {
                format!("(MOVE {match_id} {id} {text} {at_us})")
            }
        }
    }

    /// Parses a player's message: the id of its match, and its content.
    ///
    /// # Errors
    /// [`WireError`], for any text that is nothing that a player says.
    ///
    /// # Complexity
    /// Linear in the length of the text, which has at most [`SAID_BYTES_MAX`] bytes.
    pub fn read_prefix(text: &str, limits: &Limits) -> Result<(String, Self), WireError> {
        check_length(text.len(), SAID_BYTES_MAX)?;
        let parts = Parts::of(text, limits)?;
        let said = match (parts.kind, parts.rest.as_slice()) {
            ("READY", []) => Self::Ready { commitment: None },
            ("READY", &[digest]) => {
                let digest = Digest::from_hex(digest).ok_or_else(|| part("READY", "the commitment"))?;
                Self::Ready { commitment: Some(digest) }
            }
            ("REVEAL", &[nonce]) => {
                Self::Reveal { nonce: Nonce::from_hex(nonce).ok_or_else(|| part("REVEAL", "the nonce"))? }
            }
            ("MOVE", [id, text]) => {
                Self::Move { id: parts.number(id)?, text: (*text).to_owned(), not_before_us: None }
            }
            ("MOVE", [id, text, at]) => Self::Move {
                id: parts.number(id)?,
                text: (*text).to_owned(),
                not_before_us: Some(parts.number(at)?),
            },
            (kind @ ("READY" | "MOVE"), rest) => {
                return Err(WireError::Parts { kind, found: rest.len() + 1 });
            }
            _ => return Err(WireError::UnknownKind),
        };
        Ok((parts.match_id.to_owned(), said.checked()?))
    }
}

/// Placeholder for a missing move: it is not a valid term.
const NOTHING: &str = "()";

const KINDS: [&str; 8] = ["START", "REVEAL", "CLOCK", "EVENT", "RECEIVED", "STOP", "READY", "MOVE"];

/// The parts of a message.
struct Parts<'t> {
    kind: &'static str,
    match_id: &'t str,
    rest: Vec<&'t str>,
}

impl<'t> Parts<'t> {
    fn of(text: &'t str, limits: &Limits) -> Result<Self, WireError> {
        let outer = prefix_items(text, false, limits.tokens).ok_or(WireError::NotAList)?;
        let &[list] = outer.as_slice() else { return Err(WireError::NotAList) };
        let inside = inside(list).ok_or(WireError::NotAList)?;
        let items = prefix_items(inside, false, limits.tokens).ok_or(WireError::NotAList)?;
        let Some((word, parts)) = items.split_first() else { return Err(WireError::NotAList) };
        let known = KINDS.into_iter().find(|kind| word.eq_ignore_ascii_case(kind));
        let kind = known.ok_or(WireError::UnknownKind)?;
        let Some((match_id, rest)) = parts.split_first() else {
            return Err(WireError::Parts { kind, found: 0 });
        };
        check_id(kind, match_id)?;
        Ok(Self { kind, match_id, rest: rest.to_vec() })
    }

    fn start(&self, parts: [&str; 7], commitment: Option<String>) -> Result<RealTimeMessage, WireError> {
        let [role, rules, time, tick, speed, clock, now] = parts;
        if !time.eq_ignore_ascii_case("REAL") {
            return Err(part("START", "the kind of time"));
        }
        let speed = u32::try_from(self.number(speed)?).map_err(|_| part("START", "the speed"))?;
        Ok(RealTimeMessage::Start {
            match_id: self.match_id.to_owned(),
            role: role.to_owned(),
            rules: inside(rules).ok_or_else(|| part("START", "the rules"))?.to_owned(),
            tick_us: self.number(tick)?,
            opening: Opening {
                speed_permille: speed,
                start_clock_ms: self.number(clock)?,
                commitment,
                signed: None,
            },
            now_us: self.number(now)?,
        })
    }

    /// A number without signs and blanks.
    fn number(&self, text: &str) -> Result<u64, WireError> {
        let digits = Some(text).filter(|text| text.bytes().all(|byte| byte.is_ascii_digit()));
        digits.and_then(|text| text.parse().ok()).ok_or_else(|| part(self.kind, "a number"))
    }

    fn term(&self, text: &str, limits: &Limits) -> Result<String, WireError> {
        let term = read_ground_term(text, limits).map_err(|_| part(self.kind, "a term"))?;
        Ok(print_term(&term))
    }

    fn items(&self, list: &'t str, limits: &Limits) -> Result<Vec<&'t str>, WireError> {
        let items = inside(list).and_then(|inside| prefix_items(inside, false, limits.tokens));
        items.ok_or_else(|| part(self.kind, "the list"))
    }

    /// Roles, each with a term, and each once.
    fn pairs(&self, list: &'t str, limits: &Limits) -> Result<BTreeMap<String, String>, WireError> {
        let mut pairs = BTreeMap::new();
        for item in self.items(list, limits)? {
            let parts = self.items(item, limits)?;
            let &[role, term] = parts.as_slice() else { return Err(part(self.kind, "a pair")) };
            if pairs.insert(self.term(role, limits)?, self.term(term, limits)?).is_some() {
                return Err(part(self.kind, "a duplicate role"));
            }
        }
        Ok(pairs)
    }
}

fn inside(item: &str) -> Option<&str> {
    item.strip_prefix('(')?.strip_suffix(')')
}

fn is_nil(text: &str) -> bool {
    text.eq_ignore_ascii_case("nil")
}
