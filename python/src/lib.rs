//! The native module of the Python package `croupier`: games, matches, beliefs, solvers and agents.
//!
//! All computation is in the other packages. This one converts Python's values, releases the interpreter lock, calls, and
//! converts the results back; exceptions are classes of `croupier.errors`, written in Python. A value shared between threads is
//! only locked while the interpreter lock is released, so that no thread waits for both locks at once.
#![forbid(unsafe_code)]

mod errors;
mod seed;
mod role;
mod term;
mod html;
mod work;
mod game;
mod view;
mod choice;
mod state;
mod one_match;
mod policy;
mod function;
mod agent;
mod belief;
mod opponents;
mod evaluation;
mod strategies;
mod solution;
mod lanes;
mod public;
mod public_belief;
mod play;
mod recall;
mod results;
mod record;

/// The native part of Croupier; use it through the package `croupier`.
#[pyo3::pymodule(name = "_native")]
mod native {
    #[pymodule_export]
    use crate::{
        agent::{PyAgent, PyDecision, check_net},
        belief::PyBelief,
        evaluation::{PyEvaluation, evaluate, information_sets, properties},
        game::{PyGame, games, load, load_file, load_text, restore_game},
        lanes::{PyLanes, choices, draw},
        one_match::{PyMatch, restore_match},
        play::{PyColumns, PyPlay},
        policy::{PyPolicy, restore_policy},
        public::PyPublicSearch,
        public_belief::PyPublicBelief,
        record::verify,
        results::{mean, ratings},
        solution::{PySolution, solve},
        state::{PyState, restore_state},
        strategies::{best_response, mixture},
        view::PyView,
    };
}
