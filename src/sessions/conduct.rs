//! How the players of a series answered: what was drawn for them, how often, and why.

use std::{cmp::Reverse, collections::BTreeMap};

use croupier_engine::{ByPlayer, Roles};
use croupier_games::printable;
use croupier_referee::{Conduct, Failure, Slip};
use croupier_results::MovesDrawn;
use serde::Serialize;

/// Longest text of a reply that is shown, in characters.
const SHOWN_CHARS_MAX: usize = 60;

/// Legal moves that are listed beside one that was not legal.
const LEGAL_SHOWN_MAX: usize = 12;

/// How one seat answered in all matches so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct SeatConduct {
    /// Moves that it had to make.
    pub(crate) moves: u64,
    /// Those that were drawn for it, by what its reply was, in the words of the record.
    pub(crate) substitutes: BTreeMap<String, u64>,
    /// In how many matches it was not ready, by what it did instead.
    pub(crate) not_ready: BTreeMap<Failure, u64>,
    /// In how many matches not one move was its own, though it had to make some.
    pub(crate) matches_without_a_move: u64,
    /// The first move that was drawn for it.
    first: Option<FirstSlip>,
    /// What went wrong first in a match in which it was not ready.
    pub(crate) error: Option<String>,
}

/// How a player answered.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct ConductReport {
    #[serde(flatten)]
    drawn: DrawnReport,
    /// Matches in which it was not ready, by failure.
    not_ready: BTreeMap<&'static str, u64>,
    /// The first move that was drawn.
    first: Option<FirstSlip>,
}

/// The moves that were drawn for a player.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct DrawnReport {
    /// Moves that it had to make.
    moves: u64,
    /// Moves that the referee drew for it.
    substituted: u64,
    /// How many moves the referee drew, by what the reply was instead: `illegal`, or a failure such as `timeout`.
    reasons: BTreeMap<String, u64>,
    /// Matches in which not one move was its own.
    matches_without_a_move: u64,
}

/// A move that was drawn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct FirstSlip {
    #[serde(rename = "match")]
    number: u64,
    turn: u32,
    reason: &'static str,
    /// What the player wrote.
    said: Option<String>,
    /// The legal moves, if what it wrote was none of them.
    legal: Vec<String>,
    /// What went wrong in a player of this process, or the HTTP status that a player answered with.
    error: Option<String>,
}

impl SeatConduct {
    /// Takes in a match; `error` is what went wrong first in a player of this process.
    pub(crate) fn take(&mut self, number: u64, conduct: &Conduct, error: Option<&str>) {
        self.moves += conduct.moves;
        for (reason, times) in reasons(conduct) {
            *self.substitutes.entry(reason).or_default() += times;
        }
        if let Some(failure) = conduct.not_ready {
            *self.not_ready.entry(failure).or_default() += 1;
            self.error = self.error.take().or_else(|| error.map(str::to_owned));
        }
        self.matches_without_a_move += u64::from(conduct.moves > 0 && conduct.substituted() == conduct.moves);
        if let (None, Some(slip)) = (&self.first, &conduct.first) {
            let Slip { turn, status, said, legal } = slip.clone();
            let (said, error) = (said.as_deref().map(shown), error.map(str::to_owned));
            self.first = Some(FirstSlip { number, turn, reason: status.as_str(), said, legal, error });
        }
    }

    /// How many moves were drawn for it.
    pub(crate) fn substituted(&self) -> u64 {
        self.substitutes.values().sum()
    }

    /// `3 of 12 (timeout 2, illegal 1)`, or `0 of 12`.
    pub(crate) fn count(&self) -> String {
        let count = format!("{} of {}", self.substituted(), self.moves);
        if self.substitutes.is_empty() { count } else { format!("{count} ({})", self.reasons()) }
    }

    /// `3 of 12 moves were drawn for it (timeout 2, illegal 1)`.
    pub(crate) fn drawn(&self) -> String {
        let (substituted, moves) = (self.substituted(), self.moves);
        let were = if substituted == 1 { "was" } else { "were" };
        format!("{substituted} of {moves} moves {were} drawn for it ({})", self.reasons())
    }

    /// `timeout 2, illegal 1`: the most frequent first.
    fn reasons(&self) -> String {
        let mut reasons: Vec<(&String, &u64)> = self.substitutes.iter().collect();
        reasons.sort_by_key(|(reason, times)| (Reverse(*times), *reason));
        let reasons = reasons.iter().map(|(reason, times)| format!("{reason} {times}"));
        reasons.collect::<Vec<String>>().join(", ")
    }

    /// The first slip in words; empty if there was none.
    pub(crate) fn first_slip(&self) -> String {
        let Some(FirstSlip { number, turn, reason, said, legal, error }) = &self.first else {
            return String::new();
        };
        let said = said.as_deref().map_or_else(String::new, |said| format!(": it wrote {said}"));
        let legal = match legal.as_slice() {
            [] => String::new(),
            moves => format!("; its legal moves were {}", listed(moves)),
        };
        let error = error.as_deref().map_or_else(String::new, |error| format!(": {error}"));
        format!("first in turn {turn} of match {number}, {reason}{said}{legal}{error}")
    }

    /// The same facts as data.
    pub(crate) fn report(&self) -> ConductReport {
        let not_ready = self.not_ready.iter().map(|(failure, times)| (failure.as_str(), *times)).collect();
        ConductReport { drawn: self.drawn_report(), not_ready, first: self.first.clone() }
    }

    /// What was drawn for it as data.
    pub(crate) fn drawn_report(&self) -> DrawnReport {
        DrawnReport {
            moves: self.moves,
            substituted: self.substituted(),
            reasons: self.substitutes.clone(),
            matches_without_a_move: self.matches_without_a_move,
        }
    }
}

impl From<&MovesDrawn> for SeatConduct {
    fn from(drawn: &MovesDrawn) -> Self {
        let MovesDrawn { moves, substitutes, matches_without_a_move } = drawn.clone();
        Self { moves, substitutes, matches_without_a_move, ..Self::default() }
    }
}

/// How many moves were drawn for a player in a match, by the words of the record.
pub(crate) fn reasons(conduct: &Conduct) -> BTreeMap<String, u64> {
    conduct.reasons().into_iter().map(|(reason, times)| (reason.to_owned(), times)).collect()
}

/// Why a player could not be had, in words.
pub(crate) fn absence(failure: Failure) -> &'static str {
    match failure {
        Failure::ConnectError => "could not be reached",
        Failure::Closed => "closed the connection without a reply, as a program that fails does",
        Failure::Busy => "was busy with another match",
        Failure::Timeout => "did not answer in time",
        Failure::TooLarge | Failure::Malformed => "answered something else than READY",
        Failure::PlayerError => "failed",
        Failure::Interrupted => "could not be asked again",
    }
}

/// The first of these moves, and how many more there are.
fn listed(moves: &[String]) -> String {
    let named = moves.iter().take(LEGAL_SHOWN_MAX).map(|text| printable(text)).collect::<Vec<_>>().join(", ");
    match moves.len().saturating_sub(LEGAL_SHOWN_MAX) {
        0 => named,
        more => format!("{named} and {more} more"),
    }
}

/// What a player wrote, as it can be shown.
fn shown(said: &str) -> String {
    let said = printable(said);
    match said.char_indices().nth(SHOWN_CHARS_MAX) {
        None => said,
        Some((end, _)) => format!("{}...", &said[..end]),
    }
}

/// How the players of one match answered.
pub(crate) fn of_match(conducts: &ByPlayer<Conduct>, roles: &Roles) -> ByPlayer<SeatConduct> {
    ByPlayer::from_fn(roles, |role| {
        let mut conduct = SeatConduct::default();
        conduct.take(1, &conducts[role], None);
        conduct
    })
}

/// Nothing yet for any player.
pub(crate) fn conducts(roles: &Roles) -> ByPlayer<SeatConduct> {
    ByPlayer::from_fn(roles, |_| SeatConduct::default())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use croupier_referee::{Conduct, Failure, ReplyStatus, Slip};

    use super::SeatConduct;

    #[test]
    fn what_was_drawn_adds_up_over_matches_and_the_first_slip_is_kept() {
        let late = ReplyStatus::Failed(Failure::Timeout);
        let slip = |turn, status, said: Option<&str>| Slip {
            turn,
            status,
            said: said.map(str::to_owned),
            legal: Vec::new(),
        };
        let mut sum = SeatConduct::default();
        sum.take(1, &Conduct { moves: 4, ..Conduct::default() }, None);
        let illegal = Conduct {
            not_ready: Some(Failure::Malformed),
            moves: 2,
            substitutes: BTreeMap::from([(ReplyStatus::Illegal, 1), (late, 1)]),
            first: Some(Slip {
                legal: (1..=14).map(|column| format!("(mark 1 {column})")).collect(),
                ..slip(0, ReplyStatus::Illegal, Some("(mark 99 99)"))
            }),
        };
        sum.take(2, &illegal, None);
        let substitutes = BTreeMap::from([(late, 1)]);
        let first = Some(slip(3, late, None));
        sum.take(3, &Conduct { moves: 4, substitutes, first, ..Conduct::default() }, Some("never"));
        assert_eq!(sum.count(), "3 of 10 (timeout 2, illegal 1)");
        let first = "first in turn 0 of match 2, illegal: it wrote (mark 99 99); its legal moves were (mark 1 1), (mark 1 2), ";
        assert!(sum.first_slip().starts_with(first), "{}", sum.first_slip());
        assert!(sum.first_slip().ends_with(", (mark 1 12) and 2 more"), "{}", sum.first_slip());
        assert_eq!((sum.matches_without_a_move, sum.not_ready[&Failure::Malformed]), (1, 1));
        assert_eq!(SeatConduct { moves: 7, ..SeatConduct::default() }.count(), "0 of 7");
    }
}
