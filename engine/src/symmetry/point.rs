//! The points that symmetries permute, and renamings map: the symbols that occur in values, each in its sort, and the arguments of functions.

use std::{collections::BTreeMap, sync::Arc};

use super::sort::ArgumentPosition;
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
        sort: ArgumentPosition,
        /// Its name.
        symbol: SymbolId,
    },
    /// A function whose values are of a sort.
    Function {
        /// The positions in which its values can occur.
        sort: ArgumentPosition,
        /// Its name.
        symbol: SymbolId,
        /// The sorts of its arguments.
        arguments: Vec<ArgumentPosition>,
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
    places: BTreeMap<(ArgumentPosition, SymbolId, usize), PointId>,
    /// The sorts of [`ValueKind`]s; none if there is no value of the kind.
    sorts: [Option<ArgumentPosition>; 4],
}

impl Points {
    /// No points yet, and the sorts of [`ValueKind`]s.
    pub(super) fn new(sorts: [Option<ArgumentPosition>; 4]) -> Self {
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
    fn find(&self, sort: ArgumentPosition, symbol: SymbolId, arity: usize) -> Option<PointId> {
        self.places.get(&(sort, symbol, arity)).copied()
    }
}

/// A bijection between the points of two programs, perhaps the same, that maps the rules of one to those of the other: applied to
/// values, it maps matches to matches.
#[derive(Clone, Debug)]
pub(crate) struct Bijection {
    points: Arc<Points>,
    others: Arc<Points>,
    images: Vec<PointId>,
}

impl PartialEq for Bijection {
    /// For the same programs.
    fn eq(&self, other: &Self) -> bool {
        self.images == other.images
    }
}

impl Bijection {
    /// An image among `others` for each point.
    pub(super) fn new(points: Arc<Points>, others: Arc<Points>, images: Vec<PointId>) -> Self {
        debug_assert_eq!(points.points.len(), images.len(), "an image for each point");
        Self { points, others, images }
    }

    /// The points that are mapped.
    pub(crate) fn points(&self) -> &[Point] {
        self.points.all()
    }

    /// The sort of all values of a kind, if there are any.
    pub(crate) fn sort(&self, kind: ValueKind) -> Option<ArgumentPosition> {
        self.points.sorts[kind as usize]
    }

    /// The image of each point.
    pub(crate) fn images(&self) -> &[PointId] {
        &self.images
    }

    /// The permutation of the same points that changes nothing.
    pub(crate) fn identity(&self) -> Self {
        let points = || Arc::clone(&self.points);
        Self { points: points(), others: points(), images: (0..self.images.len()).collect() }
    }

    /// Visits the symbols of a value from left to right: each with the number of its arguments, and its point, if rules have it there.
    pub(crate) fn visit<T: Copy>(
        &self,
        value: T,
        kind: ValueKind,
        parts: &impl Fn(T) -> (SymbolId, Vec<T>),
        found: &mut impl FnMut(SymbolId, usize, Option<PointId>),
    ) {
        self.visit_term(value, self.points.sorts[kind as usize], parts, found);
    }

    fn visit_term<T: Copy>(
        &self,
        term: T,
        sort: Option<ArgumentPosition>,
        parts: &impl Fn(T) -> (SymbolId, Vec<T>),
        found: &mut impl FnMut(SymbolId, usize, Option<PointId>),
    ) {
        let (symbol, arguments) = parts(term);
        let point = sort.and_then(|sort| self.points.find(sort, symbol, arguments.len()));
        found(symbol, arguments.len(), point);
        let sorts = match point.map(|point| &self.points.points[point]) {
            Some(Point::Function { arguments, .. }) => &arguments[..],
            _ => &[],
        };
        for (number, &argument) in arguments.iter().enumerate() {
            self.visit_term(argument, sorts.get(number).copied(), parts, found);
        }
    }

    /// First this one, then another of its images.
    pub(crate) fn then(&self, next: &Self) -> Self {
        let images = self.images.iter().map(|&image| next.images[image]).collect();
        Self { points: Arc::clone(&self.points), others: Arc::clone(&next.others), images }
    }

    /// The way back.
    pub(crate) fn inverse(&self) -> Self {
        let mut images = vec![0; self.images.len()];
        self.images.iter().enumerate().for_each(|(point, &image)| images[image] = point);
        Self { points: Arc::clone(&self.others), others: Arc::clone(&self.points), images }
    }

    /// The image of a value, or of a part of one: `parts` takes values apart, `apply` builds images from symbols and arguments, and
    /// what no rule makes becomes what `rest` says.
    pub(crate) fn value<T: Copy, U: Copy>(
        &self,
        value: T,
        kind: ValueKind,
        parts: &impl Fn(T) -> (SymbolId, Vec<T>),
        apply: &mut impl FnMut(SymbolId, &[U]) -> Option<U>,
        rest: &impl Fn(T) -> Option<U>,
    ) -> Option<U> {
        match self.points.sorts[kind as usize] {
            Some(sort) => self.term(value, sort, parts, apply, rest),
            None => rest(value),
        }
    }

    fn term<T: Copy, U: Copy>(
        &self,
        term: T,
        sort: ArgumentPosition,
        parts: &impl Fn(T) -> (SymbolId, Vec<T>),
        apply: &mut impl FnMut(SymbolId, &[U]) -> Option<U>,
        rest: &impl Fn(T) -> Option<U>,
    ) -> Option<U> {
        let (symbol, arguments) = parts(term);
        let Some(point) = self.points.find(sort, symbol, arguments.len()) else { return rest(term) };
        match (&self.points.points[point], &self.others.points[self.images[point]]) {
            (Point::Constant { .. }, Point::Constant { symbol, .. }) => apply(*symbol, &[]),
            (Point::Function { arguments: sorts, .. }, Point::Function { symbol, .. }) => {
                let mut images = vec![None; arguments.len()];
                for (number, (&argument, &sort)) in arguments.iter().zip(sorts).enumerate() {
                    // The arguments of a function follow it.
                    let place = self.images[point + 1 + number];
                    let Point::Argument { number: place, .. } = self.others.points[place] else {
                        return rest(term);
                    };
                    images[place] = Some(self.term(argument, sort, parts, apply, rest)?);
                }
                let images = images.into_iter().collect::<Option<Vec<U>>>()?;
                apply(*symbol, &images)
            }
            _ => rest(term),
        }
    }
}
