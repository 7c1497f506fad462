//! Which claims about the last state hold in every history: the backbone of the clauses.
//!
//! # Sources
//! J. Marques-Silva, M. Janota, I. Lynce, "On Computing Backbones of Propositional Theories", ECAI 2010: all claims that are left are
//! denied together, and every model strikes out those that it contradicts.

use batsat::{Lit, SolverInterface, Var, lbool};
use croupier_engine::{Game, InformationSet, game::PerceptReading, stages::propnet::Wire};

use crate::{
    formula::BoundedSolver,
    rescue::{
        clauses::Clauses,
        unroll::{Unrolled, unroll},
        witnesses::known_turns,
    },
};

/// A claim about the state after the last turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Claim {
    /// A base has this value.
    Is(usize, bool),
    /// So many of these bases are true.
    AtLeast(usize, Vec<usize>),
    /// No more than so many of these bases are true.
    AtMost(usize, Vec<usize>),
}

/// Bounds of a proof.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ProofLimits {
    /// Gates of the circuit.
    pub(crate) nodes: usize,
    /// Conflicts of the solver while all claims are denied together, and again for those that are left one by one.
    pub(crate) conflicts: u32,
    /// Conflicts for one claim alone.
    pub(crate) conflicts_each: u32,
}

/// For each claim, whether it is proved to hold in every history with the role's moves and percepts of `known`. One that is
/// not may hold all the same: if the limits were reached, or if the game has no network.
pub(crate) fn proved(
    game: &Game,
    known: &InformationSet,
    claims: &[Claim],
    limits: ProofLimits,
) -> Vec<bool> {
    let nothing = vec![false; claims.len()];
    let network = game.network().filter(|_| game.percept_reading() == PerceptReading::OldState);
    let unrolled = network.filter(|_| !claims.is_empty()).and_then(|network| {
        let turns = known_turns(network, known)?;
        unroll(network.tape(), known.role, &turns, limits.nodes)
    });
    let Some(mut unrolled) = unrolled else { return nothing };
    let wires: Vec<Wire> = claims.iter().map(|claim| unrolled.wire(claim)).collect();
    let mut clauses = Clauses::new(&unrolled, None);
    let literals: Vec<(u32, bool)> = wires.iter().map(|&wire| clauses.literal_of(wire)).collect();
    // What a claim denies is tried first.
    let guesses = literals.iter().map(|&(variable, is_denied)| (variable, is_denied));
    let Some((search, variables)) = clauses.search(limits.conflicts, guesses) else { return nothing };
    let literal = |&(variable, is_denied): &(u32, bool)| Lit::new(variables[variable as usize], !is_denied);
    let mut trial =
        TriedClaims { search, literals: literals.iter().map(literal).collect(), is_proved: nothing };
    let mut left = Vec::new();
    for (claim, &wire) in wires.iter().enumerate() {
        match wire {
            Wire::TRUE => trial.is_proved[claim] = true,
            Wire::FALSE => {}
            _ => left.push(claim),
        }
    }
    trial.deny_together(&mut left);
    trial.deny_each(left, limits);
    trial.is_proved
}

impl Unrolled {
    /// The wire that is true where a claim holds.
    fn wire(&mut self, claim: &Claim) -> Wire {
        match claim {
            Claim::Is(base, true) => self.bases[*base],
            Claim::Is(base, false) => !self.bases[*base],
            Claim::AtLeast(count, bases) => self.at_least(*count, bases),
            Claim::AtMost(count, bases) => !self.at_least(count + 1, bases),
        }
    }

    fn at_least(&mut self, count: usize, bases: &[usize]) -> Wire {
        self.gates.at_least(bases.iter().map(|&base| self.bases[base]), count)[count]
    }
}

/// Claims on trial.
struct TriedClaims {
    search: BoundedSolver,
    literals: Vec<Lit>,
    is_proved: Vec<bool>,
}

impl TriedClaims {
    /// Looks for models in which some claim that is left is false, until there is none or the solver gives up; then those that no
    /// model contradicted are left.
    fn deny_together(&mut self, left: &mut Vec<usize>) {
        while !left.is_empty() {
            let round: Var = self.search.new_var(lbool::TRUE, true);
            let denied = left.iter().map(|&claim| !self.literals[claim]);
            let mut clause: Vec<Lit> = denied.chain([Lit::new(round, false)]).collect();
            let is_open = self.search.add_clause_reuse(&mut clause);
            match is_open.then(|| self.search.solve_limited(&[Lit::new(round, true)])) {
                Some(found) if found == lbool::TRUE => self.strike_out(left),
                Some(found) if found != lbool::FALSE => return,
                _ => left.drain(..).for_each(|claim| self.is_proved[claim] = true),
            }
        }
    }

    /// The same, claim by claim.
    fn deny_each(&mut self, mut left: Vec<usize>, limits: ProofLimits) {
        let mut conflicts = limits.conflicts;
        while conflicts > 0
            && let Some(claim) = left.pop()
        {
            let allowed = limits.conflicts_each.min(conflicts);
            self.search.cb_mut().left = allowed;
            let found = self.search.solve_limited(&[!self.literals[claim]]);
            conflicts -= allowed - self.search.cb().left;
            if found == lbool::FALSE {
                self.is_proved[claim] = true;
            } else if found == lbool::TRUE {
                self.strike_out(&mut left);
            }
        }
    }

    /// Keeps the claims that hold in the model that was found.
    fn strike_out(&self, left: &mut Vec<usize>) {
        left.retain(|&claim| self.search.value_lit(self.literals[claim]) == lbool::TRUE);
    }
}
