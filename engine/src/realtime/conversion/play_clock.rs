//! Joint moves at the ticks of a clock.

use super::{
    ConversionError,
    addition::{Addition, is_player},
    names::TextNames,
    translation::{self, Translation},
};
use crate::{
    diagnostic::Span,
    game::Game,
    lifetime::Lifetime,
    rules::Keyword,
    syntax::{Clause, Description, Term, TermKind},
};

/// A clock at whose ticks everyone has moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlayClock {
    /// The time from one tick to the next.
    pub period: Lifetime,
    /// What becomes of a player that sends nothing and has a choice.
    pub silence: Silence,
}

/// The effect of a player's silence until the tick, if it has more than one legal move.
///
/// A player with one legal move never has to send it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Silence {
    /// The first of its legal moves in canonical order is made for it.
    FirstLegal,
    /// The match ends before that tick's joint move: all who were silent get 0, the others 100.
    Lose,
}

const TICK: &str = "; Added by `croupier convert`: a clock that ticks, and a joint move at each tick.
(init PERIOD $clock)
(<= (next PERIOD $clock) (expired $clock))";

const MOVES: &str = "; Between ticks everything stays.
(<= (next infinity ?f) (true infinity ?f) (not $step))
(<= (next ?t $clock) (true ?t $clock))
(<= (next ?t ($made ?r ?m)) (true ?t ($made ?r ?m)))

; The first move of a role in an interval waits for the tick: it lasts as long as the clock.
(<= (next ?t ($made ?r ?m)) (does ?r ?m) (true ?t $clock) (not ($moved ?r)))
(<= ($moved ?r) (true ?t ($made ?r ?m)))
(<= (legal ?r ?m) ($option ?r ?m) (not ($moved ?r)))

; What is done at a tick: what was made before it, or arrives with it.
(<= ($done ?r ?m) $step (expired ($made ?r ?m)))
(<= ($done ?r ?m) $step (does ?r ?m))
(<= ($answered ?r) (expired ($made ?r ?m)))
(<= ($answered ?r) (does ?r ?m))";

const ORDER: &str = "; Which moves come later than a legal one; the order of all moves stands at the end.
(<= ($earlier ?r ?m) ($follows ?r ?m ?n) ($option ?r ?n))
(<= ($earlier ?r ?m) ($follows ?r ?m ?n) ($earlier ?r ?n))";

const FIRST_LEGAL: &str = "; Who was silent makes the first legal move.
(<= ($done ?r ?m) $step (role ?r) ($option ?r ?m) (not ($answered ?r)) (not ($earlier ?r ?m))PLAYER)";

/// For games without choices.
const ONLY_LEGAL: &str = "; Nobody has to send the only legal move.
(<= ($done ?r ?m) $step (role ?r) ($option ?r ?m) (not ($answered ?r)))";

const LOSE: &str = "; Nobody has to send the only legal move.
(<= ($done ?r ?m) $step (role ?r) ($option ?r ?m) (not ($answered ?r)) (not ($several ?r)))

; Who was silent with a choice loses: the match ends before the joint move.
(<= $step (expired $clock) (not $idle))
(<= $idle ($late ?r))
(<= ($late ?r) (expired $clock) ($several ?r) (not ($answered ?r))PLAYER)
(<= (next PERIOD ($silent ?r)) ($late ?r))
(<= ($lost ?r) (true ?t ($silent ?r)))
(<= $forfeited ($lost ?r))
(<= terminal $forfeited)
(<= (goal ?r 0) ($lost ?r))
(<= (goal ?r 100) (role ?r) $forfeited (not ($lost ?r))PLAYER)";

/// Which roles have a choice, given the order of moves.
const SEVERAL_IN_ORDER: &str = "(<= ($several ?r) ($option ?r ?m) ($earlier ?r ?m))";

/// Which roles have a choice, without an order of moves.
pub(super) const SEVERAL: &str = "; Who has a choice.
(<= ($several ?r) (role ?r) ($option ?r ?m) ($option ?r ?n) (distinct ?m ?n))";

/// What everyone sees if the rules do not define `sees`.
pub(super) const FULL_SIGHT: &str = "; Everybody sees the joint move, at the tick.
(<= (sees ?r (did ?q ?m)) (role ?r) ($done ?q ?m))";

/// Declarations of the added fluents and moves, if the rules have `base` and `input`.
const BASES: &str = "; What else can be true.
(base $clock)";

const BASES_OF_LOSERS: &str = "(<= (base ($silent ?r)) (role ?r))";

/// The real-time form of turn-based rules in which moves of all roles are joined at the ticks of a clock (theorem 3).
///
/// `game` is the compiled game. The rules keep their comments. At every tick the converted game has the
/// state of the original as its endless fluents, and the legal moves, goals and percepts of the
/// original; `random`, which moves at once, must have moved.
///
/// ```
/// use croupier_engine::{
///     Game, Lifetime, Limits, Options,
///     realtime::{RealTimeGame, conversion::{PlayClock, Silence, with_play_clock}},
///     stages::syntax::{Syntax, print_description, read},
/// };
///
/// let text = "(role ann) (init (coins 2)) (legal ann keep) (legal ann spend)
///     (<= (next (coins ?n)) (true (coins ?n)) (does ann keep))
///     (<= terminal (not full)) (<= full (true (coins 2))) (goal ann 100)";
/// let game = Game::compile(text, &Options::PLAY)?.game;
/// let rules = read(text, Syntax::Auto, &Limits::STANDARD).description;
/// let clock = PlayClock { period: "1.5".parse()?, silence: Silence::FirstLegal };
/// let converted = print_description(&with_play_clock(&rules, &game, clock)?);
/// let game = RealTimeGame::compile(&converted, &Options::PLAY)?.game;
/// // Nobody says anything: the first legal move is `keep`.
/// let (mut scratch, start) = (game.scratch(), game.initial_state());
/// let tick = game.update(start, 1_500_000, &[], &mut scratch)?.successor;
/// assert_eq!(tick.facts().collect::<Vec<_>>(), start.facts().collect::<Vec<_>>());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`ConversionError`]: the first legal move can be found for networks only.
pub fn with_play_clock(
    rules: &Description,
    game: &Game,
    clock: PlayClock,
) -> Result<Description, ConversionError> {
    let names = TextNames::of(rules);
    translation::check(rules, &names, game)?;
    let mut wanted =
        vec!["clock", "step", "made", "moved", "option", "done", "answered", "earlier", "follows", "several"];
    if clock.silence == Silence::Lose {
        wanted.extend(["idle", "late", "silent", "lost", "forfeited"]);
    }
    let mut added = Addition::new(&names, &wanted);
    let period = clock.period.to_string();
    let specific = |rules: &str| rules.replace("PERIOD", &period).replace("PLAYER", is_player(game));
    let mut order = Addition::new(&names, &wanted);
    let has_order = order.add_order(game);
    added.add(&specific(TICK));
    match (clock.silence, has_order) {
        (Silence::FirstLegal, None) => return Err(ConversionError::NoNetwork),
        (Silence::FirstLegal, Some(has_order)) => {
            added.add("(<= $step (expired $clock))\n");
            added.add(MOVES);
            let parts = if has_order { [FIRST_LEGAL, ORDER] } else { [ONLY_LEGAL, ""] };
            parts.iter().for_each(|part| added.add(&specific(part)));
        }
        (Silence::Lose, has_order) => {
            added.add(MOVES);
            added.add(&specific(LOSE));
            match has_order {
                Some(true) => [ORDER, SEVERAL_IN_ORDER].iter().for_each(|part| added.add(part)),
                Some(false) | None => added.add(SEVERAL),
            }
        }
    }
    let declares_all = [Keyword::Base, Keyword::Input].iter().all(|word| translation::declares(rules, *word));
    if declares_all {
        added.add(BASES);
        if clock.silence == Silence::Lose {
            added.add(BASES_OF_LOSERS);
        }
    }
    if game.has_full_sight() {
        added.add(FULL_SIGHT);
    }
    added.append(order);
    let made = added.name("made");
    let mut converted = Translation::new(rules, &names, &added).apply(rules, added);
    if declares_all {
        let bases = bases_of_moves(&converted, &made);
        converted.clauses.extend(bases);
    }
    Ok(converted)
}

/// That a move that waits is a fluent, for each move that there can be.
fn bases_of_moves(converted: &Description, made: &str) -> Vec<Clause> {
    let end = converted.clauses.iter().map(|clause| clause.span.end).max().unwrap_or(0);
    let inputs = converted.clauses.iter().filter(|clause| translation::is_word(&clause.head, Keyword::Input));
    let base = |input: &Clause| {
        let span = input.head.span;
        let compound = |name: &str, arguments: Vec<Term>| Term {
            span,
            kind: TermKind::Compound(name.to_owned(), arguments),
        };
        let fluent = compound(made, input.head.arguments().to_vec());
        let head = compound(Keyword::Base.name(), vec![fluent]);
        Clause { span: Span { start: end, end }, head, body: input.body.clone() }
    };
    inputs.map(base).collect()
}
