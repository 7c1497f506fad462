//! The games of a family that a session plays: their rules and words.

use std::sync::Arc;

use croupier_engine::{Game, Options, game::Backend};
use croupier_games::{FamilyRules, GameFacts};
use croupier_session::FamilyMember;

use crate::{arguments::source::Source, output::failure::Failure};

/// The game of the family with so many players, all of whom have what a seat begins with: for its roles.
///
/// # Errors
/// If the family has no such game.
pub(super) fn largest(source: &Source, family: &FamilyRules, players: usize) -> Result<Arc<Game>, Failure> {
    let member = FamilyMember::of(family, 1, &vec![u64::from(family.start); players]);
    self::source(source, &member)?.compile(&Options { backend: Backend::Datalog, ..Options::PLAY })
}

/// The rules of a game of the family, with its words.
///
/// # Errors
/// If the family has no such game.
pub(super) fn source(source: &Source, member: &FamilyMember) -> Result<Source, Failure> {
    let rules = member.rules().map_err(|error| {
        Failure::refuse("bad-table", error.to_string())
            .at(&source.origin)
            .help("`croupier new --list` has the families with what each parameter can be")
    })?;
    let facts = member.facts().ok().flatten().and_then(|text| GameFacts::parse(&text).ok());
    Ok(source.sibling(rules, facts))
}
