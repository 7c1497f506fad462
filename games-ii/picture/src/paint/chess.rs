//! The pieces of chess, each in a box of 45 by 45.

use super::{
    colours,
    pen::{Ink, Pen},
};
use crate::element::{PieceColour, PieceShape};

const BASE: &str = "M11 40.500v-2.600c0-1.200 1-2 2.200-2h18.600c1.200 0 2.200.8 2.200 2v2.600z";

/// The outline of a piece above its base.
fn outline(shape: PieceShape) -> &'static str {
    match shape {
        PieceShape::Pawn => {
            "M22.500 9a5.600 5.600 0 0 0-4.100 9.400c-1.400.7-2.300 1.700-2.300 3.100h3.400c0 6-1.500 10.500-5 14.400h16c-3.500-3.900-5-8.400-5-14.400h3.400c0-1.400-.9-2.400-2.300-3.100A5.600 5.600 0 0 0 22.500 9z"
        }
        PieceShape::Rook => {
            "M12.500 8v8.500l3 3L14 35.900h17L29.500 19.500l3-3V8h-4.700v3.600h-3V8h-4.600v3.600h-3V8z"
        }
        PieceShape::Knight => {
            "M14.500 35.900c0-6.400 6.800-8.300 7.200-14.300-2 1.600-4.200 2-5.600 2.600-1 2-2.200 3.300-4.100 3.500-2.200.2-3.400-2-2.600-4 1.200-3 3.300-5.200 4.300-8.500.6-2 1.700-3.500 3.300-4.700L16.600 6l5 2.800c8.400.3 12.400 7.500 12.400 16 0 4.500-.8 8-1 11.100z"
        }
        PieceShape::Bishop => {
            "M22.500 4.800a2.700 2.700 0 0 0-1.700 4.800c-4.700 3.900-7.500 8.300-7.500 12.700 0 3.500 2 5.900 4.400 7.300L16.200 35.900h12.600l-1.500-6.300c2.400-1.400 4.400-3.800 4.400-7.300 0-4.400-2.800-8.800-7.500-12.700a2.700 2.700 0 0 0-1.700-4.800z"
        }
        PieceShape::Queen => {
            "M8 11.500a2.300 2.300 0 1 0 .9 4.500L13.500 35.900h18L36.100 16a2.300 2.300 0 1 0-2.200-1.300L29 24.500 28.300 12a2.300 2.300 0 1 0-2.400-.3L22.500 23.500 19.100 11.700a2.300 2.300 0 1 0-2.400.3L16 24.500l-4.900-9.800A2.300 2.300 0 0 0 8 11.500z"
        }
        _ => {
            "M21 3.500v3h-3v3h3v4.100c-2 .6-3 2.300-3.200 4.300-4.600-3-11.300-1-11.300 5 0 4.800 5.700 7.500 7 13h18c1.300-5.500 7-8.200 7-13 0-6-6.700-8-11.300-5-.2-2-1.200-3.700-3.200-4.300V9.500h3v-3h-3v-3z"
        }
    }
}

/// Lines inside the outline.
fn details(shape: PieceShape) -> &'static str {
    match shape {
        PieceShape::Rook => "M15.500 19.500h14",
        PieceShape::Knight => "M18.300 15.200h.1M24 12c4.500 2 6 7 5.800 12",
        PieceShape::Bishop => "M22.500 16v7.500M19 19.500h7",
        PieceShape::Queen => "M14 32.500q8.500-2.500 17 0",
        PieceShape::King => "M14.500 32.500q8-2.500 16 0M22.500 19v9",
        _ => "",
    }
}

/// A piece of chess.
pub(super) fn chess(pen: &mut Pen, shape: PieceShape, colour: PieceColour) {
    let ink = Ink::outlined(colours::body(colour), colours::outline(colour), 1.4);
    pen.path(outline(shape), ink);
    pen.path(BASE, ink);
    if !details(shape).is_empty() {
        let line =
            if colour == PieceColour::White { colours::outline(colour) } else { colours::mark(colour) };
        pen.strokes(details(shape), line, 1.5);
    }
}
