//! What follows for the table from what all players are told alike: true in the match, enough to follow it, and nothing of a hand.
#![expect(clippy::unwrap_used, reason = "what does not go as it should ends the test")]

use std::{collections::BTreeSet, sync::Arc};

use croupier_engine::{Game, Limits, Options, PublicSight, State, Status};
use croupier_games::{ParameterValue, ParameterValues, find_family};
use croupier_referee::Insight as _;
use croupier_seat::RoleInsight;

/// A match of the rules with a watcher, as the watcher follows it.
struct WatchedMatch {
    game: Arc<Game>,
    sight: PublicSight,
    state: State,
    insight: RoleInsight,
    number: usize,
}

impl WatchedMatch {
    fn of(rules: &str, number: usize) -> Self {
        let sight = PublicSight::of(rules, &Limits::STANDARD).unwrap();
        let game = Arc::new(Game::compile(sight.rules(), &Options::PLAY).unwrap().game);
        let watcher = game.roles().find(sight.watcher()).unwrap();
        let insight = RoleInsight::new(Arc::clone(&game), watcher);
        Self { state: game.initial_state().clone(), game, sight, insight, number }
    }

    /// Plays a turn with arbitrary moves, but nobody folds; false if the match is over.
    fn play(&mut self) -> bool {
        let mut scratch = self.game.scratch();
        let Status::Running { legal } = self.game.status(&self.state, &mut scratch).unwrap() else {
            return false;
        };
        let number = &mut self.number;
        let moves = legal.map(|role| {
            let staying: Vec<_> =
                legal[role].iter().filter(|&&id| &*self.game.move_text(id) != "fold").collect();
            *number = (*number * 48_271 + 11) % 2_147_483_647;
            *staying[*number / 11 % staying.len()]
        });
        let joint = self.game.joint_move(&self.state, moves, &mut scratch).unwrap();
        let turn = self.game.turn(&self.state, &joint, &mut scratch).unwrap();
        let watcher = self.game.roles().find(self.sight.watcher()).unwrap();
        let told = self.game.percept_terms(&turn.percepts[watcher]);
        let told: Vec<&str> = told.iter().map(|percept| &**percept).collect();
        self.insight.take("noop", &told).unwrap();
        self.state = turn.successor;
        true
    }

    /// What is certain, all of which is true.
    fn certain(&mut self) -> BTreeSet<String> {
        let facts = self.insight.facts(&|_| None, &|_| true);
        let is_true: BTreeSet<Arc<str>> = self.game.state_terms(&self.state).into_iter().collect();
        for fact in &facts.certain {
            assert!(is_true.contains(fact), "{fact} is not true");
        }
        facts.certain.iter().map(ToString::to_string).collect()
    }

    /// What is true of these kinds.
    fn true_of(&self, kinds: &[&str]) -> BTreeSet<String> {
        let terms = self.game.state_terms(&self.state);
        let is_of = |term: &&Arc<str>| kinds.iter().any(|kind| term.starts_with(&format!("({kind} ")));
        terms.iter().filter(is_of).map(ToString::to_string).collect()
    }
}

fn of(kinds: &[&str], facts: &BTreeSet<String>) -> BTreeSet<String> {
    let is_of = |fact: &&String| kinds.iter().any(|kind| fact.starts_with(&format!("({kind} ")));
    facts.iter().filter(is_of).cloned().collect()
}

/// Follows matches to their end: what of `open` is true is certain after every turn, and nothing of `hidden` is before the last.
fn follow(rules: &str, open: &[&str], hidden: &[&str]) {
    for number in [1, 77] {
        let mut played = WatchedMatch::of(rules, number);
        let mut turns = 0;
        loop {
            let certain = played.certain();
            assert_eq!(of(open, &certain), played.true_of(open), "after turn {turns}");
            let known = of(hidden, &certain);
            if !played.play() {
                break;
            }
            turns += 1;
            assert_eq!(known, BTreeSet::new(), "after turn {}", turns - 1);
        }
    }
}

#[test]
fn a_table_of_three_without_limit_is_followed_to_the_chip() {
    let numbers = |numbers: &[u32]| ParameterValue::Numbers(numbers.to_vec());
    let values = ParameterValues::from([
        ("players".to_owned(), numbers(&[3])),
        ("stacks".to_owned(), numbers(&[20, 24, 40])),
        ("bets".to_owned(), ParameterValue::Word("all".to_owned())),
    ]);
    let rules = find_family("no-limit-holdem").unwrap().rules(&values).unwrap();
    follow(&rules, &["stack", "in_front", "board", "to_act", "folded", "round"], &["hand"]);
}

#[test]
fn a_limit_table_and_dice_are_followed() {
    let rules = |name: &str| croupier_games::find(name).unwrap().rules;
    follow(rules("holdem"), &["board", "paid", "to_act", "round"], &["hand"]);
    follow(rules("liars-dice"), &["bid", "to_act"], &[]);
}
