//! A picture while it is made: players, and zones that things are put into.

use std::collections::BTreeMap;

use croupier_games::{GameFacts, ZonePlace};

use crate::{
    cards,
    element::{Arrangement, CardFace, Element, ElementKind, PieceColour, PlayerElement, Zone},
    ids::{Ids, id},
};

/// More things than these in one zone are not drawn one by one.
const ZONE_ELEMENTS_MAX: usize = 60;

/// A picture while it is made.
pub(crate) struct Draft {
    pub(crate) ids: Ids,
    pub(crate) players: Vec<PlayerElement>,
    pub(crate) lines: Vec<Element>,
    zones: Vec<ZoneDraft>,
    places: BTreeMap<String, ZonePlace>,
}

/// Which zone something lies in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ZoneName {
    /// The player before whom it lies.
    pub(crate) owner: Option<usize>,
    /// Its name in the `game.toml`.
    pub(crate) name: String,
    /// What people call it.
    pub(crate) title: String,
}

/// A zone while it is made.
struct ZoneDraft {
    of: ZoneName,
    things: Vec<Thing>,
    /// How many cards there are, if that is known.
    count: Option<i64>,
    /// How many backs stand for cards that are not known, if their number is not known.
    backs: usize,
}

/// A draft that is done.
pub(crate) struct FinishedDraft {
    pub(crate) players: Vec<PlayerElement>,
    pub(crate) zones: Vec<Zone>,
    pub(crate) lines: Vec<Element>,
}

/// Something that is put into a zone.
pub(crate) struct Thing {
    /// What a move would call it.
    pub(crate) term: String,
    /// Where in the zone it lies, if that is said.
    pub(crate) place: Option<String>,
    pub(crate) kind: ElementKind,
}

impl Draft {
    pub(crate) fn new(facts: &GameFacts, roles: &[&str], places: BTreeMap<String, ZonePlace>) -> Self {
        let mut ids = Ids::default();
        let player = |role: &&str| PlayerElement {
            id: ids.take(&["p", "player", role]),
            label: String::new(),
            changed: false,
            role: (*role).to_owned(),
            name: facts.words.symbol_text(role),
            is_to_act: false,
            is_out: false,
            has_button: false,
            stack: None,
            clock: None,
            notes: Vec::new(),
            zones: Vec::new(),
        };
        let players = roles.iter().map(player).collect();
        Self { ids, players, lines: Vec::new(), zones: Vec::new(), places }
    }

    /// The number of a role among the players.
    pub(crate) fn player(&self, role: &str) -> Option<usize> {
        self.players.iter().position(|player| player.role == role)
    }

    fn zone(&mut self, of: &ZoneName) -> &mut ZoneDraft {
        let is_it = |zone: &ZoneDraft| zone.of.owner == of.owner && zone.of.name == of.name;
        let place = match self.zones.iter().position(is_it) {
            Some(place) => place,
            None => {
                self.zones.push(ZoneDraft { of: of.clone(), things: Vec::new(), count: None, backs: 0 });
                self.zones.len() - 1
            }
        };
        &mut self.zones[place]
    }

    /// Puts something into a zone.
    pub(crate) fn put(&mut self, zone: &ZoneName, thing: Thing) {
        self.zone(zone).things.push(thing);
    }

    /// Puts something unknown at a place of a zone, unless what is there is known.
    pub(crate) fn put_unknown(&mut self, zone: &ZoneName, thing: Thing) {
        let zone = self.zone(zone);
        if !zone.things.iter().any(|known| known.place == thing.place) {
            zone.things.push(thing);
        }
    }

    /// Says how many cards a zone has.
    pub(crate) fn count(&mut self, zone: &ZoneName, count: i64) {
        self.zone(zone).count = Some(count);
    }

    /// Says that a zone has cards that are not known; so many backs stand for them.
    pub(crate) fn hide(&mut self, zone: &ZoneName, backs: usize) {
        let zone = self.zone(zone);
        zone.backs = zone.backs.max(backs);
    }

    /// Words about a player.
    pub(crate) fn note(&mut self, player: usize, name: &str, kind: ElementKind) {
        let role = self.players[player].role.clone();
        let element = Element {
            id: self.ids.take(&["p", &role, "note", name]),
            label: label(&kind),
            changed: false,
            term: String::new(),
            kind,
        };
        self.players[player].notes.push(element);
    }

    /// Words about the table.
    pub(crate) fn line(&mut self, name: &str, kind: ElementKind) {
        let id = self.ids.take(&["p", "line", name]);
        self.lines.push(Element { id, label: label(&kind), changed: false, term: String::new(), kind });
    }

    /// All of it in its place.
    pub(crate) fn finish(mut self) -> FinishedDraft {
        let mut centre = Vec::new();
        for draft in std::mem::take(&mut self.zones) {
            let place = self.places.get(&draft.of.name).copied().unwrap_or_default();
            let owner = draft.of.owner;
            let zone = self.finished(draft, place);
            if zone.elements.is_empty() {
                continue;
            }
            match owner {
                Some(player) if place.is_around != Some(false) => self.players[player].zones.push(zone),
                _ => centre.push(zone),
            }
        }
        for player in &mut self.players {
            player.label = player_label(player);
        }
        FinishedDraft { players: self.players, zones: centre, lines: self.lines }
    }

    fn finished(&mut self, mut draft: ZoneDraft, place: ZonePlace) -> Zone {
        if draft.things.iter().all(|thing| thing.place.is_some()) {
            draft.things.sort_by_cached_key(|thing| {
                let place = thing.place.clone().unwrap_or_default();
                (place.parse::<i64>().unwrap_or(i64::MAX), place)
            });
        }
        let known = draft.things.iter().filter(|thing| matches!(thing.kind, ElementKind::Card(_))).count();
        let backs = match draft.count.map(usize::try_from) {
            Some(count) => count.unwrap_or(0).saturating_sub(known),
            None => draft.backs,
        };
        let owner = draft.of.owner.map(|player| self.players[player].clone());
        let scope = owner.as_ref().map_or("table", |player| player.role.as_str());
        let name = draft.of.name.as_str();
        let mut elements: Vec<Element> = Vec::new();
        for thing in draft.things.into_iter().take(ZONE_ELEMENTS_MAX) {
            let own = thing.place.as_ref().unwrap_or(&thing.term);
            let id = self.ids.take(&["p", scope, name, own]);
            elements.push(Element {
                id,
                label: label(&thing.kind),
                changed: false,
                term: thing.term,
                kind: thing.kind,
            });
        }
        for number in 1..=backs.min(ZONE_ELEMENTS_MAX) {
            let kind = ElementKind::Card(CardFace::Back);
            let id = self.ids.take(&["p", scope, name, "back", &number.to_string()]);
            elements.push(Element { id, label: label(&kind), changed: false, term: String::new(), kind });
        }
        let arrangement = match place {
            ZonePlace { is_pile: true, .. } => Arrangement::Pile,
            ZonePlace { is_column: true, .. } => Arrangement::Column,
            _ => Arrangement::Row,
        };
        let is_central = place.is_around == Some(false);
        let title = match &owner {
            Some(player) if is_central => player.name.clone(),
            _ => draft.of.title.clone(),
        };
        let whose = owner.as_ref().map(|player| format!("{}, ", player.name)).unwrap_or_default();
        let label = format!("{whose}{}: {}", draft.of.title, labels(&elements, backs));
        Zone {
            id: self.ids.take(&["p", "zone", scope, name]),
            label,
            title,
            changed: false,
            arrangement,
            elements,
        }
    }
}

/// What lies in a zone, in words; cards that are not known are counted.
fn labels(elements: &[Element], backs: usize) -> String {
    let known = elements.len() - backs.min(elements.len());
    let mut labels: Vec<String> = elements[..known].iter().map(|element| element.label.clone()).collect();
    match backs {
        0 => {}
        1 => labels.push("a card face down".to_owned()),
        _ => labels.push(format!("{backs} cards face down")),
    }
    labels.join(", ")
}

fn player_label(player: &PlayerElement) -> String {
    let mut label = vec![player.name.clone()];
    let flags = [(player.is_to_act, "to act"), (player.is_out, "out"), (player.has_button, "dealer button")];
    label.extend(flags.iter().filter(|(is_so, _)| *is_so).map(|(_, words)| (*words).to_owned()));
    label.extend(player.stack.map(|stack| format!("stack {stack}")));
    label.join(", ")
}

/// An element in words.
fn label(kind: &ElementKind) -> String {
    match kind {
        ElementKind::Card(face) => card_label(face),
        ElementKind::Die(Some(face)) => format!("die: {face}"),
        ElementKind::Die(None) => "a die that you cannot see".to_owned(),
        ElementKind::Chips(1) => "1 chip".to_owned(),
        ElementKind::Chips(chips) => format!("{chips} chips"),
        ElementKind::Piece(piece) => piece.label(),
        ElementKind::Counter { title, value } => format!("{title} {value}").trim_start().to_owned(),
        ElementKind::Text(text) => text.clone(),
    }
}

fn card_label(face: &CardFace) -> String {
    match face {
        CardFace::Back => "a card face down".to_owned(),
        CardFace::Suited { rank, suit } => {
            let rank = match rank.as_str() {
                "A" => "ace",
                "K" => "king",
                "Q" => "queen",
                "J" => "jack",
                other => other,
            };
            format!("{rank} of {}", suit.name())
        }
        CardFace::Words { text, colour } => match colour {
            PieceColour::Black => cards::short(text),
            colour => format!("{} {}", colour.name(), cards::short(text)),
        },
    }
}

/// The name of a zone that is known by its title alone.
pub(crate) fn zone_name(owner: Option<usize>, title: &str) -> ZoneName {
    ZoneName { owner, name: id(&[title]), title: title.to_owned() }
}
