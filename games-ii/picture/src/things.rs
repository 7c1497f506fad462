//! What `[scene]`, `[[column]]` and `[table]` say, put onto a draft.

use croupier_games::{
    ColumnCell, ColumnLayout, Depicted, DepictedKind, NamedTerm, SaidLine, SaidPiece, TableLayout,
    parts_of_term,
};

use crate::{
    cards,
    draft::{Draft, Thing, ZoneName, zone_name},
    element::{CardFace, ElementKind, PieceColour},
};

/// The same card or die is drawn this often at most.
const TIMES_MAX: i64 = 60;

impl Draft {
    /// What `[scene]` depicts; what stands on a board is drawn there.
    pub(crate) fn put_things(&mut self, layout: &TableLayout) {
        let is_on_board = |thing: &Depicted| {
            let marks = layout.boards.iter().flat_map(|board| board.squares.iter().flatten());
            thing.kind == DepictedKind::Piece
                && marks.flat_map(|square| &square.marks).any(|mark| mark.fact == thing.fact)
        };
        for thing in &layout.things {
            match thing.is_certain {
                true if is_on_board(thing) => {}
                true => self.put_thing(thing),
                false => self.put_possible(thing),
            }
        }
    }

    fn zone_of(&self, thing: &Depicted, plain: &str) -> ZoneName {
        let owner = thing.owner.as_ref().and_then(|role| self.player(role));
        match &thing.zone {
            Some(zone) => ZoneName { owner, name: zone.term.clone(), title: zone.words.clone() },
            None => zone_name(owner, plain),
        }
    }

    fn put_thing(&mut self, thing: &Depicted) {
        let owner = thing.owner.as_ref().and_then(|role| self.player(role));
        let number = thing.parts.first().and_then(|part| part.words.parse::<i64>().ok());
        let words = words_of(&thing.parts);
        match (thing.kind, owner) {
            (DepictedKind::Turn, Some(player)) => self.players[player].is_to_act = true,
            (DepictedKind::Out, Some(player)) => self.players[player].is_out = true,
            (DepictedKind::Button, Some(player)) => self.players[player].has_button = true,
            (DepictedKind::Chips, Some(player)) if thing.zone.is_none() => {
                self.players[player].stack = number
            }
            (DepictedKind::Chips, _) => {
                if let Some(chips) = number.filter(|chips| *chips != 0) {
                    self.repeat(thing, "chips", || ElementKind::Chips(chips));
                }
            }
            (DepictedKind::Count, _) => {
                if let Some(count) = number {
                    self.count(&self.zone_of(thing, "cards"), count);
                }
            }
            (DepictedKind::Card, _) => self.repeat(thing, "cards", || ElementKind::Card(cards::face(&words))),
            (DepictedKind::Piece, _) => {
                let piece = cards::piece_of_words(&words, self.colour_of(&thing.fact));
                self.repeat(thing, "pieces", || ElementKind::Piece(piece.clone()));
            }
            (DepictedKind::Die, _) => {
                for part in &thing.parts {
                    self.repeat(thing, "dice", || ElementKind::Die(Some(part.words.clone())));
                }
            }
            (DepictedKind::Turn | DepictedKind::Out | DepictedKind::Button | DepictedKind::Nothing, _) => {}
        }
    }

    /// Something as often as it is there.
    fn repeat(&mut self, thing: &Depicted, zone: &str, kind: impl Fn() -> ElementKind) {
        let zone = self.zone_of(thing, zone);
        let times = thing.times.as_ref().map_or(1, |times| times.words.parse().unwrap_or(1));
        for _ in 0..times.clamp(0, TIMES_MAX) {
            let term =
                thing.place.as_ref().map_or_else(|| terms_of(&thing.parts), |place| place.term.clone());
            let place = thing.place.as_ref().map(|place| place.term.clone());
            self.put(&zone, Thing { term, place, kind: kind() });
        }
    }

    /// Something that may be there: what is not known has a place, or makes its zone one with cards that are not known.
    fn put_possible(&mut self, thing: &Depicted) {
        let place = thing.place.as_ref().map(|place| place.term.clone());
        let kind = match thing.kind {
            DepictedKind::Card => ElementKind::Card(CardFace::Back),
            DepictedKind::Die => ElementKind::Die(None),
            _ => return,
        };
        match (thing.kind, place) {
            (DepictedKind::Card, None) => self.hide(&self.zone_of(thing, "cards"), 1),
            (_, place) => {
                let zone =
                    self.zone_of(thing, if thing.kind == DepictedKind::Die { "dice" } else { "cards" });
                let term = place.clone().unwrap_or_default();
                self.put_unknown(&zone, Thing { term, place, kind });
            }
        }
    }

    /// The columns of the table of players.
    pub(crate) fn put_columns(&mut self, layout: &TableLayout) {
        for column in &layout.columns {
            let lines = column.cells.iter().flat_map(|cell| cell.lines.iter().chain(&cell.hidden));
            let has_cards = lines.into_iter().any(|line| !cards_of(line).is_empty());
            for (player, cell) in column.cells.iter().enumerate() {
                for text in cell.fixed.iter().flat_map(|fixed| fixed.split(", ")) {
                    match text {
                        "button" => self.players[player].has_button = true,
                        _ => self.note(player, &column.title, ElementKind::Text(text.to_owned())),
                    }
                }
                for line in &cell.lines {
                    self.put_cell_line(player, &column.title, line);
                }
                if cell.hides {
                    let own = has_cards.then(|| zone_name(Some(player), &column.title));
                    self.put_hidden(player, column, cell, own, layout);
                }
            }
        }
    }

    fn put_cell_line(&mut self, player: usize, title: &str, line: &SaidLine) {
        let cards = cards_of(line);
        if !cards.is_empty() {
            self.put_cards(&zone_name(Some(player), if title.is_empty() { "cards" } else { title }), cards);
            return;
        }
        let text = line.text();
        let number = text.parse::<i64>().ok();
        match (title, number) {
            ("", _) if text.starts_with("to ") => self.players[player].is_to_act = true,
            ("stack", Some(stack)) => self.players[player].stack = Some(stack),
            (title, Some(value)) => {
                self.note(player, title, ElementKind::Counter { title: title.to_owned(), value });
            }
            (title, None) => {
                self.players[player].is_out |= text == "folded";
                let name = if title.is_empty() { &predicate(line) } else { title };
                self.note(player, name, ElementKind::Text(format!("{title} {text}").trim_start().to_owned()));
            }
        }
    }

    /// What a column hides of a player; `own` is the zone of its cards, if it has cards.
    fn put_hidden(
        &mut self,
        player: usize,
        column: &ColumnLayout,
        cell: &ColumnCell,
        own: Option<ZoneName>,
        layout: &TableLayout,
    ) {
        let backs = column.unknown.split_whitespace().count().max(1);
        let fact = cell.hidden.as_ref().and_then(|line| line.facts.first());
        let thing = layout.things.iter().find(|thing| !thing.is_certain && Some(&thing.fact) == fact);
        match (thing, own) {
            (Some(thing), _) if thing.place.is_some() || thing.kind != DepictedKind::Card => {}
            (Some(thing), _) => self.hide(&self.zone_of(thing, "cards"), backs),
            (None, Some(own)) => self.hide(&own, backs),
            (None, None) => {
                let text = format!("{} {}", column.title, column.unknown);
                self.note(player, &column.title, ElementKind::Text(text.trim_start().to_owned()));
            }
        }
    }

    fn put_cards(&mut self, zone: &ZoneName, cards: Vec<&NamedTerm>) {
        for card in cards {
            let kind = ElementKind::Card(cards::face(&card.words));
            self.put(zone, Thing { term: card.term.clone(), place: None, kind });
        }
    }

    /// The lines of `[table]` that nothing else shows.
    pub(crate) fn put_lines(&mut self, layout: &TableLayout) {
        for line in &layout.lines {
            self.put_line(line);
        }
    }

    fn put_line(&mut self, line: &SaidLine) {
        let roles = line.pieces.iter().filter_map(|piece| match piece {
            SaidPiece::Part(part) => self.player(&part.term),
            _ => None,
        });
        let roles: Vec<usize> = roles.collect();
        let (owner, cards) = (roles.first().copied().filter(|_| roles.len() == 1), cards_of(line));
        if !cards.is_empty() {
            self.put_cards(&zone_name(owner, &rest(line, |part| self.player(&part.term).is_none())), cards);
            return;
        }
        let is_first =
            matches!(line.pieces.first(), Some(SaidPiece::Part(part)) if self.player(&part.term).is_some());
        let about =
            SaidLine { facts: Vec::new(), pieces: line.pieces[usize::from(is_first)..].to_vec() }.text();
        match owner {
            Some(player) if is_first && about.starts_with(' ') => {
                let about = about.trim_start();
                self.players[player].is_to_act |= about.starts_with("to ");
                if !["to act", "to move", "to play"].contains(&about) {
                    self.note(player, &predicate(line), ElementKind::Text(about.to_owned()));
                }
            }
            _ => self.line(&predicate(line), counter(line)),
        }
    }

    /// The colour that a fluent names, or that of the player whom it names.
    pub(crate) fn colour_of(&self, fact: &str) -> Option<PieceColour> {
        let names = || fact.split(['(', ')', ' ']).filter(|name| !name.is_empty());
        let of_player = || names().find_map(|name| self.player(name)).map(PieceColour::of_player);
        names().find_map(PieceColour::of_word).or_else(of_player)
    }
}

/// The cards with rank and suit that a line names.
fn cards_of(line: &SaidLine) -> Vec<&NamedTerm> {
    let parts = line.pieces.iter().flat_map(|piece| match piece {
        SaidPiece::Text(_) => &[][..],
        SaidPiece::Part(part) => std::slice::from_ref(part),
        SaidPiece::Gathered(parts) => parts,
    });
    parts.filter(|part| cards::suited(&part.words).is_some()).collect()
}

/// What a line says beside cards and numbers, and beside parts that are left out.
fn rest(line: &SaidLine, is_kept: impl Fn(&NamedTerm) -> bool) -> String {
    let texts = line.pieces.iter().map(|piece| match piece {
        SaidPiece::Text(text) => text.as_str(),
        SaidPiece::Part(part) if is_kept(part) && cards::suited(&part.words).is_none() => &part.words,
        _ => " ",
    });
    let text = texts.collect::<String>();
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").trim_matches([' ', ':', ',']).to_owned()
}

/// A line as a number with a title, if it begins or ends with a number and has nothing else but text.
fn counter(line: &SaidLine) -> ElementKind {
    let (value, title) = match line.pieces.as_slice() {
        [SaidPiece::Text(title), SaidPiece::Part(part)] | [SaidPiece::Part(part), SaidPiece::Text(title)] => {
            (part.words.parse::<i64>().ok(), title.trim_matches([' ', ':', ',']))
        }
        _ => (None, ""),
    };
    match value {
        Some(value) if !title.is_empty() => ElementKind::Counter { title: title.to_owned(), value },
        _ => ElementKind::Text(line.text()),
    }
}

/// The name of what a line is about.
fn predicate(line: &SaidLine) -> String {
    line.facts.first().and_then(|fact| parts_of_term(fact).into_iter().next()).unwrap_or_default()
}

fn words_of(parts: &[NamedTerm]) -> String {
    parts.iter().map(|part| part.words.as_str()).collect::<Vec<_>>().join(" ")
}

fn terms_of(parts: &[NamedTerm]) -> String {
    parts.iter().map(|part| part.term.as_str()).collect::<Vec<_>>().join(" ")
}
