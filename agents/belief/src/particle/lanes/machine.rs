//! One turn of all particles, on lanes.

use std::sync::Arc;

use croupier_engine::{
    RoleId,
    batch::{Lanes, Plane},
    stages::bits::Bits,
    stages::propnet::{Phase, Tape},
};

use crate::particle::lanes::{
    model::{ModelledChoice, ModelledRoles, ModelledTurn},
    picks::{Group, Pick},
    population::{Offspring, Population},
    proposal::{Numbered, Proposal, W},
};

/// What runs the tape.
#[derive(Clone, Debug)]
pub(super) struct TapeRunner {
    lanes: Lanes<W>,
    /// For each other role what its lanes are counted to.
    counts: Vec<Vec<u32>>,
    numbers: Vec<u32>,
    /// By lane, the moves of all roles.
    moves: Vec<u32>,
}

/// One turn of a population.
#[derive(Debug)]
pub(super) struct Task<'t> {
    pub(super) population: &'t Population,
    pub(super) turn: Numbered<'t>,
    pub(super) proposals: &'t mut [Proposal],
    pub(super) model: &'t mut ModelledRoles,
}

/// Candidates that agree with what the role was told, and the states that they lead to.
#[derive(Clone, Debug, Default)]
pub(super) struct Surveyed {
    /// Candidates that agree or not.
    pub(super) looked_at: u64,
    pub(super) picks: Vec<Pick>,
    words: usize,
    rows: Vec<u64>,
}

impl Surveyed {
    #[cfg(test)]
    pub(super) fn new(picks: Vec<Pick>, words: usize, rows: Vec<u64>) -> Self {
        Self { looked_at: picks.len() as u64, picks, words, rows }
    }

    /// The state after each.
    pub(super) fn each_row(&self) -> impl Iterator<Item = &[u64]> {
        self.rows.chunks_exact(self.words.max(1))
    }
}

/// Beyond this many joint moves of a particle, a sample of that size represents all, chosen by pseudo-random digits.
const NUMBERED_MAX: f64 = 4_503_599_627_370_496.0;

impl TapeRunner {
    pub(super) fn new(tape: &Arc<Tape>) -> Self {
        Self {
            lanes: Lanes::new(Arc::clone(tape)),
            counts: Vec::new(),
            numbers: Vec::new(),
            moves: Vec::new(),
        }
    }

    pub(super) fn tape(&self) -> &Arc<Tape> {
        self.lanes.tape()
    }

    /// For each particle in which the own move can have been played, its joint moves that are not ruled out, with
    /// the weight of the particle times the probability of each.
    pub(super) fn groups(&mut self, task: &mut Task<'_>) -> Vec<Group> {
        let weights = task.population.weights();
        let mut groups = Vec::with_capacity(weights.len());
        for first in (0..weights.len()).step_by(Plane::<W>::LANES) {
            let sources: Vec<u32> = (first..weights.len().min(first + Plane::<W>::LANES)).map(id).collect();
            let alive = self.enter(task, &sources);
            let mut fitting = vec![1.0_f64; sources.len()];
            let mut all = vec![1.0_f64; sources.len()];
            for role in task.proposals.iter_mut() {
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
                if alive.get(lane) && fitting[lane] > 0.0 {
                    let count = fitting[lane].min(NUMBERED_MAX);
                    let weight = weights[parent as usize] * (fitting[lane] / all[lane] / count);
                    groups.push(Group { parent, first: 0, count, weight });
                }
            }
        }
        groups
    }

    /// The particles after the turn that result from the picked joint moves, and agree with what the role was told.
    pub(super) fn follow(&mut self, task: &mut Task<'_>, picks: &[Pick]) -> Offspring {
        let mut offspring = Offspring::default();
        self.begin(task);
        for picks in picks.chunks(Plane::<W>::LANES) {
            let sources: Vec<u32> = picks.iter().map(|pick| pick.parent).collect();
            let alive = self.enter(task, &sources);
            let alive = self.play(task, picks, alive);
            self.settle(task, picks, alive, &mut offspring);
        }
        offspring
    }

    /// The picked joint moves that agree with what the role was told. No policy is asked.
    pub(super) fn survey(&mut self, task: &mut Task<'_>, picks: &[Pick]) -> Surveyed {
        let (looked_at, words) = (picks.len() as u64, task.population.words());
        let mut surveyed = Surveyed { looked_at, words, ..Surveyed::default() };
        self.begin(task);
        for picks in picks.chunks(Plane::<W>::LANES) {
            let sources: Vec<u32> = picks.iter().map(|pick| pick.parent).collect();
            let alive = self.enter(task, &sources);
            let alive = self.play(task, picks, alive);
            self.lanes.evaluate(Phase::Next);
            self.lanes.evaluate(Phase::Sees);
            let agreeing = alive & self.lanes.sees_exactly(task.turn.role, task.turn.percepts);
            surveyed.picks.extend(agreeing.lanes().map(|lane| picks[lane]));
            self.lanes.append_next_rows(agreeing, &mut surveyed.rows);
        }
        surveyed
    }

    /// The particles that result from all candidates, if no role has more than one move that is not ruled out: in one pass.
    pub(super) fn forced(&mut self, task: &mut Task<'_>) -> Offspring {
        let mut offspring = Offspring::default();
        let weights = task.population.weights();
        self.begin(task);
        for first in (0..weights.len()).step_by(Plane::<W>::LANES) {
            let sources: Vec<u32> = (first..weights.len().min(first + Plane::<W>::LANES)).map(id).collect();
            let alive = self.enter(task, &sources);
            let mut picks: Vec<Pick> = sources
                .iter()
                .map(|&parent| Pick { parent, index: 0, weight: weights[parent as usize] })
                .collect();
            for role in task.proposals.iter_mut().filter(|role| role.fitting.is_some()) {
                self.numbers.clear();
                role.all.count(&self.lanes, alive);
                role.all.read_counts(sources.len(), &mut self.numbers);
                for (pick, &count) in picks.iter_mut().zip(&self.numbers) {
                    pick.weight /= f64::from(count.max(1));
                }
            }
            let alive = self.play(task, &picks, alive);
            self.settle(task, &picks, alive, &mut offspring);
        }
        offspring
    }

    /// Makes the own move in all lanes, and no other.
    fn begin(&mut self, task: &Task<'_>) {
        self.lanes.clear_moves();
        self.lanes.make(task.turn.role, task.turn.own_move, Plane::ALL);
        self.moves.clear();
        self.moves.resize(Plane::<W>::LANES * self.tape().roles_count(), id(task.turn.own_move));
    }

    /// Plays the moves, and keeps the lanes in which the role is told the observed percepts.
    fn settle(&mut self, task: &mut Task<'_>, picks: &[Pick], alive: Plane<W>, offspring: &mut Offspring) {
        let Task { population, turn, proposals, model } = task;
        let roles = self.tape().roles_count();
        for role in proposals.iter() {
            for &number in &role.numbers {
                for lane in self.lanes.made(role.role, number as usize).lanes() {
                    self.moves[lane * roles + role.role.index()] = number;
                }
            }
        }
        let modelled: Vec<RoleId> = model.roles().collect();
        let legal: Vec<Vec<Vec<u32>>> = modelled.iter().map(|&role| self.legal(role, alive)).collect();
        self.lanes.evaluate(Phase::Next);
        self.lanes.evaluate(Phase::Sees);
        let agreeing = alive & self.lanes.sees_exactly(turn.role, turn.percepts);
        let told: Vec<Vec<Bits>> = modelled.iter().map(|&role| self.told(role, agreeing)).collect();
        for (index, legal) in legal.iter().enumerate() {
            let known = |lane: usize| population.known(picks[lane].parent as usize)[index];
            let asked =
                agreeing.lanes().map(|lane| ModelledChoice { known: known(lane), legal: &legal[lane] });
            model.prepare(index, asked);
        }
        let mut living = agreeing;
        for lane in agreeing.lanes() {
            let moves = &self.moves[lane * roles..(lane + 1) * roles];
            let known = population.known(picks[lane].parent as usize);
            let mut weight = picks[lane].weight;
            for (index, (&role, &known)) in modelled.iter().zip(known).enumerate() {
                let (legal, percepts) = (legal[index][lane].clone(), told[index][lane].clone());
                let deed = ModelledTurn { known, legal, made: moves[role.index()], percepts };
                let (preferred, known) = model.judge(index, deed);
                weight *= preferred;
                offspring.known.push(known);
            }
            // What some policy never does is no survivor.
            if weight <= 0.0 {
                living.set(lane, false);
                offspring.known.truncate(offspring.known.len() - modelled.len());
                continue;
            }
            offspring.weights.push(weight);
            offspring.parents.push(picks[lane].parent);
            offspring.moves.extend_from_slice(moves);
        }
        self.lanes.append_next_rows(living, &mut offspring.rows);
    }

    /// The numbers of a role's legal moves in each lane, after [`Phase::State`].
    fn legal(&self, role: RoleId, lanes: Plane<W>) -> Vec<Vec<u32>> {
        let mut legal = vec![Vec::new(); Plane::<W>::LANES];
        for number in 0..self.tape().moves_count(role) {
            for lane in (lanes & self.lanes.legal(role, number)).lanes() {
                legal[lane].push(id(number));
            }
        }
        legal
    }

    /// What a role is told in each lane.
    fn told(&self, role: RoleId, lanes: Plane<W>) -> Vec<Bits> {
        let mut told = vec![Bits::new(); Plane::<W>::LANES];
        for percept in 0..self.tape().sees(role).len() {
            for lane in (lanes & self.lanes.sees(role, percept)).lanes() {
                told[lane].insert(percept);
            }
        }
        told
    }

    /// Makes the moves picked, of all other roles. Returns the lanes in which each of them has one.
    fn play(&mut self, task: &mut Task<'_>, picks: &[Pick], mut alive: Plane<W>) -> Plane<W> {
        let proposals = &mut *task.proposals;
        self.counts.resize(proposals.len(), Vec::new());
        let mut products = vec![1.0_f64; picks.len()];
        for (role, counts) in proposals.iter_mut().zip(&mut self.counts) {
            let selection = role.proposed();
            selection.count(&self.lanes, alive);
            alive &= selection.some();
            counts.clear();
            selection.read_counts(picks.len(), counts);
            multiply(&mut products, counts);
        }
        let first = |(pick, &product): (&Pick, &f64)| {
            if product > NUMBERED_MAX { mix(pick.index) } else { pick.index }
        };
        let mut rest: Vec<u64> = picks.iter().zip(&products).map(first).collect();
        for (role, counts) in proposals.iter_mut().zip(&self.counts) {
            self.numbers.clear();
            for ((rest, &product), &count) in rest.iter_mut().zip(&products).zip(counts) {
                self.numbers.push(take_digit(rest, count));
                if product > NUMBERED_MAX {
                    *rest = mix(*rest);
                }
            }
            role.proposed().make(&mut self.lanes, &self.numbers);
        }
        alive
    }

    /// Puts particles into lanes and evaluates their states. Returns the lanes in which the role's own move is legal.
    fn enter(&mut self, task: &Task<'_>, sources: &[u32]) -> Plane<W> {
        self.lanes.load_rows(task.population.rows(), sources);
        self.lanes.evaluate(Phase::State);
        let legal = self.lanes.legal(task.turn.role, task.turn.own_move);
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
