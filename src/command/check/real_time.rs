//! What there is to say about the rules of a real-time game.

use std::sync::Arc;

use croupier_engine::{
    Diagnostic, Options,
    analysis::Analysis,
    realtime::{RealTimeError, RealTimeGame, seconds},
    stages::check::CheckedRules,
};
use croupier_players::realtime::{Walk, WalkEnd};
use rand_chacha::{ChaCha20Rng, rand_core::SeedableRng};

use super::{SEED, Verdict, refused};
use crate::{arguments::source::Source, sessions::interrupt::Interrupt};

/// Microseconds between two moves of a player in a playout, on average. A match that is not over after the updates of the
/// first is played again with the next: some end after hours in which little happens.
const MEANS_US: [u64; 3] = [500_000, 50_000_000, 5_000_000_000];

/// Plays rules, about which this was found, at random so many times.
pub(super) fn judge(
    source: &Source,
    rules: Arc<CheckedRules>,
    found: Vec<Diagnostic>,
    playouts: usize,
    interrupt: &Interrupt,
) -> Verdict {
    let options = Options { strictness: rules.strictness(), ..Options::PLAY };
    let game = match RealTimeGame::of_rules(rules, &options) {
        Ok(game) => Arc::new(game),
        Err(error) => return refused(source, error),
    };
    let mut verdict = Verdict::of(source.with_encoding(found));
    if playouts > 0 {
        interrupt.hold();
        verdict.analysis = Some(analyse(game, playouts, interrupt));
        verdict.is_interrupted = interrupt.is_raised();
    }
    verdict
}

fn analyse(game: Arc<RealTimeGame>, playouts: usize, interrupt: &Interrupt) -> Analysis {
    let walk_of = |mean_us| Walk::new(Arc::clone(&game), ChaCha20Rng::seed_from_u64(SEED), mean_us);
    let mut walks = MEANS_US.map(walk_of);
    let mut analysis = Analysis {
        findings: Vec::new(),
        playouts: 0,
        failed: 0,
        failure: None,
        unended: 0,
        turns: 0,
        is_cut_short: false,
    };
    // Where the first playout does not end at one pace, the others will not either.
    let mut first = 0;
    while analysis.playouts < playouts {
        if interrupt.is_raised() {
            analysis.is_cut_short = true;
            break;
        }
        let mut end = Ok(PlayoutEnd::Unended);
        for (pace, walk) in walks.iter_mut().enumerate().skip(first) {
            end = walk.apart(playout);
            if end != Ok(PlayoutEnd::Unended) {
                first = pace;
                break;
            }
        }
        analysis.playouts += 1;
        match end {
            Ok(PlayoutEnd::Over) => {}
            Ok(PlayoutEnd::Unended) => {
                analysis.unended += 1;
                first = MEANS_US.len() - 1;
            }
            Err(failure) => {
                analysis.failed += 1;
                analysis.failure.get_or_insert(failure);
            }
        }
    }
    analysis
}

/// What came of a playout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PlayoutEnd {
    /// A result.
    Over,
    /// Nothing yet.
    Unended,
}

/// Plays once at random; why the match has no result, if it can have none.
fn playout(walk: &mut Walk) -> Result<PlayoutEnd, String> {
    let failed = |error: RealTimeError| error.to_string();
    let mut position = walk.beginning().map_err(failed)?;
    if walk.to_the_end(&mut position).map_err(failed)? == WalkEnd::Over {
        return walk.goals(&position).map(|_| PlayoutEnd::Over).map_err(failed);
    }
    if walk.is_stuck(&position).map_err(failed)? {
        let seconds = seconds(position.at_us);
        return Err(format!(
            "after {seconds} s nobody can move and nothing expires, and the match is not over"
        ));
    }
    Ok(PlayoutEnd::Unended)
}
