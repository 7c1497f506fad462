//! Whether a state can be reached in which something holds: never, if sets of states are found that no turn enters; or by a match.
//!
//! # Sources
//! A. R. Bradley, "SAT-based model checking without unrolling", VMCAI 2011; N. Eén, A. Mishchenko, R. Brayton, "Efficient implementation of
//! property directed reachability", FMCAD 2011.

use std::{cmp::Reverse, collections::BinaryHeap};

use croupier_engine::stages::propnet::{Gates, Tape, Wire};
use rustc_hash::FxHashSet;

use crate::{
    circuit::{Circuit, StateWires},
    cube::{BaseValue, Cube},
    frames::{FoundState, FrameProver, Within},
    groups::FluentGroups,
    interner::is_set,
    invariants::Invariant,
    sample::{SampleLimits, StateSample},
};

/// What came of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Reach {
    /// No state that can be reached has it.
    Never,
    /// Joint moves to one that has it, by role and turn after turn.
    By(Vec<u32>),
    /// None was found within fewer turns than this, and there may be others.
    Unsettled(usize),
}

/// What is known before.
pub(crate) struct ReachBasis<'r> {
    pub(crate) tape: &'r Tape,
    /// Sets of states are told apart by bases, and by whether some base of one of the groups is true.
    pub(crate) groups: &'r FluentGroups,
    /// The bits of the first state, those of groups included.
    pub(crate) first: &'r [u64],
    /// What every state has.
    pub(crate) invariants: &'r [Invariant],
    /// Some states that can be reached.
    pub(crate) sample: &'r StateSample,
}

/// When a search is given up.
#[derive(Clone, Copy)]
pub(crate) struct ReachLimits<'l> {
    /// Turns within which nothing was found.
    pub(crate) frames_max: usize,
    pub(crate) is_over: &'l dyn Fn() -> bool,
}

/// A set of states from each of which what is looked for follows.
struct Obligation {
    cube: Cube,
    /// What leads to the one after it.
    moves: Vec<u32>,
    after: Option<usize>,
}

struct ReachSearch<'r> {
    first: &'r [u64],
    sample: &'r StateSample,
    /// Small sets of which it was asked, since the last frame, whether they are never entered.
    tried: FxHashSet<Cube>,
    start: Vec<BaseValue>,
    ends: FrameProver<'r>,
    /// `None` if no turn can be played at all.
    turns: Option<FrameProver<'r>>,
    /// By number of turns, the sets that are not entered within so many.
    frames: Vec<Vec<Cube>>,
    obligations: Vec<Obligation>,
    frames_max: usize,
    is_over: &'r dyn Fn() -> bool,
}

/// How many values of a set are tried to do without, and how many of them in vain.
const DROPS_MAX: usize = 80;
const DROPS_IN_VAIN: usize = 12;

/// Looks for a state from which so many turns can be played that the wire is true that `wanted` makes of it and those that follow. `None` if the
/// rules are too large.
pub(crate) fn reach(
    basis: &ReachBasis<'_>,
    turns: usize,
    wanted: impl FnOnce(&mut Gates, &[StateWires]) -> Wire,
    limits: &ReachLimits<'_>,
) -> Option<Reach> {
    let ReachLimits { frames_max, is_over } = *limits;
    let mut circuit = Circuit::new(basis.tape, turns)?;
    let wanted = wanted(&mut circuit.gates, &circuit.states);
    let held = basis.held(&mut circuit);
    basis.describe(&mut circuit);
    let Some(ends) = FrameProver::new(circuit, &[wanted], held, is_over) else { return Some(Reach::Never) };
    let mut circuit = Circuit::new(basis.tape, 1)?;
    let held = basis.held(&mut circuit);
    basis.describe(&mut circuit);
    let next = circuit.states[1].bases.clone();
    let start = (0..next.len()).map(|base| BaseValue { base, is_true: is_set(basis.first, base) }).collect();
    let turns = FrameProver::new(circuit, &next, held, is_over);
    let frames = vec![Vec::new(), Vec::new()];
    let search = ReachSearch {
        first: basis.first,
        sample: basis.sample,
        tried: FxHashSet::default(),
        start,
        ends,
        turns,
        frames,
        obligations: Vec::new(),
        frames_max,
        is_over,
    };
    Some(search.run())
}

impl ReachBasis<'_> {
    fn held(&self, circuit: &mut Circuit) -> Vec<Wire> {
        let Circuit { gates, states, .. } = circuit;
        let of = |state: &StateWires| -> Vec<Wire> {
            self.invariants.iter().map(|invariant| invariant.wire(gates, &state.bases)).collect()
        };
        states.iter().flat_map(of).collect()
    }

    /// Appends the groups to the bases of each state.
    fn describe(&self, circuit: &mut Circuit) {
        let Circuit { gates, states, .. } = circuit;
        for StateWires { bases, .. } in states {
            let of = |group: &Vec<usize>| gates.any(group.iter().map(|&base| bases[base]));
            let some: Vec<Wire> = self.groups.told.iter().map(of).collect();
            bases.extend(some);
        }
    }
}

/// Asks whether what is wanted holds.
fn is_wanted() -> Cube {
    Cube(vec![BaseValue { base: 0, is_true: true }])
}

impl ReachSearch<'_> {
    fn run(mut self) -> Reach {
        match self.ends.ask(Within::First(&self.start), None, &is_wanted()) {
            Ok(_) => return Reach::By(Vec::new()),
            Err(None) => return Reach::Unsettled(0),
            Err(Some(_)) => {}
        }
        loop {
            let last = self.frames.len() - 1;
            let found = self.ends.ask(Within::Frame(last), None, &is_wanted());
            match found {
                Ok(found) => match self.block(found) {
                    Some(Some(line)) => return Reach::By(line),
                    Some(None) => {}
                    None => return Reach::Unsettled(last),
                },
                Err(None) => return Reach::Unsettled(last),
                Err(Some(_)) if self.turns.is_none() || self.is_closed() => return Reach::Never,
                Err(Some(_)) => {}
            }
            if last >= self.frames_max || (self.is_over)() {
                return Reach::Unsettled(last);
            }
        }
    }

    /// Shows that a state is not reached within as many turns as there are frames: `Some(None)`; or how it is. `None` if that is not settled.
    #[expect(clippy::option_option, reason = "not settled, and settled without a line")]
    fn block(&mut self, found: FoundState) -> Option<Option<Vec<u32>>> {
        let last = self.frames.len() - 1;
        self.obligations.clear();
        self.obligations.push(Obligation { cube: found.cube, moves: Vec::new(), after: None });
        // The nearest frame first, and there the newest.
        let mut open = BinaryHeap::from([(Reverse(last), 0)]);
        while let Some((Reverse(frame), index)) = open.pop() {
            let cube = self.obligations[index].cube.clone();
            if frame == 0 || cube.contains(self.first) {
                return Some(Some(self.line(index)));
            }
            if (self.is_over)() {
                return None;
            }
            if self.is_excluded(&cube, frame) {
                continue;
            }
            match self.enter(&cube, frame) {
                Ok(before) => {
                    let (moves, after) = (before.moves, Some(index));
                    self.obligations.push(Obligation { cube: before.cube, moves, after });
                    open.push((Reverse(frame - 1), self.obligations.len() - 1));
                    open.push((Reverse(frame), index));
                }
                Err(None) => return None,
                Err(Some(_)) if self.exclude_for_ever(&cube) => {}
                Err(Some(core)) => {
                    let (cube, frame) = self.widened(core, frame);
                    self.exclude(cube, frame);
                    if frame < last {
                        open.push((Reverse(frame + 1), index));
                    }
                }
            }
        }
        Some(None)
    }

    /// The moves by role, turn after turn, from the first state along obligations.
    fn line(&self, index: usize) -> Vec<u32> {
        let mut line = Vec::new();
        let mut at = &self.obligations[index];
        while let Some(after) = at.after {
            line.extend_from_slice(&at.moves);
            at = &self.obligations[after];
        }
        line
    }

    /// A state from which a turn enters a set, outside of it and not excluded in the frame before; or a larger set that is not entered either.
    fn enter(&mut self, cube: &Cube, frame: usize) -> Result<FoundState, Option<Cube>> {
        let Some(turns) = &mut self.turns else { return Err(Some(cube.clone())) };
        let within = if frame == 1 { Within::First(&self.start) } else { Within::Frame(frame - 1) };
        turns.ask(within, Some(cube), cube).map_err(|core| core.map(|core| self.without_first(core, cube)))
    }

    /// Takes values from a smaller set until the first state is not in a larger one.
    fn without_first(&self, core: Cube, cube: &Cube) -> Cube {
        if !core.contains(self.first) {
            return core;
        }
        let differs = |value: &&BaseValue| is_set(self.first, value.base) != value.is_true;
        let value = *cube.0.iter().find(differs).expect("the first state is not in it");
        let mut values = core.0;
        values.push(value);
        values.sort_unstable();
        Cube(values)
    }

    /// A larger set that is not entered within so many turns, or within more.
    fn widened(&mut self, cube: Cube, frame: usize) -> (Cube, usize) {
        let mut cube = cube;
        let mut values = cube.0.clone();
        // What is false says less of most states.
        values.sort_by_key(|value| value.is_true);
        let mut in_vain = 0;
        for value in values.into_iter().take(DROPS_MAX) {
            if in_vain > DROPS_IN_VAIN {
                break;
            }
            let wider = cube.without(value);
            if wider == cube || wider.contains(self.first) {
                continue;
            }
            match self.enter(&wider, frame) {
                Err(Some(core)) => cube = core,
                _ => in_vain += 1,
            }
        }
        let mut frame = frame;
        while frame + 1 < self.frames.len() {
            let Err(Some(core)) = self.enter(&cube, frame + 1) else { break };
            (cube, frame) = (core, frame + 1);
        }
        (cube, frame)
    }

    /// Looks among the small sets around a set for some that no turn enters from outside, and excludes them in all frames; whether there are any.
    fn exclude_for_ever(&mut self, cube: &Cube) -> bool {
        let mut is_found = false;
        for small in self.sample.absent_within(cube, &SampleLimits::QUICK) {
            // The first state is in the sample, and what holds of it is not excluded whatever the sample is.
            if small.contains(self.first) || !self.tried.insert(small.clone()) {
                continue;
            }
            let Some(turns) = &mut self.turns else { return false };
            if let Err(Some(_)) = turns.ask(Within::Frame(usize::MAX), Some(&small), &small) {
                turns.exclude(&small, None);
                self.ends.exclude(&small, None);
                is_found = true;
            }
        }
        is_found
    }

    fn is_excluded(&self, cube: &Cube, frame: usize) -> bool {
        self.frames[frame..].iter().flatten().any(|known| known.includes(cube))
    }

    fn exclude(&mut self, cube: Cube, frame: usize) {
        for earlier in &mut self.frames[..=frame] {
            earlier.retain(|known| !cube.includes(known));
        }
        self.ends.exclude(&cube, Some(frame));
        if let Some(turns) = &mut self.turns {
            turns.exclude(&cube, Some(frame));
        }
        self.frames[frame].push(cube);
    }

    /// Begins a frame, and moves to the next what is not entered one turn later either; whether nothing is left in one: then no turn ever
    /// enters what is excluded behind it.
    fn is_closed(&mut self) -> bool {
        let last = self.frames.len() - 1;
        self.frames.push(Vec::new());
        self.tried.clear();
        for frame in 1..=last {
            for cube in self.frames[frame].clone() {
                if let Err(Some(core)) = self.enter(&cube, frame + 1) {
                    self.exclude(core, frame + 1);
                }
            }
            if self.frames[frame].is_empty() {
                return true;
            }
        }
        false
    }
}
