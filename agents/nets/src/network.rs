//! A network, ready to be computed.
//!
//! The nine operators of a perceptron are sums, products and three functions; a runtime for all of ONNX would add twenty megabytes
//! to the program, and computes sums in an order that depends on the processor. Here sums are in the order of the weights, and functions are those
//! of `libm`, so a file gives bit-identical results on every machine.

use prost::Message;

use crate::{GraphError, NetError, graph::Program, onnx::Model, weights::Weights};

/// An operand of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operand {
    /// The input, or the result of a step.
    Value(usize),
    /// Weights, by their number.
    Weights(usize),
}

/// An operator with its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// A row times a matrix of weights, and something added.
    Product {
        row: usize,
        matrix: usize,
        added: Option<Operand>,
    },
    Add(Operand, Operand),
    Sub(Operand, Operand),
    Mul(Operand, Operand),
    Identity(usize),
    Relu(usize),
    Sigmoid(usize),
    Tanh(usize),
}

/// A function from one row of numbers to another.
#[derive(Debug)]
pub(crate) struct Network {
    program: Program,
}

/// Parses an ONNX file, without checking its graph.
pub(crate) fn read(bytes: &[u8]) -> Result<Model, NetError> {
    let not_onnx = |problem: String| NetError::NotOnnx { problem };
    let file = Model::decode(bytes).map_err(|error| not_onnx(error.to_string()))?;
    if file.graph.is_none() {
        return Err(not_onnx("it has no graph".to_owned()));
    }
    Ok(file)
}

impl Network {
    /// The network of a file with these numbers of inputs and outputs.
    ///
    /// # Errors
    /// [`NetError::Network`] if it is not of that form.
    pub(crate) fn new(file: &Model, inputs: usize, outputs: usize) -> Result<Self, NetError> {
        let program = Program::new(file, inputs)?;
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
        for &step in &self.program.steps {
            let found = self.step(step, &values);
            values.push(found);
        }
        values.swap_remove(self.program.output)
    }

    fn step(&self, step: Step, values: &[Vec<f32>]) -> Vec<f32> {
        let numbers = |operand: Operand| match operand {
            Operand::Value(value) => &values[value][..],
            Operand::Weights(weights) => &self.program.weights[weights].numbers[..],
        };
        let each =
            |value: usize, function: fn(f32) -> f32| values[value].iter().map(|&x| function(x)).collect();
        match step {
            Step::Product { row, matrix, added } => {
                product(&values[row], &self.program.weights[matrix], added.map(numbers))
            }
            Step::Add(one, other) => together(numbers(one), numbers(other), |one, other| one + other),
            Step::Sub(one, other) => together(numbers(one), numbers(other), |one, other| one - other),
            Step::Mul(one, other) => together(numbers(one), numbers(other), |one, other| one * other),
            Step::Identity(value) => values[value].clone(),
            Step::Relu(value) => each(value, |x| if x < 0.0 { 0.0 } else { x }),
            Step::Sigmoid(value) => each(value, |x| 1.0 / (1.0 + libm::expf(-x))),
            Step::Tanh(value) => each(value, libm::tanhf),
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

/// Number by number; a single number goes with each of the others.
fn together(one: &[f32], other: &[f32], function: impl Fn(f32, f32) -> f32) -> Vec<f32> {
    match (one, other) {
        (one, &[other]) => one.iter().map(|&one| function(one, other)).collect(),
        (&[one], other) => other.iter().map(|&other| function(one, other)).collect(),
        (one, other) => one.iter().zip(other).map(|(&one, &other)| function(one, other)).collect(),
    }
}
