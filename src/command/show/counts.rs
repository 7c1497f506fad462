//! The sizes of a game's tree, depth by depth.

use std::io::Write;

use croupier_engine::{
    CompileError, Game, RoleId,
    game::{DepthCounts, TreeCounts, count_tree_until},
};
use serde_json::{Map, Value, json};

use crate::{answer::Answer, columns::write_numbers, failure::Failure, interrupt::Interrupt, source::Source};

/// Counts and prints as deep as `histories_max` allows, or until it is interrupted.
pub(super) fn write_counts(
    out: &mut dyn Write,
    source: &Source,
    game: &Game,
    histories_max: u64,
    (as_json, interrupt): (bool, &Interrupt),
) -> Result<Answer, Failure> {
    interrupt.hold();
    let counts = count_tree_until(game, histories_max, &mut game.scratch(), &|| interrupt.is_raised())
        .map_err(|error| source.refusal(&CompileError::Evaluation(error)))?;
    let is_cut = interrupt.is_raised() && !counts.is_whole;
    let answer = if is_cut { Answer::Interrupted } else { Answer::Yes };
    if as_json {
        let mut counts = counts_json(source, game, &counts);
        counts["interrupted"] = json!(answer == Answer::Interrupted);
        writeln!(out, "{counts}")?;
        return Ok(answer);
    }
    let mut rows = vec![head(game)];
    rows.extend(counts.by_depth.iter().enumerate().map(|(depth, counts)| line(&depth.to_string(), counts)));
    rows.push(line("all", &counts.total()));
    write_numbers(out, &rows)?;
    if counts.is_whole {
        writeln!(out, "the whole tree")?;
    } else if answer == Answer::Interrupted {
        let depths = counts.by_depth.len();
        writeln!(out, "interrupted: the first {depths} depths are whole; the tree is deeper")?;
    } else {
        writeln!(out, "as deep as {histories_max} histories go; the tree is deeper")?;
    }
    Ok(answer)
}

fn head(game: &Game) -> Vec<String> {
    let players = game.roles().players().map(|role| format!("sets of {}", game.roles().name(role)));
    ["depth", "histories", "chance", "decision", "terminal"]
        .map(str::to_owned)
        .into_iter()
        .chain(players)
        .collect()
}

fn line(depth: &str, counts: &DepthCounts) -> Vec<String> {
    let DepthCounts { histories, chance, decision, terminal, information_sets } = counts;
    let numbers = [histories, chance, decision, terminal].into_iter();
    let sets = information_sets.iter().map(|(_, count)| count);
    std::iter::once(depth.to_owned()).chain(numbers.chain(sets).map(u64::to_string)).collect()
}

fn counts_json(source: &Source, game: &Game, counts: &TreeCounts) -> Value {
    let of_role = |(role, count): (RoleId, &u64)| (game.roles().name(role).to_owned(), json!(count));
    let of_depth = |counts: &DepthCounts| {
        json!({
            "histories": counts.histories,
            "chance": counts.chance,
            "decision": counts.decision,
            "terminal": counts.terminal,
            "information_sets": counts.information_sets.iter().map(of_role).collect::<Map<_, _>>(),
        })
    };
    json!({
        "name": source.name,
        "whole": counts.is_whole,
        "by_depth": counts.by_depth.iter().map(of_depth).collect::<Vec<_>>(),
        "all": of_depth(&counts.total()),
    })
}
