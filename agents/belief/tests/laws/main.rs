//! Laws of beliefs, checked against enumerations that share no code with them.

mod exact;
mod holdem;
mod particle;
mod rejuvenation;
mod tree;
