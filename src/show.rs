//! `croupier show`: one game, its facts and sizes, or its rules alone.

use std::io::Write;

use clap::Args;
use croupier_engine::{Game, Options, RoleId, syntax};
use serde_json::{Value, json};

use crate::{Answer, failure::Failure, source::Source, summary};

/// Show what is known of a game, or its rules
#[derive(Args)]
#[command(after_help = "\
Examples:
  croupier show leduc
  croupier show leduc --rules > my-leduc.gdl     a copy to change; play it as ./my-leduc.gdl")]
pub(crate) struct Arguments {
    /// A name from `croupier games`, or the path of a rule file
    game: String,
    /// Print the text of the rules alone
    #[arg(long, conflicts_with = "json")]
    rules: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<Answer, Failure> {
    let source = Source::find(&arguments.game)?;
    if arguments.rules {
        write!(out, "{}", source.rules)?;
        if !source.rules.ends_with('\n') {
            writeln!(out)?;
        }
        return Ok(Answer::Yes);
    }
    let game = source.compile(&Options::PLAY)?;
    if arguments.json {
        writeln!(out, "{}", as_json(&source, &game))?;
    } else {
        write_facts(out, &source, &game)?;
    }
    Ok(Answer::Yes)
}

fn names(game: &Game, roles: impl Iterator<Item = RoleId>) -> Vec<&str> {
    roles.map(|role| game.roles().name(role)).collect()
}

/// Rules and facts of the text, as written.
fn clauses(source: &Source, game: &Game) -> usize {
    syntax::read_prefix(&source.rules, game.limits()).0.clauses.len()
}

fn write_facts(out: &mut dyn Write, source: &Source, game: &Game) -> Result<(), Failure> {
    let facts = &source.facts;
    writeln!(out, "{} ({})", facts.title, source.name)?;
    if !facts.summary.is_empty() {
        writeln!(out, "{}", facts.summary)?;
    }
    writeln!(out)?;
    let mut rows = vec![
        row("players", names(game, game.roles().players()).join(", ")),
        row("chance", if game.roles().random().is_some() { "yes, the role random" } else { "none" }),
        row(
            "sight",
            if game.has_full_sight() {
                "full: the rules have no sees"
            } else {
                "what the rules let each role see"
            },
        ),
        row(
            "rules",
            format!(
                "{} rules and facts, {} lines, {} bytes",
                clauses(source, game),
                source.rules.lines().count(),
                source.rules.len()
            ),
        ),
    ];
    if let Some(payoff) = &facts.payoff {
        rows.push(row("payoff", format!("(goal - {}) / {} in {}", payoff.offset, payoff.scale, payoff.unit)));
    }
    if let Some(counts) = &facts.counts {
        let counted: Vec<String> =
            counts.by_name().iter().map(|(what, count)| format!("{count} {what}")).collect();
        rows.push(row("tree", counted.join(", ")));
    }
    rows.extend((!facts.tags.is_empty()).then(|| row("tags", facts.tags.join(", "))));
    rows.extend(facts.source.as_ref().map(|from| row("source", from)));
    summary::write_rows(out, &rows)?;
    for known in &facts.known {
        writeln!(out, "\nknown: {} is {}\n       {}", known.what, known.value, known.source)?;
    }
    Ok(())
}

fn row(what: &str, text: impl Into<String>) -> Vec<String> {
    vec![what.to_owned(), text.into()]
}

fn as_json(source: &Source, game: &Game) -> Value {
    let facts = &source.facts;
    json!({
        "name": source.name,
        "title": facts.title,
        "summary": facts.summary,
        "source": facts.source,
        "tags": facts.tags,
        "roles": names(game, game.roles().all()),
        "players": names(game, game.roles().players()),
        "chance": game.roles().random().is_some(),
        "full_sight": game.has_full_sight(),
        "payoff": facts.payoff,
        "known": facts.known,
        "counts": facts.counts,
        "rules": {
            "clauses": clauses(source, game),
            "lines": source.rules.lines().count(),
            "bytes": source.rules.len(),
        },
    })
}
