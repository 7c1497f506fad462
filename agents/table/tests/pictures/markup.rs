//! That every picture is sound markup which asks for nothing from elsewhere.

use std::collections::BTreeSet;

use croupier_games::{GameFacts, catalogue, real_time_catalogue};
use croupier_picture::Picture;

use crate::walk::{Walk, compiled};

/// Attributes that may stand in a picture: none runs anything or fetches anything.
const ATTRIBUTES: [&str; 34] = [
    "aria-label",
    "class",
    "cx",
    "cy",
    "d",
    "data-element",
    "fill",
    "focusable",
    "font-family",
    "font-size",
    "font-weight",
    "height",
    "id",
    "opacity",
    "r",
    "role",
    "rx",
    "stroke",
    "stroke-linecap",
    "stroke-linejoin",
    "stroke-width",
    "text-anchor",
    "transform",
    "viewBox",
    "width",
    "x",
    "y",
    "x1",
    "x2",
    "y1",
    "y2",
    "ry",
    "points",
    "aria-hidden",
];

/// Elements that may stand in a picture.
const TAGS: [&str; 16] = [
    "svg",
    "title",
    "g",
    "rect",
    "circle",
    "path",
    "text",
    "div",
    "section",
    "header",
    "span",
    "ul",
    "li",
    "b",
    "figure",
    "figcaption",
];

/// Whether the markup is well-formed and consists of what is allowed; its ids.
fn ids(markup: &str, place: &str) -> Vec<String> {
    let document = roxmltree::Document::parse(markup).unwrap_or_else(|error| panic!("{place}: {error}"));
    let mut ids = Vec::new();
    for node in document.descendants().filter(roxmltree::Node::is_element) {
        assert!(TAGS.contains(&node.tag_name().name()), "{place}: <{}>", node.tag_name().name());
        for attribute in node.attributes() {
            assert!(ATTRIBUTES.contains(&attribute.name()), "{place}: {}", attribute.name());
            assert!(!attribute.value().contains("url("), "{place}: {}", attribute.value());
        }
        ids.extend(node.attribute("id").map(str::to_owned));
    }
    ids
}

/// A picture is sound in both forms, and each id stands once in it.
fn is_sound(picture: &Picture, place: &str) {
    let (svg, html) = (picture.svg(), picture.html());
    assert!(svg.len() < 200_000 && html.len() < 200_000, "{place}: {} and {} bytes", svg.len(), html.len());
    for markup in [&svg, &html] {
        let ids = ids(markup, place);
        let different: BTreeSet<&String> = ids.iter().collect();
        assert_eq!(different.len(), ids.len(), "{place}: an id stands twice");
        let is_safe =
            |id: &&String| id.chars().all(|char| char.is_ascii_alphanumeric() || "-_".contains(char));
        assert!(ids.iter().all(|id| is_safe(&id) && id.starts_with("p-")), "{place}: {ids:?}");
    }
    let namespace = "http://www.w3.org/2000/svg";
    assert_eq!(svg.matches("http").count(), svg.matches(namespace).count(), "{place}: a reference");
    assert!(!html.contains("http") && svg.contains("<title>"), "{place}");
}

#[test]
fn the_first_and_the_last_state_of_every_game_are_drawn() {
    let mut drawn = 0;
    for entry in catalogue() {
        let (game, facts) = (compiled(entry), entry.facts().unwrap());
        for turns in [0, 4000] {
            let walk = Walk::new(&game, &facts, 7, turns);
            let place = format!("{} after {} turns", entry.name, walk.history.len());
            let picture = walk.whole(None);
            is_sound(&picture, &place);
            let things = picture.boards.len() + picture.zones.len() + picture.lines.len();
            let before_players = picture.players.iter().map(|player| player.zones.len() + player.notes.len());
            assert!(things + before_players.sum::<usize>() > 0 || turns == 0, "{place}: nothing is drawn");
            drawn += 1;
        }
    }
    assert!(drawn >= 112, "{drawn}");
}

#[test]
fn what_a_role_knows_of_real_time_games_is_drawn_from_its_fluents() {
    for entry in real_time_catalogue() {
        let facts = entry.facts().unwrap();
        let scene = facts.scene(["(hand ann (card 3 red))", "(cell 1 1 x)", "(cell e4 white king)"], []);
        is_sound(&Picture::of(&facts, &scene, &["ann", "bob"], Some("ann"), None), entry.name);
    }
}

const HOSTILE: &str = "</text></svg><script>alert(1)</script><img src=x onerror='alert(2)'>\u{202e}\u{7}&\"";

#[test]
fn hostile_words_and_names_stay_text() {
    let toml = |text: &str| text.replace('\\', "\\\\").replace('"', "\\\"").replace('\u{7}', "\\u0007");
    let words = toml(HOSTILE);
    let facts = format!(
        "title = \"{words}\"\nsummary = \"s\"\n[symbols]\nace = \"{words}\"\nann = \"{words}\"\n\"(column 1)\" = \"{words}\"
        [table]\n\"(night ?x)\" = \"{words} {{x}}\"\n[scene]\n\"(hand ?player ?card)\" = \"card ?card in hand of ?player\"
        \"(die ?face)\" = \"die ?face in ?face\"\n[[column]]\ntitle = \"{words}\"\nunknown = \"{words}\"
        [column.words]\n\"(say ?player ?x)\" = \"{words}\"\n[[board]]\ntitle = \"{words}\"\ncolumns = [\"1\", \"2\"]\nrows = [\"1\"]
        [board.squares]\n\"(cell ?column ?row ?mark)\" = \"{words}\""
    );
    let facts = GameFacts::parse(&facts).unwrap();
    let symbol = HOSTILE.replace([' ', '(', ')'], "");
    let facts_known = ["(hand ann ace)", "(cell 1 1 x)", "(say ann x)", "(die ace)"].map(str::to_owned);
    let own = [format!("(hand ann {symbol})"), format!("(cell 2 1 {symbol})"), format!("(night {symbol})")];
    let known: Vec<&str> = facts_known.iter().chain(&own).map(String::as_str).collect();
    let scene = facts.scene(known.iter().copied(), ["(say bob x)"]);
    let before = Picture::of(&facts, &facts.scene([], []), &["ann", "bob"], None, None);
    let mut picture = Picture::of(&facts, &scene, &["ann", "bob", &symbol], Some("ann"), Some(&before));
    picture.players[1].name = HOSTILE.repeat(2000);
    picture.players[1].clock = Some(HOSTILE.to_owned());
    is_sound(&picture, "words");
    // A rule file alone, without words.
    let plain = GameFacts::unknown(HOSTILE);
    let long = format!("({symbol} {} {})", symbol.repeat(3), "x".repeat(65_536));
    let known = [own[0].as_str(), &own[1], &long, "(cell 1 2 x)", "(cell 2 2 x)", "(cell 1 1 y)"];
    let scene = plain.scene(known, [own[2].as_str()]);
    is_sound(&Picture::of(&plain, &scene, &["ann", &symbol], None, None), "a rule file");
    for choice in picture.choices(&plain, &scene, &[&long, &symbol]) {
        assert!(choice.id.chars().all(|char| char.is_ascii_alphanumeric() || "-_".contains(char)));
    }
}
