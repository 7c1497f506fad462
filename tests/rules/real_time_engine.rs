//! Both engines of real-time games against the real-time oracle: on random games, on the catalogue's, and on the paper's.
//!
//! `CROUPIER_PROGRAMS` sets how many random games, `CROUPIER_SEED` the first seed. A failure says how to run it again.

use std::{
    collections::{BTreeMap, BTreeSet},
    env, fmt, fs,
    ops::AddAssign,
    path::PathBuf,
};

use croupier_engine::{
    CompileError, GameError, Options, RoleId, Severity,
    game::Backend,
    realtime::{RealTimeError, RealTimeGame, RealTimeReport, RealTimeScratch, TimedState},
};
use croupier_tests::{
    corpus::{files_below, workspace},
    generator::realtime::{
        clockwork,
        course::{Position, Update, course},
        program,
    },
    oracle::{
        OracleError, Terms,
        realtime::{Lifetime, RealTimeOracle, chicken},
    },
    size,
};

/// Those of every change, and of the long version.
const PROGRAMS: (u64, u64) = (250, 1_000);

/// Updates of one course through a random game, and through one of the catalogue.
const UPDATES: usize = 8;
const UPDATES_OF_GAME: usize = 25;

/// Courses through each game of the catalogue in the long version.
const COURSES: u64 = 40;

fn number(variable: &str, otherwise: u64) -> u64 {
    match env::var(variable) {
        Ok(text) => text.parse().unwrap_or_else(|_| panic!("{variable}={text} is not a number")),
        Err(_) => otherwise,
    }
}

/// How many games and courses were compared, and as what.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    networks: u64,
    /// Games of which some rule does more with a lifetime than set it or keep it.
    read_times: u64,
    /// Games that are refused for a lifetime of their first state, or for one that they write.
    refused: u64,
    states: u64,
    updates: u64,
    /// Updates after which some lifetime is none.
    wrong: u64,
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.networks += other.networks;
        self.read_times += other.read_times;
        self.refused += other.refused;
        self.states += other.states;
        self.updates += other.updates;
        self.wrong += other.wrong;
    }
}

fn same<T: PartialEq + fmt::Debug>(what: &str, oracle: T, engine: T) -> Result<(), String> {
    if oracle == engine {
        return Ok(());
    }
    Err(format!("{what}: the oracle has {oracle:?}, the engine {engine:?}"))
}

fn terms(texts: impl IntoIterator<Item = impl ToString>) -> Terms {
    texts.into_iter().map(|text| text.to_string()).collect()
}

fn said(error: impl fmt::Display) -> String {
    error.to_string()
}

/// One engine that follows a course.
struct Follower<'g> {
    game: &'g RealTimeGame,
    scratch: RealTimeScratch,
    state: TimedState,
}

impl Follower<'_> {
    fn follow(&mut self, positions: &[Position]) -> Result<(), String> {
        for (place, position) in positions.iter().enumerate() {
            let at = |mismatch| format!("position {place}: {mismatch}");
            self.compare_state(position).map_err(at)?;
            self.compare_view(position).map_err(at)?;
            if let Some(update) = &position.update {
                self.compare_update(update).map_err(at)?;
            }
        }
        Ok(())
    }

    fn compare_state(&self, position: &Position) -> Result<(), String> {
        let (game, state) = (self.game, &self.state);
        let known = position.state.iter().map(|(lifetime, fluent)| (lifetime.to_string(), fluent.clone()));
        let found = game.state_terms(state);
        let found = found.iter().map(|(lifetime, fluent)| (lifetime.to_string(), fluent.to_string()));
        same("fluents", known.collect::<BTreeSet<_>>(), found.collect())?;
        same("expired", position.expired.clone(), terms(game.expired_terms(state)))?;
        same("next expiry", RealTimeOracle::next_expiry(&position.state), state.next_expiry())
    }

    fn compare_view(&mut self, position: &Position) -> Result<(), String> {
        let (game, state, view) = (self.game, &self.state, &position.view);
        same("terminal", view.is_terminal, game.is_terminal(state, &mut self.scratch).map_err(said)?)?;
        let legal = game.legal_moves(state, &mut self.scratch).map_err(said)?;
        for role in game.roles().all() {
            let found = terms(legal[role].iter().map(|&id| game.move_text(id)));
            same("legal", &view.legal[game.roles().name(role)], &found)?;
        }
        let of_role = |role: RoleId| &view.goals[game.roles().name(role)];
        match game.goals(state, &mut self.scratch) {
            // Of several values the engine names one.
            Ok(goals) => {
                goals.iter().try_for_each(|(role, goal)| match of_role(role).contains(&said(goal.value())) {
                    true => Ok(()),
                    false => {
                        Err(format!("goal: the oracle has {:?}, the engine {}", of_role(role), goal.value()))
                    }
                })
            }
            Err(RealTimeError::Game(GameError::NoGoal { role })) => {
                same("goal", &view.goals[&role], &Terms::new())
            }
            Err(error) => Err(said(error)),
        }
    }

    fn compare_update(&mut self, update: &Update) -> Result<(), String> {
        let game = self.game;
        let mut moves: Vec<(RoleId, _)> = Vec::new();
        for (name, played) in &update.moves {
            let role = game.roles().find(name).ok_or("a role that the engine lacks")?;
            moves.push((role, game.find_move(&self.state, role, played, &mut self.scratch).map_err(said)?));
        }
        let after = game.update(&self.state, update.elapsed, &moves, &mut self.scratch);
        let (after, consequence) = match (after, &update.consequence) {
            (Ok(after), Ok(consequence)) => (after, consequence),
            (Err(RealTimeError::Lifetime { .. }), Err(OracleError::Lifetime { .. })) => return Ok(()),
            (after, consequence) => {
                let consequence = consequence.as_ref().map(|_| ()).map_err(said);
                return same("a lifetime", consequence, after.map(|_| ()).map_err(said));
            }
        };
        // Where no rule says what is seen, everybody sees every move.
        let all_moves = update.moves.iter().map(|(role, played)| format!("(did {role} {played})"));
        let all_moves = terms(all_moves);
        for role in game.roles().players() {
            let told = match game.has_full_sight() {
                true => &all_moves,
                false => &consequence.sees[game.roles().name(role)],
            };
            same("sees", told, &terms(game.percept_terms(&after.percepts[role])))?;
        }
        self.state = after.successor;
        Ok(())
    }
}

/// Whether the engine refuses a text for nothing but what stands in the place of lifetimes.
fn writes_no_lifetime(text: &str) -> bool {
    let Err(CompileError::Rules(found)) = RealTimeGame::compile(text, &Options::PLAY) else { return false };
    let mut errors = found.iter().filter(|found| found.severity == Severity::Error).peekable();
    // It points to a word; what is computed has no place.
    errors.peek().is_some()
        && errors.all(|found| found.code == "lifetime" && Lifetime::read(&text[found.span.range()]).is_none())
}

/// A game whose first state the oracle refuses is refused by the engine.
fn compare_refusal(text: &str) -> Result<(), String> {
    match RealTimeGame::compile(text, &Options::PLAY) {
        Err(CompileError::Rules(found)) if found.iter().any(|found| found.code == "lifetime") => Ok(()),
        other => Err(format!("the oracle refuses an initial lifetime, the engine says {other:?}")),
    }
}

/// Compares the network, where there is one, and the reasoner with the oracle on a course.
fn compare(
    text: &str,
    game: &RealTimeGame,
    oracle: &RealTimeOracle,
    seed: u64,
    updates: usize,
) -> Result<Tally, String> {
    let positions = course(oracle, seed, updates).map_err(said)?;
    let names = game.roles().all().map(|role| game.roles().name(role).to_owned()).collect();
    same("roles", oracle.roles().to_vec(), names)?;
    let engines = [("network", game.scratch()), ("reasoner", game.lifted_scratch())];
    for (engine, scratch) in engines.into_iter().skip(usize::from(game.network().is_none())) {
        let mut follower = Follower { game, scratch, state: game.initial_state().clone() };
        let followed = follower.follow(&positions);
        followed.map_err(|mismatch| format!("{engine}: {mismatch}\n{text}"))?;
    }
    let updates = positions.iter().filter_map(|position| position.update.as_ref());
    let wrong = updates.clone().filter(|update| update.consequence.is_err());
    Ok(Tally {
        states: positions.len() as u64,
        updates: updates.clone().count() as u64,
        wrong: wrong.count() as u64,
        ..Tally::default()
    })
}

fn compile(text: &str) -> Result<RealTimeGame, String> {
    match RealTimeGame::compile(text, &Options::PLAY) {
        Ok(compiled) => Ok(compiled.game),
        Err(CompileError::Rules(found)) => {
            Err(found.iter().map(|one| format!("{}: {}; ", one.code, one.message)).collect())
        }
        Err(error) => Err(said(error)),
    }
}

/// Compares all that is said of one random game.
fn compare_program(text: &str, seed: u64) -> Result<Tally, String> {
    if writes_no_lifetime(text) {
        return Ok(Tally { refused: 1, ..Tally::default() });
    }
    let oracle = RealTimeOracle::of(text).map_err(said)?;
    if let Err(OracleError::Lifetime { .. }) = oracle.initial_state() {
        compare_refusal(text)?;
        return Ok(Tally { refused: 1, ..Tally::default() });
    }
    let game = compile(text)?;
    let mut tally = Tally::default();
    match game.build_report() {
        RealTimeReport::Clocks => tally.networks = 1,
        RealTimeReport::ReadsTimes(_) => tally.read_times = 1,
        _ => {}
    }
    tally += compare(text, &game, &oracle, seed, UPDATES)?;
    Ok(tally)
}

#[test]
fn random_real_time_games_play_as_the_oracle_says() {
    let first = number("CROUPIER_SEED", 0);
    let programs = number("CROUPIER_PROGRAMS", size(PROGRAMS.0, PROGRAMS.1));
    let (mut total, mut failures) = (Tally::default(), Vec::new());
    for seed in first..first + programs {
        for text in [program(seed), clockwork(seed)] {
            match compare_program(&text, seed) {
                Ok(tally) => total += tally,
                Err(mismatch) => {
                    failures.push(format!("CROUPIER_SEED={seed} CROUPIER_PROGRAMS=1: {mismatch}"))
                }
            }
        }
    }
    let shown = failures.iter().take(10).cloned().collect::<Vec<_>>().join("\n");
    assert!(failures.is_empty(), "{} of {programs}, {total:?}:\n{shown}", failures.len());
    println!("{programs} random games: {total:?}");
    if programs >= 100 {
        assert!(total.networks * 4 > programs, "few games are networks: {total:?}");
        assert!(total.read_times * 4 > programs, "few games read times: {total:?}");
        assert!(total.refused * 10 < programs, "many games are refused: {total:?}");
    }
}

/// Every `rules.gdl` of a real-time game, by the name of its folder.
fn games() -> BTreeMap<String, String> {
    let files = files_below(&workspace().join("games-ii"), |name| name == "rules.gdl");
    let is_real_time = |path: &PathBuf| {
        path.components().any(|part| part.as_os_str().to_string_lossy().starts_with("real-time"))
    };
    let read = |path: PathBuf| {
        let name = path.parent().and_then(|folder| folder.file_name()).expect("a folder");
        (name.to_string_lossy().into_owned(), fs::read_to_string(&path).expect("a readable file"))
    };
    files.into_iter().filter(is_real_time).map(read).collect()
}

#[test]
fn the_real_time_games_of_the_catalogue_play_as_the_oracle_says() {
    let games = games();
    assert!(games.len() >= 8, "{:?}", games.keys());
    let (first, courses) = (number("CROUPIER_SEED", 0), size(COURSES / 4, COURSES));
    for (name, text) in games {
        let game = compile(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        let oracle = RealTimeOracle::of(&text).expect("sound rules");
        let mut total = Tally::default();
        for seed in first..first + courses {
            match compare(&text, &game, &oracle, seed, UPDATES_OF_GAME) {
                Ok(tally) => total += tally,
                Err(mismatch) => panic!("{name}, CROUPIER_SEED={seed}: {mismatch}"),
            }
        }
        println!("{name}: {total:?}, {:?}", game.build_report());
        assert!(total.updates >= courses, "{name}: {total:?}");
    }
}

#[test]
fn the_papers_game_plays_as_the_oracle_says_in_both_syntaxes() {
    for text in [chicken::PREFIX, chicken::INFIX] {
        let (game, oracle) =
            (compile(text).expect("sound rules"), RealTimeOracle::of(text).expect("sound rules"));
        assert_eq!(*game.build_report(), RealTimeReport::Clocks);
        for seed in 0..50 {
            compare(text, &game, &oracle, seed, UPDATES)
                .unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        }
    }
}

#[test]
fn a_game_that_is_kept_from_becoming_a_network_plays_the_same() {
    let options = Options { backend: Backend::Datalog, ..Options::PLAY };
    let game = RealTimeGame::compile(chicken::PREFIX, &options).expect("sound rules").game;
    assert_eq!(*game.build_report(), RealTimeReport::Lifted);
    let oracle = RealTimeOracle::of(chicken::PREFIX).expect("sound rules");
    compare(chicken::PREFIX, &game, &oracle, 0, UPDATES).expect("the same");
}
