//! The numbers of a family's game as options: `--cards 6` or `--big-blinds 20,10`.

use std::collections::{BTreeMap, BTreeSet};

use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use croupier_games::families;

use crate::arguments::count::count;

/// The numbers that were given, by parameter. Which of them a family has is for the family to say.
#[derive(Clone, Debug, Default)]
pub(super) struct Parameters(BTreeMap<String, Vec<u32>>);

impl Parameters {
    pub(super) fn values(&self) -> &BTreeMap<String, Vec<u32>> {
        &self.0
    }
}

/// The names of all parameters of all families.
fn names() -> BTreeSet<&'static str> {
    families().iter().flat_map(|family| family.parameters).map(|parameter| parameter.name).collect()
}

impl FromArgMatches for Parameters {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut parameters = Self::default();
        parameters.update_from_arg_matches(matches)?;
        Ok(parameters)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        for name in names() {
            if let Some(numbers) = matches.get_many::<u32>(name) {
                self.0.insert(name.to_owned(), numbers.copied().collect());
            }
        }
        Ok(())
    }
}

impl Args for Parameters {
    fn augment_args(command: Command) -> Command {
        names().into_iter().fold(command, |command, name| {
            // Each family's help has its own; the help of all would be longer than a screen.
            let option = Arg::new(name).long(name).value_name("N").value_delimiter(',').hide(true);
            command.arg(option.action(ArgAction::Set).value_parser(count::<u32>(0..=u64::from(u32::MAX))))
        })
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}
