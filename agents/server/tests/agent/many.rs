//! Many matches at once: what a forgotten one blocks, whose time it is, and that none changes another.

use std::{
    sync::Arc,
    thread,
    time::{Duration, Instant},
};

use croupier_engine::{ByRole, Game, Options, RoleId, State};

use crate::wire::Agent;

const KUHN: &str = include_str!("../../../../games-ii/kuhn/rules.gdl");
const LEDUC: &str = include_str!("../../../../games-ii/leduc/rules.gdl");
const NOUGHTS: &str = include_str!("../../../../games-ii/tic-tac-toe/rules.gdl");

fn start(id: &str, role: &str, rules: &str, start_s: u32, play_s: u32) -> String {
    format!("(START {id} {role} ({rules}) {start_s} {play_s})")
}

#[test]
fn matches_that_were_never_stopped_make_room_by_the_clocks_they_announced() {
    let agent = Agent::with_matches("random", 4);
    for id in ["a", "b", "c"] {
        assert_eq!(agent.ask(&start(id, "alice", KUHN, 1, 1)), "READY");
        agent.ask(&format!("(PLAY {id} 0 NIL NIL)"));
    }
    assert_eq!(agent.ask(&start("long", "alice", KUHN, 1, 600)), "READY");
    agent.ask("(PLAY long 0 NIL NIL)");
    assert_eq!(agent.ask(&start("d", "alice", KUHN, 1, 1)), "busy");
    assert_eq!(agent.ask("(INFO)"), "((name tested) (status busy))");
    // Twice the clock of a second, and five seconds.
    thread::sleep(Duration::from_millis(7_200));
    assert_eq!(agent.ask("(INFO)"), "((name tested) (status available))");
    // Whose referee speaks late is played all the same, as long as nobody needs its place.
    assert_ne!(agent.ask("(PLAY c 0 NIL NIL)"), "busy");
    assert_eq!(agent.ask(&start("e", "alice", KUHN, 1, 1)), "READY");
    assert_eq!(agent.ask("(PLAY a 0 NIL NIL)"), "busy", "the one whose referee is silent for longest goes");
    assert_eq!(agent.ask(&start("f", "alice", KUHN, 1, 1)), "READY");
    assert_eq!(agent.ask(&start("g", "alice", KUHN, 1, 1)), "busy", "the others are not overdue");
    assert_ne!(agent.ask("(PLAY long 0 NIL NIL)"), "busy");
}

#[test]
fn a_match_that_is_started_again_begins_anew() {
    let agent = Agent::new("first-legal");
    for _ in 0..2 {
        assert_eq!(agent.ask(&start("m", "x", NOUGHTS, 20, 20)), "READY");
        assert_eq!(agent.ask("(PLAY m NIL)"), "(mark 1 1)");
        assert_eq!(agent.ask("(PLAY m ((mark 1 1) noop))"), "noop");
        assert_eq!(agent.ask("(PLAY m (noop (mark 1 2)))"), "(mark 1 3)");
    }
}

/// A match at hand, to tell an agent what it needs to know.
struct Match {
    id: String,
    game: Arc<Game>,
    state: State,
    role: RoleId,
    moved: Vec<String>,
}

impl Match {
    fn new(agent: &Agent, id: &str, rules: &str, role: &str) -> Self {
        assert_eq!(agent.ask(&start(id, role, rules, 60, 60)), "READY");
        let game = Arc::new(Game::compile(rules, &Options::PLAY).unwrap().game);
        let (state, role) = (game.initial_state().clone(), game.roles().find(role).unwrap());
        let mut this = Self { id: id.to_owned(), game, state, role, moved: Vec::new() };
        this.play(agent, "NIL NIL");
        this
    }

    fn play(&mut self, agent: &Agent, told: &str) {
        let turn = self.moved.len();
        self.moved.push(agent.ask(&format!("(PLAY {} {turn} {told})", self.id)));
    }

    /// Plays the agent's move with moves of the others that depend on `number` and the turn, and asks for the next one;
    /// whether the match goes on.
    fn go_on(&mut self, agent: &Agent, number: usize) -> bool {
        let mut scratch = self.game.scratch();
        let turn = self.moved.len();
        let played = self.moved.last().unwrap().clone();
        let moves = ByRole::from_fn(self.game.roles(), |role| {
            let legal = self.game.legal_moves(&self.state, role, &mut scratch).unwrap();
            if role == self.role {
                return self.game.find_move(&self.state, role, &played, &mut scratch).unwrap();
            }
            legal[(number * 7 + turn * 3) % legal.len()]
        });
        let joint_move = self.game.joint_move(&self.state, moves, &mut scratch).unwrap();
        let result = self.game.turn(&self.state, &joint_move, &mut scratch).unwrap();
        self.state = result.successor;
        if self.game.is_terminal(&self.state, &mut scratch).unwrap() {
            return false;
        }
        let terms = self.game.percept_terms(&result.percepts[self.role]);
        let terms: Vec<&str> = terms.iter().map(|term| &**term).collect();
        self.play(agent, &format!("{played} ({})", terms.join(" ")));
        true
    }
}

/// The moves of some matches that are played in turns.
fn moves(kind: &str, sessions_max: usize, threads: usize) -> Vec<Vec<String>> {
    let agent = Agent::with(kind, |settings| {
        settings.sessions_max = sessions_max;
        settings.threads = threads;
    });
    let games = [(KUHN, "alice"), (KUHN, "bob"), (LEDUC, "alice"), (LEDUC, "bob"), (NOUGHTS, "o")];
    let mut matches: Vec<Match> = (0..)
        .zip(games)
        .map(|(number, (rules, role))| Match::new(&agent, &format!("m{number}"), rules, role))
        .collect();
    let mut running: Vec<usize> = (0..matches.len()).collect();
    while !running.is_empty() {
        running.retain(|&number| matches[number].go_on(&agent, number));
    }
    matches.into_iter().map(|played| played.moved).collect()
}

#[test]
fn a_player_that_left_memory_between_turns_moves_as_one_that_stayed() {
    for kind in [
        "random",
        "belief:iterations=60,particles=30",
        "uct:iterations=60,particles=30",
        "ismcts:iterations=60,particles=30,planned=1",
        "hyperplay-ii:iterations=20,particles=20,planned=1",
    ] {
        let stayed = moves(kind, 16, 1);
        assert!(stayed.iter().all(|moves| moves.len() > 1), "{stayed:?}");
        assert_eq!(moves(kind, 0, 1), stayed, "{kind}, all made anew for every turn");
        assert_eq!(moves(kind, 2, 3), stayed, "{kind}, the last two stay");
    }
}

#[test]
fn moves_that_are_asked_for_at_once_share_the_threads_and_leave_in_time() {
    const CLOCK: Duration = Duration::from_secs(6);
    let agent = Arc::new(Agent::with("belief:iterations=1000000000,particles=50", |settings| {
        settings.threads = 2;
    }));
    for number in 0..12 {
        let rules = if number % 2 == 0 { KUHN } else { LEDUC };
        assert_eq!(agent.ask(&start(&format!("m{number}"), "alice", rules, 30, 6)), "READY");
    }
    let threads: Vec<_> = (0..12)
        .map(|number| {
            let agent = Arc::clone(&agent);
            thread::spawn(move || {
                let begun = Instant::now();
                let reply = agent.ask(&format!("(PLAY m{number} 0 NIL NIL)"));
                (reply, begun.elapsed())
            })
        })
        .collect();
    for thread in threads {
        let (reply, elapsed) = thread.join().unwrap();
        // `random` deals in the first turn of either game.
        assert_eq!(reply, "noop");
        assert!(elapsed < CLOCK, "{elapsed:?}");
    }
}
