//! Kinds of players by name: what a user writes for a seat.

use std::{fmt, str::FromStr, sync::Arc};

use croupier_engine::{Game, RoleId};
use thiserror::Error;

use crate::{
    Baseline, BlueprintFile, BlueprintPlayer, FirstLegalPlayer, MoveRules, NestedOptions, NestedPlayer,
    Player, PlayerError, PolicyPlayer, PolicyTable, RandomPlayer, ResolveOptions, ResolvePlayer, RulePlayer,
    SearchMethod, SearchOptions, SearchPlayer, Solutions, leaves::Leaves,
};

/// A kind of player with its options.
///
/// As text it is a name, and after a colon its options, separated by commas:
/// `belief:iterations=500,particles=100`. What is left out has its standard value. Upper case and
/// spaces are not accepted. `policy:` and `rule:` are followed by the name of a file, which whoever has the file must
/// read: see [`policy_file`](Self::policy_file) and [`rule_file`](Self::rule_file).
///
/// ```
/// use croupier_players::{KindError, PlayerKind};
///
/// let kind: PlayerKind = "ismcts:iterations=500".parse()?;
/// assert_eq!(kind.name(), "ismcts");
/// assert!(matches!(kind, PlayerKind::Search(_, options) if options.iterations == 500));
/// let unknown = "ismct".parse::<PlayerKind>();
/// assert!(matches!(unknown, Err(KindError::UnknownName { .. })));
/// assert_eq!(PlayerKind::policy_file("policy:kuhn.json"), Some("kuhn.json"));
/// # Ok::<(), KindError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum PlayerKind {
    /// [`RandomPlayer`].
    Random,
    /// [`FirstLegalPlayer`].
    FirstLegal,
    /// [`SearchPlayer`].
    Search(SearchMethod, SearchOptions),
    /// [`NestedPlayer`].
    Nested(NestedOptions),
    /// [`ResolvePlayer`]; all players of this kind and its clones share what they solve.
    Resolve(ResolveOptions, Solutions),
    /// [`BlueprintPlayer`].
    Blueprint {
        /// The name of the file.
        file: String,
        /// What is in it.
        blueprint: BlueprintFile,
    },
    /// [`PolicyPlayer`].
    Policy {
        /// The name that its table goes by.
        file: String,
        /// What to play where.
        table: Arc<PolicyTable>,
    },
    /// [`RulePlayer`] with preferences that have a name.
    Baseline(Baseline),
    /// [`RulePlayer`].
    Rule {
        /// The name that its preferences go by.
        file: String,
        /// What it prefers to what.
        rules: Arc<MoveRules>,
    },
}

/// One line of help about a kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KindHelp {
    /// Its name.
    pub name: &'static str,
    /// Its options with their standard values, as they would be written.
    pub options: &'static [&'static str],
    /// What it does.
    pub summary: &'static str,
    /// Whether its name is followed by that of a file instead of options.
    pub is_file: bool,
}

impl KindHelp {
    const fn new(name: &'static str, options: &'static [&'static str], summary: &'static str) -> Self {
        Self { name, options, summary, is_file: false }
    }

    const fn of_file(name: &'static str, summary: &'static str) -> Self {
        Self { name, options: &[], summary, is_file: true }
    }
}

/// A text that names no kind of player.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum KindError {
    /// There is no kind with this name.
    #[error("there is no player {name:?}; there are: {}", names())]
    UnknownName {
        /// What was written.
        name: String,
    },
    /// The kind has no such option.
    #[error("the player {name} has no option {option:?}; {}", options_of(.name))]
    UnknownOption {
        /// Name of the kind.
        name: &'static str,
        /// What was written.
        option: String,
    },
    /// An option is there twice.
    #[error("the option {option} of the player {name} is given twice")]
    RepeatedOption {
        /// Name of the kind.
        name: &'static str,
        /// Name of the option.
        option: String,
    },
    /// The value of an option is not what it should be.
    #[error("the option {option} of the player {name} is a number from 1 to {max}, not {value:?}")]
    BadValue {
        /// Name of the kind.
        name: &'static str,
        /// Name of the option.
        option: String,
        /// What was written.
        value: String,
        /// The greatest value.
        max: u32,
    },
    /// What the kind plays by stands in a file, which is not read here.
    #[error("the player {name} is read from a file: {name}:FILE; {file:?} was not read")]
    FileNotRead {
        /// Name of the kind.
        name: &'static str,
        /// The file.
        file: String,
    },
}

const ITERATIONS_MAX: u32 = 1_000_000_000;
const PARTICLES_MAX: u32 = 1_000_000;
const MODELS_MAX: u32 = 1_000;
const PLANNED_MAX: u32 = 1_000_000_000;
const HISTORIES_MAX: u32 = 1_000_000_000;

/// How a text of a policy begins.
const POLICY: &str = "policy:";

/// How a text of preferences begins.
const RULE: &str = "rule:";

impl PlayerKind {
    /// Every kind there is.
    pub const HELP: &'static [KindHelp] = &[
        KindHelp::new("random", &[], "plays each legal move with the same probability"),
        KindHelp::new("first-legal", &[], "plays the first legal move in canonical order"),
        KindHelp::new(
            "call",
            &[],
            "plays a move with the word call, or else check or pass; else the first legal move",
        ),
        KindHelp::new(
            "raise",
            &[],
            "plays raise, bet, pot, half_pot or all_in, in this order; else as call does",
        ),
        KindHelp::new("fold", &[], "plays fold wherever it is legal; else check, call or pass"),
        KindHelp::of_file(
            "rule",
            "plays by ordered preferences: lines such as `3 raise | 1 call` or `(bid * 6)`",
        ),
        KindHelp::new(
            "belief",
            &["iterations=1000", "particles=200", "playouts=16"],
            "estimates each move by random playouts from sampled states that agree with its percepts",
        ),
        KindHelp::new(
            "uct",
            &["iterations=1000", "particles=200", "playouts=16"],
            "searches one tree in which every role sees the state: for games of perfect information",
        ),
        KindHelp::new(
            "hyperplay",
            &["iterations=1000", "particles=200", "playouts=16"],
            "searches up to 32 sampled states as games of perfect information, and weighs the results",
        ),
        KindHelp::new(
            "hyperplay-ii",
            &["iterations=200", "particles=100", "models=16", "playouts=32", "planned=1000000"],
            "estimates each move by simulated matches in which every role acts on its own percepts; values information",
        ),
        KindHelp::new(
            "ismcts",
            &["iterations=1000", "particles=200", "playouts=16", "planned=1000000"],
            "searches one tree over the information sets of its role (SO-ISMCTS); values information",
        ),
        KindHelp::new(
            "mo-ismcts",
            &["iterations=1000", "particles=200", "playouts=16", "planned=1000000"],
            "searches a tree over the information sets of each role (MO-ISMCTS); values and hides information",
        ),
        KindHelp::new(
            "resolve",
            &["iterations=1000", "histories=400000", "descents=4000"],
            "plays a mixed strategy near an equilibrium: solves small games by CFR+, searches larger ones",
        ),
        KindHelp::of_file(
            "policy",
            "plays by a table of probabilities, as JSON; uniformly where the table has no entry",
        ),
    ];

    /// Its name, without options.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Random => "random",
            Self::FirstLegal => "first-legal",
            Self::Search(method, _) => method_name(*method),
            Self::Nested(_) => "hyperplay-ii",
            Self::Resolve(..) => "resolve",
            Self::Policy { .. } | Self::Blueprint { .. } => "policy",
            Self::Baseline(baseline) => baseline.name(),
            Self::Rule { .. } => "rule",
        }
    }

    /// The file that a text names as a policy, if it does: to be read into a [`PolicyTable`] and given to
    /// [`PlayerKind::Policy`].
    #[must_use]
    pub fn policy_file(text: &str) -> Option<&str> {
        text.strip_prefix(POLICY).filter(|file| !file.is_empty())
    }

    /// The file that a text names as preferences, if it does: to be parsed as [`MoveRules`] and given to
    /// [`PlayerKind::Rule`].
    #[must_use]
    pub fn rule_file(text: &str) -> Option<&str> {
        text.strip_prefix(RULE).filter(|file| !file.is_empty())
    }

    /// A player of this kind for a role of a game.
    ///
    /// What it draws depends on `seed`; the players of a match should have different ones.
    ///
    /// # Errors
    /// [`PlayerError::RandomRole`].
    pub fn player(
        &self,
        game: Arc<Game>,
        role: RoleId,
        seed: [u8; 32],
    ) -> Result<Box<dyn Player>, PlayerError> {
        Ok(match self {
            Self::Random => Box::new(RandomPlayer::new(game, role, seed)?),
            Self::FirstLegal => Box::new(FirstLegalPlayer::new(game, role, seed)?),
            Self::Search(method, options) => {
                Box::new(SearchPlayer::new(game, role, *method, *options, seed)?)
            }
            Self::Nested(options) => Box::new(NestedPlayer::new(game, role, *options, seed)?),
            Self::Resolve(options, solutions) => {
                Box::new(ResolvePlayer::new(game, role, *options, solutions.clone(), seed)?)
            }
            Self::Blueprint { blueprint, .. } => Box::new(BlueprintPlayer::new(game, role, blueprint, seed)?),
            Self::Policy { table, .. } => Box::new(PolicyPlayer::new(game, role, Arc::clone(table), seed)?),
            Self::Baseline(baseline) => {
                Box::new(RulePlayer::new(game, role, Arc::new(baseline.rules()), seed)?)
            }
            Self::Rule { rules, .. } => Box::new(RulePlayer::new(game, role, Arc::clone(rules), seed)?),
        })
    }
}

fn method_name(method: SearchMethod) -> &'static str {
    match method {
        SearchMethod::MonteCarlo => "belief",
        SearchMethod::FullSight => "uct",
        SearchMethod::HyperPlay => "hyperplay",
        SearchMethod::SingleObserver => "ismcts",
        SearchMethod::MultipleObserver => "mo-ismcts",
    }
}

impl FromStr for PlayerKind {
    type Err = KindError;

    fn from_str(text: &str) -> Result<Self, KindError> {
        let (name, options) = text.split_once(':').unwrap_or((text, ""));
        if let Some(help) = Self::HELP.iter().find(|help| help.is_file && help.name == name) {
            return Err(KindError::FileNotRead { name: help.name, file: options.to_owned() });
        }
        let options: Vec<(&str, &str)> = options
            .split(',')
            .filter(|option| !option.is_empty())
            .map(|option| option.split_once('=').unwrap_or((option, "")))
            .collect();
        let search = |method: SearchMethod| Self::Search(method, SearchOptions::STANDARD);
        let planned = |method: SearchMethod| {
            Self::Search(method, SearchOptions { planned: SearchOptions::PLANNED, ..SearchOptions::STANDARD })
        };
        let kind = match name {
            "random" => Self::Random,
            "first-legal" => Self::FirstLegal,
            "call" => Self::Baseline(Baseline::Call),
            "raise" => Self::Baseline(Baseline::Raise),
            "fold" => Self::Baseline(Baseline::Fold),
            "belief" => search(SearchMethod::MonteCarlo),
            "uct" => search(SearchMethod::FullSight),
            "hyperplay" => search(SearchMethod::HyperPlay),
            "ismcts" => planned(SearchMethod::SingleObserver),
            "mo-ismcts" => planned(SearchMethod::MultipleObserver),
            "hyperplay-ii" => Self::Nested(NestedOptions::STANDARD),
            "resolve" => Self::Resolve(ResolveOptions::STANDARD, Solutions::default()),
            _ => return Err(KindError::UnknownName { name: name.to_owned() }),
        };
        let name = kind.name();
        for (index, (option, _)) in options.iter().enumerate() {
            if options[..index].iter().any(|(earlier, _)| earlier == option) {
                return Err(KindError::RepeatedOption { name, option: (*option).to_owned() });
            }
        }
        options.iter().try_fold(kind, |kind, (option, value)| kind.with(option, value))
    }
}

impl PlayerKind {
    fn with(mut self, option: &str, value: &str) -> Result<Self, KindError> {
        let name = self.name();
        let number = |max: u32| {
            let parsed: Option<u32> = value.parse().ok().filter(|number| (1..=max).contains(number));
            let bad =
                || KindError::BadValue { name, option: option.to_owned(), value: value.to_owned(), max };
            parsed.ok_or_else(bad)
        };
        match (&mut self, option) {
            (Self::Search(_, SearchOptions { iterations, .. }), "iterations")
            | (Self::Nested(NestedOptions { iterations, .. }), "iterations") => {
                *iterations = number(ITERATIONS_MAX)?;
            }
            (Self::Search(_, SearchOptions { particles, .. }), "particles")
            | (Self::Nested(NestedOptions { particles, .. }), "particles") => {
                *particles = number(PARTICLES_MAX)? as usize;
            }
            (Self::Search(_, SearchOptions { playouts, .. }), "playouts")
            | (Self::Nested(NestedOptions { playouts, .. }), "playouts") => {
                *playouts = number(Leaves::PLAYOUTS_MAX)?;
            }
            (
                Self::Search(
                    SearchMethod::SingleObserver | SearchMethod::MultipleObserver,
                    SearchOptions { planned, .. },
                ),
                "planned",
            )
            | (Self::Nested(NestedOptions { planned, .. }), "planned") => *planned = number(PLANNED_MAX)?,
            (Self::Resolve(options, _), "iterations") => options.iterations = number(ITERATIONS_MAX)?,
            (Self::Resolve(options, _), "histories") => options.histories = number(HISTORIES_MAX)?,
            (Self::Resolve(options, _), "descents") => options.descents = number(ITERATIONS_MAX)?,
            (Self::Nested(options), "models") => options.models = number(MODELS_MAX)? as usize,
            _ => return Err(KindError::UnknownOption { name, option: option.to_owned() }),
        }
        Ok(self)
    }
}

impl fmt::Display for PlayerKind {
    /// The text that parses to the same kind, with all options.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())?;
        match self {
            Self::Random | Self::FirstLegal | Self::Baseline(_) => Ok(()),
            Self::Search(method, SearchOptions { iterations, particles, playouts, planned }) => {
                write!(f, ":iterations={iterations},particles={particles},playouts={playouts}")?;
                match method {
                    SearchMethod::SingleObserver | SearchMethod::MultipleObserver => {
                        write!(f, ",planned={planned}")
                    }
                    _ => Ok(()),
                }
            }
            Self::Nested(NestedOptions { iterations, particles, models, playouts, planned }) => write!(
                f,
                ":iterations={iterations},particles={particles},models={models},playouts={playouts},planned={planned}"
            ),
            Self::Resolve(ResolveOptions { iterations, histories, descents }, _) => {
                write!(f, ":iterations={iterations},histories={histories},descents={descents}")
            }
            Self::Policy { file, .. } | Self::Blueprint { file, .. } | Self::Rule { file, .. } => {
                write!(f, ":{file}")
            }
        }
    }
}

fn names() -> String {
    let names: Vec<&str> = PlayerKind::HELP.iter().map(|kind| kind.name).collect();
    names.join(", ")
}

fn options_of(name: &str) -> String {
    let options = PlayerKind::HELP.iter().find(|kind| kind.name == name).map_or(&[][..], |kind| kind.options);
    match options {
        [] => String::from("it has none"),
        options => format!("there are, with their standard values: {}", options.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::{KindError, PlayerKind};

    #[test]
    fn standard_values_are_those_of_the_help() {
        for help in PlayerKind::HELP.iter().filter(|help| !help.is_file) {
            let bare: PlayerKind = help.name.parse().unwrap();
            let written = if help.options.is_empty() {
                help.name.to_owned()
            } else {
                format!("{}:{}", help.name, help.options.join(","))
            };
            assert_eq!(written.parse().as_ref(), Ok(&bare));
            assert_eq!(bare.to_string(), written);
        }
    }

    #[test]
    fn errors_say_what_there_is() {
        let message = |text: &str| text.parse::<PlayerKind>().map_err(|error: KindError| error.to_string());
        let error = |text: &str| Err(text.to_owned());
        assert_eq!(
            message("mcts"),
            error(
                "there is no player \"mcts\"; there are: random, first-legal, call, raise, fold, rule, belief, uct, \
                 hyperplay, hyperplay-ii, ismcts, mo-ismcts, resolve, policy"
            )
        );
        assert_eq!(
            message("belief:depth=3"),
            error(
                "the player belief has no option \"depth\"; there are, with their standard values: \
                 iterations=1000, particles=200, playouts=16"
            )
        );
        assert_eq!(
            message("policy:kuhn.json"),
            error("the player policy is read from a file: policy:FILE; \"kuhn.json\" was not read")
        );
        assert_eq!(
            message("hyperplay-ii:models=0"),
            error("the option models of the player hyperplay-ii is a number from 1 to 1000, not \"0\"")
        );
        assert_eq!(message("random:x=1"), error("the player random has no option \"x\"; it has none"));
        assert_eq!(
            message("belief:particles=0"),
            error("the option particles of the player belief is a number from 1 to 1000000, not \"0\"")
        );
        assert_eq!(
            message("belief:iterations=5,iterations=6"),
            error("the option iterations of the player belief is given twice")
        );
    }
}
