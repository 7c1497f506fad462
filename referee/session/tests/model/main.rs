//! Sessions as a model: every order of events to a depth, and long random ones, with what must hold after each of them.

mod exhaustive;
mod random;
mod real_time;
mod rotation;
mod tables;
mod witness;
