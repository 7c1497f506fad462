//! The sizes of a game's tree, depth by depth.

use std::{
    collections::BTreeMap,
    io::{self, Write},
};

use croupier_engine::{
    CompileError, Game,
    game::{DepthCounts, TreeCounts, count_tree_until},
};
use serde::Serialize;

use crate::{
    arguments::source::Source,
    output::{columns::write_numbers, failure::Failure, schema::output, summary::by_name},
    sessions::interrupt::Interrupt,
};

/// The tree, counted.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct CountsReport<'g> {
    name: &'g str,
    /// Whether that is the whole tree.
    whole: bool,
    /// For each number of turns, from 0.
    by_depth: Vec<DepthReport>,
    /// The sums.
    all: DepthReport,
    interrupted: bool,
}
output!(ShowCounts: CountsReport<'_>);

/// Histories of one length, or all.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct DepthReport {
    histories: u64,
    /// Histories in which chance has a choice.
    chance: u64,
    /// Histories in which a player has a choice, once for each such player.
    decision: u64,
    /// Histories that end in a terminal state.
    terminal: u64,
    /// By player.
    information_sets: BTreeMap<String, u64>,
}

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

    pub(super) fn report(&self) -> CountsReport<'g> {
        let of_depth = |counts: &DepthCounts| {
            let &DepthCounts { histories, chance, decision, terminal, ref information_sets } = counts;
            let sets = information_sets.iter().map(|(role, &count)| (role, count));
            let information_sets = by_name(self.game.roles(), sets);
            DepthReport { histories, chance, decision, terminal, information_sets }
        };
        CountsReport {
            name: &self.source.name,
            whole: self.counts.is_whole,
            by_depth: self.counts.by_depth.iter().map(of_depth).collect(),
            all: of_depth(&self.counts.total()),
            interrupted: self.is_cut,
        }
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
