//! The policies of all players in every information set of a game, from whatever was written: what exact evaluation, best responses and
//! mixtures work on.

use std::{
    ops::ControlFlow,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use croupier_belief::PolicyQuestion;
use croupier_engine::{Game, InformationSet, MoveId};
use croupier_players::{PolicyTable, TablePolicy};
use croupier_solvers::{GameTree, InformationSetId, Policy, SequenceForm, TreeError, TreeLimits};
use pyo3::{
    exceptions::PyTypeError,
    prelude::*,
    types::{PyDict, PyString},
};

use crate::{
    errors::refused,
    evaluation::Coverage,
    function::CalledPolicy,
    game::{GameData, PyGame},
    policy::PyPolicy,
    role,
    work::interruptible,
};

/// The whole tree of a game, and what a policy is a vector of.
pub(crate) struct Enumerated {
    pub(crate) data: Arc<GameData>,
    pub(crate) tree: GameTree,
    pub(crate) form: SequenceForm,
}

/// What was written as a policy.
enum WrittenPolicy {
    Table(Box<TablePolicy>),
    Function(Arc<CalledPolicy>),
}

/// Each player's policy, and how much of the game they know.
pub(crate) struct Strategies {
    pub(crate) policy: Policy,
    pub(crate) coverage: Coverage,
}

/// The whole tree, with every deal: a policy may distinguish what symmetries of the rules exchange.
pub(crate) fn whole_tree(game: &Game, histories_max: u64, stop: &AtomicBool) -> Result<GameTree, TreeError> {
    let mut progress = |_| match stop.load(Ordering::Relaxed) {
        true => ControlFlow::Break(()),
        false => ControlFlow::Continue(()),
    };
    GameTree::within(game, &TreeLimits { histories_max }, &mut progress)
}

/// The error if the game cannot be enumerated.
pub(crate) fn untreed(error: &TreeError) -> PyErr {
    match error {
        TreeError::TooLarge { .. } => refused(format!("{error}; histories_max allows more")),
        error => refused(error),
    }
}

impl Enumerated {
    /// Enumerates a game; Ctrl-C stops it.
    ///
    /// # Errors
    /// `CroupierError` if it is too large, or a player cannot know its legal moves.
    pub(crate) fn of(py: Python<'_>, game: &PyGame, histories_max: u64) -> PyResult<Self> {
        let data = Arc::clone(&game.data);
        let found = interruptible(py, |stop| {
            let tree = whole_tree(&data.game, histories_max, stop)?;
            let form = SequenceForm::new(&tree);
            Ok((tree, form))
        })?;
        let (tree, form) = found.map_err(|error: TreeError| untreed(&error))?;
        Ok(Self { data, tree, form })
    }

    /// The name of each player, in the order of the tree.
    pub(crate) fn roles(&self) -> Vec<String> {
        let roles = self.tree.players().iter();
        roles.map(|&role| self.data.game.roles().name(role).to_owned()).collect()
    }

    /// The place of a player among those of the tree.
    pub(crate) fn player(&self, name: &str) -> PyResult<usize> {
        let role = role::player(self.data.game.roles(), name)?;
        let place = self.tree.players().iter().position(|&player| player == role);
        place.ok_or_else(|| refused(format!("{name} is no player")))
    }

    /// The policies that a caller wrote: one for all players, or a dict from roles; who is not in it plays uniformly.
    ///
    /// # Errors
    /// `TypeError` for what is no policy, `RoleError`, `CroupierError` if one plays an illegal move or knows nothing of this game; and the
    /// exceptions of functions.
    pub(crate) fn strategies(
        &self,
        game: &Bound<'_, PyGame>,
        written: &Bound<'_, PyAny>,
    ) -> PyResult<Strategies> {
        let mut said: Vec<Option<Vec<f64>>> = vec![None; self.tree.information_sets_count()];
        match written.cast::<PyDict>() {
            Err(_) => {
                let ids: Vec<InformationSetId> = self.tree.information_sets().collect();
                self.say(game, written, &ids, &mut said)?;
            }
            Ok(by_role) => {
                for (name, written) in by_role {
                    let player = self.player(&name.cast::<PyString>()?.to_cow()?)?;
                    let ids = self.tree.information_sets().filter(|&id| self.tree.player(id) == player);
                    self.say(game, &written, &ids.collect::<Vec<InformationSetId>>(), &mut said)?;
                }
            }
        }
        let coverage = Coverage { met: said.len(), known: said.iter().flatten().count() };
        let policy = Policy::from_fn(&self.form, |id, probabilities| match &said[id.index()] {
            Some(said) => probabilities.copy_from_slice(said),
            None => probabilities.fill(1.0 / probabilities.len() as f64),
        });
        Ok(Strategies { policy, coverage })
    }

    /// Fills in what a policy says in some information sets.
    fn say(
        &self,
        game: &Bound<'_, PyGame>,
        written: &Bound<'_, PyAny>,
        ids: &[InformationSetId],
        said: &mut [Option<Vec<f64>>],
    ) -> PyResult<()> {
        let py = game.py();
        match self.read(game, written)? {
            WrittenPolicy::Function(function) => {
                let found = py.detach(|| self.questions(ids));
                let asked = found.iter().map(|(known, legal)| PolicyQuestion { known, legal });
                let space = function.space(&self.data.game).map_err(|error| crate::errors::failed(&error))?;
                let answers = function.ask(py, &space, &asked.collect::<Vec<PolicyQuestion<'_>>>())?;
                ids.iter().zip(answers).for_each(|(id, answer)| said[id.index()] = Some(answer));
            }
            WrittenPolicy::Table(table) => {
                let mut known = 0;
                for &id in ids {
                    said[id.index()] = self.entry(id, &table)?;
                    known += usize::from(said[id.index()].is_some());
                }
                // A policy without entries is uniform play, as it was written.
                if known == 0 && !ids.is_empty() && !table.table().is_empty() {
                    let met = ids.len();
                    return Err(refused(format!(
                        "the policy knows 0 of {met} information sets: it was made for another game or for other rules"
                    )));
                }
            }
        }
        Ok(())
    }

    fn read(&self, game: &Bound<'_, PyGame>, written: &Bound<'_, PyAny>) -> PyResult<WrittenPolicy> {
        if let Ok(policy) = written.cast::<PyPolicy>() {
            let table = Arc::clone(&policy.get().table).into_policy(Arc::clone(&self.data.game));
            return Ok(WrittenPolicy::Table(Box::new(table.map_err(refused)?)));
        }
        let function = CalledPolicy::of(game, written)?;
        function.map(WrittenPolicy::Function).ok_or_else(|| {
            PyTypeError::new_err(
                "a policy must be a Policy, a function, a torch module, or a dict from roles to those",
            )
        })
    }

    fn questions(&self, ids: &[InformationSetId]) -> Vec<(InformationSet, Vec<MoveId>)> {
        let question = |&id: &InformationSetId| (self.tree.information_set(id), self.tree.moves(id).to_vec());
        ids.iter().map(question).collect()
    }

    /// A table's probability of each of the moves; `None` if it has no entry.
    ///
    /// # Errors
    /// If it plays a move that is not among them.
    fn entry(&self, id: InformationSetId, table: &TablePolicy) -> PyResult<Option<Vec<f64>>> {
        let (game, known) = (&self.data.game, self.tree.information_set(id));
        let Some(entry) = table.entry(&known) else { return Ok(None) };
        let moves = self.tree.moves(id).iter();
        let texts: Vec<Arc<str>> = moves.map(|&legal: &MoveId| game.move_text(legal)).collect();
        let is_legal = |played: &str| texts.iter().any(|text| **text == *played);
        if let Some((played, _)) = entry.iter().find(|(played, p)| **p > 0.0 && !is_legal(played)) {
            let set = game.information_set_text(&known);
            return Err(refused(format!("the policy plays '{played}' in {set}, where it is not legal")));
        }
        Ok(Some(texts.iter().map(|text| entry.get(&**text).copied().unwrap_or(0.0)).collect()))
    }

    /// A policy as a table: the entries of one player, or of all.
    pub(crate) fn table(&self, policy: &Policy, player: Option<usize>) -> PyResult<PyPolicy> {
        let mut table = PolicyTable::default();
        for id in self.tree.information_sets() {
            if player.is_some_and(|player| self.tree.player(id) != player) {
                continue;
            }
            let moves = self.tree.moves(id).iter().copied().zip(policy.of(&self.form, id).iter().copied());
            table.insert_weights(&self.data.game, &self.tree.information_set(id), moves).map_err(refused)?;
        }
        Ok(PyPolicy::of(table))
    }
}

/// The best response of a player to the policies of the others, exactly.
///
/// Of equally good moves it takes the first in canonical order. Ctrl-C stops it.
///
/// Parameters
/// ----------
/// game : Game
/// role : str
///     The player who responds.
/// policy : Policy, callable, or dict of str to those
///     The others' policies, as for `evaluate`.
/// histories_max : int, default 5000000
///     Most histories that the game may have.
///
/// Returns
/// -------
/// Policy
///     With entries for all information sets of the player.
///
/// Raises
/// ------
/// RoleError
///     If the game has no such player.
/// CroupierError
///     As `evaluate`.
///
/// Examples
/// --------
/// >>> import croupier
/// >>> game = croupier.load("kuhn")
/// >>> response = croupier.best_response(game, "bob", croupier.Policy.from_dict({}))
/// >>> round(croupier.evaluate(game, {"bob": response}).values["bob"], 4)
/// 0.4167
#[pyfunction]
#[pyo3(signature = (game, role, policy, *, histories_max = 5_000_000))]
pub(crate) fn best_response(
    game: &Bound<'_, PyGame>,
    role: &str,
    policy: &Bound<'_, PyAny>,
    histories_max: u64,
) -> PyResult<PyPolicy> {
    let whole = Enumerated::of(game.py(), game.get(), histories_max)?;
    let player = whole.player(role)?;
    let others = whole.strategies(game, policy)?.policy;
    game.py().detach(|| {
        let response = croupier_solvers::best_response_policy(&whole.form, &others, player);
        whole.table(&response, Some(player))
    })
}

/// The one policy that plays as somebody does who draws one of several policies before the match, and keeps to it.
///
/// Players who remember what they did can always do without the draw: at every information set the moves of each policy count in proportion
/// to its weight and to how likely its own moves lead there. Ctrl-C stops it.
///
/// Parameters
/// ----------
/// game : Game
/// policies : sequence of Policy, callable, or dict of str to those
///     As for `evaluate`.
/// weights : sequence of float
///     How likely each of them is drawn; not negative, and not all zero.
/// histories_max : int, default 5000000
///     Most histories that the game may have.
///
/// Returns
/// -------
/// Policy
///     With entries for all information sets of all players.
///
/// Raises
/// ------
/// CroupierError
///     As `evaluate`, and if weights and policies do not fit together.
#[pyfunction]
#[pyo3(signature = (game, policies, weights, *, histories_max = 5_000_000))]
pub(crate) fn mixture(
    game: &Bound<'_, PyGame>,
    policies: Vec<Bound<'_, PyAny>>,
    weights: Vec<f64>,
    histories_max: u64,
) -> PyResult<PyPolicy> {
    let is_weight = |weight: &f64| weight.is_finite() && *weight >= 0.0;
    if weights.len() != policies.len() || !weights.iter().all(is_weight) || weights.iter().sum::<f64>() <= 0.0
    {
        return Err(refused("there must be a weight for each policy, not negative, and not all zero"));
    }
    let whole = Enumerated::of(game.py(), game.get(), histories_max)?;
    let of_one = |written: &Bound<'_, PyAny>| Ok(whole.strategies(game, written)?.policy);
    let policies = policies.iter().map(of_one).collect::<PyResult<Vec<Policy>>>()?;
    game.py().detach(|| whole.table(&Policy::mixture(&whole.form, &policies, &weights), None))
}
