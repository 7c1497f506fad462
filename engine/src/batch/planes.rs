//! Planes beside those of a tape.

use super::{
    Plane, Width,
    kernel::{Kernels, kernels},
    plane::Slots,
};
use crate::propnet::Operand;

/// A list of planes: additional data about many matches, which can be extracted as rows.
///
/// ```
/// use croupier_engine::batch::{Plane, Planes};
///
/// let mut planes = Planes::<1>::new(2);
/// planes.set(1, Plane::first(2));
/// let mut rows = Vec::new();
/// planes.append_rows(Plane::first(3), &mut rows);
/// assert_eq!(rows, [0b10, 0b10, 0]);
/// ```
#[derive(Clone, Debug)]
pub struct Planes<const W: usize> {
    slots: Slots<W>,
    places: Vec<Operand>,
    kernels: &'static Kernels<W>,
}

impl<const W: usize> Planes<W> {
    /// This many planes, false in every lane.
    #[must_use]
    pub fn new(count: usize) -> Self
    where
        Plane<W>: Width<W>,
    {
        let places = (0..count).map(Operand::at).collect();
        Self { slots: Slots::new(count), places, kernels: kernels() }
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// The plane in a place.
    ///
    /// # Panics
    /// If the index is out of range.
    #[must_use]
    #[inline]
    pub fn get(&self, place: usize) -> Plane<W> {
        Plane(self.slots.as_planes()[..self.len()][place])
    }

    /// Puts a plane in a place.
    ///
    /// # Panics
    /// If the index is out of range.
    #[inline]
    pub fn set(&mut self, place: usize, plane: Plane<W>) {
        let count = self.len();
        self.slots.as_planes_mut()[..count][place] = plane.0;
    }

    /// Appends what all planes say of some lanes as rows with a bit for each plane, bit `p % 64` of word `p / 64`, in ascending
    /// order of the lanes.
    pub fn append_rows(&self, lanes: Plane<W>, rows: &mut Vec<u64>) {
        let first = rows.len();
        rows.resize(first + self.len().div_ceil(64) * lanes.count() as usize, 0);
        (self.kernels.store_rows)(&self.places, self.slots.as_planes(), lanes, &mut rows[first..]);
    }
}
