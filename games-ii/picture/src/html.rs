//! A picture as a fragment of HTML, which a style sheet lays out.

use crate::{
    cards,
    element::{Arrangement, BoardElement, Element, ElementKind, PlayerElement, SuitColours, Zone},
    paint::{Drawing, board, element, escaped},
    picture::Picture,
};

impl Picture {
    /// A fragment of HTML with ids, classes and labels, which [`STYLE`](crate::STYLE) lays out. Cards and boards in it are SVG.
    #[must_use]
    pub fn html(&self) -> String {
        html(self)
    }
}

/// All of a picture.
fn html(picture: &Picture) -> String {
    let mut html = format!(
        "<div class=\"picture\" id=\"p-table\" role=\"group\" aria-label=\"{}\">",
        escaped(&cards::short_line(&picture.title))
    );
    html.push_str("<div class=\"picture-others\">");
    for other in picture.others() {
        html.push_str(&player(other, picture.suits, ""));
    }
    html.push_str("</div><div class=\"picture-middle\">");
    html.push_str(&boards(picture));
    html.extend(picture.zones.iter().map(|of| zone(of, picture.suits)));
    html.push_str("</div>");
    if let Some(nearest) = picture.nearest().and_then(|nearest| picture.players.get(nearest)) {
        html.push_str("<div class=\"picture-nearest\">");
        html.push_str(&player(nearest, picture.suits, " is-nearest"));
        html.push_str("</div>");
    }
    if !picture.lines.is_empty() {
        html.push_str("<ul class=\"picture-lines\">");
        html.extend(picture.lines.iter().map(|line| note(line, "li")));
        html.push_str("</ul>");
    }
    html.push_str("</div>");
    html
}

fn boards(picture: &Picture) -> String {
    match picture.boards.is_empty() {
        true => String::new(),
        false => {
            let boards: String = picture.boards.iter().map(board_figure).collect();
            format!("<div class=\"boards\">{boards}</div>")
        }
    }
}

/// What a class says of something that has just changed.
fn changed(is_changed: bool) -> &'static str {
    if is_changed { " is-changed" } else { "" }
}

fn player(of: &PlayerElement, suits: SuitColours, more: &str) -> String {
    let flags = [(of.is_to_act, " is-to-act"), (of.is_out, " is-out"), (of.changed, " is-changed")];
    let flags: String = flags.iter().filter(|(is_so, _)| *is_so).map(|(_, class)| *class).collect();
    let (id, label) = (&of.id, escaped(&of.label));
    let mut html = format!(
        "<section class=\"player{flags}{more}\" id=\"{id}\" aria-label=\"{label}\"><header class=\"plate\">"
    );
    html.push_str(&format!("<span class=\"name\">{}</span>", escaped(&cards::short(&of.name))));
    if let Some(stack) = of.stack {
        html.push_str(&format!("<span class=\"stack\" aria-label=\"stack {stack}\">{stack}</span>"));
    }
    if of.has_button {
        html.push_str("<span class=\"button-mark\" aria-label=\"dealer button\">D</span>");
    }
    if let Some(clock) = &of.clock {
        html.push_str(&format!(
            "<span class=\"clock\" id=\"{id}-clock\">{}</span>",
            escaped(&cards::short(clock))
        ));
    }
    html.push_str("</header>");
    if !of.notes.is_empty() {
        let notes: String = of.notes.iter().map(|of| note(of, "li")).collect();
        html.push_str(&format!("<ul class=\"notes\">{notes}</ul>"));
    }
    let zones: String = of.zones.iter().map(|of| zone(of, suits)).collect();
    html.push_str(&format!("<div class=\"zones\">{zones}</div></section>"));
    html
}

/// Words: a counter or a text.
fn note(of: &Element, tag: &str) -> String {
    let said = match &of.kind {
        ElementKind::Counter { title, value } => {
            format!("{} <b>{value}</b>", escaped(&cards::short_line(title)))
        }
        _ => escaped(&cards::short_line(&of.label)),
    };
    format!("<{tag} class=\"note{}\" id=\"{}\">{said}</{tag}>", changed(of.changed), of.id)
}

fn zone(of: &Zone, suits: SuitColours) -> String {
    let lies = match of.arrangement {
        Arrangement::Row => "row",
        Arrangement::Column => "column",
        Arrangement::Pile => "pile",
    };
    let kind = if of.elements.len() > 8 { " is-long" } else { "" };
    let title = match of.shown_title() {
        "" => String::new(),
        title => format!("<span class=\"title\">{}</span>", escaped(&cards::short(title))),
    };
    let things: String = of.elements.iter().map(|of| thing(of, suits)).collect();
    let count = match (of.arrangement, of.elements.len()) {
        (Arrangement::Pile, count) if count > 1 => format!("<span class=\"many\">× {count}</span>"),
        _ => String::new(),
    };
    format!(
        "<div class=\"zone is-{lies}{kind}{}\" id=\"{}\" role=\"group\" aria-label=\"{}\">{title}<div class=\"things\">{things}</div>{count}</div>",
        changed(of.changed),
        of.id,
        escaped(&cards::short_line(&of.label)),
    )
}

fn thing(of: &Element, suits: SuitColours) -> String {
    let class = match &of.kind {
        ElementKind::Card(_) => "card",
        ElementKind::Die(_) => "die",
        ElementKind::Chips(_) => "chips",
        ElementKind::Piece(_) => "piece",
        ElementKind::Counter { .. } | ElementKind::Text(_) => return note(of, "span"),
    };
    let drawn = inline(&element(&Element { changed: false, ..of.clone() }, suits), 0.0);
    let (id, label) = (&of.id, escaped(&cards::short_line(&of.label)));
    format!(
        "<span class=\"{class}{}\" id=\"{id}\" data-element=\"{id}\" role=\"img\" aria-label=\"{label}\">{drawn}</span>",
        changed(of.changed)
    )
}

fn board_figure(of: &BoardElement) -> String {
    let title = match of.title.as_str() {
        "" => String::new(),
        title => format!("<figcaption class=\"title\">{}</figcaption>", escaped(&cards::short(title))),
    };
    let (id, label) = (&of.id, escaped(&cards::short_line(&of.label)));
    let drawn = inline(&board(of), 6.0);
    format!("<figure class=\"board\" id=\"{id}\" aria-label=\"{label}\">{title}{drawn}</figure>")
}

/// A drawing as an SVG of its own, with some room around it.
fn inline(drawing: &Drawing, room: f64) -> String {
    let [width, height] = [drawing.width, drawing.height].map(|side| side + 2.0 * room);
    let from = -room;
    format!(
        "<svg viewBox=\"{from} {from} {width:.0} {height:.0}\" width=\"{width:.0}\" height=\"{height:.0}\" focusable=\"false\">{}</svg>",
        drawing.svg
    )
}
