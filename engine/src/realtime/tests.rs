//! The paper's game and the edges of an update, by the network and by the reasoner.

use std::sync::Arc;

use super::{RealTimeError, RealTimeGame, RealTimeReport, RealTimeScratch, TimedState};
use crate::game::{Backend, CompileError, GameError, Options};

/// The Game of Chicken of the paper (section 4).
const CHICKEN: &str = "(role white) (role black)
    (init infinity (dir white straight)) (init infinity (dir black straight)) (init 1.0 timer)
    (<= (next ?t timer) (true ?t timer))
    (<= (next infinity (dir ?r swerve)) (does ?r swerve))
    (<= (next ?t (dir ?r ?d)) (true ?t (dir ?r ?d)) (not (does ?r swerve)))
    (<= (legal ?r swerve) (true ?t (dir ?r straight)))
    (<= terminal (expired timer))
    (<= (goal ?r 0) (true ?t (dir ?r straight)) (true ?s (dir ?p straight)) (distinct ?r ?p))
    (<= (goal ?r 80) (true ?t (dir ?r swerve)) (true ?s (dir ?p straight)))
    (<= (goal ?r 90) (true ?t (dir ?r swerve)) (true ?s (dir ?p swerve)) (distinct ?r ?p))
    (<= (goal ?p 100) (true ?t (dir ?r swerve)) (true ?s (dir ?p straight)))";

fn game(rules: &str) -> RealTimeGame {
    RealTimeGame::compile(rules, &Options::PLAY).expect("sound rules").game
}

/// A match so far: it asks the network and the reasoner, and both have to say the same.
struct Playthrough<'g> {
    game: &'g RealTimeGame,
    scratches: [RealTimeScratch; 2],
    state: TimedState,
    now: u64,
}

impl<'g> Playthrough<'g> {
    fn new(game: &'g RealTimeGame) -> Self {
        let scratches = [game.scratch(), game.lifted_scratch()];
        Self { game, scratches, state: game.initial_state().clone(), now: 0 }
    }

    /// Moves at an instant; without moves what expires then.
    fn at(&mut self, instant: u64, moves: &[(&str, &str)]) -> Vec<(String, Vec<Arc<str>>)> {
        let game = self.game;
        let elapsed = instant - self.now;
        let [one, other] = self.scratches.each_mut().map(|scratch| {
            let moves: Vec<_> = moves
                .iter()
                .map(|(role, text)| {
                    let role = game.roles().find(role).expect("a role");
                    (role, game.find_move(&self.state, role, text, scratch).expect("legal"))
                })
                .collect();
            game.update(&self.state, elapsed, &moves, scratch).expect("sound")
        });
        assert_eq!(one, other);
        (self.state, self.now) = (one.successor, instant);
        let told = one.percepts.iter();
        told.map(|(role, told)| (game.roles().name(role).to_owned(), game.percept_terms(told))).collect()
    }

    fn is_over(&mut self) -> bool {
        let [one, other] = self
            .scratches
            .each_mut()
            .map(|scratch| self.game.is_terminal(&self.state, scratch).expect("sound"));
        assert_eq!(one, other);
        one
    }

    fn goals(&mut self) -> Vec<i32> {
        let [one, other] =
            self.scratches.each_mut().map(|scratch| self.game.goals(&self.state, scratch).expect("sound"));
        assert_eq!(one, other);
        one.iter().map(|(_, goal)| goal.value()).collect()
    }

    fn facts(&self) -> Vec<String> {
        self.game.state_terms(&self.state).iter().map(|(time, fluent)| format!("{fluent}@{time}")).collect()
    }
}

#[test]
fn chicken_is_worth_what_the_paper_says_over_all_pairs_of_instants() {
    let game = game(CHICKEN);
    assert_eq!(*game.build_report(), RealTimeReport::Clocks);
    // Tenths of a second; 11 is never.
    for white in 0..=11_u64 {
        for black in 0..=11_u64 {
            let mut course = Playthrough::new(&game);
            for tenth in 0..=10 {
                let moves: Vec<_> = [("white", white), ("black", black)]
                    .into_iter()
                    .filter(|(_, when)| *when == tenth)
                    .map(|(role, _)| (role, "swerve"))
                    .collect();
                if tenth == 10 || !moves.is_empty() {
                    course.at(tenth * 100_000, &moves);
                }
                assert_eq!(course.is_over(), tenth == 10);
            }
            let expected = match (white <= 10, black <= 10) {
                (false, false) => [0, 0],
                (true, false) => [80, 100],
                (false, true) => [100, 80],
                (true, true) => [90, 90],
            };
            assert_eq!(course.goals(), expected, "{white} {black}");
        }
    }
}

#[test]
fn a_lifetime_runs_on_through_the_updates_that_keep_it() {
    let game = game(CHICKEN);
    let mut course = Playthrough::new(&game);
    let told = course.at(250_000, &[("white", "swerve")]);
    assert_eq!(told[1], ("black".to_owned(), vec!["(did white swerve)".into()]));
    assert_eq!(
        course.facts(),
        ["(dir black straight)@infinity", "(dir white swerve)@infinity", "timer@0.75"]
    );
    let update = game.update(&course.state, 750_001, &[], &mut game.scratch());
    assert_eq!(update, Err(RealTimeError::SkipsExpiry { micros: 750_001, expiry: 750_000 }));
}

/// A time that leaves its lifetime: only the reasoner can follow it.
const RECORD: &str = "(role ann) (init 2.00 timer) (legal ann press)
    (<= (next ?t timer) (true ?t timer) (not pressed))
    (<= (next 1.5 timer) pressed)
    (<= pressed (does ann press))
    (<= (next infinity (left ?t)) (true ?t timer) (does ann press))
    (<= (next infinity (left ?t)) (true infinity (left ?t)))
    (<= (sees ann (left ?t)) (true ?t timer) (does ann press))
    (<= terminal (true ?t (left 0.5)))
    (<= terminal (true ?t timer) (true infinity (left ?t)))
    (goal ann 50)";

#[test]
fn a_time_that_is_carried_elsewhere_is_the_number_it_was() {
    let game = game(RECORD);
    assert!(matches!(game.build_report(), RealTimeReport::ReadsTimes(_)), "{:?}", game.build_report());
    let mut course = Playthrough::new(&game);
    let told = course.at(123_456, &[("ann", "press")]);
    assert_eq!(told[0].1, ["(left 1.876544)".into()]);
    assert_eq!(course.facts(), ["(left 1.876544)@infinity", "timer@1.5"]);
    assert!(!course.is_over());
    // The same number again, by another way.
    course.at(123_456 + 1_000_000, &[("ann", "press")]);
    assert_eq!(course.facts(), ["(left 0.5)@infinity", "(left 1.876544)@infinity", "timer@1.5"]);
    assert!(course.is_over());
    // And when what is left of a lifetime is a number that was carried off before.
    let mut course = Playthrough::new(&game);
    course.at(700_000, &[("ann", "press")]);
    course.at(700_000 + 100_000, &[("ann", "press")]);
    assert_eq!(course.facts(), ["(left 1.3)@infinity", "(left 1.4)@infinity", "timer@1.5"]);
    assert!(!course.is_over());
    let mut scratch = game.scratch();
    let ticking = course.state.clone();
    let later = game.update(&ticking, 100_000, &[], &mut scratch).expect("sound").successor;
    assert!(game.is_terminal(&later, &mut scratch).expect("sound"), "timer and left are both 1.4");
}

#[test]
fn a_fluent_may_have_two_lifetimes() {
    let rules = "(role ann) (init 1 light) (init 2 light) (legal ann wait)
        (<= (next ?t light) (true ?t light)) (<= (next infinity (saw light)) (expired light))
        (<= (next ?t (saw light)) (true ?t (saw light)))
        (<= terminal (not lit)) (<= lit (true ?t light)) (goal ann 0)";
    let game = game(rules);
    assert_eq!(*game.build_report(), RealTimeReport::Clocks);
    let mut course = Playthrough::new(&game);
    assert!(course.state.doubled().is_some());
    course.at(1_000_000, &[]);
    assert_eq!(course.facts(), ["(saw light)@infinity", "light@1"]);
    assert!(course.state.doubled().is_none() && !course.is_over());
    course.at(2_000_000, &[("ann", "wait")]);
    assert_eq!(course.facts(), ["(saw light)@infinity"]);
    assert!(course.is_over());
}

#[test]
fn a_lifetime_that_is_no_number_ends_the_match_with_the_fluents_name() {
    let rules = "(role ann) (init 1 timer) (init infinity (speed fast)) (legal ann go)
        (<= (next ?t timer) (true ?s (speed ?t))) (<= (next ?s (speed ?t)) (true ?s (speed ?t)))
        (<= terminal (expired timer)) (goal ann 0)";
    let game = game(rules);
    let error =
        game.update(game.initial_state(), 1_000_000, &[], &mut game.scratch()).expect_err("fast is no time");
    let said =
        "next gives the fluent timer the lifetime fast, which is neither a positive number nor `infinity`";
    assert_eq!(error.to_string(), said);
}

#[test]
fn numbers_are_the_same_however_they_are_written() {
    let rules = "(role ann) (init 1.0 (price 2.50)) (<= (legal ann (bid ?p)) (true ?t (price ?p)))
        (<= terminal (does_not_matter 01.00 1)) (<= (does_not_matter ?x ?x) (role ?r) (true ?t (price ?x)))
        (<= (next 1.00 (price ?p)) (true 1 (price ?p))) (<= (goal ann 007) (role ann))";
    let game = game(rules);
    let ann = game.roles().find("ann").expect("a role");
    let mut scratch = game.scratch();
    let found = game.find_move(game.initial_state(), ann, "(BID 002.5)", &mut scratch).expect("legal");
    assert_eq!(&*game.move_text(found), "(bid 2.5)");
    assert_eq!(game.goals(game.initial_state(), &mut scratch).expect("sound")[ann].value(), 7);
}

#[test]
fn each_kind_of_game_refuses_the_rules_of_the_other() {
    assert!(matches!(crate::Game::compile(CHICKEN, &Options::PLAY), Err(CompileError::RealTime)));
    let turns = "(role ann) (init f) (legal ann wait) (<= terminal (true f)) (goal ann 0)";
    assert!(matches!(RealTimeGame::compile(turns, &Options::PLAY), Err(CompileError::TurnBased)));
}

#[test]
fn no_limit_is_reached_by_the_instants_of_moves() {
    let rules = "(role ann) (init 1000 timer) (legal ann press) (<= (next ?t timer) (true ?t timer))
        (<= terminal (expired timer)) (goal ann 0)";
    let mut options = Options { backend: Backend::Datalog, ..Options::PLAY };
    options.limits.terms = 100;
    let game = RealTimeGame::compile(rules, &options).expect("sound").game;
    let mut scratch = game.scratch();
    let mut state = game.initial_state().clone();
    let ann = game.roles().find("ann").expect("a role");
    let press = game.find_move(&state, ann, "press", &mut scratch).expect("legal");
    for _ in 0..1000 {
        state = game
            .update(&state, 777, &[(ann, press)], &mut scratch)
            .expect("placeholders are used again")
            .successor;
    }
    assert_eq!(state.next_expiry(), Some(1_000_000_000 - 777_000));
    // Where times are kept as terms, they do grow, and the limit is said.
    let game = RealTimeGame::compile(RECORD, &options).expect("sound").game;
    let mut scratch = game.scratch();
    let (mut state, ann) = (game.initial_state().clone(), game.roles().find("ann").expect("a role"));
    let press = game.find_move(&state, ann, "press", &mut scratch).expect("legal");
    let error = (1..100).find_map(|k| match game.update(&state, k, &[(ann, press)], &mut scratch) {
        Ok(update) => {
            state = update.successor;
            None
        }
        Err(error) => Some(error),
    });
    assert!(matches!(error, Some(RealTimeError::Game(GameError::Limit(_)))), "{error:?}");
}

/// A record names moves; who replays it need not ask what is legal.
#[test]
fn a_time_in_a_move_that_is_only_read_is_a_lifetime_like_any_other() {
    let rules = "(role ann) (init 2 timer) (<= (legal ann (wait ?t)) (true ?t timer))
        (<= (next ?t alarm) (does ann (wait ?t))) (<= (next ?t timer) (true ?t timer))
        (<= (next infinity same) (does ann (wait ?t)) (true ?t timer))
        (<= terminal (expired alarm)) (goal ann 0)";
    let game = game(rules);
    let ann = game.roles().find("ann").expect("a role");
    let mut scratch = game.lifted_scratch();
    let later = game.update(game.initial_state(), 700_000, &[], &mut scratch).expect("sound").successor;
    let wait = game.move_id("(wait 1.3)").expect("a term");
    let alarmed = game.update(&later, 0, &[(ann, wait)], &mut scratch).expect("1.3 is a lifetime").successor;
    let said = game.state_terms(&alarmed);
    let said: Vec<String> = said.iter().map(|(time, fluent)| format!("{fluent}@{time}")).collect();
    assert_eq!(said, ["alarm@1.3", "same@infinity", "timer@1.3"]);
}

#[cfg(debug_assertions)]
#[test]
fn a_scratch_of_another_game_or_of_a_fork_is_refused_in_debug_builds() {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    let (chicken, record) = (game(CHICKEN), game(RECORD));
    for other in [&record, &chicken.fork()] {
        for mut scratch in [other.scratch(), other.lifted_scratch()] {
            let mix = || chicken.is_terminal(chicken.initial_state(), &mut scratch).is_ok();
            let panic = catch_unwind(AssertUnwindSafe(mix)).expect_err("a mix is refused");
            let said = panic.downcast_ref::<String>().expect("a message");
            assert!(said.starts_with("this scratch belongs to another game"), "{said}");
        }
    }
}
