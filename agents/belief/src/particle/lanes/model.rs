//! The information sets of the other roles in each particle, and the likelihood of their moves under their policies.

use std::{collections::BTreeMap, sync::Arc};

use croupier_engine::{
    Game, GameError, InformationSet, MoveId, Percepts, RoleId, Scratch, game::GameNetwork, stages::bits::Bits,
};
use rustc_hash::FxHashMap;

use crate::{
    policy::{Modelled, Opponents, PolicyQuestion, preference},
    search::Path,
};

/// The roles with a policy, and every information set of theirs that some particle has.
#[derive(Debug)]
pub(super) struct ModelledRoles {
    game: Arc<Game>,
    network: Arc<GameNetwork>,
    roles: Vec<Modelled>,
    /// Information sets as a tree: the parent, and the turn that leads on from it. The first is the root.
    turns: Vec<(u32, MoveId, Percepts)>,
    /// The index of an information set, by role, parent and turn.
    positions: FxHashMap<(u32, MoveId, Percepts), u32>,
    preferences: FxHashMap<(usize, u32, u32, Vec<u32>), f64>,
}

/// The move and percepts of one modelled role in one particle, as indices of the tape.
#[derive(Clone, Debug)]
pub(super) struct ModelledTurn {
    /// Its information set before.
    pub(super) known: u32,
    /// Its legal moves, ascending.
    pub(super) legal: Vec<u32>,
    /// The one that it made.
    pub(super) made: u32,
    /// Its percepts.
    pub(super) percepts: Bits,
}

/// What a modelled role chooses from.
#[derive(Clone, Copy, Debug)]
pub(super) struct ModelledChoice<'t> {
    /// Its information set.
    pub(super) known: u32,
    /// Its legal moves, ascending, as indices of the tape.
    pub(super) legal: &'t [u32],
}

/// The information set before the first turn.
const BEGINNING: u32 = u32::MAX;

impl ModelledRoles {
    pub(super) fn new(
        game: Arc<Game>,
        network: Arc<GameNetwork>,
        own: RoleId,
        opponents: &Opponents,
    ) -> Self {
        let modelled = opponents.modelled(own, game.roles().random());
        let roles = modelled.map(|(role, policy)| (role, Arc::clone(policy))).collect();
        let (positions, preferences) = (FxHashMap::default(), FxHashMap::default());
        Self { game, network, roles, turns: Vec::new(), positions, preferences }
    }

    /// The modelled roles.
    pub(super) fn roles(&self) -> impl ExactSizeIterator<Item = RoleId> + '_ {
        self.roles.iter().map(|&(role, _)| role)
    }

    /// The information sets of all modelled roles before the first turn.
    pub(super) fn beginning(&self) -> Vec<u32> {
        vec![BEGINNING; self.roles.len()]
    }

    /// Says to the policy of the modelled role `index`, if it wants to know, what it is about to be asked.
    pub(super) fn prepare<'t>(&self, index: usize, asked: impl Iterator<Item = ModelledChoice<'t>>) {
        let (role, policy) = &self.roles[index];
        if !policy.asks_at_once() {
            return;
        }
        let moves = self.network.moves(*role);
        let by_set: BTreeMap<u32, &[u32]> = asked.map(|choice| (choice.known, choice.legal)).collect();
        let told = by_set.into_iter().map(|(known, legal)| {
            let legal = legal.iter().map(|&number| moves[number as usize]);
            (self.information_set(index, known), legal.collect::<Vec<MoveId>>())
        });
        let told: Vec<(InformationSet, Vec<MoveId>)> = told.collect();
        let questions = told.iter().map(|(known, legal)| PolicyQuestion { known, legal });
        policy.prepare(&questions.collect::<Vec<PolicyQuestion<'_>>>());
    }

    /// How much more likely a deed of the modelled role `index` is by its policy than by a uniform choice, and its
    /// information set afterwards.
    pub(super) fn judge(&mut self, index: usize, deed: ModelledTurn) -> (f64, u32) {
        let role = self.roles[index].0;
        let moves = self.network.moves(role);
        let move_of = |number: &u32| moves[*number as usize];
        let made = move_of(&deed.made);
        let percepts = self.network.percepts_of(role, &deed.percepts);
        let key = (index, deed.known, deed.made, deed.legal);
        let preferred = match self.preferences.get(&key) {
            Some(&preferred) => preferred,
            None => {
                let legal: Vec<MoveId> = key.3.iter().map(move_of).collect();
                let known = self.information_set(index, deed.known);
                let preferred = preference(&*self.roles[index].1, &known, &legal, made);
                self.preferences.insert(key, preferred);
                preferred
            }
        };
        (preferred, self.after(deed.known, made, percepts))
    }

    /// The information sets of all modelled roles along a path: before the first turn and after each, and how much
    /// more likely the path is by their policies than by uniform choices.
    pub(super) fn trace(
        &mut self,
        path: &Path,
        scratch: &mut Scratch,
    ) -> Result<(Vec<Vec<u32>>, f64), GameError> {
        let game = Arc::clone(&self.game);
        let mut known = vec![self.beginning()];
        let mut preferred = 1.0;
        let mut state = game.initial_state().clone();
        for (joint_move, successor) in &path.steps {
            let mut next = known[known.len() - 1].clone();
            for (index, known) in next.iter_mut().enumerate() {
                let role = self.roles[index].0;
                let legal = game.legal_moves(&state, role, scratch)?;
                let set = self.information_set(index, *known);
                preferred *= preference(&*self.roles[index].1, &set, &legal, joint_move.of(role));
                let percepts = game.percepts(&state, joint_move, role, scratch)?;
                *known = self.after(*known, joint_move.of(role), percepts);
            }
            known.push(next);
            state = successor.clone();
        }
        Ok((known, preferred))
    }

    fn after(&mut self, known: u32, made: MoveId, percepts: Percepts) -> u32 {
        let turns = &mut self.turns;
        let next = u32::try_from(turns.len()).expect("information sets are fewer than 2^32");
        *self.positions.entry((known, made, percepts)).or_insert_with_key(|key| {
            turns.push(key.clone());
            next
        })
    }

    fn information_set(&self, index: usize, known: u32) -> InformationSet {
        let mut set = InformationSet::initial(self.roles[index].0);
        let mut position = known;
        while let Some((before, made, percepts)) = self.turns.get(position as usize) {
            set.turns.push((*made, percepts.clone()));
            position = *before;
        }
        set.turns.reverse();
        set
    }
}
