//! Converted rules: what waits for the tick, who loses, which names are new, and what has no real-time form.

use super::{
    ChessClock, ConversionError, PlayClock, Silence, find_shared_turn, with_chess_clocks, with_play_clock,
};
use crate::{
    Game, Limits, Options,
    game::Backend,
    realtime::{RealTimeGame, RealTimeReport, RealTimeScratch, TimedState},
    syntax::{Description, Syntax, print_commented, read},
};
use rand_chacha::{ChaCha8Rng, rand_core::SeedableRng as _};

/// Two players who each write a letter at the same time, twice. Rules may call a move legal for somebody else.
const LETTERS: &str = "(role ann) (role bob) (init (turn 1)) (letter b) (letter a)
    (<= (legal ?r ?l) (writer ?r) (letter ?l)) (writer ann) (writer bob) (writer nobody)
    (<= (next (wrote ?r ?n ?l)) (does ?r ?l) (true (turn ?n)))
    ; What was written stays, whatever it is.
    (<= (next ?f) (true ?f) (not (true (turn 1))) (not (turning ?f)))
    (<= (turning (turn ?n)) (true (turn ?n)))
    (<= (next (turn 2)) (true (turn 1))) (<= (next (turn 3)) (true (turn 2)))
    (<= (next ?f) (true (turn 1)) (true ?f) (not (turning ?f)))
    (<= terminal (true (turn 3)))
    (<= (goal ?r 30) (role ?r) (true (wrote ?r 2 a))) (<= (goal ?r 60) (role ?r) (true (wrote ?r 2 b)))";

fn description(text: &str) -> Description {
    read(text, Syntax::Auto, &Limits::STANDARD).description
}

fn compiled(text: &str) -> Game {
    Game::compile(text, &Options::PLAY).expect("sound rules").game
}

fn clock(silence: Silence) -> PlayClock {
    PlayClock { period: "1".parse().expect("a lifetime"), silence }
}

fn ticking(text: &str, silence: Silence) -> RealTimeGame {
    let converted = with_play_clock(&description(text), &compiled(text), clock(silence)).expect("a form");
    let printed = print_commented(&converted);
    RealTimeGame::compile(&printed, &Options::PLAY).unwrap_or_else(|error| panic!("{error}\n{printed}")).game
}

/// A match so far.
struct Playthrough<'g> {
    game: &'g RealTimeGame,
    scratch: RealTimeScratch,
    state: TimedState,
}

impl<'g> Playthrough<'g> {
    fn new(game: &'g RealTimeGame) -> Self {
        Self { game, scratch: game.scratch(), state: game.initial_state().clone() }
    }

    fn after(&mut self, micros: u64, moves: &[(&str, &str)]) {
        let moves: Vec<_> = moves
            .iter()
            .map(|&(role, text)| {
                let role = self.game.roles().find(role).expect("a role");
                (role, self.game.find_move(&self.state, role, text, &mut self.scratch).expect("legal"))
            })
            .collect();
        let update = self.game.update(&self.state, micros, &moves, &mut self.scratch).expect("sound");
        self.state = update.successor;
    }

    fn may(&mut self, role: &str, text: &str) -> bool {
        let role = self.game.roles().find(role).expect("a role");
        self.game.find_move(&self.state, role, text, &mut self.scratch).is_ok()
    }

    fn goals(&mut self) -> Option<Vec<i32>> {
        let is_over = self.game.is_terminal(&self.state, &mut self.scratch).expect("sound");
        is_over.then(|| {
            let goals = self.game.goals(&self.state, &mut self.scratch).expect("sound");
            goals.iter().map(|(_, goal)| goal.value()).collect()
        })
    }

    fn facts(&self) -> Vec<String> {
        self.game.state_terms(&self.state).iter().map(|(time, fluent)| format!("{fluent}@{time}")).collect()
    }
}

#[test]
fn the_first_move_waits_for_the_tick_and_a_second_is_not_legal() {
    let game = ticking(LETTERS, Silence::FirstLegal);
    assert_eq!(*game.build_report(), RealTimeReport::Clocks);
    let mut course = Playthrough::new(&game);
    course.after(250_000, &[("ann", "b")]);
    assert_eq!(course.facts(), ["(made ann b)@0.75", "(turn 1)@infinity", "clock@0.75"]);
    assert!(!course.may("ann", "a") && !course.may("ann", "b") && course.may("bob", "b"));
    // Bob's move comes with the tick.
    course.after(750_000, &[("bob", "b")]);
    assert_eq!(
        course.facts(),
        ["(turn 2)@infinity", "(wrote ann 1 b)@infinity", "(wrote bob 1 b)@infinity", "clock@1"]
    );
    // Nobody says anything: the first legal moves are `a`.
    assert!(course.may("ann", "a"));
    course.after(1_000_000, &[]);
    assert_eq!(course.goals(), Some(vec![30, 30]));
    assert!(course.facts().contains(&"(wrote ann 1 b)@infinity".to_owned()));
}

#[test]
fn who_is_silent_with_a_choice_loses_where_that_was_asked_for() {
    let game = ticking(LETTERS, Silence::Lose);
    let mut course = Playthrough::new(&game);
    course.after(999_999, &[("ann", "b"), ("bob", "a")]);
    course.after(1, &[]);
    assert_eq!(course.goals(), None);
    course.after(1_000_000, &[("bob", "b")]);
    assert_eq!(course.goals(), Some(vec![0, 100]));
    // The joint move of that tick was not made.
    assert!(course.facts().contains(&"(turn 2)@infinity".to_owned()));
    let mut course = Playthrough::new(&game);
    course.after(1_000_000, &[]);
    assert_eq!(course.goals(), Some(vec![0, 0]));
}

#[test]
fn added_names_are_none_of_the_games() {
    let text = LETTERS.replace("turning", "moved").replace("wrote", "made").replace("letter", "expired");
    let converted = print_commented(
        &with_play_clock(&description(&text), &compiled(&text), clock(Silence::FirstLegal)).expect("a form"),
    );
    for part in ["(made_ ", "(moved_ ", "; What was written stays, whatever it is.\n", "(expired_ b)"] {
        assert!(converted.contains(part), "{part} is not in\n{converted}");
    }
    let game = RealTimeGame::compile(&converted, &Options::PLAY).expect("sound rules").game;
    let mut course = Playthrough::new(&game);
    course.after(1_000_000, &[("ann", "b"), ("bob", "b")]);
    course.after(1_000_000, &[("bob", "b")]);
    assert_eq!(course.goals(), Some(vec![30, 60]));
}

#[test]
fn what_has_no_real_time_form_is_refused() {
    let converted = |text: &str, silence| {
        let lifted = Options { backend: Backend::Datalog, ..Options::PLAY };
        let game = Game::compile(text, &lifted).expect("sound rules").game;
        with_play_clock(&description(text), &game, clock(silence)).map(|_| ())
    };
    assert_eq!(converted(LETTERS, Silence::FirstLegal), Err(ConversionError::NoNetwork));
    assert_eq!(converted(LETTERS, Silence::Lose), Ok(()));
    let numbers = LETTERS.replace("(letter b)", "(letter 01) (letter 1.0)");
    let error = ConversionError::SameNumber { one: "01".to_owned(), other: "1".to_owned() };
    assert_eq!(converted(&numbers, Silence::Lose), Err(error));
}

/// Ann and Bob write one after the other, and a fluent without a name is kept.
const TURNS: &str = "(role ann) (role bob) (init (control ann)) (letter b) (letter a)
    (<= (legal ?r ?l) (true (control ?r)) (letter ?l))
    (<= (legal ?r noop) (role ?r) (not (true (control ?r))))
    (<= (next (wrote ?r ?l)) (does ?r ?l) (letter ?l))
    (<= (next ?f) (true ?f) (not (controlling ?f)))
    (<= (controlling (control ?r)) (true (control ?r)))
    (<= (next (control bob)) (true (control ann)))
    (<= (next (control nobody)) (true (control bob)))
    (<= (next (control end)) (true (control nobody)))
    (<= terminal (true (control end)))
    (<= (goal ?r 30) (true (wrote ?r a))) (<= (goal ?r 60) (true (wrote ?r b)))";

fn with_clocks(delay: Option<&str>) -> RealTimeGame {
    let lifetime = |text: &str| text.parse().expect("a lifetime");
    let clock = ChessClock { time: lifetime("10"), delay: delay.map(lifetime) };
    let converted = with_chess_clocks(&description(TURNS), &compiled(TURNS), clock).expect("a form");
    let printed = print_commented(&converted);
    RealTimeGame::compile(&printed, &Options::PLAY).unwrap_or_else(|error| panic!("{error}\n{printed}")).game
}

#[test]
fn a_clock_runs_while_its_player_has_a_choice() {
    let game = with_clocks(None);
    let mut course = Playthrough::new(&game);
    assert!(!course.may("bob", "noop"), "nobody makes a move without a choice");
    course.after(1, &[]);
    course.after(3_000_000, &[("ann", "b")]);
    let left = ["(remaining ann 7)@infinity", "(remaining bob 10)@infinity"];
    for fact in left {
        assert!(course.facts().iter().any(|found| found == fact), "{fact} is not in {:?}", course.facts());
    }
    // Bob answers before his clock has started.
    course.after(1, &[("bob", "a")]);
    assert!(course.facts().contains(&"(control nobody)@infinity".to_owned()));
    assert!(course.facts().contains(&"(remaining bob 10)@infinity".to_owned()));
    // Nobody has a choice: the next joint move comes by itself.
    course.after(1, &[]);
    assert_eq!(course.goals(), Some(vec![60, 30]));
}

#[test]
fn a_flag_that_falls_loses_also_at_the_instant_of_the_move() {
    let game = with_clocks(Some("2"));
    for last in [&[][..], &[("ann", "b")]] {
        let mut course = Playthrough::new(&game);
        course.after(1, &[]);
        course.after(1_999_999, &[]);
        assert!(course.facts().contains(&"(clock ann)@10".to_owned()), "{:?}", course.facts());
        course.after(10_000_000, last);
        assert_eq!(course.goals(), Some(vec![0, 100]));
    }
}

#[test]
fn games_in_which_several_choose_at_once_are_found() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    assert_eq!(find_shared_turn(&compiled(TURNS), 10, &mut rng), Ok(None));
    let shared = find_shared_turn(&compiled(LETTERS), 10, &mut rng).expect("sound").expect("both choose");
    assert_eq!((shared.turns, shared.roles.len()), (0, 2));
}
