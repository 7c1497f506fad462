//! Joint moves at the ticks of a clock.

use std::collections::BTreeMap;

use croupier_engine::{
    ByRole, MoveId, RoleId, Scratch,
    draw::draw_index,
    realtime::{
        RealTimeReport, RealTimeScratch, TimedState,
        conversion::{PlayClock, Silence, with_play_clock},
    },
};
use rand_chacha::{ChaCha8Rng, rand_core::SeedableRng as _};

use super::{Pair, canonical};

/// Microseconds between ticks.
const PERIOD: u64 = 1_000_000;

/// How far a comparison goes.
#[derive(Clone, Copy, Debug)]
pub struct TickPlan {
    /// What moves, silences and instants depend on.
    pub seed: u64,
    /// Matches; every fourth on the lifted reasoner, where there is a network.
    pub matches: usize,
    /// Ticks of one match, at most.
    pub ticks: usize,
}

/// How far it went.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ticked {
    /// Ticks at which everything was compared.
    pub ticks: usize,
    /// Matches that came to their end.
    pub ends: usize,
    /// Moves that silence made.
    pub silences: usize,
    /// Whether the real-time form is a network.
    pub is_network: bool,
}

/// When moves come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Instants {
    /// A microsecond before the tick.
    JustBefore,
    /// At instants of their own, from the last tick to the next, both included.
    Scattered,
    /// With the tick.
    WithTick,
}

/// Plays seeded matches of a game and of its form with a play clock, in which first legal moves are made for the
/// silent; `None` if there is no such form.
///
/// # Panics
/// Where the two come apart, or a move that comes second in an interval is legal.
pub fn play_ticks(text: &str, plan: &TickPlan) -> Option<Ticked> {
    let clock = PlayClock { period: "1".parse().expect("a lifetime"), silence: Silence::FirstLegal };
    let pair = Pair::of(text, |rules, game| with_play_clock(rules, game, clock))?;
    let mut total =
        Ticked { is_network: *pair.timed.build_report() == RealTimeReport::Clocks, ..Ticked::default() };
    for number in 0..plan.matches {
        let instants = [Instants::JustBefore, Instants::Scattered, Instants::WithTick][number % 3];
        let lifted = number % 4 == 3;
        let scratch = if lifted { pair.timed.lifted_scratch() } else { pair.timed.scratch() };
        let seed = plan.seed.wrapping_mul(1_000_003).wrapping_add(number as u64);
        let mut course = Playthrough {
            pair: &pair,
            scratch: pair.turns.scratch(),
            timed_scratch: scratch,
            rng: ChaCha8Rng::seed_from_u64(seed),
            instants,
            total: &mut total,
        };
        course.play(plan.ticks);
    }
    Some(total)
}

/// A joint move, and when which roles send their parts of it.
struct Chosen {
    legal: ByRole<Vec<MoveId>>,
    moves: ByRole<MoveId>,
    sent: BTreeMap<u64, Vec<RoleId>>,
}

struct Playthrough<'p> {
    pair: &'p Pair,
    scratch: Scratch,
    timed_scratch: RealTimeScratch,
    rng: ChaCha8Rng,
    instants: Instants,
    total: &'p mut Ticked,
}

impl Playthrough<'_> {
    fn play(&mut self, ticks: usize) {
        let Pair { turns, timed } = self.pair;
        let (mut state, mut now) = (turns.initial_state().clone(), timed.initial_state().clone());
        for _ in 0..ticks {
            self.pair.assert_same(&state, &now, "none");
            let over = self.pair.assert_end(&state, &now, &mut self.scratch, &mut self.timed_scratch);
            self.total.ends += usize::from(over == Ok(true));
            let Ok(false) = over else { return };
            let Ok(Some(legal)) = turns.playable_moves(&state, &mut self.scratch) else { return };
            self.assert_legal(&legal, &now, &[]);
            let chosen = self.choose(legal);
            let joint =
                turns.joint_move(&state, chosen.moves.clone(), &mut self.scratch).expect("legal moves");
            let Ok(turn) = turns.turn(&state, &joint, &mut self.scratch) else { return };
            let (before, left, with_tick) = self.send(&chosen, now);
            let update = timed.update(&before, left, &with_tick, &mut self.timed_scratch).expect("sound");
            for (role, told) in turn.percepts.iter() {
                let told: Vec<_> = turns.percept_terms(told).iter().map(|term| canonical(term)).collect();
                let timed_told: Vec<_> =
                    timed.percept_terms(&update.percepts[role]).iter().map(ToString::to_string).collect();
                assert_eq!(told, timed_told, "what {} is told", turns.roles().name(role));
            }
            (state, now) = (turn.successor, update.successor);
            self.total.ticks += 1;
        }
    }

    /// A joint move, and when which roles send their parts of it.
    fn choose(&mut self, legal: ByRole<Vec<MoveId>>) -> Chosen {
        let roles = self.pair.turns.roles();
        let mut sent: BTreeMap<u64, Vec<RoleId>> = BTreeMap::new();
        let moves = ByRole::from_fn(roles, |role| {
            let is_silent = roles.random() != Some(role) && draw_index(4, &mut self.rng) == 0;
            if is_silent {
                self.total.silences += 1;
                return legal[role][0];
            }
            let instant = match self.instants {
                Instants::JustBefore => PERIOD - 1,
                Instants::WithTick => PERIOD,
                Instants::Scattered => draw_index(PERIOD as usize + 1, &mut self.rng) as u64,
            };
            sent.entry(instant).or_default().push(role);
            legal[role][draw_index(legal[role].len(), &mut self.rng)]
        });
        Chosen { legal, moves, sent }
    }

    /// Makes the moves that come before the tick: the state then, the time that is left, and the moves of the tick.
    fn send(&mut self, chosen: &Chosen, mut now: TimedState) -> (TimedState, u64, Vec<(RoleId, MoveId)>) {
        let Pair { turns, timed } = self.pair;
        let mut clock = 0;
        let mut moved = Vec::new();
        for (&instant, roles) in &chosen.sent {
            let scratch = &mut self.timed_scratch;
            let moves: Vec<_> = roles
                .iter()
                .map(|&role| {
                    let text = turns.move_text(chosen.moves[role]);
                    (role, timed.find_move(&now, role, &text, scratch).expect("a legal move"))
                })
                .collect();
            if instant == PERIOD {
                return (now, PERIOD - clock, moves);
            }
            let update = timed.update(&now, instant - clock, &moves, scratch).expect("sound");
            assert!(
                update.percepts.iter().all(|(_, told)| told.is_empty()),
                "nobody is told before the tick"
            );
            (now, clock) = (update.successor, instant);
            moved.extend(roles);
            self.assert_legal(&chosen.legal, &now, &moved);
            assert!(
                !timed.is_terminal(&now, &mut self.timed_scratch).expect("sound"),
                "only a tick ends the match"
            );
        }
        (now, PERIOD - clock, Vec::new())
    }

    /// Asserts that everybody has the legal moves of the original, but for those who have moved.
    fn assert_legal(&mut self, legal: &ByRole<Vec<MoveId>>, now: &TimedState, moved: &[RoleId]) {
        let Pair { turns, timed } = self.pair;
        let found = timed.legal_moves(now, &mut self.timed_scratch).expect("sound");
        for (role, moves) in legal.iter() {
            let mut texts: Vec<_> = moves.iter().map(|&played| canonical(&turns.move_text(played))).collect();
            texts.sort_unstable();
            if moved.contains(&role) {
                texts.clear();
            }
            let found: Vec<_> =
                found[role].iter().map(|&played| timed.move_text(played).to_string()).collect();
            assert_eq!(texts, found, "legal moves of {}", turns.roles().name(role));
        }
    }
}
