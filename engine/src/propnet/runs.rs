//! Groups gates of one kind, so that a machine rarely has to branch.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use super::OpKind;

/// A gate as one operation on the stored values of other nodes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Gate {
    pub(super) node: usize,
    pub(super) kind: OpKind,
    pub(super) left: usize,
    pub(super) right: usize,
}

/// Gates of one kind.
#[derive(Clone, Debug)]
pub(super) struct Stretch {
    pub(super) kind: OpKind,
    pub(super) gates: Vec<Gate>,
}

/// How many gates may wait for others of their kind. More make longer runs, and values that live longer.
const WINDOW: usize = 256;

/// Reorders gates, each after those on which it depends, for longer runs of one kind.
///
/// # Complexity
/// O(n log w) for n gates and a window of w.
pub(super) fn stretches(gates: &[Gate]) -> Vec<Stretch> {
    let mut window = Window::new(gates);
    let mut stretches = Vec::new();
    while let Some(kind) = window.richest_kind() {
        let mut stretch = Stretch { kind, gates: Vec::new() };
        while let Some(gate) = window.take(kind) {
            stretch.gates.push(gates[gate]);
        }
        stretches.push(stretch);
    }
    stretches
}

/// The gates that may come next.
struct Window<'g> {
    gates: &'g [Gate],
    /// For each gate how many of the gates that it reads are still to come.
    missing: Vec<u8>,
    readers: Vec<Vec<usize>>,
    /// For each kind the gates that miss nothing, and are among the first of those still to come.
    ready: [BTreeSet<usize>; 3],
    entered: usize,
}

impl<'g> Window<'g> {
    fn new(gates: &'g [Gate]) -> Self {
        let index: FxHashMap<usize, usize> =
            gates.iter().zip(0..).map(|(gate, index)| (gate.node, index)).collect();
        let (mut missing, mut readers) = (vec![0; gates.len()], vec![Vec::new(); gates.len()]);
        for (reader, gate) in gates.iter().enumerate() {
            for input in [gate.left, gate.right] {
                if let Some(&input) = index.get(&input) {
                    missing[reader] += 1;
                    readers[input].push(reader);
                }
            }
        }
        let mut window = Self { gates, missing, readers, ready: Default::default(), entered: 0 };
        for _ in 0..WINDOW.min(gates.len()) {
            window.enter();
        }
        window
    }

    /// The kind with the most gates ready, if any.
    fn richest_kind(&self) -> Option<OpKind> {
        let kinds = [OpKind::And, OpKind::AndNot, OpKind::Or];
        let richest = kinds.into_iter().max_by_key(|&kind| self.ready[kind as usize].len())?;
        (!self.ready[richest as usize].is_empty()).then_some(richest)
    }

    /// The first gate of a kind that is ready.
    fn take(&mut self, kind: OpKind) -> Option<usize> {
        let gate = self.ready[kind as usize].pop_first()?;
        for reader in std::mem::take(&mut self.readers[gate]) {
            self.missing[reader] -= 1;
            if self.missing[reader] == 0 && reader < self.entered {
                self.ready[self.gates[reader].kind as usize].insert(reader);
            }
        }
        self.enter();
        Some(gate)
    }

    fn enter(&mut self) {
        if let Some(gate) = self.gates.get(self.entered) {
            if self.missing[self.entered] == 0 {
                self.ready[gate.kind as usize].insert(self.entered);
            }
            self.entered += 1;
        }
    }
}
