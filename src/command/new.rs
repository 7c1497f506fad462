//! `croupier new`: rules to begin with, or those of a game of any size.

use std::{collections::BTreeMap, io::Write, path::PathBuf};

use clap::Args;
use croupier_games::{Family, FamilyError, Parameter, alike, families, find_family, starter};

use crate::{answer::Answer, failure::Failure, record_file::file_exists};

/// Write the rules of a new game, to change or to play
#[derive(Args)]
#[command(after_help = help())]
pub(crate) struct Arguments {
    /// Where to write them; without it they are printed
    #[arg(long, short = 'o', value_name = "FILE")]
    output: Option<PathBuf>,
    /// Replace the file if it is there
    #[arg(long, requires = "output")]
    force: bool,
    /// A family of games, listed below
    #[arg(long, value_name = "FAMILY")]
    from: Option<String>,
    /// The numbers of the family's game, after all else
    #[arg(
        value_name = "--PARAMETER N",
        trailing_var_arg = true,
        allow_hyphen_values = true,
        requires = "from"
    )]
    parameters: Vec<String>,
}

fn help() -> String {
    let mut text = String::from("Families:\n");
    for family in families() {
        text.push_str(&format!("  {}\n      {}\n", family.name, family.summary));
        for parameter in family.parameters {
            let Parameter { meaning, range: (least, greatest), standard, .. } = parameter;
            let usage = written(parameter);
            text.push_str(&format!(
                "      {usage}   {meaning}: {least} to {greatest}, {standard} if not given\n"
            ));
        }
    }
    text.push_str(
        "
Examples:
  croupier new -o my-game.gdl && croupier play my-game.gdl --seat player=human
  croupier new --from goofspiel --cards 6
  croupier new -o six.gdl --from no-limit-holdem --players 6 --big-blinds 20,12,16,20,4,8
  croupier new -o krieg.gdl --from krieg-tic-tac-toe --size 6 --line 4",
    );
    text
}

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<Answer, Failure> {
    let rules = match &arguments.from {
        None => starter().to_owned(),
        Some(name) => {
            let family = find_family(name).ok_or_else(|| unknown(name))?;
            let values = values(family, &arguments.parameters)?;
            family.rules(&values).map_err(|error| refused(family, &error))?
        }
    };
    let Some(path) = &arguments.output else {
        write!(out, "{rules}")?;
        return Ok(Answer::Yes);
    };
    let failed = |error: &std::io::Error| Failure::file("unwritable-file", path, error);
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(!arguments.force).create(true).truncate(true);
    let mut file = options.open(path).map_err(|error| match error.kind() {
        std::io::ErrorKind::AlreadyExists => file_exists(path, "--force replaces it"),
        _ => failed(&error),
    })?;
    file.write_all(rules.as_bytes()).map_err(|error| failed(&error))?;
    let path = path.display();
    writeln!(out, "{path} is written; `croupier check {path}` and `croupier play {path}` go on from here")?;
    Ok(Answer::Yes)
}

/// How it is given.
fn written(parameter: &Parameter) -> String {
    let several = if parameter.each_of.is_some() { "[,N...]" } else { "" };
    format!("--{} N{several}", parameter.name)
}

/// The numbers of words such as `--cards 6`, `--cards=6` or `--big-blinds 20,10`.
fn values(family: &Family, words: &[String]) -> Result<BTreeMap<String, Vec<u32>>, Failure> {
    let mut values = BTreeMap::new();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let refuse = |message: &str| {
            Failure::refuse("bad-parameter", message.to_owned())
                .at_argument("--from", family.name)
                .help(usage(family))
        };
        if ["-o", "--output", "--force"].iter().any(|option| word.split('=').next() == Some(*option)) {
            return Err(refuse(&format!("put {word} before the family's parameters")));
        }
        let Some(named) = word.strip_prefix("--") else {
            return Err(refuse(&format!("'{word}' is no parameter")));
        };
        let (name, number) = match named.split_once('=') {
            Some((name, number)) => (name, number),
            None => (named, words.next().map_or("", String::as_str)),
        };
        let numbers: Result<Vec<u32>, _> = number.split(',').map(str::parse).collect();
        let numbers = numbers.map_err(|_| refuse(&format!("--{name} needs a number, and got '{number}'")))?;
        if values.insert(name.to_owned(), numbers).is_some() {
            return Err(refuse(&format!("--{name} is given twice")));
        }
    }
    Ok(values)
}

fn usage(family: &Family) -> String {
    let parameters = family.parameters.iter().map(|parameter| {
        let (least, greatest) = parameter.range;
        format!("{} from {least} to {greatest}", written(parameter))
    });
    format!("{} has {}", family.name, parameters.collect::<Vec<_>>().join(" and "))
}

fn refused(family: &Family, error: &FamilyError) -> Failure {
    Failure::refuse("bad-parameter", error.to_string()).help(usage(family))
}

fn unknown(name: &str) -> Failure {
    let failure = Failure::refuse("unknown-family", format!("there is no family '{name}'"));
    let names = || families().iter().map(|family| family.name);
    match alike(name, names()).first() {
        Some(near) => failure.help(format!("did you mean '{near}'?")),
        None => failure.help(format!("there are {}", names().collect::<Vec<&str>>().join(", "))),
    }
}
