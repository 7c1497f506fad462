//! The sizes of a game's tree, depth by depth.

use std::io::{self, Write};

use croupier_engine::{
    CompileError, Game, RoleId,
    game::{DepthCounts, TreeCounts, count_tree_until},
};
use serde_json::{Map, Value, json};

use crate::{columns::write_numbers, failure::Failure, interrupt::Interrupt, source::Source};

/// The sizes of a game's tree, as deep as they were counted.
pub(super) struct CountedTree<'g> {
    source: &'g Source,
    game: &'g Game,
    counts: TreeCounts,
    histories_max: u64,
    /// Whether a signal ended the count.
    pub(super) is_cut: bool,
}

impl<'g> CountedTree<'g> {
    /// Counts as deep as `histories_max` allows, or until it is interrupted.
    ///
    /// # Errors
    /// If the rules fail.
    pub(super) fn count(
        source: &'g Source,
        game: &'g Game,
        histories_max: u64,
        interrupt: &Interrupt,
    ) -> Result<Self, Failure> {
        interrupt.hold();
        let counts = count_tree_until(game, histories_max, &mut game.scratch(), &|| interrupt.is_raised())
            .map_err(|error| source.refusal(&CompileError::Evaluation(error)))?;
        let is_cut = interrupt.is_raised() && !counts.is_whole;
        Ok(Self { source, game, counts, histories_max, is_cut })
    }

    pub(super) fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let Self { counts, .. } = self;
        let mut rows = vec![head(self.game)];
        let lines =
            counts.by_depth.iter().enumerate().map(|(depth, counts)| line(&depth.to_string(), counts));
        rows.extend(lines);
        rows.push(line("all", &counts.total()));
        write_numbers(out, &rows)?;
        if counts.is_whole {
            writeln!(out, "the whole tree")
        } else if self.is_cut {
            let depths = counts.by_depth.len();
            writeln!(out, "interrupted: the first {depths} depths are whole; the tree is deeper")
        } else {
            writeln!(out, "as deep as {} histories go; the tree is deeper", self.histories_max)
        }
    }

    pub(super) fn as_json(&self) -> Value {
        let Self { game, counts, .. } = self;
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
            "name": self.source.name,
            "whole": counts.is_whole,
            "by_depth": counts.by_depth.iter().map(of_depth).collect::<Vec<_>>(),
            "all": of_depth(&counts.total()),
            "interrupted": self.is_cut,
        })
    }
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
