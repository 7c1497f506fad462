//! Playouts on the network: hundreds at once on each thread.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
        mpsc::{self, RecvTimeoutError},
    },
    time::Duration,
};

use croupier_engine::{
    Game, GameError, GoalValue, RoleId,
    batch::{Faults, PlayoutSettings, Playouts, Tally},
    propnet::Tape,
};
use indicatif::ProgressBar;
use rayon::ThreadPool;

use super::work::Simulated;
use crate::{failure::Failure, interrupt::Interrupt, summary};

/// How often it is looked whether a signal came.
const SLICE: Duration = Duration::from_millis(50);

/// Plays on the tape of a game; what comes out depends on the key and the number of playouts alone, unless it is
/// interrupted.
///
/// # Errors
/// If the rules fail in a playout.
pub(super) fn run(
    game: &Game,
    tape: &Arc<Tape>,
    key: [u8; 32],
    playouts: u64,
    (pool, bar, interrupt): (&ThreadPool, &ProgressBar, &Interrupt),
) -> Result<Simulated, Failure> {
    let lanes = Playouts::LANES as u64;
    let settings = PlayoutSettings {
        playouts,
        // Many blocks to share out, each long enough that its last playouts do not count.
        playouts_per_block: (playouts / 64).clamp(lanes, lanes * 64),
        turns_max: game.limits().turns as u64,
        seed: key,
    };
    let batch = Arc::new(Playouts::new(Arc::clone(tape), tape.initial(), settings));
    let tally = sum(&batch, pool, bar, interrupt);
    refuse_faults(game, &tally)?;
    simulated(game, &tally).map_err(|error| Failure::refuse("rules-fail", error.to_string()))
}

/// What all blocks come to, or those that are done when a signal comes: threads that are in the midst of a block, which
/// may take seconds, are left behind.
fn sum(batch: &Arc<Playouts>, pool: &ThreadPool, bar: &ProgressBar, interrupt: &Interrupt) -> Tally {
    let (done, tallies) = mpsc::channel();
    let next = Arc::new(AtomicU64::new(0));
    for _ in 0..pool.current_num_threads() {
        let (batch, next) = (Arc::clone(batch), Arc::clone(&next));
        let (done, interrupt) = (done.clone(), interrupt.clone());
        pool.spawn(move || {
            while !interrupt.is_raised() {
                let block = next.fetch_add(1, Ordering::Relaxed);
                // Nobody listens any more after a signal.
                if block >= batch.blocks_count() || done.send(batch.run_block(block)).is_err() {
                    break;
                }
            }
        });
    }
    drop(done);
    let mut sum = Tally::default();
    loop {
        match tallies.recv_timeout(SLICE) {
            Ok(tally) => {
                bar.inc(tally.playouts);
                sum.merge(&tally);
            }
            Err(RecvTimeoutError::Timeout) if !interrupt.is_raised() => {}
            Err(_) => return sum,
        }
    }
}

fn refuse_faults(game: &Game, tally: &Tally) -> Result<(), Failure> {
    let Faults { turn_limit, without_goal, without_move } = tally.faults;
    let limit = game.limits().turns;
    let faults = [
        (turn_limit, format!("had not ended after {limit} turns")),
        (without_goal, "ended without a goal for some player".to_owned()),
        (without_move, "left some role without a legal move before the end".to_owned()),
    ];
    match faults.into_iter().find(|(count, _)| *count > 0) {
        None => Ok(()),
        Some((count, what)) => {
            let message = format!("{count} of {} playouts {what}", tally.playouts);
            Err(Failure::refuse("rules-fail", message)
                .help("`croupier check FILE` plays the rules and shows where that happens"))
        }
    }
}

/// Counts by goal value instead of by its place on the tape.
fn simulated(game: &Game, tally: &Tally) -> Result<Simulated, GameError> {
    let mut simulated =
        Simulated { playouts: tally.playouts, turns: tally.turns, tallies: summary::tallies(game.roles()) };
    for (role, goals) in simulated.tallies.iter_mut() {
        let counts = tally.goals.get(role.index()).map_or(&[][..], Vec::as_slice);
        for (text, &count) in game.tape_goals(role).iter().zip(counts).filter(|(_, count)| **count > 0) {
            goals.add_many(value(game, role, text)?, count);
        }
        if goals.count() < tally.playouts {
            return Err(GameError::NoGoal { role: game.roles().name(role).to_owned() });
        }
    }
    Ok(simulated)
}

fn value(game: &Game, role: RoleId, text: &str) -> Result<GoalValue, GameError> {
    match text.parse() {
        Ok(number) if (0..=100).contains(&number) => Ok(GoalValue::new(number)),
        _ => {
            let role = game.roles().name(role).to_owned();
            Err(GameError::GoalOutOfRange { role, value: text.to_owned() })
        }
    }
}
