//! The parameters of a family's game as options: `--cards 6`, `--big-blinds 20,10` or `--bets all`.

use std::collections::BTreeMap;

use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use croupier_games::{ParameterKind, ParameterValue, ParameterValues, families};

use crate::arguments::count::count;

/// What was given, by parameter. Which of them a family has is for the family to say.
#[derive(Clone, Debug, Default)]
pub(super) struct Parameters(ParameterValues);

impl Parameters {
    pub(super) fn values(&self) -> &ParameterValues {
        &self.0
    }
}

/// The parameters of all families by name. Two with one name are of the same kind.
fn kinds() -> BTreeMap<&'static str, ParameterKind> {
    let parameters = families().iter().flat_map(|family| family.parameters);
    parameters.map(|parameter| (parameter.name, parameter.kind)).collect()
}

impl FromArgMatches for Parameters {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut parameters = Self::default();
        parameters.update_from_arg_matches(matches)?;
        Ok(parameters)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        for (name, kind) in kinds() {
            let value = match kind {
                ParameterKind::Word(_) => matches.get_one::<String>(name).map(|word| word.as_str().into()),
                ParameterKind::Number { .. } => matches
                    .get_many::<u32>(name)
                    .map(|numbers| ParameterValue::Numbers(numbers.copied().collect())),
            };
            self.0.extend(value.map(|value| (name.to_owned(), value)));
        }
        Ok(())
    }
}

impl Args for Parameters {
    fn augment_args(command: Command) -> Command {
        kinds().into_iter().fold(command, |command, (name, kind)| {
            // Each family's help has its own; the help of all would be longer than a screen.
            let option = Arg::new(name).long(name).hide(true).action(ArgAction::Set);
            command.arg(match kind {
                ParameterKind::Word(_) => option.value_name("WORD"),
                ParameterKind::Number { .. } => {
                    let number = count::<u32>(0..=u64::from(u32::MAX));
                    option.value_name("N").value_delimiter(',').value_parser(number)
                }
            })
        })
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}
