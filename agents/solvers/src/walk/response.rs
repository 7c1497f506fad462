//! A player's best response in a graph of states.
//!
//! The walk descends the tree of what the player knows, depth first. A node is an information set with its histories, and a
//! history is three numbers: the state, what the others know, how probable they make it. What leads to a settled state is
//! counted at once; what leads to a state that is quiet for the player is worth a fixed sum, which depends on the state and on
//! what the others know, and is remembered.
//!
//! Parts of the tree with many histories are walked through by several threads. Where it is split depends on the game
//! alone, and sums are taken in the order of the tree, so the number of threads never affects a result.

use std::sync::{Mutex, PoisonError};

use croupier_engine::{Game, RoleId};
use rayon::prelude::*;

use super::{
    Count, WalkError, WalkProgress, Worth,
    belief::{Belief, Child, Children, Merging, spread},
    graph::{EdgeId, RoleMoves, StateGraph, StateId},
    regrets::Regrets,
    sets::{SetId, SetTree},
};
use crate::{evaluation::PlayerValue, full::RegretDiscount};

/// Histories after which the count is told.
const REPORT: u64 = 1 << 18;

/// Worths of quiet states that one thread remembers: as many as the caches of a processor hold.
const REMEMBERED: usize = 1 << 16;

/// One player's best response to the others.
pub(super) struct Response<'w> {
    game: &'w Game,
    graph: &'w StateGraph,
    /// By player; none if all moves are equally probable.
    sets: &'w [SetTree],
    role: RoleId,
    player: usize,
    others: Vec<Other>,
    /// How many of the others have information sets that matter.
    known: usize,
    /// Histories below an information set from which on it is split among threads.
    split_from: f64,
    count: &'w Count<'w>,
    /// What learns from the walk, if it is one of an iteration.
    learner: Option<(&'w Regrets, RegretDiscount)>,
    idle: Mutex<Vec<ResponseMemory>>,
}

/// A role other than the player's.
#[derive(Clone, Copy)]
struct Other {
    role: RoleId,
    /// The position among the players, if what it knows matters.
    player: Option<usize>,
    /// The position among those of which that is true.
    place: usize,
}

/// One thread's working memory.
struct ResponseMemory {
    merging: Merging,
    /// By step the child that it leads to.
    children_of: Vec<u32>,
    /// Joint moves of the others, with their probabilities: the last ones are in use.
    shares: Vec<(u32, f64)>,
    /// The same before the part of one of them was added; empty between uses.
    before: Vec<(u32, f64)>,
    /// What others know after a joint move: the last ones are in use.
    after: Vec<SetId>,
    /// The worth of quiet states, by state and what the other knows: of those with the same place the last.
    quiet: Vec<(StateId, SetId, f64)>,
    /// By turn.
    levels: Vec<ResponseLevel>,
    histories: u64,
    /// The share of the walk that was done, and is not counted yet.
    done: f64,
}

/// What follows from an information set.
#[derive(Default)]
struct ResponseLevel {
    children: Children,
    /// By move, from the histories that are counted at once, and then from all.
    moves: Vec<Worth>,
}

/// No child.
const NONE: u32 = u32::MAX;

impl<'w> Response<'w> {
    /// For a player, at a position among the players; `sets` are those of all players, or empty if all moves are equally
    /// probable. Information sets with more histories below than `split_from` are split among threads.
    pub(super) fn new(
        game: &'w Game,
        graph: &'w StateGraph,
        sets: &'w [SetTree],
        player: usize,
        split_from: f64,
        count: &'w Count<'w>,
    ) -> Self {
        let role = graph.players[player];
        let mut known = 0;
        let other = |other: RoleId| {
            let player = graph.players.iter().position(|&role| role == other).filter(|_| !sets.is_empty());
            let place = known;
            known += usize::from(player.is_some());
            Other { role: other, player, place }
        };
        let others = game.roles().all().filter(|&all| all != role).map(other).collect();
        Self {
            game,
            graph,
            sets,
            role,
            player,
            others,
            known,
            split_from,
            count,
            learner: None,
            idle: Mutex::new(Vec::new()),
        }
    }

    /// The same, adding what the player regrets of its strategy to what it regretted before.
    pub(super) fn learning(self, regrets: &'w Regrets, kept: RegretDiscount) -> Self {
        Self { learner: Some((regrets, kept)), ..self }
    }

    /// What a match is worth to the player.
    pub(super) fn value(&self) -> Result<PlayerValue, WalkError> {
        let Worth { value, best } = self.worth()?;
        Ok(PlayerValue { value, best_response: best })
    }

    /// The worth of a match.
    pub(super) fn worth(&self) -> Result<Worth, WalkError> {
        let mut memory = self.memory();
        let known = self.others.iter().filter_map(|other| other.player);
        let initial: Vec<SetId> = known.map(|player| self.sets[player].initial()).collect();
        if let Some(goal) = self.counted(StateId::INITIAL, &initial, &mut memory) {
            return Ok(Worth { value: goal, best: goal });
        }
        self.idle().push(memory);
        let mut belief = Belief::default();
        belief.push(StateId::INITIAL, &initial, 1.0);
        self.split(self.sets.get(self.player).map_or(SetId::NONE, SetTree::initial), &mut belief, 1.0)
    }

    /// The worth of an information set, on all threads if that is much work: a share of the walk.
    fn split(&self, own: SetId, belief: &mut Belief, share: f64) -> Result<Worth, WalkError> {
        let mut memory = self.memory();
        belief.merge(self.known, &mut memory.merging);
        let histories: f64 = belief.states.iter().map(|&state| self.graph.histories(state)).sum();
        if histories < self.split_from {
            let worth = self.descend(0, own, belief, share, &mut memory)?;
            self.tell(&mut memory)?;
            self.idle().push(memory);
            return Ok(worth);
        }
        let mut level = ResponseLevel::default();
        self.branch(belief, &mut memory, &mut level)?;
        self.idle().push(memory);
        let children = level.children.all();
        let (histories, walked) = (belief.len() as u64, if children.is_empty() { share } else { 0.0 });
        (self.count)(WalkProgress { histories, walked, ..WalkProgress::default() })?;
        let share = share / children.len() as f64;
        let below = |child: &mut Child| self.split(self.own_after(own, child), &mut child.belief, share);
        let worths: Vec<Worth> = children.par_iter_mut().map(below).collect::<Result<_, _>>()?;
        for (child, worth) in level.children.all().iter().zip(worths) {
            level.moves[child.place].add(worth, 1.0);
        }
        Ok(self.chosen(own, &level.moves))
    }

    /// Counts what a thread has done.
    fn tell(&self, memory: &mut ResponseMemory) -> Result<(), WalkError> {
        let (histories, walked) = (std::mem::take(&mut memory.histories), std::mem::take(&mut memory.done));
        (self.count)(WalkProgress { histories, walked, ..WalkProgress::default() })
    }

    /// The worth of an information set, `depth` turns below where this thread began: a share of the walk.
    fn descend(
        &self,
        depth: usize,
        own: SetId,
        belief: &mut Belief,
        share: f64,
        memory: &mut ResponseMemory,
    ) -> Result<Worth, WalkError> {
        belief.merge(self.known, &mut memory.merging);
        memory.histories += belief.len() as u64;
        if memory.histories >= REPORT {
            self.tell(memory)?;
        }
        if memory.levels.len() <= depth {
            memory.levels.push(ResponseLevel::default());
        }
        let mut level = std::mem::take(&mut memory.levels[depth]);
        self.branch(belief, memory, &mut level)?;
        let ResponseLevel { children, moves } = &mut level;
        let children = children.all();
        if children.is_empty() {
            memory.done += share;
        }
        let share = share / children.len() as f64;
        for child in children {
            let worth =
                self.descend(depth + 1, self.own_after(own, child), &mut child.belief, share, memory)?;
            moves[child.place].add(worth, 1.0);
        }
        let worth = self.chosen(own, moves);
        memory.levels[depth] = level;
        Ok(worth)
    }

    /// The player's own information set in a child.
    fn own_after(&self, own: SetId, child: &Child) -> SetId {
        self.sets.get(self.player).map_or(SetId::NONE, |sets| sets.after(own, child.step))
    }

    /// The worth of an information set by that of its moves.
    fn chosen(&self, own: SetId, moves: &[Worth]) -> Worth {
        let best = moves.iter().map(|worth| worth.best).max_by(f64::total_cmp).unwrap_or(0.0);
        let value = match self.sets.get(self.player) {
            // Without a set the player does not get here by itself, and what it would do there does not count.
            Some(sets) if own != SetId::NONE => {
                let strategy = sets.strategy(own, moves.len());
                let value = strategy.iter().zip(moves).map(|(share, worth)| share * worth.value).sum();
                if let Some((regrets, kept)) = self.learner.filter(|_| moves.len() > 1) {
                    regrets.learn(sets.row(own, moves.len()), moves, value, kept);
                }
                value
            }
            _ => moves.iter().map(|worth| worth.value).sum::<f64>() / moves.len() as f64,
        };
        Worth { value, best }
    }

    /// Makes the children of an information set, and adds up what is counted at once.
    fn branch(
        &self,
        belief: &Belief,
        memory: &mut ResponseMemory,
        level: &mut ResponseLevel,
    ) -> Result<(), WalkError> {
        let ResponseLevel { children, moves } = level;
        let menu = self.graph.choice(belief.states[0], self.role).menu;
        children.clear();
        moves.clear();
        moves.resize(self.graph.moves(menu).len(), Worth::default());
        for (history, (&state, &weight)) in belief.states.iter().zip(&belief.weights).enumerate() {
            let own = self.graph.choice(state, self.role);
            if own.menu != menu {
                let role = self.game.roles().name(self.role).to_owned();
                return Err(WalkError::UnknownMoves { role });
            }
            let known = &belief.known[history * self.known..(history + 1) * self.known];
            self.share(state, known, weight, memory);
            let first = self.graph.place(state).first.0;
            for place in 0..own.count {
                for share in 0..memory.shares.len() {
                    let (offset, weight) = memory.shares[share];
                    let edge = EdgeId(first + place * own.stride + offset);
                    let next = self.graph.next(edge);
                    self.learn(known, edge, next, memory);
                    if let Some(goal) = self.counted_after(next, memory) {
                        moves[place as usize].add(Worth { value: goal, best: goal }, weight);
                    } else {
                        let step = self.graph.step(edge, self.player);
                        let child = &mut memory.children_of[step.index()];
                        if *child == NONE {
                            *child = crate::lanes::position(children.add(step, place as usize));
                        }
                        children.belief(*child as usize).push(next, &memory.after, weight);
                    }
                    memory.after.clear();
                }
            }
            memory.shares.clear();
        }
        children.all().iter().for_each(|child| memory.children_of[child.step.index()] = NONE);
        Ok(())
    }
}

// What the others do.
impl Response<'_> {
    /// Adds the joint moves of the others and chance in a state, with `weight` times their probabilities.
    fn share(&self, state: StateId, known: &[SetId], weight: f64, memory: &mut ResponseMemory) {
        let begin = memory.shares.len();
        memory.shares.push((0, weight));
        for other in &self.others {
            let RoleMoves { count, stride, .. } = self.graph.choice(state, other.role);
            if count == 1 {
                continue;
            }
            let strategy =
                other.player.map(|player| self.sets[player].strategy(known[other.place], count as usize));
            let mut before = std::mem::take(&mut memory.before);
            before.extend(memory.shares.drain(begin..));
            for place in 0..count {
                let probability = strategy.map_or(1.0 / f64::from(count), |shares| shares[place as usize]);
                if probability > 0.0 {
                    let with = |&(offset, weight)| (offset + place * stride, weight * probability);
                    memory.shares.extend(before.iter().map(with));
                }
            }
            before.clear();
            memory.before = before;
        }
    }

    /// Adds what the others know after a joint move. What somebody knows who will not choose again does not matter.
    #[inline]
    fn learn(&self, known: &[SetId], edge: EdgeId, next: StateId, memory: &mut ResponseMemory) {
        for other in &self.others {
            if let Some(player) = other.player {
                let forgotten = self.graph.place(next).is_quiet(player);
                let after = || self.sets[player].after(known[other.place], self.graph.step(edge, player));
                memory.after.push(if forgotten { SetId::NONE } else { after() });
            }
        }
    }

    /// The worth of a state that is counted at once, where others know what was added last.
    #[inline]
    fn counted_after(&self, state: StateId, memory: &mut ResponseMemory) -> Option<f64> {
        let place = self.graph.place(state);
        if place.is_settled() {
            return Some(self.graph.goal(place.outcome, self.player));
        }
        place.is_quiet(self.player).then(|| self.quiet(state, memory))
    }

    /// The same, where the others know `known`.
    fn counted(&self, state: StateId, known: &[SetId], memory: &mut ResponseMemory) -> Option<f64> {
        memory.after.extend_from_slice(known);
        let counted = self.counted_after(state, memory);
        memory.after.clear();
        counted
    }

    /// The worth of a state that is quiet for the player, where others know what was added last.
    fn quiet(&self, state: StateId, memory: &mut ResponseMemory) -> f64 {
        let (known, begin) = (memory.after.len() - self.known, memory.shares.len());
        // Of several others, each with information sets of its own, the same is not met often.
        let set = memory.after.get(known).copied().unwrap_or(SetId::NONE);
        let place = (self.known <= 1).then(|| remembered(state, set));
        if let Some((_, _, worth)) =
            place.map(|place| memory.quiet[place]).filter(|&(of, with, _)| (of, with) == (state, set))
        {
            return worth;
        }
        let (one, several) =
            ([set], if self.known > 1 { memory.after[known..].to_vec() } else { Vec::new() });
        let sets = if self.known > 1 { &several } else { &one[..self.known] };
        self.share(state, sets, 1.0, memory);
        let mut worth = 0.0;
        for share in begin..memory.shares.len() {
            let (offset, weight) = memory.shares[share];
            let edge = EdgeId(self.graph.place(state).first.0 + offset);
            let next = self.graph.next(edge);
            self.learn(sets, edge, next, memory);
            let after = self.counted_after(next, memory);
            worth += weight * after.expect("what follows a quiet state is settled or quiet");
            memory.after.truncate(known + self.known);
        }
        memory.shares.truncate(begin);
        if let Some(place) = place {
            memory.quiet[place] = (state, set, worth);
        }
        worth
    }

    fn idle(&self) -> std::sync::MutexGuard<'_, Vec<ResponseMemory>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Working memory that no other thread uses.
    fn memory(&self) -> ResponseMemory {
        let idle = self.idle().pop();
        idle.unwrap_or_else(|| ResponseMemory {
            merging: Merging::new(self.graph.len()),
            children_of: vec![NONE; self.graph.steps_count()],
            shares: Vec::new(),
            before: Vec::new(),
            after: Vec::new(),
            quiet: vec![(StateId(u32::MAX), SetId::NONE, 0.0); REMEMBERED],
            levels: Vec::new(),
            histories: 0,
            done: 0.0,
        })
    }
}

/// Where the worth of a quiet state is remembered.
#[inline]
fn remembered(state: StateId, set: SetId) -> usize {
    (spread(u64::from(state.0) << 32 | u64::from(set.0)) >> 32) as usize % REMEMBERED
}
