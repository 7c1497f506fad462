//! `croupier help`: the help of a command, or of a topic that several commands share.

use std::io::Write;

use clap::{Args, Command};
use croupier_games::alike;

use crate::{answer::Answer, failure::Failure, realtime::real_time_agents_help, seating::agents_help};

/// What can be asked for beside commands.
const TOPICS: [&str; 1] = ["agents"];

/// Commands by what they are for; each stands in one group.
const GROUPS: [(&str, &[&str]); 5] = [
    ("Play", &["games", "play", "replay", "belief", "tournament", "luck"]),
    ("Study a game", &["show", "simulate", "solve", "evaluate", "bench"]),
    ("Write rules", &["new", "check", "explain", "convert", "export"]),
    ("Connect", &["serve", "join", "agent", "key"]),
    ("Help", &["help", "completions"]),
];

/// Columns before what a command is for.
const INDENT: usize = 15;

/// Print the help of a command, or of a topic
#[derive(Args)]
#[command(after_help = "\
Topics:
  agents    who can take a seat, what each agent does, and how strong it is

Examples:
  croupier help play
  croupier help agents")]
pub(crate) struct Arguments {
    /// A command or a topic; without it, the list of commands
    #[arg(value_name = "COMMAND")]
    topic: Option<String>,
}

impl Arguments {
    /// What asks for the help of one command.
    pub(crate) fn about(command: &str) -> Self {
        Self { topic: Some(command.to_owned()) }
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
        Some(topic) => match command_line.find_subcommand_mut(topic) {
            Some(command) => command.render_long_help(),
            None => return Err(unknown(topic, &command_line)),
        },
    };
    write!(out, "{}", help.ansi())?;
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
    command_line.help_template(template)
}

/// A text as help is shown: wrapped where the terminal ends.
fn wrapped(text: String) -> clap::builder::StyledStr {
    Command::new("croupier").help_template("{after-help}").after_help(text).render_long_help()
}

fn agents() -> String {
    format!(
        "{}
{}
How strong they are: `resolve`, which sits where nobody else is seated, plays within a thousandth of a chip of an equilibrium \
in games that it can solve at the table, such as kuhn, leduc and liars-dice. In holdem it plays the strategy that comes with \
the game, and beats random, call, raise, belief and ismcts. In larger games it searches as mo-ismcts does.

Of those that search, mo-ismcts and ismcts are the strongest in most games of hidden information; hyperplay-ii is worth its time where \
a move can buy information. `uct` is for games in which everybody sees everything. `belief` is quick, \
and weak against opponents who think. random, call, raise and fold are yardsticks.

More iterations make a stronger and slower player: a thousand take about 5 to 20 ms a move. docs/players.md has the figures.
",
        agents_help(),
        real_time_agents_help()
    )
}

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
    fn the_list_of_commands_fits_a_terminal() {
        let help = grouped(CommandLine::command()).render_help().to_string();
        let commands = help.lines().take_while(|line| !line.trim_start().starts_with('-'));
        let long = commands.filter(|line| line.chars().count() > 80).collect::<Vec<_>>();
        assert!(long.is_empty(), "{long:?}");
    }
}
