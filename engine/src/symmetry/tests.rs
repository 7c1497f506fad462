//! Automorphisms of small graphs, against all permutations.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::{graph::Graph, point::Vertex, search::automorphisms};

/// All permutations of the first vertices, the slow way.
fn permutations(count: u32) -> Vec<Vec<Vertex>> {
    let mut all: Vec<Vec<Vertex>> = vec![Vec::new()];
    for _ in 0..count {
        let longer = |short: Vec<Vertex>| {
            let rest = (0..count).filter(|vertex| !short.contains(vertex)).collect::<Vec<_>>();
            rest.into_iter().map(move |vertex| [short.clone(), vec![vertex]].concat())
        };
        all = all.into_iter().flat_map(longer).collect();
    }
    all
}

/// All that follows from some permutations.
fn closure(generators: &[Vec<Vertex>], count: u32) -> BTreeSet<Vec<Vertex>> {
    let mut open: Vec<Vec<Vertex>> = vec![(0..count).collect()];
    let mut closed = BTreeSet::new();
    while let Some(images) = open.pop() {
        if closed.insert(images.clone()) {
            let next =
                |generator: &Vec<Vertex>| images.iter().map(|&image| generator[image as usize]).collect();
            open.extend(generators.iter().map(next));
        }
    }
    closed
}

proptest! {
    #[test]
    fn the_automorphisms_of_small_graphs_are_those_among_all_permutations(
        colours in prop::collection::vec(0_u32..2, 1..7),
        arrows in prop::collection::btree_set((0_u32..7, 0_u32..7), 0..14),
        both_ways in any::<bool>(),
    ) {
        let count = u32::try_from(colours.len()).expect("few");
        let arrows = arrows.into_iter().map(|(from, to)| (from % count, to % count));
        let mut arrows: BTreeSet<(u32, u32)> = arrows.collect();
        if both_ways {
            arrows.extend(arrows.clone().into_iter().map(|(from, to)| (to, from)));
        }
        let graph = Graph::new(colours.clone(), arrows.iter().copied().collect());
        let keeps = |images: &Vec<Vertex>| {
            let image = |vertex: u32| images[vertex as usize];
            (0..count).all(|vertex| colours[vertex as usize] == colours[image(vertex) as usize])
                && arrows.iter().all(|&(from, to)| arrows.contains(&(image(from), image(to))))
        };
        let expected: BTreeSet<Vec<Vertex>> = permutations(count).into_iter().filter(keeps).collect();
        let points: Vec<Vertex> = (0..count).collect();
        let found = automorphisms(&graph, &points, u64::MAX);
        prop_assert!(found.is_whole);
        prop_assert_eq!(found.factors.iter().map(|&factor| factor as usize).product::<usize>(), expected.len());
        prop_assert_eq!(closure(&found.generators, count), expected);
    }
}

#[test]
fn a_search_without_work_left_says_so() {
    let graph = Graph::new(vec![0; 5], Vec::new());
    let points: Vec<Vertex> = (0..5).collect();
    assert!(!automorphisms(&graph, &points, 3).is_whole);
    assert_eq!(automorphisms(&graph, &points, 1_000).factors.iter().product::<u32>(), 120);
}
