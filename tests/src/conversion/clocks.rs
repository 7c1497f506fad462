//! Moves at once, with a clock for each player.

use croupier_engine::{
    ByRole, Lifetime, MoveId, RoleId,
    draw::draw_index,
    realtime::{
        RealTimeScratch, TimedState,
        conversion::{ChessClock, with_chess_clocks},
    },
};
use rand_chacha::{ChaCha8Rng, rand_core::SeedableRng as _};

use super::{Pair, canonical};

/// Bookkeeping among the fluents that last for ever.
const REMAINING: &str = "(remaining";

/// Plays a seeded match of a game and of its form with clocks, and adds up every player's time as a clock does: what is
/// left must be right after each move. Who takes too long loses at the instant at which nothing is left.
///
/// Moves take up to `thought_max` microseconds. Says how many joint moves were played, and whether a flag fell; `None`
/// if there is no such form.
///
/// # Panics
/// Where the two come apart.
pub fn play_with_clocks(
    text: &str,
    clock: ChessClock,
    thought_max: usize,
    seed: u64,
) -> Option<(usize, bool)> {
    let pair = Pair::of(text, |rules, game| with_chess_clocks(rules, game, clock))?;
    let time = clock.time.micros().expect("a clock that runs out");
    let delay = clock.delay.map_or(1, |delay| delay.micros().expect("a delay that ends"));
    let left = ByRole::from_fn(pair.turns.roles(), |_| time);
    let mut course = Playthrough {
        pair: &pair,
        scratch: pair.turns.scratch(),
        timed_scratch: pair.timed.scratch(),
        rng: ChaCha8Rng::seed_from_u64(seed),
        delay,
        left,
        now: pair.timed.initial_state().clone(),
    };
    Some(course.play(thought_max))
}

struct Playthrough<'p> {
    pair: &'p Pair,
    scratch: croupier_engine::Scratch,
    timed_scratch: RealTimeScratch,
    rng: ChaCha8Rng,
    delay: u64,
    /// What each player's clock should have left, in microseconds.
    left: ByRole<u64>,
    now: TimedState,
}

impl Playthrough<'_> {
    fn play(&mut self, thought_max: usize) -> (usize, bool) {
        let turns = &self.pair.turns;
        let mut state = turns.initial_state().clone();
        for played in 0.. {
            self.pair.assert_same(&state, &self.now, REMAINING);
            self.assert_times();
            let over = self.pair.assert_end(&state, &self.now, &mut self.scratch, &mut self.timed_scratch);
            if over != Ok(false) {
                return (played, false);
            }
            let legal = turns.playable_moves(&state, &mut self.scratch).expect("sound").expect("it goes on");
            let moves = ByRole::from_fn(turns.roles(), |role| {
                legal[role][draw_index(legal[role].len(), &mut self.rng)]
            });
            let mut choosing = legal.iter().filter(|(_, moves)| moves.len() > 1).map(|(role, _)| role);
            let (mover, other) = (choosing.next(), choosing.next());
            assert!(other.is_none(), "one role at a time has a choice");
            let is_in_time = match mover {
                None => {
                    self.wait(1);
                    true
                }
                Some(role) => self.make(role, &legal, moves[role], thought_max),
            };
            if !is_in_time {
                return (played, true);
            }
            let joint = turns.joint_move(&state, moves, &mut self.scratch).expect("legal moves");
            state = turns.successor(&state, &joint, &mut self.scratch).expect("sound");
        }
        unreachable!("a match ends")
    }

    /// Makes a move after some thought; says whether it was in time.
    fn make(
        &mut self,
        role: RoleId,
        legal: &ByRole<Vec<MoveId>>,
        played: MoveId,
        thought_max: usize,
    ) -> bool {
        let Pair { turns, timed } = self.pair;
        let found = timed.legal_moves(&self.now, &mut self.timed_scratch).expect("sound");
        for (other, moves) in found.iter() {
            let texts = moves.iter().map(|&found| timed.move_text(found).to_string());
            let mut expected: Vec<_> =
                legal[role].iter().map(|&found| canonical(&turns.move_text(found))).collect();
            expected.sort_unstable();
            expected.retain(|_| other == role);
            assert!(texts.eq(expected), "legal moves of {}", turns.roles().name(other));
        }
        let is_chance = turns.roles().random() == Some(role);
        let mut thought = if is_chance { 0 } else { draw_index(thought_max + 1, &mut self.rng) as u64 };
        let used = thought.saturating_sub(self.delay);
        if used >= self.left[role] {
            self.wait(self.delay + self.left[role]);
            self.assert_lost(role);
            return false;
        }
        self.left[role] -= used;
        // What ends at the instant of a move ends with it.
        while let Some(expiry) = self.now.next_expiry().filter(|&expiry| expiry < thought) {
            self.wait(expiry);
            thought -= expiry;
        }
        let text = turns.move_text(played);
        let played = timed.find_move(&self.now, role, &text, &mut self.timed_scratch).expect("a legal move");
        let update = timed.update(&self.now, thought, &[(role, played)], &mut self.timed_scratch);
        self.now = update.expect("sound").successor;
        true
    }

    /// Lets time pass.
    fn wait(&mut self, mut micros: u64) {
        while let Some(expiry) = self.now.next_expiry().filter(|&expiry| expiry <= micros && micros > 0) {
            let update = self.pair.timed.update(&self.now, expiry, &[], &mut self.timed_scratch);
            self.now = update.expect("sound").successor;
            micros -= expiry;
        }
        assert_eq!(micros, 0, "it ends with an expiry");
    }

    /// Asserts that the clocks, which all stand still, have what they should have.
    fn assert_times(&self) {
        let timed = &self.pair.timed;
        let facts = timed.state_terms(&self.now);
        for role in timed.roles().players() {
            let left = Lifetime::of_micros(self.left[role]).expect("the flag has not fallen");
            let kept = format!("(remaining {} {left})", timed.roles().name(role));
            assert!(facts.iter().any(|(_, fluent)| **fluent == kept), "{kept} is not in {facts:?}");
        }
    }

    fn assert_lost(&mut self, loser: RoleId) {
        let timed = &self.pair.timed;
        assert!(timed.is_terminal(&self.now, &mut self.timed_scratch).expect("sound"), "the flag has fallen");
        let goals = timed.goals(&self.now, &mut self.timed_scratch).expect("sound");
        for (role, goal) in goals.iter() {
            assert_eq!(goal.value(), if role == loser { 0 } else { 100 });
        }
    }
}
