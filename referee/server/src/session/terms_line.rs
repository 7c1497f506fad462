//! What was agreed on for a session, in words.

use croupier_games::{Away, FamilyRules, Raise, Rebuy, Rotation, SessionTotal, Until};
use croupier_session::SessionEnding;

use super::{
    setup::{SPEED_PERMILLE, SessionSetup},
    view::TermsLine,
};
use crate::setup::Spectators;

/// What was agreed on, in data and in words.
pub(super) fn terms_line(setup: &SessionSetup, level: usize) -> TermsLine {
    let rules = &setup.terms.session;
    let mut sentences = vec![rotation(rules.rotate).to_owned(), total(rules.total, setup)];
    sentences.extend(rules.until.iter().map(until));
    sentences.extend(rules.family.iter().flat_map(family));
    if let Some(speed) = setup.speed_permille.filter(|speed| *speed != SPEED_PERMILLE) {
        sentences.push(format!("Time runs {} times as fast as the clock.", f64::from(speed) / 1000.0));
    }
    sentences.push(match &rules.away {
        Away::SitOut => "Who is away is not dealt in.".to_owned(),
        Away::Agent(agent) if setup.is_real_time() => {
            format!("Who was not there in a match is away: from the next one on {agent} plays for them.")
        }
        Away::Agent(agent) => format!("Who is away is dealt in, and {agent} plays for them."),
    });
    sentences.push(watching(setup));
    let posted = rules.family.as_ref().map(|family| family.level(level));
    let is_in_turns = !setup.is_real_time();
    let blinds = posted.and_then(|posted| match posted[..] {
        [(_, small), (_, big)] => Some([small.into(), big.into()]),
        _ => None,
    });
    TermsLine {
        sentences,
        unit: setup.unit.clone(),
        blinds,
        play_clock_ms: is_in_turns.then_some(setup.play_clock_ms),
        bank_ms: is_in_turns.then_some(setup.bank_ms),
        speed_permille: setup.speed_permille,
        spectators: setup.spectators,
        trainer: setup.trainer,
    }
}

/// What those who watch see.
fn watching(setup: &SessionSetup) -> String {
    let what = match setup.hides_something {
        true => "what all players are told",
        false => "every move",
    };
    match setup.spectators {
        Spectators::Open => format!("Those who watch see {what}."),
        Spectators::Delayed { turns, seconds: 0 } => {
            format!("Those who watch see {what}, {turns} turns later.")
        }
        Spectators::Delayed { turns, seconds } => {
            format!("Those who watch see {what}, {turns} turns and {seconds} seconds later.")
        }
        Spectators::AfterHand => format!("Those who watch see {what} when the hand is over."),
        Spectators::Sealed => "Those who watch see results only.".to_owned(),
    }
}

fn rotation(rotate: Rotation) -> &'static str {
    match rotate {
        Rotation::Each => "Seats move on by one role after each match.",
        Rotation::Never => "Every seat keeps its role.",
        Rotation::Pairs => "Every deal is played once in each role.",
    }
}

fn total(total: SessionTotal, setup: &SessionSetup) -> String {
    match total {
        SessionTotal::Payoff => format!("What is won and lost adds up, in {}.", setup.unit),
        SessionTotal::Goal => "Goals add up.".to_owned(),
        SessionTotal::Wins => "Matches that are won add up.".to_owned(),
    }
}

fn until(until: &Until) -> String {
    match until {
        Until::Host => "It goes on until the host ends it.".to_owned(),
        Until::Matches(count) => format!("It has {count} matches."),
        Until::AnyWins(count) => format!("It ends when a seat has won {count} matches."),
        Until::AnyTotalAtMost(bound) => format!("It ends when a total is {bound} or less."),
        Until::AnyTotalAtLeast(bound) => format!("It ends when a total is {bound} or more."),
        Until::OneLeft => "It ends when one seat has everything.".to_owned(),
        Until::Minutes(minutes) => format!("It ends after {minutes} minutes of play."),
    }
}

fn family(family: &FamilyRules) -> Vec<String> {
    let mut sentences = vec![format!("Every seat begins with {}.", family.start)];
    if let Some(raise) = family.raise.filter(|_| family.blinds.len() > 1) {
        let when = match raise {
            Raise::Minutes(minutes) => format!("{minutes} minutes"),
            Raise::Matches(matches) => format!("{matches} matches"),
        };
        sentences.push(format!("Blinds go up every {when}."));
    }
    sentences.push(match family.rebuy {
        Rebuy::Never => "Who has nothing left is out.".to_owned(),
        Rebuy::Always => "Who has nothing left may begin again.".to_owned(),
        Rebuy::UntilLevel(level) => format!("Who has nothing left may begin again until level {level}."),
    });
    sentences
}

/// Why a session is over.
pub(super) fn ending_sentence(ending: &SessionEnding) -> String {
    match ending {
        SessionEnding::Host => "The host ended it.".to_owned(),
        SessionEnding::Matches => "All its matches were played.".to_owned(),
        SessionEnding::Wins => "A seat has won enough matches.".to_owned(),
        SessionEnding::Total => "A total has reached what was set.".to_owned(),
        SessionEnding::OneLeft => "One seat has everything.".to_owned(),
        SessionEnding::Minutes => "Its time was over.".to_owned(),
        SessionEnding::Fault { fault } => format!("It was stopped: {fault}."),
    }
}
