//! Playing cards: an index in two corners; pips, a large suit or a letter in the middle; and backs.

use super::{
    colours,
    pen::{Ink, Lettering, Pen, Rectangle, width_of},
    suit::{SuitInk, suit},
};
use crate::element::{CardFace, PieceColour, SuitColours};

/// Width and height of a card.
pub(crate) const CARD: (f64, f64) = (60.0, 84.0);

/// Where the pips of each number stand: column (-1 to 1) and height of each above the middle (-1 to 1).
const PIPS: [&[(f64, f64)]; 11] = [
    &[],
    &[],
    &[(0.0, -1.0), (0.0, 1.0)],
    &[(0.0, -1.0), (0.0, 0.0), (0.0, 1.0)],
    &[(-1.0, -1.0), (1.0, -1.0), (-1.0, 1.0), (1.0, 1.0)],
    &[(-1.0, -1.0), (1.0, -1.0), (0.0, 0.0), (-1.0, 1.0), (1.0, 1.0)],
    &[(-1.0, -1.0), (1.0, -1.0), (-1.0, 0.0), (1.0, 0.0), (-1.0, 1.0), (1.0, 1.0)],
    &[(-1.0, -1.0), (1.0, -1.0), (0.0, -0.5), (-1.0, 0.0), (1.0, 0.0), (-1.0, 1.0), (1.0, 1.0)],
    &[(-1.0, -1.0), (1.0, -1.0), (0.0, -0.5), (-1.0, 0.0), (1.0, 0.0), (0.0, 0.5), (-1.0, 1.0), (1.0, 1.0)],
    &[
        (-1.0, -1.0),
        (1.0, -1.0),
        (-1.0, -0.33),
        (1.0, -0.33),
        (0.0, 0.0),
        (-1.0, 0.33),
        (1.0, 0.33),
        (-1.0, 1.0),
        (1.0, 1.0),
    ],
    &[
        (-1.0, -1.0),
        (1.0, -1.0),
        (0.0, -0.66),
        (-1.0, -0.33),
        (1.0, -0.33),
        (-1.0, 0.33),
        (1.0, 0.33),
        (0.0, 0.66),
        (-1.0, 1.0),
        (1.0, 1.0),
    ],
];

/// A card with its upper left corner at the origin.
pub(crate) fn card(pen: &mut Pen, face: &CardFace, suits: SuitColours) {
    match face {
        CardFace::Back => back(pen),
        CardFace::Suited { rank, suit } => {
            paper(pen);
            let of = SuitInk { suit: *suit, colour: colours::suit(*suit, suits) };
            corner(pen, rank, &of);
            pen.group("transform=\"rotate(180 30 42)\"", |pen| corner(pen, rank, &of));
            middle(pen, rank, &of);
        }
        CardFace::Words { text, colour } => words(pen, text, *colour),
    }
}

fn paper(pen: &mut Pen) {
    let frame = Rectangle { x: 0.5, y: 0.5, width: 59.0, height: 83.0, round: 5.5 };
    pen.rectangle(frame, Ink::outlined(colours::PAPER, colours::EDGE, 1.0));
}

fn corner(pen: &mut Pen, rank: &str, of: &SuitInk) {
    let size = if rank.chars().count() > 1 { 12.5 } else { 16.0 };
    pen.text(9.8, 17.0, Lettering::bold(size, of.colour), rank);
    suit(pen, 9.8, 26.0, 10.5, of);
}

fn middle(pen: &mut Pen, rank: &str, of: &SuitInk) {
    let pips = rank.parse::<usize>().ok().and_then(|number| PIPS.get(number)).filter(|pips| !pips.is_empty());
    match pips {
        Some(pips) => {
            for (column, height) in pips.iter() {
                let (x, y) = (30.0 + 9.6 * column, 42.0 + 27.0 * height);
                let turn =
                    if *height > 0.0 { format!("transform=\"rotate(180 {x} {y})\"") } else { String::new() };
                match turn.is_empty() {
                    true => suit(pen, x, y, 11.5, of),
                    false => pen.group(&turn, |pen| suit(pen, x, y, 11.5, of)),
                }
            }
        }
        None if ["J", "Q", "K"].contains(&rank) => court(pen, rank, of),
        None => suit(pen, 30.0, 42.0, 30.0, of),
    }
}

/// A court card: its sign of office above its suit, in a frame.
fn court(pen: &mut Pen, rank: &str, of: &SuitInk) {
    let frame = Rectangle { x: 17.5, y: 12.0, width: 25.0, height: 60.0, round: 3.0 };
    pen.rectangle(frame, Ink::outlined("#f6edd8", of.colour, 0.9));
    let crown = match rank {
        "K" => "M21 34 V24 l4.5 4.5 L30 21 l4.5 7.5 L39 24 V34z M21 36.5 h18",
        "Q" => "M21.5 33 l-1-8.5 5 4 4.5-7 4.5 7 5-4-1 8.5 q-8.5 3-17 0z M22 36.5 q8 2.5 16 0",
        _ => "M21 35 q0-10 9-12.5 q7-1.5 9-6 q1.5 7-3 10 q3 3.5 3 8.500z M21 37 h18",
    };
    pen.path(crown, Ink::outlined("#e9b949", of.colour, 1.2));
    suit(pen, 30.0, 54.0, 21.0, of);
}

fn back(pen: &mut Pen) {
    paper(pen);
    let frame = Rectangle { x: 4.0, y: 4.0, width: 52.0, height: 76.0, round: 3.5 };
    pen.rectangle(frame, Ink::filled(colours::BACK));
    let lace = "M4 17 17 4M4 30 30 4M4 43 43 4M4 56 56 4M4 69 56 17M6 80 56 30M19 80 56 43M32 80 56 56M45 80 56 69M43 4 56 17M30 4 56 30M17 4 56 43M4 4 56 56M4 17 56 69M4 30 54 80M4 43 41 80M4 56 28 80M4 69 15 80";
    pen.strokes(lace, colours::LACE, 0.8);
    pen.rectangle(
        Rectangle { x: 20.0, y: 30.0, width: 20.0, height: 24.0, round: 10.0 },
        Ink::outlined(colours::BACK, colours::LACE, 1.2),
    );
    pen.path("M30 35.5 34.800 42 30 48.500 25.200 42z", Ink::filled(colours::LACE));
}

/// A card with words: short ones as an index and large in the middle, longer ones in lines.
fn words(pen: &mut Pen, text: &str, colour: PieceColour) {
    paper(pen);
    let ink = match colour {
        PieceColour::White | PieceColour::Yellow => "#8a6d00",
        colour => colours::body(colour),
    };
    let band = Rectangle { x: 4.0, y: 4.0, width: 52.0, height: 76.0, round: 3.5 };
    if colour != PieceColour::Black {
        pen.rectangle(band, Ink::outlined(colours::PAPER, colours::body(colour), 2.5));
    }
    if text.chars().count() <= 2 {
        pen.text(30.0, 53.0, Lettering::bold(32.0, ink), text);
        pen.text(11.0, 18.5, Lettering::bold(12.0, ink), text);
        pen.group("transform=\"rotate(180 30 42)\"", |pen| {
            pen.text(11.0, 18.5, Lettering::bold(12.0, ink), text);
        });
        return;
    }
    let lines: Vec<&str> = text.split(' ').filter(|line| !line.is_empty()).take(4).collect();
    let widest = lines.iter().map(|line| width_of(line, 13.0)).fold(1.0, f64::max);
    let size = (13.0 * 50.0 / widest).clamp(6.0, 14.0);
    for (line, number) in lines.iter().zip(0_u8..) {
        let count = f64::from(u8::try_from(lines.len()).unwrap_or(1));
        let y = 42.0 + size * 0.35 + (f64::from(number) - (count - 1.0) / 2.0) * size * 1.25;
        pen.text(30.0, y, Lettering::bold(size, ink), line);
    }
}
