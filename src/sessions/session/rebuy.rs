//! Buying in again at the terminal: whoever has lost everything is asked once, when the session allows it.

use croupier_session::{SeatHolder, SeatNumber, SessionSeat, SessionState};

use crate::{
    output::failure::Failure,
    sessions::{seat::TerminalSeat, terminal::Input},
};

/// The people who lost all that they had in a match and may begin again, with their names.
pub(super) fn people_who_may(session: &SessionState, hand: u64) -> Vec<(SeatNumber, String)> {
    let is_out = |seat: &&SessionSeat| seat.out_in == Some(hand) && seat.holds() == 0 && !seat.leaves;
    let name = |seat: &SessionSeat| match &seat.holder {
        Some(SeatHolder::Person { name }) => Some((seat.number, name.clone())),
        _ => None,
    };
    match session.allows_rebuy() {
        true => session.seats().iter().filter(is_out).filter_map(name).collect(),
        false => Vec::new(),
    }
}

/// Asks somebody at the terminal whether to buy in again. Who leaves, or says nothing, does not.
///
/// # Errors
/// If the terminal is gone.
pub(super) fn wants_again(place: &TerminalSeat, name: &str, session: &SessionState) -> Result<bool, Failure> {
    let Some(family) = &session.terms().session.family else { return Ok(false) };
    let who = if place.people == 1 { "You have".to_owned() } else { format!("{name} has") };
    let prompt = format!("{who} no {} left. Buy in again for {}? (y/n) ", family.unit, family.start);
    let is_over = || place.interrupt.is_raised();
    loop {
        let answer = match place.ask(&prompt, None, &["yes".to_owned(), "no".to_owned()], &is_over)? {
            Input::Line(line) => line.trim().to_lowercase(),
            Input::End | Input::Interrupted | Input::TimeUp | Input::Over => return Ok(false),
        };
        match answer.as_str() {
            "y" | "yes" => return Ok(true),
            "n" | "no" => return Ok(false),
            _ => {}
        }
    }
}
