//! Matches over real sockets: what is written to the byte, and players that do everything wrong.

mod bytes;
mod fake;
mod hostile;
mod maze;
