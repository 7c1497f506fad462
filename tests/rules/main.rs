//! The language and what is made of it: readers, checks, the second interpreter beside every engine, limits.

mod bombs;
mod checks;
mod damage;
mod differential;
mod exchangeable;
mod families;
mod fragments;
mod grounding;
mod large_numbers;
mod left_out;
mod namesakes;
mod programs;
mod real_time;
mod real_time_conversion;
mod real_time_engine;
mod renaming;
mod strict;
mod syntax;
