//! `croupier convert --to rtgdl`: turn-based rules as rules of a real-time game.

use clap::{Args, ValueEnum};
use croupier_engine::{
    Game, Lifetime, Options,
    realtime::conversion::{
        ChessClock, ConversionError, PlayClock, SharedTurn, Silence, find_shared_turn, with_chess_clocks,
        with_play_clock,
    },
    stages::{rules::is_real_time, syntax::Description},
};
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;

use crate::{arguments::source::Source, output::failure::Failure};

/// Random playouts in which one role at a time must have a choice, for clocks.
const PLAYOUTS: usize = 200;

/// The seconds between ticks, if nothing else is said.
const PLAY_CLOCK: &str = "1";

#[derive(Args)]
#[command(next_help_heading = "With --to rtgdl")]
pub(super) struct RealTime {
    /// Seconds from one joint move to the next; a player's first move in that time counts [default: 1]
    #[arg(long, value_name = "SECONDS", value_parser = lifetime, conflicts_with = "clock")]
    pub(super) play_clock: Option<Lifetime>,
    /// What becomes of a player that has a choice and sends nothing in time [default: first-legal]
    #[arg(long, value_enum, value_name = "RULE", conflicts_with = "clock")]
    pub(super) silence: Option<OnSilence>,
    /// Instead: moves are made at once, and each player has SECONDS for all of its turns; with `,delay=SECONDS`
    /// the first seconds of each turn do not count
    #[arg(long, value_name = "SECONDS[,delay=SECONDS]", value_parser = chess_clock)]
    pub(super) clock: Option<ChessClock>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum OnSilence {
    /// The first legal move in canonical order is made for it
    FirstLegal,
    /// It gets 0, the others get 100, and the match ends
    Lose,
}

impl RealTime {
    /// The option that was given although the rules are to stay turn-based.
    pub(super) fn first_given(&self) -> Option<&'static str> {
        let given = [
            (self.play_clock.is_some(), "--play-clock"),
            (self.silence.is_some(), "--silence"),
            (self.clock.is_some(), "--clock"),
        ];
        given.into_iter().find(|(is_given, _)| *is_given).map(|(_, option)| option)
    }

    /// The real-time form of rules that were read from a source.
    pub(super) fn convert(&self, rules: &Description, source: &Source) -> Result<Description, Failure> {
        if is_real_time(rules) {
            return Err(refusal(&ConversionError::IsRealTime, source));
        }
        let game = source.compile(&Options::PLAY)?;
        let converted = match self.clock {
            Some(clock) => {
                check_turns(&game, source)?;
                with_chess_clocks(rules, &game, clock)
            }
            None => with_play_clock(rules, &game, self.play_clock()),
        };
        converted.map_err(|error| refusal(&error, source))
    }

    fn play_clock(&self) -> PlayClock {
        let standard = || PLAY_CLOCK.parse().expect("a lifetime");
        let silence = match self.silence {
            None | Some(OnSilence::FirstLegal) => Silence::FirstLegal,
            Some(OnSilence::Lose) => Silence::Lose,
        };
        PlayClock { period: self.play_clock.unwrap_or_else(standard), silence }
    }
}

/// Refuses games in which several roles have a choice at once.
fn check_turns(game: &Game, source: &Source) -> Result<(), Failure> {
    let mut rng = ChaCha8Rng::seed_from_u64(0);
    let shared =
        find_shared_turn(game, PLAYOUTS, &mut rng).map_err(|error| refusal(&error.into(), source))?;
    let Some(SharedTurn { turns, roles }) = shared else { return Ok(()) };
    let names: Vec<&str> = roles.iter().map(|&role| game.roles().name(role)).collect();
    let message = format!("{} choose at the same time after {turns} joint moves", names.join(" and "));
    Err(Failure::refuse("several-choose", message)
        .at(&source.origin)
        .help("clocks are for games in which one role at a time has a choice; take --play-clock SECONDS"))
}

fn refusal(error: &ConversionError, source: &Source) -> Failure {
    let failure = Failure::refuse("no-real-time-form", error.to_string()).at(&source.origin);
    match error {
        ConversionError::NoNetwork => failure.help("take --silence lose"),
        _ => failure,
    }
}

fn lifetime(text: &str) -> Result<Lifetime, String> {
    match text.parse::<Lifetime>() {
        Ok(Lifetime::INFINITY) => Err("a clock runs out after a number of seconds".to_owned()),
        parsed => parsed.map_err(|error| error.to_string()),
    }
}

fn chess_clock(text: &str) -> Result<ChessClock, String> {
    let (time, delay) = match text.split_once(',') {
        None => (text, None),
        Some((time, option)) => {
            let delay = option.strip_prefix("delay=");
            (time, Some(delay.ok_or_else(|| format!("`{option}` is not delay=SECONDS"))?))
        }
    };
    Ok(ChessClock { time: lifetime(time)?, delay: delay.map(lifetime).transpose()? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_is_a_time_and_perhaps_a_delay() {
        let said = |text: &str| {
            chess_clock(text)
                .map(|clock| (clock.time.to_string(), clock.delay.map(|delay| delay.to_string())))
        };
        assert_eq!(said("180"), Ok(("180".to_owned(), None)));
        assert_eq!(said("180.50,delay=2"), Ok(("180.5".to_owned(), Some("2".to_owned()))));
        assert_eq!(said("180,2"), Err("`2` is not delay=SECONDS".to_owned()));
        assert_eq!(said("infinity"), Err("a clock runs out after a number of seconds".to_owned()));
        assert_eq!(said("0"), Err("a lifetime must be more than 0 seconds".to_owned()));
    }
}
