//! `croupier replay` of real-time records.

use std::io::Write;

use croupier_engine::RoleId;
use croupier_games::printable;
use croupier_referee::{
    SealCheck, Tear,
    realtime::{RealTimeRecord, RealTimeReplay, read_real_time_records, replay_all_real_time},
    without_tear,
};
use serde_json::{Value, json};

use super::{Arguments, Format};
use crate::{
    answer::Answer,
    failure::Failure,
    key_file::{self, PublicKey},
    realtime::RealTimeStory,
    records::{self, RecordWords},
    schema::Schema,
    summary,
};

/// Shows or verifies the real-time matches of a file.
pub(super) fn run(
    arguments: &Arguments,
    bytes: &[u8],
    words: &RecordWords,
    out: &mut dyn Write,
) -> Result<Answer, Failure> {
    let path = arguments.record.display().to_string();
    let (lines, tear) = without_tear(bytes);
    let all = read_real_time_records(lines).map_err(|error| {
        Failure::refuse("bad-record", error.problem.to_string())
            .at(&format!("{path}:{}", error.line))
            .help("a record is written by `croupier play GAME --record FILE`, and never changed")
    })?;
    let first = arguments.number.unwrap_or(1);
    let chosen: &[RealTimeRecord] = match arguments.number {
        None => &all,
        Some(number) => match number.checked_sub(1).and_then(|index| all.get(index)) {
            Some(record) => std::slice::from_ref(record),
            None => {
                let help = format!("the file has the matches 1 to {}", all.len());
                return Err(Failure::refuse("unknown-match", format!("there is no match {number}"))
                    .at(&path)
                    .help(help));
            }
        },
    };
    let format = if arguments.json { Format::Json } else { arguments.format };
    if arguments.verify {
        let tear = tear.filter(|_| arguments.number.is_none());
        return verify(arguments, chosen, first, tear, out);
    }
    if let Some(tear) = tear {
        records::warn_of_tear(&path, tear);
    }
    if !matches!(format, Format::Text | Format::Json) || arguments.table {
        return Err(Failure::refuse("bad-format", "real-time matches are shown as text or JSON")
            .help("leave out --table and --format, or use --json"));
    }
    let mut shown = Vec::new();
    let mut text = Vec::new();
    for (offset, replay) in replay_all_real_time(chosen).enumerate() {
        let number = first + offset;
        let replay = replay.map_err(|error| {
            Failure::refuse("altered", error.to_string()).at(&format!("{path}: match {number}"))
        })?;
        let role = arguments.role.as_deref();
        let role = role.map(|name| records::player(replay.header().roles(), name)).transpose()?;
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

fn verify(
    arguments: &Arguments,
    chosen: &[RealTimeRecord],
    first: usize,
    tear: Option<Tear>,
    out: &mut dyn Write,
) -> Result<Answer, Failure> {
    let signer: Option<PublicKey> = arguments.signed_by.as_deref().map(key_file::public).transpose()?;
    let mut good = 0;
    let mut shown = Vec::new();
    for (offset, replay) in replay_all_real_time(chosen).enumerate() {
        let (is_good, said) = match &replay {
            Err(error) => (false, format!("ALTERED: {error}")),
            Ok(replay) => judge(replay, signer),
        };
        good += usize::from(is_good);
        let number = first + offset;
        match arguments.json {
            true => shown.push(json!({ "match": number, "verified": is_good, "verdict": said })),
            false => writeln!(out, "match {number}: {said}")?,
        }
    }
    let is_whole = good == chosen.len() && tear.is_none();
    if arguments.json {
        let mut verdict = json!({ "time": "real", "verified": is_whole, "matches": shown });
        if let Some(Tear { line, bytes }) = tear {
            verdict["torn"] = json!({ "line": line, "bytes": bytes });
        }
        Schema::VerifyRealTime.write(out, verdict)?;
        return Ok(if is_whole { Answer::Yes } else { Answer::No });
    }
    if let Some(tear) = tear {
        writeln!(out, "INCOMPLETE: {tear}")?;
    }
    if chosen.len() > 1 {
        match good == chosen.len() {
            true => writeln!(out, "all {good} matches are what their records say")?,
            false => writeln!(
                out,
                "{} of {} matches are not what they should be",
                chosen.len() - good,
                chosen.len()
            )?,
        }
    }
    Ok(if is_whole { Answer::Yes } else { Answer::No })
}

/// Whether a match that replays is whole and signed as asked, and what to say of it.
fn judge(replay: &RealTimeReplay, signer: Option<PublicKey>) -> (bool, String) {
    let updates = replay.updates().len().saturating_sub(1);
    let is_signer = match (signer, replay.seal()) {
        (None, _) => true,
        (Some(key), SealCheck::Signed { public_key }) => key == public_key,
        (Some(_), _) => false,
    };
    match replay.seal() {
        SealCheck::Missing => {
            (false, format!("INCOMPLETE: cut off after {updates} updates, as played until then"))
        }
        _ if !is_signer => (false, "ALTERED: not signed by this key".to_owned()),
        SealCheck::FromSeed => {
            (true, format!("as played, {updates} updates; the seal has no key of its own"))
        }
        SealCheck::Signed { public_key } => {
            (true, format!("as played, {updates} updates; signed by {}", hex::encode(public_key)))
        }
    }
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
