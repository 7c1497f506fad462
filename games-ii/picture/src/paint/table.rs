//! The whole table in one drawing: the others above, boards and the middle between, the nearest player below.

use super::{
    board::board,
    colours,
    drawing::Drawing,
    pen::{Ink, Lettering, Pen, Rectangle, escaped, short, width_of},
    things::{element, pill},
};
use crate::{
    cards,
    element::{Arrangement, BoardShape, PlayerElement, SuitColours, Zone},
    picture::Picture,
};

/// Lines of drawings are no wider than this.
const WIDTH_MAX: f64 = 760.0;
/// The edge of the table.
const EDGE: f64 = 22.0;
/// How large things are before players that are not the nearest.
const FAR: f64 = 0.8;

impl Picture {
    /// One drawing in SVG that needs nothing else: no script, no style sheet, no font, no reference to anything. It brings its own
    /// ground, so that it reads on light and on dark pages.
    #[must_use]
    pub fn svg(&self) -> String {
        table(self)
    }
}

/// All of a picture as one SVG.
fn table(picture: &Picture) -> String {
    let nearest = picture.nearest().and_then(|nearest| picture.players.get(nearest));
    let others = picture.others().map(|other| player(other, picture.suits, FAR)).collect();
    let boards: Vec<Drawing> = picture.boards.iter().map(board_with_title).collect();
    let has_points = picture.boards.iter().any(|board| board.shape == BoardShape::PointsDown);
    let boards =
        if has_points { Drawing::above(&boards, 0.0) } else { Drawing::flow(boards, WIDTH_MAX, 26.0) };
    let zones = picture.zones.iter().map(|of| zone(of, picture.suits, 1.0)).collect();
    let drawings = [
        Drawing::flow(others, WIDTH_MAX, 34.0),
        boards,
        Drawing::flow(zones, WIDTH_MAX, 28.0),
        nearest.map(|nearest| player(nearest, picture.suits, 1.0)).unwrap_or_default(),
        Drawing::flow(
            picture.lines.iter().map(|line| element(line, picture.suits)).collect(),
            WIDTH_MAX,
            8.0,
        ),
    ];
    let content = Drawing::above(&drawings, 20.0);
    let (width, height) = (content.width.max(220.0) + 2.0 * EDGE, content.height + 2.0 * EDGE);
    let has_cards = picture.all_zones().next().is_some();
    let mut pen = Pen::default();
    let frame = Rectangle { x: 0.0, y: 0.0, width, height, round: 18.0 };
    pen.rectangle(frame, Ink::filled(if has_cards { colours::FELT } else { colours::SLATE }));
    pen.at((width - content.width) / 2.0, EDGE, 1.0, |pen| pen.svg.push_str(&content.svg));
    let title = escaped(&cards::short_line(&picture.title));
    let size = [width, height].map(short);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" role=\"img\" aria-label=\"{title}\">\
         <title>{title}</title>{2}</svg>",
        size[0], size[1], pen.svg
    )
}

fn board_with_title(of: &crate::element::BoardElement) -> Drawing {
    Drawing::above(&[heading(&of.title), board(of)], 10.0)
}

/// A small title above something.
fn heading(title: &str) -> Drawing {
    if title.is_empty() {
        return Drawing::default();
    }
    let title = cards::short_line(title);
    let mut pen = Pen::default();
    let width = width_of(&title, 12.5);
    pen.text(width / 2.0, 12.0, Lettering::plain(12.5, colours::FAINT), &title);
    Drawing { width, height: 15.0, svg: pen.svg }
}

/// A player: name, stack and marks; what is said; and what lies in front.
fn player(of: &PlayerElement, suits: SuitColours, scale: f64) -> Drawing {
    let zones = of.zones.iter().map(|of| zone(of, suits, scale)).collect();
    let notes = of.notes.iter().map(|note| element(note, suits)).collect();
    let drawings =
        [name_plate(of), Drawing::flow(notes, 340.0, 6.0), Drawing::flow(zones, WIDTH_MAX / 2.0, 16.0)];
    let drawing = Drawing::above(&drawings, 8.0);
    let mut pen = Pen::default();
    let attributes = if of.is_out { "opacity=\"0.55\"" } else { "class=\"player\"" };
    pen.group(attributes, |pen| pen.svg.push_str(&drawing.svg));
    Drawing { svg: pen.svg, ..drawing }
}

fn name_plate(of: &PlayerElement) -> Drawing {
    let name = cards::short(&of.name);
    let stack = of.stack.map(|stack| stack.to_string()).unwrap_or_default();
    let clock = of.clock.as_deref().map(cards::short).unwrap_or_default();
    let (name_width, stack_width) = (width_of(&name, 15.5) * 1.16, width_of(&stack, 14.0));
    let (dot, button) = (if of.is_to_act { 16.0 } else { 0.0 }, if of.has_button { 26.0 } else { 0.0 });
    let stack_room = if stack.is_empty() { 0.0 } else { stack_width + 26.0 };
    let clock_room = if clock.is_empty() { 0.0 } else { width_of(&clock, 13.0) + 12.0 };
    let width = 24.0 + dot + name_width + stack_room + button + clock_room;
    let mut pen = Pen::default();
    let stroke = if of.is_to_act { colours::GOLD } else { "#6f8a80" };
    let frame = Rectangle { x: 1.0, y: 1.0, width: width - 2.0, height: 30.0, round: 15.0 };
    pen.rectangle(frame, Ink::outlined("#10281f", stroke, if of.is_to_act { 2.5 } else { 1.0 }));
    let mut x = 12.0;
    if of.is_to_act {
        pen.path("M12 10.500 20 16 12 21.500z", Ink::filled(colours::GOLD));
        x += dot;
    }
    pen.text(x, 21.4, Lettering::bold(15.5, colours::CHALK).starting(), &name);
    x += name_width;
    if !stack.is_empty() {
        pen.circle(x + 14.0, 16.0, 6.0, Ink::outlined("#b92d2d", "#fbdcdc", 1.6));
        pen.text(x + 24.0, 21.2, Lettering::plain(14.0, colours::CHALK).starting(), &stack);
        x += stack_room;
    }
    if of.has_button {
        pen.circle(x + 16.0, 16.0, 10.0, Ink::outlined(colours::PAPER, colours::INK, 1.0));
        pen.text(x + 16.0, 20.4, Lettering::bold(12.0, colours::INK), "D");
        x += button;
    }
    if !clock.is_empty() {
        pen.text(x + 10.0, 21.0, Lettering::plain(13.0, colours::FAINT).starting(), &clock);
    }
    Drawing { width, height: 32.0, svg: pen.svg }
}

/// A zone with its title, where the title is not plain from what lies there.
fn zone(of: &Zone, suits: SuitColours, scale: f64) -> Drawing {
    let drawings: Vec<Drawing> = of.elements.iter().map(|of| element(of, suits)).collect();
    let lies = match of.arrangement {
        Arrangement::Pile => pile(&drawings),
        Arrangement::Column => Drawing::above(&drawings, 6.0),
        Arrangement::Row if drawings.len() > 8 => overlapping(&drawings),
        Arrangement::Row => Drawing::flow(drawings, WIDTH_MAX, 6.0),
    };
    Drawing::above(&[heading(of.shown_title()), lies.scaled(scale)], 5.0)
}

/// Drawings upon each other: the last on top, the thickness of the others below, and how many there are.
fn pile(drawings: &[Drawing]) -> Drawing {
    let Some(top) = drawings.last() else { return Drawing::default() };
    let mut pen = Pen::default();
    let depth = f64::from(u8::try_from(drawings.len().saturating_sub(1).min(6)).unwrap_or(0)) * 1.6;
    for below in (1..=drawings.len().saturating_sub(1).min(6)).rev() {
        let shift = depth - f64::from(u8::try_from(below).unwrap_or(0)) * 1.6;
        pen.at(shift, shift, 1.0, |pen| pen.svg.push_str(&drawings[drawings.len() - 1 - below].svg));
    }
    pen.at(depth, depth, 1.0, |pen| pen.svg.push_str(&top.svg));
    let pile = Drawing { width: top.width + depth, height: top.height + depth, svg: pen.svg };
    match drawings.len() {
        0 | 1 => pile,
        count => Drawing::beside(&[pile, pill(&format!("× {count}"), false)], 6.0),
    }
}

/// Many cards side by side, each upon the one before.
fn overlapping(drawings: &[Drawing]) -> Drawing {
    let mut pen = Pen::default();
    let (mut x, mut height, mut width) = (0.0, 0.0_f64, 0.0);
    for drawing in drawings {
        pen.at(x, 0.0, 1.0, |pen| pen.svg.push_str(&drawing.svg));
        width = x + drawing.width;
        height = height.max(drawing.height);
        x += drawing.width * 0.45;
    }
    Drawing { width, height, svg: pen.svg }
}
