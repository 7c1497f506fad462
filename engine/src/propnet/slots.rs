//! Few slots for many gates: each value has one from the operation that computes it to the last that reads it.

use super::{
    Network, Phase, Wire,
    schedule::{Gate, Schedule, Step, roots},
    tape::{Op, Operand, Outputs},
};

/// Marks a node that has no slot.
const NONE: u32 = u32::MAX;

/// A slot for each node that is computed.
#[derive(Clone, Debug)]
pub(super) struct Allocation {
    slot_of: Vec<u32>,
    slots: u32,
}

impl Allocation {
    /// # Sources
    /// M. Poletto, V. Sarkar, "Linear scan register allocation", TOPLAS 21(5), 1999, without spilling.
    pub(super) fn new(network: &Network, schedule: &Schedule) -> Self {
        let lives = Lives::new(network, schedule);
        let inputs = network.gates.inputs_count();
        let mut slot_of = vec![NONE; schedule.nodes_count(network)];
        let mut slots = 0;
        for slot in slot_of.iter_mut().take(inputs + 1) {
            *slot = slots;
            slots += 1;
        }
        // The slot that became free last is the one most likely to be in the nearest cache.
        let mut free: Vec<u32> = Vec::new();
        let mut ends = lives.ends().into_iter().peekable();
        for (begin, node) in lives.begins {
            while let Some((_, dead)) = ends.next_if(|&(end, _)| end <= begin) {
                free.push(slot_of[dead]);
            }
            slot_of[node] = free.pop().unwrap_or_else(|| {
                slots += 1;
                slots - 1
            });
        }
        Self { slot_of, slots }
    }

    pub(super) fn slots_count(&self) -> usize {
        self.slots as usize
    }

    /// The slot of a node.
    pub(super) fn slot(&self, node: usize) -> u32 {
        let slot = self.slot_of[node];
        assert_ne!(slot, NONE, "what is read has been computed");
        slot
    }

    /// Where to read a wire that has no alias.
    pub(super) fn operand(&self, wire: Wire) -> Operand {
        Operand::new(self.slot(wire.node()), wire.is_inverted())
    }

    pub(super) fn op(&self, gate: Gate) -> Op {
        Op { out: self.slot(gate.node), left: self.operand(gate.left), right: self.operand(gate.right) }
    }

    /// Where to read what the network says.
    pub(super) fn outputs(&self, network: &Network, schedule: &Schedule) -> Outputs {
        let read = |wire: &Wire| self.operand(schedule.source(*wire));
        let read_all = |wires: &Vec<Wire>| wires.iter().map(read).collect::<Vec<_>>();
        let read_goals =
            |goals: &Vec<(u32, Wire)>| goals.iter().map(|(value, wire)| (*value, read(wire))).collect();
        Outputs {
            terminal: read(&network.terminal),
            legal: network.legal.iter().map(read_all).collect(),
            goals: network.goals.iter().map(read_goals).collect(),
            next: (0..network.next.len()).map(|base| self.operand(schedule.next(network, base))).collect(),
            sees: network.sees.iter().map(read_all).collect(),
        }
    }
}

/// When each value is computed and when it is read last, in operations from the beginning of the tape.
struct Lives {
    /// Time and node, ascending in time.
    begins: Vec<(u32, usize)>,
    /// For each node the time of the last reader; zero if it never had a slot to give back.
    last_read: Vec<u32>,
}

impl Lives {
    fn new(network: &Network, schedule: &Schedule) -> Self {
        let mut lives = Self { begins: Vec::new(), last_read: vec![0; schedule.nodes_count(network)] };
        let mut now = 0;
        for phase in Phase::ALL {
            for step in schedule.steps(phase) {
                now = lives.live_through(step, now);
            }
            now += 1;
            let kept: &[Phase] = match phase {
                Phase::State => &[],
                Phase::Goal => &[Phase::State, Phase::Goal],
                Phase::Next => &[],
                Phase::Sees => &[Phase::Next, Phase::Sees],
            };
            for root in kept.iter().flat_map(|&phase| roots(network, phase)) {
                lives.read(schedule.source(root), now);
            }
        }
        for base in 0..network.next.len() {
            lives.read(schedule.next(network, base), now);
        }
        lives
    }

    /// The time after a step that begins at `now`.
    fn live_through(&mut self, step: &Step, mut now: u32) -> u32 {
        match step {
            Step::Gate(gate) => {
                now += 1;
                self.begins.push((now, gate.node));
                self.read(gate.left, now);
                self.read(gate.right, now);
            }
            Step::Loop(knot) => {
                now += 1;
                self.begins.extend(knot.feedback.iter().map(|&(node, _)| (now, node)));
                let first = now;
                self.begins.extend(knot.body.iter().zip(first + 1..).map(|(gate, time)| (time, gate.node)));
                now += u32::try_from(knot.body.len()).expect("nodes are below 2^31") + 1;
                self.read_in_loop(knot, first, now);
            }
        }
        now
    }

    /// What a loop reads from outside it reads again in each round, and its feedback until the end.
    fn read_in_loop(&mut self, knot: &super::schedule::Knot, first: u32, end: u32) {
        let time_of: rustc_hash::FxHashMap<usize, u32> =
            knot.body.iter().zip(first + 1..).map(|(gate, time)| (gate.node, time)).collect();
        for (gate, time) in knot.body.iter().zip(first + 1..) {
            for wire in [gate.left, gate.right] {
                let is_inside = time_of.contains_key(&wire.node());
                self.read(wire, if is_inside { time } else { end });
            }
        }
        for &(node, next) in &knot.feedback {
            self.read(next, end);
            self.read(Wire::from_node(node, false), end);
        }
    }

    fn read(&mut self, wire: Wire, now: u32) {
        let last = &mut self.last_read[wire.node()];
        *last = (*last).max(now);
    }

    /// Time of the last reader and node for all that have a beginning, ascending in time.
    fn ends(&self) -> Vec<(u32, usize)> {
        let mut ends: Vec<_> = self.begins.iter().map(|&(_, node)| (self.last_read[node], node)).collect();
        ends.sort_unstable();
        ends
    }
}
