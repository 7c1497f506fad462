//! Players that go by ordered preferences among the words of their moves.

use std::sync::Arc;

use croupier_engine::{Game, InformationSet, MoveId, RoleId};
use thiserror::Error;

use crate::{Budget, Decision, Player, PlayerError, RandomPlayer, sight::Sight};

/// Ordered preferences among moves.
///
/// As text it has a preference in each line; the first line that fits a legal move decides, and where none does the first
/// legal move in canonical order is played. A line is one pattern, or several with weights, separated by `|`:
///
/// ```text
/// # three times in four a raise, if there is one; else the rest of the line
/// 3 raise | 1 call
/// check
/// (bid 2 *)
/// ```
///
/// A pattern without parentheses matches a move if it matches one of its words: `raise` matches `raise` and `(raise 40)`. A pattern
/// with parentheses must match the whole move in canonical form. `*` matches any characters, so `*` alone matches every move.
/// A weight is a positive number; the default is 1. Patterns that match no legal move are ignored; the legal
/// moves that one pattern matches share its weight. `#` starts a comment; patterns are not case-sensitive.
///
/// ```
/// use croupier_players::MoveRules;
///
/// let rules: MoveRules = "3 raise | 1 call\ncheck".parse().expect("two preferences");
/// assert_eq!(rules.strategy(&["call", "fold", "raise"]), [0.25, 0.0, 0.75]);
/// assert_eq!(rules.strategy(&["call", "fold"]), [1.0, 0.0]);
/// assert_eq!(rules.strategy(&["bet", "check"]), [0.0, 1.0]);
/// assert_eq!(rules.strategy(&["left", "right"]), [1.0, 0.0]);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct MoveRules {
    /// In the order of preference; each has an alternative.
    lines: Vec<Vec<Alternative>>,
}

/// One pattern of a line.
#[derive(Clone, Debug, PartialEq)]
struct Alternative {
    pattern: String,
    weight: f64,
}

/// Why a text has no preferences.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum MoveRulesError {
    /// There are only comments.
    #[error("the file has no preferences: write one move pattern per line, such as call or (bid * 6)")]
    Empty,
    /// A line has an alternative without a pattern.
    #[error("line {line}: a pattern is missing; write PATTERN or WEIGHT PATTERN, separated by |")]
    NoPattern {
        /// Counted from 1.
        line: usize,
    },
    /// A weight is not a positive number.
    #[error("line {line}: {text:?} is not a weight; write a positive number such as 3 or 0.25")]
    Weight {
        /// Counted from 1.
        line: usize,
        /// The given text.
        text: String,
    },
    /// A pattern is neither one word nor a move in parentheses.
    #[error(
        "line {line}: {text:?} is not a pattern; write one word, or a move in parentheses such as (bid 2 *)"
    )]
    Pattern {
        /// Counted from 1.
        line: usize,
        /// The given text.
        text: String,
    },
}

impl MoveRules {
    /// Preferences in which each line is one pattern.
    pub(crate) fn of_patterns(patterns: &[&str]) -> Self {
        let alone = |pattern: &&str| vec![Alternative { pattern: (*pattern).to_owned(), weight: 1.0 }];
        Self { lines: patterns.iter().map(alone).collect() }
    }

    /// The places of the moves in canonical print that a pattern fits, those of the first line first.
    pub(crate) fn fitting(&self, moves: &[&str]) -> Vec<usize> {
        let fits_line =
            |line: &[Alternative], played: &str| line.iter().any(|one| fits(&one.pattern, played));
        let mut places = Vec::new();
        for line in &self.lines {
            places.extend((0..moves.len()).filter(|&place| fits_line(line, moves[place])));
        }
        places
    }

    /// The probability of each of these legal moves in canonical form, of which there is at least one.
    #[must_use]
    pub fn strategy(&self, moves: &[&str]) -> Vec<f64> {
        for line in &self.lines {
            let mut weights = vec![0.0; moves.len()];
            for Alternative { pattern, weight } in line {
                let fitting: Vec<usize> =
                    (0..moves.len()).filter(|&place| fits(pattern, moves[place])).collect();
                for &place in &fitting {
                    weights[place] += weight / fitting.len() as f64;
                }
            }
            let sum: f64 = weights.iter().sum();
            if sum > 0.0 {
                return weights.iter().map(|weight| weight / sum).collect();
            }
        }
        (0..moves.len()).map(|place| if place == 0 { 1.0 } else { 0.0 }).collect()
    }
}

impl std::str::FromStr for MoveRules {
    type Err = MoveRulesError;

    fn from_str(text: &str) -> Result<Self, MoveRulesError> {
        let mut lines = Vec::new();
        for (line, written) in (1..).zip(text.lines()) {
            let written = written.split('#').next().unwrap_or_default().trim().to_lowercase();
            if !written.is_empty() {
                lines.push(written.split('|').map(|part| alternative(line, part)).collect::<Result<_, _>>()?);
            }
        }
        if lines.is_empty() { Err(MoveRulesError::Empty) } else { Ok(Self { lines }) }
    }
}

/// One part of a line: a pattern, or a weight and a pattern.
fn alternative(line: usize, text: &str) -> Result<Alternative, MoveRulesError> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let (weight, pattern) = match words[..] {
        [] => return Err(MoveRulesError::NoPattern { line }),
        [first, _, ..] if !first.starts_with('(') => (Some(first), words[1..].join(" ")),
        _ => (None, words.join(" ")),
    };
    let weight = match weight {
        None => 1.0,
        Some(text) => {
            let parsed = text.parse().ok().filter(|weight: &f64| weight.is_finite() && *weight > 0.0);
            parsed.ok_or_else(|| MoveRulesError::Weight { line, text: text.to_owned() })?
        }
    };
    let is_move = pattern.starts_with('(') && pattern.ends_with(')');
    let is_word = !pattern.contains(['(', ')', ' ']);
    if !is_move && !is_word {
        return Err(MoveRulesError::Pattern { line, text: pattern });
    }
    Ok(Alternative { pattern, weight })
}

/// Whether a pattern matches a move: the whole move if the pattern has parentheses, otherwise one of its words.
fn fits(pattern: &str, played: &str) -> bool {
    if pattern.starts_with('(') {
        return fits_text(pattern, played);
    }
    let words = played.split([' ', '(', ')']).filter(|word| !word.is_empty());
    words.into_iter().any(|word| fits_text(pattern, word))
}

/// Whether a text consists of the pieces of a pattern between its `*`, in order, from start to end.
fn fits_text(pattern: &str, text: &str) -> bool {
    let Some((start, rest)) = pattern.split_once('*') else { return pattern == text };
    let Some(mut text) = text.strip_prefix(start) else { return false };
    let (middle, end) = rest.rsplit_once('*').unwrap_or(("", rest));
    for piece in middle.split('*') {
        match text.find(piece) {
            Some(at) => text = &text[at + piece.len()..],
            None => return false,
        }
    }
    text.ends_with(end)
}

/// Preferences that have a name: baselines for games with betting, which play in any game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Baseline {
    /// Calls, or otherwise checks, or otherwise passes.
    Call,
    /// Raises or bets as often as possible, the pot if that is a size, and otherwise calls or checks.
    Raise,
    /// Folds whenever that is legal, and otherwise checks or calls.
    Fold,
}

impl Baseline {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Call, Self::Raise, Self::Fold];

    /// Its name: `call`, `raise`, `fold`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Call => "call",
            Self::Raise => "raise",
            Self::Fold => "fold",
        }
    }

    /// Its preferences: words of moves, as rules of poker have them.
    #[must_use]
    pub fn rules(self) -> MoveRules {
        const RAISE: [&str; 10] =
            ["raise*", "bet*", "pot", "half_pot", "all_in", "all-in", "allin", "call", "check", "pass"];
        match self {
            Self::Call => MoveRules::of_patterns(&["call", "check", "pass"]),
            Self::Raise => MoveRules::of_patterns(&RAISE),
            Self::Fold => MoveRules::of_patterns(&["fold", "check", "call", "pass"]),
        }
    }
}

/// Plays by [`MoveRules`], whatever it was told.
///
/// Like [`RandomPlayer`] it has a small belief, which is only used to find the legal moves.
///
/// ```
/// use std::sync::Arc;
/// use croupier_engine::{Game, InformationSet, Options};
/// use croupier_players::{Baseline, Budget, Player, RulePlayer};
///
/// # let rules = "(role left) (init start) (legal left call) (legal left (raise 10)) (legal left fold)
/// #     (<= (next done) (does left ?m)) (<= terminal (true done)) (goal left 50)";
/// let game = Arc::new(Game::compile(rules, &Options::PLAY)?.game);
/// let left = game.roles().find("left").ok_or("a role of the game")?;
/// let rules = Arc::new(Baseline::Raise.rules());
/// let mut player = RulePlayer::new(Arc::clone(&game), left, rules, [0; 32])?;
/// let decision = player.choose(&InformationSet::initial(left), &mut Budget::Own)?;
/// assert_eq!(game.move_text(decision.chosen), "(raise 10)".into());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct RulePlayer {
    sight: Sight,
    rules: Arc<MoveRules>,
}

impl RulePlayer {
    /// A player of `role` whose draws depend only on `seed` and the turn.
    ///
    /// # Errors
    /// [`PlayerError::RandomRole`].
    pub fn new(
        game: Arc<Game>,
        role: RoleId,
        rules: Arc<MoveRules>,
        seed: [u8; 32],
    ) -> Result<Self, PlayerError> {
        Ok(Self { sight: Sight::new(game, role, RandomPlayer::PARTICLES, seed)?, rules })
    }
}

impl RulePlayer {
    /// How probable the preferences make each of the legal moves.
    fn probabilities(&self, moves: &[MoveId]) -> Vec<f64> {
        let texts: Vec<Arc<str>> = moves.iter().map(|&legal| self.sight.game.move_text(legal)).collect();
        self.rules.strategy(&texts.iter().map(|text| &**text).collect::<Vec<&str>>())
    }
}

impl Player for RulePlayer {
    fn role(&self) -> RoleId {
        self.sight.role
    }

    fn strategy(
        &mut self,
        _known: &InformationSet,
        moves: &[MoveId],
    ) -> Result<Option<Vec<f64>>, PlayerError> {
        Ok(Some(self.probabilities(moves)))
    }

    fn choose(&mut self, known: &InformationSet, _budget: &mut Budget<'_>) -> Result<Decision, PlayerError> {
        let moves = self.sight.choice(known)?.moves;
        let strategy = self.probabilities(&moves);
        Ok(Decision::drawn(moves, strategy, &mut self.sight.rng(known)))
    }
}

#[cfg(test)]
mod tests {
    use super::{Baseline, MoveRules, fits};

    #[test]
    fn a_pattern_fits_a_word_or_a_whole_move() {
        for (pattern, played) in [
            ("raise", "raise"),
            ("raise", "(raise 40)"),
            ("r*e", "(raise 40)"),
            ("*", "(mark 1 2)"),
            ("(mark * 2)", "(mark 1 2)"),
            ("(mark * *)", "(mark 1 2)"),
            ("(*)", "(mark (cell 1 2) x)"),
        ] {
            assert!(fits(pattern, played), "{pattern} {played}");
        }
        for (pattern, played) in [
            ("raise", "reraise"),
            ("raise*", "reraise"),
            ("(mark 1 *)", "(mark 2 1)"),
            ("(mark)", "mark"),
            ("aba*ab", "abab"),
        ] {
            assert!(!fits(pattern, played), "{pattern} {played}");
        }
    }

    #[test]
    fn weights_are_shared_by_the_moves_that_a_pattern_fits() {
        let rules: MoveRules = "# comment\n\n2 (Bid * 6) | 1 liar # and another\n0.5 bid".parse().unwrap();
        assert_eq!(rules.strategy(&["(bid 1 6)", "(bid 2 6)", "liar"]), [1.0 / 3.0; 3]);
        assert_eq!(rules.strategy(&["(bid 1 5)", "(bid 2 5)"]), [0.5, 0.5]);
        assert_eq!(rules.strategy(&["noop"]), [1.0]);
    }

    #[test]
    fn baselines_play_the_words_of_poker() {
        let plays = |baseline: Baseline, moves: &[&str]| {
            let strategy = baseline.rules().strategy(moves);
            moves[strategy.iter().position(|&probability| probability == 1.0).unwrap()].to_owned()
        };
        let facing_a_bet = ["all_in", "call", "fold", "half_pot", "pot"];
        let free = ["all_in", "check", "half_pot", "pot"];
        let capped = ["call", "fold"];
        assert_eq!(Baseline::ALL.map(|one| plays(one, &facing_a_bet)), ["call", "pot", "fold"]);
        assert_eq!(Baseline::ALL.map(|one| plays(one, &free)), ["check", "pot", "check"]);
        assert_eq!(Baseline::ALL.map(|one| plays(one, &capped)), ["call", "call", "fold"]);
        assert_eq!(Baseline::ALL.map(|one| plays(one, &["bet", "check"])), ["check", "bet", "check"]);
        assert_eq!(Baseline::ALL.map(|one| plays(one, &["bet", "pass"])), ["pass", "bet", "pass"]);
        assert_eq!(Baseline::ALL.map(|one| plays(one, &["left", "right"])), ["left"; 3]);
    }

    #[test]
    fn what_is_no_preference_says_where() {
        let error = |text: &str| text.parse::<MoveRules>().unwrap_err().to_string();
        assert!(error("# nothing\n\n").starts_with("the file has no preferences"));
        assert!(error("call\nraise |").starts_with("line 2: a pattern is missing"));
        assert!(error("0 call").starts_with("line 1: \"0\" is not a weight"));
        assert!(error("often call").starts_with("line 1: \"often\" is not a weight"));
        assert!(error("(bid 2").starts_with("line 1: \"(bid 2\" is not a pattern"));
        assert!(error("1 bid 2").starts_with("line 1: \"bid 2\" is not a pattern"));
    }
}
