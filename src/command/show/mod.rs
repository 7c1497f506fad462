//! `croupier show`: one game, its facts and sizes, its rules alone, its tree counted, or its symmetries.

mod counts;
mod engine;
mod position;
mod symmetries;

use std::io::Write;

use clap::{Args, ValueEnum};
use croupier_engine::{
    Game, Limits, RoleId, Roles,
    stages::syntax::{self, Description, Syntax},
};
use croupier_games::{Counts, GameFacts, Known, Payoff};
use serde::Serialize;

use self::{counts::CountedTree, position::PositionArguments};
use crate::{
    arguments::{
        count::count,
        engine::{Engine, real_time_engine},
        source::Source,
    },
    output::{
        answer::Answer,
        columns::write_rows,
        failure::Failure,
        schema::{Output, output},
    },
    sessions::interrupt::Interrupt,
};

/// Show what is known of a game, or its rules
#[derive(Args)]
#[command(after_help = "\
Examples:
  croupier show leduc
  croupier show leduc --rules > my-leduc.gdl     a copy to change; play it as ./my-leduc.gdl
  croupier show leduc --rules=infix              the same in the other syntax
  croupier show holdem --engine                  what the rules were compiled to
  croupier show leduc --counts                   histories and information sets, depth by depth
  croupier show holdem --symmetries              permutations of cards that leave the rules as they are
  croupier show chess --svg > chess.svg          the table before the first move, as a picture
  croupier show chess --svg --moves 'e4, e5, Nf3'
  croupier show holdem --svg --role alice --moves 'call, check' --seed 4")]
pub(crate) struct Arguments {
    /// A name from `croupier games`, or the path of a rule file
    game: String,
    /// Print the rules alone: as written, or in the syntax named
    #[arg(long, conflicts_with = "json", value_enum, value_name = "SYNTAX", num_args = 0..=1, default_missing_value = "written")]
    rules: Option<Form>,
    /// Print what the rules were compiled to, with the engine named or what `auto` takes
    #[arg(long, conflicts_with = "rules", value_enum, value_name = "ENGINE", num_args = 0..=1, default_missing_value = "auto")]
    engine: Option<Engine>,
    /// Count the tree of the game, depth by depth; stop after N histories: 10000 if no number is given
    #[arg(long, conflicts_with_all = ["rules", "engine"], value_name = "HISTORIES", num_args = 0..=1, default_missing_value = "10000", value_parser = count::<u64>(0..=u64::MAX))]
    counts: Option<u64>,
    /// Print the symmetries of the rules: their number, and some from which all others follow
    #[arg(long, conflicts_with_all = ["rules", "engine", "counts"])]
    symmetries: bool,
    #[command(flatten)]
    position: PositionArguments,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// How rules are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Form {
    /// As they were written
    Written,
    /// As S-expressions
    Kif,
    /// As in Prolog
    Infix,
}

pub(crate) fn run(
    arguments: &Arguments,
    interrupt: &Interrupt,
    out: &mut dyn Write,
) -> Result<Answer, Failure> {
    let source = Source::find(&arguments.game)?;
    if let Some(form) = arguments.rules {
        write_rules(out, &source, form)?;
        return Ok(Answer::Yes);
    }
    if let Some(engine) = arguments.engine.filter(|_| !source.is_real_time()) {
        engine::write(out, &source, engine, arguments.json)?;
        return Ok(Answer::Yes);
    }
    if source.is_real_time() {
        return show_real_time(arguments, &source, out);
    }
    if arguments.position.svg {
        position::write(out, &source, &arguments.position)?;
        return Ok(Answer::Yes);
    }
    let game = source.compile(&Engine::Datalog.options())?;
    if let Some(histories_max) = arguments.counts {
        let tree = CountedTree::count(&source, &game, histories_max, interrupt)?;
        if arguments.json {
            tree.report().write_json(out)?;
        } else {
            tree.write(out)?;
        }
        return Ok(if tree.is_cut { Answer::Interrupted } else { Answer::Yes });
    }
    if arguments.symmetries {
        symmetries::write(out, &source, &game, arguments.json)?;
        return Ok(Answer::Yes);
    }
    show_facts(arguments, &source, &Sides::of(&game), out)?;
    Ok(Answer::Yes)
}

/// What is known of a real-time game; its tree has no end, so nothing is counted.
fn show_real_time(arguments: &Arguments, source: &Source, out: &mut dyn Write) -> Result<Answer, Failure> {
    if arguments.counts.is_some() || arguments.symmetries || arguments.position.svg {
        return Err(Failure::refuse(
            "no-turns",
            "nobody takes turns in this game, so its tree is not counted and no turn drawn",
        )
        .help("`croupier show GAME` and `croupier simulate GAME` take real-time games"));
    }
    let game = source.compile_real_time(&Engine::Auto.options())?;
    let sides = Sides {
        roles: game.roles(),
        has_full_sight: game.has_full_sight(),
        time: "real: nobody waits for a turn",
        engine: Some(real_time_engine(&game)),
    };
    show_facts(arguments, source, &sides, out)?;
    Ok(Answer::Yes)
}

/// What both kinds of games can say of themselves.
struct Sides<'g> {
    roles: &'g Roles,
    has_full_sight: bool,
    time: &'static str,
    /// What evaluates the rules, where that is quick to say.
    engine: Option<&'static str>,
}

impl<'g> Sides<'g> {
    fn of(game: &'g Game) -> Self {
        Self { roles: game.roles(), has_full_sight: game.has_full_sight(), time: "turns", engine: None }
    }
}

fn show_facts(
    arguments: &Arguments,
    source: &Source,
    sides: &Sides<'_>,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    if arguments.json {
        ShowReport::of(source, sides).write_json(out)?;
        return Ok(());
    }
    write_facts(out, source, sides)
}

fn write_rules(out: &mut dyn Write, source: &Source, form: Form) -> Result<(), Failure> {
    let text = match form {
        Form::Written => source.rules.to_string(),
        Form::Kif => syntax::print_commented(&read(source)),
        Form::Infix => syntax::print_infix_commented(&read(source)),
    };
    writeln!(out, "{}", text.trim_end_matches('\n'))?;
    Ok(())
}

fn read(source: &Source) -> Description {
    syntax::read(&source.rules, Syntax::Auto, &Limits::STANDARD).description
}

fn names(all: &Roles, roles: impl Iterator<Item = RoleId>) -> Vec<&str> {
    roles.map(|role| all.name(role)).collect()
}

fn write_facts(out: &mut dyn Write, source: &Source, sides: &Sides<'_>) -> Result<(), Failure> {
    let facts = &source.facts;
    writeln!(out, "{} ({})", facts.title, source.name)?;
    if !facts.summary.is_empty() {
        writeln!(out, "{}", facts.summary)?;
    }
    writeln!(out)?;
    let TextSize { clauses, lines, bytes } = TextSize::of(source);
    let mut rows = vec![
        row("players", names(sides.roles, sides.roles.players()).join(", ")),
        row("time", sides.time),
        row("chance", if sides.roles.random().is_some() { "yes, the role random" } else { "none" }),
        row(
            "sight",
            if sides.has_full_sight {
                "full: the rules have no sees"
            } else {
                "what the rules let each role see"
            },
        ),
        row("rules", format!("{clauses} rules and facts, {lines} lines, {bytes} bytes")),
    ];
    rows.extend(sides.engine.map(|engine| row("engine", engine)));
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
    write_rows(out, &rows)?;
    for known in &facts.known {
        writeln!(out, "\nknown: {} is {}\n       {}", known.what, known.value, known.source)?;
    }
    Ok(())
}

fn row(what: &str, text: impl Into<String>) -> Vec<String> {
    vec![what.to_owned(), text.into()]
}

/// What is known of a game.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct ShowReport<'s> {
    name: &'s str,
    title: &'s str,
    summary: &'s str,
    /// Where the rules of the game are from.
    source: Option<&'s str>,
    tags: &'s [String],
    /// All roles in the order of the rules.
    roles: Vec<&'s str>,
    /// All roles but random.
    players: Vec<&'s str>,
    #[cfg_attr(test, schemars(extend("enum" = ["turns", "real"])))]
    time: &'static str,
    /// Whether there is a role random.
    chance: bool,
    /// Whether everybody sees every move.
    full_sight: bool,
    #[cfg_attr(test, schemars(with = "Option<crate::output::schema::tests::Payoff>"))]
    payoff: Option<&'s Payoff>,
    /// Values that others have published.
    #[cfg_attr(test, schemars(with = "Vec<crate::output::schema::tests::Known>"))]
    known: &'s [Known],
    #[cfg_attr(test, schemars(with = "Option<crate::output::schema::tests::Counts>"))]
    counts: Option<&'s Counts>,
    rules: TextSize,
}
output!(Show: ShowReport<'_>);

/// The size of the text of rules.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct TextSize {
    clauses: usize,
    lines: usize,
    bytes: usize,
}

impl TextSize {
    fn of(source: &Source) -> Self {
        let (clauses, lines) = (read(source).clauses.len(), source.rules.lines().count());
        Self { clauses, lines, bytes: source.rules.len() }
    }
}

impl<'s> ShowReport<'s> {
    fn of(source: &'s Source, sides: &Sides<'s>) -> Self {
        let GameFacts { title, summary, tags, known, .. } = &source.facts;
        Self {
            name: &source.name,
            title,
            summary,
            source: source.facts.source.as_deref(),
            tags,
            roles: names(sides.roles, sides.roles.all()),
            players: names(sides.roles, sides.roles.players()),
            time: if sides.engine.is_some() { "real" } else { "turns" },
            chance: sides.roles.random().is_some(),
            full_sight: sides.has_full_sight,
            payoff: source.facts.payoff.as_ref(),
            known,
            counts: source.facts.counts.as_ref(),
            rules: TextSize::of(source),
        }
    }
}
