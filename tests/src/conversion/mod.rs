//! Turn-based games and their real-time forms, played side by side: the turn-based engine is the oracle.

mod clocks;
mod ticks;

pub use clocks::play_with_clocks;
pub use ticks::{TickPlan, Ticked, play_ticks};

use std::sync::Arc;

use croupier_engine::{
    Game, GameError, Lifetime, Limits, Options, State,
    realtime::{RealTimeGame, RealTimeScratch, TimedState, conversion::ConversionError},
    stages::syntax::{self, Description, Syntax},
};

/// What a game is after a conversion, or why it is nothing.
type Converted = Result<Description, ConversionError>;

/// A game with its real-time form.
#[derive(Debug)]
struct Pair {
    turns: Game,
    timed: RealTimeGame,
}

impl Pair {
    /// The game with what a conversion makes of it, read from its text again; `None` if the conversion is refused.
    fn of(text: &str, convert: impl FnOnce(&Description, &Game) -> Converted) -> Option<Self> {
        let options = Options { limits: super::comparison::Plan::LIMITS, ..Options::PLAY };
        let turns = Game::compile(text, &options).ok()?.game;
        let reading = syntax::read(text, Syntax::Auto, &Limits::STANDARD);
        let converted = convert(&reading.description, &turns).ok()?;
        let printed = match reading.syntax {
            Syntax::Infix => syntax::print_infix_commented(&converted),
            Syntax::Prefix | Syntax::Auto => syntax::print_commented(&converted),
        };
        let compiled = RealTimeGame::compile(&printed, &options);
        let timed = compiled.unwrap_or_else(|error| panic!("{error}\n{printed}")).game;
        Some(Self { turns, timed })
    }

    /// Asserts that two states are one: its fluents are those that last for ever, less some functions of additions.
    fn assert_same(&self, state: &State, timed: &TimedState, added: &str) {
        let facts = timed.facts().filter(|(_, lifetime)| *lifetime == Lifetime::INFINITY);
        let facts = facts.map(|(fluent, _)| self.timed.fluent_text(fluent));
        let mut facts: Vec<Arc<str>> = facts.filter(|fluent| !fluent.starts_with(added)).collect();
        facts.sort_unstable();
        let mut terms: Vec<String> =
            self.turns.state_terms(state).iter().map(|term| canonical(term)).collect();
        terms.sort_unstable();
        assert!(
            facts.iter().map(|fact| &**fact).eq(terms.iter().map(String::as_str)),
            "{facts:?} is not {terms:?}"
        );
    }

    /// Asserts that a match is over in both, with one result, or goes on in both; says whether it is over.
    fn assert_end(
        &self,
        state: &State,
        timed: &TimedState,
        scratch: &mut croupier_engine::Scratch,
        timed_scratch: &mut RealTimeScratch,
    ) -> Result<bool, GameError> {
        let is_over = self.turns.is_terminal(state, scratch)?;
        let timed_over = self.timed.is_terminal(timed, timed_scratch).expect("within the limits");
        assert_eq!(is_over, timed_over, "whether the match is over");
        if is_over {
            let values = self.timed.goals(timed, timed_scratch);
            for role in self.turns.roles().players() {
                match (self.turns.goal(state, role, scratch), &values) {
                    (Ok(Some(goal)), Ok(values)) => assert_eq!(goal, values[role]),
                    (Ok(Some(_)), Err(_)) => {}
                    (Ok(None) | Err(_), values) => assert!(values.is_err(), "{values:?}"),
                }
            }
        }
        Ok(is_over)
    }
}

/// A term as real-time rules print it, where `01` is `1`.
fn canonical(term: &str) -> String {
    let mut out = String::with_capacity(term.len());
    let is_edge = |letter: char| matches!(letter, '(' | ')' | ' ');
    for part in term.split_inclusive(is_edge) {
        let name = part.trim_end_matches(is_edge);
        match name.strip_prefix('0').filter(|_| name.bytes().all(|byte| byte.is_ascii_digit())) {
            Some(_) => {
                let digits = name.trim_start_matches('0');
                out.push_str(if digits.is_empty() { "0" } else { digits });
            }
            None => out.push_str(name),
        }
        out.push_str(&part[name.len()..]);
    }
    out
}
