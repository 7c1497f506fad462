//! Symmetries of rules: permutations of the symbols in terms that leave the rules unchanged.
//!
//! The stages are one file each. Everything that is the same in every state is evaluated (`partial.rs`), which leaves
//! clauses (`clause.rs`) without arbitrary orders, such as an order of suits. Symbols are distinguished by the argument
//! positions in which they can occur (`sort.rs`). A graph has a vertex for each symbol, clause, literal and term (`graph.rs`); its
//! automorphisms (`search.rs`, `partition.rs`) are the symmetries, which act on terms (`point.rs`).

mod clause;
mod graph;
mod partial;
mod partition;
mod point;
mod search;
mod sort;

use std::sync::Arc;

use graph::Builder;
use sort::Sorts;

use point::Vertex;
pub(crate) use point::{Permutation, Point, PointId, Points, ValueKind};

use crate::{
    limits::{LimitError, Limits},
    rules::{DependencyGraph, Program},
};

/// Maximum number of clauses for which a graph is built.
const CLAUSES_MAX: usize = 200_000;

/// The symmetries found for a program.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    /// From which all others follow.
    pub(crate) generators: Vec<Permutation>,
    /// Their number is the product of these.
    pub(crate) factors: Vec<u32>,
    /// Whether there are no others.
    pub(crate) is_whole: bool,
}

/// The symmetries of a program in which `chance` names the role of chance, found with at most so much work.
///
/// # Errors
/// If the relations that are the same in every state exceed the limits.
pub(crate) fn find(
    program: &Program,
    graph: &DependencyGraph,
    chance: &str,
    limits: &Limits,
    work: u64,
) -> Result<Found, LimitError> {
    let clauses = partial::clauses(program, graph, limits)?;
    if clauses.len() > CLAUSES_MAX {
        return Ok(Found { generators: Vec::new(), factors: Vec::new(), is_whole: false });
    }
    let sorts = Sorts::of(program, &clauses);
    let (graph, points) = Builder::graph(program, &sorts, &clauses, chance);
    let found = search::automorphisms(&graph, points.vertices(), work);
    let points = Arc::new(points);
    let generators = found.generators.iter().map(|images| permutation(&points, images, graph.colours.len()));
    Ok(Found { generators: generators.collect(), factors: found.factors, is_whole: found.is_whole })
}

/// The action of an automorphism on the points.
fn permutation(points: &Arc<Points>, images: &[Vertex], vertices: usize) -> Permutation {
    let mut point_at: Vec<PointId> = vec![usize::MAX; vertices];
    for (point, &vertex) in points.vertices().iter().enumerate() {
        point_at[vertex as usize] = point;
    }
    let image = |&vertex: &Vertex| point_at[images[vertex as usize] as usize];
    Permutation::new(Arc::clone(points), points.vertices().iter().map(image).collect())
}

#[cfg(test)]
mod tests;
