//! Seeded matches with random moves at random instants: what holds at each state of each game.

use std::collections::BTreeSet;

use croupier_engine::{
    MoveId, RoleId,
    draw::{draw_index, unit_interval},
    realtime::{RealTimeGame, RealTimeScratch, TimedState},
};
use croupier_games::GameFacts;
use rand_chacha::{ChaCha8Rng, rand_core::SeedableRng as _};

use crate::games::{GAMES, compiled};

const SEEDS: u64 = 60;

/// Updates after which a match should long be over.
const UPDATES_MAX: usize = 5_000;

/// One match that the network and the reasoner both compute.
struct Walk<'g> {
    name: &'g str,
    seed: u64,
    game: &'g RealTimeGame,
    scratches: [RealTimeScratch; 2],
    state: TimedState,
    rng: ChaCha8Rng,
    /// How likely a player moves before the next lifetime ends.
    haste: f64,
    /// Moves and percepts that occurred.
    moves: BTreeSet<String>,
    percepts: BTreeSet<String>,
}

impl<'g> Walk<'g> {
    fn new(name: &'g str, game: &'g RealTimeGame, seed: u64) -> Self {
        let haste = [0.0, 0.02, 0.1, 0.4, 0.9][usize::try_from(seed % 5).expect("small")];
        Self {
            name,
            seed,
            game,
            scratches: [game.scratch(), game.lifted_scratch()],
            state: game.initial_state().clone(),
            rng: ChaCha8Rng::seed_from_u64(seed),
            haste,
            moves: BTreeSet::new(),
            percepts: BTreeSet::new(),
        }
    }

    /// What both say, which has to be the same.
    fn both<T: PartialEq + std::fmt::Debug>(
        &mut self,
        ask: impl Fn(&RealTimeGame, &TimedState, &mut RealTimeScratch) -> T,
    ) -> T {
        let [one, other] = self.scratches.each_mut().map(|scratch| ask(self.game, &self.state, scratch));
        assert_eq!(one, other, "{}, seed {}: {:?}", self.name, self.seed, self.game.state_terms(&self.state));
        one
    }

    fn is_over(&mut self) -> bool {
        self.both(|game, state, scratch| game.is_terminal(state, scratch).expect("sound"))
    }

    fn goals(&mut self) -> Vec<i32> {
        let goals = self.both(|game, state, scratch| game.goals(state, scratch).expect("one goal each"));
        goals.iter().map(|(_, goal)| goal.value()).collect()
    }

    fn fluents(&self) -> Vec<String> {
        let terms = self.game.state_terms(&self.state);
        terms.into_iter().map(|(_, fluent)| fluent.to_string()).collect()
    }

    fn step(&mut self) {
        let game = self.game;
        let legal = self.both(|game, state, scratch| game.legal_moves(state, scratch).expect("sound"));
        if let Some(random) = game.roles().random().filter(|&random| !legal[random].is_empty()) {
            let drawn = legal[random][draw_index(legal[random].len(), &mut self.rng)];
            self.update(0, &[(random, drawn)]);
            return;
        }
        let mut moves = Vec::new();
        for role in game.roles().players().filter(|&role| !legal[role].is_empty()) {
            if unit_interval(&mut self.rng) < self.haste {
                moves.push((role, legal[role][draw_index(legal[role].len(), &mut self.rng)]));
            }
        }
        let expiry = self.state.next_expiry().expect("a match goes on until it is over");
        let is_at_the_end = moves.is_empty() || draw_index(4, &mut self.rng) == 0;
        let elapsed = match is_at_the_end {
            true => expiry,
            false => draw_index(usize::try_from(expiry).expect("minutes"), &mut self.rng) as u64,
        };
        self.update(elapsed, &moves);
    }

    fn update(&mut self, elapsed: u64, moves: &[(RoleId, MoveId)]) {
        let update = self.both(|game, state, scratch| {
            game.update(state, elapsed, moves, scratch).expect("nothing skipped")
        });
        self.moves.extend(moves.iter().map(|&(_, id)| self.game.move_text(id).to_string()));
        let told = update.percepts.iter().flat_map(|(_, percepts)| self.game.percept_terms(percepts));
        self.percepts.extend(told.map(|text| text.to_string()));
        self.state = update.successor;
        assert_eq!(self.state.doubled(), None, "no fluent has two lifetimes");
    }
}

/// The number that stands in a fluent that begins like this.
fn number(fluents: &[String], beginning: &str) -> Option<i32> {
    let rest = fluents.iter().find_map(|fluent| fluent.strip_prefix(beginning))?;
    rest.trim_end_matches(')').parse().ok()
}

/// The goals at the end of the auction and of the war, by arithmetic.
fn traded(name: &str, fluents: &[String]) -> [i32; 2] {
    let Some(paid) = number(fluents, "(paid ") else { return [50, 50] };
    ["ann", "bob"].map(|player| {
        let has_it = ["buyer", "winner"].iter().any(|how| fluents.contains(&format!("({how} {player})")));
        let value = number(fluents, &format!("(values {player} ")).expect("a value");
        let pays = has_it || name == "war-of-attrition";
        50 + 5 * (if has_it { value } else { 0 } - if pays { paid } else { 0 })
    })
}

/// Whether goal values are what the game says they are, in any state.
fn are_goals_sound(name: &str, goals: &[i32], is_over: bool, fluents: &[String]) -> bool {
    let sum: i32 = goals.iter().sum();
    match name {
        "bomb-party" => sum == if is_over { 200 } else { 150 },
        "chicken" => [[0, 0], [80, 100], [100, 80], [90, 90]].iter().any(|known| known == goals),
        "dutch-auction" | "war-of-attrition" if is_over => goals == traded(name, fluents),
        _ => sum == 100,
    }
}

#[test]
fn network_and_reasoner_agree_and_every_match_ends_with_goals_that_sum_as_the_game_says() {
    for (name, _, facts) in GAMES {
        let game = compiled(name);
        let words = GameFacts::parse(facts).expect("sound facts").words;
        let (mut moves, mut percepts) = (BTreeSet::new(), BTreeSet::new());
        for seed in 0..SEEDS {
            let mut walk = Walk::new(name, &game, seed);
            let mut updates = 0;
            loop {
                let is_over = walk.is_over();
                let goals = walk.goals();
                assert!(
                    are_goals_sound(name, &goals, is_over, &walk.fluents()),
                    "{name}, seed {seed}: {goals:?}"
                );
                if is_over {
                    break;
                }
                updates += 1;
                assert!(updates < UPDATES_MAX, "{name}, seed {seed}: it does not end");
                walk.step();
            }
            moves.append(&mut walk.moves);
            percepts.append(&mut walk.percepts);
        }
        let unsaid = |text: &String, said: String| text.starts_with('(') && said.contains('(');
        let bare: Vec<&String> = moves
            .iter()
            .filter(|text| unsaid(text, words.move_text(text)))
            .chain(percepts.iter().filter(|text| unsaid(text, words.percept_text(text))))
            .collect();
        assert!(bare.is_empty(), "{name} has no words for {bare:?}");
    }
}
