//! Hands of two cards by class in a grid: pairs on the diagonal, one suit above it, two suits below.

use croupier_games::{HandEquity, HandRange, HeldStep};

use super::words::{equity, percent};
use crate::paint::{Drawing, Ink, Lettering, Pen, Rectangle, colours, escaped};

/// The classes of hands that somebody may have.
#[derive(Clone, Debug, PartialEq)]
pub struct HandGrid {
    /// Of whom, in words: `What Bob holds`.
    pub title: String,
    /// The ranks of rows and columns, the strongest first.
    pub ranks: Vec<String>,
    /// Row by row.
    pub cells: Vec<Vec<HandCell>>,
    /// How many different hands are possible.
    pub hands: usize,
    /// How they became fewer.
    pub steps: Vec<HeldStep>,
}

/// A class of hands.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HandCell {
    /// `AKs`.
    pub name: String,
    /// How likely it is.
    pub probability: f64,
    /// How many hands of the class are possible.
    pub hands: usize,
    /// What the own hand is worth against it, if that was played out.
    pub equity: Option<HandEquity>,
}

/// The width and height of a cell.
const CELL: (f64, f64) = (40.0, 31.0);

impl HandGrid {
    /// The grid of a range; `ranks` are those of the game's cards, the strongest first.
    pub(crate) fn of(range: &HandRange, ranks: Vec<String>) -> Self {
        let name = |row: usize, column: usize| {
            let (high, low) = (&ranks[row.min(column)], &ranks[row.max(column)]);
            let suits = match row.cmp(&column) {
                std::cmp::Ordering::Equal => "",
                std::cmp::Ordering::Less => "s",
                std::cmp::Ordering::Greater => "o",
            };
            format!("{high}{low}{suits}")
        };
        let cell = |row, column| HandCell { name: name(row, column), ..HandCell::default() };
        let mut cells: Vec<Vec<HandCell>> =
            (0..ranks.len()).map(|row| (0..ranks.len()).map(|column| cell(row, column)).collect()).collect();
        for (class, share) in &range.classes {
            let place = |rank: &str| ranks.iter().position(|known| known == rank);
            let [Some(high), Some(low)] = class.ranks().map(place) else { continue };
            let (row, column) = match class.kind {
                croupier_games::HandKind::Offsuit => (low, high),
                croupier_games::HandKind::Pair | croupier_games::HandKind::Suited => (high, low),
            };
            let cell = &mut cells[row][column];
            (cell.probability, cell.hands, cell.equity) = (share.probability, share.hands, share.equity);
        }
        let title = range.line("…").trim_end_matches(['…', ' ']).to_owned();
        Self { title, ranks, cells, hands: range.hands_count(), steps: Vec::new() }
    }

    /// The classes that are possible, the likeliest first.
    #[must_use]
    pub fn likeliest(&self) -> Vec<&HandCell> {
        let mut cells: Vec<&HandCell> =
            self.cells.iter().flatten().filter(|cell| cell.probability > 0.0).collect();
        cells.sort_by(|one, other| other.probability.total_cmp(&one.probability));
        cells
    }

    /// What its bars are, if it has any.
    #[must_use]
    pub fn bars(&self) -> Option<String> {
        let equities = self.cells.iter().flatten().filter_map(|cell| cell.equity);
        let errors: Vec<Option<f64>> = equities.map(|equity| equity.error).collect();
        let most = errors.iter().copied().flatten().fold(0.0, f64::max);
        let grounds = match errors.iter().all(Option::is_none) {
            true => "exact".to_owned(),
            false => format!("sampled, with standard errors of {} at most", percent(most)),
        };
        let told = "The green part of each bar is your equity against the hands of a class if everybody checks and calls";
        (!errors.is_empty()).then(|| format!("{told}: {grounds}"))
    }

    /// What it shows, for people who hear it.
    #[must_use]
    pub fn label(&self) -> String {
        let first = self.likeliest();
        let first = first.iter().take(5).map(|cell| format!("{} {}", cell.name, percent(cell.probability)));
        format!("{}: {}", self.title, first.collect::<Vec<_>>().join(", "))
    }

    pub(crate) fn drawing(&self) -> Drawing {
        let most = self.cells.iter().flatten().map(|cell| cell.probability).fold(0.0, f64::max);
        let (width, height) = CELL;
        let mut pen = Pen::default();
        let (mut y, mut right) = (0.0, 0.0);
        for row in &self.cells {
            let mut x = 0.0;
            for cell in row {
                pen.at(x, y, 1.0, |pen| draw_cell(pen, cell, most));
                x += width;
            }
            (y, right) = (y + height, x);
        }
        Drawing { width: right, height: y, svg: pen.svg }
    }
}

fn draw_cell(pen: &mut Pen, cell: &HandCell, most: f64) {
    let (width, height) = CELL;
    let frame = Rectangle { x: 0.5, y: 0.5, width: width - 1.0, height: height - 1.0, round: 2.0 };
    let (name, share) = (escaped(&cell.name), percent(cell.probability));
    let against = cell.equity.map(|of| format!("; your equity {}", escaped(&equity(of)))).unwrap_or_default();
    pen.svg.push_str(&format!("<title>{name}: {share}, {} hands{against}</title>", cell.hands));
    let is_possible = cell.hands > 0;
    pen.rectangle(frame, Ink::filled(if is_possible { colours::PAPER } else { colours::SLATE }));
    if most > 0.0 && cell.probability > 0.0 {
        super::heat::shade(pen, frame, cell.probability / most);
    }
    let ink = if is_possible { colours::INK } else { colours::FAINT };
    pen.text(width / 2.0, 13.0, Lettering::bold(11.5, ink), &cell.name);
    if is_possible {
        let text = share.trim_end_matches(" %").to_owned();
        pen.text(width / 2.0, 24.0, Lettering::plain(9.0, ink), &text);
    }
    if let Some(HandEquity { share, .. }) = cell.equity {
        draw_equity(pen, frame, share);
    }
}

/// A bar along the foot of a cell: how much of it is green is the own equity.
fn draw_equity(pen: &mut Pen, cell: Rectangle, share: f64) {
    let foot = Rectangle {
        x: cell.x + 1.0,
        y: cell.y + cell.height - 4.0,
        width: cell.width - 2.0,
        height: 3.0,
        round: 1.0,
    };
    pen.rectangle(foot, Ink::filled(colours::AGAINST));
    pen.rectangle(Rectangle { width: foot.width * share, ..foot }, Ink::filled(colours::FOR));
}
