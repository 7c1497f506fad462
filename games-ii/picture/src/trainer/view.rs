//! What a seat could believe, for people.

use croupier_games::{BeliefGrounds, GameFacts, LikelyFact, Scene, SeatBelief};

use super::{
    bars::{BARS_MAX, bars},
    grid::HandGrid,
    heat::{HeatBoard, heat_boards},
    plot::{TITLE as ENTROPY, entropy_label, entropy_plot},
    spread::{Spread, spreads},
    words,
};
use crate::{
    cards,
    paint::{Drawing, Ink, Lettering, Pen, Rectangle, colours, escaped, short, width_of},
    picture::Picture,
};

/// What a seat could believe: made of the belief, of what the seat knows for certain, and of the words of the game, and of nothing else.
///
/// ```
/// use croupier_games::{BeliefGrounds, LikelyFact, Scene, SeatBelief};
/// use croupier_picture::TrainerView;
///
/// let kuhn = croupier_games::find("kuhn").ok_or("the catalogue has it")?.facts()?;
/// let likely = |fact: &str| LikelyFact { fact: fact.to_owned(), probability: 0.5, is_proved: false };
/// let belief = SeatBelief {
///     turn: 3,
///     grounds: BeliefGrounds::Exact { histories: 2 },
///     model: "uniform play".to_owned(),
///     states: 2,
///     entropy_bits: vec![0.0, 1.58, 1.0, 1.0],
///     likely: vec![likely("(hand alice jack)"), likely("(hand alice king)")],
///     held: Vec::new(),
///     prospects: None,
/// };
/// let scene = kuhn.scene(["(hand bob queen)"], ["(hand alice jack)", "(hand alice king)"]);
/// let view = TrainerView::of(&kuhn, &scene, &["alice", "bob"], "bob", &belief);
/// assert_eq!(view.grounds, "exact, 2 histories; model of the others: uniform play");
/// assert_eq!(view.spreads[0].places, ["Alice"]);
/// assert!(view.html().contains("the king") && view.svg().starts_with("<svg "));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct TrainerView {
    /// Who believes what, and when: `What Bob could believe before turn 3`.
    pub title: String,
    /// What it rests on.
    pub grounds: String,
    /// How many states are possible, and how much is not known.
    pub summary: String,
    /// How the match ends if everybody checks and calls from here, if that was played out.
    pub prospects: Option<String>,
    /// Hands of two cards, for each who holds one.
    pub grids: Vec<HandGrid>,
    /// Boards with hidden pieces.
    pub boards: Vec<HeatBoard>,
    /// Hidden cards and dice.
    pub spreads: Vec<Spread>,
    /// Everything else that is uncertain, in words, the likeliest first.
    pub lines: Vec<(String, f64)>,
    /// What is true of a whole sample, and not proved.
    pub unproved: Vec<String>,
    /// By turn, how much was not known.
    pub entropy_bits: Vec<f64>,
}

impl TrainerView {
    /// The view of a role in `seat` that knows `scene` and believes this; `players` are the roles by their names in the rules.
    #[must_use]
    pub fn of(facts: &GameFacts, scene: &Scene, players: &[&str], seat: &str, belief: &SeatBelief) -> Self {
        let mut uncertain: Vec<&LikelyFact> =
            belief.likely.iter().filter(|likely| likely.probability < 1.0).collect();
        let grids = grids(facts, belief, &mut uncertain);
        let picture = Picture::of(facts, scene, players, Some(seat), None);
        let boards = heat_boards(facts, &facts.layout(scene, players), &picture, &mut uncertain);
        let spreads = spreads(facts, players, &mut uncertain);
        let is_sampled = matches!(belief.grounds, BeliefGrounds::Sampled { .. });
        let unproved = belief.likely.iter().filter(|likely| likely.probability >= 1.0 && !likely.is_proved);
        // Bookkeeping of the rules says nothing to anybody.
        let unproved = unproved
            .filter(|likely| is_sampled && facts.tells(&likely.fact))
            .map(|likely| likely.fact.as_str());
        let bits = belief.entropy_bits.last().copied().unwrap_or_default();
        Self {
            title: format!(
                "What {} could believe before turn {}",
                facts.words.symbol_text(seat),
                belief.turn
            ),
            grounds: words::grounds(belief),
            summary: match belief.states {
                1 => "1 state is possible".to_owned(),
                states => format!("{} states, {bits:.2} bits unknown", words::grouped(states as u64)),
            },
            prospects: belief.prospects.as_ref().map(|of| words::prospects(facts, of)),
            grids,
            boards,
            spreads,
            lines: lines(facts, &uncertain),
            unproved: facts.words.fluent_lines(unproved),
            entropy_bits: belief.entropy_bits.clone(),
        }
    }

    /// Whether nothing is uncertain.
    #[must_use]
    pub fn is_certain(&self) -> bool {
        self.grids.is_empty() && self.boards.is_empty() && self.spreads.is_empty() && self.lines.is_empty()
    }

    /// What is said in words above the drawings.
    fn sentences(&self) -> Vec<String> {
        let mut said = vec![self.grounds.clone(), self.summary.clone()];
        said.extend(self.prospects.clone());
        for grid in &self.grids {
            said.extend(grid.bars());
            said.extend(words::steps(&grid.title, &grid.steps));
        }
        if !self.unproved.is_empty() {
            said.push(format!("true of the whole sample, but not proved: {}", self.unproved.join("; ")));
        }
        if self.is_certain() && self.unproved.is_empty() {
            said.push("nothing is uncertain".to_owned());
        }
        said
    }

    /// All drawings, each with what stands above it and its label.
    fn drawings(&self) -> Vec<(String, String, Drawing)> {
        let mut drawings = Vec::new();
        for grid in &self.grids {
            let title = format!("{} ({} hands)", grid.title, words::grouped(grid.hands as u64));
            drawings.push((title, grid.label(), grid.drawing()));
        }
        for board in &self.boards {
            for map in &board.maps {
                let title = match board.board.title.as_str() {
                    "" => format!("Where {} may be", map.piece),
                    title => format!("{title}: where {} may be", map.piece),
                };
                drawings.push((title, map.label(&board.board), map.drawing(&board.board)));
            }
        }
        for spread in &self.spreads {
            drawings.push((spread.title.clone(), spread.label(), spread.drawing()));
        }
        if !self.lines.is_empty() {
            let hidden = self.lines.len().saturating_sub(BARS_MAX);
            let what = if drawings.is_empty() { "What may be true" } else { "What else may be true" };
            let title = match hidden {
                0 => what.to_owned(),
                hidden => format!("{what}, without {hidden} less likely things"),
            };
            let said = self.lines.iter().take(6);
            let said = said.map(|(line, share)| format!("{line} {}", words::percent(*share)));
            let label = format!("{title}: {}", said.collect::<Vec<_>>().join(", "));
            drawings.push((title, label, bars(&self.lines)));
        }
        if self.entropy_bits.len() > 1 {
            let bits = &self.entropy_bits;
            drawings.push((ENTROPY.to_owned(), entropy_label(bits), entropy_plot(bits)));
        }
        drawings
    }

    /// A fragment of HTML with classes and labels, which [`STYLE`](crate::STYLE) lays out. It has no ids, so that it can stand beside
    /// the picture of the table.
    #[must_use]
    pub fn html(&self) -> String {
        let mut html = format!(
            "<section class=\"trainer\" aria-label=\"{0}\"><h2>{0}</h2>",
            escaped(&cards::short_line(&self.title))
        );
        for sentence in self.sentences() {
            html.push_str(&format!("<p>{}</p>", escaped(&sentence)));
        }
        html.push_str("<div class=\"trainer-drawings\">");
        for (title, label, block) in self.drawings() {
            html.push_str(&figure(&title, &label, &block));
        }
        html.push_str("</div></section>");
        html
    }

    /// One drawing in SVG that needs nothing else.
    #[must_use]
    pub fn svg(&self) -> String {
        let said = self
            .sentences()
            .into_iter()
            .map(|sentence| line(&sentence, Lettering::plain(13.0, colours::FAINT)));
        let mut blocks = vec![line(&self.title, Lettering::bold(17.0, colours::CHALK))];
        blocks.extend(said);
        for (title, _, block) in self.drawings() {
            let title = line(&title, Lettering::plain(13.5, colours::CHALK));
            blocks.push(Drawing::above(&[title, block], 8.0));
        }
        drawing_svg(
            &on_ground(&Drawing::above(&blocks, 14.0)),
            &self.title,
            "xmlns=\"http://www.w3.org/2000/svg\"",
        )
    }
}

/// A drawing with what stands above it, in HTML.
pub(super) fn figure(title: &str, label: &str, block: &Drawing) -> String {
    let title = escaped(&cards::short_line(title));
    let drawing = drawing_svg(&on_ground(block), label, "focusable=\"false\"");
    format!("<figure><figcaption>{title}</figcaption>{drawing}</figure>")
}

/// The hands that others may hold; the own hand, if it is known, is no range.
fn grids(facts: &GameFacts, belief: &SeatBelief, uncertain: &mut Vec<&LikelyFact>) -> Vec<HandGrid> {
    let ranks = facts.words.card_ranks();
    let hidden = belief.held.iter().filter(|held| held.hands.len() > 1);
    let mut grids = Vec::new();
    for held in hidden {
        if let Some(range) = facts.hand_range(held) {
            uncertain.retain(|likely| facts.holder_of(&likely.fact).as_ref() != Some(&held.of));
            grids.push(HandGrid { steps: held.steps.clone(), ..HandGrid::of(&range, ranks.clone()) });
        }
    }
    grids
}

/// What is uncertain in words, the likeliest first; what has no words is bookkeeping.
fn lines(facts: &GameFacts, uncertain: &[&LikelyFact]) -> Vec<(String, f64)> {
    let said = |likely: &&LikelyFact| {
        let words = facts.words.fluent_lines([likely.fact.as_str()]).join("; ");
        (!words.is_empty()).then_some((words, likely.probability))
    };
    let mut lines: Vec<(String, f64)> = uncertain.iter().filter_map(said).collect();
    lines.sort_by(|(_, one), (_, other)| other.total_cmp(one));
    lines
}

/// A line of text.
fn line(text: &str, lettering: Lettering) -> Drawing {
    let text = cards::short_line(text);
    let width = width_of(&text, lettering.size);
    let mut pen = Pen::default();
    pen.text(width / 2.0, lettering.size, lettering, &text);
    Drawing { width, height: lettering.size + 4.0, svg: pen.svg }
}

/// A drawing on a ground of its own, so that it reads on light and on dark pages.
fn on_ground(block: &Drawing) -> Drawing {
    const EDGE: f64 = 14.0;
    let (width, height) = (block.width + 2.0 * EDGE, block.height + 2.0 * EDGE);
    let mut pen = Pen::default();
    let frame = Rectangle { x: 0.0, y: 0.0, width, height, round: 10.0 };
    pen.rectangle(frame, Ink::filled(colours::SLATE));
    pen.at(EDGE, EDGE, 1.0, |pen| pen.svg.push_str(&block.svg));
    Drawing { width, height, svg: pen.svg }
}

/// A drawing as an SVG with a label.
fn drawing_svg(block: &Drawing, label: &str, attributes: &str) -> String {
    let [width, height] = [block.width, block.height].map(short);
    let label = escaped(&cards::short_line(label));
    format!(
        "<svg {attributes} viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" role=\"img\" aria-label=\"{label}\">\
         <title>{label}</title>{}</svg>",
        block.svg
    )
}
