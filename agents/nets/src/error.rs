//! Why a file is no net.

use thiserror::Error;

/// Why a file is no net that can be played.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NetError {
    /// It is no ONNX, or the file ends too early.
    #[error("not an ONNX file: {problem}; pass a complete file written by croupier.learn")]
    NotOnnx {
        /// What is wrong with it.
        problem: String,
    },
    /// It does not say which game it is for.
    #[error(
        "the ONNX file does not name its game: its metadata has no key croupier; export it with croupier.learn"
    )]
    NoNames,
    /// What it says of its game cannot be read.
    #[error("cannot read the key croupier in the metadata of the ONNX file: {problem}; export the net again")]
    Names {
        /// What is wrong with it.
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
    /// It looks at a match in another way.
    #[error(
        "the net reads the features {found:?}, but a seat only has \"percepts\"; train it with observation=\"percepts\""
    )]
    Features {
        /// What it wants to see.
        found: String,
    },
    /// The network cannot be computed.
    #[error("the network in the ONNX file is not supported: {problem}")]
    Network {
        /// What is wrong with it.
        problem: String,
    },
}
