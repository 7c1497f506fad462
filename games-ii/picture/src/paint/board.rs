//! Boards: squares, hexagons, points and holes, with what stands there.

use super::{
    colours,
    drawing::Drawing,
    pen::{Ink, Lettering, Pen, Rectangle, escaped, short},
    piece::{disc, piece},
};
use crate::element::{BoardElement, BoardPiece, BoardShape, BoardSquare};

/// The side of a square.
const SIDE: f64 = 46.0;
/// The room for names beside a board.
const MARGIN: f64 = 20.0;
/// How long a point of backgammon is.
const POINT: f64 = 172.0;
/// How many checkers of a point are seen; more are counted.
const CHECKERS_MAX: u32 = 5;
/// The half of a hexagon that is as wide as a square is, and its height.
const HALF: f64 = SIDE / 2.0;
const CORNER: f64 = SIDE * 0.577;

/// A board with the names of its columns and rows.
pub(crate) fn board(board: &BoardElement) -> Drawing {
    match board.shape {
        BoardShape::PointsDown | BoardShape::PointsUp => points(board),
        _ => grid(board),
    }
}

/// A small number as a coordinate.
fn number(index: usize) -> f64 {
    f64::from(u16::try_from(index).unwrap_or(u16::MAX))
}

/// Where the middle of a square is in the drawing of a board.
fn centre(shape: BoardShape, row: usize, column: usize) -> (f64, f64) {
    match shape {
        BoardShape::Hexagons => {
            let shift = number(row) * HALF;
            (MARGIN + shift + number(column) * SIDE + HALF, number(row) * CORNER * 1.5 + CORNER)
        }
        _ => (MARGIN + number(column) * SIDE + HALF, number(row) * SIDE + HALF),
    }
}

/// Where the middle of a square is in the drawing of a board; `None` for the points of backgammon, which are no squares.
pub(crate) fn centre_of(board: &BoardElement, row: usize, column: usize) -> Option<(f64, f64)> {
    let has_squares = !matches!(board.shape, BoardShape::PointsDown | BoardShape::PointsUp);
    has_squares.then(|| centre(board.shape, row, column))
}

/// How wide a square is.
pub(crate) const fn square_side() -> f64 {
    SIDE
}

/// Attributes of the group of a square.
fn marks(square: &BoardSquare) -> String {
    let changed = if square.changed { " is-changed" } else { "" };
    let id = &square.id;
    let label = escaped(&square.label);
    format!("id=\"{id}\" class=\"square{changed}\" data-element=\"{id}\" role=\"img\" aria-label=\"{label}\"")
}

fn grid(board: &BoardElement) -> Drawing {
    let is_hexagonal = board.shape == BoardShape::Hexagons;
    let (columns, rows) = (number(board.columns.len()), number(board.rows.len()));
    let step = if is_hexagonal { CORNER * 1.5 } else { SIDE };
    let shifted = if is_hexagonal { HALF * (rows - 1.0) } else { 0.0 };
    let (width, height) =
        (columns * SIDE + shifted, if is_hexagonal { step * rows + CORNER / 2.0 } else { step * rows });
    let mut pen = Pen::default();
    let frame = Rectangle { x: MARGIN - 4.0, y: -4.0, width: width + 8.0, height: height + 8.0, round: 6.0 };
    match board.shape {
        BoardShape::Holes => pen.rectangle(frame, Ink::filled(colours::FRAME)),
        BoardShape::Hexagons => {}
        _ => pen.rectangle(frame, Ink::filled(colours::LINE)),
    }
    for (row, squares) in board.squares.iter().enumerate() {
        for (column, square) in squares.iter().enumerate() {
            let (x, y) = centre(board.shape, row, column);
            let is_dark = (row + column) % 2 == 1;
            pen.group(&marks(square), |pen| {
                pen.at(x, y, 1.0, |pen| {
                    ground(pen, board.shape, is_dark, square);
                    stack(pen, square);
                });
            });
        }
    }
    let names = Lettering::plain(12.0, colours::FAINT);
    for (row, name) in board.rows.iter().enumerate() {
        let (x, y) = if is_hexagonal {
            (MARGIN + number(row) * HALF - 10.0, CORNER)
        } else {
            (MARGIN / 2.0 - 2.0, HALF)
        };
        pen.text(x, number(row) * step + y + 4.0, names, name);
    }
    for (column, name) in board.columns.iter().enumerate() {
        let x = MARGIN + shifted + number(column) * SIDE + if is_hexagonal { HALF * 1.6 } else { HALF };
        pen.text(x, height + 18.0, names, name);
    }
    Drawing { width: width + MARGIN + 12.0, height: height + 24.0, svg: pen.svg }
}

/// The square itself.
fn ground(pen: &mut Pen, shape: BoardShape, is_dark: bool, square: &BoardSquare) {
    let fill = match shape {
        _ if square.is_open && square.pieces.is_empty() => colours::FOG,
        BoardShape::Chequered if is_dark => colours::DARK,
        BoardShape::Holes => colours::FRAME,
        _ => colours::LIGHT,
    };
    let changed =
        |ink: Ink| if square.changed { Ink { stroke: colours::GOLD, width: 3.5, ..ink } } else { ink };
    match shape {
        BoardShape::Hexagons => {
            let [half, corner, side] = [HALF - 0.8, CORNER - 0.8, CORNER / 2.0].map(short);
            let data = format!("M0-{corner} {half}-{side}V{side}L0 {corner}-{half} {side}V-{side}z");
            pen.path(&data, changed(Ink::outlined(fill, colours::LINE, 1.6)));
        }
        BoardShape::Holes => {
            pen.rectangle(
                Rectangle { x: -HALF, y: -HALF, width: SIDE, height: SIDE, round: 0.0 },
                Ink::filled(fill),
            );
            let hole = if square.is_open { colours::FOG } else { colours::SLATE };
            pen.circle(0.0, 0.0, 18.0, changed(Ink::outlined(hole, "#234d8a", 1.5)));
        }
        _ => {
            let side = SIDE - if shape == BoardShape::Chequered { 0.0 } else { 1.5 };
            let frame = Rectangle { x: -side / 2.0, y: -side / 2.0, width: side, height: side, round: 0.0 };
            pen.rectangle(frame, Ink::filled(fill));
            if square.changed {
                let frame = Rectangle {
                    x: frame.x + 2.0,
                    y: frame.y + 2.0,
                    width: side - 4.0,
                    height: side - 4.0,
                    round: 2.0,
                };
                pen.rectangle(frame, changed(Ink::filled("none")));
            }
        }
    }
}

/// What stands in a square.
fn stack(pen: &mut Pen, square: &BoardSquare) {
    match square.pieces.as_slice() {
        [] => {}
        [only] => piece(pen, only),
        pieces => {
            // Those below are seen behind the last.
            for (index, below) in pieces.iter().enumerate() {
                let shift = if index + 1 == pieces.len() { 0.0 } else { -2.0 };
                pen.at(shift, shift, 1.0, |pen| piece(pen, below));
            }
        }
    }
    if square.is_open {
        let (x, y, size) = if square.pieces.is_empty() { (0.0, 7.0, 20.0) } else { (15.0, -9.0, 13.0) };
        pen.text(x, y, Lettering::bold(size, colours::INK), "?");
    }
}

/// Half a board of backgammon: each column is a point, with a bar in the middle.
fn points(board: &BoardElement) -> Drawing {
    let is_down = board.shape == BoardShape::PointsDown;
    let width = number(board.columns.len()) * SIDE + SIDE * 0.6;
    let height = POINT + 24.0;
    let mut pen = Pen::default();
    let top = if is_down { MARGIN } else { 0.0 };
    pen.rectangle(
        Rectangle { x: 0.0, y: top, width: width + 12.0, height: height + 4.0, round: 4.0 },
        Ink::filled(colours::LINE),
    );
    pen.rectangle(
        Rectangle {
            x: 6.0,
            y: top + if is_down { 6.0 } else { 0.0 },
            width,
            height: height - 2.0,
            round: 0.0,
        },
        Ink::filled(colours::LIGHT),
    );
    let half = board.columns.len() / 2;
    let bar = Rectangle {
        x: 6.0 + number(half) * SIDE,
        y: top,
        width: SIDE * 0.6,
        height: height + 4.0,
        round: 0.0,
    };
    pen.rectangle(bar, Ink::filled(colours::LINE));
    for (row, squares) in board.squares.iter().enumerate() {
        for (column, square) in squares.iter().enumerate().take_while(|_| row == 0) {
            let x = 6.0 + number(column) * SIDE + if column >= half { SIDE * 0.6 } else { 0.0 };
            let edge = if is_down { top + 6.0 } else { top + height - 2.0 };
            let way = if is_down { 1.0 } else { -1.0 };
            pen.group(&marks(square), |pen| {
                let fill = if column % 2 == usize::from(is_down) { "#8f4a3a" } else { colours::DARK };
                let tip = short(edge + way * POINT);
                let data = format!(
                    "M{} {}H{}L{} {tip}z",
                    short(x + 2.0),
                    short(edge),
                    short(x + SIDE - 2.0),
                    short(x + HALF)
                );
                let ink = Ink { stroke: colours::GOLD, width: if square.changed { 3.0 } else { 0.0 }, fill };
                pen.path(&data, ink);
                checkers(pen, x + HALF, edge, way, square.pieces.last());
            });
            let y = if is_down { MARGIN - 6.0 } else { top + height + 17.0 };
            pen.text(x + HALF, y, Lettering::plain(12.0, colours::FAINT), &board.columns[column]);
        }
    }
    Drawing { width: width + 12.0, height: height + 4.0 + MARGIN, svg: pen.svg }
}

/// The checkers of a point, from its edge on.
fn checkers(pen: &mut Pen, x: f64, edge: f64, way: f64, piece: Option<&BoardPiece>) {
    let Some(piece) = piece else { return };
    for place in 0..piece.count.min(CHECKERS_MAX) {
        let y = edge + way * (17.5 + 33.0 * f64::from(place));
        pen.at(x, y, 1.0, |pen| {
            disc(pen, piece.colour);
            if place + 1 == CHECKERS_MAX && piece.count > CHECKERS_MAX {
                pen.text(
                    0.0,
                    5.5,
                    Lettering::bold(15.0, colours::mark(piece.colour)),
                    &piece.count.to_string(),
                );
            }
        });
    }
}
