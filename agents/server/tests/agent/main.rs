//! The agent as a referee meets it: over sockets, in every dialect, and with everything that is no message.

mod dialects;
mod hostile;
mod turns;
mod wire;
