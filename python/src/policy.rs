//! Policies: for each information set, how likely each move is.

use std::{collections::BTreeMap, fs, path::PathBuf, sync::Arc};

use croupier_players::{BlueprintFile, PlayerKind, PolicyTable};
use pyo3::{
    prelude::*,
    types::{PyDict, PyString, PyTuple},
};

use crate::{
    errors::{NoEntryError, refused, unreadable},
    game::native,
    term::shown,
    view::PyView,
};

/// For each information set, how likely each move is to be played; several roles may share one policy.
///
/// Made by `solve`, by `Policy.load`, `Policy.from_json` and `Policy.from_dict`. The JSON is that of `croupier solve --policy`. Immutable.
///
/// `policy[view]` is a dict from moves to probabilities, which add up to one; a view without an entry raises
/// `NoEntryError`, which is a `KeyError` too. Agents and beliefs assume uniform choices there.
#[pyclass(frozen, module = "croupier", name = "Policy")]
#[derive(Clone, Debug)]
pub(crate) struct PyPolicy {
    pub(crate) table: Arc<PolicyTable>,
}

impl PyPolicy {
    pub(crate) fn of(table: PolicyTable) -> Self {
        Self { table: Arc::new(table) }
    }

    /// The player that goes by it.
    pub(crate) fn kind(&self) -> PlayerKind {
        PlayerKind::Policy { file: "policy".to_owned(), table: Arc::clone(&self.table) }
    }

    fn found(&self, view: &Bound<'_, PyAny>) -> PyResult<Option<BTreeMap<String, f64>>> {
        Ok(self.table.get(&key(view)?).cloned())
    }
}

/// The text of an information set: of a view, or as it was written.
fn key(view: &Bound<'_, PyAny>) -> PyResult<String> {
    if let Ok(text) = view.cast::<PyString>() {
        return Ok(text.to_cow()?.into_owned());
    }
    match view.cast::<PyView>() {
        Ok(view) => Ok(view.get().key()),
        Err(error) => Err(error.into()),
    }
}

#[pymethods]
impl PyPolicy {
    /// Reads a policy from a file that `Policy.save` or `croupier solve --policy` wrote.
    ///
    /// Parameters
    /// ----------
    /// path : str or os.PathLike
    ///
    /// Raises
    /// ------
    /// CroupierError
    ///     If the file has no policy.
    /// OSError
    ///     If it cannot be read.
    #[staticmethod]
    fn load(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        let bytes = py.detach(|| fs::read(&path)).map_err(|error| unreadable(&path, &error))?;
        let bytes = match BlueprintFile::new(bytes.into()) {
            Ok(_) => {
                return Err(refused(
                    "the file is a blueprint, not a table; play it with Agent(\"policy:FILE\", ...)",
                ));
            }
            Err(bytes) => bytes.into_owned(),
        };
        let text = String::from_utf8(bytes).map_err(|_| refused("a policy must be JSON in UTF-8"))?;
        Self::from_json(py, &text)
    }

    /// Writes the policy to a file, replacing its content.
    ///
    /// Parameters
    /// ----------
    /// path : str or os.PathLike
    ///
    /// Raises
    /// ------
    /// OSError
    ///     If the file cannot be written.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        Ok(py.detach(|| fs::write(&path, self.table.to_json()))?)
    }

    /// Reads a policy from JSON.
    ///
    /// Raises
    /// ------
    /// CroupierError
    ///     If the text is not a policy.
    #[staticmethod]
    fn from_json(py: Python<'_>, text: &str) -> PyResult<Self> {
        py.detach(|| PolicyTable::from_json(text)).map(Self::of).map_err(refused)
    }

    /// Makes a policy from a dict.
    ///
    /// Parameters
    /// ----------
    /// entries : dict of View or str to dict of str to float
    ///     For each information set, as a view or as its text, the probabilities of moves in canonical print; they have the sum
    ///     one.
    ///
    /// Raises
    /// ------
    /// CroupierError
    ///     If the probabilities of an information set are not a distribution.
    #[staticmethod]
    fn from_dict(entries: &Bound<'_, PyDict>) -> PyResult<Self> {
        let mut table = PolicyTable::default();
        for (view, moves) in entries {
            let moves: BTreeMap<String, f64> = moves.extract()?;
            table.insert(key(&view)?, moves).map_err(refused)?;
        }
        Ok(Self::of(table))
    }

    /// The policy as JSON.
    fn to_json(&self, py: Python<'_>) -> String {
        py.detach(|| self.table.to_json())
    }

    /// The probabilities in a view as dict of str to float, or `default` if the policy has no entry for it.
    #[pyo3(signature = (view, default = None))]
    fn get<'py>(
        &self,
        py: Python<'py>,
        view: &Bound<'py, PyAny>,
        default: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        match self.found(view)? {
            Some(moves) => Ok(Some(moves.into_pyobject(py)?.into_any())),
            None => Ok(default),
        }
    }

    fn __getitem__(&self, view: &Bound<'_, PyAny>) -> PyResult<BTreeMap<String, f64>> {
        let key = key(view)?;
        let missing = || NoEntryError::new_err(format!("the policy has no entry for {}", shown(&key)));
        self.table.get(&key).cloned().ok_or_else(missing)
    }

    fn __contains__(&self, view: &Bound<'_, PyAny>) -> PyResult<bool> {
        Ok(self.found(view)?.is_some())
    }

    fn __len__(&self) -> usize {
        self.table.len()
    }

    fn __repr__(&self) -> String {
        format!("<croupier.Policy: {} information sets>", self.table.len())
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| self.table == other.get().table)
    }

    fn __hash__(&self) -> usize {
        self.table.len()
    }

    fn __copy__(&self) -> Self {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyDict>) -> Self {
        self.clone()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        Ok((native(py, "_restore_policy")?, (self.to_json(py),).into_pyobject(py)?))
    }
}

/// A policy from its pickle.
#[pyfunction(name = "_restore_policy")]
pub(crate) fn restore_policy(py: Python<'_>, text: &str) -> PyResult<PyPolicy> {
    PyPolicy::from_json(py, text)
}
