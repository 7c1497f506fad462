//! `croupier help`: the help of a command, or of a topic that several commands share.

use std::io::Write;

use clap::{Arg, ArgAction, Args, Command};
use croupier_games::alike;

use crate::{answer::Answer, failure::Failure, realtime::real_time_agents_help, seating::agents_help};

/// What can be asked for beside commands.
const TOPICS: [&str; 5] = ["agents", "clocks", "records", "real-time", "json"];

/// Examples that the help on one screen has.
const EXAMPLES_SHOWN: usize = 4;

/// Commands by what they are for; each stands in one group.
const GROUPS: [(&str, &[&str]); 5] = [
    ("Play", &["games", "play", "replay", "belief", "tournament", "luck"]),
    ("Study a game", &["show", "simulate", "solve", "solutions", "evaluate", "bench"]),
    ("Write rules", &["new", "check", "explain", "convert", "export"]),
    ("Connect", &["serve", "join", "agent", "key"]),
    ("Help", &["help", "schema", "completions"]),
];

/// Columns before what a command is for.
const INDENT: usize = 15;

/// Print the help of a command, or of a topic
#[derive(Args)]
#[command(after_help = "\
Topics:
  agents     who can take a seat, what each agent does, and how strong it is
  clocks     who is timed, and what becomes of moves that are late or illegal
  records    what is in a record, how it is signed and verified
  real-time  games in which nobody waits for a turn
  json       what --json prints, its versions and schemas

Examples:
  croupier help play
  croupier help agents")]
pub(crate) struct Arguments {
    /// A command or a topic; without it, the list of commands
    #[arg(value_name = "COMMAND")]
    topic: Option<String>,
    /// Whether the help on one screen is wanted.
    #[arg(skip)]
    is_brief: bool,
}

impl Arguments {
    /// What `--help` of one command asks for.
    pub(crate) fn about(command: &str) -> Self {
        Self { topic: Some(command.to_owned()), is_brief: true }
    }
}

pub(crate) fn run(
    arguments: &Arguments,
    mut command_line: Command,
    out: &mut dyn Write,
) -> Result<Answer, Failure> {
    command_line.build();
    let help = match arguments.topic.as_deref() {
        None => command_line.render_long_help(),
        Some("agents") => wrapped(agents()),
        Some("clocks") => wrapped(CLOCKS.to_owned()),
        Some("records") => wrapped(RECORDS.to_owned()),
        Some("real-time") => wrapped(REAL_TIME.to_owned()),
        Some("json") => wrapped(JSON.to_owned()),
        Some(topic) => match command_line.find_subcommand_mut(topic) {
            Some(command) if arguments.is_brief => command.render_help(),
            Some(command) => command.render_long_help(),
            None => return Err(unknown(topic, &command_line)),
        },
    };
    write!(out, "{}", help.ansi().to_string().trim_start_matches('\n'))?;
    Ok(Answer::Yes)
}

/// A command line whose help lists commands by what they are for.
pub(crate) fn grouped(command_line: Command) -> Command {
    let mut list = String::new();
    for (group, names) in GROUPS {
        list.push_str(&format!("{group}:\n"));
        for name in names {
            let about = command_line.find_subcommand(name).and_then(Command::get_about);
            let about = about.map(ToString::to_string).unwrap_or_default();
            list.push_str(&format!("  {name:<width$}{about}\n", width = INDENT - 2));
        }
        list.push('\n');
    }
    let template =
        format!("{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{list}{{options}}{{after-help}}");
    let names: Vec<String> =
        command_line.get_subcommands().map(|command| command.get_name().to_owned()).collect();
    let command_line = command_line.help_template(template);
    names
        .into_iter()
        .fold(command_line, |line, name| line.mut_subcommand(name, |command| on_one_screen(command, "")))
}

/// A command whose `--help` fits a screen: what there is to say beyond its options and examples is said by `croupier help`.
fn on_one_screen(command: Command, parent: &str) -> Command {
    let name = format!("{parent}{}", command.get_name());
    let below: Vec<String> = command.get_subcommands().map(|command| command.get_name().to_owned()).collect();
    let command = below.into_iter().fold(command, |command, below| {
        command.mut_subcommand(below, |command| on_one_screen(command, &format!("{name} ")))
    });
    let details = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let start = details.rfind("\nExample").map_or(0, |newline| newline + 1);
    let examples = if details[start..].starts_with("Example") { &details[start..] } else { "" };
    let shown: Vec<&str> = examples.lines().take(1 + EXAMPLES_SHOWN).collect();
    let gap = if shown.is_empty() { "" } else { "\n\n" };
    let more = name.split(' ').next().unwrap_or_default();
    let agents = if details.contains("`croupier help agents`") {
        "`croupier help agents` lists the agents. "
    } else {
        ""
    };
    let brief =
        format!("{}{gap}{agents}`croupier help {more}` has every option and the details.", shown.join("\n"));
    let command = command.after_long_help(details).after_help(brief);
    // `new` answers --help itself, since that of a family is longer.
    if command.is_disable_help_flag_set() {
        return command;
    }
    let help = Arg::new("help").short('h').long("help").action(ArgAction::HelpShort).help("Print help");
    command.disable_help_flag(true).arg(help)
}

/// A text as help is shown: wrapped where the terminal ends.
fn wrapped(text: String) -> clap::builder::StyledStr {
    Command::new("croupier").help_template("{after-help}").after_help(text).render_long_help()
}

fn agents() -> String {
    format!(
        "\
An agent takes a seat by --seat ROLE=AGENT. ROLE is a name, or a number: 1 for the first player. Options follow a colon: \
--seat 2=ismcts:iterations=5000.

Which to take:
  resolve
      the default, and the strongest. It plays within a thousandth of a chip of an equilibrium in games that it can solve at \
the table, such as kuhn, leduc and liars-dice; in holdem it plays the strategy that comes with the game, and beats random, call, raise, \
belief and ismcts; in larger games it searches as pooled-ismcts does
  pooled-ismcts, mo-ismcts, ismcts
      the strongest searches in most games of hidden information
  hyperplay-ii
      slower; worth its time where a move can buy information
  uct
      for games in which everybody sees everything
  belief
      quick, and weak against opponents that think
  random, call, raise, fold
      yardsticks

More iterations make a stronger and slower player: a thousand take about 5 to 20 ms a move. docs/players.md has the figures.

{}
{}",
        agents_help(),
        real_time_agents_help()
    )
}

const CLOCKS: &str = "\
Without --play-clock nobody is timed: agents make as many iterations as they are asked for, and the record of a seeded match is the \
same to the byte every time.

--play-clock SECONDS limits every move. Agents stop thinking shortly before their time is up, and the record has the time that \
each move took. A reply counts until --grace SECONDS after its clock, for the way over the network: 1 unless that is given. A match with a player at an address is always timed, with 60 seconds a move if no clock is given. \
--start-clock SECONDS is the time between START and the first move.

--dialect says how to write to a player at an address: gdl1, gdl2, gdl2-2011 or sees; +infix behind it writes infix, and gdl1+spec-2006 \
writes messages exactly as the specification of 2006 shows them.

A move that is late, illegal or unreadable is replaced by a legal move, drawn from the seed, and counted by its reason. If more than \
--substituted-max percent of a player's moves were replaced, the exit status is 1.

A player that cannot be reached when a match begins makes it void; with --allow-absent moves are drawn for it instead. One that \
is busy with another match is asked again for --busy-wait seconds. --matches-at-once N gives a player at an address up to N matches \
at the same time.
";

const RECORDS: &str = "\
--record FILE writes everything that decided a match: rules, seed, clocks, every reply, every draw. A line is an event in JSON, and is \
chained to the lines before it by SHA-256.

A file that exists is kept: --append adds to it, --force replaces it. Where its last match is cut off, \
--append --cut-torn removes that first.

  croupier replay m.jsonl                 tells the match
  croupier replay m.jsonl --role bob      only what bob did and saw
  croupier replay m.jsonl --verify        computes it again, and compares
  croupier replay m.jsonl --json          states, legal moves, moves, percepts and payoffs

The seed is committed to before the first move, and revealed at the end: nobody can choose the cards. Without --key the seal is \
derived from the seed, and shows damage but not whose record it is. With --key, a secret key of `croupier key new`, the record is \
signed, and `croupier replay m.jsonl --verify --signed-by KEY` demands that signature.

Match 1 of a series uses the seed itself; the seeds of the others are derived from it. docs/records.md describes every field.
";

const REAL_TIME: &str = "\
In a real-time game nobody waits for a turn: a player moves when it wants to, facts end when their lifetime is over, and who is first \
may matter. `croupier games real-time` lists such games; `croupier convert GAME --to rtgdl` makes one of a game in turns.

  croupier play chicken --seat white=human    you type your move whenever you want
  croupier play dutch-auction --seed 7 -n 1000 --record a.jsonl
  croupier simulate chicken --playouts 1000000

Without people game time is simulated, and matches take as long as they take to compute. With --speed TIMES, or a person, matches are \
played by the clock, that many times faster. --tick SECONDS rounds the instants of moves up to whole ticks.

--seat, --seed, --matches, --record, --key, --json and --threads are as in other games; --play-clock, --start-clock, --model, --dialect and \
--full-sight are for games in turns. `croupier help agents` lists the agents. docs/real-time.md describes the language.
";

const JSON: &str = "\
--json prints one object on standard output. Its field `schema` says what it is, such as croupier/replay, and `version` in which version: the \
number grows when a field is renamed, removed, or means something else. New fields do not change it, so read past fields that you \
do not know.

  croupier schema                lists the schemas
  croupier schema replay         is the JSON Schema (draft 2020-12) of `croupier replay --json`
  croupier schema policy         is that of a file with a policy

A command that fails under --json prints one object to standard error too, with the fields code, message, place and help, after any \
warnings, and nothing to standard output. The exit status is the same as without.
";

fn unknown(topic: &str, command_line: &Command) -> Failure {
    let names = || command_line.get_subcommands().map(Command::get_name).chain(TOPICS);
    let failure = Failure::refuse("unknown-topic", format!("there is no command or topic '{topic}'"));
    match alike(topic, names()).first() {
        Some(near) => failure.help(format!("did you mean '{near}'?")),
        None => failure.help("`croupier help` lists the commands"),
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;
    use crate::command::CommandLine;

    #[test]
    fn every_command_is_in_one_group() {
        let command_line = CommandLine::command();
        let mut listed: Vec<&str> = GROUPS.iter().flat_map(|(_, names)| names.iter().copied()).collect();
        let mut known: Vec<&str> = command_line.get_subcommands().map(Command::get_name).collect();
        listed.sort_unstable();
        known.sort_unstable();
        assert_eq!(listed, known);
    }

    #[test]
    fn every_topic_is_listed_and_has_a_text() {
        for topic in TOPICS {
            let arguments = Arguments { topic: Some(topic.to_owned()), is_brief: false };
            let mut out = Vec::new();
            run(&arguments, CommandLine::command(), &mut out).expect("a topic");
            assert!(out.len() > 200, "{topic}");
        }
    }

    #[test]
    fn the_list_of_commands_fits_a_terminal() {
        let help = grouped(CommandLine::command()).render_help().to_string();
        let commands = help.lines().take_while(|line| !line.trim_start().starts_with('-'));
        let long = commands.filter(|line| line.chars().count() > 80).collect::<Vec<_>>();
        assert!(long.is_empty(), "{long:?}");
    }
}
