//! The real-time games: both ways to compute them agree, matches end, nothing hidden is told, and what is known of each
//! game by hand or from the literature comes out of its rules.

mod games;
mod goals;
mod lanes;
mod play;
mod walks;
mod secrets;
mod chicken;
mod reaction;
mod values;
mod dutch_auction;
mod war_of_attrition;
mod bomb_party;
mod pong;
mod tic_tac_toe;
mod speed;
