//! The histories of one information set, as numbers.

use super::{
    graph::{StateId, StepId},
    sets::SetId,
};

/// Histories that a player cannot tell apart.
#[derive(Debug, Default)]
pub(super) struct Belief {
    pub(super) states: Vec<StateId>,
    /// For each history the information sets of the others: none if strategies do not depend on them.
    pub(super) known: Vec<SetId>,
    /// How probable chance and the others make each.
    pub(super) weights: Vec<f64>,
}

/// The information sets after another one.
#[derive(Debug, Default)]
pub(super) struct Children {
    /// Those that are used, and then some whose memory is kept.
    list: Vec<Child>,
    used: usize,
}

/// An information set after another one.
#[derive(Debug)]
pub(super) struct Child {
    pub(super) step: StepId,
    /// The place of the player's move.
    pub(super) place: usize,
    pub(super) belief: Belief,
}

/// Working memory for merging histories.
#[derive(Debug, Default)]
pub(super) struct Merging {
    /// By state the place of the history there, while histories are merged that differ in their states only.
    places: Vec<u32>,
    /// By hash a history.
    slots: Vec<u32>,
}

/// No place.
const NOWHERE: u32 = u32::MAX;

impl Belief {
    /// How many histories there are.
    pub(super) fn len(&self) -> usize {
        self.states.len()
    }

    /// No more histories.
    fn clear(&mut self) {
        self.states.clear();
        self.known.clear();
        self.weights.clear();
    }

    /// Adds a history.
    #[inline]
    pub(super) fn push(&mut self, state: StateId, known: &[SetId], weight: f64) {
        self.states.push(state);
        self.known.extend_from_slice(known);
        self.weights.push(weight);
    }

    /// Makes one of histories in the same state that the others cannot tell apart either, with `others` information sets
    /// for each history. They have the same future.
    pub(super) fn merge(&mut self, others: usize, merging: &mut Merging) {
        if self.len() <= 1 {
            return;
        }
        let mut kept = 0;
        if others == 0 {
            for place in 0..self.len() {
                let before = &mut merging.places[self.states[place].index()];
                if *before == NOWHERE {
                    *before = kept;
                    kept = self.keep(kept, place, others);
                } else {
                    self.weights[*before as usize] += self.weights[place];
                }
            }
            self.states[..kept as usize].iter().for_each(|state| merging.places[state.index()] = NOWHERE);
        } else {
            let slots = (2 * self.len()).next_power_of_two();
            merging.slots.clear();
            merging.slots.resize(slots, NOWHERE);
            for place in 0..self.len() {
                let known = &self.known[place * others..(place + 1) * others];
                let mut hash = u64::from(self.states[place].0);
                known.iter().for_each(|set| hash = spread(hash ^ u64::from(set.0)));
                let mut slot = (hash >> 32) as usize & (slots - 1);
                loop {
                    let before = merging.slots[slot];
                    if before == NOWHERE {
                        merging.slots[slot] = kept;
                        kept = self.keep(kept, place, others);
                        break;
                    }
                    let before = before as usize;
                    if self.states[before] == self.states[place]
                        && self.known[before * others..(before + 1) * others] == *known
                    {
                        self.weights[before] += self.weights[place];
                        break;
                    }
                    slot = (slot + 1) & (slots - 1);
                }
            }
        }
        self.states.truncate(kept as usize);
        self.known.truncate(kept as usize * others);
        self.weights.truncate(kept as usize);
    }

    /// Moves a history forward to the place `kept`, and returns the next place.
    fn keep(&mut self, kept: u32, place: usize, others: usize) -> u32 {
        let to = kept as usize;
        self.states[to] = self.states[place];
        self.weights[to] = self.weights[place];
        self.known.copy_within(place * others..(place + 1) * others, to * others);
        kept + 1
    }
}

/// A number whose high bits depend on all bits of another.
#[inline]
pub(super) fn spread(number: u64) -> u64 {
    // 2^64 divided by the golden ratio, as in D. Knuth, The Art of Computer Programming, 6.4.
    number
        .wrapping_add(1)
        .wrapping_mul(0x9e37_79b9_7f4a_7c15)
        .rotate_left(23)
        .wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

impl Children {
    /// No children; their memory is kept.
    pub(super) fn clear(&mut self) {
        self.used = 0;
    }

    /// A new child, and its place.
    pub(super) fn add(&mut self, step: StepId, place: usize) -> usize {
        match self.list.get_mut(self.used) {
            Some(child) => {
                child.belief.clear();
                (child.step, child.place) = (step, place);
            }
            None => self.list.push(Child { step, place, belief: Belief::default() }),
        }
        self.used += 1;
        self.used - 1
    }

    /// The child in a place.
    #[inline]
    pub(super) fn belief(&mut self, place: usize) -> &mut Belief {
        &mut self.list[place].belief
    }

    /// All children.
    pub(super) fn all(&mut self) -> &mut [Child] {
        &mut self.list[..self.used]
    }
}

impl Merging {
    /// For a number of states.
    pub(super) fn new(states: usize) -> Self {
        Self { places: vec![NOWHERE; states], slots: Vec::new() }
    }
}
