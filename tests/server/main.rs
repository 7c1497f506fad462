//! The referee as a server, by the bytes that leave it: what every player, spectator and stranger is told, and nothing else.
//!
//! Servers run in this process, and players are sockets that keep every byte before anybody reads it. What is right is
//! computed here from the record of the match, after its end, by the second interpreter.
#![expect(clippy::unwrap_used, reason = "what does not go as it should ends the test")]

mod log;
mod house;
mod wire;
mod host;
mod vault;
mod ideal;
mod evidence;
mod pushed;
mod pulled;
mod judge;
mod factorisation;
mod canaries;
mod ghost;
mod timing;
mod budget;
mod real_time;
mod tables;
mod legal_moves;
mod mutants;
