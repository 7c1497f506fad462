//! In matches of every game of the catalogue: what is public is the same, whoever's percepts it is taken from, and what the rules with a
//! watcher tell it.

use crate::{ByRole, Game, Options, Status, game::Backend};
use proptest::prelude::*;

use super::*;

/// A game and the same game with a watcher.
struct WatchedGame {
    game: Game,
    with_watcher: Game,
    sight: PublicSight,
}

impl WatchedGame {
    /// `None` if everybody sees everything.
    fn of(rules: &str) -> Option<Self> {
        let sight = PublicSight::of(rules, &Limits::STANDARD).ok()?;
        let options = Options { backend: Backend::Datalog, ..Options::PLAY };
        let compiled = |rules: &str| Some(Game::compile(rules, &options).ok()?.game);
        Some(Self { game: compiled(rules)?, with_watcher: compiled(sight.rules())?, sight })
    }

    /// Plays the same match of both, with moves by `choose` among so many, and says what is public in each turn.
    fn play(&self, turns: usize, mut choose: impl FnMut(usize) -> usize) -> Vec<Vec<String>> {
        let (game, other) = (&self.game, &self.with_watcher);
        let watcher = other.roles().find(self.sight.watcher()).unwrap();
        let (mut scratch, mut other_scratch) = (game.scratch(), other.scratch());
        let (mut state, mut other_state) = (game.initial_state().clone(), other.initial_state().clone());
        let mut public = Vec::new();
        for _ in 0..turns {
            assert_eq!(game.state_terms(&state), other.state_terms(&other_state));
            let Status::Running { legal } = game.status(&state, &mut scratch).unwrap() else {
                assert!(other.is_terminal(&other_state, &mut other_scratch).unwrap());
                break;
            };
            let moves = legal.map(|role| legal[role][choose(legal[role].len())]);
            let noop = other.legal_moves(&other_state, watcher, &mut other_scratch).unwrap()[0];
            let other_moves = ByRole::from_fn(other.roles(), |role| {
                let name = other.roles().name(role);
                let own = game.roles().find(name);
                own.map_or(noop, |own| other.move_id(&game.move_text(moves[own])).unwrap())
            });
            let joint = game.joint_move(&state, moves, &mut scratch).unwrap();
            let other_joint = other.joint_move(&other_state, other_moves, &mut other_scratch).unwrap();
            let turn = game.turn(&state, &joint, &mut scratch).unwrap();
            let other_turn = other.turn(&other_state, &other_joint, &mut other_scratch).unwrap();
            let told = other.percept_terms(&other_turn.percepts[watcher]);
            let told: Vec<&str> = told.iter().map(|percept| &**percept).collect();
            for role in game.roles().players() {
                let own = game.percept_terms(&turn.percepts[role]);
                let own: Vec<&str> = own.iter().map(|percept| &**percept).collect();
                assert_eq!(self.sight.told(&own), told, "{}", game.roles().name(role));
            }
            public.push(told.into_iter().map(str::to_owned).collect());
            (state, other_state) = (turn.successor, other_turn.successor);
        }
        public
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2))]

    #[test]
    fn what_is_public_is_the_same_for_all_players_and_for_the_watcher(draws in proptest::collection::vec(any::<prop::sample::Index>(), 400)) {
        for entry in croupier_games::catalogue() {
            let says_who_sees = entry.rules.contains("(sees ");
            let Some(watched) = WatchedGame::of(entry.rules) else {
                assert!(!says_who_sees, "{}", entry.name);
                continue;
            };
            let mut draws = draws.iter().cycle();
            watched.play(40, |count| draws.next().map_or(0, |draw| draw.index(count)));
        }
    }
}

/// What is told of in a game, as the names of percepts that are public in random matches.
fn public_names(game: &str) -> std::collections::BTreeSet<String> {
    let watched = WatchedGame::of(croupier_games::find(game).unwrap().rules).unwrap();
    let mut names = std::collections::BTreeSet::new();
    for first in 0..20 {
        let mut number = first;
        let public = watched.play(60, |count| {
            number = (number * 48_271 + 11) % 2_147_483_647;
            number / 11 % count
        });
        let name = |percept: &String| percept.trim_matches(['(', ')']).split(' ').next().unwrap().to_owned();
        names.extend(public.iter().flatten().map(name));
    }
    names
}

#[test]
fn a_table_of_cards_tells_of_its_board_and_its_bets_and_never_of_a_hand() {
    assert_eq!(Vec::from_iter(public_names("holdem")), ["board", "did", "shows"]);
    assert_eq!(Vec::from_iter(public_names("liars-dice")), ["did", "shows"]);
    // Shots are told to who is shot at, and hits to who shoots.
    assert_eq!(public_names("battleship-4x4").len(), 0);
}

#[test]
fn who_is_told_by_a_condition_that_changes_is_not_everybody() {
    let with = |sees: &str| {
        let rules = "(role ann) (role bob) (player ann) (player bob) (left ann bob) (init (up ann))
            (<= (legal ?p go) (role ?p)) (<= (next (up ?p)) (true (up ?p))) (<= terminal (true over)) (<= (goal ?p 0) (role ?p)) ";
        let sight = PublicSight::of(&format!("{rules}{sees}"), &Limits::STANDARD).unwrap();
        sight.told(&["(x ann)", "y"]).join(" ")
    };
    assert_eq!(with("(<= (sees ?p (x ?q)) (true (up ?q)) (player ?p))"), "(x ann)");
    assert_eq!(with("(<= (sees ?p (x ?q)) (true (up ?q)) (role ?p) (distinct ?p random))"), "(x ann)");
    // Not for all players, or not always.
    assert_eq!(with("(<= (sees ?p (x ?q)) (true (up ?q)) (left ?p ?r))"), "");
    assert_eq!(with("(<= (sees ?p (x ?p)) (true (up ?p)) (player ?p))"), "");
    assert_eq!(with("(<= (sees ?p (x ?q)) (player ?p) (player ?q) (distinct ?p ?q))"), "");
    assert_eq!(with("(<= (sees ?p (x ?q)) (does ?p go) (player ?q))"), "");
    assert_eq!(with("(<= (sees ?p (x ?q)) (player ?p) (player ?q) (not (true (up ?p))))"), "");
    assert_eq!(with("(sees ann y)"), "");
    // Another rule tells the same to somebody alone.
    assert_eq!(
        with(
            "(<= (sees ?p (x ?q)) (true (up ?q)) (player ?p)) (sees ann (x bob)) (<= (sees ?p y) (player ?p))"
        ),
        "y"
    );
}

#[test]
fn names_of_the_rules_are_left_alone() {
    let rules =
        "(role watcher) (role played) (seated 1) (<= (legal ?p go) (role ?p)) (<= terminal (true over))
        (next over) (<= (goal ?p 0) (role ?p)) (<= (sees ?p (did ?q ?m)) (role ?p) (does ?q ?m))";
    let sight = PublicSight::of(rules, &Limits::STANDARD).unwrap();
    assert_eq!(sight.watcher(), "watcher_2");
    assert!(Game::compile(sight.rules(), &Options::PLAY).is_ok());
    let error = |rules| PublicSight::of(rules, &Limits::STANDARD).unwrap_err();
    assert_eq!(error("(role ann) (legal ann go) (next over)"), SightError::NothingIsHidden);
    assert_eq!(error("(<= (role ?p) (player ?p)) (player ann) (sees ann x)"), SightError::NotUnderstood);
    assert_eq!(error("(role ann"), SightError::NotUnderstood);
}
