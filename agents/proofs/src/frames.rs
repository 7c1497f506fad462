//! A circuit that is asked for states whose turn leads into a set, among those that are not excluded yet.

use batsat::Lit;
use croupier_engine::stages::propnet::Wire;
use rustc_hash::FxHashMap;

use crate::{
    circuit::Circuit,
    cube::{BaseValue, Cube},
    prover::{Proof, Prover},
};

/// Clauses that may be learnt for one question: it ends the whole search if they are too few.
const CONFLICTS: u32 = 1_000_000;

/// A state, what was free when it was found, and those of its bases that mattered.
#[derive(Clone, Debug)]
pub(crate) struct FoundState {
    pub(crate) cube: Cube,
    /// By role, the number of the move that it makes, if the circuit has a turn.
    pub(crate) moves: Vec<u32>,
}

/// Where the states that are asked for must be.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Within<'w> {
    /// This state.
    First(&'w [BaseValue]),
    /// Whatever is not excluded in this frame, or a later one.
    Frame(usize),
}

/// What is asked of a circuit: that targets have values.
pub(crate) struct FrameProver<'p> {
    search: Prover,
    /// The same gates, without what must be true of them: shows which bases matter.
    lift: Prover,
    bases: usize,
    free: usize,
    /// By role, the places of its moves among what is free; none for a move that is never legal.
    moves: Vec<Vec<Option<usize>>>,
    frames: Vec<Lit>,
    is_over: &'p dyn Fn() -> bool,
}

impl<'p> FrameProver<'p> {
    /// A circuit of one turn at most; `targets` are the wires that are asked for, `held` those that are known to be true. `None` if nothing
    /// satisfies it.
    pub(crate) fn new(
        mut circuit: Circuit,
        targets: &[Wire],
        held: Vec<Wire>,
        is_over: &'p dyn Fn() -> bool,
    ) -> Option<Self> {
        let bases = circuit.states[0].bases.clone();
        let all: Vec<Wire> =
            circuit.clauses.clone().into_iter().map(|clause| circuit.gates.any(clause)).collect();
        let is_valid = circuit.gates.all(all);
        let mut wires: Vec<Wire> = bases.iter().chain(&circuit.free).chain([&is_valid]).copied().collect();
        wires.extend(targets);
        circuit.clauses.extend(held.into_iter().map(|wire| vec![wire]));
        let search = Prover::new(&circuit.gates, &circuit.clauses, &wires)?;
        let lift = Prover::new(&circuit.gates, &[], &wires)?;
        let places: FxHashMap<usize, usize> =
            circuit.free.iter().enumerate().map(|(place, wire)| (wire.node(), place)).collect();
        let place = |wire: &Wire| places.get(&wire.node()).copied();
        let moves = circuit.states[0].moves.iter().map(|own| own.iter().map(place).collect()).collect();
        let (bases, free) = (bases.len(), circuit.free.len());
        Some(Self { search, lift, bases, free, moves, frames: Vec::new(), is_over })
    }

    fn target(&self, target: usize) -> usize {
        self.bases + self.free + 1 + target
    }

    /// No state of a set counts from now on in a frame and those before it; in all frames if there is none.
    pub(crate) fn exclude(&mut self, cube: &Cube, frame: Option<usize>) {
        let search = &self.search;
        let mut clause: Vec<Lit> =
            cube.0.iter().map(|value| !valued(search.literal(value.base), value.is_true)).collect();
        if let Some(frame) = frame {
            while self.frames.len() <= frame {
                let fresh = self.search.fresh();
                self.frames.push(fresh);
            }
            clause.push(!self.frames[frame]);
        }
        self.search.demand(clause);
    }

    /// A state within something, outside of a set, in which targets have values; `wanted` has them by their numbers. If there is none,
    /// those values that are needed for that.
    pub(crate) fn ask(
        &mut self,
        within: Within<'_>,
        outside: Option<&Cube>,
        wanted: &Cube,
    ) -> Result<FoundState, Option<Cube>> {
        let targets: Vec<Lit> = wanted
            .0
            .iter()
            .map(|value| valued(self.search.literal(self.target(value.base)), value.is_true))
            .collect();
        let mut asked = match within {
            Within::First(values) => {
                values.iter().map(|value| valued(self.search.literal(value.base), value.is_true)).collect()
            }
            Within::Frame(frame) => self.frames[frame.min(self.frames.len())..].to_vec(),
        };
        let outside = outside.map(|cube| {
            let fresh = self.search.fresh();
            let search = &self.search;
            let literal = |value: &BaseValue| !valued(search.literal(value.base), value.is_true);
            let clause: Vec<Lit> = cube.0.iter().map(literal).chain([!fresh]).collect();
            self.search.demand(clause);
            fresh
        });
        asked.extend(outside);
        asked.extend(&targets);
        let found = self.search.ask_at_most(CONFLICTS, &asked, self.is_over);
        let result = match found {
            Proof::Possible => self.lifted(wanted).ok_or(None),
            Proof::Impossible => {
                let is_needed = |&place: &usize| self.search.is_needed(targets[place]);
                Err(Some(Cube((0..targets.len()).filter(is_needed).map(|place| wanted.0[place]).collect())))
            }
            Proof::Unknown => Err(None),
        };
        if let Some(fresh) = outside {
            self.search.demand(vec![!fresh]);
        }
        result
    }

    /// What was found, and of its bases those without which what was wanted would not follow. `None` if that takes too long.
    fn lifted(&mut self, wanted: &Cube) -> Option<FoundState> {
        let holds = |place: usize| self.search.holds(self.search.literal(place));
        let values: Vec<bool> = (0..self.bases + self.free).map(holds).collect();
        let denied = self.lift.fresh();
        let mut clause = vec![!denied, !self.lift.literal(self.bases + self.free)];
        for value in &wanted.0 {
            clause.push(!valued(self.lift.literal(self.target(value.base)), value.is_true));
        }
        self.lift.demand(clause);
        let mut asked = vec![denied];
        // What is assumed last is needed least: the free ones are given, and groups, which come last, say more than single bases.
        let places = (self.bases..self.bases + self.free).chain((0..self.bases).rev());
        asked.extend(places.map(|place| valued(self.lift.literal(place), values[place])));
        let is_settled = self.lift.ask(&asked, self.is_over) == Proof::Impossible;
        let is_needed = |&base: &usize| self.lift.is_needed(self.lift.literal(base));
        let needed = (0..self.bases).filter(is_needed).map(|base| BaseValue { base, is_true: values[base] });
        let cube = Cube(needed.collect());
        self.lift.demand(vec![!denied]);
        let made = |own: &Vec<Option<usize>>| {
            let is_made = |place: &Option<usize>| place.is_some_and(|place| values[self.bases + place]);
            own.iter().position(is_made).and_then(|number| u32::try_from(number).ok())
        };
        let moves: Option<Vec<u32>> = self.moves.iter().map(made).collect();
        Some(FoundState { cube, moves: moves? }).filter(|_| is_settled)
    }
}

/// The literal that says that another has a value.
fn valued(literal: Lit, is_true: bool) -> Lit {
    if is_true { literal } else { !literal }
}
