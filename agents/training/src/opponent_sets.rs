//! What modelled roles may know: a tree of information sets, with how likely their policies make the moves that lead to each.

use std::sync::{Mutex, PoisonError};

use croupier_belief::{Policy, PolicyQuestion};
use croupier_engine::{InformationSet, MoveId, Percepts, RoleId};
use rustc_hash::FxHashMap;

use crate::{
    TrainingError,
    policies::{OpponentPolicies, OpponentPolicy},
};

/// A policy that chooses uniformly, and notes what it is asked: so information sets are found with their legal moves.
#[derive(Debug, Default)]
pub(crate) struct Recorder(Mutex<FxHashMap<InformationSet, Vec<MoveId>>>);

impl Recorder {
    fn legal(&self, known: &InformationSet) -> Option<Vec<MoveId>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(known).cloned()
    }
}

impl Policy for Recorder {
    fn probabilities(&self, known: &InformationSet, legal: &[MoveId]) -> Vec<f64> {
        if legal.len() > 1 {
            let mut met = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            if !met.contains_key(known) {
                met.insert(known.clone(), legal.to_vec());
            }
        }
        vec![1.0 / legal.len() as f64; legal.len()]
    }
}

/// What modelled roles may know: a tree of information sets, and the policies' answers in those with a choice.
#[derive(Debug, Default)]
pub(crate) struct OpponentSets {
    nodes: Vec<SetNode>,
    roots: FxHashMap<RoleId, u32>,
    /// By information set and the turn that follows, the next.
    next: FxHashMap<(u32, MoveId, Percepts), u32>,
    decisions: Vec<Decision>,
}

/// An information set of a modelled role.
#[derive(Clone, Copy, Debug)]
struct SetNode {
    /// The one before; itself at the beginning.
    parent: u32,
    /// The decision that led here, and which of its moves was made; `None` if there was no choice.
    step: Option<(u32, u32)>,
    /// The decision here, if there is one and it was looked for.
    decision: Option<u32>,
    /// How much likelier the role's policy makes all its moves so far than uniform choices would.
    reach: f64,
    /// By which policies.
    version: u64,
}

/// A choice of a modelled role.
#[derive(Clone, Debug)]
struct Decision {
    policy: usize,
    known: InformationSet,
    legal: Vec<MoveId>,
    answer: Vec<f64>,
    version: u64,
}

impl OpponentSets {
    /// The node of an information set.
    pub(crate) fn place(
        &mut self,
        known: &InformationSet,
        recorder: &Recorder,
        policies: &OpponentPolicies,
    ) -> u32 {
        let nodes = &mut self.nodes;
        let root = SetNode { parent: 0, step: None, decision: None, reach: 1.0, version: u64::MAX };
        let mut node = *self.roots.entry(known.role).or_insert_with(|| push(nodes, root));
        for (turn, (made, percepts)) in known.turns.iter().enumerate() {
            let key = (node, *made, percepts.clone());
            if let Some(&next) = self.next.get(&key) {
                node = next;
                continue;
            }
            let decision = self.nodes[node as usize].decision.or_else(|| {
                let before = InformationSet { role: known.role, turns: known.turns[..turn].to_vec() };
                let (legal, policy) = (recorder.legal(&before)?, policies.of(known.role)?);
                Some(push(
                    &mut self.decisions,
                    Decision { policy, known: before, legal, answer: Vec::new(), version: 0 },
                ))
            });
            self.nodes[node as usize].decision = decision;
            let step = decision.and_then(|decision| {
                let legal = &self.decisions[decision as usize].legal;
                let column = legal.iter().position(|known| known == made)?;
                Some((decision, u32::try_from(column).expect("moves are below 2^32")))
            });
            let next = SetNode { parent: node, step, decision: None, reach: 1.0, version: 0 };
            node = push(&mut self.nodes, next);
            self.next.insert(key, node);
        }
        node
    }

    /// How much likelier a node's role makes all moves that lead to it than uniform choices would, as it was answered last.
    pub(crate) fn reach(&self, node: u32) -> f64 {
        self.nodes[node as usize].reach
    }

    /// Computes the factors of some nodes: what policies have not answered in this version they are asked, each in one call.
    pub(crate) fn answer(
        &mut self,
        policies: &OpponentPolicies,
        version: u64,
        needed: impl Iterator<Item = u32>,
    ) -> Result<(), TrainingError> {
        let mut fresh = Vec::new();
        let mut asked: Vec<Vec<u32>> = vec![Vec::new(); policies.policies.len()];
        for node in needed {
            let begin = fresh.len();
            let mut node = node;
            while self.nodes[node as usize].version < version {
                let SetNode { parent, step, .. } = self.nodes[node as usize];
                self.nodes[node as usize].version = version;
                fresh.push(node);
                if let Some((decision, _)) = step {
                    let found = &mut self.decisions[decision as usize];
                    if found.version < version {
                        found.version = version;
                        asked[found.policy].push(decision);
                    }
                }
                node = parent;
            }
            // Those before come first.
            fresh[begin..].reverse();
        }
        for (policy, asked) in policies.policies.iter().zip(asked) {
            self.ask(&**policy, &asked)?;
        }
        for node in fresh {
            let SetNode { parent, step, .. } = self.nodes[node as usize];
            let factor = step.map_or(1.0, |(decision, column)| {
                let Decision { legal, answer, .. } = &self.decisions[decision as usize];
                answer[column as usize] * legal.len() as f64
            });
            self.nodes[node as usize].reach = self.nodes[parent as usize].reach * factor;
        }
        Ok(())
    }

    fn ask(&mut self, policy: &dyn OpponentPolicy, asked: &[u32]) -> Result<(), TrainingError> {
        if asked.is_empty() {
            return Ok(());
        }
        let question = |&decision: &u32| {
            let Decision { known, legal, .. } = &self.decisions[decision as usize];
            PolicyQuestion { known, legal }
        };
        let answers = policy.probabilities(&asked.iter().map(question).collect::<Vec<_>>())?;
        for (&decision, answer) in asked.iter().zip(answers) {
            self.decisions[decision as usize].answer = answer;
        }
        Ok(())
    }
}

/// Appends something; returns its index.
fn push<T>(list: &mut Vec<T>, item: T) -> u32 {
    let index = u32::try_from(list.len()).expect("information sets are fewer than 2^32");
    list.push(item);
    index
}
