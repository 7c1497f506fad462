//! Everything else that is not certain, as bars: the likeliest first.

use super::words::percent;
use crate::{
    cards,
    paint::{Drawing, Ink, Lettering, Pen, Rectangle, colours, escaped, width_of},
};

/// Bars that are drawn, at most; others are only counted.
pub(super) const BARS_MAX: usize = 24;

/// The height of a bar with its room, and the length of the longest.
const ROW: f64 = 21.0;
const LENGTH: f64 = 150.0;

/// Bars with their words.
pub(super) fn bars(lines: &[(String, f64)]) -> Drawing {
    let shown = &lines[..lines.len().min(BARS_MAX)];
    let texts: Vec<String> = shown.iter().map(|(words, _)| cards::short_line(words)).collect();
    let wide = texts.iter().map(|text| width_of(text, 12.5)).fold(0.0, f64::max);
    let mut pen = Pen::default();
    for (number, ((_, share), words)) in (0_u16..).zip(shown.iter().zip(&texts)) {
        pen.at(0.0, f64::from(number) * ROW, 1.0, |pen| {
            pen.svg.push_str(&format!("<title>{}: {}</title>", escaped(words), percent(*share)));
            let frame = Rectangle { x: 0.0, y: 4.0, width: LENGTH, height: 12.0, round: 3.0 };
            pen.rectangle(frame, Ink::filled("#4a5b66"));
            pen.rectangle(Rectangle { width: (LENGTH * share).max(1.5), ..frame }, Ink::filled("#e2572b"));
            pen.text(LENGTH + 28.0, 14.5, Lettering::plain(11.5, colours::CHALK), &percent(*share));
            pen.text(LENGTH + 60.0, 14.5, Lettering::plain(12.5, colours::CHALK).starting(), words);
        });
    }
    let rows = u16::try_from(shown.len()).unwrap_or(u16::MAX);
    Drawing { width: LENGTH + 64.0 + wide, height: f64::from(rows) * ROW, svg: pen.svg }
}
