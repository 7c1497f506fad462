//! What has changed from one picture to the next.

use std::collections::BTreeMap;

use crate::{
    element::{BoardSquare, Element, ElementKind, PlayerElement, Zone},
    picture::Picture,
};

impl Picture {
    /// All elements, in zones and beside them.
    pub(crate) fn elements(&self) -> impl Iterator<Item = &Element> {
        let zones = self.all_zones().flat_map(|zone| &zone.elements);
        zones.chain(self.players.iter().flat_map(|player| &player.notes)).chain(&self.lines)
    }

    /// The zones before players and in the middle.
    pub(crate) fn all_zones(&self) -> impl Iterator<Item = &Zone> {
        self.players.iter().flat_map(|player| &player.zones).chain(&self.zones)
    }

    fn squares(&self) -> impl Iterator<Item = &BoardSquare> {
        self.boards.iter().flat_map(|board| board.squares.iter().flatten())
    }

    /// Marks what is not as it was.
    pub(crate) fn mark_changes(&mut self, before: &Self) {
        let kinds: BTreeMap<&str, &ElementKind> =
            before.elements().map(|element| (element.id.as_str(), &element.kind)).collect();
        let zones: BTreeMap<&str, Vec<&str>> =
            before.all_zones().map(|zone| (zone.id.as_str(), ids(zone))).collect();
        let squares: BTreeMap<&str, &BoardSquare> =
            before.squares().map(|square| (square.id.as_str(), square)).collect();
        let mark = |element: &mut Element| {
            element.changed = kinds.get(element.id.as_str()) != Some(&&element.kind);
        };
        let mark_zone = |zone: &mut Zone| {
            zone.elements.iter_mut().for_each(mark);
            let is_same = zones.get(zone.id.as_str()) == Some(&ids(zone));
            zone.changed = !is_same || zone.elements.iter().any(|element| element.changed);
        };
        for player in &mut self.players {
            player.notes.iter_mut().for_each(mark);
            player.zones.iter_mut().for_each(mark_zone);
            let known = before.players.iter().find(|known| known.id == player.id);
            player.changed = known.is_none_or(|known| said(known) != said(player));
        }
        self.zones.iter_mut().for_each(mark_zone);
        self.lines.iter_mut().for_each(mark);
        for square in self.boards.iter_mut().flat_map(|board| board.squares.iter_mut().flatten()) {
            let known = squares.get(square.id.as_str());
            let is_same =
                |known: &&BoardSquare| known.pieces == square.pieces && known.is_open == square.is_open;
            square.changed = !known.is_some_and(is_same);
        }
    }
}

fn ids(zone: &Zone) -> Vec<&str> {
    zone.elements.iter().map(|element| element.id.as_str()).collect()
}

/// What is said of a player beside what lies before it.
fn said(player: &PlayerElement) -> (bool, bool, bool, Option<i64>, Vec<&ElementKind>) {
    let notes = player.notes.iter().map(|note| &note.kind).collect();
    (player.is_to_act, player.is_out, player.has_button, player.stack, notes)
}
