//! `croupier games`: the catalogue.

use std::io::Write;

use clap::Args;
use croupier_games::{GameFacts, catalogue, real_time_catalogue};
use serde::Serialize;

use crate::{
    arguments::source::Source,
    output::{
        answer::Answer,
        failure::Failure,
        schema::{Output, output},
    },
    sessions::terminal::{Stream, Wrapping},
};

/// List the games that come with Croupier
#[derive(Args)]
#[command(after_help = "\
Examples:
  croupier games
  croupier games poker          only games whose name, title or tags speak of poker
  croupier games real-time      those in which nobody takes turns
  croupier games --json")]
pub(crate) struct Arguments {
    /// Only games whose name, title, summary or tags contain this
    word: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// The bundled games.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct GamesReport<'g> {
    games: Vec<GameReport<'g>>,
}
output!(Games: GamesReport<'_>);

/// A game.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct GameReport<'g> {
    /// What commands take.
    name: &'g str,
    title: &'g str,
    summary: &'g str,
    tags: &'g [String],
    #[cfg_attr(test, schemars(extend("enum" = ["turns", "real"])))]
    time: &'static str,
}

impl<'g> GameReport<'g> {
    fn of(source: &'g Source, time: &'static str) -> Self {
        let GameFacts { title, summary, tags, .. } = &source.facts;
        Self { name: &source.name, title, summary, tags, time }
    }
}

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<Answer, Failure> {
    let mut found = Vec::new();
    for (entries, time) in [(catalogue(), "turns"), (real_time_catalogue(), "real")] {
        for entry in entries {
            let source = Source::find(entry.name)?;
            if arguments.word.as_deref().is_none_or(|word| speaks_of(&source, word)) {
                found.push((source, time));
            }
        }
    }
    if arguments.json {
        let games = found.iter().map(|(source, time)| GameReport::of(source, time)).collect();
        GamesReport { games }.write_json(out)?;
    } else {
        let out = &mut Wrapping::new(out, Stream::Output);
        let width = found.iter().map(|(source, _)| source.name.len()).max().unwrap_or(0);
        for (source, _) in &found {
            writeln!(out, "{:width$}  {}", source.name, source.facts.title)?;
            writeln!(out, "{:width$}  {}", "", source.facts.summary)?;
        }
        if found.is_empty() {
            writeln!(out, "no game matches that word; `croupier games` lists all")?;
        }
    }
    Ok(if found.is_empty() { Answer::No } else { Answer::Yes })
}

fn speaks_of(source: &Source, word: &str) -> bool {
    let word = word.to_lowercase();
    let facts = &source.facts;
    let texts = [&source.name, &facts.title, &facts.summary];
    texts.into_iter().chain(&facts.tags).any(|text| text.to_lowercase().contains(&word))
}
