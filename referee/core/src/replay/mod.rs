//! Recomputes a match from its record and compares everything that follows from the inputs.
//!
//! Inputs are the genesis, the replies and the seed. The match state machine runs on them again, and each line that it
//! writes is compared with the recorded one; then the seal is checked.
//!
//! The turns are then checked again with the engine alone. Whether records belong together is checked separately
//! (`record/order.rs`).

mod compare;
mod lockstep;
mod seal;
#[cfg(test)]
mod resumption;
#[cfg(test)]
mod tests;
mod turns;

use std::sync::Arc;

use croupier_engine::{
    ByPlayer, ByRole, Game, GameError, InformationSet, JointMove, Percepts, RoleId, State, game::IllegalMove,
};
use thiserror::Error;

pub use compare::Difference;
pub(crate) use lockstep::{Machine, Resumed, Verified, header_of, resume as resume_match, verify};
pub(crate) use seal::Seal;

use crate::{
    chance::Seed,
    conduct::Conduct,
    event::{Effect, Outcome},
    header::{Header, HeaderError},
    match_state::{MatchState, own_turn},
    record::{Entry, Kind, Record, Secrets, TurnLine},
    view::{Message, OwnHistory},
};

/// The result of checking a seal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SealCheck {
    /// There is no seal: the match was running when the record was cut off. The existing lines are consistent, but because the seed
    /// is not revealed, draws and substitutes are taken from the record.
    Missing,
    /// The signature is good, but its key comes from the seed, which the record itself reveals: the record is not
    /// damaged, yet anyone could have made it.
    FromSeed,
    /// The signature is valid for this public key: the owner of its secret key sealed exactly this record.
    Signed {
        /// The ed25519 key.
        public_key: [u8; 32],
    },
}

/// One turn of a replayed match as it truly was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplayTurn {
    /// Its number, from 0.
    pub turn: u32,
    /// The state it was played in.
    pub state: State,
    /// The header of the match.
    pub joint_move: JointMove,
    /// What each player was told.
    pub percepts: ByPlayer<Percepts>,
    /// The state after it.
    pub successor: State,
}

/// A match that its record gave back.
///
/// ```
/// use std::sync::Arc;
/// # use croupier_engine::ByPlayer;
/// use croupier_referee::{SealCheck, read_records, replay, run_match};
///
/// # use croupier_referee::{Clocks, Header, MatchSetup, Message, Nonces, Seat, SeatReply, Secrets, Seed, Substitution};
/// # use croupier_engine::{Strictness, game::PerceptReading};
/// # let rules = "(role ann) (role ben) (init begun) (legal ann left) (legal ann right) (legal ben wait)
/// #     (<= (next (went ?side)) (does ann ?side)) (<= (sees ben moved) (true begun)) (<= terminal (not (true begun)))
/// #     (<= (goal ann 100) (true (went left))) (<= (goal ann 0) (not (true (went left)))) (goal ben 50)";
/// # let setup = MatchSetup {
/// #     match_id: "friday.1".to_owned(),
/// #     series: None,
/// #     session: None,
/// #     rules: rules.to_owned(),
/// #     game_name: None,
/// #     players: ["ann", "ben"].map(|role| (role.to_owned(), "a person".to_owned())).to_vec(),
/// #     clocks: Clocks::of(10_000, 5_000),
/// #     percepts: PerceptReading::OldState,
/// #     strictness: Strictness::Compatible,
/// #     substitution: Substitution::Drawn,
/// #     turns_max: 100,
/// #     nonces: Nonces::Clear,
/// # };
/// # struct Mumbler;
/// # impl Seat for Mumbler {
/// #     fn receive(&mut self, _: &Message) -> SeatReply {
/// #         SeatReply::text("mumble")
/// #     }
/// # }
/// # let header = Arc::new(Header::compile(setup)?);
/// # let mut seats = ByPlayer::from_fn(header.roles(), |_| Box::new(Mumbler));
/// # let secrets = Secrets::from_seed(Seed::from_text("42")?);
/// let played = run_match(&header, secrets, &mut seats, |_, _| ());
/// let replayed = replay(&read_records(&played.record)?[0])?;
/// assert_eq!(replayed.outcome(), Some(&played.outcome));
/// assert_eq!((replayed.turns().len(), replayed.seal()), (1, SealCheck::FromSeed));
/// // Nobody can put other words into a player's mouth.
/// let forged = String::from_utf8(played.record)?.replace("mumble", "mutter");
/// assert!(replay(&read_records(forged.as_bytes())?[0]).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Replay {
    header: Arc<Header>,
    turns: Vec<ReplayTurn>,
    messages: ByPlayer<Vec<Message>>,
    outcome: Option<Outcome>,
    conducts: ByPlayer<Conduct>,
    seal: SealCheck,
    seed: Option<Seed>,
}

/// Why a record does not replay.
#[derive(Clone, Debug, Error)]
pub enum ReplayError {
    /// The first line describes no match that can be played.
    #[error("line {line}: {error}")]
    Header {
        /// The line in the file.
        line: usize,
        /// The problem.
        #[source]
        error: HeaderError,
    },
    /// A derived value differs.
    #[error(transparent)]
    Difference(#[from] Difference),
    /// The rules fail, although they did not when the match was played.
    #[error("turn {turn}: {error}")]
    Game {
        /// The turn.
        turn: u32,
        /// The problem in the rules.
        #[source]
        error: GameError,
    },
}

/// Recomputes a match and compares everything with its record.
///
/// A record that is cut off after any line can be replayed; its seal is [`SealCheck::Missing`].
///
/// # Errors
/// [`ReplayError::Difference`] for the first line and field that differ from what the record's inputs give, the other errors
/// if the inputs do not give a match.
pub fn replay(record: &Record) -> Result<Replay, ReplayError> {
    let header = header_of(record, None)?;
    replay_with(record, header)
}

/// The same for the match after another one, whose game is not compiled again if it is the same.
///
/// # Errors
/// As [`replay`](fn@replay).
pub fn replay_after(before: &Replay, record: &Record) -> Result<Replay, ReplayError> {
    let header = header_of(record, Some(&before.header))?;
    replay_with(record, header)
}

/// Replays the records of a file one after another; a game is compiled once for records in a row that share it.
pub fn replay_all(records: &[Record]) -> impl Iterator<Item = Result<Replay, ReplayError>> {
    each_replayed(records, replay_with)
}

/// The same for matches of any kind.
pub(crate) fn each_replayed<K: Kind, R>(
    records: &[Record<K>],
    replay_with: impl Fn(&Record<K>, Arc<K::Header>) -> Result<R, ReplayError>,
) -> impl Iterator<Item = Result<R, ReplayError>> {
    let mut last: Option<Arc<K::Header>> = None;
    records.iter().map(move |record| {
        let header = header_of(record, last.as_deref())?;
        last = Some(Arc::clone(&header));
        replay_with(record, header)
    })
}

/// The match of a record that was cut off, in its state after the last line, and its pending effects.
///
/// The effects start after the last line: messages that the line before them allows may or may not have been sent already,
/// and everything after a missing line was not done. A driver carries out all of them, and then sends the match
/// [`Event::Resume`](crate::Event::Resume).
///
/// # Errors
/// [`Difference`] for the first line that these secrets do not give: they are not the secrets of that match, or the record
/// was altered.
pub fn resume(
    record: &Record,
    header: &Arc<Header>,
    secrets: Secrets,
) -> Result<(MatchState, Vec<Effect>), Difference> {
    let Resumed { machine, effects, .. } = resume_match(record, header, secrets)?;
    Ok((machine, effects.into()))
}

fn replay_with(record: &Record, header: Arc<Header>) -> Result<Replay, ReplayError> {
    let Verified { machine, told, outcome, seal, seed, .. } = verify::<MatchState>(record, &header)?;
    let mut messages = ByPlayer::from_fn(header.roles(), |_| Vec::new());
    for (role, message) in told {
        messages[role].push(message);
    }
    let conducts = machine.conducts().clone();
    let turns = walk(record, header.game())?;
    Ok(Replay { header, turns, messages, outcome, conducts, seal, seed })
}

impl Replay {
    /// The seed, if the record is of a match that is over.
    #[must_use]
    pub fn seed(&self) -> Option<&Seed> {
        self.seed.as_ref()
    }

    /// The header of the match.
    #[must_use]
    pub fn header(&self) -> &Arc<Header> {
        &self.header
    }

    /// Every turn that was played.
    #[must_use]
    pub fn turns(&self) -> &[ReplayTurn] {
        &self.turns
    }

    /// How the match ended; `None` if the record was cut off before.
    #[must_use]
    pub fn outcome(&self) -> Option<&Outcome> {
        self.outcome.as_ref()
    }

    /// How every player answered.
    #[must_use]
    pub fn conducts(&self) -> &ByPlayer<Conduct> {
        &self.conducts
    }

    /// The result of checking the seal.
    #[must_use]
    pub fn seal(&self) -> SealCheck {
        self.seal
    }

    /// What a player did and was told in the first `turns` turns; `None` for `random`.
    #[must_use]
    pub fn own_history(&self, role: RoleId, turns: usize) -> Option<OwnHistory> {
        let mut own = OwnHistory::initial(role);
        for turn in self.turns.iter().take(turns) {
            let percepts = turn.percepts.get(role)?;
            own.turns.push(own_turn(self.header.game(), turn.joint_move.of(role), percepts));
        }
        self.header.players().get(role).map(|_| own)
    }

    /// The same as the engine and the belief states have it.
    #[must_use]
    pub fn information_set(&self, role: RoleId, turns: usize) -> Option<InformationSet> {
        self.header.players().get(role)?;
        let mut known = InformationSet::initial(role);
        for turn in self.turns.iter().take(turns) {
            known.turns.push((turn.joint_move.of(role), turn.percepts.get(role)?.clone()));
        }
        Some(known)
    }

    /// Every message that a player was sent, in order, as [`message`](fn@crate::message) makes them; none for `random`.
    ///
    /// In a match that was cut off this includes the messages after the last line, whether or not they were sent in time.
    #[must_use]
    pub fn messages(&self, role: RoleId) -> &[Message] {
        self.messages.get(role).map_or(&[], Vec::as_slice)
    }
}

/// Plays the recorded joint moves again, with the engine only.
fn walk(record: &Record, game: &Game) -> Result<Vec<ReplayTurn>, ReplayError> {
    let mut scratch = game.scratch();
    let mut state = game.initial_state().clone();
    let mut turns = Vec::new();
    for line in record.lines() {
        let Entry::Own(TurnLine::Turn { turn, moves, .. }) = &line.entry else { continue };
        let (turn, failed) = (*turn, |error| ReplayError::Game { turn: *turn, error });
        let ids = ByRole::try_from_fn(game.roles(), |role| {
            let name = game.roles().name(role);
            let text = moves.get(name).map_or("", String::as_str);
            game.find_move(&state, role, text, &mut scratch).map_err(|error| match error {
                IllegalMove::Game(error) => failed(error),
                error => Difference::new(line, &format!("moves.{name}"), &error.to_string(), text).into(),
            })
        })?;
        let joint_move = game.joint_move(&state, ids, &mut scratch).map_err(|error| match error {
            IllegalMove::Game(error) => failed(error),
            error => ReplayError::from(Difference::new(line, "moves", &error.to_string(), "")),
        })?;
        let result = game.turn(&state, &joint_move, &mut scratch).map_err(failed)?;
        let successor = result.successor;
        turns.push(ReplayTurn {
            turn,
            state: std::mem::replace(&mut state, successor.clone()),
            joint_move,
            percepts: result.percepts,
            successor,
        });
    }
    Ok(turns)
}
