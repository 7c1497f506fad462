//! The four suits as shapes, so that they look the same with any font.

use super::pen::{Ink, Pen};
use crate::element::Suit;

/// In a box of 20 by 20.
fn outline(suit: Suit) -> &'static str {
    match suit {
        Suit::Spades => {
            "M10 .8C12.8 5.4 18.8 8.6 18.8 12.7c0 2.5-1.9 4-4 4-1.5 0-2.9-.7-3.8-1.9.2 1.9 1 3.3 2.6 4.4H6.4c1.6-1.1 2.4-2.5 2.6-4.4-.9 1.2-2.3 1.9-3.8 1.9-2.1 0-4-1.5-4-4C1.2 8.6 7.2 5.4 10 .8z"
        }
        Suit::Hearts => {
            "M10 19C3.6 13 1 9.7 1 6.3 1 3.4 3.2 1.3 5.7 1.3c1.9 0 3.5 1.1 4.3 3 .8-1.9 2.4-3 4.3-3C16.8 1.3 19 3.4 19 6.3 19 9.7 16.4 13 10 19z"
        }
        Suit::Diamonds => {
            "M10 .8C11.9 4.2 14.3 7.4 17.2 10 14.3 12.6 11.9 15.8 10 19.2 8.1 15.8 5.7 12.6 2.8 10 5.7 7.4 8.1 4.2 10 .8z"
        }
        Suit::Clubs => {
            "M10 .9a4.3 4.3 0 0 1 3.2 7.2 4.3 4.3 0 1 1-2 6.9c.2 1.9 1 3.2 2.4 4.2H6.4c1.4-1 2.2-2.3 2.4-4.2a4.3 4.3 0 1 1-2-6.9A4.3 4.3 0 0 1 10 .9z"
        }
    }
}

/// A suit in a box of this size with its middle here.
pub(super) fn suit(pen: &mut Pen, x: f64, y: f64, size: f64, of: &SuitInk) {
    pen.at(x - size / 2.0, y - size / 2.0, size / 20.0, |pen| {
        pen.path(outline(of.suit), Ink::filled(of.colour))
    });
}

/// A suit and its colour.
#[derive(Clone, Copy, Debug)]
pub(super) struct SuitInk {
    pub(super) suit: Suit,
    pub(super) colour: &'static str,
}
