//! Moves at once, and a clock for each player that runs while it has a choice.

use super::{
    ConversionError,
    addition::{Addition, is_player},
    names::TextNames,
    play_clock::{FULL_SIGHT, SEVERAL},
    translation::{self, Translation},
};
use crate::{game::Game, lifetime::Lifetime, rules::Keyword, syntax::Description};

/// The time that each player has for all of its moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChessClock {
    /// A player whose turns have taken this long loses.
    pub time: Lifetime,
    /// The time of each turn that does not count; without one, it is a microsecond.
    pub delay: Option<Lifetime>,
}

const MOVES: &str = "; Added by `croupier convert`: moves at once, and a clock for each player.
; Only who has a choice moves, and the joint move follows at once.
(<= (legal ?r ?m) ($option ?r ?m) ($several ?r))
(<= $step (does ?r ?m))
(<= ($done ?r ?m) (does ?r ?m))
(<= ($done ?r ?m) $step (role ?r) ($option ?r ?m) (not ($several ?r)))

; Where nobody has a choice, it follows after a microsecond.
(init 0.000001 $pause)
(<= (next 0.000001 $pause) $step)
(<= $step (expired $pause) (not $choice))
(<= $choice ($several ?r))

; In all other updates everything stays.
(<= (next infinity ?f) (true infinity ?f) (not ($kept ?f)) (not $step))";

const CLOCKS: &str = "; The time that a player has left is kept while its clock stands still.
(<= (init infinity ($remaining ?r TIME)) (role ?r)PLAYER)
(<= (next infinity ($remaining ?r ?t)) (true infinity ($remaining ?r ?t)) (not ($starts ?r)))
(<= (next ?t ($clock ?r)) (true infinity ($remaining ?r ?t)) ($starts ?r))
(<= (next ?t ($clock ?r)) (true ?t ($clock ?r)) (not $step))
(<= (next infinity ($remaining ?r ?t)) (true ?t ($clock ?r)) $step)
(<= ($kept ($remaining ?r ?t)) (true infinity ($remaining ?r ?t)))

; Whose clock has run out loses.
(<= ($fallen ?r) (expired ($clock ?r)))
(<= $forfeited ($fallen ?r))
(<= terminal $forfeited)
(<= (goal ?r 0) ($fallen ?r))
(<= (goal ?r 100) (role ?r) $forfeited (not ($fallen ?r))PLAYER)";

const NO_DELAY: &str = "; A clock starts after the pause.
(<= ($starts ?r) ($several ?r) (expired $pause) (not $step))";

const DELAY: &str = "; A clock starts after the delay.
(init DELAY $delay)
(<= (next DELAY $delay) $step)
(<= (next ?t $delay) (true ?t $delay) (not $step))
(<= ($starts ?r) ($several ?r) (expired $delay) (not $step))";

const BASES: &str =
    "; What else can be true; of the times that players have left, of which there is no end, the first.
(base $pause)
(<= (base ($clock ?r)) (role ?r)PLAYER)
(<= (base ($remaining ?r TIME)) (role ?r)PLAYER)";

/// The real-time form of turn-based rules in which each move is made at once, and a player whose time is up loses.
///
/// The rules keep their comments. They must be of a game in which one role at a time has a choice, for which
/// [`find_shared_turn`](super::find_shared_turn) looks; where several have one after all, who moves first moves for a
/// joint move that others have no part in.
///
/// A move that comes at the very instant at which the clock runs out is too late. When the clock has run out, the
/// player's goal is 0 and that of all others 100.
///
/// # Errors
/// [`ConversionError`].
pub fn with_chess_clocks(
    rules: &Description,
    game: &Game,
    clock: ChessClock,
) -> Result<Description, ConversionError> {
    let names = TextNames::of(rules);
    translation::check(rules, &names, game)?;
    let mut wanted = vec![
        "step",
        "done",
        "option",
        "several",
        "choice",
        "pause",
        "kept",
        "remaining",
        "clock",
        "starts",
        "fallen",
        "forfeited",
    ];
    wanted.extend(clock.delay.map(|_| "delay"));
    let mut added = Addition::new(&names, &wanted);
    let delay = clock.delay.map(|delay| delay.to_string());
    let specific = |rules: &str| {
        let rules = rules.replace("TIME", &clock.time.to_string()).replace("PLAYER", is_player(game));
        rules.replace("DELAY", delay.as_deref().unwrap_or_default())
    };
    let starts = if delay.is_some() { DELAY } else { NO_DELAY };
    for part in [MOVES, SEVERAL, CLOCKS, starts] {
        added.add(&specific(part));
    }
    if translation::declares(rules, Keyword::Base) {
        added.add(&specific(BASES));
        if delay.is_some() {
            added.add("(base $delay)");
        }
    }
    if game.has_full_sight() {
        added.add(&FULL_SIGHT.replace(", at the tick", ""));
    }
    Ok(Translation::new(rules, &names, &added).apply(rules, added))
}
