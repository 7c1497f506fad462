//! Hundreds of real-time matches at once: fluents as bits of planes, and a clock for each fluent and lane beside them.
//!
//! A step takes every match to its own next event: the end of a lifetime, a player's move, or a move of chance. So lanes are
//! at different instants, and each does one update a step.

use std::sync::Arc;

use rand_core::Rng;

use super::{ClockNetwork, RealTimeGame, TimedState};
use crate::{
    batch::{Lanes, Plane, Width},
    draw::{draw, draw_index},
    game::{GoalValue, Roles},
    id::{MoveId, RoleId},
    lifetime::Lifetime,
    propnet::Phase,
};

/// No event in sight.
const NEVER: u64 = u64::MAX;

/// Hundreds of matches of one real-time game, `64 * W` of them, played at random.
///
/// Every player moves at random instants, uniformly distributed with up to twice the mean between them, and chooses uniformly among the
/// legal moves; chance moves at once. When a match ends, another one starts in its lane.
#[derive(Debug)]
pub struct RealTimeLanes<const W: usize> {
    network: Arc<ClockNetwork>,
    lanes: Lanes<W>,
    roles: Roles,
    mean_us: u64,
    /// The remaining lifetime of each fluent whose clock runs: by fluent, and then by lane.
    clocks: Vec<u64>,
    /// Those of the next state.
    next_clocks: Vec<u64>,
    holds: Vec<Plane<W>>,
    next_holds: Vec<Plane<W>>,
    /// Where a fluent holds and is not endless.
    runs: Vec<Plane<W>>,
    next_runs: Vec<Plane<W>>,
    /// Microseconds to each player's next move: by role, and then by lane.
    timers: Vec<u64>,
    /// Microseconds to each lane's next event.
    elapsed: Vec<u64>,
    /// Updates of each lane's match, besides those of chance.
    taken: Vec<u32>,
    expired: Vec<Plane<W>>,
    initial: Vec<(usize, Lifetime)>,
    /// The bases of the first state.
    first: Vec<bool>,
    goals: Vec<Vec<Option<i32>>>,
    counts: LaneCounts,
    /// The lanes whose matches are counted.
    counting: Plane<W>,
    moved: Vec<(usize, RoleId, usize)>,
}

/// The results of the lanes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LaneCounts {
    /// Updates of the matches that are counted.
    pub updates: u64,
    /// Matches that ended by the rules.
    pub matches: u64,
    /// Matches in which the rules gave a player no goal, nothing could happen any more, or too much happened.
    pub failed: u64,
    /// Fluents that were given two lifetimes at once, of which lanes keep the shorter: in this case only the scalar engines are exact.
    pub doubled: u64,
    /// By role: the sum of the goals of ended matches; nothing for `random`.
    pub goals: Vec<i64>,
}

impl<const W: usize> RealTimeLanes<W> {
    /// Lanes at the start of a match each, whose players move every `mean_us` microseconds on average; `None` if the
    /// game has no network, or a fluent of its initial state has two lifetimes.
    pub fn new(game: &RealTimeGame, mean_us: u64, random: &mut impl Rng) -> Option<Self>
    where
        Plane<W>: Width<W>,
    {
        let network = Arc::clone(game.network()?);
        if game.initial_state().doubled().is_some() {
            return None;
        }
        let initial: Option<Vec<_>> = game
            .initial_state()
            .facts()
            .map(|(fluent, life)| Some((network.clock_of(fluent)?, life)))
            .collect();
        let fluents = network.fluents().len();
        let roles = game.roles().clone();
        let value = |goal: Option<GoalValue>| goal.map(GoalValue::value);
        let goals = roles.all().map(|role| network.goal_values(role).map(value).collect()).collect();
        let mut made = Self {
            lanes: Lanes::new(Arc::clone(network.tape())),
            mean_us: mean_us.max(1),
            clocks: vec![0; fluents * Self::LANES],
            next_clocks: vec![0; fluents * Self::LANES],
            holds: vec![Plane::NONE; fluents],
            next_holds: vec![Plane::NONE; fluents],
            runs: vec![Plane::NONE; fluents],
            next_runs: vec![Plane::NONE; fluents],
            timers: vec![NEVER; roles.len() * Self::LANES],
            elapsed: vec![0; Self::LANES],
            taken: vec![0; Self::LANES],
            expired: vec![Plane::NONE; fluents],
            initial: initial?,
            first: Vec::new(),
            goals,
            counts: LaneCounts { goals: vec![0; roles.len()], ..LaneCounts::default() },
            counting: Plane::ALL,
            moved: Vec::new(),
            network,
            roles,
        };
        made.first = made.first_bases();
        made.begin_in(Plane::ALL, random);
        made.lanes.evaluate(Phase::State);
        Some(made)
    }

    /// Updates of a match, besides those of chance, after which it has failed.
    pub const UPDATES_MAX: u32 = 5_000;

    /// How many matches run at once.
    pub const LANES: usize = 64 * W;

    /// The results of the lanes so far.
    #[must_use]
    pub fn counts(&self) -> &LaneCounts {
        &self.counts
    }

    /// The state of a lane, without what expired last.
    ///
    /// # Panics
    /// If there is no such lane.
    #[must_use]
    pub fn state(&self, lane: usize) -> TimedState {
        let held = (0..self.holds.len()).filter(|&fluent| self.holds[fluent].get(lane));
        let life = |fluent: usize| match self.runs[fluent].get(lane) {
            false => Lifetime::INFINITY,
            true => {
                let left = self.clocks[fluent * Self::LANES + lane];
                Lifetime::of_micros(left).expect("a clock that runs has time left")
            }
        };
        TimedState::new(
            held.map(|fluent| (self.network.fluents()[fluent], life(fluent))).collect(),
            Vec::new(),
        )
    }

    /// The last step of a lane: the elapsed microseconds, and who moved.
    #[must_use]
    pub fn last_step(&self, lane: usize) -> (u64, Vec<(RoleId, MoveId)>) {
        let moved = self.moved.iter().filter(|(of, ..)| *of == lane);
        let moves = moved.map(|&(_, role, number)| (role, self.network.move_of(role, number))).collect();
        (self.elapsed[lane], moves)
    }

    fn first_bases(&self) -> Vec<bool> {
        let mut first = vec![false; self.network.tape().bases_count()];
        for &(fluent, lifetime) in &self.initial {
            let bases = self.network.bases()[fluent];
            let endless = bases.endless.filter(|_| lifetime == Lifetime::INFINITY);
            bases.holds.into_iter().chain(endless).for_each(|base| first[base] = true);
        }
        first
    }

    /// Starts new matches in some lanes.
    fn begin_in(&mut self, lanes: Plane<W>, random: &mut impl Rng) {
        if !lanes.any() {
            return;
        }
        self.lanes.set_states(lanes, &self.first);
        for plane in self.holds.iter_mut().chain(&mut self.runs) {
            *plane &= !lanes;
        }
        for &(fluent, lifetime) in &self.initial {
            self.holds[fluent] |= lanes;
            if let Some(micros) = lifetime.micros() {
                self.runs[fluent] |= lanes;
                lanes.lanes().for_each(|lane| self.clocks[fluent * Self::LANES + lane] = micros);
            }
        }
        for lane in lanes.lanes() {
            self.taken[lane] = 0;
            for role in self.roles.players() {
                self.timers[role.index() * Self::LANES + lane] = delay_us(self.mean_us, random);
            }
        }
    }

    /// Plays exactly this many matches and counts only these. Each lane finishes its share, so that long matches are not left
    /// out. False if `is_over` returned true first, or if a fluent was given two lifetimes, which lanes cannot hold.
    ///
    /// A match that has taken [`UPDATES_MAX`](Self::UPDATES_MAX) updates besides those of chance has failed.
    pub fn run(&mut self, matches: u64, random: &mut impl Rng, is_over: &dyn Fn() -> bool) -> bool {
        let lanes = Self::LANES as u64;
        let share = |lane: u64| matches / lanes + u64::from(lane < matches % lanes);
        let mut left: Vec<u64> = (0..lanes).map(share).collect();
        self.counting = Plane::NONE;
        (0..Self::LANES).filter(|&lane| left[lane] > 0).for_each(|lane| self.counting.set(lane, true));
        while self.counting.any() {
            if is_over() || self.counts.doubled > 0 {
                return false;
            }
            for lane in (self.advance(random) & self.counting).lanes() {
                left[lane] -= 1;
                if left[lane] == 0 {
                    self.counting.set(lane, false);
                }
            }
        }
        self.counting = Plane::ALL;
        self.counts.doubled == 0
    }

    /// Takes every match to its next event, and plays it.
    pub fn step(&mut self, random: &mut impl Rng) {
        self.advance(random);
    }

    /// A step; the lanes in which a match ended.
    fn advance(&mut self, random: &mut impl Rng) -> Plane<W> {
        self.find_elapsed();
        let chance = self.let_chance_move(random);
        // What is legal is read before time passes: a legal move can be a fluent itself.
        self.let_players_move(chance, random);
        self.let_time_pass(chance);
        for &(lane, role, number) in &self.moved {
            self.lanes.make_in(lane, role, number);
        }
        self.lanes.evaluate(Phase::Next);
        self.take_next();
        self.counts.updates += u64::from(self.counting.count());
        let over = self.judge(chance);
        self.begin_in(over, random);
        if over.any() {
            self.lanes.evaluate(Phase::State);
        }
        over
    }

    /// How long it is to the next event of each lane, chance left out.
    fn find_elapsed(&mut self) {
        self.elapsed.fill(NEVER);
        for row in self.timers.chunks_exact(Self::LANES) {
            for (least, &left) in self.elapsed.iter_mut().zip(row) {
                *least = (*least).min(left);
            }
        }
        for (fluent, runs) in self.runs.iter().enumerate().filter(|(_, runs)| runs.any()) {
            let row = &self.clocks[fluent * Self::LANES..][..Self::LANES];
            let words = row.chunks_exact(64).zip(self.elapsed.chunks_exact_mut(64));
            for ((lefts, least), bits) in words.zip(runs.0).filter(|(_, bits)| *bits != 0) {
                for (lane, (least, &left)) in least.iter_mut().zip(lefts).enumerate() {
                    *least = if bits >> lane & 1 == 1 { (*least).min(left) } else { *least };
                }
            }
        }
    }

    /// Draws the moves of chance; returns the lanes in which it moves, in which no time passes.
    fn let_chance_move(&mut self, random: &mut impl Rng) -> Plane<W> {
        self.lanes.clear_moves();
        self.moved.clear();
        let mut moving = Plane::NONE;
        let Some(role) = self.roles.random() else { return moving };
        let count = self.network.moves_count(role);
        for number in 0..count {
            moving |= self.lanes.legal(role, number);
        }
        for lane in moving.lanes() {
            self.elapsed[lane] = 0;
            self.choose(role, lane, count, random);
        }
        moving
    }

    fn choose(&mut self, role: RoleId, lane: usize, count: usize, random: &mut impl Rng) {
        let legal = |number: &usize| self.lanes.legal(role, *number).get(lane);
        let legal: Vec<usize> = (0..count).filter(legal).collect();
        if !legal.is_empty() {
            let number = legal[draw_index(legal.len(), random)];
            self.moved.push((lane, role, number));
        }
    }

    /// Takes the time that passes from every clock, and notes what expires.
    fn let_time_pass(&mut self, chance: Plane<W>) {
        for fluent in 0..self.holds.len() {
            let runs = self.runs[fluent];
            let bases = self.network.bases()[fluent];
            let ended = if runs.any() { self.run_down(fluent, runs) & !chance } else { Plane::NONE };
            self.expired[fluent] = ended;
            if ended.any() {
                self.holds[fluent] &= !ended;
                self.runs[fluent] = runs & !ended;
                if let Some(base) = bases.holds {
                    self.lanes.set_base(base, self.holds[fluent]);
                }
            }
            if let Some(base) = bases.expired {
                self.lanes.set_base(base, ended);
            }
        }
    }

    /// Takes the time that passes from the clocks of a fluent; where none of it is left.
    fn run_down(&mut self, fluent: usize, runs: Plane<W>) -> Plane<W> {
        let mut ended = Plane::<W>::NONE;
        let row = &mut self.clocks[fluent * Self::LANES..][..Self::LANES];
        let words = row.chunks_exact_mut(64).zip(self.elapsed.chunks_exact(64));
        for (((lefts, elapsed), bits), ended) in
            words.zip(runs.0).zip(&mut ended.0).filter(|((_, bits), _)| *bits != 0)
        {
            for (lane, (left, &elapsed)) in lefts.iter_mut().zip(elapsed).enumerate() {
                let bit = bits >> lane & 1;
                *left = left.wrapping_sub(elapsed & bit.wrapping_neg());
                *ended |= (u64::from(*left == 0) & bit) << lane;
            }
        }
        ended
    }

    /// Draws the moves of players whose timers fire.
    fn let_players_move(&mut self, chance: Plane<W>, random: &mut impl Rng) {
        for role in self.roles.clone().players() {
            let count = self.network.moves_count(role);
            for lane in 0..Self::LANES {
                let timer = &mut self.timers[role.index() * Self::LANES + lane];
                *timer -= self.elapsed[lane];
                if *timer == 0 && !chance.get(lane) {
                    *timer = delay_us(self.mean_us, random);
                    self.choose(role, lane, count, random);
                }
            }
        }
    }

    /// Reads which clocks are set and kept, and makes the result the state, with what has just expired.
    fn take_next(&mut self) {
        self.next_holds.fill(Plane::NONE);
        self.next_runs.fill(Plane::NONE);
        let network = Arc::clone(&self.network);
        for fresh in network.fresh() {
            let lanes = self.lanes.next(fresh.base);
            match fresh.lifetime.micros() {
                Some(micros) => self.set(fresh.to, lanes, lanes, |_, _| micros),
                None => self.set(fresh.to, lanes, Plane::NONE, |_, _| 0),
            }
        }
        for carried in network.carried() {
            let lanes = self.lanes.next(carried.base) & self.holds[carried.from];
            let from = carried.from * Self::LANES;
            self.set(carried.to, lanes, lanes & self.runs[carried.from], |clocks, lane| clocks[from + lane]);
        }
        std::mem::swap(&mut self.clocks, &mut self.next_clocks);
        std::mem::swap(&mut self.holds, &mut self.next_holds);
        std::mem::swap(&mut self.runs, &mut self.next_runs);
        for (fluent, bases) in network.bases().iter().enumerate() {
            if let Some(base) = bases.holds {
                self.lanes.set_base(base, self.holds[fluent]);
            }
            if let Some(base) = bases.endless {
                self.lanes.set_base(base, self.holds[fluent] & !self.runs[fluent]);
            }
        }
    }

    /// Lets a fluent hold in some lanes, and its clock run in some of these, with what `clock` says is left; of two
    /// lifetimes the shorter.
    fn set(&mut self, fluent: usize, lanes: Plane<W>, runs: Plane<W>, clock: impl Fn(&[u64], usize) -> u64) {
        if !lanes.any() {
            return;
        }
        let row = fluent * Self::LANES;
        let (held, ran) = (self.next_holds[fluent], self.next_runs[fluent]);
        for lane in runs.lanes() {
            let left = clock(&self.clocks, lane);
            let known = &mut self.next_clocks[row + lane];
            let has_both = ran.get(lane);
            self.counts.doubled += u64::from(has_both && *known != left && self.counting.get(lane));
            *known = if has_both { (*known).min(left) } else { left };
        }
        // One that runs and one that does not are two lifetimes as well.
        let mixed = held & ((runs & !ran) | (lanes & !runs & ran));
        self.counts.doubled += u64::from((mixed & self.counting).count());
        self.next_holds[fluent] = held | lanes;
        self.next_runs[fluent] = ran | runs;
    }

    /// Finds the matches that are over, or stuck, and counts their results; then clears what has expired.
    fn judge(&mut self, chance: Plane<W>) -> Plane<W> {
        self.lanes.clear_moves();
        self.lanes.evaluate(Phase::State);
        let terminal = self.lanes.terminal();
        if terminal.any() {
            self.lanes.evaluate(Phase::Goal);
            self.count_goals(terminal & self.counting);
        }
        for (bases, ended) in self.network.bases().iter().zip(&self.expired) {
            if let Some(base) = bases.expired.filter(|_| ended.any()) {
                self.lanes.set_base(base, Plane::NONE);
            }
        }
        if self.expired.iter().any(Plane::any) {
            self.lanes.evaluate(Phase::State);
        }
        let stuck = self.stuck(terminal);
        terminal | stuck | self.endless(!chance, terminal | stuck)
    }

    /// Matches that take too long, of those that are not over; an update more is counted in some lanes.
    fn endless(&mut self, updated: Plane<W>, over: Plane<W>) -> Plane<W> {
        let mut endless = Plane::NONE;
        for lane in updated.lanes() {
            self.taken[lane] += 1;
            if self.taken[lane] >= Self::UPDATES_MAX {
                endless.set(lane, true);
            }
        }
        endless &= !over;
        self.counts.failed += u64::from((endless & self.counting).count());
        endless
    }

    fn count_goals(&mut self, terminal: Plane<W>) {
        let (mut worth, mut values) = (Plane::ALL, Vec::new());
        for role in self.roles.players() {
            let mut found = Plane::NONE;
            for (place, value) in self.goals[role.index()].iter().enumerate() {
                let here = self.lanes.has_goal(role, place) & terminal & !found;
                found |= here;
                match value {
                    Some(value) => values.push((role, *value, here)),
                    None => worth &= !here,
                }
            }
            worth &= found;
        }
        for (role, value, here) in values {
            self.counts.goals[role.index()] += i64::from(value) * i64::from((here & worth).count());
        }
        self.counts.matches += u64::from((terminal & worth).count());
        self.counts.failed += u64::from((terminal & !worth).count());
    }

    /// Matches in which nothing expires and nobody can move.
    fn stuck(&mut self, terminal: Plane<W>) -> Plane<W> {
        let mut alive = self.runs.iter().fold(terminal, |alive, &runs| alive | runs);
        if alive != Plane::ALL {
            for role in self.roles.all() {
                for number in 0..self.network.moves_count(role) {
                    alive |= self.lanes.legal(role, number);
                }
            }
        }
        self.counts.failed += u64::from((!alive & self.counting).count());
        !alive
    }
}

fn delay_us(mean_us: u64, random: &mut impl Rng) -> u64 {
    1 + draw(2 * mean_us, || random.next_u64())
}
