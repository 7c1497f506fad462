//! Elements of zones: cards, dice, chips, pieces, counters and texts.

use super::{
    card::{CARD, card},
    colours,
    drawing::Drawing,
    pen::{Anchor, Ink, Lettering, Pen, Rectangle, width_of},
    piece::piece,
};
use crate::element::{Element, ElementKind, SuitColours};

/// Where the pips of each face of a die stand.
const DIE: [&[(f64, f64)]; 7] = [
    &[],
    &[(0.0, 0.0)],
    &[(-1.0, -1.0), (1.0, 1.0)],
    &[(-1.0, -1.0), (0.0, 0.0), (1.0, 1.0)],
    &[(-1.0, -1.0), (1.0, -1.0), (-1.0, 1.0), (1.0, 1.0)],
    &[(-1.0, -1.0), (1.0, -1.0), (0.0, 0.0), (-1.0, 1.0), (1.0, 1.0)],
    &[(-1.0, -1.0), (1.0, -1.0), (-1.0, 0.0), (1.0, 0.0), (-1.0, 1.0), (1.0, 1.0)],
];

/// What chips are worth, the most first, with their colours.
const CHIPS: [(i64, &str, &str); 5] = [
    (500, "#6a3fa0", "#e8dcf5"),
    (100, "#24272c", "#d9d9d9"),
    (25, "#1f7a46", "#d8f0df"),
    (5, "#b92d2d", "#fbdcdc"),
    (1, "#f4f1ea", "#4a6fa5"),
];

/// Chips of a stack that are drawn.
const STACK_MAX: usize = 8;

/// An element of a zone.
pub(crate) fn element(of: &Element, suits: SuitColours) -> Drawing {
    let mut pen = Pen::default();
    let size = match &of.kind {
        ElementKind::Card(face) => {
            card(&mut pen, face, suits);
            if of.changed {
                let frame = Rectangle { x: 1.5, y: 1.5, width: 57.0, height: 81.0, round: 5.0 };
                pen.rectangle(frame, Ink::outlined("none", colours::GOLD, 3.0));
            }
            CARD
        }
        ElementKind::Die(face) => {
            die(&mut pen, face.as_deref());
            (44.0, 44.0)
        }
        ElementKind::Chips(amount) => return chips(*amount),
        ElementKind::Piece(of) => {
            pen.at(20.0, 20.0, 1.0, |pen| piece(pen, of));
            (40.0, 40.0)
        }
        ElementKind::Counter { title, value } => return pill(&format!("{title} {value}"), of.changed),
        ElementKind::Text(text) => return pill(text, of.changed),
    };
    Drawing { width: size.0, height: size.1, svg: pen.svg }
}

fn die(pen: &mut Pen, face: Option<&str>) {
    let frame = Rectangle { x: 1.0, y: 1.0, width: 42.0, height: 42.0, round: 9.0 };
    let Some(face) = face else {
        pen.rectangle(frame, Ink::outlined(colours::BACK, colours::LACE, 1.5));
        pen.text(22.0, 30.0, Lettering::bold(24.0, colours::CHALK), "?");
        return;
    };
    pen.rectangle(frame, Ink::outlined(colours::PAPER, colours::EDGE, 1.5));
    match face.parse::<usize>().ok().and_then(|face| DIE.get(face)).filter(|pips| !pips.is_empty()) {
        Some(pips) => {
            for (x, y) in pips.iter() {
                pen.circle(22.0 + 11.0 * x, 22.0 + 11.0 * y, 4.2, Ink::filled(colours::INK));
            }
        }
        None => {
            let size = (36.0 / width_of(face, 1.0)).clamp(6.0, 22.0);
            pen.text(22.0, 22.0 + size * 0.36, Lettering::bold(size, colours::INK), face);
        }
    }
}

/// A stack of chips, and what it is worth.
fn chips(amount: i64) -> Drawing {
    let mut stack = Vec::new();
    let mut left = amount.unsigned_abs();
    for (worth, body, edge) in CHIPS {
        let worth = worth.unsigned_abs();
        while left >= worth && stack.len() < STACK_MAX {
            left -= worth;
            stack.push((body, edge));
        }
    }
    let mut pen = Pen::default();
    let text = amount.to_string();
    for ((body, edge), place) in stack.iter().zip(0_u8..) {
        let y = 40.0 - f64::from(place) * 4.2;
        pen.at(18.0, y, 1.0, |pen| {
            pen.path(
                "M-15-2v4c0 4 6.700 6.500 15 6.500S15 6 15 2v-4z",
                Ink::outlined(body, colours::INK, 0.7),
            );
            pen.path("M-8 3.200v4.400M0 4.800v4M8 3.200v4.400", Ink::outlined("none", edge, 2.4));
            pen.path(
                "M15-2c0 4-6.700 6.500-15 6.500S-15 2-15-2-8.300-8.500 0-8.500 15-6 15-2z",
                Ink::outlined(body, colours::INK, 0.7),
            );
            pen.path(
                "M9-2c0 2.300-4 3.800-9 3.800S-9 .3-9-2s4-3.800 9-3.800S9-4.300 9-2z",
                Ink::outlined("none", edge, 1.1),
            );
        });
    }
    pen.text(39.0, 46.0, Lettering::bold(17.0, colours::CHALK).starting(), &text);
    Drawing { width: 44.0 + width_of(&text, 17.0), height: 52.0, svg: pen.svg }
}

/// Words on a pill.
pub(super) fn pill(text: &str, changed: bool) -> Drawing {
    let text: String = crate::cards::short_line(text);
    let width = width_of(&text, 13.0) + 22.0;
    let mut pen = Pen::default();
    let stroke = if changed { colours::GOLD } else { "#6f8a80" };
    let frame = Rectangle { x: 0.5, y: 0.5, width: width - 1.0, height: 25.0, round: 12.5 };
    pen.rectangle(frame, Ink::outlined("#16352b", stroke, 1.0));
    let lettering = Lettering { anchor: Anchor::Middle, ..Lettering::plain(13.0, colours::CHALK) };
    pen.text(width / 2.0, 17.6, lettering, &text);
    Drawing { width, height: 26.0, svg: pen.svg }
}
