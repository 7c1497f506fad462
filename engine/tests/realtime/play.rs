//! A match as a script: who moves when, and what chance draws.

use std::collections::VecDeque;

use croupier_engine::{
    draw::draw_index,
    realtime::{RealTimeGame, RealTimeScratch, TimedState},
};
use rand_chacha::{ChaCha8Rng, rand_core::SeedableRng as _};

/// What chance draws.
enum Chance {
    /// These moves.
    Script(VecDeque<String>),
    /// Any move, each as likely.
    Seeded(Box<ChaCha8Rng>),
}

/// A match so far, played as a referee does it: `random` at once, what expires when it does, moves if they are legal.
pub(crate) struct Play<'g> {
    game: &'g RealTimeGame,
    scratch: RealTimeScratch,
    state: TimedState,
    now: u64,
    chance: Chance,
    /// What each player was told: when, and what.
    told: Vec<Vec<(u64, String)>>,
}

impl<'g> Play<'g> {
    /// A match in which chance draws these moves.
    pub(crate) fn new(game: &'g RealTimeGame, draws: &[&str]) -> Self {
        Self::with(game, Chance::Script(draws.iter().map(ToString::to_string).collect()))
    }

    /// A match in which chance draws by a seed.
    pub(crate) fn seeded(game: &'g RealTimeGame, seed: u64) -> Self {
        Self::with(game, Chance::Seeded(Box::new(ChaCha8Rng::seed_from_u64(seed))))
    }

    fn with(game: &'g RealTimeGame, chance: Chance) -> Self {
        let mut play = Self {
            game,
            scratch: game.scratch(),
            state: game.initial_state().clone(),
            now: 0,
            chance,
            told: vec![Vec::new(); game.roles().len()],
        };
        play.let_chance_draw();
        play
    }

    /// The instant of the last update.
    pub(crate) fn now(&self) -> u64 {
        self.now
    }

    pub(crate) fn is_over(&mut self) -> bool {
        self.game.is_terminal(&self.state, &mut self.scratch).expect("sound")
    }

    /// Goal values in the order of the roles.
    pub(crate) fn goals(&mut self) -> Vec<i32> {
        let goals = self.game.goals(&self.state, &mut self.scratch).expect("sound");
        goals.iter().map(|(_, goal)| goal.value()).collect()
    }

    /// What a player was told, with the instants.
    pub(crate) fn told(&self, role: &str) -> &[(u64, String)] {
        &self.told[self.game.roles().find(role).expect("a role").index()]
    }

    /// Whether a fluent holds.
    pub(crate) fn holds(&self, fluent: &str) -> bool {
        self.fluents().iter().any(|known| known == fluent)
    }

    /// What holds, in canonical order.
    pub(crate) fn fluents(&self) -> Vec<String> {
        self.game.state_terms(&self.state).into_iter().map(|(_, fluent)| fluent.to_string()).collect()
    }

    /// When the next lifetime ends.
    pub(crate) fn next_expiry(&self) -> Option<u64> {
        Some(self.now + self.state.next_expiry()?)
    }

    /// The legal moves of a role as printed.
    pub(crate) fn legal(&mut self, role: &str) -> Vec<String> {
        let role = self.game.roles().find(role).expect("a role");
        let legal = self.game.legal_moves(&self.state, &mut self.scratch).expect("sound");
        legal[role].iter().map(|&id| self.game.move_text(id).to_string()).collect()
    }

    /// Lets what expires before an instant expire, and then makes moves; gives how many of them were legal.
    pub(crate) fn at(&mut self, instant: u64, moves: &[(&str, &str)]) -> usize {
        while !self.is_over()
            && let Some(expiry) = self.state.next_expiry().filter(|expiry| self.now + expiry < instant)
        {
            self.update(self.now + expiry, &[]);
        }
        if self.is_over() {
            return 0;
        }
        self.update(instant, moves)
    }

    /// Lets time pass until the match is over.
    pub(crate) fn run_out(&mut self) -> Vec<i32> {
        while !self.is_over() {
            let expiry = self.state.next_expiry().expect("something goes on");
            self.update(self.now + expiry, &[]);
        }
        self.goals()
    }

    fn update(&mut self, instant: u64, moves: &[(&str, &str)]) -> usize {
        let game = self.game;
        let legal: Vec<_> = moves
            .iter()
            .filter_map(|(role, text)| {
                let role = game.roles().find(role).expect("a role");
                Some((role, game.find_move(&self.state, role, text, &mut self.scratch).ok()?))
            })
            .collect();
        let update =
            game.update(&self.state, instant - self.now, &legal, &mut self.scratch).expect("nothing skipped");
        (self.state, self.now) = (update.successor, instant);
        for (role, percepts) in update.percepts.iter() {
            let told = game.percept_terms(percepts).into_iter().map(|text| (instant, text.to_string()));
            self.told[role.index()].extend(told);
        }
        self.let_chance_draw();
        legal.len()
    }

    fn let_chance_draw(&mut self) {
        if self.game.roles().random().is_none() || self.is_over() {
            return;
        }
        let mut legal = self.legal("random");
        if legal.is_empty() {
            return;
        }
        let drawn = match &mut self.chance {
            Chance::Script(draws) => draws.pop_front().unwrap_or_else(|| panic!("one of {legal:?}")),
            Chance::Seeded(rng) => legal.swap_remove(draw_index(legal.len(), rng)),
        };
        assert_eq!(self.update(self.now, &[("random", &drawn)]), 1, "{drawn}");
    }
}
