//! What the numbers of a game are.

/// What the numbers of a game are.
#[derive(Clone, Debug)]
pub(crate) struct SpaceNames {
    pub(crate) public: Vec<String>,
    /// By player.
    pub(crate) private: Vec<Vec<String>>,
    /// The least and the greatest goal of the game.
    pub(crate) goals: (f64, f64),
    /// What the goals of all players together always are, if that is so.
    pub(crate) sum: Option<f64>,
}
