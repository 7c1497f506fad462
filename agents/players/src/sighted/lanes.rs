//! Playouts of a search with full sight, many side by side, each of which begins where a descent ended.

use std::sync::Arc;

use croupier_engine::{
    GameError, LimitError, RoleId,
    batch::{Generator, Lanes, Plane, Width},
    game::GameNetwork,
    stages::{bits::ones, propnet::Phase},
};
use rand_core::Rng;

use super::{
    SightedSearch,
    graph::{End, Graph, Path},
};
use crate::{
    PlayerError, StopReason,
    lane_goals::{EndedLanes, LaneGoals, lanes_of},
};

/// Lanes in which playouts run at the same time and independently: where one is over, the next begins.
///
/// A slot is as many neighbouring lanes as there are playouts from a leaf. They are loaded with the last state of a descent, and
/// the first move that they make is the one that leads to the leaf.
#[derive(Debug)]
pub(super) struct Pool<const W: usize> {
    /// Turns of a playout, at most.
    turns_max: usize,
    goals: Arc<LaneGoals>,
    lanes: Lanes<W>,
    /// States on their way into some of the lanes.
    loader: Lanes<W>,
    playouts: usize,
    slots: Vec<Slot>,
    /// The slots that nothing runs in.
    free: Vec<usize>,
    /// The slots whose playouts are all over.
    done: Vec<usize>,
    /// Lanes in which a playout runs or is over.
    used: Plane<W>,
    /// Lanes whose playout is over.
    over: Plane<W>,
    /// Lanes in which some role has no legal move.
    stuck: Plane<W>,
    /// The slots that were loaded, and those that have just reached their leaf.
    loaded: Vec<usize>,
    arriving: Vec<usize>,
    /// Turns played.
    turns: usize,
    /// Whether it is time for new descents.
    is_due: bool,
}

/// Neighbouring lanes, and the descent whose leaf they play out.
#[derive(Clone, Debug, Default)]
struct Slot {
    path: Path,
    /// The state of the leaf.
    row: Vec<u64>,
    /// Lanes that are not over.
    running: usize,
    /// Whether nothing can be played in the leaf.
    is_end: bool,
    /// The turn in which it was loaded.
    since: usize,
}

impl<const W: usize> Pool<W>
where
    Plane<W>: Width<W>,
{
    /// The part of the slots that have to be done before goals are computed, which may cost more than a turn.
    const DONE_SHARE: usize = 8;

    /// At most one descent per this many earlier ones, and one more, is on its way: none of them knows the results of the others.
    const BLIND_SHARE: u32 = 4;

    /// Turns between two checks of the limit of turns.
    const TURNS_BETWEEN: usize = 64;

    /// Lanes for so many playouts from each leaf.
    pub(super) fn new(
        goals: Arc<LaneGoals>,
        network: &GameNetwork,
        turns_max: usize,
        playouts: usize,
    ) -> Self {
        let playouts = playouts.clamp(1, Plane::<W>::LANES);
        let slots = vec![Slot::default(); Plane::<W>::LANES / playouts];
        Self {
            turns_max,
            goals,
            lanes: Lanes::new(Arc::clone(network.tape())),
            loader: Lanes::new(Arc::clone(network.tape())),
            playouts,
            free: (0..slots.len()).rev().collect(),
            slots,
            done: Vec::new(),
            used: Plane::NONE,
            over: Plane::NONE,
            stuck: Plane::NONE,
            loaded: Vec::new(),
            arriving: Vec::new(),
            turns: 0,
            is_due: true,
        }
    }

    /// Descends and plays out until there are `end` descents, it is proved what to play, or time is up; says why it stopped unless
    /// it was for the number.
    pub(super) fn run<R: Rng>(
        &mut self,
        work: &mut SightedSearch<'_, '_, R>,
        end: u32,
    ) -> Result<Option<StopReason>, PlayerError> {
        self.reset();
        let mut seed = [0; 32];
        work.rng.fill_bytes(&mut seed);
        let mut random = Generator::<W>::new(seed, 0);
        let mut begun = work.done;
        loop {
            if work.graph.is_decided(work.root) {
                return Ok(Some(StopReason::Proved));
            }
            if self.is_due {
                self.fill(work, &mut begun, end);
            }
            let is_idle = self.free.len() == self.slots.len();
            if is_idle && begun == end {
                return Ok(None);
            }
            if work.budget.is_over() {
                return Ok(Some(StopReason::Deadline));
            }
            if !is_idle {
                self.turn(work, &mut random)?;
            }
        }
    }

    /// Plays a turn in all lanes, and backs up playouts if enough are over.
    fn turn<R: Rng>(
        &mut self,
        work: &mut SightedSearch<'_, '_, R>,
        random: &mut Generator<W>,
    ) -> Result<(), PlayerError> {
        self.load(work.graph);
        self.lanes.evaluate(Phase::State);
        self.arrive(work.graph);
        self.note_over();
        let is_idle = !(self.used & !self.over).any();
        let is_enough = self.done.len() * Self::DONE_SHARE >= self.slots.len();
        if is_idle || is_enough {
            self.finish(work);
        }
        Ok(self.advance(work.graph, random)?)
    }

    /// Nothing runs.
    fn reset(&mut self) {
        self.free = (0..self.slots.len()).rev().collect();
        (self.used, self.over, self.stuck) = (Plane::NONE, Plane::NONE, Plane::NONE);
        self.slots.iter_mut().for_each(|slot| slot.running = 0);
        self.done.clear();
        self.loaded.clear();
        self.arriving.clear();
        self.turns = 0;
        self.is_due = true;
    }

    /// Makes a descent for each free slot. One that ends at a known value is backed up at once, but its slot waits with the others:
    /// moves whose value is known must not be tried again and again while playouts of others are on their way.
    fn fill<R: Rng>(&mut self, work: &mut SightedSearch<'_, '_, R>, begun: &mut u32, end: u32) {
        for place in std::mem::take(&mut self.free) {
            let slot = &mut self.slots[place];
            let is_blind = *begun - work.done > work.done / Self::BLIND_SHARE;
            if *begun == end || is_blind || work.graph.is_decided(work.root) {
                self.free.push(place);
                continue;
            }
            *begun += 1;
            match work.graph.descend(work.root, work.rng, &mut slot.path) {
                End::Known(values) => {
                    work.graph.note(&slot.path, &values, work.root);
                    work.done += 1;
                    self.free.push(place);
                }
                End::New => {
                    (slot.running, slot.is_end, slot.since) = (self.playouts, false, self.turns);
                    self.loaded.push(place);
                }
            }
        }
        self.is_due = self.free.len() == self.slots.len();
    }

    /// Puts the last known states of the new descents into their lanes.
    fn load(&mut self, graph: &Graph) {
        if self.loaded.is_empty() {
            return;
        }
        let mut sources = vec![0; Plane::<W>::LANES];
        let mut here = Plane::NONE;
        for &place in &self.loaded {
            let (parent, _) = graph.last(&self.slots[place].path);
            sources[place * self.playouts..][..self.playouts].fill(parent);
            here |= lanes_of(place, self.playouts);
        }
        self.loader.load_rows(graph.rows(), &sources);
        for base in 0..self.lanes.tape().bases_count() {
            let new = here.choose(self.loader.base(base), self.lanes.base(base));
            self.lanes.set_base(base, new);
        }
        self.used |= here;
        self.over &= !here;
        self.stuck &= !here;
    }

    /// Adds the leaves that were reached to the graph, except those in which nothing can be played: their value is not known yet.
    fn arrive(&mut self, graph: &mut Graph) {
        if self.arriving.is_empty() {
            return;
        }
        let mut first = Plane::NONE;
        self.arriving.sort_unstable();
        self.arriving.iter().for_each(|&place| first.set(place * self.playouts, true));
        let terminal = self.lanes.terminal();
        let roles: Vec<RoleId> = self.lanes.tape().roles().collect();
        let mut rows: Vec<Vec<u64>> = vec![Vec::new(); roles.len()];
        for (&role, rows) in roles.iter().zip(&mut rows) {
            self.lanes.append_legal_rows(role, first, rows);
        }
        let mut legal: Vec<Vec<u32>> = vec![Vec::new(); roles.len()];
        for (index, &place) in self.arriving.iter().enumerate() {
            for ((&role, rows), legal) in roles.iter().zip(&rows).zip(&mut legal) {
                let words = self.lanes.tape().moves_count(role).div_ceil(64);
                legal.clear();
                legal.extend(ones(&rows[index * words..][..words]).map(|number| number as u32));
            }
            let slot = &mut self.slots[place];
            slot.is_end = terminal.get(place * self.playouts) || legal.iter().any(Vec::is_empty);
            let known = graph.find(&slot.row);
            let node = match known {
                None if !slot.is_end && graph.has_room() => {
                    Some(graph.add(&slot.row, legal.iter().map(Vec::as_slice)))
                }
                known => known,
            };
            if let Some(node) = node {
                graph.link(&slot.path, node);
            }
        }
        self.arriving.clear();
    }

    /// Takes in which playouts have just ended.
    fn note_over(&mut self) {
        let new = self.used & !self.over & (self.lanes.terminal() | self.stuck);
        self.over |= new;
        for lane in new.lanes() {
            let place = lane / self.playouts;
            self.slots[place].running -= 1;
            if self.slots[place].running == 0 {
                self.done.push(place);
            }
        }
    }

    /// Backs up the playouts of the slots that are done, and frees these.
    fn finish<R: Rng>(&mut self, work: &mut SightedSearch<'_, '_, R>) {
        self.lanes.evaluate(Phase::Goal);
        let mut here = Plane::NONE;
        self.done.iter().for_each(|&place| here |= lanes_of(place, self.playouts));
        let (group, groups) = (self.playouts, self.slots.len());
        let ended = EndedLanes { here, stuck: self.stuck, group, groups };
        let means = self.goals.means(&self.lanes, ended, work.open_ends);
        for &place in &self.done {
            let values = &means[place];
            let slot = &mut self.slots[place];
            if slot.is_end && work.graph.find(&slot.row).is_none() && work.graph.has_room() {
                let end = work.graph.add_end(&slot.row, values);
                work.graph.link(&slot.path, end);
            }
            work.graph.note(&slot.path, values, work.root);
            work.done += 1;
        }
        self.used &= !here;
        self.free.append(&mut self.done);
        self.is_due = true;
    }

    /// Plays a turn: at random, but for the moves that lead to the leaves.
    fn advance(&mut self, graph: &Graph, random: &mut Generator<W>) -> Result<(), GameError> {
        let mut entering = Plane::NONE;
        self.loaded.sort_unstable();
        self.loaded.iter().for_each(|&place| entering |= lanes_of(place, self.playouts));
        let running = self.used & !self.over & !entering;
        let without_move = self.lanes.choose(running, random);
        self.stuck |= without_move;
        let roles: Vec<RoleId> = self.lanes.tape().roles().collect();
        let mut first = Plane::NONE;
        for &place in &self.loaded {
            let (_, moves) = graph.last(&self.slots[place].path);
            first.set(place * self.playouts, true);
            for (&role, played) in roles.iter().zip(moves) {
                self.lanes.make_where(role, played as usize, lanes_of(place, self.playouts));
            }
        }
        self.lanes.evaluate(Phase::Next);
        self.keep_leaves(first);
        self.lanes.advance_in((running & !without_move) | entering);
        std::mem::swap(&mut self.arriving, &mut self.loaded);
        self.turns += 1;
        if self.turns.is_multiple_of(Self::TURNS_BETWEEN) {
            self.check_turns()?;
        }
        Ok(())
    }

    /// Keeps the states that follow in these lanes: they are the leaves of the slots that were loaded.
    fn keep_leaves(&mut self, first: Plane<W>) {
        if self.loaded.is_empty() {
            return;
        }
        let mut rows = Vec::new();
        self.lanes.append_next_rows(first, &mut rows);
        for (&place, row) in self.loaded.iter().zip(rows.chunks_exact(self.lanes.row_words())) {
            self.slots[place].row.clear();
            self.slots[place].row.extend_from_slice(row);
        }
    }

    /// Fails if a playout is longer than a match may be.
    fn check_turns(&self) -> Result<(), GameError> {
        let limit = self.turns_max;
        let is_long = |slot: &Slot| slot.running > 0 && self.turns - slot.since > limit + 1;
        if self.slots.iter().any(is_long) {
            return Err(LimitError::Turns { limit: limit as u64 }.into());
        }
        Ok(())
    }
}
