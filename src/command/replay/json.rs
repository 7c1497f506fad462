//! A replayed match as data.

use std::{collections::BTreeMap, sync::Arc};

use croupier_engine::{Game, RoleId, Scratch};
use croupier_games::GameFacts;
use croupier_referee::{Outcome, Replay, ReplayTurn};
use serde::Serialize;

use super::own_moves::OwnMoves;
use crate::{
    arguments::records::Networks,
    output::{
        failure::Failure,
        schema::output,
        summary::{self, by_name},
    },
    sessions::conduct::{self, ConductReport},
};

/// Recorded matches.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct ReplayReport {
    pub(super) matches: Vec<MatchReport>,
}
output!(Replay: ReplayReport);

/// A match with everything, or with what a role did, saw and knew.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(untagged)]
pub(super) enum MatchReport {
    Whole(WholeMatch),
    Own(OwnMatch),
}

/// A whole match.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct WholeMatch {
    #[serde(flatten)]
    head: MatchHead,
    turns: Vec<WholeTurn>,
    /// How it ended; null if the record is cut off.
    outcome: Option<OutcomeReport>,
    /// How each player answered.
    conduct: BTreeMap<String, ConductReport>,
}

/// A match as one role knows it: --role.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct OwnMatch {
    #[serde(flatten)]
    head: MatchHead,
    role: String,
    turns: Vec<OwnTurn>,
}

/// Which match it is.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct MatchHead {
    /// Its place in the file or series, from 1.
    #[serde(rename = "match")]
    number: usize,
    match_id: String,
    game: Option<String>,
    /// Who played, by role.
    players: BTreeMap<String, String>,
    /// What payoffs are counted in, such as chips; null if the game has goal values alone.
    unit: Option<String>,
}

/// A turn, whole. Terms of the rules are in prefix syntax, such as `(deal king)`.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct WholeTurn {
    /// From 0.
    turn: u32,
    /// What is true before the moves.
    state: Vec<Arc<str>>,
    /// The legal moves of every role, `random` included.
    legal: BTreeMap<String, Vec<Arc<str>>>,
    /// What every role did.
    moves: BTreeMap<String, Arc<str>>,
    /// What every player was told after it.
    percepts: BTreeMap<String, Vec<Arc<str>>>,
}

/// A turn as one role knows it.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct OwnTurn {
    /// From 0.
    turn: u32,
    /// The moves that it knows to be legal; null if it cannot know, or its belief takes too long to work out.
    legal: Option<Vec<Arc<str>>>,
    #[serde(rename = "move")]
    own_move: Arc<str>,
    percepts: Vec<Arc<str>>,
}

/// How a match ended.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct OutcomeReport {
    /// `terminal` by the rules; `turn_limit` after the most turns; `game_error` where the rules fail; `aborted` by the referee; `void`
    /// if it never began; `withheld` if nothing was dealt because a player withheld a nonce.
    #[cfg_attr(test, schemars(extend("enum" = crate::output::schema::tests::STATUSES)))]
    status: &'static str,
    turns: u32,
    /// What each player got, in goal values; null if there is no result.
    goals: Option<BTreeMap<String, i32>>,
    /// What each player got, in the game's `unit`; null if there is no result, or the game has no unit.
    payoffs: Option<BTreeMap<String, f64>>,
    /// For whom it failed.
    role: Option<String>,
    /// How it failed.
    error: Option<String>,
}

impl MatchReport {
    pub(super) fn new(
        number: usize,
        replayed: &Replay,
        facts: &GameFacts,
        role: Option<RoleId>,
        networks: &mut Networks,
    ) -> Result<Self, Failure> {
        let header = replayed.header();
        let (game, roles) = (header.game(), header.roles());
        let head = MatchHead {
            number,
            match_id: header.match_id().to_owned(),
            game: header.setup().game_name.clone(),
            players: by_name(roles, header.players().iter().map(|(role, player)| (role, player.clone()))),
            unit: summary::unit(facts).map(str::to_owned),
        };
        let turns = replayed.turns().iter();
        let Some(role) = role else {
            let mut scratch = game.scratch();
            let turns = turns.map(|turn| WholeTurn::new(game, turn, &mut scratch));
            let conducts = conduct::of_match(replayed.conducts(), roles);
            let conduct = by_name(roles, conducts.iter().map(|(role, conduct)| (role, conduct.report())));
            let (turns, outcome) = (turns.collect::<Result<_, _>>()?, OutcomeReport::of(replayed, facts));
            return Ok(Self::Whole(WholeMatch { head, turns, outcome, conduct }));
        };
        let mut own_moves = OwnMoves::new(replayed, role, networks)?;
        let turns = turns.map(|turn| OwnTurn::new(game, turn, role, &mut own_moves)).collect();
        Ok(Self::Own(OwnMatch { head, role: header.role_name(role).to_owned(), turns }))
    }
}

impl WholeTurn {
    fn new(game: &Game, turn: &ReplayTurn, scratch: &mut Scratch) -> Result<Self, Failure> {
        let roles = game.roles();
        let legal = roles.all().map(|role| {
            let moves = game.legal_moves(&turn.state, role, scratch);
            let moves = moves.map_err(|error| Failure::refuse("bad-match", error.to_string()))?;
            Ok((roles.name(role).to_owned(), moves.into_iter().map(|id| game.move_text(id)).collect()))
        });
        let percepts = turn.percepts.iter().map(|(role, seen)| (role, game.percept_terms(seen)));
        let moves = turn.joint_move.moves().iter().map(|(role, &id)| (role, game.move_text(id)));
        Ok(Self {
            turn: turn.turn,
            state: game.state_terms(&turn.state),
            legal: legal.collect::<Result<_, Failure>>()?,
            moves: by_name(roles, moves),
            percepts: by_name(roles, percepts),
        })
    }
}

impl OwnTurn {
    fn new(game: &Game, turn: &ReplayTurn, role: RoleId, own_moves: &mut OwnMoves) -> Self {
        Self {
            turn: turn.turn,
            legal: own_moves.next(),
            own_move: game.move_text(turn.joint_move.of(role)),
            percepts: game.percept_terms(&turn.percepts[role]),
        }
    }
}

impl OutcomeReport {
    fn of(replayed: &Replay, facts: &GameFacts) -> Option<Self> {
        let (outcome, roles) = (replayed.outcome()?, replayed.header().roles());
        let (role, error) = match outcome {
            Outcome::GameError { error, role, .. } => (*role, Some(error.to_string())),
            Outcome::Void { failure, role } => (Some(*role), Some(failure.as_str().to_owned())),
            Outcome::Withheld { by } => {
                let first = by.first();
                (first.map(|(role, _)| *role), first.map(|(_, failure)| failure.as_str().to_owned()))
            }
            _ => (None, None),
        };
        Some(Self {
            status: outcome.status(),
            turns: outcome.turns(),
            goals: summary::goals(roles, outcome.goals()),
            payoffs: summary::payoffs(roles, facts, outcome.goals()),
            role: role.map(|role| roles.name(role).to_owned()),
            error,
        })
    }
}
