//! Kinds of players as text: the form in which a user specifies a seat.

use std::{fmt, ops::RangeInclusive, str::FromStr};

use thiserror::Error;

use crate::{
    Baseline, Model, Models, NestedOptions, PlayerKind, ResolveOptions, SearchMethod, SearchOptions,
    Solutions,
    leaves::Leaves,
    options::{options, pieces, whole_number},
};

/// One line of help about a kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KindHelp {
    /// Its name.
    pub name: &'static str,
    /// Its options with their standard values, as they would be written.
    pub options: &'static [&'static str],
    /// A description.
    pub summary: &'static str,
    /// Whether its name is followed by that of a file instead of options.
    pub is_file: bool,
}

impl KindHelp {
    pub(crate) const fn new(
        name: &'static str,
        options: &'static [&'static str],
        summary: &'static str,
    ) -> Self {
        Self { name, options, summary, is_file: false }
    }

    const fn of_file(name: &'static str, summary: &'static str) -> Self {
        Self { name, options: &[], summary, is_file: true }
    }
}

/// A text that names no kind of player.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum KindError {
    /// Unknown kind.
    #[error("unknown player {name:?}; known players are: {}", names(known))]
    UnknownName {
        /// The given name.
        name: String,
        /// The kinds that there are.
        known: &'static [KindHelp],
    },
    /// Unknown option of the kind.
    #[error("the player {name} has no option {option:?}; {}", options_of(name, known))]
    UnknownOption {
        /// Name of the kind.
        name: &'static str,
        /// The given option.
        option: String,
        /// The kinds that there are.
        known: &'static [KindHelp],
    },
    /// An option is there twice.
    #[error("the option {option} of the player {name} is given twice")]
    RepeatedOption {
        /// Name of the kind.
        name: &'static str,
        /// Name of the option.
        option: String,
    },
    /// Invalid value of an option.
    #[error("the option {option} of the player {name} must be a number from {min} to {max}, not {value:?}")]
    BadValue {
        /// Name of the kind.
        name: &'static str,
        /// Name of the option.
        option: String,
        /// The given value.
        value: String,
        /// The least value.
        min: u32,
        /// The greatest value.
        max: u32,
    },
    /// A value of an option is not a time.
    #[error("the option {option} of the player {name} must be a number of seconds above 0, not {value:?}")]
    BadSeconds {
        /// Name of the kind.
        name: &'static str,
        /// Name of the option.
        option: String,
        /// The given value.
        value: String,
    },
    /// A model has a model of its own.
    #[error("a model cannot have a model of its own: {model:?}")]
    ModelOfModel {
        /// The given text.
        model: String,
    },
    /// A search with a value net has no such option.
    #[error(
        "resolve with value=FILE has no option {option:?}; there are iterations=256, and choices and growth, by default as the network was trained"
    )]
    NotBesideValue {
        /// The given option.
        option: String,
    },
    /// The kind needs a file, which is not read here.
    #[error("the player {name} needs a file: {name}:FILE; {file:?} was not read")]
    FileNotRead {
        /// Name of the kind.
        name: &'static str,
        /// The file.
        file: String,
    },
}

pub(crate) const ITERATIONS_MAX: u32 = 1_000_000_000;
const PARTICLES_MAX: u32 = 1_000_000;
const MODELS_MAX: u32 = 1_000;
const PLANNED_MAX: u32 = 1_000_000_000;
const HISTORIES_MAX: u32 = 1_000_000_000;

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
            "plays by a list of preferences: lines such as `3 raise | 1 call` or `(bid * 6)`",
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
            &["iterations=1000", "particles=200", "playouts=16", "planned=1000000", "inferred=0"],
            "searches a tree over the information sets of each role (MO-ISMCTS); values and hides information",
        ),
        KindHelp::new(
            "pooled-ismcts",
            &["iterations=1000", "particles=200", "playouts=16", "planned=1000000", "inferred=0"],
            "the same, and learns how others move from all that they may hold, until it knows how they move with each",
        ),
        KindHelp::new(
            "resolve",
            &["iterations=1000", "histories=400000", "subgame=50000", "descents=4000", "deals=64"],
            "plays near an equilibrium: solves small games by CFR+, card games by deals, others by subgames or a search; with value=FILE searches \
             with a net of learn --algorithm rebel or sog",
        ),
        KindHelp::of_file(
            "policy",
            "plays by a table of probabilities, as JSON, or by a file of solve --abstract; uniformly where it has no entry",
        ),
        KindHelp::of_file(
            "net",
            "plays by a neural network, as croupier.learn in Python exports it: ONNX with the names of its game",
        ),
    ];

    /// The text of a kind as people read it: without the options that have their standard values. What names no kind stays as
    /// it is.
    ///
    /// ```
    /// use croupier_players::PlayerKind;
    ///
    /// let text = "ismcts:iterations=500,particles=200,playouts=16,planned=1000000,model.bob=raise";
    /// assert_eq!(PlayerKind::brief(text), "ismcts:iterations=500,model.bob=raise");
    /// assert_eq!(PlayerKind::brief("belief:iterations=1000,particles=200,playouts=16"), "belief");
    /// assert_eq!(PlayerKind::brief("policy:kuhn.json"), "policy:kuhn.json");
    /// ```
    #[must_use]
    pub fn brief(text: &str) -> String {
        let Some((name, written)) = text.split_once(':') else { return text.to_owned() };
        let Some(help) = Self::HELP.iter().find(|help| help.name == name && !help.is_file) else {
            return text.to_owned();
        };
        let kept: Vec<&str> =
            pieces(written).into_iter().filter(|piece| !help.options.contains(piece)).collect();
        if kept.is_empty() { name.to_owned() } else { format!("{name}:{}", kept.join(",")) }
    }
}

impl FromStr for PlayerKind {
    type Err = KindError;

    fn from_str(text: &str) -> Result<Self, KindError> {
        Self::read(text, &mut str::parse)
    }
}

impl PlayerKind {
    /// Parses a kind, using `agent` to parse the agents in its models: like [`FromStr`], for callers that
    /// also read files of policies.
    ///
    /// # Errors
    /// As parsing, and those of `agent`.
    pub fn read<E: From<KindError>>(
        text: &str,
        agent: &mut dyn FnMut(&str) -> Result<Self, E>,
    ) -> Result<Self, E> {
        let (name, written) = text.split_once(':').unwrap_or((text, ""));
        let written = if Self::is_file(name) { Vec::new() } else { options(written) };
        let (of_models, rest): (Vec<_>, Vec<_>) =
            written.into_iter().partition(|(option, _)| *option == "model" || option.starts_with("model."));
        let mut kind = match of_models.is_empty() {
            true => Self::without_models(text, &rest)?,
            false => Self::without_models(name, &rest)?,
        };
        let known = kind.name();
        for (index, (option, model)) in of_models.iter().enumerate() {
            if of_models[..index].iter().any(|(earlier, _)| earlier == option) {
                return Err(KindError::RepeatedOption { name: known, option: (*option).to_owned() }.into());
            }
            let model = Self::read_model(model, agent)?;
            kind = kind
                .modelling(option.strip_prefix("model."), model)
                .map_err(|kind| kind.unknown_option(option))?;
        }
        Ok(kind)
    }

    /// The model that a text names: `uniform`, `quantal`, or an agent, which `agent` reads.
    ///
    /// # Errors
    /// [`KindError::ModelOfModel`], and those of `agent`.
    pub fn read_model<E: From<KindError>>(
        text: &str,
        agent: &mut dyn FnMut(&str) -> Result<Self, E>,
    ) -> Result<Model, E> {
        match text {
            UNIFORM => Ok(Model::Uniform),
            QUANTAL => Ok(Model::Quantal),
            // Before anything is read, so that no text makes this go deep.
            _ if text.contains("model") && pieces_have_model(text) => {
                Err(KindError::ModelOfModel { model: text.to_owned() }.into())
            }
            _ => agent(text).map(|kind| Model::Agent(Box::new(kind))),
        }
    }

    fn is_file(name: &str) -> bool {
        Self::HELP.iter().any(|help| help.is_file && help.name == name)
    }

    fn without_models(text: &str, options: &[(&str, &str)]) -> Result<Self, KindError> {
        let (name, file) = text.split_once(':').unwrap_or((text, ""));
        if let Some(help) = Self::HELP.iter().find(|help| help.is_file && help.name == name) {
            return Err(KindError::FileNotRead { name: help.name, file: file.to_owned() });
        }
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
            "pooled-ismcts" => planned(SearchMethod::PooledObserver),
            "hyperplay-ii" => Self::Nested(NestedOptions::STANDARD),
            "resolve" => Self::Resolve(ResolveOptions::STANDARD, Solutions::default()),
            _ => return Err(KindError::UnknownName { name: name.to_owned(), known: Self::HELP }),
        };
        demand_once(kind.name(), options)?;
        options.iter().try_fold(kind, |kind, (option, value)| kind.with(option, value))
    }
}

/// Refuses an option that is there twice.
pub(crate) fn demand_once(name: &'static str, options: &[(&str, &str)]) -> Result<(), KindError> {
    let is_repeated =
        |&index: &usize| options[..index].iter().any(|(earlier, _)| *earlier == options[index].0);
    match (0..options.len()).find(is_repeated) {
        Some(index) => Err(KindError::RepeatedOption { name, option: options[index].0.to_owned() }),
        None => Ok(()),
    }
}

/// The number that is the value of an option of a kind, if it is within bounds.
pub(crate) fn number_of(
    name: &'static str,
    option: &str,
    value: &str,
    bounds: RangeInclusive<u32>,
) -> Result<u32, KindError> {
    let parsed = whole_number(value).and_then(|number| u32::try_from(number).ok());
    let (min, max) = (*bounds.start(), *bounds.end());
    let bad = || KindError::BadValue { name, option: option.to_owned(), value: value.to_owned(), min, max };
    parsed.filter(|number| bounds.contains(number)).ok_or_else(bad)
}

impl PlayerKind {
    fn unknown_option(&self, option: &str) -> KindError {
        KindError::UnknownOption { name: self.name(), option: option.to_owned(), known: Self::HELP }
    }

    fn with(mut self, option: &str, value: &str) -> Result<Self, KindError> {
        let name = self.name();
        let number_from = |min: u32, max: u32| number_of(name, option, value, min..=max);
        let number = |max| number_from(1, max);
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
            (Self::Search(method, SearchOptions { planned, .. }), "planned") if method.plans() => {
                *planned = number(PLANNED_MAX)?;
            }
            (Self::Search(method, SearchOptions { inferred, .. }), "inferred") if method.infers() => {
                *inferred = number_from(0, ITERATIONS_MAX)?;
            }
            (Self::Nested(NestedOptions { planned, .. }), "planned") => *planned = number(PLANNED_MAX)?,
            (Self::Resolve(options, _), "iterations") => options.iterations = number(ITERATIONS_MAX)?,
            (Self::Resolve(options, _), "histories") => options.histories = number(HISTORIES_MAX)?,
            (Self::Resolve(options, _), "subgame") => options.subgame = number(HISTORIES_MAX)?,
            (Self::Resolve(options, _), "descents") => options.descents = number(ITERATIONS_MAX)?,
            (Self::Resolve(options, _), "deals") => options.deals = number_from(0, ITERATIONS_MAX)?,
            (Self::Resolve(..), "value") => {
                return Err(KindError::FileNotRead { name: "resolve", file: value.to_owned() });
            }
            (Self::Nested(options), "models") => options.models = number(MODELS_MAX)? as usize,
            _ => return Err(self.unknown_option(option)),
        }
        Ok(self)
    }
}

/// Whether an agent is written with a model.
fn pieces_have_model(text: &str) -> bool {
    let written = text.split_once(':').map_or("", |(name, written)| match PlayerKind::is_file(name) {
        true => "",
        false => written,
    });
    options(written).iter().any(|(option, _)| *option == "model" || option.starts_with("model."))
}

impl fmt::Display for PlayerKind {
    /// The text that parses to the same kind, with all options.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Self::Modelling { kind, models } = self {
            return write!(f, "{kind},{models}");
        }
        f.write_str(self.name())?;
        match self {
            Self::Random | Self::FirstLegal | Self::Baseline(_) | Self::Modelling { .. } => Ok(()),
            Self::Search(method, SearchOptions { iterations, particles, playouts, planned, inferred }) => {
                write!(f, ":iterations={iterations},particles={particles},playouts={playouts}")?;
                if method.plans() {
                    write!(f, ",planned={planned}")?;
                }
                if method.infers() {
                    write!(f, ",inferred={inferred}")?;
                }
                Ok(())
            }
            Self::Nested(NestedOptions { iterations, particles, models, playouts, planned }) => write!(
                f,
                ":iterations={iterations},particles={particles},models={models},playouts={playouts},planned={planned}"
            ),
            Self::Resolve(ResolveOptions { iterations, histories, subgame, descents, deals }, _) => {
                write!(
                    f,
                    ":iterations={iterations},histories={histories},subgame={subgame},descents={descents}"
                )?;
                // Seeds of matches follow from their players' text, and those from before this option are to stay.
                match *deals == ResolveOptions::STANDARD.deals {
                    true => Ok(()),
                    false => write!(f, ",deals={deals}"),
                }
            }
            Self::Brought(brought) => write!(f, ":{}", brought.written()),
            Self::Policy { file, .. } | Self::Blueprint { file, .. } | Self::Rule { file, .. } => {
                write!(f, ":{file}")
            }
        }
    }
}

fn names(known: &[KindHelp]) -> String {
    known.iter().map(|kind| kind.name).collect::<Vec<_>>().join(", ")
}

fn options_of(name: &str, known: &[KindHelp]) -> String {
    let options = known.iter().find(|kind| kind.name == name).map_or(&[][..], |kind| kind.options);
    match options {
        [] => String::from("it has none"),
        options => format!("there are, with their standard values: {}", options.join(", ")),
    }
}

impl fmt::Display for Model {
    /// The form used in an option of a player: an agent with options is put in parentheses.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Uniform => f.write_str(UNIFORM),
            Self::Quantal => f.write_str(QUANTAL),
            Self::Agent(kind) => {
                let text = kind.to_string();
                if text.contains(',') { write!(f, "({text})") } else { f.write_str(&text) }
            }
        }
    }
}

impl fmt::Display for Models {
    /// The options that say the same.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let everyone = self.everyone.iter().map(|model| format!("model={model}"));
        let roles = self.roles.iter().map(|(role, model)| format!("model.{role}={model}"));
        f.write_str(&everyone.chain(roles).collect::<Vec<String>>().join(","))
    }
}

/// The name of the uniform model.
const UNIFORM: &str = "uniform";

/// The name of the quantal response model.
const QUANTAL: &str = "quantal";

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
            let text = bare.to_string();
            let read = |text: &str| text.parse().map(|kind: PlayerKind| kind.to_string());
            assert_eq!(read(&written).as_ref(), Ok(&text));
            assert_eq!(read(&text).as_ref(), Ok(&text));
            // Options younger than the first records are written only where they are not the standard ones.
            assert!(
                written == text || written.starts_with(&format!("{text},")),
                "{text} is not a beginning of {written}"
            );
        }
    }

    #[test]
    fn errors_say_what_there_is() {
        let message =
            |text: &str| text.parse().map(|_: PlayerKind| ()).map_err(|error: KindError| error.to_string());
        let error = |text: &str| Err(text.to_owned());
        assert_eq!(
            message("mcts"),
            error(
                "unknown player \"mcts\"; known players are: random, first-legal, call, raise, fold, rule, belief, uct, \
                 hyperplay, hyperplay-ii, ismcts, mo-ismcts, pooled-ismcts, resolve, policy, net"
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
            error("the player policy needs a file: policy:FILE; \"kuhn.json\" was not read")
        );
        assert_eq!(
            message("hyperplay-ii:models=0"),
            error("the option models of the player hyperplay-ii must be a number from 1 to 1000, not \"0\"")
        );
        assert_eq!(message("random:x=1"), error("the player random has no option \"x\"; it has none"));
        assert_eq!(
            message("belief:particles=0"),
            error("the option particles of the player belief must be a number from 1 to 1000000, not \"0\"")
        );
        assert_eq!(
            message("belief:iterations=5,iterations=6"),
            error("the option iterations of the player belief is given twice")
        );
    }
}
