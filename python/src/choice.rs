//! A caller's move for a role, checked against the legal moves.

use pyo3::PyErr;

use crate::{
    errors::IllegalMoveError,
    term::{canonical, shown},
};

/// Legal moves that a message lists; of more it says how many there are.
const LISTED_MAX: usize = 12;

/// Why a move is rejected: the message, the role, the move if one was given, and the legal moves.
pub(crate) struct IllegalMove {
    message: String,
    role: String,
    written: Option<String>,
    legal: Vec<String>,
}

impl From<IllegalMove> for PyErr {
    fn from(IllegalMove { message, role, written, legal }: IllegalMove) -> Self {
        IllegalMoveError::new_err((message, role, written, legal))
    }
}

/// The place among the legal moves of the one that was written for a role, or of the only one.
///
/// # Errors
/// If it is not legal, or there is a choice and nothing was written.
pub(crate) fn chosen(name: &str, legal: Vec<String>, written: Option<&String>) -> Result<usize, IllegalMove> {
    let listed = || match legal.len() {
        count if count > LISTED_MAX => {
            format!("{}, and {} more", legal[..LISTED_MAX].join(", "), count - LISTED_MAX)
        }
        _ => legal.join(", "),
    };
    let message = match written {
        None if legal.len() == 1 => return Ok(0),
        None => format!("{name} has a choice but was given no move; legal moves are {}", listed()),
        Some(text) => match canonical(text) {
            Ok(text) => match legal.iter().position(|legal| *legal == text) {
                Some(place) => return Ok(place),
                None => {
                    format!(
                        "{} is not a legal move of {name} here; legal moves are {}",
                        shown(&text),
                        listed()
                    )
                }
            },
            Err(problem) => {
                format!("{} is not a move: {problem}; legal moves of {name} are {}", shown(text), listed())
            }
        },
    };
    Err(IllegalMove { message, role: name.to_owned(), written: written.cloned(), legal })
}
