//! The part of ONNX's files that is read: messages of `onnx.proto` with the fields that networks of this kind have.
//!
//! Fields that are not here are skipped. Names and numbers are those of <https://github.com/onnx/onnx/blob/main/onnx/onnx.proto>.

use prost::{Enumeration, Message, Oneof};

/// A file.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct ModelProto {
    #[prost(message, optional, tag = "7")]
    pub(crate) graph: Option<GraphProto>,
    #[prost(message, repeated, tag = "8")]
    pub(crate) opset_import: Vec<OperatorSetIdProto>,
    #[prost(message, repeated, tag = "14")]
    pub(crate) metadata_props: Vec<StringStringEntryProto>,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct OperatorSetIdProto {
    #[prost(string, tag = "1")]
    pub(crate) domain: String,
    #[prost(int64, tag = "2")]
    pub(crate) version: i64,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct StringStringEntryProto {
    #[prost(string, tag = "1")]
    pub(crate) key: String,
    #[prost(string, tag = "2")]
    pub(crate) value: String,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct GraphProto {
    #[prost(message, repeated, tag = "1")]
    pub(crate) node: Vec<NodeProto>,
    #[prost(message, repeated, tag = "5")]
    pub(crate) initializer: Vec<TensorProto>,
    #[prost(message, repeated, tag = "11")]
    pub(crate) input: Vec<ValueInfoProto>,
    #[prost(message, repeated, tag = "12")]
    pub(crate) output: Vec<ValueInfoProto>,
    #[prost(message, repeated, tag = "15")]
    pub(crate) sparse_initializer: Vec<SparseTensorProto>,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct NodeProto {
    #[prost(string, repeated, tag = "1")]
    pub(crate) input: Vec<String>,
    #[prost(string, repeated, tag = "2")]
    pub(crate) output: Vec<String>,
    #[prost(string, tag = "4")]
    pub(crate) op_type: String,
    #[prost(message, repeated, tag = "5")]
    pub(crate) attribute: Vec<AttributeProto>,
    #[prost(string, tag = "7")]
    pub(crate) domain: String,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct AttributeProto {
    #[prost(string, tag = "1")]
    pub(crate) name: String,
    #[prost(float, tag = "2")]
    pub(crate) f: f32,
    #[prost(int64, tag = "3")]
    pub(crate) i: i64,
    #[prost(enumeration = "AttributeType", tag = "20")]
    pub(crate) r#type: i32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Enumeration)]
#[repr(i32)]
pub(crate) enum AttributeType {
    Undefined = 0,
    Float = 1,
    Int = 2,
}

/// Weights.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct TensorProto {
    #[prost(int64, repeated, tag = "1")]
    pub(crate) dims: Vec<i64>,
    #[prost(int32, tag = "2")]
    pub(crate) data_type: i32,
    #[prost(float, repeated, tag = "4")]
    pub(crate) float_data: Vec<f32>,
    #[prost(string, tag = "8")]
    pub(crate) name: String,
    #[prost(bytes = "vec", tag = "9")]
    pub(crate) raw_data: Vec<u8>,
    #[prost(message, repeated, tag = "13")]
    pub(crate) external_data: Vec<StringStringEntryProto>,
    #[prost(int32, tag = "14")]
    pub(crate) data_location: i32,
}

/// `TensorProto.DataType.FLOAT`, 32 bits.
pub(crate) const FLOAT: i32 = 1;

/// That there are weights of a kind that is not read.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct SparseTensorProto {}

/// An input or an output.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct ValueInfoProto {
    #[prost(string, tag = "1")]
    pub(crate) name: String,
    #[prost(message, optional, tag = "2")]
    pub(crate) r#type: Option<TypeProto>,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct TypeProto {
    #[prost(message, optional, tag = "1")]
    pub(crate) tensor: Option<TensorType>,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct TensorType {
    #[prost(int32, tag = "1")]
    pub(crate) elem_type: i32,
    #[prost(message, optional, tag = "2")]
    pub(crate) shape: Option<TensorShapeProto>,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct TensorShapeProto {
    #[prost(message, repeated, tag = "1")]
    pub(crate) dim: Vec<Dimension>,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct Dimension {
    #[prost(oneof = "DimensionValue", tags = "1, 2")]
    pub(crate) value: Option<DimensionValue>,
}

#[derive(Clone, PartialEq, Oneof)]
pub(crate) enum DimensionValue {
    #[prost(int64, tag = "1")]
    Number(i64),
    #[prost(string, tag = "2")]
    Name(String),
}
