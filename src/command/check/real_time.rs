//! What there is to say about the rules of a real-time game.

use std::sync::Arc;

use croupier_engine::{
    CompileError, Options, Strictness,
    analysis::Analysis,
    realtime::{CompiledRealTime, RealTimeError, RealTimeGame},
};
use croupier_players::realtime::{Walk, WalkEnd};
use rand_chacha::{ChaCha20Rng, rand_core::SeedableRng};

use super::{SEED, Verdict, cannot_begin};
use crate::{interrupt::Interrupt, source::Source};

/// Microseconds between two moves of a player in a playout, on average.
const MEAN_US: u64 = 500_000;

/// Checks the text, and plays it at random so many times.
pub(super) fn judge(
    source: &Source,
    strictness: Strictness,
    playouts: usize,
    interrupt: &Interrupt,
) -> Verdict {
    match RealTimeGame::compile(&source.rules, &Options { strictness, ..Options::PLAY }) {
        Ok(CompiledRealTime { game, warnings }) => {
            let mut verdict = Verdict::of(source.with_encoding(warnings));
            if playouts > 0 {
                interrupt.hold();
                verdict.analysis = Some(analyse(Arc::new(game), playouts, interrupt));
                verdict.is_interrupted = interrupt.is_raised();
            }
            verdict
        }
        Err(CompileError::Rules(found)) => Verdict::of(source.with_encoding(found)),
        Err(CompileError::Evaluation(error)) => cannot_begin(source, Vec::new(), &error),
        Err(CompileError::RealTime | CompileError::TurnBased) => {
            Verdict::of(source.with_encoding(Vec::new()))
        }
    }
}

fn analyse(game: Arc<RealTimeGame>, playouts: usize, interrupt: &Interrupt) -> Analysis {
    let mut walk = Walk::new(game, ChaCha20Rng::seed_from_u64(SEED), MEAN_US);
    let mut analysis = Analysis {
        findings: Vec::new(),
        playouts: 0,
        failed: 0,
        failure: None,
        turns: 0,
        is_cut_short: false,
    };
    for _ in 0..playouts {
        if interrupt.is_raised() {
            analysis.is_cut_short = true;
            break;
        }
        analysis.playouts += 1;
        if let Err(failure) = walk.apart(playout) {
            analysis.failed += 1;
            analysis.failure.get_or_insert(failure);
        }
    }
    analysis
}

/// Plays once at random; why the match has no result, if it has none.
fn playout(walk: &mut Walk) -> Result<(), String> {
    let failed = |error: RealTimeError| error.to_string();
    let mut position = walk.beginning().map_err(failed)?;
    match walk.to_the_end(&mut position).map_err(failed)? {
        WalkEnd::Over => walk.goals(&position).map(|_| ()).map_err(failed),
        _ => Err("the match does not end within 5,000 updates, or nothing can happen any more".to_owned()),
    }
}
