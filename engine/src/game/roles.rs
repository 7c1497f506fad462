//! The roles of a game, and containers with one entry for each.

use std::ops::{Index, IndexMut};

use crate::id::RoleId;

/// The name of the role that chance plays, fixed by the language.
pub const RANDOM: &str = "random";

/// The roles in the order of the rules; at most one of them is `random`.
///
/// ```
/// use croupier_engine::{ByPlayer, Roles};
///
/// let roles = Roles::new(["ann", "random", "ben"].map(str::to_owned).to_vec()).ok_or("few enough")?;
/// let players = ByPlayer::from_fn(&roles, |role| roles.name(role).len());
/// assert_eq!(players.iter().map(|(_, length)| *length).sum::<usize>(), 6);
/// assert_eq!(roles.random().map(|role| roles.name(role)), Some("random"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Roles {
    /// Invariant: distinct, at most `u16::MAX`.
    names: Vec<String>,
}

impl Roles {
    /// Roles with these names, or `None` if names repeat or are too many.
    #[must_use]
    pub fn new(names: Vec<String>) -> Option<Self> {
        let mut sorted: Vec<&String> = names.iter().collect();
        sorted.sort_unstable();
        sorted.dedup();
        (sorted.len() == names.len() && names.len() <= usize::from(u16::MAX)).then_some(Self { names })
    }

    /// Every role, including `random`.
    pub fn all(&self) -> impl ExactSizeIterator<Item = RoleId> + use<> {
        (0..self.names.len()).map(|index| RoleId::new(index).expect("roles were counted when made"))
    }

    /// Every role but `random`.
    pub fn players(&self) -> impl Iterator<Item = RoleId> + use<> {
        let random = self.random();
        self.all().filter(move |&role| Some(role) != random)
    }

    /// The role that chance plays, if the game has it.
    #[must_use]
    pub fn random(&self) -> Option<RoleId> {
        self.find(RANDOM)
    }

    /// The role with this name, in lower case.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<RoleId> {
        self.names.iter().position(|known| known == name).and_then(RoleId::new)
    }

    /// The canonical printed name, usually one word.
    ///
    /// # Panics
    /// If the role belongs to a game with more roles.
    #[must_use]
    pub fn name(&self, role: RoleId) -> &str {
        &self.names[role.index()]
    }

    /// The number of roles, including `random`.
    #[must_use]
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether there are none; never true for a game.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }
}

/// One value for every role, including `random`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ByRole<T>(Vec<T>);

impl<T> ByRole<T> {
    /// The values that `value` gives for each role in order.
    pub fn from_fn(roles: &Roles, value: impl FnMut(RoleId) -> T) -> Self {
        Self(roles.all().map(value).collect())
    }

    /// The same, or the first error.
    ///
    /// # Errors
    /// Whatever `value` fails with first.
    pub fn try_from_fn<E>(roles: &Roles, value: impl FnMut(RoleId) -> Result<T, E>) -> Result<Self, E> {
        roles.all().map(value).collect::<Result<_, _>>().map(Self)
    }

    /// Maps the value of each role.
    #[must_use]
    pub fn map<U>(&self, value: impl FnMut(RoleId) -> U) -> ByRole<U> {
        ByRole((0..self.0.len()).map(role).map(value).collect())
    }

    /// Roles and values, in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (RoleId, &T)> {
        self.0.iter().enumerate().map(|(index, value)| (role(index), value))
    }

    /// Roles and mutable values, in order.
    pub fn iter_mut(&mut self) -> impl DoubleEndedIterator<Item = (RoleId, &mut T)> {
        self.0.iter_mut().enumerate().map(|(index, value)| (role(index), value))
    }
}

impl<T> Index<RoleId> for ByRole<T> {
    type Output = T;

    fn index(&self, role: RoleId) -> &T {
        &self.0[role.index()]
    }
}

impl<T> IndexMut<RoleId> for ByRole<T> {
    fn index_mut(&mut self, role: RoleId) -> &mut T {
        &mut self.0[role.index()]
    }
}

/// One value for every role but `random`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ByPlayer<T> {
    /// Invariant: ascending by role.
    entries: Vec<(RoleId, T)>,
}

impl<T> ByPlayer<T> {
    /// The values that `value` gives for each player in order.
    pub fn from_fn(roles: &Roles, mut value: impl FnMut(RoleId) -> T) -> Self {
        Self { entries: roles.players().map(|role| (role, value(role))).collect() }
    }

    /// The same, or the first error.
    ///
    /// # Errors
    /// Whatever `value` fails with first.
    pub fn try_from_fn<E>(roles: &Roles, mut value: impl FnMut(RoleId) -> Result<T, E>) -> Result<Self, E> {
        let entries = roles.players().map(|role| Ok((role, value(role)?))).collect::<Result<_, E>>()?;
        Ok(Self { entries })
    }

    /// The value of a player, or `None` for `random`.
    #[must_use]
    pub fn get(&self, role: RoleId) -> Option<&T> {
        self.entries.iter().find(|(player, _)| *player == role).map(|(_, value)| value)
    }

    /// Roles and values, in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (RoleId, &T)> {
        self.entries.iter().map(|(role, value)| (*role, value))
    }

    /// Roles and mutable values, in order.
    pub fn iter_mut(&mut self) -> impl ExactSizeIterator<Item = (RoleId, &mut T)> {
        self.entries.iter_mut().map(|(role, value)| (*role, value))
    }
}

impl<T> Index<RoleId> for ByPlayer<T> {
    type Output = T;

    /// # Panics
    /// For `random`, which is not a player.
    fn index(&self, role: RoleId) -> &T {
        self.get(role).expect("a role other than random")
    }
}

impl<T> IndexMut<RoleId> for ByPlayer<T> {
    /// # Panics
    /// For `random`, which is not a player.
    fn index_mut(&mut self, role: RoleId) -> &mut T {
        let entry = self.entries.iter_mut().find(|(player, _)| *player == role);
        &mut entry.expect("a role other than random").1
    }
}

fn role(index: usize) -> RoleId {
    RoleId::new(index).expect("roles were counted when made")
}
