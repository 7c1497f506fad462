//! `croupier help`: the help of a command, or of a topic that several commands share.

use std::io::Write;

use clap::{Arg, ArgAction, Args, Command};
use croupier_games::alike;

use crate::{
    arguments::seating::agents_help,
    output::{answer::Answer, failure::Failure},
    sessions::realtime::real_time_agents_help,
};

/// What can be asked for beside commands, with what there is to say.
const TOPICS: [(&str, &str); 5] = [
    (AGENTS, include_str!("help/agents.txt")),
    ("clocks", include_str!("help/clocks.txt")),
    ("records", include_str!("help/records.txt")),
    ("real-time", include_str!("help/real-time.txt")),
    ("json", include_str!("help/json.txt")),
];

/// The topic whose text is followed by the list of agents.
const AGENTS: &str = "agents";

/// Examples that the help on one screen has.
const EXAMPLES_SHOWN: usize = 4;

/// Commands by what they are for; each stands in one group.
const GROUPS: [(&str, &[&str]); 5] = [
    ("Play", &["games", "play", "host", "replay", "belief", "review", "tournament", "luck"]),
    ("Study a game", &["show", "simulate", "solve", "solutions", "evaluate", "bench"]),
    ("Write rules", &["new", "check", "analyze", "explain", "convert", "export"]),
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
    let text_of = |topic: &str| TOPICS.iter().find(|(name, _)| *name == topic).map(|(_, text)| *text);
    let help = match arguments.topic.as_deref() {
        None => command_line.render_help(),
        Some(AGENTS) => {
            let text = text_of(AGENTS).unwrap_or_default();
            wrapped(format!("{text}\n{}\n{}", agents_help(), real_time_agents_help()))
        }
        Some(topic) => match (text_of(topic), command_line.find_subcommand_mut(topic)) {
            (Some(text), _) => wrapped(text.to_owned()),
            (None, Some(command)) if arguments.is_brief => command.render_help(),
            (None, Some(command)) => command.render_long_help(),
            (None, None) => return Err(unknown(topic, &command_line)),
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
    // One screen, whichever way it is asked for.
    let about = command_line.get_long_about().cloned().unwrap_or_default();
    let command_line =
        command_line.help_template(template).about(about).disable_help_flag(true).arg(help_flag());
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
    command.disable_help_flag(true).arg(help_flag())
}

/// `-h` and `--help`, which say the same.
fn help_flag() -> Arg {
    Arg::new("help").short('h').long("help").action(ArgAction::HelpShort).help("Print help")
}

/// A text as help is shown: wrapped where the terminal ends.
fn wrapped(text: String) -> clap::builder::StyledStr {
    Command::new("croupier").help_template("{after-help}").after_help(text).render_long_help()
}

fn unknown(topic: &str, command_line: &Command) -> Failure {
    let names = || command_line.get_subcommands().map(Command::get_name).chain(TOPICS.map(|(name, _)| name));
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
        for (topic, _) in TOPICS {
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
        // What is indented is not wrapped.
        let listed = commands.filter(|line| line.starts_with("  "));
        let long = listed.filter(|line| line.chars().count() > 80).collect::<Vec<_>>();
        assert!(long.is_empty(), "{long:?}");
    }
}
