//! The graph of an ONNX file, looked through before anything is computed with it.
//!
//! What computes networks is made for files that their owners trust: it reads weights from other files, and a name that is missing or
//! a size that is wrong can end the process. So it is only given what this file has understood: a graph that is built anew from
//! operators with a known meaning, weights of the sizes that they claim, and names that were said before they are used.

use std::{collections::BTreeSet, ops::RangeInclusive};

use tract_onnx::pb::{
    AttributeProto, GraphProto, ModelProto, NodeProto, OperatorSetIdProto, TensorProto, TensorShapeProto,
    TypeProto, ValueInfoProto,
    attribute_proto::AttributeType,
    tensor_proto::{DataLocation, DataType},
    tensor_shape_proto::{Dimension, dimension},
    type_proto,
};

/// The operators that a network may have.
pub const OPERATORS: [&str; 9] =
    ["Add", "Gemm", "Identity", "MatMul", "Mul", "Relu", "Sigmoid", "Sub", "Tanh"];

/// Versions of ONNX's operator set in which they mean the same.
pub const OPERATOR_SETS: RangeInclusive<i64> = 13..=25;

/// The name of the input.
pub(crate) const INPUT: &str = "observation";

/// The name of the output.
pub(crate) const OUTPUT: &str = "logits";

/// Attributes of `Gemm`, the only operator here that has any.
const ATTRIBUTES: [&str; 4] = ["alpha", "beta", "transA", "transB"];

/// The same network for one row of `inputs` numbers, with nothing in it that was not looked at.
///
/// # Errors
/// What is wrong, as a clause.
pub(crate) fn checked(file: ModelProto, inputs: usize) -> Result<ModelProto, String> {
    let opset_import = operator_set(&file)?;
    let graph = file.graph.ok_or("it has no graph")?;
    if !graph.sparse_initializer.is_empty() {
        return Err("it has sparse weights; export them dense".to_owned());
    }
    let mut weights: BTreeSet<&str> = BTreeSet::new();
    for tensor in &graph.initializer {
        check_weights(tensor)?;
        if !weights.insert(&tensor.name) {
            return Err(format!("it has two weights {:?}", tensor.name));
        }
    }
    check_ends(&graph, &weights, inputs)?;
    check_nodes(&graph.node, &weights)?;
    let initializer = graph.initializer.iter().map(weights_again).collect();
    let node = graph.node.iter().map(node_again).collect();
    let output = ValueInfoProto { name: OUTPUT.to_owned(), ..ValueInfoProto::default() };
    let graph = GraphProto {
        node,
        initializer,
        input: vec![row(INPUT, inputs)],
        output: vec![output],
        ..GraphProto::default()
    };
    Ok(ModelProto { opset_import: vec![opset_import], graph: Some(graph), ..ModelProto::default() })
}

fn operator_set(file: &ModelProto) -> Result<OperatorSetIdProto, String> {
    let found = file.opset_import.iter().find(|set| set.domain.is_empty() || set.domain == "ai.onnx");
    let version = found.map(|set| set.version).ok_or("it names no operator set")?;
    if !OPERATOR_SETS.contains(&version) {
        let (first, last) = OPERATOR_SETS.into_inner();
        return Err(format!("its operator set is {version}; export it with one from {first} to {last}"));
    }
    Ok(OperatorSetIdProto { version, ..OperatorSetIdProto::default() })
}

/// Whether a tensor has as many numbers of 32 bits as its sizes say, and all are finite.
fn check_weights(tensor: &TensorProto) -> Result<(), String> {
    let name = &tensor.name;
    if name.is_empty() {
        return Err("it has weights without a name".to_owned());
    }
    if tensor.data_type != DataType::Float as i32 {
        return Err(format!("the weights {name:?} are not float32"));
    }
    if tensor.data_location == Some(DataLocation::External as i32) || !tensor.external_data.is_empty() {
        return Err(format!("the weights {name:?} are in another file; export them inside the ONNX file"));
    }
    let sizes = tensor.dims.iter().map(|&size| usize::try_from(size).ok().filter(|&size| size > 0));
    let claimed = sizes.clone().try_fold(1_usize, |product, size| product.checked_mul(size?));
    let (raw, listed) = (tensor.raw_data.len(), tensor.float_data.len());
    let is_whole = claimed.is_some_and(|count| match raw {
        0 => listed == count,
        raw => listed == 0 && count.checked_mul(4) == Some(raw),
    });
    if tensor.dims.len() > 2 || !is_whole {
        return Err(format!("the weights {name:?} are not a vector or matrix of the size that they claim"));
    }
    // A rectifier would turn what is no number into 0, and nobody would notice.
    let raw = tensor.raw_data.as_chunks().0.iter().map(|&bytes| f32::from_le_bytes(bytes));
    match raw.chain(tensor.float_data.iter().copied()).all(f32::is_finite) {
        true => Ok(()),
        false => Err(format!("the weights {name:?} are not all finite; the training has diverged")),
    }
}

/// Whether the graph has the one input and the one output.
fn check_ends(graph: &GraphProto, weights: &BTreeSet<&str>, inputs: usize) -> Result<(), String> {
    let open = graph.input.iter().filter(|input| !weights.contains(&*input.name));
    let [input] = open.collect::<Vec<_>>()[..] else {
        return Err(format!("it has to have one input, {INPUT:?}"));
    };
    if input.name != INPUT {
        return Err(format!("its input is called {:?} and not {INPUT:?}", input.name));
    }
    let Some(type_proto::Value::TensorType(tensor)) = input.r#type.as_ref().and_then(|it| it.value.as_ref())
    else {
        return Err(format!("its input {INPUT:?} has no type"));
    };
    let shape = tensor.shape.as_ref().map_or(&[][..], |shape| &shape.dim[..]);
    let [_, width] = shape else { return Err(format!("its input {INPUT:?} is not of the shape [N, F]")) };
    if tensor.elem_type != DataType::Float as i32 {
        return Err(format!("its input {INPUT:?} is not float32"));
    }
    match &width.value {
        Some(dimension::Value::DimValue(width)) if usize::try_from(*width) != Ok(inputs) => {
            return Err(format!("it reads {width} numbers, and the names in the file are {inputs}"));
        }
        _ => {}
    }
    match &graph.output[..] {
        [output] if output.name == OUTPUT => Ok(()),
        _ => Err(format!("it has to have one output, {OUTPUT:?}")),
    }
}

/// Whether every node is an operator with a known meaning, of values that are there.
fn check_nodes(nodes: &[NodeProto], weights: &BTreeSet<&str>) -> Result<(), String> {
    let mut computed: BTreeSet<&str> = [INPUT].into();
    for node in nodes {
        let operator = &node.op_type;
        let is_known = node.domain.is_empty() || node.domain == "ai.onnx";
        if !is_known || !OPERATORS.contains(&operator.as_str()) {
            return Err(format!(
                "it has the operator {operator:?}; a seat computes {}",
                OPERATORS.join(", ")
            ));
        }
        let (fewest, most) = operands(operator);
        if node.input.len() < fewest || node.input.len() > most || node.output.len() != 1 {
            return Err(format!("an operator {operator} has a wrong number of operands"));
        }
        if let Some(missing) =
            node.input.iter().find(|name| !weights.contains(&***name) && !computed.contains(&***name))
        {
            return Err(format!(
                "an operator {operator} reads {missing:?}, which nothing before it computes"
            ));
        }
        // What weights alone come to could be larger than any file.
        if !node.input.iter().any(|name| computed.contains(&**name)) {
            return Err(format!("an operator {operator} has weights alone as operands"));
        }
        let [output] = &node.output[..] else { continue };
        if output.is_empty() || weights.contains(&**output) || !computed.insert(output) {
            return Err(format!("an operator {operator} computes {output:?}, which there is already"));
        }
        if let Some(attribute) = node.attribute.iter().find(|attribute| !is_plain(operator, attribute)) {
            return Err(format!("an operator {operator} has the attribute {:?}", attribute.name));
        }
    }
    match computed.contains(OUTPUT) {
        true => Ok(()),
        false => Err(format!("nothing in it computes {OUTPUT:?}")),
    }
}

/// The fewest and the most operands of an operator.
fn operands(operator: &str) -> (usize, usize) {
    match operator {
        "Gemm" => (2, 3),
        "Add" | "MatMul" | "Mul" | "Sub" => (2, 2),
        _ => (1, 1),
    }
}

fn is_plain(operator: &str, attribute: &AttributeProto) -> bool {
    let number = [AttributeType::Float as i32, AttributeType::Int as i32];
    operator == "Gemm" && ATTRIBUTES.contains(&&*attribute.name) && number.contains(&attribute.r#type)
}

fn weights_again(tensor: &TensorProto) -> TensorProto {
    TensorProto {
        name: tensor.name.clone(),
        data_type: tensor.data_type,
        dims: tensor.dims.clone(),
        float_data: tensor.float_data.clone(),
        raw_data: tensor.raw_data.clone(),
        ..TensorProto::default()
    }
}

/// The same node, called after what it computes.
fn node_again(node: &NodeProto) -> NodeProto {
    let attribute = |attribute: &AttributeProto| AttributeProto {
        name: attribute.name.clone(),
        r#type: attribute.r#type,
        f: attribute.f,
        i: attribute.i,
        ..AttributeProto::default()
    };
    NodeProto {
        name: node.output.concat(),
        op_type: node.op_type.clone(),
        input: node.input.clone(),
        output: node.output.clone(),
        attribute: node.attribute.iter().map(attribute).collect(),
        ..NodeProto::default()
    }
}

/// An input of one row.
fn row(name: &str, width: usize) -> ValueInfoProto {
    let dimension = |size: usize| Dimension {
        value: Some(dimension::Value::DimValue(i64::try_from(size).expect("a width below 2^63"))),
        ..Dimension::default()
    };
    let shape = TensorShapeProto { dim: vec![dimension(1), dimension(width)] };
    let tensor = type_proto::Tensor { elem_type: DataType::Float as i32, shape: Some(shape) };
    let value = Some(type_proto::Value::TensorType(tensor));
    ValueInfoProto {
        name: name.to_owned(),
        r#type: Some(TypeProto { value, ..TypeProto::default() }),
        ..ValueInfoProto::default()
    }
}
