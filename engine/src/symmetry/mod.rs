//! Symmetries of rules: permutations of the symbols in terms that leave the rules unchanged.
//!
//! The stages are one file each. Everything that is the same in every state is evaluated (`partial.rs`), which leaves
//! clauses (`clause.rs`) without orders that only name things: hold'em orders its suits to name each pair of them once.
//! Symbols are distinguished by the argument positions in which they can occur (`sort.rs`), so that a board can be
//! mirrored in one direction, or columns can become rows. A graph has a vertex for each symbol, position, clause, literal
//! and term (`graph.rs`). Generators of its automorphisms are found by individualisation and refinement (`partition.rs`,
//! `search.rs`), and each is checked against all edges. They are the symmetries, which act on terms (`point.rs`);
//! `game/symmetries.rs` maps them to roles, moves, fluents and percepts.
//!
//! Two programs whose graphs are isomorphic (`isomorphism.rs`) have the same rules but for names and order: both graphs
//! are refined alike and searched for an isomorphism. The graphs do not contain what is the same in every state, so two
//! programs may say that in different ways. `Game::renaming_to` returns the renaming; files of strategies, which carry
//! the rules that they were made for, are matched to games by it (`agents/belief/src/names.rs`).

mod clause;
mod graph;
mod isomorphism;
mod partial;
mod partition;
mod point;
mod search;
mod sort;

use std::sync::Arc;

use clause::Clause;
use graph::{Colour, Graph, GraphBuilder};
use sort::Sorts;

pub(crate) use partial::KeptRelations;
pub(crate) use point::{Bijection, Point, PointId, ValueKind};
use point::{Points, Vertex};

use crate::{
    limits::{LimitError, Limits},
    rules::{DependencyGraph, Program},
};

/// Maximum number of clauses for which a graph is built.
const CLAUSES_MAX: usize = 200_000;

/// The symmetries found for a program.
#[derive(Clone, Debug)]
pub(crate) struct SymmetryGroup {
    /// From which all others follow.
    pub(crate) generators: Vec<Bijection>,
    /// Their number is the product of these.
    pub(crate) factors: Vec<u32>,
    /// Whether there are no others.
    pub(crate) is_whole: bool,
}

/// A program to look for symmetries or renamings in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SearchedProgram<'p> {
    pub(crate) program: &'p Program,
    pub(crate) dependencies: &'p DependencyGraph,
    pub(crate) limits: &'p Limits,
}

/// The graph of a program.
struct Drawn<'p> {
    graph: Graph,
    points: Arc<Points>,
    /// What its colours mean.
    palette: Vec<Colour<'p>>,
}

/// The symmetries of a program in which `chance` names the role of chance, as far as the kept relations go, found with at most so much work.
///
/// # Errors
/// If the relations that are the same in every state exceed the limits.
pub(crate) fn find(
    subject: SearchedProgram<'_>,
    chance: &str,
    kept: KeptRelations,
    work: u64,
) -> Result<SymmetryGroup, LimitError> {
    let clauses = subject.evaluated(kept)?;
    if clauses.len() > CLAUSES_MAX {
        return Ok(SymmetryGroup { generators: Vec::new(), factors: Vec::new(), is_whole: false });
    }
    Ok(subject.drawn(&clauses, chance, |Drawn { graph, points, .. }| {
        let found = search::automorphisms(&graph, points.vertices(), work);
        let permutation = |images: &Vec<Vertex>| bijection(&points, &points, images);
        let generators = found.generators.iter().filter_map(permutation).collect();
        SymmetryGroup { generators, factors: found.factors, is_whole: found.is_whole }
    }))
}

/// How one program becomes another by other names and another order, found with at most so much work; `None` if it does not, or
/// if that was not found. Where there would be too many clauses otherwise, nothing is evaluated.
pub(crate) fn renaming(
    one: SearchedProgram<'_>,
    other: SearchedProgram<'_>,
    chance: &str,
    work: u64,
) -> Option<Bijection> {
    let [clauses, others] = [one, other].map(|subject| {
        let evaluated =
            subject.evaluated(KeptRelations::All).ok().filter(|clauses| clauses.len() <= CLAUSES_MAX);
        evaluated.unwrap_or_else(|| partial::written(subject.program, subject.dependencies))
    });
    if clauses.len() != others.len() || clauses.len() > CLAUSES_MAX {
        return None;
    }
    one.drawn(&clauses, chance, |one| {
        other.drawn(&others, chance, |other| {
            if one.palette != other.palette {
                return None;
            }
            let images = isomorphism::isomorphism(&one.graph, &other.graph, work)?;
            bijection(&one.points, &other.points, &images)
        })
    })
}

impl SearchedProgram<'_> {
    fn evaluated(&self, kept: KeptRelations) -> Result<Vec<Clause>, LimitError> {
        partial::clauses(self.program, self.dependencies, self.limits, kept)
    }

    /// What a function makes of the graph of some clauses.
    fn drawn<T>(&self, clauses: &[Clause], chance: &str, then: impl FnOnce(Drawn<'_>) -> T) -> T {
        let sorts = Sorts::of(self.program, clauses);
        let (graph, points, palette) = GraphBuilder::graph(self.program, &sorts, clauses, chance);
        then(Drawn { graph, points: Arc::new(points), palette })
    }
}

/// The action of a bijection of vertices on points; `None` if it maps some to what is none.
fn bijection(points: &Arc<Points>, others: &Arc<Points>, images: &[Vertex]) -> Option<Bijection> {
    let mut point_at: Vec<Option<PointId>> = vec![None; images.len()];
    for (point, &vertex) in others.vertices().iter().enumerate() {
        point_at[vertex as usize] = Some(point);
    }
    let image = |&vertex: &Vertex| point_at[images[vertex as usize] as usize];
    let images = points.vertices().iter().map(image).collect::<Option<Vec<PointId>>>()?;
    Some(Bijection::new(Arc::clone(points), Arc::clone(others), images))
}

#[cfg(test)]
mod tests;
