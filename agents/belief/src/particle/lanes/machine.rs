//! One turn of all particles, on lanes.

use std::sync::Arc;

use croupier_engine::{
    batch::{Lanes, Plane},
    propnet::{Phase, Tape},
};

use crate::particle::lanes::{
    picks::{Group, Pick},
    population::{Offspring, Population},
    proposal::{Numbered, Proposal, W},
};

/// What runs the tape.
#[derive(Clone, Debug)]
pub(super) struct Machine {
    lanes: Lanes<W>,
    /// For each other role what its lanes are counted to.
    counts: Vec<Vec<u32>>,
    numbers: Vec<u32>,
}

/// Beyond this many joint moves of a particle, that many of them stand for all, each by digits that look random.
const NUMBERED_MAX: f64 = 4_503_599_627_370_496.0;

impl Machine {
    pub(super) fn new(tape: &Arc<Tape>) -> Self {
        Self { lanes: Lanes::new(Arc::clone(tape)), counts: Vec::new(), numbers: Vec::new() }
    }

    pub(super) fn tape(&self) -> &Arc<Tape> {
        self.lanes.tape()
    }

    /// For each particle in which the own move can have been played, its joint moves that are not ruled out, with
    /// the weight of the particle times the probability of each.
    pub(super) fn groups(
        &mut self,
        population: &Population,
        turn: Numbered<'_>,
        proposal: &mut Proposal,
    ) -> Vec<Group> {
        let particles = population.particles_count();
        let mut groups = Vec::with_capacity(particles);
        for first in (0..particles).step_by(Plane::<W>::LANES) {
            let sources: Vec<u32> = (first..particles.min(first + Plane::<W>::LANES)).map(id).collect();
            let alive = self.enter(population, &sources, turn);
            let mut fitting = vec![1.0_f64; sources.len()];
            let mut all = vec![1.0_f64; sources.len()];
            for role in &mut proposal.roles {
                self.numbers.clear();
                role.all.count(&self.lanes, alive);
                role.all.read_counts(sources.len(), &mut self.numbers);
                multiply(&mut all, &self.numbers);
                if let Some(selection) = &mut role.fitting {
                    self.numbers.clear();
                    selection.count(&self.lanes, alive);
                    selection.read_counts(sources.len(), &mut self.numbers);
                }
                multiply(&mut fitting, &self.numbers);
            }
            for (lane, &parent) in sources.iter().enumerate() {
                let is_possible = alive.get(lane) && fitting[lane] > 0.0;
                if is_possible {
                    let count = fitting[lane].min(NUMBERED_MAX);
                    let share = fitting[lane] / all[lane] / count;
                    groups.push(Group { parent, first: 0, count, weight: population.weights()[parent as usize] * share });
                }
            }
        }
        groups
    }

    /// The particles after the turn that come by the joint moves picked, and agree with what the role was told.
    pub(super) fn follow(
        &mut self,
        population: &Population,
        turn: Numbered<'_>,
        proposal: &mut Proposal,
        picks: &[Pick],
    ) -> Offspring {
        let mut offspring = Offspring::default();
        let roles = self.tape().roles_count();
        self.lanes.clear_moves();
        self.lanes.make(turn.role, turn.own_move, Plane::ALL);
        let mut moves = vec![0; Plane::<W>::LANES * roles];
        (0..Plane::<W>::LANES).for_each(|lane| moves[lane * roles + turn.role] = id(turn.own_move));
        for picks in picks.chunks(Plane::<W>::LANES) {
            let sources: Vec<u32> = picks.iter().map(|pick| pick.parent).collect();
            let alive = self.enter(population, &sources, turn);
            self.play(proposal, picks, alive);
            for role in &proposal.roles {
                for &number in &role.numbers {
                    for lane in self.lanes.made(role.role, number as usize).lanes() {
                        moves[lane * roles + role.role] = number;
                    }
                }
            }
            self.lanes.evaluate(Phase::Next);
            self.lanes.evaluate(Phase::Sees);
            let agreeing = alive & self.lanes.sees_exactly(turn.role, turn.percepts);
            self.lanes.append_next_rows(agreeing, &mut offspring.rows);
            for lane in agreeing.lanes() {
                offspring.weights.push(picks[lane].weight);
                offspring.parents.push(picks[lane].parent);
                offspring.moves.extend_from_slice(&moves[lane * roles..(lane + 1) * roles]);
            }
        }
        offspring
    }

    /// Makes the moves picked, of all other roles.
    fn play(&mut self, proposal: &mut Proposal, picks: &[Pick], alive: Plane<W>) {
        self.counts.resize(proposal.roles.len(), Vec::new());
        let mut products = vec![1.0_f64; picks.len()];
        for (role, counts) in proposal.roles.iter_mut().zip(&mut self.counts) {
            let selection = role.proposed();
            selection.count(&self.lanes, alive);
            counts.clear();
            selection.read_counts(picks.len(), counts);
            multiply(&mut products, counts);
        }
        let first = |(pick, &product): (&Pick, &f64)| if product > NUMBERED_MAX { mix(pick.index) } else { pick.index };
        let mut rest: Vec<u64> = picks.iter().zip(&products).map(first).collect();
        for (role, counts) in proposal.roles.iter_mut().zip(&self.counts) {
            self.numbers.clear();
            for ((rest, &product), &count) in rest.iter_mut().zip(&products).zip(counts) {
                self.numbers.push(take_digit(rest, count));
                if product > NUMBERED_MAX {
                    *rest = mix(*rest);
                }
            }
            role.proposed().make(&mut self.lanes, &self.numbers);
        }
    }

    /// Puts particles into lanes and looks at their states. Returns the lanes in which the own move can be played.
    fn enter(&mut self, population: &Population, sources: &[u32], turn: Numbered<'_>) -> Plane<W> {
        self.lanes.load_rows(population.rows(), sources);
        self.lanes.evaluate(Phase::State);
        let legal = self.lanes.legal(turn.role, turn.own_move);
        Plane::first(sources.len()) & !self.lanes.terminal() & legal
    }
}

fn multiply(products: &mut [f64], counts: &[u32]) {
    products.iter_mut().zip(counts).for_each(|(product, &count)| *product *= f64::from(count));
}

/// The lowest digit to the base `count`, which is taken off.
fn take_digit(rest: &mut u64, count: u32) -> u32 {
    let base = u64::from(count.max(1));
    let digit = *rest % base;
    *rest /= base;
    u32::try_from(digit).unwrap_or(0)
}

/// A bijection whose values look random: the output function of SplitMix64 (G. Steele, D. Lea, C. Flood, OOPSLA 2014).
fn mix(mut value: u64) -> u64 {
    value = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}

fn id(index: usize) -> u32 {
    u32::try_from(index).expect("particles and moves are fewer than 2^32")
}
