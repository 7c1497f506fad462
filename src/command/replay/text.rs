//! A match in words, as it was or as one role saw it.

use std::io::Write;

use croupier_engine::RoleId;
use croupier_games::{Scene, printable};
use croupier_players::PlayerKind;
use croupier_referee::{Record, Replay};
use croupier_table::{drawn, scene_of_state};

use super::Lookups;
use crate::{
    arguments::records,
    output::failure::Failure,
    sessions::{conduct, story::Story},
};

/// Tells a match in words; with the table after every turn if it is asked for.
pub(super) fn write_match(
    out: &mut dyn Write,
    number: usize,
    record: &Record,
    replayed: &Replay,
    role: Option<RoleId>,
    lookups: &mut Lookups,
) -> Result<(), Failure> {
    let header = replayed.header();
    let facts = lookups.words.facts(record);
    let story = Story::of(replayed, &facts);
    let players: Vec<String> = header
        .players()
        .iter()
        .map(|(role, description)| {
            format!("{} ({})", story.role(role), printable(&PlayerKind::brief(description)))
        })
        .collect();
    if number > 1 {
        writeln!(out)?;
    }
    writeln!(
        out,
        "match {number} of {}, {}: {}",
        printable(&facts.title),
        header.match_id(),
        players.join(", ")
    )?;
    if let Some(role) = role {
        return write_seen(out, &story, replayed, role, lookups);
    }
    let mut scene = Scene::nothing();
    for turn in replayed.turns() {
        story.write_turn(out, turn, !lookups.has_table)?;
        if lookups.has_table {
            scene = scene_of_state(header.game(), &facts, &turn.successor).after(&scene);
            story.write_table(out, &drawn(header.game(), &facts, &scene))?;
        }
    }
    let end = match replayed.turns().last() {
        Some(last) => lookups.relations.of_state(header, &facts, &last.successor),
        None => Scene::nothing(),
    };
    writeln!(out, "{}", story.outcome(replayed.outcome(), &end))?;
    let conducts = conduct::of_match(replayed.conducts(), header.roles());
    for (role, conduct) in conducts.iter().filter(|(_, conduct)| conduct.substituted() > 0) {
        writeln!(out, "{}: {}", story.role(role), conduct.drawn())?;
    }
    Ok(())
}

/// A match as one role saw it.
fn write_seen(
    out: &mut dyn Write,
    story: &Story<'_>,
    replayed: &Replay,
    role: RoleId,
    lookups: &mut Lookups,
) -> Result<(), Failure> {
    writeln!(out, "as {} saw it", story.role(role))?;
    // Words that fit a situation need to know what the role knew of it.
    let mut seen = match lookups.has_table || story.facts.words.depend_on_situation() {
        true => Some(records::seen(lookups.networks.of(replayed.header())?, replayed, role)?),
        false => None,
    };
    let mut known = match &mut seen {
        Some(seen) => seen.after(0, story.facts).map_err(records::unknowable)?,
        None => Scene::nothing(),
    };
    for (turn, number) in replayed.turns().iter().zip(1..) {
        let told = story.seen_turn(turn, role, &known);
        writeln!(out, "{}", told.unwrap_or_else(|| format!("turn {:>2}  sees nothing", turn.turn)))?;
        if let Some(seen) = &mut seen {
            known = seen.after(number, story.facts).map_err(records::unknowable)?;
            if lookups.has_table {
                story.write_table(out, &drawn(story.game, story.facts, &known))?;
            }
        }
    }
    // What a match was worth is no percept: a role that cannot work it out is not told.
    let end = replayed.outcome().map_or("the record ends here", |_| "the match is over");
    writeln!(out, "{end}")?;
    Ok(())
}
