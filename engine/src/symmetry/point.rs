//! The points that symmetries permute: the symbols that occur in values, each in its sort, and the arguments of functions.

use std::{collections::BTreeMap, sync::Arc};

use super::sort::Place;
use crate::id::SymbolId;

/// A vertex of a graph.
pub(super) type Vertex = u32;

/// The index of a point.
pub(crate) type PointId = usize;

/// A symbol in a sort, or an argument of one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Point {
    /// A constant of a sort.
    Constant {
        /// The positions in which it can occur.
        sort: Place,
        /// Its name.
        symbol: SymbolId,
    },
    /// A function whose values are of a sort.
    Function {
        /// The positions in which its values can occur.
        sort: Place,
        /// Its name.
        symbol: SymbolId,
        /// The sorts of its arguments.
        arguments: Vec<Place>,
    },
    /// An argument of a function.
    Argument {
        /// The function.
        function: PointId,
        /// Which it is.
        number: usize,
    },
}

/// The kind of a complete value: values of each kind are of one sort.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ValueKind {
    Role,
    Fluent,
    Move,
    Percept,
}

/// The points of a program.
#[derive(Clone, Debug)]
pub(crate) struct Points {
    points: Vec<Point>,
    /// For each point its vertex in the graph.
    vertices: Vec<Vertex>,
    /// Constants and functions by sort, symbol and number of arguments.
    places: BTreeMap<(Place, SymbolId, usize), PointId>,
    /// The sorts of [`ValueKind`]s; none if there is no value of the kind.
    sorts: [Option<Place>; 4],
}

impl Points {
    /// No points yet, and the sorts of [`ValueKind`]s.
    pub(super) fn new(sorts: [Option<Place>; 4]) -> Self {
        Self { points: Vec::new(), vertices: Vec::new(), places: BTreeMap::new(), sorts }
    }

    pub(super) fn add(&mut self, point: Point, vertex: Vertex) -> PointId {
        let id = self.points.len();
        match &point {
            Point::Constant { sort, symbol } => _ = self.places.insert((*sort, *symbol, 0), id),
            Point::Function { sort, symbol, arguments } => {
                self.places.insert((*sort, *symbol, arguments.len()), id);
            }
            Point::Argument { .. } => {}
        }
        self.points.push(point);
        self.vertices.push(vertex);
        id
    }

    /// The vertices of all points, in their order.
    pub(super) fn vertices(&self) -> &[Vertex] {
        &self.vertices
    }

    /// All points.
    pub(crate) fn all(&self) -> &[Point] {
        &self.points
    }

    /// The function or constant with this number of arguments, if rules have it in a sort.
    fn find(&self, sort: Place, symbol: SymbolId, arity: usize) -> Option<PointId> {
        self.places.get(&(sort, symbol, arity)).copied()
    }
}

/// A permutation of points that preserves the rules: applied to values, it maps matches to matches.
#[derive(Clone, Debug)]
pub(crate) struct Permutation {
    points: Arc<Points>,
    images: Vec<PointId>,
}

impl PartialEq for Permutation {
    /// For a single program.
    fn eq(&self, other: &Self) -> bool {
        self.images == other.images
    }
}

impl Permutation {
    pub(super) fn new(points: Arc<Points>, images: Vec<PointId>) -> Self {
        debug_assert_eq!(points.points.len(), images.len(), "an image for each point");
        Self { points, images }
    }

    /// The points that it permutes.
    pub(crate) fn points(&self) -> &[Point] {
        self.points.all()
    }

    /// The sort of all values of a kind, if there are any.
    pub(crate) fn sort(&self, kind: ValueKind) -> Option<Place> {
        self.points.sorts[kind as usize]
    }

    /// The image of each point.
    pub(crate) fn images(&self) -> &[PointId] {
        &self.images
    }

    /// The permutation that changes nothing.
    pub(crate) fn identity(&self) -> Self {
        Self { points: Arc::clone(&self.points), images: (0..self.images.len()).collect() }
    }

    /// First this one, then the other.
    pub(crate) fn then(&self, next: &Self) -> Self {
        let images = self.images.iter().map(|&image| next.images[image]).collect();
        Self { points: Arc::clone(&self.points), images }
    }

    /// The image of a value: `apply` builds terms from symbols and arguments, `parts` takes them apart.
    ///
    /// A value that no rule makes stays as it is.
    pub(crate) fn value<T: Copy>(
        &self,
        value: T,
        kind: ValueKind,
        parts: &impl Fn(T) -> (SymbolId, Vec<T>),
        apply: &mut impl FnMut(SymbolId, &[T]) -> T,
    ) -> T {
        match self.points.sorts[kind as usize] {
            Some(sort) => self.term(value, sort, parts, apply),
            None => value,
        }
    }

    fn term<T: Copy>(
        &self,
        term: T,
        sort: Place,
        parts: &impl Fn(T) -> (SymbolId, Vec<T>),
        apply: &mut impl FnMut(SymbolId, &[T]) -> T,
    ) -> T {
        let (symbol, arguments) = parts(term);
        let Some(point) = self.points.find(sort, symbol, arguments.len()) else { return term };
        match (&self.points.points[point], &self.points.points[self.images[point]]) {
            (Point::Constant { .. }, Point::Constant { symbol, .. }) => apply(*symbol, &[]),
            (Point::Function { arguments: sorts, .. }, Point::Function { symbol, .. }) => {
                let mut images = arguments.clone();
                for (number, (&argument, &sort)) in arguments.iter().zip(sorts).enumerate() {
                    // The arguments of a function follow it.
                    let place = self.images[point + 1 + number];
                    let Point::Argument { number: place, .. } = self.points.points[place] else {
                        return term;
                    };
                    images[place] = self.term(argument, sort, parts, apply);
                }
                apply(*symbol, &images)
            }
            _ => term,
        }
    }
}
