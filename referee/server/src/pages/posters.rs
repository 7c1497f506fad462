//! Pictures of the games of the catalogue: a position that a few moves lead to, drawn once.
//!
//! No match is behind them: the moves follow from the name of the game.

use std::sync::Arc;

use actix_web::web::Bytes;
use croupier_engine::{ByRole, Game, Options, State, game::Backend};
use croupier_games::{Entry, GameFacts, Scene};
use croupier_picture::Picture;
use dashmap::DashMap;
use tokio::{sync::Semaphore, task::spawn_blocking};

use crate::problem::{Problem, ProblemCode, Result};

/// Turns of the position that is shown, at most.
const TURNS: u64 = 14;

/// Pictures that are drawn so far, and room for one to be drawn: nothing that plays waits for them.
#[derive(Debug)]
pub(crate) struct Posters {
    drawn: DashMap<&'static str, Bytes>,
    room: Semaphore,
}

impl Default for Posters {
    fn default() -> Self {
        Self { drawn: DashMap::new(), room: Semaphore::new(1) }
    }
}

impl Posters {
    /// The picture of a game, as SVG.
    ///
    /// # Errors
    /// [`Problem`] if its rules cannot be played, which a test of the catalogue excludes.
    pub(crate) async fn of(&self, entry: &'static Entry) -> Result<Bytes> {
        if let Some(drawn) = self.drawn.get(entry.name) {
            return Ok(drawn.clone());
        }
        let _room = self.room.acquire().await.map_err(|_| Problem::stopping())?;
        // Whoever waited for room may have waited for this.
        if let Some(drawn) = self.drawn.get(entry.name) {
            return Ok(drawn.clone());
        }
        let svg = spawn_blocking(move || poster(entry)).await.ok().flatten();
        let svg = Bytes::from(svg.ok_or(ProblemCode::Internal)?);
        self.drawn.insert(entry.name, svg.clone());
        Ok(svg)
    }
}

fn poster(entry: &Entry) -> Option<String> {
    let facts = entry.facts().ok()?;
    // For a few moves no network pays.
    let options = Options { backend: Backend::Datalog, ..Options::PLAY };
    let game = Game::compile(entry.rules, &options).ok()?.game;
    let scene = position(&game, &facts, entry.name)?;
    let players: Vec<&str> = game.roles().players().map(|role| game.roles().name(role)).collect();
    Some(Picture::of(&facts, &scene, &players, None, None).svg())
}

/// What is on the table after some moves, before the end.
fn position(game: &Game, facts: &GameFacts, name: &str) -> Option<Scene> {
    let look = |state: &State, before: &Scene| {
        let terms: Vec<Arc<str>> = game.state_terms(state);
        facts.scene(terms.iter().map(|term| &**term), []).after(before)
    };
    let mut scratch = game.scratch();
    let mut state = game.initial_state().clone();
    let mut scene = look(&state, &Scene::nothing());
    let first = name.bytes().fold(7_u64, |sum, byte| sum.wrapping_mul(31).wrapping_add(byte.into()));
    for turn in 0..TURNS {
        let legal = game.playable_moves(&state, &mut scratch).ok()??;
        let mut number = first.wrapping_add(turn);
        let moves = ByRole::from_fn(game.roles(), |role| {
            // A linear congruential generator: all that matters is that no role always plays its first move.
            number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let among = &legal[role];
            among[usize::try_from(number >> 33).unwrap_or_default() % among.len()]
        });
        let joint_move = game.joint_move(&state, moves, &mut scratch).ok()?;
        let next = game.turn(&state, &joint_move, &mut scratch).ok()?.successor;
        if game.is_terminal(&next, &mut scratch).ok()? {
            break;
        }
        state = next;
        scene = look(&state, &scene);
    }
    Some(scene)
}
