//! The argument `--players`: who takes part.

use std::fmt;

use croupier_engine::Roles;
use croupier_referee::protocol::{FormError, WireForm};
use croupier_remote::{AddressError, PlayerAddress};

use crate::{
    arguments::seating::{SeatSpec, model_with, models, player},
    output::failure::Failure,
    sessions::realtime::{RealTimeSeatSpec, real_time_player},
};

/// Someone who takes part.
#[derive(Clone, Debug)]
pub(super) struct Entrant {
    /// As it was written.
    pub(super) name: String,
    pub(super) spec: Participant,
}

/// Who plays: in a game with turns, or in a real-time game.
#[derive(Clone, Debug)]
pub(super) enum Participant {
    InTurns(SeatSpec),
    InRealTime(RealTimeSeatSpec),
}

impl fmt::Display for Participant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::InTurns(spec) => spec.fmt(f),
            Self::InRealTime(spec) => spec.fmt(f),
        }
    }
}

/// All who take part, in one kind of game.
pub(super) enum Participants {
    InTurns(Vec<SeatSpec>),
    InRealTime(Vec<RealTimeSeatSpec>),
}

/// Who these entrants are.
pub(super) fn participants(entrants: &[Entrant]) -> Participants {
    let (mut in_turns, mut in_real_time) = (Vec::new(), Vec::new());
    for entrant in entrants {
        match &entrant.spec {
            Participant::InTurns(spec) => in_turns.push(spec.clone()),
            Participant::InRealTime(spec) => in_real_time.push(*spec),
        }
    }
    match in_real_time.is_empty() {
        true => Participants::InTurns(in_turns),
        false => Participants::InRealTime(in_real_time),
    }
}

/// The players of a list such as `belief:iterations=500,particles=100,random`: a piece that begins with an option belongs to
/// the player before it, and so does one within parentheses that begin there.
///
/// Those at an address are written to in the dialect that `dialects`, of the shape `ADDRESS=DIALECT`, gives to it.
///
/// # Errors
/// If there is no such player, or one twice; or if a dialect is for nobody, or is none.
pub(super) fn entrants(list: &str, dialects: &[String], is_real_time: bool) -> Result<Vec<Entrant>, Failure> {
    let mut names: Vec<String> = Vec::new();
    for piece in list.split(',') {
        match names.last_mut() {
            Some(last) if is_open(last) || last.contains(':') && is_option(piece) => {
                last.push(',');
                last.push_str(piece);
            }
            _ => names.push(piece.to_owned()),
        }
    }
    let mut entrants: Vec<Entrant> = Vec::new();
    for name in names {
        let spec = match is_real_time {
            true => {
                real_time_player(&name).map(|kind| Participant::InRealTime(RealTimeSeatSpec::Player(kind)))
            }
            false => player(&name).map(Participant::InTurns),
        };
        let spec = spec.map_err(|failure| failure.at_argument("--players", list))?;
        if entrants.iter().any(|other| other.spec.to_string() == spec.to_string()) {
            return Err(Failure::refuse("bad-players", format!("{name} takes part twice"))
                .at_argument("--players", list)
                .help(
                    "name each player once; where there are more seats than players, some sit in several",
                ));
        }
        entrants.push(Entrant { name, spec });
    }
    for dialect in dialects {
        speak(&mut entrants, dialect).map_err(|failure| failure.at_argument("--dialect", dialect))?;
    }
    Ok(entrants)
}

/// Gives every program among them that searches models of roles.
///
/// # Errors
/// If a model is not of the shape `ROLE=MODEL`, or makes no difference to anybody.
pub(super) fn model(entrants: &mut [Entrant], roles: &Roles, arguments: &[String]) -> Result<(), Failure> {
    for ((role, model), argument) in models(roles, arguments)?.into_iter().zip(arguments) {
        let specs = entrants.iter_mut().filter_map(|entrant| match &mut entrant.spec {
            Participant::InTurns(spec) => Some(spec),
            Participant::InRealTime(_) => None,
        });
        if !model_with(specs, roles.name(role), &model) {
            return Err(Failure::refuse("bad-model", "nobody who takes part searches")
                .at_argument("--model", argument)
                .help("belief, ismcts and other players that search have models of others"));
        }
    }
    Ok(())
}

/// Whether a piece is an option of a player: `iterations=5`, `model=policy:leduc.json`.
fn is_option(piece: &str) -> bool {
    piece.split_once('=').is_some_and(|(name, _)| !name.contains(':'))
}

/// Whether more parentheses begin than end.
fn is_open(text: &str) -> bool {
    text.matches('(').count() > text.matches(')').count()
}

/// Gives a dialect to whoever is at an address.
fn speak(entrants: &mut [Entrant], dialect: &str) -> Result<(), Failure> {
    let refuse = |problem: String| Failure::refuse("bad-dialect", problem);
    let (place, text) =
        dialect.rsplit_once('=').ok_or_else(|| refuse("a dialect is written ADDRESS=DIALECT".to_owned()))?;
    let place: PlayerAddress = place.parse().map_err(|error: AddressError| refuse(error.to_string()))?;
    let new: WireForm = text.parse().map_err(|error: FormError| refuse(error.to_string()))?;
    let form = entrants.iter_mut().find_map(|entrant| match &mut entrant.spec {
        Participant::InTurns(SeatSpec::Remote(address, form)) if *address == place => Some(form),
        _ => None,
    });
    *form.ok_or_else(|| refuse(format!("no player of --players is at {place}")))? = new;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::entrants;

    #[test]
    fn options_stay_with_their_player() {
        let found = entrants("random,belief:iterations=5,particles=7,first-legal,belief", &[], false)
            .expect("four players");
        let names: Vec<&str> = found.iter().map(|entrant| entrant.name.as_str()).collect();
        assert_eq!(names, ["random", "belief:iterations=5,particles=7", "first-legal", "belief"]);
        let modelling = "belief:iterations=5,model=(belief:iterations=3,particles=7)";
        let found = entrants(&format!("random,{modelling},uct:particles=4,model.bob=raise"), &[], false)
            .expect("three");
        let names: Vec<&str> = found.iter().map(|entrant| entrant.name.as_str()).collect();
        assert_eq!(names, ["random", modelling, "uct:particles=4,model.bob=raise"]);
    }

    #[test]
    fn nobody_takes_part_twice_under_two_names() {
        assert!(entrants("random,random", &[], false).is_err());
        assert!(entrants("belief:iterations=5,belief:iterations=5", &[], false).is_err());
        assert!(entrants("belief,random,", &[], false).is_err(), "an empty name is nobody's");
        assert!(
            entrants("human,random", &[], false).is_err(),
            "a person has no time for hundreds of matches"
        );
    }
}
