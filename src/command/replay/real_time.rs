//! `croupier replay` of real-time records.

use std::{collections::BTreeMap, io::Write, sync::Arc};

use croupier_engine::{
    RoleId,
    realtime::{RealTimeGame, RealTimeScratch},
};
use croupier_games::printable;
use croupier_referee::realtime::{Notice, RealTime, RealTimeReplay, ReplayUpdate};
use serde::Serialize;

use super::{
    Arguments, ReplayFormat,
    verify::{Replayed, verify},
};
use crate::{
    arguments::{
        key_file,
        records::{RecordWords, Records},
        role,
    },
    output::{
        answer::Answer,
        failure::Failure,
        schema::{Output, output},
        summary::{self, by_name},
    },
    sessions::{
        interrupt::Interrupt,
        realtime::{EndReport, RealTimeStory},
    },
};

/// Recorded matches of a real-time game.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct ReplayReport {
    #[cfg_attr(test, schemars(extend("const" = "real")))]
    time: &'static str,
    matches: Vec<RealTimeMatchReport>,
}
output!(ReplayRealTime: ReplayReport);

/// A match.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct RealTimeMatchReport {
    /// Its place in the file or series, from 1.
    #[serde(rename = "match")]
    number: usize,
    match_id: String,
    game: Option<String>,
    tick_us: u64,
    /// What payoffs are counted in, such as chips; null if the game has goal values alone.
    unit: Option<String>,
    /// What players were told; with --role what that role was told.
    told: Vec<NoticeReport>,
    end: Option<EndReport>,
    /// Without --role.
    #[serde(skip_serializing_if = "Option::is_none")]
    updates: Option<Vec<UpdateReport>>,
}

/// What a player was told. Terms of the rules are in prefix syntax, such as `(deal king)`.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct NoticeReport {
    role: String,
    at_us: u64,
    #[serde(rename = "move")]
    own_move: Option<Arc<str>>,
    percepts: Vec<Arc<str>>,
}

/// The state that begins at an instant.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct UpdateReport {
    at_us: u64,
    moves: BTreeMap<String, String>,
    /// How long each fluent will last, in seconds or as `infinity`, and the fluent.
    state: Vec<(Arc<str>, Arc<str>)>,
    /// What ended at this instant.
    expired: Vec<Arc<str>>,
    /// The legal moves of every role from then on.
    legal: Option<BTreeMap<String, Vec<Arc<str>>>>,
}

/// Shows or verifies the real-time matches of a file.
pub(super) fn run(
    arguments: &Arguments,
    bytes: &[u8],
    words: &RecordWords,
    interrupt: &Interrupt,
    out: &mut dyn Write,
) -> Result<Answer, Failure> {
    let records = Records::<RealTime>::of_kind(&arguments.record, bytes)?;
    let chosen = records.chosen(arguments.number)?;
    if arguments.verify {
        let signer = arguments.signed_by.as_deref().map(key_file::public).transpose()?;
        let replays = chosen.replays().map(|replay| {
            let steps = |replay: &RealTimeReplay| replay.updates().len().saturating_sub(1);
            replay.map(|replay| Replayed { steps: steps(&replay), seal: replay.seal() })
        });
        let answer = verify(chosen, replays, signer, arguments.json, interrupt, out)?;
        if arguments.role.is_none() || answer != Answer::Yes {
            return Ok(answer);
        }
    } else {
        records.warn();
    }
    let format = if arguments.json { ReplayFormat::Json } else { arguments.format };
    let has_turns = arguments.table || arguments.html.is_some() || arguments.turn.is_some();
    if !matches!(format, ReplayFormat::Text | ReplayFormat::Json) || has_turns {
        return Err(Failure::refuse("bad-format", "real-time matches are shown as text or JSON")
            .help("leave out --table, --format, --turn and --html, or use --json"));
    }
    let mut shown = Vec::new();
    let mut text = Vec::new();
    for ((number, _), replay) in chosen.iter().zip(chosen.replays()) {
        let replay = replay.map_err(|error| chosen.differs(number, &error))?;
        let role = arguments.role.as_deref();
        let role = role.map(|name| role::player(replay.header().roles(), name)).transpose()?;
        match format {
            ReplayFormat::Json => shown.push(RealTimeMatchReport::new(number, &replay, role, words)),
            _ => write_match(&mut text, number, &replay, role, words)?,
        }
    }
    match format {
        ReplayFormat::Json => {
            ReplayReport { time: "real", matches: shown }.write_json(out)?;
        }
        _ => out.write_all(&text)?,
    }
    Ok(Answer::Yes)
}

fn write_match(
    out: &mut Vec<u8>,
    number: usize,
    replay: &RealTimeReplay,
    role: Option<RoleId>,
    words: &RecordWords,
) -> Result<(), Failure> {
    let header = replay.header();
    let setup = header.setup();
    let facts = words.real_time_facts(&setup.rules, setup.game_name.as_deref());
    let story = RealTimeStory { game: header.game(), facts: &facts };
    let players = header.players().iter();
    let players: Vec<String> = players
        .map(|(role, player)| format!("{} ({})", story.role(header.roles().name(role)), printable(player)))
        .collect();
    if number > 1 {
        writeln!(out)?;
    }
    writeln!(
        out,
        "match {number} of {}, {}: {}",
        printable(&facts.title),
        header.setup().match_id,
        players.join(", ")
    )?;
    match role {
        Some(role) => {
            for (_, notice) in replay.notices().iter().filter(|(of, _)| *of == role) {
                if let Some(line) = story.notice_line(notice) {
                    writeln!(out, "{line}")?;
                }
            }
        }
        None => {
            for update in replay.updates() {
                if !story.write_update(out, update)? {
                    continue;
                }
                for line in story.state_lines(&update.state) {
                    writeln!(out, "{:>12}    {line}", "")?;
                }
            }
        }
    }
    match replay.end() {
        Some(end) => story.write_end(out, end)?,
        None => writeln!(out, "the record ends here, before the match does")?,
    }
    Ok(())
}

impl RealTimeMatchReport {
    fn new(number: usize, replay: &RealTimeReplay, role: Option<RoleId>, words: &RecordWords) -> Self {
        let (header, setup) = (replay.header(), replay.header().setup());
        let (game, roles) = (header.game(), header.roles());
        let facts = words.real_time_facts(&setup.rules, setup.game_name.as_deref());
        let notices = replay.notices().iter().filter(|(of, _)| role.is_none_or(|role| role == *of));
        let told = notices.filter_map(|(of, notice)| match notice {
            Notice::Event { at_us, own_move, percepts } => Some(NoticeReport {
                role: roles.name(*of).to_owned(),
                at_us: *at_us,
                own_move: own_move.clone(),
                percepts: percepts.clone(),
            }),
            _ => None,
        });
        Self {
            number,
            match_id: setup.match_id.clone(),
            game: setup.game_name.clone(),
            tick_us: setup.tick_us,
            unit: summary::unit(&facts).map(str::to_owned),
            told: told.collect(),
            end: replay.end().map(|end| EndReport::new(end, roles, &facts)),
            updates: role.is_none().then(|| {
                let mut scratch = game.scratch();
                let updates = replay.updates().iter();
                updates.map(|update| UpdateReport::new(game, update, &mut scratch)).collect()
            }),
        }
    }
}

impl UpdateReport {
    fn new(game: &RealTimeGame, update: &ReplayUpdate, scratch: &mut RealTimeScratch) -> Self {
        let texts = |moves: &[_]| moves.iter().map(|&id| game.move_text(id)).collect();
        let legal = game.legal_moves(&update.state, scratch).ok();
        Self {
            at_us: update.at_us,
            moves: update.moves.iter().cloned().collect(),
            state: game.state_terms(&update.state),
            expired: game.expired_terms(&update.state),
            legal: legal
                .map(|legal| by_name(game.roles(), legal.iter().map(|(role, moves)| (role, texts(moves))))),
        }
    }
}
