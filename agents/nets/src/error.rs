//! Why a file is not a net.

use thiserror::Error;

use crate::graph::{OPERATOR_SETS, OPERATORS};

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
    /// It values public beliefs, and chooses no moves.
    #[error("the net values public beliefs, for a search that looks ahead: play it as resolve:value=FILE")]
    ValuesBeliefs,
    /// It says what is true, and chooses no moves.
    #[error(
        "the net says how likely each fact is, and chooses no moves: pass it to `croupier belief` as --guide FILE"
    )]
    Beliefs,
    /// It chooses moves, and does not say what is true.
    #[error(
        "the net chooses moves, and does not say how likely each fact is: train one with croupier.learn.BeliefRun"
    )]
    NoBeliefs,
    /// It chooses moves, and values no public beliefs.
    #[error(
        "the net does not value public beliefs; if it chooses moves, play it as net:FILE, and otherwise train one with \
         croupier.learn --algorithm rebel"
    )]
    NoValues,
    /// The network cannot be computed.
    #[error("the network in the ONNX file is not supported: {0}")]
    Network(#[from] GraphError),
}

/// Why the network of a file cannot be computed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum GraphError {
    /// The file has no graph.
    #[error("it has no graph")]
    NoGraph,
    /// Sparse weights.
    #[error("it has sparse weights; export them dense")]
    SparseWeights,
    /// Two weights of one name.
    #[error("it has two weights {0:?}")]
    TwoWeights(String),
    /// Weights without a name.
    #[error("it has weights without a name")]
    NamelessWeights,
    /// Weights of another type.
    #[error("the weights {0:?} are not float32")]
    WeightsType(String),
    /// Weights that are not in the file.
    #[error("the weights {0:?} are in another file; export them inside the ONNX file")]
    WeightsElsewhere(String),
    /// Weights of another size than they declare.
    #[error("the weights {0:?} are not a vector or matrix of their declared size")]
    WeightsSize(String),
    /// Weights that are not finite.
    #[error("the weights {0:?} are not all finite; the training has diverged")]
    WeightsDiverged(String),
    /// It names no operator set.
    #[error("it names no operator set")]
    NoOperatorSet,
    /// Another operator set than one of [`OPERATOR_SETS`].
    #[error("its operator set is {found}; export it with one from {} to {}", OPERATOR_SETS.start(), OPERATOR_SETS.end())]
    OperatorSet {
        /// Its version.
        found: i64,
    },
    /// No input, or several.
    #[error("it must have exactly one input, {0:?}")]
    InputsCount(&'static str),
    /// The input has another name.
    #[error("its input is called {found:?}, not {wanted:?}")]
    InputName {
        /// What it is called.
        found: String,
        /// What it should be called.
        wanted: &'static str,
    },
    /// The input has no type, another one, or another shape.
    #[error("its input {name:?} {problem}")]
    Input {
        /// What it is called.
        name: &'static str,
        /// What is wrong with it.
        problem: &'static str,
    },
    /// It reads another number of inputs than the file names.
    #[error("it reads {found} numbers, but the file names {named}")]
    InputWidth {
        /// What it reads.
        found: i64,
        /// What the file names.
        named: usize,
    },
    /// No output, or several, or one of another name.
    #[error("it must have exactly one output, {0:?}")]
    OutputsCount(&'static str),
    /// Nothing computes the output.
    #[error("nothing in it computes {0:?}")]
    NoOutput(&'static str),
    /// It writes another number of outputs than the file names.
    #[error("it writes {found} numbers, but the file names {named}")]
    OutputWidth {
        /// What it writes.
        found: usize,
        /// What the file names.
        named: usize,
    },
    /// An operator that is none of [`OPERATORS`].
    #[error("it has the operator {operator:?}; supported operators are {}", OPERATORS.join(", "))]
    UnknownOperator {
        /// Its name.
        operator: String,
    },
    /// An operator is used in a way that is not supported.
    #[error("an operator {operator} {problem}")]
    Operator {
        /// The operator.
        operator: String,
        /// What is wrong with it.
        problem: OperatorError,
    },
    /// The results of its layers have too many numbers.
    #[error("its layers are too large")]
    TooLarge,
}

/// What is wrong with an operator of a network.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum OperatorError {
    /// An operand that nothing before it computes.
    #[error("reads {0:?}, which nothing before it computes")]
    UnknownOperand(String),
    /// No result, or several.
    #[error("has the wrong number of results")]
    ResultsCount,
    /// A result that exists already.
    #[error("computes {0:?}, which already exists")]
    SecondResult(String),
    /// An attribute that is not supported.
    #[error("has the attribute {0:?}")]
    Attribute(String),
    /// Operands of other kinds or numbers than supported.
    #[error("has unsupported operands: it must multiply a value by a matrix of weights")]
    Operands,
    /// Numbers that do not fit the matrix that they are multiplied by.
    #[error("multiplies {numbers} numbers by a matrix of {rows} rows")]
    Product {
        /// How many are multiplied.
        numbers: usize,
        /// How many the matrix takes.
        rows: usize,
    },
    /// Another number of numbers is added than there are.
    #[error("adds {added} numbers to {numbers}")]
    Added {
        /// How many are added.
        added: usize,
        /// To how many.
        numbers: usize,
    },
    /// A matrix where only a row is supported.
    #[error("has a matrix as an operand, but only a single row is supported")]
    Matrix,
    /// Weights alone.
    #[error("has only weights as operands")]
    OnlyWeights,
    /// Operands of different widths.
    #[error("has operands of {0} and {1} numbers")]
    Widths(usize, usize),
}
