//! A network, ready to be computed.
//!
//! The operators of perceptrons, recurrent networks and attention are sums, products and a few functions; a runtime for all of ONNX would add twenty megabytes
//! to the program, and computes sums in an order that depends on the processor. Here sums are in the order of the weights, and functions are those
//! of `libm`, so a file gives bit-identical results on every machine.

use prost::Message;

use crate::{
    GraphError, NetError,
    graph::{AppliedOperator, Ends, Operand, Program},
    onnx::ModelProto,
    weights::Weights,
};

/// A function from one row of numbers to another.
#[derive(Debug)]
pub(crate) struct NeuralNetwork {
    program: Program,
}

/// Parses an ONNX file, without checking its graph.
pub(crate) fn read(bytes: &[u8]) -> Result<ModelProto, NetError> {
    let not_onnx = |problem: String| NetError::NotOnnx { problem };
    let file = ModelProto::decode(bytes).map_err(|error| not_onnx(error.to_string()))?;
    if file.graph.is_none() {
        return Err(not_onnx("it has no graph".to_owned()));
    }
    Ok(file)
}

impl NeuralNetwork {
    /// The network of a file between these ends, with these numbers of inputs and outputs.
    ///
    /// # Errors
    /// [`NetError::Network`] if it is not of that form.
    pub(crate) fn new(
        file: &ModelProto,
        ends: Ends,
        inputs: usize,
        outputs: usize,
    ) -> Result<Self, NetError> {
        let program = Program::new(file, ends, inputs)?;
        let found = program.widths[program.output];
        if found != outputs {
            return Err(GraphError::OutputWidth { found, named: outputs }.into());
        }
        Ok(Self { program })
    }

    /// Evaluates a row; the results need not be finite.
    ///
    /// # Panics
    /// If the row has the wrong number of inputs.
    pub(crate) fn compute(&self, row: Vec<f32>) -> Vec<f32> {
        assert_eq!(row.len(), self.program.widths[0], "as many numbers as there are names");
        let mut values = vec![row];
        for step in &self.program.steps {
            let found = self.step(step, &values);
            values.push(found);
        }
        values.swap_remove(self.program.output)
    }

    fn step(&self, step: &AppliedOperator, values: &[Vec<f32>]) -> Vec<f32> {
        let numbers = |operand: Operand| match operand {
            Operand::Value(value) => &values[value][..],
            Operand::Weights(weights) => &self.program.weights[weights].numbers[..],
        };
        let each =
            |value: usize, function: fn(f32) -> f32| values[value].iter().map(|&x| function(x)).collect();
        match *step {
            AppliedOperator::Product { row, matrix, added } => {
                product(&values[row], &self.program.weights[matrix], added.map(numbers))
            }
            AppliedOperator::Add(one, other) => {
                together(numbers(one), numbers(other), |one, other| one + other)
            }
            AppliedOperator::Sub(one, other) => {
                together(numbers(one), numbers(other), |one, other| one - other)
            }
            AppliedOperator::Mul(one, other) => {
                together(numbers(one), numbers(other), |one, other| one * other)
            }
            AppliedOperator::Div(one, other) => {
                together(numbers(one), numbers(other), |one, other| one / other)
            }
            AppliedOperator::Concat(ref all) => all.iter().flat_map(|&one| numbers(one)).copied().collect(),
            AppliedOperator::Identity(value) => values[value].clone(),
            AppliedOperator::Relu(value) => each(value, |x| if x < 0.0 { 0.0 } else { x }),
            AppliedOperator::Sigmoid(value) => each(value, |x| 1.0 / (1.0 + libm::expf(-x))),
            AppliedOperator::Softmax(value) => softmax(&values[value]),
            AppliedOperator::Sqrt(value) => each(value, f32::sqrt),
            AppliedOperator::Tanh(value) => each(value, libm::tanhf),
        }
    }
}

/// A row times a matrix, from the first row of the matrix to the last, and something added. Rows of the matrix are added whole,
/// so the sums of all columns run side by side.
fn product(row: &[f32], matrix: &Weights, added: Option<&[f32]>) -> Vec<f32> {
    let mut sums = vec![0.0; matrix.columns];
    for (&factor, weights) in row.iter().zip(matrix.numbers.chunks_exact(matrix.columns)) {
        // Most inputs are bits, and most of them are 0; weights are finite.
        if factor != 0.0 {
            sums.iter_mut().zip(weights).for_each(|(sum, weight)| *sum += factor * weight);
        }
    }
    match added {
        Some(&[number]) => sums.iter_mut().for_each(|sum| *sum += number),
        Some(numbers) => sums.iter_mut().zip(numbers).for_each(|(sum, number)| *sum += number),
        None => {}
    }
    sums
}

/// Shares in proportion to the exponentials of numbers.
fn softmax(row: &[f32]) -> Vec<f32> {
    let most = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let raised: Vec<f32> = row.iter().map(|&x| libm::expf(x - most)).collect();
    let sum: f32 = raised.iter().sum();
    raised.into_iter().map(|x| x / sum).collect()
}

/// Number by number; a single number goes with each of the others.
fn together(one: &[f32], other: &[f32], function: impl Fn(f32, f32) -> f32) -> Vec<f32> {
    match (one, other) {
        (one, &[other]) => one.iter().map(|&one| function(one, other)).collect(),
        (&[one], other) => other.iter().map(|&other| function(one, other)).collect(),
        (one, other) => one.iter().zip(other).map(|(&one, &other)| function(one, other)).collect(),
    }
}
