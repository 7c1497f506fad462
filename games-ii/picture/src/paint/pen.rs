//! The pen that writes SVG.

use std::fmt::Write as _;

/// SVG while it is written.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pen {
    pub(crate) svg: String,
}

/// How a shape is filled and outlined.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ink {
    pub(crate) fill: &'static str,
    pub(crate) stroke: &'static str,
    /// Of the outline, 0 for none.
    pub(crate) width: f64,
}

/// How text is written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lettering {
    pub(crate) size: f64,
    pub(crate) fill: &'static str,
    pub(crate) is_bold: bool,
    pub(crate) anchor: Anchor,
}

/// Which point of a text is where it is put.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Anchor {
    Start,
    Middle,
}

/// A rectangle.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rectangle {
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) width: f64,
    pub(crate) height: f64,
    /// Of its corners.
    pub(crate) round: f64,
}

/// The fonts of all text: those of the system.
const FONTS: &str = "system-ui, -apple-system, Segoe UI, Roboto, Helvetica, Arial, sans-serif";

impl Ink {
    pub(crate) const fn filled(fill: &'static str) -> Self {
        Self { fill, stroke: "none", width: 0.0 }
    }

    pub(crate) const fn outlined(fill: &'static str, stroke: &'static str, width: f64) -> Self {
        Self { fill, stroke, width }
    }

    fn attributes(self) -> String {
        match self.width > 0.0 {
            true => format!(
                "fill=\"{}\" stroke=\"{}\" stroke-width=\"{}\"",
                self.fill,
                self.stroke,
                short(self.width)
            ),
            false => format!("fill=\"{}\"", self.fill),
        }
    }
}

impl Lettering {
    pub(crate) const fn plain(size: f64, fill: &'static str) -> Self {
        Self { size, fill, is_bold: false, anchor: Anchor::Middle }
    }

    pub(crate) const fn bold(size: f64, fill: &'static str) -> Self {
        Self { size, fill, is_bold: true, anchor: Anchor::Middle }
    }

    pub(crate) const fn starting(self) -> Self {
        Self { anchor: Anchor::Start, ..self }
    }
}

impl Pen {
    /// What is drawn inside stands in a group with these attributes, which are safe text.
    pub(crate) fn group(&mut self, attributes: &str, draw: impl FnOnce(&mut Self)) {
        self.put(format_args!("<g {attributes}>"));
        draw(self);
        self.svg.push_str("</g>");
    }

    /// What is drawn inside stands here, in this size.
    pub(crate) fn at(&mut self, x: f64, y: f64, scale: f64, draw: impl FnOnce(&mut Self)) {
        let scaled = if scale == 1.0 { String::new() } else { format!(" scale({})", short(scale)) };
        self.group(&format!("transform=\"translate({} {}){scaled}\"", short(x), short(y)), draw);
    }

    pub(crate) fn rectangle(&mut self, frame: Rectangle, ink: Ink) {
        let Rectangle { x, y, width, height, round } = frame;
        let [x, y, width, height] = [x, y, width, height].map(short);
        let round = if round > 0.0 { format!(" rx=\"{}\"", short(round)) } else { String::new() };
        self.put(format_args!(
            "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"{round} {}/>",
            ink.attributes()
        ));
    }

    pub(crate) fn circle(&mut self, x: f64, y: f64, radius: f64, ink: Ink) {
        let [x, y, radius] = [x, y, radius].map(short);
        self.put(format_args!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" {}/>", ink.attributes()));
    }

    pub(crate) fn path(&mut self, data: &str, ink: Ink) {
        self.put(format_args!("<path d=\"{data}\" {}/>", ink.attributes()));
    }

    /// Lines with round ends.
    pub(crate) fn strokes(&mut self, data: &str, stroke: &str, width: f64) {
        self.put(format_args!(
            "<path d=\"{data}\" fill=\"none\" stroke=\"{stroke}\" stroke-width=\"{}\" stroke-linecap=\"round\" stroke-linejoin=\"round\"/>",
            short(width)
        ));
    }

    /// A line of text; `y` is its base line.
    pub(crate) fn text(&mut self, x: f64, y: f64, lettering: Lettering, text: &str) {
        let Lettering { size, fill, is_bold, anchor } = lettering;
        let anchor = if anchor == Anchor::Middle { " text-anchor=\"middle\"" } else { "" };
        let weight = if is_bold { " font-weight=\"700\"" } else { "" };
        let [x, y, size] = [x, y, size].map(short);
        self.put(format_args!(
            "<text x=\"{x}\" y=\"{y}\" font-family=\"{FONTS}\" font-size=\"{size}\"{weight}{anchor} fill=\"{fill}\">{}</text>",
            escaped(text)
        ));
    }

    fn put(&mut self, text: std::fmt::Arguments<'_>) {
        // Writing to a string cannot fail.
        let _ = self.svg.write_fmt(text);
    }
}

/// A number as short as SVG needs it.
pub(crate) fn short(number: f64) -> String {
    let text = format!("{number:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// Text that is safe between tags and in quoted attributes of HTML and XML.
pub(crate) fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for char in text.chars() {
        match char {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            // XML has no other control characters, and text has no right to turn round what follows it.
            '\n' | '\t' => safe.push(' '),
            char if char.is_control() || is_direction(char) || is_no_character(char) => {
                safe.push(char::REPLACEMENT_CHARACTER);
            }
            char => safe.push(char),
        }
    }
    safe
}

/// Marks that change the direction of the text that follows.
fn is_direction(char: char) -> bool {
    matches!(char, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

fn is_no_character(char: char) -> bool {
    matches!(char, '\u{fffe}' | '\u{ffff}')
}

/// About how wide a text is.
pub(crate) fn width_of(text: &str, size: f64) -> f64 {
    let wide = |char: char| {
        if char >= '\u{1100}' && !('\u{2000}'..'\u{2700}').contains(&char) { 1.05 } else { 0.56 }
    };
    text.chars().map(wide).sum::<f64>() * size
}

#[cfg(test)]
mod tests {
    use super::{escaped, short};

    #[test]
    fn numbers_are_short() {
        assert_eq!([1.0, 0.5, -0.001, 12.345].map(short), ["1", "0.5", "0", "12.35"]);
    }

    #[test]
    fn text_cannot_leave_its_place() {
        let hostile = "</text><script>'\"&\u{1b}[2J\u{202e}\n\u{ffff}";
        assert_eq!(
            escaped(hostile),
            "&lt;/text&gt;&lt;script&gt;&#39;&quot;&amp;\u{fffd}[2J\u{fffd} \u{fffd}"
        );
    }
}
