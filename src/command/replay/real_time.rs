//! `croupier replay` of real-time records.

use std::io::Write;

use croupier_engine::RoleId;
use croupier_games::printable;
use croupier_referee::realtime::{RealTime, RealTimeReplay};
use serde_json::{Value, json};

use super::{
    Arguments, Format,
    verify::{Replayed, verify},
};
use crate::{
    answer::Answer,
    failure::Failure,
    interrupt::Interrupt,
    key_file,
    realtime::RealTimeStory,
    records::{RecordWords, Records},
    role,
    schema::Schema,
    summary,
};

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
    let format = if arguments.json { Format::Json } else { arguments.format };
    if !matches!(format, Format::Text | Format::Json) || arguments.table {
        return Err(Failure::refuse("bad-format", "real-time matches are shown as text or JSON")
            .help("leave out --table and --format, or use --json"));
    }
    let mut shown = Vec::new();
    let mut text = Vec::new();
    for ((number, _), replay) in chosen.iter().zip(chosen.replays()) {
        let replay = replay.map_err(|error| chosen.differs(number, &error))?;
        let role = arguments.role.as_deref();
        let role = role.map(|name| role::player(replay.header().roles(), name)).transpose()?;
        match format {
            Format::Json => shown.push(as_json(number, &replay, role, words)),
            _ => write_match(&mut text, number, &replay, role, words)?,
        }
    }
    match format {
        Format::Json => {
            Schema::ReplayRealTime.write(out, json!({ "time": "real", "matches": shown }))?;
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

fn as_json(number: usize, replay: &RealTimeReplay, role: Option<RoleId>, words: &RecordWords) -> Value {
    let header = replay.header();
    let game = header.game();
    let facts = words.real_time_facts(&header.setup().rules, header.setup().game_name.as_deref());
    let mut scratch = game.scratch();
    let updates = replay.updates().iter().map(|update| {
        let state = game.state_terms(&update.state).into_iter();
        let legal = game.legal_moves(&update.state, &mut scratch).ok().map(|legal| {
            let texts = |moves: &[_]| moves.iter().map(|&id| json!(game.move_text(id))).collect::<Value>();
            let of_role =
                legal.iter().map(|(role, moves)| (game.roles().name(role).to_owned(), texts(moves)));
            of_role.collect::<serde_json::Map<_, _>>()
        });
        json!({
            "at_us": update.at_us,
            "moves": update.moves.iter().cloned().collect::<std::collections::BTreeMap<_, _>>(),
            "state": state.map(|(lifetime, fluent)| json!([lifetime, fluent])).collect::<Vec<_>>(),
            "expired": game.expired_terms(&update.state),
            "legal": legal,
        })
    });
    let notices = replay.notices().iter().filter(|(of, _)| role.is_none_or(|role| role == *of));
    let told = notices.filter_map(|(of, notice)| match notice {
        croupier_referee::realtime::Notice::Event { at_us, own_move, percepts } => Some(json!({
            "role": header.roles().name(*of), "at_us": at_us, "move": own_move, "percepts": percepts,
        })),
        _ => None,
    });
    let end = replay.end().map(|end| {
        let (roles, goals) = (header.roles(), end.outcome.goals());
        json!({
            "at_us": end.at_us,
            "updates": end.updates,
            "status": end.outcome.status(),
            "goals": summary::goals_json(roles, goals),
            "payoffs": summary::payoffs_json(roles, &facts, goals),
        })
    });
    let mut shown = json!({
        "match": number,
        "match_id": header.setup().match_id,
        "game": header.setup().game_name,
        "tick_us": header.setup().tick_us,
        "unit": summary::unit_json(&facts),
        "told": told.collect::<Vec<_>>(),
        "end": end,
    });
    if role.is_none() {
        shown["updates"] = json!(updates.collect::<Vec<_>>());
    }
    shown
}
