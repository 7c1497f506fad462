//! Generators of the automorphisms of a graph, by individualisation and refinement.

use super::{
    graph::Graph,
    partition::{Partition, Refiner, WorkBudget},
    point::Vertex,
};

/// Automorphisms of a graph, as they act on some of its vertices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Automorphisms {
    /// For each generator the image of each vertex of the graph.
    pub(super) generators: Vec<Vec<Vertex>>,
    /// The number of automorphisms that differ on the requested vertices: the product of these.
    pub(super) factors: Vec<u32>,
    /// Whether these are all.
    pub(super) is_whole: bool,
}

/// One step of the path that all others are compared with.
struct PathStep {
    /// Before a vertex is put into a cell of its own.
    partition: Partition,
    /// The cell of that vertex.
    cell: u32,
    vertex: Vertex,
    /// Of the refinement after it.
    trace: u64,
}

/// A search for the automorphisms of a graph.
struct AutomorphismSearch<'g> {
    graph: &'g Graph,
    refiner: Refiner<'g>,
    work: WorkBudget,
    levels: Vec<PathStep>,
    /// The cells of which a vertex is individualised when all requested vertices are.
    last_cells: Vec<u32>,
    /// The vertices at the end of the path.
    leaf: Vec<Vertex>,
    is_whole: bool,
}

/// The automorphisms of a graph as they act on `points`, found with at most this much work: edges followed and vertices
/// copied. The search is complete unless the work runs out or a choice among vertices that are not points turns out wrong.
///
/// # Sources
/// B. D. McKay: Practical graph isomorphism, Congressus Numerantium 30 (1981); P. T. Darga, M. H. Liffiton, K. A.
/// Sakallah, I. L. Markov: Exploiting structure in symmetry detection for CNF, DAC 2004. Of these the first path, the
/// traces and the orbits; every permutation is checked against all arrows.
pub(super) fn automorphisms(graph: &Graph, points: &[Vertex], work: u64) -> Automorphisms {
    let mut search = AutomorphismSearch {
        graph,
        refiner: Refiner::new(graph),
        work: WorkBudget { left: work },
        levels: Vec::new(),
        last_cells: Vec::new(),
        leaf: Vec::new(),
        is_whole: true,
    };
    search.descend(points);
    if search.work.is_spent() {
        return Automorphisms { generators: Vec::new(), factors: Vec::new(), is_whole: false };
    }
    let mut orbits = Orbits::new(graph.colours.len());
    let (mut generators, mut factors) = (Vec::new(), Vec::new());
    for depth in (0..search.levels.len()).rev() {
        let PathStep { partition, cell, vertex, .. } = &search.levels[depth];
        let vertex = *vertex;
        let candidates = partition.cell(*cell).to_vec();
        let mut failed: Vec<Vertex> = Vec::new();
        for candidate in candidates.iter().copied() {
            let is_known = |orbits: &Orbits, other: Vertex| orbits.find(candidate) == orbits.find(other);
            if is_known(&orbits, vertex) || failed.iter().any(|&other| is_known(&orbits, other)) {
                continue;
            }
            match search.mapping(depth, candidate) {
                Some(images) => {
                    orbits.join_all(&images);
                    generators.push(images);
                }
                None => failed.push(candidate),
            }
        }
        let orbit = candidates.iter().filter(|&&other| orbits.find(other) == orbits.find(vertex)).count();
        factors.push(u32::try_from(orbit).expect("fewer than 2^32 vertices"));
    }
    Automorphisms { generators, factors, is_whole: search.is_whole }
}

impl AutomorphismSearch<'_> {
    /// Makes the path: first the points are set apart, then whatever is left.
    fn descend(&mut self, points: &[Vertex]) {
        let mut partition = Partition::by_colours(self.graph);
        self.refiner.refine_all(&mut partition, &mut self.work);
        loop {
            let cells =
                points.iter().map(|&point| partition.cell_of(point)).filter(|&(_, length)| length > 1);
            let Some((_, cell)) = cells.map(|(cell, length)| (length, cell)).min() else { break };
            if self.work.is_spent() {
                return;
            }
            let vertex = partition.cell(cell)[0];
            self.work.spend(self.graph.colours.len());
            let before = partition.clone();
            let trace = self.refiner.individualise(&mut partition, vertex, &mut self.work);
            self.levels.push(PathStep { partition: before, cell, vertex, trace });
        }
        let mut place = 0;
        while place < partition.elements().len() && !self.work.is_spent() {
            let (cell, length) = partition.cell_of(partition.elements()[place]);
            if length == 1 {
                place += 1;
                continue;
            }
            let vertex = partition.cell(cell)[0];
            self.last_cells.push(cell);
            self.refiner.individualise(&mut partition, vertex, &mut self.work);
        }
        self.leaf = partition.elements().to_vec();
    }

    /// An automorphism that keeps the vertices of all levels before `depth` and maps that of `depth` to another.
    fn mapping(&mut self, depth: usize, image: Vertex) -> Option<Vec<Vertex>> {
        let partition = self.levels[depth].partition.clone();
        self.follow(partition, depth, image)
    }

    fn follow(&mut self, mut partition: Partition, depth: usize, image: Vertex) -> Option<Vec<Vertex>> {
        self.work.spend(self.graph.colours.len());
        if self.work.is_spent() {
            self.is_whole = false;
            return None;
        }
        let trace = self.refiner.individualise(&mut partition, image, &mut self.work);
        if trace != self.levels[depth].trace {
            return None;
        }
        let Some(next) = self.levels.get(depth + 1) else { return self.finish(partition) };
        let candidates = partition.cell(next.cell).to_vec();
        // Traces are hashes: the cells of different partitions can differ though their traces do not.
        if candidates.len() != next.partition.cell(next.cell).len() {
            return None;
        }
        candidates.into_iter().find_map(|image| self.follow(partition.clone(), depth + 1, image))
    }

    /// The permutation that a partition with all points apart represents, if it is an automorphism.
    fn finish(&mut self, mut partition: Partition) -> Option<Vec<Vertex>> {
        let mut is_alike = true;
        for cell in self.last_cells.clone() {
            let Some(&image) = partition.cell(cell).first() else {
                is_alike = false;
                break;
            };
            self.refiner.individualise(&mut partition, image, &mut self.work);
        }
        let mut images = vec![0; self.leaf.len()];
        for (&vertex, &image) in self.leaf.iter().zip(partition.elements()) {
            images[vertex as usize] = image;
        }
        let found = (is_alike && self.graph.maps_to(self.graph, &images)).then_some(images);
        // Another choice among vertices that are no points might have done.
        self.is_whole &= found.is_some() || self.last_cells.is_empty();
        found
    }
}

/// Which vertices automorphisms map to each other.
struct Orbits {
    parents: Vec<Vertex>,
}

impl Orbits {
    fn new(count: usize) -> Self {
        Self { parents: (0..).take(count).collect() }
    }

    fn find(&self, vertex: Vertex) -> Vertex {
        let mut root = vertex;
        while self.parents[root as usize] != root {
            root = self.parents[root as usize];
        }
        root
    }

    fn join_all(&mut self, images: &[Vertex]) {
        for (vertex, &image) in (0..).zip(images) {
            let (one, other) = (self.find(vertex), self.find(image));
            let (low, high) = (one.min(other), one.max(other));
            self.parents[high as usize] = low;
        }
    }
}
