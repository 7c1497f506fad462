//! A match in words when it is over: as it was, or, if people played, no more than they saw.

use std::{io::Write, sync::Arc};

use croupier_engine::{Game, RoleId};
use croupier_games::{GameFacts, Scene};
use croupier_referee::{Replay, read_records, replay};
use croupier_table::{drawn, scene_of_states};

use crate::{
    arguments::records,
    output::failure::Failure,
    sessions::{relations::Relations, story::Story},
};

/// Tells a match turn by turn, its last table and what it was worth. What a person did not see stays hidden; several people share
/// the terminal, so they are shown the last table as far as all of them know it.
pub(crate) fn tell(
    out: &mut dyn Write,
    game: &Arc<Game>,
    facts: &GameFacts,
    record: &[u8],
    people: &[RoleId],
) -> Result<(), Failure> {
    let records = read_records(record).map_err(|error| differs(&error.to_string()))?;
    let first = records.first().ok_or_else(|| differs("the record is empty"))?;
    let replayed = replay(first).map_err(|error| differs(&error.to_string()))?;
    let story = Story::of(&replayed, facts);
    let end = match people {
        [] => as_it_was(out, &story, &replayed)?,
        [person] => as_seen(out, &story, &replayed, game, *person)?,
        _ => as_all_know(out, &story, &replayed, game, people)?,
    };
    writeln!(out, "{}", story.outcome(replayed.outcome(), &end))?;
    Ok(())
}

/// Tells how a match ended: the last table as the people at the terminal know it, and what it was worth.
pub(crate) fn tell_end(
    out: &mut dyn Write,
    game: &Arc<Game>,
    facts: &GameFacts,
    record: &[u8],
    people: &[RoleId],
) -> Result<(), Failure> {
    let records = read_records(record).map_err(|error| differs(&error.to_string()))?;
    let first = records.first().ok_or_else(|| differs("the record is empty"))?;
    let replayed = replay(first).map_err(|error| differs(&error.to_string()))?;
    let story = Story::of(&replayed, facts);
    let end = as_all_know(out, &story, &replayed, game, people)?;
    writeln!(out, "{}", story.outcome(replayed.outcome(), &end))?;
    Ok(())
}

fn differs(error: &str) -> Failure {
    Failure::refuse("record-differs", format!("the match does not replay: {error}"))
        .help("this is a fault of croupier: please report it with the rules and the seed")
}

/// Every turn and the last table; gives what there is to know at the end.
fn as_it_was(out: &mut dyn Write, story: &Story<'_>, replayed: &Replay) -> Result<Scene, Failure> {
    for turn in replayed.turns() {
        story.write_turn(out, turn, true)?;
    }
    let Some(last) = replayed.turns().last() else { return Ok(Scene::nothing()) };
    let end = Relations::default().of_state(replayed.header(), story.facts, &last.successor);
    let states = replayed.turns().iter().map(|turn| &turn.successor);
    let end = end.after(&scene_of_states(story.game, story.facts, states));
    write_end(out, story, &end)?;
    Ok(end)
}

/// The same as one person saw it.
fn as_seen(
    out: &mut dyn Write,
    story: &Story<'_>,
    replayed: &Replay,
    game: &Arc<Game>,
    person: RoleId,
) -> Result<Scene, Failure> {
    writeln!(out, "\nThe match as {} saw it:", story.role(person))?;
    // Where there is no belief the plain words have to do.
    let mut seen = records::seen(Arc::clone(game), replayed, person).ok();
    let depends = story.facts.words.depend_on_situation();
    for (index, turn) in replayed.turns().iter().enumerate() {
        let known = seen.as_mut().filter(|_| depends).and_then(|seen| seen.after(index, story.facts).ok());
        if let Some(told) = story.seen_turn(turn, person, &known.unwrap_or_default()) {
            writeln!(out, "{told}")?;
        }
    }
    let end = seen
        .and_then(|mut seen| Relations::default().of_seen(replayed.header(), story.facts, &mut seen).ok());
    let Some(end) = end else { return Ok(Scene::nothing()) };
    write_end(out, story, &end)?;
    Ok(end)
}

/// The last table as far as all of several people know it.
fn as_all_know(
    out: &mut dyn Write,
    story: &Story<'_>,
    replayed: &Replay,
    game: &Arc<Game>,
    people: &[RoleId],
) -> Result<Scene, Failure> {
    let mut relations = Relations::default();
    let mut known: Option<Scene> = None;
    for &person in people {
        let seen = records::seen(Arc::clone(game), replayed, person);
        let end = seen.and_then(|mut seen| relations.of_seen(replayed.header(), story.facts, &mut seen));
        // Whoever's view cannot be worked out must not be shown another's.
        let Ok(end) = end else { return Ok(Scene::nothing()) };
        known = Some(known.map_or_else(|| end.clone(), |known| known.shared(&end)));
    }
    let end = known.unwrap_or_default();
    writeln!(out)?;
    write_end(out, story, &end)?;
    Ok(end)
}

fn write_end(out: &mut dyn Write, story: &Story<'_>, end: &Scene) -> Result<(), Failure> {
    let table = drawn(story.game, story.facts, end);
    if table.has_picture() {
        writeln!(out)?;
        story.write_table(out, &table)?;
    }
    Ok(())
}
