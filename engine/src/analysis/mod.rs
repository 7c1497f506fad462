//! Finds problems that only show when a game is played, by observing random playouts.
//!
//! Playouts are a sample: a reported problem is real, but the absence of reports proves nothing.

mod declared;
mod fired;
mod knowledge;
mod walk;

use rand_core::Rng;

use crate::{
    check::severity,
    diagnostic::{Diagnostic, Severity, Span},
    game::{Game, JointMove},
    rules::Keyword,
    syntax::{Description, print_term},
};
use declared::Declared;
pub use fired::RuleWatch;
use walk::AnalysedPlayouts;

/// How much an analysis may cost. It ends at whichever bound comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Playouts.
    pub playouts: usize,
    /// Turns of all playouts together.
    pub turns: usize,
    /// Rows looked at in all playouts together. The last question may go beyond it.
    pub rows: u64,
}

impl Budget {
    /// What `croupier check` spends without being asked: well under a second.
    pub const QUICK: Self = Self { playouts: 50, turns: 20_000, rows: 5_000_000 };
}

/// What an analysis found, and how far it came.
///
/// ```
/// use croupier_engine::{Game, Options, analysis::{Budget, analyse}};
/// use rand_chacha::{ChaCha20Rng, rand_core::SeedableRng};
///
/// // Nobody knows what the match was worth.
/// let rules = "(role me) (init begun) (legal me wait) (next over) (<= terminal (true over)) (<= (goal me 50) (true begun))";
/// let game = Game::compile(rules, &Options::PLAY)?.game;
/// let found = analyse(&game, &Budget::QUICK, &mut ChaCha20Rng::seed_from_u64(1));
/// assert!(!found.is_cut_short);
/// assert_eq!((found.playouts, found.turns, found.failed), (50, 50, 50));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Analysis {
    /// What is wrong, each kind once for each role, in the order of codes.
    pub findings: Vec<Finding>,
    /// Playouts that came to an end, good or bad.
    pub playouts: usize,
    /// How many of them stop where a match would: no legal move, no goal that counts, or a limit.
    pub failed: usize,
    /// Why the first of those stops.
    pub failure: Option<String>,
    /// How many did not end as far as they were played, although nothing keeps a match from going on; real-time games only.
    pub unended: usize,
    /// Turns that were played.
    pub turns: usize,
    /// Whether the budget, or who asked for it, ended it before all playouts were done.
    pub is_cut_short: bool,
}

/// Something that a game did and should not do.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Finding {
    /// Which kind: a word of the table of codes.
    pub code: &'static str,
    /// How bad, in the reading that the game was compiled in.
    pub severity: Severity,
    /// The role that it is about, if it is about one.
    pub role: Option<String>,
    /// The rule that it is about, if it is about one.
    pub place: Option<Span>,
    /// Further rules that it is about.
    pub also: Vec<Span>,
    /// What happened, in one line without a full stop.
    pub message: String,
    /// The histories that show it, each as one line of moves a turn; the first is empty where the
    /// initial state shows it.
    pub witnesses: Vec<Vec<String>>,
}

impl Finding {
    /// A finding about a game, with the weight that the table gives it; of a role, if it is about one.
    ///
    /// # Panics
    /// If the table does not have the code.
    #[must_use]
    pub fn new(game: &Game, code: &'static str, role: Option<&str>, message: String) -> Self {
        Self {
            code,
            severity: severity(code, game.strictness()),
            role: role.map(str::to_owned),
            place: None,
            also: Vec::new(),
            message,
            witnesses: Vec::new(),
        }
    }

    /// The same as a diagnostic about `description`: at the rule, or else at the declaration of the role.
    #[must_use]
    pub fn to_diagnostic(&self, description: &Description) -> Diagnostic {
        let declared = || self.role.as_ref().and_then(|role| declaration(description, role));
        let span = self.place.or_else(declared);
        let mut diagnostic =
            Diagnostic::new(self.code, self.severity, span.unwrap_or(Span::new(0, 0)), self.message.clone());
        let histories: Vec<String> = self.witnesses.iter().map(|history| told(history)).collect();
        let also = self.also.iter().take(ALSO_MAX).map(|&span| (span, "and this one".to_owned()));
        diagnostic.notes.extend(also);
        if self.also.len() > ALSO_MAX {
            diagnostic.help = Some(format!("{} more are not shown", self.also.len() - ALSO_MAX));
        }
        if !histories.is_empty() {
            diagnostic.help = Some(format!("it happens {}", histories.join(" and ")));
        }
        diagnostic
    }
}

/// More rules than these are counted and not shown.
const ALSO_MAX: usize = 9;

/// More turns than these are counted and not shown.
const SHOWN_MAX: usize = 12;

fn told(history: &[String]) -> String {
    match history.len() {
        0 => "in the initial state".to_owned(),
        1..=SHOWN_MAX => format!("after {}", history.join(", ")),
        more => format!("after {more} turns that end in {}", history[more - 3..].join(", ")),
    }
}

fn declaration(description: &Description, role: &str) -> Option<Span> {
    let is_it = |clause: &&crate::syntax::Clause| match clause.head.arguments() {
        [named] => clause.head.name() == Some(Keyword::Role.name()) && print_term(named) == role,
        _ => false,
    };
    description.clauses.iter().find(is_it).map(|clause| clause.span)
}

/// Plays `game` at random and reports what it should not do.
///
/// The same generator state gives the same analysis in every process.
///
/// # Errors
/// None: a limit that is reached while playing is a finding.
///
/// ```
/// use croupier_engine::{Game, Options, analysis::{Budget, analyse}};
/// use rand_chacha::{ChaCha20Rng, rand_core::SeedableRng};
///
/// // In the state after the first turn `me` has no move, and the match is not over.
/// let rules = "(role me) (init begun) (<= (legal me wait) (true begun)) (next stuck) (<= terminal (true never)) (goal me 50)";
/// let game = Game::compile(rules, &Options::PLAY)?.game;
/// let found = analyse(&game, &Budget::QUICK, &mut ChaCha20Rng::seed_from_u64(1));
/// assert!(found.findings.iter().any(|finding| finding.code == "no-legal-move"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn analyse(game: &Game, budget: &Budget, rng: &mut impl Rng) -> Analysis {
    analyse_until(game, budget, rng, &|| false)
}

/// The same, cut short as soon as `is_over` says so; it is asked after every turn.
///
/// # Errors
/// None, as of [`analyse`].
pub fn analyse_until(
    game: &Game,
    budget: &Budget,
    rng: &mut impl Rng,
    is_over: &dyn Fn() -> bool,
) -> Analysis {
    let description = &game.rules().written().description;
    let declared = Declared::of(description, game);
    let mut walk = AnalysedPlayouts::new(game, declared, budget, is_over);
    let mut playouts = 0;
    while playouts < budget.playouts && walk.has_budget() {
        playouts += usize::from(walk.playout(rng));
    }
    let is_cut_short = playouts < budget.playouts;
    let turns = walk.turns();
    let (failed, failure) = walk.stops();
    let mut findings = walk.into_findings();
    findings.extend(fired::unfired(game, &Budget { playouts, ..*budget }, rng, is_over));
    findings.sort();
    Analysis { findings, playouts, failed, failure, unended: 0, turns, is_cut_short }
}

/// The moves of a history, one line a turn.
#[must_use]
pub fn turns_told(game: &Game, history: &[JointMove]) -> Vec<String> {
    let line = |joint_move: &JointMove| {
        let moves = joint_move.moves().iter();
        let moves =
            moves.map(|(role, &played)| format!("{} {}", game.roles().name(role), game.move_text(played)));
        format!("[{}]", moves.collect::<Vec<_>>().join(", "))
    };
    history.iter().map(line).collect()
}

#[cfg(test)]
mod tests;
