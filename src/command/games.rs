//! `croupier games`: the catalogue.

use std::io::Write;

use clap::Args;
use croupier_games::{catalogue, real_time_catalogue};
use serde_json::{Value, json};

use crate::{
    answer::Answer,
    failure::Failure,
    schema::Schema,
    source::Source,
    terminal::{Stream, Wrapping},
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
        let games: Vec<Value> = found.iter().map(|(source, time)| as_json(source, time)).collect();
        Schema::Games.write(out, json!({ "games": games }))?;
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

fn as_json(source: &Source, time: &str) -> Value {
    json!({
        "name": source.name,
        "title": source.facts.title,
        "summary": source.facts.summary,
        "tags": source.facts.tags,
        "time": time,
    })
}
