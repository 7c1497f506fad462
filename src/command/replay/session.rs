//! Whether a session was played as its record says: every match once, in its place, and nothing changed.

use std::io::Write;

use croupier_games::printable;
use croupier_referee::SealCheck;
use croupier_session::{SessionFile, SessionStage, VerifiedSession, verify_session};
use serde::Serialize;

use crate::{
    arguments::key_file::PublicKey,
    output::{
        answer::Answer,
        failure::Failure,
        schema::{Output, output},
    },
};

/// Whether a session is what its record says.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct SessionVerdict {
    verified: bool,
    /// `complete` if the session is over and everything is as it was played; `incomplete` if it is not over; `altered` if
    /// somebody changed the file.
    state: SessionVerdictState,
    session_id: String,
    /// How many matches with their records were played again.
    matches: usize,
    /// How many matches have no record, as the session says.
    unrecorded: usize,
    seats: Vec<VerifiedSeat>,
    /// The key that signed the session; null if it was sealed without one, or not yet.
    public_key: Option<String>,
    /// What is wrong.
    error: Option<String>,
    /// Where, as a line of the file.
    line: Option<usize>,
}
output!(VerifySession: SessionVerdict);

/// What a file comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
enum SessionVerdictState {
    Complete,
    Incomplete,
    Altered,
}

/// A seat after the last match.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct VerifiedSeat {
    /// From 1.
    seat: u32,
    /// Who sits there; null if nobody does.
    player: Option<String>,
    /// What adds up.
    total: f64,
    /// What it has; null where matches leave nothing to begin the next with.
    stack: Option<u64>,
}

/// Verifies the session in these bytes of a file.
pub(super) fn verify(
    bytes: &[u8],
    signer: Option<PublicKey>,
    is_json: bool,
    out: &mut dyn Write,
) -> Result<Answer, Failure> {
    let file = SessionFile::read(bytes).map_err(|error| {
        Failure::refuse("bad-record", error.to_string())
            .help("the record of a session is written by `croupier play GAME --session --record FILE`, and never changed")
    })?;
    let verdict = verdict(&file, signer);
    if is_json {
        verdict.write_json(out)?;
    } else {
        verdict.write(out)?;
    }
    Ok(if verdict.verified { Answer::Yes } else { Answer::No })
}

fn verdict(file: &SessionFile, signer: Option<PublicKey>) -> SessionVerdict {
    let unverified = SessionVerdict {
        verified: false,
        state: SessionVerdictState::Altered,
        session_id: file.terms().id.clone(),
        matches: 0,
        unrecorded: 0,
        seats: Vec::new(),
        public_key: None,
        error: None,
        line: None,
    };
    let VerifiedSession { session, matches, unrecorded, seal } = match verify_session(file) {
        Ok(verified) => verified,
        Err(error) => {
            let (problem, line) = (error.problem.to_string(), Some(error.line));
            return SessionVerdict { error: Some(problem), line, ..unverified };
        }
    };
    let key = match seal {
        SealCheck::Signed { public_key } => Some(public_key),
        SealCheck::Missing | SealCheck::FromSeed => None,
    };
    let is_over = session.stage() == SessionStage::Over && seal != SealCheck::Missing;
    let is_signer = !is_over || signer.is_none() || signer == key;
    let error = match (is_signer, is_over) {
        (false, _) => Some("not signed by the key that was asked for".to_owned()),
        (true, false) => {
            Some("the session is not over: its seed is not revealed, and nothing seals it".to_owned())
        }
        (true, true) => None,
    };
    let has_stacks = session.terms().session.family.is_some();
    let seats = session.seats().iter().map(|seat| VerifiedSeat {
        seat: seat.number.0,
        player: seat.holder.as_ref().map(|holder| holder.described()),
        total: session.total(seat),
        stack: has_stacks.then(|| seat.holds()),
    });
    SessionVerdict {
        verified: error.is_none(),
        state: match (is_signer, is_over) {
            (false, _) => SessionVerdictState::Altered,
            (true, false) => SessionVerdictState::Incomplete,
            (true, true) => SessionVerdictState::Complete,
        },
        matches,
        unrecorded,
        seats: seats.collect(),
        public_key: key.map(hex::encode),
        error,
        ..unverified
    }
}

impl SessionVerdict {
    fn write(&self, out: &mut dyn Write) -> Result<(), Failure> {
        let Self { session_id, matches, unrecorded, .. } = self;
        let error = printable(self.error.as_deref().unwrap_or_default());
        match self.state {
            SessionVerdictState::Altered => {
                let line = self.line.map(|line| format!(" at line {line}")).unwrap_or_default();
                writeln!(out, "session {session_id}: ALTERED{line}: {error}")?;
            }
            SessionVerdictState::Incomplete => {
                writeln!(out, "session {session_id}: INCOMPLETE: {matches} matches agree; {error}")?;
            }
            SessionVerdictState::Complete => {
                let seal = self.public_key.as_ref();
                let seal =
                    seal.map_or_else(|| "sealed without a key".to_owned(), |key| format!("signed by {key}"));
                writeln!(
                    out,
                    "session {session_id}: OK, {matches} matches, each once and in its place; {seal}"
                )?;
            }
        }
        if *unrecorded > 0 {
            writeln!(out, "{unrecorded} matches have no record: that they ended like this is not verified")?;
        }
        for VerifiedSeat { seat, player, total, stack } in &self.seats {
            let player = printable(player.as_deref().unwrap_or("nobody"));
            let stack = stack.map(|stack| format!(", has {stack}")).unwrap_or_default();
            writeln!(out, "  seat {seat}: {player}, total {total}{stack}")?;
        }
        Ok(())
    }
}
