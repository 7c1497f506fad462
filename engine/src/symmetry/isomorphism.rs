//! Bijections between two graphs that keep colours and arrows.

use super::{
    graph::Graph,
    partition::{Partition, Refiner, WorkBudget},
    point::Vertex,
};

/// A search through partitions of two graphs that are refined alike.
struct IsomorphismSearch<'g> {
    one: &'g Graph,
    other: &'g Graph,
    refiners: [Refiner<'g>; 2],
    work: WorkBudget,
}

/// A bijection from the vertices of one graph to those of another that keeps colours and arrows, found with at most this much work:
/// edges followed and vertices copied. `None` if there is none, or if the work ran out.
///
/// # Sources
/// As `search::automorphisms`: both graphs are refined by the same steps, and what is found is checked against all arrows.
pub(super) fn isomorphism(one: &Graph, other: &Graph, work: u64) -> Option<Vec<Vertex>> {
    if one.colours.len() != other.colours.len() {
        return None;
    }
    let refiners = [Refiner::new(one), Refiner::new(other)];
    let mut search = IsomorphismSearch { one, other, refiners, work: WorkBudget { left: work } };
    let mut partitions = [Partition::by_colours(one), Partition::by_colours(other)];
    let [first, second] = &mut search.refiners;
    let traces = [
        first.refine_all(&mut partitions[0], &mut search.work),
        second.refine_all(&mut partitions[1], &mut search.work),
    ];
    let [one, other] = partitions;
    (traces[0] == traces[1]).then(|| search.follow(one, &other)).flatten()
}

impl IsomorphismSearch<'_> {
    /// A bijection that maps each cell to the cell of the other partition that begins at the same place.
    fn follow(&mut self, mut one: Partition, other: &Partition) -> Option<Vec<Vertex>> {
        // Traces are hashes: the cells of the two can differ though the traces do not.
        if !one.has_cells_of(other) {
            return None;
        }
        // A wrong choice in a small cell is found out by few tries.
        let Some(cell) = one.smallest_cell() else {
            let mut images = vec![0; one.elements().len()];
            for (&vertex, &image) in one.elements().iter().zip(other.elements()) {
                images[vertex as usize] = image;
            }
            return self.one.maps_to(self.other, &images).then_some(images);
        };
        let (before, vertex) = (one.cells_count(), one.cell(cell)[0]);
        let trace = self.refiners[0].individualise(&mut one, vertex, &mut self.work);
        // Where no other cell was split, each vertex of this one has edges with all of a cell or none of it: any image will do.
        let tried = if one.cells_count() == before + 1 { 1 } else { usize::MAX };
        let images: Vec<Vertex> = other.cell(cell).iter().copied().take(tried).collect();
        images.into_iter().find_map(|image| {
            self.work.spend(2 * self.one.colours.len());
            if self.work.is_spent() {
                return None;
            }
            let mut partition = other.clone();
            let found = self.refiners[1].individualise(&mut partition, image, &mut self.work);
            (found == trace).then(|| self.follow(one.clone(), &partition)).flatten()
        })
    }
}
