//! One player's moves and percepts, in every lane.

use croupier_engine::batch::{Lanes, Plane, Planes};

use crate::{
    size::W,
    space::{PlayerSpace, Space},
};

/// One player's moves and percepts: planes in the order of its features.
#[derive(Clone, Debug)]
pub(crate) struct PlayerMemory {
    planes: Planes<W>,
    /// Moves and percepts of a turn.
    events: usize,
    /// Whether the first planes say what ever came.
    keeps_all: bool,
    /// How many of the last turns there are planes for.
    turns: usize,
}

impl PlayerMemory {
    pub(crate) fn new(space: &Space, player: &PlayerSpace) -> Self {
        let (events, keeps_all, turns) = (player.events_count(), space.keeps_all(), space.turns_kept());
        let planes = Planes::new(events * (turns + usize::from(keeps_all)));
        Self { planes, events, keeps_all, turns }
    }

    /// Takes in what happened in some lanes, after moves were made and percepts computed.
    pub(crate) fn learn(&mut self, player: &PlayerSpace, lanes: &Lanes<W>, wanted: Plane<W>) {
        let first = if self.keeps_all { self.events } else { 0 };
        for turn in (1..self.turns).rev() {
            for event in 0..self.events {
                let newer = self.planes.get(first + (turn - 1) * self.events + event);
                self.put(first + turn * self.events + event, newer, wanted);
            }
        }
        let made = player.moves.iter().map(|&number| lanes.made(player.role, number));
        let told = player.percepts.iter().map(|&number| lanes.sees(player.role, number));
        for (event, plane) in made.chain(told).enumerate() {
            if self.turns > 0 {
                self.put(first + event, plane, wanted);
            }
            if self.keeps_all {
                self.planes.set(event, self.planes.get(event) | (plane & wanted));
            }
        }
    }

    fn put(&mut self, place: usize, plane: Plane<W>, wanted: Plane<W>) {
        let new = wanted.choose(plane, self.planes.get(place));
        self.planes.set(place, new);
    }

    /// Forgets everything in some lanes.
    pub(crate) fn forget(&mut self, wanted: Plane<W>) {
        for place in 0..self.planes.len() {
            self.planes.set(place, self.planes.get(place) & !wanted);
        }
    }

    /// Remembers in some lanes what another memory of the same player does.
    pub(crate) fn copy_in(&mut self, other: &Self, wanted: Plane<W>) {
        for place in 0..self.planes.len() {
            self.put(place, other.planes.get(place), wanted);
        }
    }

    /// All that it remembers, plane by plane.
    pub(crate) fn words(&self) -> impl Iterator<Item = u64> + '_ {
        (0..self.planes.len()).flat_map(|place| self.planes.get(place).0)
    }

    /// Remembers what [`words`](Self::words) gave, and takes them from the front.
    pub(crate) fn restore(&mut self, words: &mut &[u64]) -> Option<()> {
        for place in 0..self.planes.len() {
            self.planes.set(place, plane(words)?);
        }
        Some(())
    }

    /// Appends the features of some lanes as rows of bits.
    pub(crate) fn append_rows(&self, lanes: Plane<W>, rows: &mut Vec<u64>) {
        self.planes.append_rows(lanes, rows);
    }
}

/// The plane of the next words, which are taken from the front.
pub(crate) fn plane(words: &mut &[u64]) -> Option<Plane<W>> {
    let (first, rest) = words.split_first_chunk::<W>()?;
    *words = rest;
    Some(Plane(*first))
}
