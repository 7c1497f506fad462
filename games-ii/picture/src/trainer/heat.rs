//! Pieces on the squares where they may stand.

use std::collections::BTreeMap;

use croupier_games::{BoardLook, FactSquare, GameFacts, LikelyFact, TableLayout};

use super::words::percent;
use crate::{
    element::BoardElement,
    paint::{
        Drawing, Ink, Lettering, Pen, Rectangle, board, centre_of, colours, escaped, short, square_side,
    },
    picture::Picture,
};

/// A board and how likely each kind of piece stands where on it.
#[derive(Clone, Debug, PartialEq)]
pub struct HeatBoard {
    /// The board as it is known.
    pub board: BoardElement,
    /// One for each kind of piece that is hidden.
    pub maps: Vec<HeatMap>,
}

/// Where a kind of piece may stand.
#[derive(Clone, Debug, PartialEq)]
pub struct HeatMap {
    /// What stands there, in the words of the board.
    pub piece: String,
    /// By row and column of the board as it is seen: how likely one stands there, or if several may, how many on average.
    pub shares: BTreeMap<(usize, usize), f64>,
}

/// Lays a colour over a rectangle, the stronger the nearer `heat` is to 1.
pub(super) fn shade(pen: &mut Pen, frame: Rectangle, heat: f64) {
    // Little must still be told from nothing.
    let opacity = short(0.08 + 0.82 * heat.clamp(0.0, 1.0).sqrt());
    pen.group(&format!("class=\"heat\" fill-opacity=\"{opacity}\""), |pen| {
        pen.rectangle(frame, Ink::filled("#e2572b"));
    });
}

/// Shares by square.
type SquareShares = BTreeMap<(usize, usize), f64>;

/// The boards of a picture on which something is hidden. What is told like this is taken out of `uncertain`.
pub(super) fn heat_boards(
    facts: &GameFacts,
    layout: &TableLayout,
    picture: &Picture,
    uncertain: &mut Vec<&LikelyFact>,
) -> Vec<HeatBoard> {
    // Boards that are not drawn have no element.
    let drawn: Vec<usize> =
        (0..layout.boards.len()).filter(|&number| layout.boards[number].look != BoardLook::None).collect();
    let mut boards: BTreeMap<usize, BTreeMap<String, SquareShares>> = BTreeMap::new();
    uncertain.retain(|likely| {
        let place = facts.square_of(&likely.fact).and_then(|square| {
            let place = drawn.iter().position(|&number| number == square.board)?;
            let board = picture.boards.get(place)?;
            centre_of(board, 0, 0)?;
            Some((place, seen(board, &square), square.words))
        });
        let Some((place, at, words)) = place else { return true };
        *boards.entry(place).or_default().entry(words).or_default().entry(at).or_default() +=
            likely.probability;
        false
    });
    let heat = |(place, maps): (usize, BTreeMap<String, SquareShares>)| HeatBoard {
        board: picture.boards[place].clone(),
        maps: maps.into_iter().map(|(piece, shares)| HeatMap { piece, shares }).collect(),
    };
    boards.into_iter().map(heat).collect()
}

/// Row and column as they are seen.
fn seen(board: &BoardElement, square: &FactSquare) -> (usize, usize) {
    match board.is_turned {
        true => (
            board.rows.len().saturating_sub(square.row + 1),
            board.columns.len().saturating_sub(square.column + 1),
        ),
        false => (square.row, square.column),
    }
}

impl HeatMap {
    /// What it shows, for people who hear it: the likeliest squares.
    #[must_use]
    pub fn label(&self, of: &BoardElement) -> String {
        let mut shares: Vec<(&(usize, usize), &f64)> = self.shares.iter().collect();
        shares.sort_by(|(_, one), (_, other)| other.total_cmp(one));
        let said = shares.iter().take(5).map(|&(&(row, column), &share)| {
            let name = |names: &[String], place: usize| names.get(place).cloned().unwrap_or_default();
            format!("{}{} {}", name(&of.columns, column), name(&of.rows, row), percent(share))
        });
        format!("where {} may be: {}", self.piece, said.collect::<Vec<_>>().join(", "))
    }

    pub(crate) fn drawing(&self, of: &BoardElement) -> Drawing {
        // The ids of the table's own board must stay unique in the page.
        let mut bare = of.clone();
        let squares = bare.squares.iter_mut().flatten();
        squares.for_each(|square| (square.changed, square.is_open) = (false, false));
        let ground = board(&bare);
        let mut pen = Pen { svg: without_ids(&ground.svg) };
        let (side, most) = (square_side(), self.shares.values().copied().fold(0.0, f64::max));
        for (&(row, column), &share) in &self.shares {
            let Some((x, y)) = centre_of(of, row, column) else { continue };
            pen.at(x, y, 1.0, |pen| {
                pen.svg.push_str(&format!("<title>{}: {}</title>", escaped(&self.piece), percent(share)));
                let frame =
                    Rectangle { x: -side / 2.0, y: -side / 2.0, width: side, height: side, round: 0.0 };
                shade(pen, frame, share / most.max(1.0));
                pen.text(
                    0.0,
                    18.0,
                    Lettering::bold(11.0, colours::INK),
                    percent(share).trim_end_matches(" %"),
                );
            });
        }
        Drawing { svg: pen.svg, ..ground }
    }
}

/// The same drawing without ids and without what is for touching: a second drawing of a board in a page.
fn without_ids(svg: &str) -> String {
    let mut text = svg.to_owned();
    for attribute in [" data-element=\"", "id=\""] {
        let mut rest = std::mem::take(&mut text);
        while let Some(start) = rest.find(attribute) {
            let value = start + attribute.len();
            let Some(end) = rest[value..].find('"').map(|end| value + end + 1) else { break };
            text.push_str(&rest[..start]);
            rest.drain(..end);
        }
        text.push_str(&rest);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::without_ids;

    #[test]
    fn a_second_drawing_has_no_ids() {
        let svg = "<g id=\"p-1\" class=\"square\" data-element=\"p-1\" role=\"img\"><path d=\"M0 0\"/></g>";
        assert_eq!(without_ids(svg), "<g  class=\"square\" role=\"img\"><path d=\"M0 0\"/></g>");
    }
}
