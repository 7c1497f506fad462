//! Questions in the language of the rules: rules for a relation `query` over the state and the game's own relations.

use std::collections::BTreeMap;

use croupier_engine::{
    Game, Options, RoleId, Scratch, State,
    game::{Backend, CompileError, GameError},
    stages::syntax::{self, Description, Syntax, TermKind},
};
use thiserror::Error;

use crate::Distribution;

/// A question about a state: for which arguments `query` holds there.
///
/// It is written as rules with the head `query` or `(query ?x ...)`, in either syntax; their bodies may
/// use `true` and every relation of the game that does not depend on moves. Rules for additional relations may
/// be included.
///
/// ```
/// use croupier_belief::{ExactBelief, ExactOptions, Query};
/// use croupier_engine::{Game, Options};
/// use std::sync::Arc;
///
/// let rules = "
///     (role random) (role guesser) (init hidden) (side heads) (side tails)
///     (<= (legal random (toss ?side)) (true hidden) (side ?side))
///     (<= (legal random rest) (true (lies ?side)))
///     (legal guesser wait)
///     (<= (next (lies ?side)) (does random (toss ?side)))
///     (<= (next done) (true (lies ?side)))
///     (<= terminal (true done))
///     (goal guesser 50)
///     (<= (sees guesser landed) (does random (toss ?side)))";
/// let game = Arc::new(Game::compile(rules, &Options::PLAY).expect("the rules are sound").game);
/// let guesser = game.roles().find("guesser").expect("a role of the game");
/// let mut belief = ExactBelief::new(Arc::clone(&game), guesser, ExactOptions::STANDARD).expect("a player");
/// let wait = game.move_id("wait").expect("a term");
/// belief.advance(wait, &game.percepts_of(["landed"]).expect("a term")).expect("a possible turn");
/// let query = Query::compile(&game, "(<= (query ?s) (true (lies ?s)))").expect("sound rules");
/// let answers = query.answers(&game, &belief.distribution()).expect("sound rules");
/// assert_eq!(answers, [("(query heads)".to_owned(), 0.5), ("(query tails)".to_owned(), 0.5)]);
/// ```
#[derive(Debug)]
pub struct Query {
    /// The rules, with a role whose legal moves are the answers.
    game: Game,
    asker: RoleId,
}

/// Why a text is not a query.
#[derive(Debug, Error)]
pub enum QueryError {
    /// The text does not read as rules.
    #[error("cannot parse the query: {0}")]
    Syntax(String),
    /// No rule of the text has the head `query`.
    #[error("the query has no rule for `query`; write for example (<= (query ?x) (true (f ?x)))")]
    NoQuery,
    /// The rules of the game and the query together have errors.
    #[error("together together with the rules of the game, {0}")]
    Compile(#[from] CompileError),
}

/// The relation of the query.
const QUERY: &str = "query";

impl Query {
    /// A query as rules appended to the rules of `of`.
    ///
    /// # Errors
    /// [`QueryError`].
    pub fn compile(of: &Game, query: &str) -> Result<Self, QueryError> {
        let reading = syntax::read(query, Syntax::Auto, of.limits());
        let errors =
            reading.diagnostics.iter().filter(|found| found.severity == croupier_engine::Severity::Error);
        if let Some(error) = errors.map(ToString::to_string).next() {
            return Err(QueryError::Syntax(error));
        }
        let arities = arities(&reading.description);
        if arities.is_empty() {
            return Err(QueryError::NoQuery);
        }
        let mut text = syntax::print_description(&of.rules().written().description);
        let mut asker = "asker".to_owned();
        while text.contains(&asker) {
            asker.push('_');
        }
        text.push_str(&syntax::print_description(&reading.description));
        text.push_str(&format!("\n(role {asker})\n"));
        for arity in arities {
            let variables: String = (0..arity).map(|index| format!(" ?x{index}")).collect();
            let atom = if arity == 0 { QUERY.to_owned() } else { format!("({QUERY}{variables})") };
            text.push_str(&format!("(<= (legal {asker} {atom}) {atom})\n"));
        }
        // States of the game may have fluents that a network of these rules would not.
        let options = Options { limits: *of.limits(), backend: Backend::Datalog, ..Options::PLAY };
        let game = Game::compile(&text, &options)?.game;
        let asker = game.roles().find(&asker).ok_or(QueryError::NoQuery)?;
        Ok(Self { game, asker })
    }

    /// The answers that hold in some state held possible, each with the probability that it holds, in canonical
    /// order.
    ///
    /// # Errors
    /// [`GameError`] if the rules fail.
    ///
    /// # Complexity
    /// One evaluation of the rules for each state.
    pub fn answers(&self, game: &Game, distribution: &Distribution) -> Result<Vec<(String, f64)>, GameError> {
        let mut scratch: Scratch = self.game.scratch();
        let mut sums: BTreeMap<String, (f64, usize)> = BTreeMap::new();
        for (state, probability) in distribution.iter() {
            for answer in self.holding(game, state, &mut scratch)? {
                let (sum, states) = sums.entry(answer).or_default();
                *sum += probability;
                *states += 1;
            }
        }
        let all = distribution.states_count();
        let certain = |(sum, states): (f64, usize)| if states == all { 1.0 } else { sum };
        Ok(sums.into_iter().map(|(answer, sum)| (answer, certain(sum))).collect())
    }

    /// The answers that hold in a state of `game`, in canonical order.
    ///
    /// # Errors
    /// [`GameError`] where the rules fail.
    pub fn answers_in(&self, game: &Game, state: &State) -> Result<Vec<String>, GameError> {
        let mut answers = self.holding(game, state, &mut self.game.scratch())?;
        answers.sort_unstable();
        Ok(answers)
    }

    fn holding(&self, game: &Game, state: &State, scratch: &mut Scratch) -> Result<Vec<String>, GameError> {
        let terms = game.state_terms(state);
        let state = self.game.state_of(terms.iter().map(|term| &**term)).expect("printed terms are terms");
        let answers = self.game.legal_moves(&state, self.asker, scratch)?;
        Ok(answers.into_iter().map(|answer| self.game.move_text(answer).to_string()).collect())
    }
}

/// The number of arguments of the query.
fn arities(description: &Description) -> Vec<usize> {
    let heads = description.clauses.iter().map(|clause| &clause.head);
    let asking = heads.filter(|head| head.name() == Some(QUERY));
    let mut arities: Vec<usize> = asking
        .filter(|head| !matches!(head.kind, TermKind::Variable(_)))
        .map(|head| head.arguments().len())
        .collect();
    arities.sort_unstable();
    arities.dedup();
    arities
}
