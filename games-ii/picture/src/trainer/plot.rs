//! The entropy of a belief by turn.

use super::view::figure;
use crate::paint::{Drawing, Ink, Lettering, Pen, Rectangle, colours, short};

/// The size of the plot without its names.
const WIDTH: f64 = 360.0;
const HEIGHT: f64 = 96.0;
/// The room for numbers on the left and below.
const LEFT: f64 = 40.0;
const BELOW: f64 = 22.0;

/// What stands above the plot.
pub(super) const TITLE: &str = "Bits unknown by turn";

/// The plot with what stands above it, in HTML; `None` if it would be a single point, or nothing was ever unknown.
pub(super) fn entropy_figure(bits: &[f64]) -> Option<String> {
    let is_telling = bits.len() > 1 && bits.iter().any(|&bits| bits > 0.0);
    is_telling.then(|| figure(TITLE, &entropy_label(bits), &entropy_plot(bits)))
}

/// What the plot of these bits shows, for people who hear it.
pub(super) fn entropy_label(bits: &[f64]) -> String {
    let now = bits.last().copied().unwrap_or_default();
    let most = bits.iter().copied().fold(0.0, f64::max);
    format!("What is not known, in bits by turn: {now:.2} now, {most:.2} at most")
}

/// A line of steps: what was not known before each turn.
pub(super) fn entropy_plot(bits: &[f64]) -> Drawing {
    let most = bits.iter().copied().fold(1.0, f64::max);
    let turns = bits.len().max(2) as f64 - 1.0;
    let (at, height_of) =
        (|turn: usize| LEFT + WIDTH * turn as f64 / turns, |bits: f64| 6.0 + HEIGHT * (1.0 - bits / most));
    let mut pen = Pen::default();
    let frame = Rectangle { x: LEFT, y: 6.0, width: WIDTH, height: HEIGHT, round: 0.0 };
    pen.rectangle(frame, Ink::outlined("#26343d", "#6f8a80", 1.0));
    let faint = Lettering::plain(11.0, colours::FAINT);
    pen.text(LEFT / 2.0, 14.0, faint, &short(most));
    pen.text(LEFT / 2.0, HEIGHT + 6.0, faint, "0");
    pen.text(LEFT, HEIGHT + BELOW, faint, "0");
    let last = bits.len().saturating_sub(1);
    pen.text(LEFT + WIDTH / 2.0, HEIGHT + BELOW, faint, "turn");
    pen.text(LEFT + WIDTH, HEIGHT + BELOW, faint, &last.to_string());
    let points = bits.iter().enumerate().map(|(turn, &bits)| {
        let way = if turn == 0 { "M" } else { "L" };
        format!("{way}{} {}", short(at(turn)), short(height_of(bits)))
    });
    pen.strokes(&points.collect::<String>(), colours::GOLD, 2.0);
    if let Some(&now) = bits.last() {
        pen.circle(at(last), height_of(now), 3.5, Ink::filled(colours::GOLD));
    }
    Drawing { width: LEFT + WIDTH + 14.0, height: HEIGHT + BELOW + 6.0, svg: pen.svg }
}
