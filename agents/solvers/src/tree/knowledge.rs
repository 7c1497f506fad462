//! What players did and were told: each sequence is stored once and extended turn by turn.

use croupier_engine::{MoveId, Percepts};
use rustc_hash::FxHashMap;

/// Everything that one player did and was told up to some turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct KnowledgeId(u32);

impl KnowledgeId {
    /// The index as a `usize`.
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// A set of percepts, kept once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct PerceptsId(u32);

impl PerceptsId {
    /// The index as a `usize`.
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// One more turn after an earlier information set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct KnowledgeStep {
    before: KnowledgeId,
    own_move: MoveId,
    percepts: PerceptsId,
}

/// A player's information set at the root of the tree.
pub(crate) type Origin = Vec<(MoveId, Percepts)>;

/// A forest with a root for each origin and a node for each sequence of own moves and percepts.
#[derive(Debug)]
pub(crate) struct KnowledgeForest {
    origins: Vec<Origin>,
    /// The last turn of each that is not a root.
    steps: Vec<KnowledgeStep>,
    percepts: Vec<Percepts>,
}

/// A forest that can still be extended.
#[derive(Debug)]
pub(crate) struct KnowledgeBuilder {
    knowledge: KnowledgeForest,
    /// Those of the turn that is being taken: all steps of a turn go on from sequences of one length.
    known_steps: FxHashMap<KnowledgeStep, KnowledgeId>,
    known_percepts: FxHashMap<Percepts, PerceptsId>,
}

impl KnowledgeForest {
    /// The turns of one sequence.
    pub(crate) fn turns(&self, id: KnowledgeId) -> Vec<(MoveId, Percepts)> {
        let mut turns = Vec::new();
        let mut rest = id;
        while let Some(index) = rest.index().checked_sub(self.origins.len()) {
            let step = self.steps[index];
            turns.push((step.own_move, self.percepts[step.percepts.0 as usize].clone()));
            rest = step.before;
        }
        turns.extend(self.origins[rest.index()].iter().rev().cloned());
        turns.reverse();
        turns
    }

    /// Memory in bytes.
    pub(crate) fn bytes(&self) -> usize {
        let terms: usize = self.percepts.iter().map(Percepts::len).sum();
        size_of_val(self.steps.as_slice())
            + size_of_val(self.percepts.as_slice())
            + terms * size_of::<MoveId>()
    }
}

impl KnowledgeBuilder {
    /// Players that each have one of the origins, all of the same number of turns: an origin's id is its
    /// index.
    pub(crate) fn new(origins: Vec<Origin>) -> Self {
        let knowledge = KnowledgeForest { origins, steps: Vec::new(), percepts: Vec::new() };
        Self { knowledge, known_steps: FxHashMap::default(), known_percepts: FxHashMap::default() }
    }

    /// Each player's information set if it has one of the origins.
    pub(crate) fn initial(&self) -> Vec<KnowledgeId> {
        (0..self.knowledge.origins.len()).map(Self::origin).collect()
    }

    /// The origin in a place.
    pub(crate) fn origin(place: usize) -> KnowledgeId {
        KnowledgeId(u32::try_from(place).expect("a count below 2^32"))
    }

    /// The id of a set of percepts, new if it was not known.
    pub(crate) fn percepts(&mut self, percepts: &Percepts) -> PerceptsId {
        if let Some(&known) = self.known_percepts.get(percepts) {
            return known;
        }
        let lists = &mut self.knowledge.percepts;
        let id = PerceptsId(u32::try_from(lists.len()).expect("a count below 2^32"));
        lists.push(percepts.clone());
        self.known_percepts.insert(percepts.clone(), id);
        id
    }

    /// A set of percepts that is kept.
    pub(crate) fn percepts_at(&self, id: PerceptsId) -> &Percepts {
        &self.knowledge.percepts[id.index()]
    }

    /// Starts a turn: information sets that are extended from now on were created in the turn before.
    pub(crate) fn begin_turn(&mut self) {
        self.known_steps.clear();
    }

    /// A player's information set after one more turn.
    pub(crate) fn extend(
        &mut self,
        before: KnowledgeId,
        own_move: MoveId,
        percepts: PerceptsId,
    ) -> KnowledgeId {
        let KnowledgeForest { origins, steps, .. } = &mut self.knowledge;
        let step = KnowledgeStep { before, own_move, percepts };
        *self.known_steps.entry(step).or_insert_with(|| {
            steps.push(step);
            Self::origin(origins.len() + steps.len() - 1)
        })
    }

    /// The turns of one sequence.
    pub(crate) fn turns(&self, id: KnowledgeId) -> Vec<(MoveId, Percepts)> {
        self.knowledge.turns(id)
    }

    /// The forest as it is now.
    pub(crate) fn finish(self) -> KnowledgeForest {
        self.knowledge
    }
}
