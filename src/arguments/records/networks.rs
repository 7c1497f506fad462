//! The games of recorded matches as networks, for beliefs.

use std::sync::Arc;

use croupier_engine::{Game, Options, game::Backend};
use croupier_referee::Header;

use crate::output::failure::Failure;

/// The game of a match as a belief wants it: a network where it can be one. The game of a replay is lifted, since it
/// asks of each state once.
///
/// # Errors
/// If the rules are refused, which they were not for the replay.
pub(crate) fn network(header: &Header) -> Result<Arc<Game>, Failure> {
    let options = Options { backend: Backend::Auto, ..header.setup().options() };
    let game = Game::of_rules(Arc::clone(header.game().rules()), &options);
    game.map(Arc::new).map_err(|error| Failure::refuse("bad-match", error.to_string()))
}

/// The networks of the matches of a file: made once for matches in a row that share a game.
#[derive(Default)]
pub(crate) struct Networks {
    /// The game of the last replay, and its network.
    last: Option<(Arc<Game>, Arc<Game>)>,
}

impl Networks {
    /// As [`network`].
    pub(crate) fn of(&mut self, header: &Header) -> Result<Arc<Game>, Failure> {
        if let Some((replayed, network)) = &self.last
            && Arc::ptr_eq(replayed, header.game())
        {
            return Ok(Arc::clone(network));
        }
        let network = network(header)?;
        self.last = Some((Arc::clone(header.game()), Arc::clone(&network)));
        Ok(network)
    }
}
