//! What a role knows of the table, turn by turn.

use std::sync::Arc;

use croupier_belief::{BeliefError, Believer, Methods, Opponents};
use croupier_engine::{Game, InformationSet, RoleId};
use croupier_games::GameFacts;
use croupier_referee::Replay;

use crate::{
    failure::Failure,
    records::{self, Networks},
    table::Table,
};

/// What a role knows of the table, turn by turn.
pub(super) struct SeenTables {
    game: Arc<Game>,
    /// What the role knows at the end of the match, and what it knows so far.
    whole: InformationSet,
    known: InformationSet,
    believer: Believer,
}

impl SeenTables {
    pub(super) fn new(replayed: &Replay, role: RoleId, networks: &mut Networks) -> Result<Self, Failure> {
        let game = networks.of(replayed.header())?;
        let whole = records::information_set(&game, replayed, role, replayed.turns().len())?;
        let whole = whole.expect("the role is a player");
        // The same tables every time: what is drawn for them is no part of the match.
        let methods = Methods::brief([0; 32]);
        let believer = Believer::new(Arc::clone(&game), role, methods, &Opponents::uniform());
        let known = InformationSet::initial(role);
        Ok(Self { game, whole, known, believer: believer.map_err(unknowable)? })
    }

    /// The table one turn later.
    pub(super) fn next(&mut self, facts: &GameFacts) -> Result<Table, Failure> {
        self.known.turns.push(self.whole.turns[self.known.turns.len()].clone());
        let outlook = self.believer.follow(&self.known).map_err(unknowable)?;
        Ok(Table::of_belief(&self.game, facts, &outlook.distribution))
    }
}

fn unknowable(error: BeliefError) -> Failure {
    Failure::refuse("no-belief", error.to_string()).help("leave out --table")
}
