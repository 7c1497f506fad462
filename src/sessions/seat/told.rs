//! What a person can ask for at the prompt: help, the rules in short, what happened so far, and what is hidden.

use std::{
    collections::BTreeMap,
    io::{self, Write},
};

use croupier_engine::{Game, InformationSet, Percepts, RoleId};
use croupier_games::{GameFacts, Payoff, Scene, printable};

use super::choices::Choices;
use crate::sessions::story::Story;

/// Moves of one kind that are named.
const EXAMPLES_MAX: usize = 3;

/// The move of a role that has nothing to do, by the custom of the language.
const IDLE: &str = "noop";

/// What can be typed.
pub(super) fn write_help(out: &mut dyn Write, choices: &Choices) -> io::Result<()> {
    let example = choices.example.as_ref().map(|form| format!(", or as it is written down, such as {form}"));
    writeln!(
        out,
        "Type a move by its number, its words, its term with or without brackets, or any part of these that fits no other move{}.",
        example.unwrap_or_default()
    )?;
    for (word, does) in [
        ("table", "show the table and your moves again"),
        ("rules", "what the game is about, and where its rules are"),
        ("history", "what you did and saw so far"),
        (
            "belief",
            "what is hidden from you, and how likely it is; with --model ROLE=MODEL if others do not play at random",
        ),
        ("help", "this list; also ?"),
        ("quit", "leave the match"),
    ] {
        writeln!(out, "  {word:<7}  {does}")?;
    }
    writeln!(
        out,
        "Tab completes what you type, the arrow keys bring back earlier lines, and Ctrl-C asks whether to leave."
    )
}

/// What the game is about.
pub(super) fn write_rules(
    out: &mut dyn Write,
    story: &Story<'_>,
    role: RoleId,
    choices: &Choices,
    name: Option<&str>,
) -> io::Result<()> {
    let facts = story.facts;
    writeln!(out, "{}", facts.title)?;
    if !facts.summary.is_empty() {
        writeln!(out, "  {}", facts.summary)?;
    }
    if let Some(source) = &facts.source {
        writeln!(out, "  source  {source}")?;
    }
    writeln!(out, "  goal    {}", goal_text(facts))?;
    let others: Vec<String> = story.game.roles().players().map(|role| story.role(role)).collect();
    writeln!(out, "  roles   {}; you are {}", others.join(", "), story.role(role))?;
    writeln!(out, "  moves   {}", moves_text(story.game, facts, role, choices))?;
    match name {
        Some(name) => writeln!(out, "  rules   croupier show {} --rules prints them all", printable(name)),
        None => Ok(()),
    }
}

/// What the role plays for.
fn goal_text(facts: &GameFacts) -> String {
    match &facts.payoff {
        None => "as many of 100 points as you can get".to_owned(),
        Some(map) if map.unit == "wins" => "to win".to_owned(),
        Some(map) => format!("as many {} as you can get; {}", map.unit, payoff_text(map)),
    }
}

/// How goals of the rules are counted.
fn payoff_text(map: &Payoff) -> String {
    let goals = match map.offset {
        0.0 => "goal".to_owned(),
        offset if offset < 0.0 => format!("(goal + {})", -offset),
        offset => format!("(goal - {offset})"),
    };
    let scale = if map.scale == 1.0 { String::new() } else { format!(" / {}", map.scale) };
    format!("{} = {goals}{scale}", map.unit)
}

/// The moves that the role has in this game, by their kinds.
fn moves_text(game: &Game, facts: &GameFacts, role: RoleId, choices: &Choices) -> String {
    let mut all: Vec<_> = match game.network() {
        Some(network) => network.moves(role).to_vec(),
        None => choices.all.iter().map(|choice| choice.id).collect(),
    };
    all.sort_by_cached_key(|&id| facts.words.move_place(&game.move_text(id)));
    let mut kinds: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for term in all.into_iter().map(|id| game.move_text(id)).filter(|term| &**term != IDLE) {
        let kind = term.trim_start_matches('(').split(' ').next().unwrap_or_default().to_owned();
        kinds.entry(kind).or_default().push(facts.words.move_text(&term));
    }
    let kinds = kinds.into_values().map(|words| {
        let named = words.iter().take(EXAMPLES_MAX).cloned().collect::<Vec<_>>().join(", ");
        match words.len().saturating_sub(EXAMPLES_MAX) {
            0 => named,
            more => format!("{named} and {more} more like these"),
        }
    });
    kinds.collect::<Vec<_>>().join("; ")
}

/// What the role was told in one turn, in the words that fit what it knew before, and without that others wait.
pub(super) fn seen_lines(story: &Story<'_>, percepts: &Percepts, before: &Scene) -> Vec<String> {
    let terms = story.game.percept_terms(percepts);
    let waits = format!(" {IDLE})");
    let told = terms.iter().filter(|term| !(term.starts_with("(did ") && term.ends_with(&waits)));
    let lines = told.map(|term| story.facts.words.percept_text_in(term, before));
    lines.filter(|line| !line.is_empty()).collect()
}

/// The last turn as the role knows it: its own move, unless it was told of that, and what it saw.
pub(super) fn turn_text(
    story: &Story<'_>,
    known: &InformationSet,
    seen: &[String],
    before: &Scene,
) -> Option<String> {
    let (own_move, percepts) = known.turns.last()?;
    let own = story.game.move_text(*own_move);
    let told = format!("(did {} {own})", story.game.roles().name(known.role));
    let is_told = story.game.percept_terms(percepts).iter().any(|term| **term == *told);
    let own = (&*own != IDLE && !is_told)
        .then(|| format!("you play {}", story.facts.words.move_text_in(&own, before)));
    let parts: Vec<String> = own.into_iter().chain(seen.iter().cloned()).collect();
    (!parts.is_empty()).then(|| format!("turn {:>2}  {}", known.turns.len() - 1, parts.join("; ")))
}

/// What the role did and saw, turn by turn.
pub(super) fn write_history(out: &mut dyn Write, turns: &[String]) -> io::Result<()> {
    if turns.is_empty() {
        return writeln!(out, "  nothing has happened yet that you could see");
    }
    turns.iter().try_for_each(|turn| writeln!(out, "  {turn}"))
}
