//! Weights: matrices and vectors of finite numbers.

use crate::{
    GraphError,
    onnx::{FLOAT, TensorProto},
};

/// `TensorProto.DataLocation.EXTERNAL`.
const EXTERNAL: i32 = 1;

/// A matrix; a vector is one row of it, and a number a vector of one.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Weights {
    pub(crate) rows: usize,
    pub(crate) columns: usize,
    /// Row by row.
    pub(crate) numbers: Vec<f32>,
}

impl Weights {
    /// The content of a tensor.
    ///
    /// # Errors
    /// [`GraphError`]: another type, other sizes than declared, numbers that are not finite.
    pub(crate) fn read(tensor: &TensorProto) -> Result<Self, GraphError> {
        let name = &tensor.name;
        if name.is_empty() {
            return Err(GraphError::NamelessWeights);
        }
        if tensor.data_type != FLOAT {
            return Err(GraphError::WeightsType(name.clone()));
        }
        if tensor.data_location == EXTERNAL || !tensor.external_data.is_empty() {
            return Err(GraphError::WeightsElsewhere(name.clone()));
        }
        let unfit = || GraphError::WeightsSize(name.clone());
        let sizes: Option<Vec<usize>> =
            tensor.dims.iter().map(|&size| usize::try_from(size).ok().filter(|&size| size > 0)).collect();
        let (rows, columns) = match sizes.as_deref() {
            Some([]) => (1, 1),
            Some(&[columns]) => (1, columns),
            Some(&[rows, columns]) => (rows, columns),
            _ => return Err(unfit()),
        };
        let (raw, rest) = tensor.raw_data.as_chunks();
        let numbers: Vec<f32> = match (raw.is_empty() && rest.is_empty(), tensor.float_data.is_empty()) {
            (true, _) => tensor.float_data.clone(),
            (false, true) if rest.is_empty() => raw.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect(),
            _ => return Err(unfit()),
        };
        if rows.checked_mul(columns) != Some(numbers.len()) {
            return Err(unfit());
        }
        // A rectifier would turn what is no number into 0, and nobody would notice.
        if !numbers.iter().all(|number| number.is_finite()) {
            return Err(GraphError::WeightsDiverged(name.clone()));
        }
        Ok(Self { rows, columns, numbers })
    }

    /// Rows as columns.
    pub(crate) fn transposed(&self) -> Self {
        let Self { rows, columns, numbers } = self;
        let number = |place: usize| numbers[place % rows * columns + place / rows];
        Self { rows: *columns, columns: *rows, numbers: (0..numbers.len()).map(number).collect() }
    }

    /// Every number times another.
    pub(crate) fn times(mut self, factor: f32) -> Self {
        self.numbers.iter_mut().for_each(|number| *number *= factor);
        self
    }
}
