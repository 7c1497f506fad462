//! Ordered partitions of the vertices of a graph, and their refinement.

use super::{graph::Graph, point::Vertex};

/// The remaining work budget of a search, in edges followed and vertices copied.
#[derive(Clone, Copy, Debug)]
pub(super) struct WorkBudget {
    pub(super) left: u64,
}

impl WorkBudget {
    pub(super) fn spend(&mut self, amount: usize) {
        self.left = self.left.saturating_sub(amount as u64);
    }

    pub(super) fn is_spent(self) -> bool {
        self.left == 0
    }
}

/// Vertices in consecutive cells. A cell is identified by its start.
#[derive(Clone, Debug)]
pub(super) struct Partition {
    /// The vertices, cell by cell.
    elements: Vec<Vertex>,
    /// For each vertex its place in `elements`.
    places: Vec<u32>,
    /// For each vertex its cell.
    cells: Vec<u32>,
    /// For each cell how many vertices it has; zero where none begins.
    lengths: Vec<u32>,
    cells_count: usize,
}

/// Working memory of refinements of one graph.
#[derive(Debug)]
pub(super) struct Refiner<'g> {
    graph: &'g Graph,
    /// For each vertex the number of its edges from the splitting cell; zero between splits.
    counts: Vec<u32>,
    touched: Vec<Vertex>,
    queue: Vec<u32>,
    is_queued: Vec<bool>,
}

impl Partition {
    /// The vertices of each colour in a cell, ascending.
    pub(super) fn by_colours(graph: &Graph) -> Self {
        let count = graph.colours.len();
        let mut elements: Vec<Vertex> = (0..).take(count).collect();
        elements.sort_by_key(|&vertex| graph.colours[vertex as usize]);
        let mut partition = Self {
            places: vec![0; count],
            cells: vec![0; count],
            lengths: vec![0; count],
            cells_count: 0,
            elements,
        };
        let mut cell = 0;
        for place in 0..count {
            let colour = |place: usize| graph.colours[partition.elements[place] as usize];
            if place > 0 && colour(place) != colour(place - 1) {
                cell = place;
            }
            let vertex = partition.elements[place] as usize;
            partition.places[vertex] = index(place);
            partition.cells[vertex] = index(cell);
            partition.lengths[cell] += 1;
            partition.cells_count += usize::from(cell == place);
        }
        partition
    }

    /// The vertices, cell by cell.
    pub(super) fn elements(&self) -> &[Vertex] {
        &self.elements
    }

    /// The cell of a vertex, and how many vertices it has.
    pub(super) fn cell_of(&self, vertex: Vertex) -> (u32, u32) {
        let cell = self.cells[vertex as usize];
        (cell, self.lengths[cell as usize])
    }

    /// How many cells there are.
    pub(super) fn cells_count(&self) -> usize {
        self.cells_count
    }

    /// The first of the smallest cells with more than one vertex.
    pub(super) fn smallest_cell(&self) -> Option<u32> {
        let cells = (0..).zip(&self.lengths).filter(|&(_, &length)| length > 1);
        cells.min_by_key(|&(_, &length)| length).map(|(cell, _)| cell)
    }

    /// Whether cells begin and end where those of another partition do.
    pub(super) fn has_cells_of(&self, other: &Self) -> bool {
        self.lengths == other.lengths
    }

    /// The vertices of a cell.
    pub(super) fn cell(&self, cell: u32) -> &[Vertex] {
        &self.elements[cell as usize..(cell + self.lengths[cell as usize]) as usize]
    }

    fn swap(&mut self, place: u32, vertex: Vertex) {
        let (other, from) = (self.elements[place as usize], self.places[vertex as usize]);
        self.elements.swap(place as usize, from as usize);
        (self.places[vertex as usize], self.places[other as usize]) = (place, from);
    }

    /// Makes the last vertices of a cell a cell of their own.
    fn cut(&mut self, cell: u32, from: u32) {
        let end = cell + self.lengths[cell as usize];
        for place in from..end {
            self.cells[self.elements[place as usize] as usize] = from;
        }
        self.lengths[cell as usize] = from - cell;
        self.lengths[from as usize] = end - from;
        self.cells_count += 1;
    }
}

impl<'g> Refiner<'g> {
    pub(super) fn new(graph: &'g Graph) -> Self {
        let count = graph.colours.len();
        Self {
            graph,
            counts: vec![0; count],
            touched: Vec::new(),
            queue: Vec::new(),
            is_queued: vec![false; count],
        }
    }

    /// Refines a partition until all vertices of a cell have as many edges to, and from, each cell.
    ///
    /// The returned trace depends only on the graph and the partition, and not on the numbers of vertices.
    pub(super) fn refine_all(&mut self, partition: &mut Partition, work: &mut WorkBudget) -> u64 {
        let cells = (0..partition.lengths.len()).filter(|&cell| partition.lengths[cell] > 0);
        let cells: Vec<u32> = cells.map(index).collect();
        cells.into_iter().rev().for_each(|cell| self.push(cell));
        self.refine(partition, work)
    }

    /// Puts a vertex into a cell of its own, after the others of its cell, and refines.
    pub(super) fn individualise(
        &mut self,
        partition: &mut Partition,
        vertex: Vertex,
        work: &mut WorkBudget,
    ) -> u64 {
        let (cell, length) = partition.cell_of(vertex);
        if length > 1 {
            partition.swap(cell + length - 1, vertex);
            partition.cut(cell, cell + length - 1);
            self.push(cell + length - 1);
        }
        self.refine(partition, work)
    }

    fn push(&mut self, cell: u32) {
        if !std::mem::replace(&mut self.is_queued[cell as usize], true) {
            self.queue.push(cell);
        }
    }

    fn refine(&mut self, partition: &mut Partition, work: &mut WorkBudget) -> u64 {
        let mut trace = 0_u64;
        while let Some(cell) = self.queue.pop() {
            self.is_queued[cell as usize] = false;
            let splitter = partition.cell(cell).to_vec();
            mix(&mut trace, cell);
            for direction in &self.graph.arrows {
                for &vertex in &splitter {
                    let others = direction.of_vertex(vertex);
                    work.spend(others.len() + 1);
                    for &other in others {
                        if self.counts[other as usize] == 0 {
                            self.touched.push(other);
                        }
                        self.counts[other as usize] += 1;
                    }
                }
                self.split(partition, &mut trace);
            }
        }
        trace
    }

    /// Splits cells by the number of edges to their vertices.
    fn split(&mut self, partition: &mut Partition, trace: &mut u64) {
        let mut touched = std::mem::take(&mut self.touched);
        let (cells, counts) = (&partition.cells, &self.counts);
        touched.sort_unstable_by_key(|&vertex| (cells[vertex as usize], counts[vertex as usize]));
        let mut rest = &touched[..];
        while let Some(&first) = rest.first() {
            let cell = partition.cells[first as usize];
            let count = rest.partition_point(|&vertex| partition.cells[vertex as usize] <= cell);
            let (here, others) = rest.split_at(count);
            rest = others;
            self.split_cell(partition, cell, here, trace);
        }
        touched.iter().for_each(|&vertex| self.counts[vertex as usize] = 0);
        touched.clear();
        self.touched = touched;
    }

    /// Splits one cell, of which some vertices are touched, ascending by their counts.
    fn split_cell(&mut self, partition: &mut Partition, cell: u32, touched: &[Vertex], trace: &mut u64) {
        let length = partition.lengths[cell as usize];
        let untouched = length - index(touched.len());
        mix(trace, cell);
        // Places, within the cell, at which the count changes.
        let mut cuts: Vec<u32> = Vec::new();
        for (place, &vertex) in (0..).zip(touched) {
            let count = self.counts[vertex as usize];
            if place == 0 || count != self.counts[touched[place as usize - 1] as usize] {
                mix(trace, count);
                mix(trace, untouched + place);
                cuts.extend((untouched + place > 0).then_some(untouched + place));
            }
        }
        if cuts.is_empty() {
            return;
        }
        for (place, &vertex) in (0..).zip(touched) {
            partition.swap(cell + untouched + place, vertex);
        }
        for &place in cuts.iter().rev() {
            partition.cut(cell, cell + place);
        }
        let parts = || std::iter::once(cell).chain(cuts.iter().map(|&place| cell + place));
        // If the whole cell waits, all of its parts have to; else the largest follows from the others.
        let length = |part: u32| partition.lengths[part as usize];
        let first_largest =
            parts().reduce(|best, next| if length(next) > length(best) { next } else { best });
        let largest = first_largest.filter(|_| !self.is_queued[cell as usize]);
        for part in parts().filter(|&part| Some(part) != largest) {
            self.push(part);
        }
    }
}

fn mix(trace: &mut u64, value: u32) {
    *trace = (trace.rotate_left(5) ^ u64::from(value)).wrapping_mul(0x517c_c1b7_2722_0a95);
}

fn index(value: usize) -> u32 {
    u32::try_from(value).expect("a graph of fewer than 2^32 vertices")
}
