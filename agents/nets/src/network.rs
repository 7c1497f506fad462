//! A network, ready to be computed.

use std::{fmt, sync::Arc};

use tract_onnx::{
    pb::ModelProto,
    prelude::{Framework, InferenceModelExt, IntoRunnable, Tensor, TractError, TypedRunnableModel, tvec},
    tract_hir::infer::InferenceModel,
};

use crate::{NetError, graph::checked};

/// Numbers of a value in between, at most: far more than any layer has, and little memory.
const VALUE_MAX: usize = 1 << 24;

/// A function from one row of numbers to another.
pub(crate) struct Network {
    model: Arc<TypedRunnableModel>,
    inputs: usize,
    outputs: usize,
}

/// Reads an ONNX file, without a look at its graph.
pub(crate) fn read(mut bytes: &[u8]) -> Result<ModelProto, NetError> {
    let not_onnx = |problem: String| NetError::NotOnnx { problem };
    let file = tract_onnx::onnx().proto_model_for_read(&mut bytes);
    let file = file.map_err(|error| not_onnx(chain(&error)))?;
    if file.graph.is_none() {
        return Err(not_onnx("it has no graph".to_owned()));
    }
    Ok(file)
}

impl Network {
    /// The network of a file that reads and writes so many numbers.
    ///
    /// # Errors
    /// [`NetError::Network`] if it is none of that kind.
    pub(crate) fn new(file: ModelProto, inputs: usize, outputs: usize) -> Result<Self, NetError> {
        let unfit = |problem: String| NetError::Network { problem };
        let file = checked(file, inputs).map_err(unfit)?;
        let model = prepare(&file).map_err(|error| unfit(chain(&error)))?;
        let network = Self { model, inputs, outputs };
        // What fails for one row fails for all, and is better known before a match.
        let found = network.compute(vec![0.0; inputs]).map_err(unfit)?.len();
        if found != outputs {
            return Err(unfit(format!("it writes {found} numbers, and the names in the file are {outputs}")));
        }
        Ok(network)
    }

    /// What it makes of a row; the numbers need not be finite.
    ///
    /// # Errors
    /// What is wrong, as a clause.
    pub(crate) fn compute(&self, row: Vec<f32>) -> Result<Vec<f32>, String> {
        let run = || -> Result<Vec<f32>, TractError> {
            let input = Tensor::from_shape(&[1, self.inputs], &row)?;
            let found = self.model.run(tvec![input.into()])?;
            let Some(output) = found.first() else { return Ok(Vec::new()) };
            Ok(output.to_plain_array_view::<f32>()?.iter().copied().collect())
        };
        run().map_err(|error| chain(&error))
    }
}

fn prepare(file: &ModelProto) -> Result<Arc<TypedRunnableModel>, TractError> {
    let mut model = tract_onnx::onnx().model_for_proto_model(file)?;
    model.analyse(false)?;
    check_sizes(&model)?;
    model.into_optimized()?.into_runnable()
}

/// Refuses what takes more memory than a network has any use for.
fn check_sizes(model: &InferenceModel) -> Result<(), TractError> {
    for outlet in model.nodes().iter().flat_map(|node| &node.outputs) {
        let sizes = outlet.fact.shape.as_concrete_finite()?;
        let count =
            sizes.and_then(|sizes| sizes.iter().try_fold(1_usize, |count, &size| count.checked_mul(size)));
        if count.is_none_or(|count| count > VALUE_MAX) {
            return Err(TractError::msg(
                "the sizes of its layers do not follow from its input, or are too large",
            ));
        }
    }
    Ok(())
}

/// An error with its causes, in one line.
fn chain(error: &TractError) -> String {
    let causes: Vec<String> = error.chain().map(ToString::to_string).collect();
    causes.join(": ").replace('\n', " ")
}

impl fmt::Debug for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Network")
            .field("inputs", &self.inputs)
            .field("outputs", &self.outputs)
            .finish_non_exhaustive()
    }
}
