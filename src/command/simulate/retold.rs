//! A block of playouts on the network played once more, the same to the last draw, to see which of them fail and how.
//!
//! The engine counts failures and does not stop to look at them, which keeps the playouts of sound rules fast.

use std::sync::Arc;

use croupier_engine::{
    ByPlayer, Game, GameError, GoalValue, RoleId, State,
    batch::{Generator, Lanes, Plane, PlayoutSettings},
    game::GameNetwork,
    stages::propnet::Phase,
};

use super::{
    failures::{Failed, endless, without_goal, without_move},
    work::Simulated,
};

/// Words of a plane in the engine's playouts: what is drawn depends on it.
const W: usize = 8;

/// A block while it is played.
struct Retold<'r> {
    game: &'r Game,
    network: &'r GameNetwork,
    settings: &'r PlayoutSettings,
    lanes: Lanes<W>,
    /// Lanes that have a playout.
    active: Plane<W>,
    /// By lane, which playout it has, and the turns that it has made.
    playouts: Vec<(u64, usize)>,
    /// The numbers of playouts that have not begun.
    waiting: std::ops::Range<u64>,
    simulated: Simulated,
}

/// What the playouts of a block come to, the failed ones apart.
pub(super) fn retell(
    game: &Game,
    network: &GameNetwork,
    settings: &PlayoutSettings,
    block: u64,
) -> Simulated {
    let tape = network.tape();
    let first = block.saturating_mul(settings.playouts_per_block);
    let all = first..settings.playouts.min(first.saturating_add(settings.playouts_per_block));
    let begun = (all.end - all.start).min(Plane::<W>::LANES as u64);
    let mut lanes = Lanes::new(Arc::clone(tape));
    lanes.fill(tape.initial());
    let mut retold = Retold {
        game,
        network,
        settings,
        lanes,
        active: Plane::first(usize::try_from(begun).expect("no more than lanes")),
        playouts: (0..Plane::<W>::LANES as u64).map(|lane| (first + lane, 0)).collect(),
        waiting: first + begun..all.end,
        simulated: Simulated { playouts: all.end - all.start, ..Simulated::new(game) },
    };
    let mut random = Generator::<W>::new(settings.seed, block);
    while retold.active.any() {
        retold.turn(&mut random);
    }
    retold.simulated
}

impl Retold<'_> {
    fn turn(&mut self, random: &mut Generator<W>) {
        self.lanes.evaluate(Phase::State);
        let terminal = self.active & self.lanes.terminal();
        let mut late = Plane::NONE;
        for lane in (self.active & !terminal).lanes() {
            late.set(lane, self.playouts[lane].1 as u64 == self.settings.turns_max);
        }
        if terminal.any() {
            self.lanes.evaluate(Phase::Goal);
            terminal.lanes().for_each(|lane| self.end(lane));
        }
        late.lanes().for_each(|lane| self.fail(lane, endless(self.game)));
        let running = self.active & !terminal & !late;
        let stuck = self.lanes.choose(running, random);
        if stuck.any() {
            self.explain(stuck);
        }
        for lane in (running & !stuck).lanes() {
            self.playouts[lane].1 += 1;
            self.simulated.turns += 1;
        }
        self.lanes.evaluate(Phase::Next);
        self.restart(terminal | late | stuck);
    }

    /// Counts the goals of a playout that is over, if every player has one.
    fn end(&mut self, lane: usize) {
        let goals = ByPlayer::try_from_fn(self.game.roles(), |role| self.goal(role, lane));
        match goals {
            Ok(goals) => {
                for (role, tally) in self.simulated.tallies.iter_mut() {
                    tally.add(goals[role]);
                }
            }
            Err(error) => self.fail(lane, error),
        }
    }

    fn goal(&self, role: RoleId, lane: usize) -> Result<GoalValue, GameError> {
        let index = self.lanes.goal(role, lane).ok_or_else(|| without_goal(self.game, role))?;
        value(self.game, role, &self.network.goals(role)[index as usize])
    }

    /// Blames the first role that has nothing to play in each of some lanes.
    fn explain(&mut self, mut stuck: Plane<W>) {
        for role in self.game.roles().all() {
            let moves = 0..self.lanes.tape().moves_count(role);
            let movable = moves.fold(Plane::NONE, |any, number| any | self.lanes.legal(role, number));
            (stuck & !movable).lanes().for_each(|lane| self.fail(lane, without_move(self.game, role)));
            stuck &= movable;
        }
    }

    fn fail(&mut self, lane: usize, error: GameError) {
        let (playout, turns) = self.playouts[lane];
        let state = self.state(lane);
        self.simulated.failures.add(Failed { error, playout, turns, state });
    }

    fn state(&self, lane: usize) -> State {
        let mut row = vec![0; self.lanes.row_words()];
        for (base, _) in self.lanes.state(lane).iter().enumerate().filter(|(_, is_true)| **is_true) {
            row[base / 64] |= 1 << (base % 64);
        }
        self.network.state_of_row(&row)
    }

    /// Goes on to the next states; lanes in `over` begin anew as long as playouts are waiting, the lowest first.
    fn restart(&mut self, over: Plane<W>) {
        self.lanes.advance();
        self.lanes.set_states(over, self.lanes.tape().clone().initial());
        for lane in over.lanes() {
            match self.waiting.next() {
                Some(playout) => self.playouts[lane] = (playout, 0),
                None => self.active.set(lane, false),
            }
        }
    }
}

/// The goal value that a text writes.
pub(super) fn value(game: &Game, role: RoleId, text: &str) -> Result<GoalValue, GameError> {
    GoalValue::read(text, game.strictness()).ok_or_else(|| {
        let role = game.roles().name(role).to_owned();
        GameError::GoalOutOfRange { role, value: text.to_owned() }
    })
}

#[cfg(test)]
mod tests {
    use croupier_engine::{Options, batch::Playouts};

    use super::*;

    /// One choice in each of two turns, and ends that are sound or forget something.
    const RULES: &str = "
        (role x) (role y) (init start) (option a) (option b) (option c) (option d)
        (legal y noop) (<= (legal x ?m) (option ?m) (not (true (chose d))))
        (<= (next (chose ?m)) (does x ?m)) (<= (next over) (true (chose ?m))) (<= terminal (true over))
        (<= (goal x 10) (true (chose a))) (<= (goal x 20) (true (chose b))) (<= (goal x many) (true (chose c)))
        (<= (goal y 90) (true (chose a)))";

    #[test]
    fn a_block_comes_to_the_same_goals_faults_and_turns_a_second_time() {
        let game = Game::compile(RULES, &Options::PLAY).expect("the rules can be played").game;
        let network = game.network().expect("the rules are small");
        let tape = network.tape();
        let settings =
            PlayoutSettings { playouts: 5_000, playouts_per_block: 2_000, turns_max: 10, seed: [7; 32] };
        let playouts = Playouts::new(Arc::clone(tape), tape.initial(), settings.clone());
        for block in 0..playouts.blocks_count() {
            let tally = playouts.run_block(block);
            let retold = retell(&game, network, &settings, block);
            assert_eq!((retold.playouts, retold.turns), (tally.playouts, tally.turns));
            let x = game.roles().find("x").expect("a role");
            let counted = |text: &str| {
                let index = network.goals(x).iter().position(|goal| goal == text).expect("a goal");
                tally.goals[x.index()][index]
            };
            // Only after `a` do both have a goal; with `d` first x has nothing to play, with `d` last no goal.
            assert_eq!(retold.tallies[x].count(), counted("10"));
            let failed = counted("20") + counted("many") + tally.faults.without_move;
            let without_goal = tally.playouts - counted("10") - failed;
            assert_eq!(retold.failures.count(), failed + without_goal);
            assert!(tally.faults.without_move > 0 && without_goal > 0);
        }
    }
}
