//! What holds in every state that can be reached, found by induction among guesses.
//!
//! # Sources
//! C. Flanagan, K. R. M. Leino, "Houdini, an annotation assistant for ESC/Java", FME 2001: all guesses are taken to hold, and those that a turn
//! breaks are given up, until no turn breaks any. Here random turns go on from each turn that was found and break more.

use std::collections::VecDeque;

use batsat::Lit;
use croupier_engine::stages::propnet::Wire;

use crate::{
    circuit::Circuit,
    invariants::Invariant,
    prover::{Proof, Prover},
    wanderer::Wanderer,
};

/// Of how many parts of the guesses one turn should break one each.
const PARTS_MAX: usize = 32;

/// Rounds with an answer after which more parts are tried.
const ROUNDS_IN_A_ROW: usize = 8;

/// Clauses that may be learnt for that.
const CONFLICTS_OF_PARTS: u32 = 1_000;

/// Clauses that may be learnt to see whether a turn breaks one guess.
const CONFLICTS_OF_GUESS: u32 = 1_000;
const CONFLICTS_OF_HARD_GUESS: u32 = 5_000;
const CONFLICTS_OF_FEW: u32 = 2_000;
const CONFLICTS_OF_HARD: u32 = 30_000;

/// Guesses of large rules that one solver is asked about.
const TOGETHER: usize = 4;

/// A literal under which so many guesses hold before a turn.
#[derive(Clone, Copy)]
struct HeldGuesses {
    literal: Lit,
    count: usize,
}

impl HeldGuesses {
    fn new(prover: &mut Prover, guesses: &[usize]) -> Self {
        let literal = prover.fresh();
        for &guess in guesses {
            let before = prover.literal(guess);
            prover.demand(vec![!literal, before]);
        }
        Self { literal, count: guesses.len() }
    }
}

/// Of each guess whether it holds before a turn, and then of each whether it does after it.
fn before_and_after(circuit: &mut Circuit, guesses: &[Invariant]) -> Vec<Wire> {
    let Circuit { gates, states, .. } = circuit;
    let mut of = |state: usize| -> Vec<Wire> {
        guesses.iter().map(|guess| guess.wire(gates, &states[state].bases)).collect()
    };
    [of(0), of(1)].concat()
}

/// Those of some guesses, all true of the first state, of which each holds after a turn if it did before, beside those that were found already:
/// as many as are found before the time is over, those about few fluents first.
pub(crate) fn inductive_alone(
    circuit: &mut Circuit,
    mut guesses: Vec<Invariant>,
    is_over: &dyn Fn() -> bool,
) -> Vec<Invariant> {
    guesses.sort_by_cached_key(Invariant::bases_count);
    let wires = before_and_after(circuit, &guesses);
    let Some(mut prover) = Prover::new(&circuit.gates, &circuit.clauses, &wires) else { return guesses };
    let count = guesses.len();
    let mut found = Vec::new();
    for (place, guess) in guesses.into_iter().enumerate() {
        if is_over() {
            break;
        }
        let [before, after] = [place, count + place].map(|wire| prover.literal(wire));
        if prover.ask_at_most(CONFLICTS_OF_GUESS, &[before, !after], is_over) == Proof::Impossible {
            prover.demand(vec![before]);
            prover.demand(vec![after]);
            found.push(guess);
        }
    }
    found
}

/// Those of some guesses, all true of the first state, that hold in every state that can be reached, as other invariants do that are known.
/// `None` if that was not settled.
pub(crate) fn inductive(
    circuit: &mut Circuit,
    known: &[Invariant],
    guesses: Vec<Invariant>,
    wanderer: Option<&mut Wanderer>,
    is_over: &dyn Fn() -> bool,
) -> Option<Vec<Invariant>> {
    let first = circuit.states[0].bases.clone();
    let held: Vec<Wire> = known.iter().map(|invariant| invariant.wire(&mut circuit.gates, &first)).collect();
    circuit.clauses.extend(held.into_iter().map(|wire| vec![wire]));
    let mut wires = before_and_after(circuit, &guesses);
    wires.extend(&circuit.states[1].bases);
    let prover = Prover::new(&circuit.gates, &circuit.clauses, &wires)?;
    let wandering = wanderer.map(|wanderer| Wandering { guesses: &guesses, wanderer });
    let left = unbroken(prover, guesses.len(), wandering, is_over)?;
    Some(left.into_iter().map(|guess| guesses[guess].clone()).collect())
}

/// Those of so many guesses that no turn breaks, if all of them that are left hold before it. The first literals of the prover say of each
/// guess whether it holds before a turn, and the next whether it does after it. `None` if that was not settled.
pub(crate) fn unbroken(
    prover: Prover,
    count: usize,
    wandering: Option<Wandering<'_>>,
    is_over: &dyn Fn() -> bool,
) -> Option<Vec<usize>> {
    let mut open = OpenGuesses { count, left: (0..count).collect(), prover, wandering };
    let mut parts = PARTS_MAX;
    let mut in_a_row = 0;
    // What breaks a guess though all that was left at some time holds before the turn does so too if less holds.
    let held = open.hold();
    while parts > 1 && !open.left.is_empty() {
        if is_over() {
            return None;
        }
        if open.break_parts(parts, held.literal, is_over) {
            in_a_row += 1;
            if in_a_row == ROUNDS_IN_A_ROW {
                (parts, in_a_row) = ((2 * parts).min(PARTS_MAX), 0);
            }
        } else {
            (parts, in_a_row) = (parts / 2, 0);
        }
    }
    open.settled(is_over)
}

/// The same of few guesses, each asked for alone; those that are not settled are given up. What is impossible stays so if what is given up
/// later is not needed for it. `None` if the time is over.
pub(crate) fn inductive_few(
    circuit: &mut Circuit,
    guesses: Vec<Invariant>,
    is_over: &dyn Fn() -> bool,
) -> Option<Vec<Invariant>> {
    let count = guesses.len();
    let wires = before_and_after(circuit, &guesses);
    let (before, after) = wires.split_at(count);
    // A solver for some guesses knows only what these depend on.
    let mut provers: Vec<Prover> = Vec::new();
    for some in after.chunks(TOGETHER) {
        provers.push(Prover::of_large(&circuit.gates, &circuit.clauses, &[before, some].concat())?);
    }
    let mut left: Vec<usize> = (0..count).collect();
    let mut open: VecDeque<usize> = left.iter().copied().collect();
    // Of each guess those that hold before a turn if it does after it.
    let mut needed = vec![Vec::new(); count];
    let mut hard = Vec::new();
    while let Some(guess) = open.pop_front() {
        if is_over() {
            return None;
        }
        let prover = &mut provers[guess / TOGETHER];
        let mut asked: Vec<Lit> = left.iter().map(|&guess| prover.literal(guess)).collect();
        asked.push(!prover.literal(count + guess % TOGETHER));
        let conflicts = if hard.contains(&guess) { CONFLICTS_OF_HARD } else { CONFLICTS_OF_FEW };
        match prover.ask_at_most(conflicts, &asked, is_over) {
            Proof::Impossible => {
                let is_needed = |&other: &usize| prover.is_needed(prover.literal(other));
                needed[guess] = left.iter().copied().filter(is_needed).collect();
                continue;
            }
            Proof::Unknown if !hard.contains(&guess) => {
                hard.push(guess);
                open.push_back(guess);
                continue;
            }
            Proof::Possible | Proof::Unknown => {}
        }
        left.retain(|&other| other != guess);
        for &other in &left {
            if needed[other].contains(&guess) && !open.contains(&other) {
                open.push_back(other);
            }
        }
    }
    Some(left.into_iter().map(|guess| guesses[guess].clone()).collect())
}

/// Who goes on at random from what breaks guesses, and breaks more: the literals of the prover go on with the bases after a turn.
pub(crate) struct Wandering<'w> {
    guesses: &'w [Invariant],
    wanderer: &'w mut Wanderer,
}

/// Guesses that nothing has broken yet, and what breaks them.
struct OpenGuesses<'w> {
    count: usize,
    left: Vec<usize>,
    prover: Prover,
    wandering: Option<Wandering<'w>>,
}

impl OpenGuesses<'_> {
    /// What is left once no turn breaks any of it. `None` if the time is over.
    fn settled(mut self, is_over: &dyn Fn() -> bool) -> Option<Vec<usize>> {
        loop {
            let held = self.hold();
            self.break_each(held.literal, is_over)?;
            if held.count == self.left.len() {
                return Some(self.left);
            }
        }
    }

    /// A literal under which all that is left holds before a turn.
    fn hold(&mut self) -> HeldGuesses {
        HeldGuesses::new(&mut self.prover, &self.left)
    }

    /// The literal of a guess that does not hold after a turn.
    fn broken(&self, guess: usize) -> Lit {
        !self.prover.literal(self.count + guess)
    }

    /// Gives up guesses of so many parts if one turn breaks one of each: that does as much as many turns. Whether one was found.
    fn break_parts(&mut self, parts: usize, held: Lit, is_over: &dyn Fn() -> bool) -> bool {
        let round = self.prover.fresh();
        for part in 0..parts.min(self.left.len()) {
            // Guesses of one kind stand beside each other, and often no turn breaks any of them: each part has some of all.
            let own = self.left.iter().skip(part).step_by(parts);
            let clause: Vec<Lit> = own.map(|&guess| self.broken(guess)).chain([!round]).collect();
            self.prover.demand(clause);
        }
        let is_found =
            self.prover.ask_at_most(CONFLICTS_OF_PARTS, &[held, round], is_over) == Proof::Possible;
        if is_found {
            self.give_up();
        }
        self.prover.demand(vec![!round]);
        is_found
    }

    /// Asks of each guess whether a turn breaks it, the hard ones last; what is not settled then is given up. `None` if the time is over.
    fn break_each(&mut self, held: Lit, is_over: &dyn Fn() -> bool) -> Option<()> {
        let mut asked = self.left.clone();
        for conflicts in [CONFLICTS_OF_GUESS, CONFLICTS_OF_HARD_GUESS] {
            let mut hard = Vec::new();
            for guess in asked {
                if is_over() {
                    return None;
                }
                if self.left.binary_search(&guess).is_err() {
                    continue;
                }
                let broken = self.broken(guess);
                match self.prover.ask_at_most(conflicts, &[held, broken], is_over) {
                    Proof::Possible => self.give_up(),
                    // What is known helps with the next.
                    Proof::Impossible => self.prover.demand(vec![!held, !broken]),
                    Proof::Unknown => hard.push(guess),
                }
            }
            asked = hard;
        }
        self.left.retain(|guess| !asked.contains(guess));
        Some(())
    }

    /// Gives up what does not hold after the turn that was found.
    fn give_up(&mut self) {
        let Self { count, left, prover, wandering } = self;
        left.retain(|&guess| prover.holds(prover.literal(*count + guess)));
        // What is left holds there, so it must hold of whatever follows.
        if let Some(Wandering { guesses, wanderer }) = wandering {
            let row = wanderer.row(|base| prover.holds(prover.literal(2 * *count + base)));
            let states = wanderer.after(&row);
            left.retain(|&guess| guesses[guess].holds_in(&states));
        }
    }
}
