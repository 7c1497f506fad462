//! The graph of an ONNX file, looked through before anything is computed with it: operators with a known meaning, weights of the
//! sizes that they claim, names that were said before they are used.

use std::{collections::BTreeMap, ops::RangeInclusive};

use crate::{
    GraphError, OperatorError,
    onnx::{AttributeProto, AttributeType, DimensionValue, FLOAT, GraphProto, ModelProto, NodeProto},
    weights::Weights,
};

/// The operators that a network may have.
pub const OPERATORS: [&str; 13] = [
    "Add", "Concat", "Div", "Gemm", "Identity", "MatMul", "Mul", "Relu", "Sigmoid", "Softmax", "Sqrt", "Sub",
    "Tanh",
];

/// Versions of ONNX's operator set in which they mean the same.
pub const OPERATOR_SETS: RangeInclusive<i64> = 13..=25;

/// What the input and the output of a network are called.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ends {
    pub(crate) input: &'static str,
    pub(crate) output: &'static str,
}

/// Numbers of all values in between, at most: far more than any network has, and little memory.
const NUMBERS_MAX: usize = 1 << 24;

/// An operand of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operand {
    /// The input, or the result of a step.
    Value(usize),
    /// Weights, by their number.
    Weights(usize),
}

/// An operator with its operands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum AppliedOperator {
    /// A row times a matrix of weights, and something added.
    Product {
        row: usize,
        matrix: usize,
        added: Option<Operand>,
    },
    Add(Operand, Operand),
    Sub(Operand, Operand),
    Mul(Operand, Operand),
    Div(Operand, Operand),
    /// Their numbers one after the other.
    Concat(Vec<Operand>),
    Identity(usize),
    Relu(usize),
    Sigmoid(usize),
    /// Over all numbers of a row.
    Softmax(usize),
    Sqrt(usize),
    Tanh(usize),
}

/// The program of a network: steps in order, each reading earlier values. Value 0 is the input, value `n` the result of step `n - 1`.
#[derive(Debug)]
pub(crate) struct Program {
    pub(crate) weights: Vec<Weights>,
    pub(crate) steps: Vec<AppliedOperator>,
    /// By value, how many numbers a row of it has.
    pub(crate) widths: Vec<usize>,
    /// Which value is the output.
    pub(crate) output: usize,
}

/// The meanings of names so far.
#[derive(Default)]
struct ProgramBuilder<'f> {
    names: BTreeMap<&'f str, Operand>,
    weights: Vec<Weights>,
    steps: Vec<AppliedOperator>,
    widths: Vec<usize>,
}

impl Program {
    /// The program of a file between these ends, for rows of `inputs` numbers.
    ///
    /// # Errors
    /// [`GraphError`].
    pub(crate) fn new(file: &ModelProto, ends: Ends, inputs: usize) -> Result<Self, GraphError> {
        check_operator_set(file)?;
        let graph = file.graph.as_ref().ok_or(GraphError::NoGraph)?;
        if !graph.sparse_initializer.is_empty() {
            return Err(GraphError::SparseWeights);
        }
        let mut builder = ProgramBuilder::default();
        for tensor in &graph.initializer {
            let operand = Operand::Weights(builder.weights.len());
            builder.weights.push(Weights::read(tensor)?);
            if builder.names.insert(&tensor.name, operand).is_some() {
                return Err(GraphError::TwoWeights(tensor.name.clone()));
            }
        }
        check_ends(graph, ends, &builder.names, inputs)?;
        builder.names.insert(ends.input, Operand::Value(0));
        builder.widths.push(inputs);
        graph.node.iter().try_for_each(|node| builder.add(node))?;
        let Some(&Operand::Value(output)) = builder.names.get(ends.output) else {
            return Err(GraphError::NoOutput(ends.output));
        };
        Ok(Self { weights: builder.weights, steps: builder.steps, widths: builder.widths, output })
    }
}

fn check_operator_set(file: &ModelProto) -> Result<(), GraphError> {
    let found = file.opset_import.iter().find(|set| set.domain.is_empty() || set.domain == "ai.onnx");
    let version = found.map(|set| set.version).ok_or(GraphError::NoOperatorSet)?;
    if OPERATOR_SETS.contains(&version) { Ok(()) } else { Err(GraphError::OperatorSet { found: version }) }
}

/// Whether the graph has the one input and the one output.
fn check_ends(
    graph: &GraphProto,
    ends: Ends,
    weights: &BTreeMap<&str, Operand>,
    inputs: usize,
) -> Result<(), GraphError> {
    let open = graph.input.iter().filter(|input| !weights.contains_key(&*input.name));
    let [input] = open.collect::<Vec<_>>()[..] else {
        return Err(GraphError::InputsCount(ends.input));
    };
    if input.name != ends.input {
        return Err(GraphError::InputName { found: input.name.clone(), wanted: ends.input });
    }
    let unfit = |problem| GraphError::Input { name: ends.input, problem };
    let Some(tensor) = input.r#type.as_ref().and_then(|it| it.tensor.as_ref()) else {
        return Err(unfit("has no type"));
    };
    let shape = tensor.shape.as_ref().map_or(&[][..], |shape| &shape.dim[..]);
    let [_, width] = shape else { return Err(unfit("is not of the shape [N, F]")) };
    if tensor.elem_type != FLOAT {
        return Err(unfit("is not float32"));
    }
    match &width.value {
        Some(DimensionValue::Number(width)) if usize::try_from(*width) != Ok(inputs) => {
            return Err(GraphError::InputWidth { found: *width, named: inputs });
        }
        _ => {}
    }
    match &graph.output[..] {
        [output] if output.name == ends.output => Ok(()),
        _ => Err(GraphError::OutputsCount(ends.output)),
    }
}

impl<'f> ProgramBuilder<'f> {
    /// Adds the computation of a node.
    fn add(&mut self, node: &'f NodeProto) -> Result<(), GraphError> {
        let operator = &*node.op_type;
        let is_known = node.domain.is_empty() || node.domain == "ai.onnx";
        if !is_known || !OPERATORS.contains(&operator) {
            return Err(GraphError::UnknownOperator { operator: operator.to_owned() });
        }
        let unfit = |problem| GraphError::Operator { operator: operator.to_owned(), problem };
        let operand = |name: &String| {
            let known = self.names.get(&**name).copied();
            known.ok_or_else(|| unfit(OperatorError::UnknownOperand(name.clone())))
        };
        let operands = node.input.iter().map(operand).collect::<Result<Vec<Operand>, GraphError>>()?;
        let (step, width) = self.step(operator, &operands, &node.attribute).map_err(unfit)?;
        let [output] = &node.output[..] else { return Err(unfit(OperatorError::ResultsCount)) };
        if output.is_empty() || self.names.contains_key(&**output) {
            return Err(unfit(OperatorError::SecondResult(output.clone())));
        }
        self.names.insert(output, Operand::Value(self.widths.len()));
        self.steps.push(step);
        self.widths.push(width);
        if self.widths.iter().sum::<usize>() > NUMBERS_MAX {
            return Err(GraphError::TooLarge);
        }
        Ok(())
    }

    /// The computation of an operator on its operands, and the width of its result.
    fn step(
        &mut self,
        operator: &str,
        operands: &[Operand],
        attributes: &[AttributeProto],
    ) -> Result<(AppliedOperator, usize), OperatorError> {
        if let Some(attribute) = attributes.iter().find(|attribute| !is_allowed(operator, attribute)) {
            return Err(OperatorError::Attribute(attribute.name.clone()));
        }
        match (operator, operands) {
            ("Identity" | "Relu" | "Sigmoid" | "Softmax" | "Sqrt" | "Tanh", &[Operand::Value(of)]) => {
                let step = match operator {
                    "Relu" => AppliedOperator::Relu(of),
                    "Sigmoid" => AppliedOperator::Sigmoid(of),
                    "Softmax" => AppliedOperator::Softmax(of),
                    "Sqrt" => AppliedOperator::Sqrt(of),
                    "Tanh" => AppliedOperator::Tanh(of),
                    _ => AppliedOperator::Identity(of),
                };
                Ok((step, self.widths[of]))
            }
            ("Add" | "Div" | "Mul" | "Sub", &[one, other]) => {
                let width = self.width(one, other)?;
                let step = match operator {
                    "Add" => AppliedOperator::Add(one, other),
                    "Div" => AppliedOperator::Div(one, other),
                    "Mul" => AppliedOperator::Mul(one, other),
                    _ => AppliedOperator::Sub(one, other),
                };
                Ok((step, width))
            }
            ("Concat", all) if all.iter().any(|one| matches!(one, Operand::Value(_))) => {
                let widths = all.iter().map(|&one| self.numbers(one)).collect::<Result<Vec<_>, _>>()?;
                Ok((AppliedOperator::Concat(all.to_vec()), widths.iter().sum()))
            }
            ("MatMul", &[Operand::Value(row), Operand::Weights(matrix)]) => self.product(row, matrix, None),
            ("Gemm", &[Operand::Value(row), Operand::Weights(matrix), ref added @ ..]) if added.len() < 2 => {
                self.gemm(row, matrix, added.first().copied(), attributes)
            }
            _ => Err(OperatorError::Operands),
        }
    }

    /// `alpha * row * matrix + beta * added`, with the constants taken into the weights.
    fn gemm(
        &mut self,
        row: usize,
        matrix: usize,
        added: Option<Operand>,
        attributes: &[AttributeProto],
    ) -> Result<(AppliedOperator, usize), OperatorError> {
        let (mut alpha, mut beta, mut is_transposed) = (1.0, 1.0, false);
        for AttributeProto { name, f, i, r#type } in attributes {
            match (&**name, AttributeType::try_from(*r#type)) {
                ("alpha", Ok(AttributeType::Float)) if f.is_finite() => alpha = *f,
                ("beta", Ok(AttributeType::Float)) if f.is_finite() => beta = *f,
                ("transA", Ok(AttributeType::Int)) if *i == 0 => {}
                ("transB", Ok(AttributeType::Int)) => is_transposed = *i != 0,
                _ => return Err(OperatorError::Attribute(name.clone())),
            }
        }
        let weights = &self.weights[matrix];
        let weights = if is_transposed { weights.transposed() } else { weights.clone() }.times(alpha);
        let added = match added {
            Some(Operand::Weights(vector)) if beta != 1.0 => {
                self.weights.push(self.weights[vector].clone().times(beta));
                Some(Operand::Weights(self.weights.len() - 1))
            }
            Some(Operand::Value(_)) if beta != 1.0 => {
                return Err(OperatorError::Attribute("beta".to_owned()));
            }
            other => other,
        };
        self.weights.push(weights);
        self.product(row, self.weights.len() - 1, added)
    }

    fn product(
        &self,
        row: usize,
        matrix: usize,
        added: Option<Operand>,
    ) -> Result<(AppliedOperator, usize), OperatorError> {
        let Weights { rows, columns, .. } = self.weights[matrix];
        if self.widths[row] != rows {
            return Err(OperatorError::Product { numbers: self.widths[row], rows });
        }
        if let Some(added) = added
            && self.numbers(added)? != columns
            && self.numbers(added)? != 1
        {
            return Err(OperatorError::Added { added: self.numbers(added)?, numbers: columns });
        }
        Ok((AppliedOperator::Product { row, matrix, added }, columns))
    }

    /// How many numbers a row of an operand has.
    fn numbers(&self, operand: Operand) -> Result<usize, OperatorError> {
        match operand {
            Operand::Value(value) => Ok(self.widths[value]),
            Operand::Weights(weights) => match self.weights[weights] {
                Weights { rows: 1, columns, .. } => Ok(columns),
                Weights { .. } => Err(OperatorError::Matrix),
            },
        }
    }

    /// The width of the result of two operands, one of which may be a single number for all.
    fn width(&self, one: Operand, other: Operand) -> Result<usize, OperatorError> {
        // What weights alone come to could be larger than any file.
        if matches!((one, other), (Operand::Weights(_), Operand::Weights(_))) {
            return Err(OperatorError::OnlyWeights);
        }
        match (self.numbers(one)?, self.numbers(other)?) {
            (one, other) if one == other || other == 1 => Ok(one),
            (1, other) => Ok(other),
            (one, other) => Err(OperatorError::Widths(one, other)),
        }
    }
}

/// Whether an operator may have an attribute: those of products are looked at with their values, and a row is all that has an axis.
fn is_allowed(operator: &str, AttributeProto { name, i, r#type, .. }: &AttributeProto) -> bool {
    match operator {
        "Gemm" => true,
        "Concat" | "Softmax" => {
            name == "axis"
                && AttributeType::try_from(*r#type) == Ok(AttributeType::Int)
                && [1, -1].contains(i)
        }
        _ => false,
    }
}
