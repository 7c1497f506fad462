//! Few slots for many gates: each value has one from the operation that computes it to the last that reads it.

use rustc_hash::FxHashSet;

use super::{
    Network, Phase, Wire,
    operation::{Operand, Outputs},
    runs::Gate,
    schedule::{Knot, Schedule, ScheduleStep, roots},
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
    pub(super) fn operand(&self, schedule: &Schedule, wire: Wire) -> Operand {
        Operand::new(self.slot(wire.node()), schedule.is_inverted(wire))
    }

    /// Where to read the outputs of the network.
    pub(super) fn outputs(&self, network: &Network, schedule: &Schedule) -> Outputs {
        let read = |wire: &Wire| self.operand(schedule, schedule.source(*wire));
        let read_all = |wires: &Vec<Wire>| wires.iter().map(read).collect::<Vec<_>>();
        let read_goals =
            |goals: &Vec<(u32, Wire)>| goals.iter().map(|(value, wire)| (*value, read(wire))).collect();
        Outputs {
            terminal: read(&network.terminal),
            legal: network.legal.iter().map(read_all).collect(),
            goals: network.goals.iter().map(read_goals).collect(),
            next: (0..network.next.len())
                .map(|base| self.operand(schedule, schedule.next(network, base)))
                .collect(),
            sees: network.sees.iter().map(read_all).collect(),
        }
    }
}

/// When each value is computed and when it is last read, in operations from the start of the tape.
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
                lives.read(schedule.source(root).node(), now);
            }
        }
        for base in 0..network.next.len() {
            lives.read(schedule.next(network, base).node(), now);
        }
        lives
    }

    /// The time after a step that begins at `now`.
    fn live_through(&mut self, step: &ScheduleStep, mut now: u32) -> u32 {
        match step {
            ScheduleStep::Stretch(stretch) => {
                for gate in &stretch.gates {
                    now += 1;
                    self.begins.push((now, gate.node));
                    self.read(gate.left, now);
                    self.read(gate.right, now);
                }
                now
            }
            ScheduleStep::Loop(knot) => self.live_through_loop(knot, now + 1),
        }
    }

    /// A loop reads its outside inputs again in each round, and its feedback until the end.
    fn live_through_loop(&mut self, knot: &Knot, first: u32) -> u32 {
        self.begins.extend(knot.feedback.iter().map(|&(node, _)| (first, node)));
        let gates = knot.body.iter().flat_map(|stretch| &stretch.gates);
        let timed: Vec<(&Gate, u32)> = gates.zip(first + 1..).collect();
        let inside: FxHashSet<usize> = timed.iter().map(|(gate, _)| gate.node).collect();
        let end = first + 1 + u32::try_from(timed.len()).expect("nodes are below 2^31");
        for (gate, time) in timed {
            self.begins.push((time, gate.node));
            for input in [gate.left, gate.right] {
                self.read(input, if inside.contains(&input) { time } else { end });
            }
        }
        for &(node, next) in &knot.feedback {
            self.read(next.node(), end);
            self.read(node, end);
        }
        end
    }

    fn read(&mut self, node: usize, now: u32) {
        let last = &mut self.last_read[node];
        *last = (*last).max(now);
    }

    /// Time of the last reader and node for all that have a start, ascending in time.
    fn ends(&self) -> Vec<(u32, usize)> {
        let mut ends: Vec<_> = self.begins.iter().map(|&(_, node)| (self.last_read[node], node)).collect();
        ends.sort_unstable();
        ends
    }
}
