//! States that a search has visited, with cached results for them.

use std::sync::Arc;

use croupier_engine::{
    ByRole, Game, GameError, History, InformationSet, JointMove, MoveId, Percepts, RoleId, Scratch, State,
};
use rustc_hash::FxHashMap;

use crate::ending::{FinalValues, OpenEnds, note, playable};

/// A state by its place in [`Positions`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct PositionId(u32);

/// What can be played in a state.
#[derive(Clone, Debug)]
pub(crate) enum Outlook {
    /// Nothing: the match is over, or some role has no legal move.
    Over,
    /// The legal moves of each role, if it is not.
    Running(Arc<ByRole<Vec<MoveId>>>),
}

/// The result of a joint move.
#[derive(Clone, Debug)]
pub(crate) struct Passage {
    /// The state that follows.
    pub(crate) successor: PositionId,
    /// What those roles are told that are listened to; nothing for others.
    pub(crate) percepts: Arc<Vec<Percepts>>,
}

/// States, their legal moves and the results of joint moves, computed on first use and cached up
/// to a limit.
///
/// Descents of a search meet the same states again and again; in a small game they soon meet no others.
#[derive(Debug)]
pub(crate) struct Positions {
    game: Arc<Game>,
    /// The roles whose percepts are computed.
    listeners: Vec<RoleId>,
    entries: Vec<PositionEntry>,
    ids: FxHashMap<State, PositionId>,
    passages: FxHashMap<(PositionId, JointMove), Passage>,
    /// Ends that were met and that no match can have.
    open_ends: Option<OpenEnds>,
}

#[derive(Debug)]
struct PositionEntry {
    state: State,
    outlook: Option<Outlook>,
    /// Why nothing can be played, though the match is not over.
    fault: Option<GameError>,
    ending: Option<FinalValues>,
}

impl Positions {
    /// Passages kept; one of hold'em takes about a kilobyte with its state.
    const PASSAGES_MAX: usize = 1 << 15;

    /// No states yet.
    pub(crate) fn new(game: Arc<Game>, listeners: Vec<RoleId>) -> Self {
        Self {
            game,
            listeners,
            entries: Vec::new(),
            ids: FxHashMap::default(),
            passages: FxHashMap::default(),
            open_ends: None,
        }
    }

    /// The game of the states.
    pub(crate) fn game(&self) -> &Game {
        &self.game
    }

    /// Ends that were met and that no match can have.
    pub(crate) fn open_ends(&self) -> Option<&OpenEnds> {
        self.open_ends.as_ref()
    }

    /// Forgets everything if it has become too much; ids are void then.
    pub(crate) fn trim(&mut self) {
        if self.is_full() {
            self.clear();
        }
    }

    /// Forgets everything; ids are void then.
    pub(crate) fn clear(&mut self) {
        self.entries.clear();
        self.ids.clear();
        self.passages.clear();
    }

    /// Forgets everything, and frees its memory; ids are void then.
    pub(crate) fn release(&mut self) {
        *self = Self::new(Arc::clone(&self.game), std::mem::take(&mut self.listeners));
    }

    /// Whether to [`trim`](Self::trim) before requesting more passages.
    pub(crate) fn is_full(&self) -> bool {
        self.passages.len() > Self::PASSAGES_MAX
    }

    /// The id of a state.
    pub(crate) fn id(&mut self, state: &State) -> PositionId {
        if let Some(&id) = self.ids.get(state) {
            return id;
        }
        let id = PositionId(u32::try_from(self.entries.len()).expect("states are bounded by passages"));
        self.entries.push(PositionEntry { state: state.clone(), outlook: None, fault: None, ending: None });
        self.ids.insert(state.clone(), id);
        id
    }

    /// The state.
    pub(crate) fn state(&self, id: PositionId) -> &State {
        &self.entries[id.0 as usize].state
    }

    /// What can be played in a state.
    pub(crate) fn outlook(&mut self, id: PositionId, scratch: &mut Scratch) -> Result<Outlook, GameError> {
        let entry = &mut self.entries[id.0 as usize];
        if let Some(outlook) = &entry.outlook {
            return Ok(outlook.clone());
        }
        let outlook = match playable(&self.game, &entry.state, scratch)? {
            Ok(legal) => Outlook::Running(Arc::new(legal)),
            Err(fault) => {
                entry.fault = fault;
                Outlook::Over
            }
        };
        entry.outlook = Some(outlook.clone());
        Ok(outlook)
    }

    /// The value for each role, by index, of a state in which nothing can be played; 0 for `random`.
    pub(crate) fn goals(&mut self, id: PositionId, scratch: &mut Scratch) -> Result<Vec<f64>, GameError> {
        let entry = &mut self.entries[id.0 as usize];
        let ending = match &entry.ending {
            Some(ending) => ending,
            None => {
                let ending = FinalValues::of(&self.game, &entry.state, entry.fault.clone(), scratch)?;
                entry.ending.insert(ending)
            }
        };
        if let Some(fault) = &ending.fault {
            note(&mut self.open_ends, 1, fault.clone());
        }
        Ok(ending.goals.clone())
    }

    /// What a role did and was told in a history; the role must be an observed one.
    pub(crate) fn known(
        &mut self,
        history: &History,
        role: RoleId,
        scratch: &mut Scratch,
    ) -> Result<InformationSet, GameError> {
        let mut known = InformationSet::initial(role);
        let initial = self.game.initial_state().clone();
        let mut at = self.id(&initial);
        for joint_move in &history.joint_moves {
            let passage = self.passage(at, joint_move, scratch)?;
            known.turns.push((joint_move.of(role), passage.percepts[role.index()].clone()));
            at = passage.successor;
        }
        Ok(known)
    }

    /// The result of a joint move.
    pub(crate) fn passage(
        &mut self,
        id: PositionId,
        joint_move: &JointMove,
        scratch: &mut Scratch,
    ) -> Result<Passage, GameError> {
        let key = (id, joint_move.clone());
        if let Some(passage) = self.passages.get(&key) {
            return Ok(passage.clone());
        }
        let state = &self.entries[id.0 as usize].state;
        let successor = self.game.successor(state, joint_move, scratch)?;
        let mut percepts = vec![Percepts::default(); self.game.roles().len()];
        for &role in &self.listeners {
            percepts[role.index()] = self.game.percepts(state, joint_move, role, scratch)?;
        }
        let passage = Passage { successor: self.id(&successor), percepts: Arc::new(percepts) };
        self.passages.insert(key, passage.clone());
        Ok(passage)
    }
}
