//! A match with everything that the rules say of it, to read and to compare: states as they change, legal moves,
//! moves, percepts and the table.

use std::{
    io::{self, Write},
    sync::Arc,
};

use croupier_engine::{RoleId, Scratch, State, Status};
use croupier_games::{Drawn, Scene, printable};
use croupier_referee::{Record, Replay, ReplayTurn};
use croupier_table::{drawn, scene_of_state};

use super::Lookups;
use crate::{output::failure::Failure, sessions::story::Story};

/// A line has no more columns if its terms allow that.
const COLUMNS: usize = 110;

/// Of many legal moves the first ones are listed.
const LISTED: usize = 24;

/// Writes a match whole.
pub(super) fn write(
    out: &mut dyn Write,
    number: usize,
    record: &Record,
    replayed: &Replay,
    lookups: &mut Lookups,
) -> Result<(), Failure> {
    let header = replayed.header();
    let facts = lookups.words.facts(record);
    let story = Story::of(replayed, &facts);
    let playthrough = Playthrough { story, width: label_width(&story) };
    let mut scratch = header.game().scratch();
    if number > 1 {
        writeln!(out)?;
    }
    let players: Vec<String> = header
        .players()
        .iter()
        .map(|(role, player)| format!("{} ({})", header.role_name(role), printable(player)))
        .collect();
    writeln!(out, "match {number} of {}: {}", printable(&facts.title), players.join(", "))?;
    let mut before = None;
    for turn in replayed.turns() {
        writeln!(out, "\nturn {}", turn.turn)?;
        let scene = scene_of_state(header.game(), &facts, &turn.state);
        before = Some(playthrough.write_state(out, before, &turn.state, &scene)?);
        playthrough.write_legal(out, turn, &mut scratch)?;
        playthrough.write_percepts(out, turn)?;
    }
    writeln!(out, "\nend")?;
    let mut end = Scene::nothing();
    if let Some(last) = replayed.turns().last() {
        end = lookups.relations.of_state(header, &facts, &last.successor);
        playthrough.write_state(out, before, &last.successor, &end)?;
    }
    writeln!(out, "  {}", story.outcome(replayed.outcome(), &end))?;
    Ok(())
}

fn label_width(story: &Story<'_>) -> usize {
    let roles = story.game.roles();
    roles.all().map(|role| roles.name(role).chars().count()).max().unwrap_or(0).max("table".len())
}

/// Those of `terms` that `others` do not have; both are in order.
fn without<'t>(terms: &'t [Arc<str>], others: &[Arc<str>]) -> Vec<&'t str> {
    terms.iter().filter(|term| others.binary_search(term).is_err()).map(|term| &**term).collect()
}

struct Playthrough<'s> {
    story: Story<'s>,
    /// Columns for the name of a role.
    width: usize,
}

impl Playthrough<'_> {
    /// The first state whole, later ones as what is no longer true and what is new; then the table. Gives the state's
    /// fluents, for the next.
    fn write_state(
        &self,
        out: &mut dyn Write,
        before: Option<Vec<Arc<str>>>,
        state: &State,
        scene: &Scene,
    ) -> io::Result<Vec<Arc<str>>> {
        let game = self.story.game;
        let terms = game.state_terms(state);
        match before {
            None => self.write_line(out, "true", "", &terms)?,
            Some(before) => {
                self.write_line(out, "-", "", &without(&before, &terms))?;
                self.write_line(out, "+", "", &without(&terms, &before))?;
            }
        }
        self.write_table(out, &drawn(game, self.story.facts, scene))?;
        Ok(terms)
    }

    fn write_table(&self, out: &mut dyn Write, table: &Drawn) -> io::Result<()> {
        let mut label = "table";
        for line in table.boards.iter().flat_map(|board| board.lines()) {
            writeln!(out, "{}", format!("  {label:width$}  {line}", width = self.width).trim_end())?;
            label = "";
        }
        let mut others: Vec<String> = table.lines.iter().map(|line| format!("{line};")).collect();
        if let Some(last) = others.last_mut() {
            last.pop();
        }
        self.write_line(out, label, "", &others)?;
        for line in table.player_lines(COLUMNS - self.width - 4) {
            writeln!(out, "  {:width$}  {line}", "", width = self.width)?;
        }
        Ok(())
    }

    /// What each role may do and does; a role with one legal move must do it.
    fn write_legal(
        &self,
        out: &mut dyn Write,
        turn: &ReplayTurn,
        scratch: &mut Scratch,
    ) -> Result<(), Failure> {
        let game = self.story.game;
        let status = game
            .status(&turn.state, scratch)
            .map_err(|error| Failure::refuse("rules-fail", error.to_string()))?;
        let Status::Running { legal } = status else { return Ok(()) };
        for (role, moves) in legal.iter() {
            let mut texts: Vec<_> = moves.iter().take(LISTED).map(|&id| game.move_text(id)).collect();
            if moves.len() == 1 {
                self.write_of_role(out, role, "must", &texts)?;
                continue;
            }
            if moves.len() > LISTED {
                texts.push(format!("and {} more", moves.len() - LISTED).into());
            }
            self.write_of_role(out, role, "may", &texts)?;
            self.write_of_role(out, role, "plays", &[game.move_text(turn.joint_move.of(role))])?;
        }
        Ok(())
    }

    fn write_percepts(&self, out: &mut dyn Write, turn: &ReplayTurn) -> io::Result<()> {
        for (role, percepts) in turn.percepts.iter() {
            self.write_of_role(out, role, "sees", &self.story.game.percept_terms(percepts))?;
        }
        Ok(())
    }

    fn write_of_role(
        &self,
        out: &mut dyn Write,
        role: RoleId,
        verb: &str,
        terms: &[impl AsRef<str>],
    ) -> io::Result<()> {
        self.write_line(out, self.story.game.roles().name(role), verb, terms)
    }

    /// A label, a verb, and terms on as many lines as they need.
    fn write_line(
        &self,
        out: &mut dyn Write,
        label: &str,
        verb: &str,
        terms: &[impl AsRef<str>],
    ) -> io::Result<()> {
        if terms.is_empty() {
            return Ok(());
        }
        let mut line = format!("  {label:width$}  {verb}", width = self.width);
        let margin = " ".repeat(self.width + 4);
        for term in terms {
            let term = term.as_ref();
            if line.trim() != label && line.chars().count() + 1 + term.chars().count() > COLUMNS {
                writeln!(out, "{line}")?;
                line.clone_from(&margin);
            }
            if !line.ends_with("  ") {
                line.push(' ');
            }
            line.push_str(term);
        }
        writeln!(out, "{line}")
    }
}
