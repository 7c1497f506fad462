//! Why a file is not a net.

use thiserror::Error;

/// Why a file is not a net that can be played.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NetError {
    /// Not ONNX, or the file ends too early.
    #[error("not an ONNX file: {problem}; pass a complete file written by croupier.learn")]
    NotOnnx {
        /// The problem.
        problem: String,
    },
    /// It does not say which game it is for.
    #[error(
        "the ONNX file does not name its game: its metadata has no key croupier; export it with croupier.learn"
    )]
    NoNames,
    /// The description of its game cannot be parsed.
    #[error("cannot read the key croupier in the metadata of the ONNX file: {problem}; export the net again")]
    Names {
        /// The problem.
        problem: String,
    },
    /// It is of a later version.
    #[error(
        "the net's metadata has version {found}, but this program reads version 1; update the program, or export the net again"
    )]
    Version {
        /// The version.
        found: u64,
    },
    /// It needs other features.
    #[error(
        "the net reads the features {found:?}, but a seat only has \"percepts\"; train it with observation=\"percepts\""
    )]
    Features {
        /// The features that it needs.
        found: String,
    },
    /// The network cannot be computed.
    #[error("the network in the ONNX file is not supported: {problem}")]
    Network {
        /// The problem.
        problem: String,
    },
}
