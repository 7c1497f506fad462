//! In matches of every game of the catalogue: what is public is the same, whoever's percepts it is taken from, and what the rules with a
//! watcher tell it.

use crate::{ByRole, Game, MoveId, Options, State, Status, Turn, game::Backend};
use proptest::prelude::*;

use super::*;

/// A game and the same game with a watcher.
struct WatchedGame {
    game: Game,
    /// Where nobody else is told anything, and where everybody is.
    with_watcher: [Game; 2],
    sight: PublicSight,
}

impl WatchedGame {
    /// `None` if everybody sees everything.
    fn of(rules: &str) -> Option<Self> {
        let sight = PublicSight::of(rules, &Limits::STANDARD).ok()?;
        let options = Options { backend: Backend::Datalog, ..Options::PLAY };
        let compiled = |rules: &str| Some(Game::compile(rules, &options).ok()?.game);
        let with_watcher = [compiled(sight.rules())?, compiled(sight.rules_with_players())?];
        Some(Self { game: compiled(rules)?, with_watcher, sight })
    }

    /// Plays the same match of all, with moves by `choose` among so many, and says what is public in each turn.
    fn play(&self, turns: usize, mut choose: impl FnMut(usize) -> usize) -> Vec<Vec<String>> {
        let (game, roles) = (&self.game, self.game.roles());
        let mut scratch = game.scratch();
        let mut state = game.initial_state().clone();
        let mut others: Vec<State> =
            self.with_watcher.iter().map(|other| other.initial_state().clone()).collect();
        let mut public = Vec::new();
        for _ in 0..turns {
            let Status::Running { legal } = game.status(&state, &mut scratch).unwrap() else { break };
            let moves = legal.map(|role| legal[role][choose(legal[role].len())]);
            let joint = game.joint_move(&state, moves.clone(), &mut scratch).unwrap();
            let turn = game.turn(&state, &joint, &mut scratch).unwrap();
            let percepts = |role| -> Vec<String> {
                game.percept_terms(&turn.percepts[role]).iter().map(ToString::to_string).collect()
            };
            let mut told = Vec::new();
            for (place, (other, other_state)) in self.with_watcher.iter().zip(&mut others).enumerate() {
                let next = self.play_watched(other, other_state, &moves);
                assert_eq!(game.state_terms(&turn.successor), other.state_terms(&next.successor));
                let other_percepts = |role: &str| -> Vec<String> {
                    let role = other.roles().find(role).unwrap();
                    other.percept_terms(&next.percepts[role]).iter().map(ToString::to_string).collect()
                };
                told = other_percepts(self.sight.watcher());
                for role in roles.players() {
                    let (name, own) = (roles.name(role), percepts(role));
                    let texts: Vec<&str> = own.iter().map(String::as_str).collect();
                    assert_eq!(self.sight.told(&texts), told, "{name}");
                    let expected = if place == 0 { Vec::new() } else { own };
                    assert_eq!(other_percepts(name), expected, "{name}");
                }
                *other_state = next.successor;
            }
            public.push(told);
            state = turn.successor;
        }
        let is_over = game.is_terminal(&state, &mut scratch).unwrap();
        for (other, state) in self.with_watcher.iter().zip(&others) {
            assert_eq!(other.is_terminal(state, &mut other.scratch()).unwrap(), is_over);
        }
        public
    }

    /// A turn of the game with a watcher, with these moves of all others.
    fn play_watched(&self, other: &Game, state: &State, moves: &ByRole<MoveId>) -> Turn {
        let (game, mut scratch) = (&self.game, other.scratch());
        let watcher = other.roles().find(self.sight.watcher()).unwrap();
        let noop = other.legal_moves(state, watcher, &mut scratch).unwrap()[0];
        let moves = ByRole::from_fn(other.roles(), |role| {
            let own = game.roles().find(other.roles().name(role));
            own.map_or(noop, |own| other.move_id(&game.move_text(moves[own])).unwrap())
        });
        let joint = other.joint_move(state, moves, &mut scratch).unwrap();
        other.turn(state, &joint, &mut scratch).unwrap()
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
