//! What the players of many matches did and were told, turn by turn, as numbers.

use std::sync::Arc;

use croupier_engine::{
    InformationSet,
    batch::{Lanes, Plane},
};

use crate::{
    Space,
    shapes::{Naming, Shapes},
    size::{LANES, W},
    space::PlayerSpace,
};

/// Ends a turn.
pub(crate) const END: u32 = u32::MAX;

/// What the players of up to 512 matches did and were told.
#[derive(Clone, Debug)]
pub(crate) struct LaneEvents {
    shapes: Arc<Shapes>,
    players: usize,
    /// By lane and player.
    told: Vec<EventLine>,
}

/// What one player did and was told: the numbers of its events, and [`END`] after every turn.
#[derive(Clone, Debug, Default)]
pub(crate) struct EventLine {
    /// As it was.
    events: Vec<u32>,
    /// Under the names that the player has given to exchangeable values, with the number of the player before; that alone if there are no such
    /// values. The same for all information sets that differ only in those.
    key: Vec<u32>,
    naming: Naming,
}

impl EventLine {
    /// By what the information set is known, but for names.
    pub(crate) fn key(&self) -> &[u32] {
        &self.key
    }

    /// The names that lead to the key.
    pub(crate) fn naming(&self) -> &Naming {
        &self.naming
    }

    fn begin(&mut self, place: usize, shapes: &Shapes) {
        self.events.clear();
        self.key.clear();
        self.key.push(u32::try_from(place).expect("players are few"));
        self.naming = shapes.nameless();
    }

    fn end_turn(&mut self, place: usize, shapes: &Shapes, begin: usize) {
        let turn = &self.events[begin..];
        match shapes.has_classes() {
            true => shapes.rename(place, turn, &mut self.naming, &mut self.key),
            false => self.key.extend_from_slice(turn),
        }
        self.key.push(END);
        self.events.push(END);
    }
}

impl LaneEvents {
    /// No match has begun.
    pub(crate) fn new(space: &Space, shapes: Shapes) -> Self {
        let players = space.players.len();
        let mut told = vec![EventLine::default(); LANES * players];
        told.iter_mut().enumerate().for_each(|(seat, line)| line.begin(seat % players, &shapes));
        Self { shapes: Arc::new(shapes), players, told }
    }

    /// By what keys are named.
    pub(crate) fn shapes(&self) -> &Shapes {
        &self.shapes
    }

    /// What a player did and was told in a lane.
    pub(crate) fn of(&self, lane: usize, place: usize) -> &EventLine {
        &self.told[lane * self.players + place]
    }

    /// Takes in what happened in some lanes, after moves were made and percepts computed.
    pub(crate) fn learn(&mut self, space: &Space, lanes: &Lanes<W>, wanted: Plane<W>) {
        let mut begin = vec![0; LANES];
        for (place, player) in space.players.iter().enumerate() {
            let &PlayerSpace { role, ref moves, ref percepts, .. } = player;
            for lane in wanted.lanes() {
                begin[lane] = self.told[lane * self.players + place].events.len();
            }
            let made = moves.iter().map(|&number| lanes.made(role, number));
            let told = percepts.iter().map(|&number| lanes.sees(role, number));
            for (event, plane) in (0..).zip(made.chain(told)) {
                for lane in (plane & wanted).lanes() {
                    self.told[lane * self.players + place].events.push(event);
                }
            }
            for lane in wanted.lanes() {
                self.told[lane * self.players + place].end_turn(place, &self.shapes, begin[lane]);
            }
        }
    }

    /// Forgets everything in some lanes.
    pub(crate) fn forget(&mut self, wanted: Plane<W>) {
        for lane in wanted.lanes() {
            for place in 0..self.players {
                self.told[lane * self.players + place].begin(place, &self.shapes);
            }
        }
    }

    /// Appends what happened in all lanes.
    pub(crate) fn append_words(&self, words: &mut Vec<u64>) {
        for line in &self.told {
            words.push(line.events.len() as u64);
            words.extend(line.events.iter().map(|&event| u64::from(event)));
        }
    }

    /// Restores what [`append_words`](Self::append_words) appended, and removes it from the front. `None` if it is invalid.
    pub(crate) fn restore(&mut self, space: &Space, turns_max: u32, words: &mut &[u64]) -> Option<()> {
        let shapes = &self.shapes;
        for (seat, line) in self.told.iter_mut().enumerate() {
            let place = seat % self.players;
            let player = &space.players[place];
            let (&count, rest) = words.split_first()?;
            let (events, rest) = rest.split_at_checked(usize::try_from(count).ok()?)?;
            *words = rest;
            let events = events.iter().map(|&event| u32::try_from(event).ok());
            let events = events.collect::<Option<Vec<u32>>>()?;
            line.begin(place, shapes);
            let turns = events.iter().filter(|&&event| event == END).count();
            if turns > turns_max as usize || events.last().is_some_and(|&last| last != END) {
                return None;
            }
            for turn in events.split(|&event| event == END).take(turns) {
                if !is_turn(player, turn) {
                    return None;
                }
                let begin = line.events.len();
                line.events.extend_from_slice(turn);
                line.end_turn(place, shapes, begin);
            }
        }
        Some(())
    }
}

/// Whether these are a move and percepts, ascending.
fn is_turn(player: &PlayerSpace, turn: &[u32]) -> bool {
    let is_move = |event: u32| (event as usize) < player.moves.len();
    let is_event = |event: u32| (event as usize) < player.events_count();
    turn.first().is_some_and(|&made| is_move(made))
        && turn[1..].iter().all(|&told| !is_move(told) && is_event(told))
        && turn.is_sorted_by(|one, next| one < next)
}

/// The information set that a key stands for.
pub(crate) fn information_set(space: &Space, key: &[u32]) -> InformationSet {
    let (&place, events) = key.split_first().expect("a key begins with the player");
    let player = &space.players[place as usize];
    let (role, network) = (player.role, &space.network);
    let mut known = InformationSet::initial(role);
    for turn in events.split_inclusive(|&event| event == END) {
        let played = network.moves(role)[player.moves[turn[0] as usize]];
        let told = turn[1..turn.len() - 1].iter();
        let told = told.map(|&event| player.percepts[event as usize - player.moves.len()]).collect();
        known.turns.push((played, network.percepts_of(role, &told)));
    }
    known
}
