//! Strongly connected components of the needed atoms, each after those on which it depends.
//!
//! # Sources
//! R. Tarjan, "Depth-first search and linear graph algorithms", SIAM J. Computing 1(2), 1972; with an
//! explicit stack, because chains of atoms can be as long as matches.

use crate::ground::{Atom, GroundProgram};

/// Atoms to be defined together.
pub(super) enum Component<'c> {
    /// One atom that does not depend on itself.
    Single(Atom),
    /// Atoms that depend on each other.
    Cycle {
        /// Every cycle goes through one of these.
        feedback: &'c [Atom],
        /// All components; each after those on which it depends, except for feedback.
        order: &'c [Atom],
    },
}

/// Visits what `roots` need and is not known yet.
pub(super) fn components(
    program: &GroundProgram,
    is_known: &[bool],
    roots: impl Iterator<Item = Atom>,
    visit: impl FnMut(Component<'_>),
) {
    let mut search =
        CycleSearch { program, is_known, marks: vec![Mark::New; is_known.len()], members: Vec::new(), visit };
    for root in roots {
        search.from(root);
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    New,
    /// Waiting for its component, with the time of its discovery.
    Open(u32),
    Done,
}

/// A node on the path of the search.
struct PathNode {
    atom: Atom,
    /// The earliest open atom that it reaches.
    low: u32,
    found_at: u32,
    needs: Vec<Atom>,
}

struct CycleSearch<'p, V> {
    program: &'p GroundProgram,
    is_known: &'p [bool],
    marks: Vec<Mark>,
    /// Atoms that wait for their component.
    members: Vec<Atom>,
    visit: V,
}

impl<V: FnMut(Component<'_>)> CycleSearch<'_, V> {
    fn from(&mut self, root: Atom) {
        if self.is_known[root as usize] || self.marks[root as usize] != Mark::New {
            return;
        }
        let mut time = 0;
        let mut path = vec![self.enter(root, &mut time)];
        while let Some(step) = path.last_mut() {
            let Some(needed) = step.needs.pop() else {
                let Some(done) = path.pop() else { return };
                if let Some(above) = path.last_mut() {
                    above.low = above.low.min(done.low);
                }
                if done.low == done.found_at {
                    self.close(done.atom);
                }
                continue;
            };
            match self.marks[needed as usize] {
                Mark::New => {
                    let next = self.enter(needed, &mut time);
                    path.push(next);
                }
                Mark::Open(found_at) => step.low = step.low.min(found_at),
                Mark::Done => {}
            }
        }
    }

    fn enter(&mut self, atom: Atom, time: &mut u32) -> PathNode {
        let found_at = *time;
        *time += 1;
        self.marks[atom as usize] = Mark::Open(found_at);
        self.members.push(atom);
        PathNode { atom, low: found_at, found_at, needs: self.needs(atom) }
    }

    /// The unknown dependencies of an atom, the first one last.
    fn needs(&self, atom: Atom) -> Vec<Atom> {
        let bodies =
            self.program.bodies(atom).filter(|body| !body.iter().any(|literal| literal.atom() == atom));
        let atoms = bodies.flatten().map(|literal| literal.atom());
        let mut needs: Vec<Atom> = atoms.filter(|&needed| !self.is_known[needed as usize]).collect();
        needs.sort_unstable();
        needs.dedup();
        needs.reverse();
        needs
    }

    /// Reports the component whose first atom is `first`.
    fn close(&mut self, first: Atom) {
        let start = self.members.iter().rposition(|&atom| atom == first).expect("it was entered");
        let members = self.members.split_off(start);
        if members.len() == 1 {
            self.marks[first as usize] = Mark::Done;
            (self.visit)(Component::Single(first));
            return;
        }
        let (feedback, order) = self.open_cycles(&members);
        for &atom in &members {
            self.marks[atom as usize] = Mark::Done;
        }
        (self.visit)(Component::Cycle { feedback: &feedback, order: &order });
    }

    /// Walks a component again: an atom that is met on its own path is feedback.
    fn open_cycles(&self, members: &[Atom]) -> (Vec<Atom>, Vec<Atom>) {
        let inside: std::collections::BTreeSet<Atom> = members.iter().copied().collect();
        let (mut feedback, mut order) = (std::collections::BTreeSet::new(), Vec::new());
        let (mut entered, mut left) = (std::collections::BTreeSet::new(), std::collections::BTreeSet::new());
        let needs = |atom: Atom| {
            self.needs(atom).into_iter().filter(|needed| inside.contains(needed)).collect::<Vec<_>>()
        };
        for &root in members {
            if !entered.insert(root) {
                continue;
            }
            let mut path = vec![(root, needs(root))];
            while let Some((atom, open)) = path.last_mut() {
                match open.pop() {
                    None => {
                        left.insert(*atom);
                        order.push(*atom);
                        path.pop();
                    }
                    Some(needed) if entered.insert(needed) => path.push((needed, needs(needed))),
                    Some(needed) if left.contains(&needed) => {}
                    Some(needed) => _ = feedback.insert(needed),
                }
            }
        }
        (feedback.into_iter().collect(), order)
    }
}
