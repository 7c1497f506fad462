//! The decisions of a seat after a match, for people.

use croupier_games::{Facts, GameFacts, ReviewedDecision, ReviewedMove, SeatReview};

use super::{
    plot::entropy_figure,
    words::{difference, percent, review_grounds, worth},
};
use crate::{cards, paint::escaped};

/// The decisions of a role in a match that is over, in words.
#[derive(Clone, Debug, PartialEq)]
pub struct ReviewView {
    /// What values are counted in.
    pub unit: String,
    /// The decisions, in the order of the match.
    pub decisions: Vec<ReviewRow>,
    /// All that was given up, in words; empty if it was not worked out.
    pub total: String,
    /// By turn, how much the seat did not know.
    pub entropy_bits: Vec<f64>,
}

/// A decision in words.
#[derive(Clone, Debug, PartialEq)]
pub struct ReviewRow {
    /// The turn, counted from 0.
    pub turn: usize,
    /// The move that was played.
    pub played: String,
    /// What it gave up against the best move, such as `0.12 ± 0.05`; empty if it was not worked out.
    pub given_up: String,
    /// What that rests on, and who the best player is.
    pub grounds: String,
    /// The legal moves: the words, the share of the best player, and the mean payoff; what was not worked out is empty.
    pub moves: Vec<[String; 3]>,
}

impl ReviewView {
    /// The view of a review.
    ///
    /// ```
    /// use croupier_games::{ReviewGrounds, ReviewedDecision, ReviewedMove, SeatReview};
    /// use croupier_picture::ReviewView;
    ///
    /// let kuhn = croupier_games::find("kuhn").ok_or("the catalogue has it")?.facts()?;
    /// let of = |term: &str, share, goal| ReviewedMove { term: term.to_owned(), share: Some(share), goal: Some(goal) };
    /// let decision = ReviewedDecision {
    ///     turn: 3,
    ///     played: "pass".to_owned(),
    ///     certain: vec!["(paid alice 2)".to_owned(), "(paid bob 1)".to_owned()],
    ///     approach: "equilibrium".to_owned(),
    ///     grounds: ReviewGrounds::Exact { histories: 2 },
    ///     model: "the equilibrium".to_owned(),
    ///     moves: vec![of("bet", 1.0, 100.0), of("pass", 0.0, 25.0)],
    ///     given_up: Some(75.0),
    ///     error: None,
    /// };
    /// let view = ReviewView::of(&kuhn, &SeatReview { decisions: vec![decision], entropy_bits: vec![1.6, 1.6, 1.0, 1.0, 0.0] });
    /// // What he did was to fold to a bet.
    /// assert_eq!((view.decisions[0].played.as_str(), view.decisions[0].given_up.as_str()), ("fold", "3.00"));
    /// assert_eq!(view.decisions[0].moves[0], ["call", "100 %", "+2.00"]);
    /// assert!(view.html().contains("<table>") && view.html().contains("Bits unknown by turn"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn of(facts: &GameFacts, review: &SeatReview) -> Self {
        let payoff = facts.payoff.as_ref();
        let known: Vec<f64> = review.decisions.iter().filter_map(|decision| decision.given_up).collect();
        let total = match known.is_empty() {
            true => String::new(),
            false => format!("{} {}", difference(payoff, known.iter().sum()), facts.unit()),
        };
        let decisions = review.decisions.iter().map(|decision| ReviewRow::of(facts, decision)).collect();
        Self { unit: facts.unit().to_owned(), decisions, total, entropy_bits: review.entropy_bits.clone() }
    }

    /// A fragment of HTML, which [`STYLE`](crate::STYLE) lays out.
    #[must_use]
    pub fn html(&self) -> String {
        let mut html = String::from("<section class=\"trainer review\"><h2>Decisions</h2>");
        match (self.decisions.is_empty(), self.total.as_str()) {
            (true, _) => html.push_str("<p>There was nothing to decide.</p>"),
            (false, "") => {}
            (false, total) => html.push_str(&format!("<p>Given up in all: {}</p>", escaped(total))),
        }
        html.extend(self.decisions.iter().map(|decision| decision.html(&self.unit)));
        html.extend(entropy_figure(&self.entropy_bits));
        html.push_str("</section>");
        html
    }
}

impl ReviewRow {
    fn of(facts: &GameFacts, decision: &ReviewedDecision) -> Self {
        let payoff = facts.payoff.as_ref();
        let certain = decision.certain.iter().map(String::as_str).collect();
        let scene = facts.scene_of(&Facts { certain, is_vague: true, ..Facts::default() });
        let said = |of: &ReviewedMove| {
            [
                facts.words.move_text_in(&of.term, &scene),
                of.share.map(percent).unwrap_or_default(),
                of.goal.map(|goal| worth(payoff, goal)).unwrap_or_default(),
            ]
        };
        let given_up = decision.given_up.map(|given_up| {
            let error = decision.error.filter(|error| *error > 0.0);
            let error = error.map(|error| format!(" ± {}", difference(payoff, error)));
            format!("{}{}", difference(payoff, given_up), error.unwrap_or_default())
        });
        Self {
            turn: decision.turn,
            played: facts.words.move_text_in(&decision.played, &scene),
            given_up: given_up.unwrap_or_default(),
            grounds: format!(
                "{}; best player: {}; the others before: {}",
                review_grounds(decision.grounds),
                decision.approach,
                decision.model
            ),
            moves: decision.moves.iter().map(said).collect(),
        }
    }

    fn html(&self, unit: &str) -> String {
        let given_up = match self.given_up.as_str() {
            "" => String::new(),
            given_up => format!(" gave up {} {}", escaped(given_up), escaped(unit)),
        };
        let (turn, played) = (self.turn, escaped(&cards::short_line(&self.played)));
        let mut html = format!(
            "<article data-turn=\"{turn}\"><h3>Turn {turn}: {played}{given_up}</h3><table><thead><tr><th scope=\"col\">move</th>\
             <th scope=\"col\">best player</th><th scope=\"col\">{}</th></tr></thead><tbody>",
            escaped(unit)
        );
        for [words, share, value] in &self.moves {
            let class = if *words == self.played { " class=\"is-played\"" } else { "" };
            html.push_str(&format!(
                "<tr{class}><th scope=\"row\">{}</th><td>{}</td><td>{}</td></tr>",
                escaped(&cards::short_line(words)),
                escaped(share),
                escaped(value)
            ));
        }
        html.push_str(&format!(
            "</tbody></table><p class=\"grounds\">{}</p></article>",
            escaped(&self.grounds)
        ));
        html
    }
}
