//! A match in words, as it was or as one role saw it.

use std::io::Write;

use croupier_engine::RoleId;
use croupier_games::printable;
use croupier_players::PlayerKind;
use croupier_referee::{Record, Replay};

use super::seen_tables::SeenTables;
use crate::{
    conduct,
    failure::Failure,
    records::{self, Networks},
    story::Story,
    table::Table,
};

/// Tells a match in words; with networks for what roles know of the table, the table after every turn too.
pub(super) fn write_match(
    out: &mut dyn Write,
    number: usize,
    record: &Record,
    replayed: &Replay,
    role: Option<RoleId>,
    networks: Option<&mut Networks>,
) -> Result<(), Failure> {
    let header = replayed.header();
    let facts = records::facts(record);
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
        return write_seen(out, &story, replayed, role, networks);
    }
    let has_table = networks.is_some();
    for turn in replayed.turns() {
        story.write_turn(out, turn, !has_table)?;
        if has_table {
            story.write_table(out, &Table::of_state(header.game(), &facts, &turn.successor))?;
        }
    }
    writeln!(out, "{}", story.outcome(replayed.outcome()))?;
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
    networks: Option<&mut Networks>,
) -> Result<(), Failure> {
    writeln!(out, "as {} saw it", story.role(role))?;
    let mut tables = networks.map(|networks| SeenTables::new(replayed, role, networks)).transpose()?;
    for turn in replayed.turns() {
        story.write_seen_turn(out, turn, role, &turn.percepts[role])?;
        if let Some(tables) = &mut tables {
            story.write_table(out, &tables.next(story.facts)?)?;
        }
    }
    // What a match was worth is no percept: a role that cannot work it out is not told.
    let end = replayed.outcome().map_or("the record ends here", |_| "the match is over");
    writeln!(out, "{end}")?;
    Ok(())
}
