//! How a player's information sets are found in a graph of states.

use croupier_engine::{Game, InformationSet, RoleId};
use hashbrown::HashTable;

use super::{
    Count, WalkError, WalkProgress,
    graph::{EdgeId, MenuId, StateGraph, StateId, StepId},
    sets::{SetId, SetStep, SetTree, hash},
    strategy::StrategyFunction,
};
use crate::lanes::position;

/// Most information sets of a player, and moves in them: five gigabytes with regrets and averages.
const SETS_MAX: usize = 1 << 27;

/// A tree that grows, depth first.
pub(super) struct Growth<'g, 's> {
    game: &'g Game,
    graph: &'g StateGraph,
    role: RoleId,
    player: usize,
    tree: SetTree,
    /// Information sets by what they are, if those that are alike are one.
    alike: Option<HashTable<SetId>>,
    asked: &'g StrategyFunction<'s>,
    known: InformationSet,
    /// How many information sets have been asked about.
    count: u64,
    /// Is told now and then what was done, and says whether to go on.
    progress: &'g Count<'g>,
    /// The share of the work of which it was not told yet.
    done: f64,
    /// By state the step by which it was last found, so that few are found twice.
    found: Vec<StepId>,
    /// Lists that are no longer used.
    idle: Vec<Vec<(StepId, StateId)>>,
    /// Probabilities of the information sets on the way here: those of the last are last.
    shares: Vec<f64>,
    /// Their steps so far.
    steps: Vec<SetStep>,
}

impl<'g, 's> Growth<'g, 's> {
    /// For a player, `player` among the players, with the strategy that `asked` tells.
    pub(super) fn new(
        game: &'g Game,
        graph: &'g StateGraph,
        player: usize,
        asked: &'g StrategyFunction<'s>,
        progress: &'g Count<'g>,
    ) -> Self {
        let role = graph.players[player];
        Self {
            game,
            graph,
            role,
            player,
            tree: SetTree::new(),
            alike: None,
            asked,
            known: InformationSet::initial(role),
            count: 0,
            progress,
            done: 0.0,
            found: vec![StepId(u32::MAX); graph.len()],
            idle: Vec::new(),
            shares: Vec::new(),
            steps: Vec::new(),
        }
    }

    /// The same, where information sets are one from which the player goes on alike whatever happens: with the same moves, as
    /// probable, and after the same steps information sets that are one too. Histories that differ only in such information sets
    /// of the others have the same future. Networks that forget in which order things happened have many.
    pub(super) fn joining_alike(self) -> Self {
        Self { alike: Some(HashTable::new()), ..self }
    }

    /// All information sets.
    ///
    /// # Errors
    /// If the player cannot know its legal moves, the strategy fails, or `progress` stops it.
    pub(super) fn tree(mut self) -> Result<SetTree, WalkError> {
        if self.graph.place(StateId::INITIAL).is_quiet(self.player) {
            self.tree.add_bare();
        } else {
            self.grow(&[(StepId(0), StateId::INITIAL)], 1.0)?;
            self.tell()?;
        }
        Ok(self.tree)
    }

    /// Tells of the progress.
    fn tell(&mut self) -> Result<(), WalkError> {
        (self.progress)(WalkProgress { asked: std::mem::take(&mut self.done), ..WalkProgress::default() })
    }

    /// The information set that some states are in, added with everything after it: a share of the work.
    fn grow(&mut self, states: &[(StepId, StateId)], share: f64) -> Result<SetId, WalkError> {
        self.count += 1;
        if self.count.is_multiple_of(1 << 16) {
            self.tell()?;
        }
        if self.tree.size() > SETS_MAX {
            return Err(WalkError::TooManySets { limit: SETS_MAX });
        }
        let menu = self.graph.choice(states[0].1, self.role).menu;
        if states.iter().any(|&(_, state)| self.graph.choice(state, self.role).menu != menu) {
            let role = self.game.roles().name(self.role).to_owned();
            return Err(WalkError::UnknownMoves { role });
        }
        let (own, first) = (self.shares.len(), self.steps.len());
        self.ask(menu)?;
        let mut after = self.idle.pop().unwrap_or_default();
        for &(_, state) in states {
            self.follow(state, own, &mut after);
        }
        for &(_, state) in &after {
            self.found[state.index()] = StepId(u32::MAX);
        }
        after.sort_unstable();
        after.dedup();
        let groups = || after.chunk_by(|left, right| left.0 == right.0);
        let share = share / groups().count().max(1) as f64;
        if after.is_empty() {
            self.done += share;
        }
        for group in groups() {
            let step = group[0].0;
            self.known.turns.push(self.graph.experience(step).clone());
            let to = self.grow(group, share)?;
            self.known.turns.pop();
            self.steps.push(SetStep::new(step, to));
        }
        after.clear();
        self.idle.push(after);
        if let Some(last) = self.steps[first..].last_mut() {
            last.mark_last();
        }
        let set = self.add(menu, own, first);
        self.shares.truncate(own);
        self.steps.truncate(first);
        Ok(set)
    }

    /// The information set with these moves, and the probabilities and steps from these places on.
    fn add(&mut self, menu: MenuId, shares: usize, steps: usize) -> SetId {
        let (shares, steps) = (&self.shares[shares..], &self.steps[steps..]);
        let Some(alike) = &mut self.alike else { return self.tree.add(menu, shares, steps) };
        let key = hash(menu, shares, steps);
        if let Some(&set) = alike.find(key, |&set| self.tree.is(set, menu, shares, steps)) {
            return set;
        }
        let set = self.tree.add(menu, shares, steps);
        alike.insert_unique(key, set, |&set| self.tree.hash(self.graph, set));
        set
    }

    /// Adds the probabilities of some moves in the information set that is known now.
    fn ask(&mut self, menu: MenuId) -> Result<(), WalkError> {
        let moves = self.graph.moves(menu);
        // Nobody who has one move needs to be asked.
        if moves.len() == 1 {
            self.shares.push(1.0);
            return Ok(());
        }
        let probabilities = (self.asked)(&self.known, moves).map_err(WalkError::Strategy)?;
        assert_eq!(probabilities.len(), moves.len(), "a probability for each move");
        self.shares.extend(probabilities);
        Ok(())
    }

    /// Adds the states after one, with the player's steps to them; its probabilities begin at `own`.
    fn follow(&mut self, state: StateId, own: usize, after: &mut Vec<(StepId, StateId)>) {
        let choice = self.graph.choice(state, self.role);
        let edges = self.graph.edges(state);
        let first = edges.start;
        for edge in edges {
            let place = (edge - first) / choice.stride as usize % choice.count as usize;
            let next = self.graph.nexts[edge];
            if self.shares[own + place] <= 0.0 || self.graph.place(next).is_quiet(self.player) {
                continue;
            }
            let step = self.graph.step(EdgeId(position(edge)), self.player);
            if self.found[next.index()] != step {
                self.found[next.index()] = step;
                after.push((step, next));
            }
        }
    }
}
