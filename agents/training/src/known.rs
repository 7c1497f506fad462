//! The information sets of all players of many matches, turn by turn.

use croupier_engine::{
    InformationSet,
    batch::{Lanes, Plane},
};

use crate::{
    Space,
    size::{LANES, W},
    space::PlayerSpace,
};

/// The information sets of the players of up to 512 matches.
#[derive(Clone, Debug)]
pub(crate) struct LaneInformationSets {
    players: usize,
    /// By lane and player.
    sets: Vec<InformationSet>,
}

impl LaneInformationSets {
    pub(crate) fn new(space: &Space) -> Self {
        let initial = space.players.iter().map(|player| InformationSet::initial(player.role));
        let players = space.players.len();
        Self { players, sets: initial.cycle().take(LANES * players).collect() }
    }

    /// A player's information set in a lane.
    pub(crate) fn of(&self, lane: usize, place: usize) -> &InformationSet {
        &self.sets[lane * self.players + place]
    }

    /// Takes in what happened in some lanes, after moves were made and percepts computed.
    pub(crate) fn learn(&mut self, space: &Space, lanes: &Lanes<W>, wanted: Plane<W>) {
        for (place, player) in space.players.iter().enumerate() {
            let &PlayerSpace { role, ref moves, ref percepts, .. } = player;
            let mut made = vec![0; LANES];
            for &number in moves {
                (lanes.made(role, number) & wanted).lanes().for_each(|lane| made[lane] = number);
            }
            let mut told = vec![Vec::new(); LANES];
            for &number in percepts {
                (lanes.sees(role, number) & wanted).lanes().for_each(|lane| told[lane].push(number));
            }
            for lane in wanted.lanes() {
                let percepts = space.network.percepts_of(role, &told[lane].iter().copied().collect());
                let played = space.network.moves(role)[made[lane]];
                self.sets[lane * self.players + place].turns.push((played, percepts));
            }
        }
    }

    /// Forgets everything in some lanes.
    pub(crate) fn forget(&mut self, wanted: Plane<W>) {
        for lane in wanted.lanes() {
            let sets = &mut self.sets[lane * self.players..(lane + 1) * self.players];
            sets.iter_mut().for_each(|known| known.turns.clear());
        }
    }

    /// Appends the information sets of all lanes.
    pub(crate) fn append_words(&self, space: &Space, words: &mut Vec<u64>) {
        for known in &self.sets {
            words.push(known.turns.len() as u64);
            for (played, percepts) in &known.turns {
                let number = space.network.move_number(known.role, *played).expect("a move that was made");
                let told =
                    space.network.percept_numbers(known.role, percepts).expect("percepts of the network");
                words.extend([number as u64, told.iter().count() as u64]);
                words.extend(told.iter().map(|percept| percept as u64));
            }
        }
    }

    /// Restores what [`append_words`](Self::append_words) appended, and removes it from the front. `None` if it is invalid.
    pub(crate) fn restore(&mut self, space: &Space, turns_max: u32, words: &mut &[u64]) -> Option<()> {
        for known in &mut self.sets {
            let possible = space.tape().sees(known.role).len();
            let turns = next(words).filter(|&turns| turns <= u64::from(turns_max))?;
            known.turns.clear();
            for _ in 0..turns {
                let number = usize::try_from(next(words)?).ok()?;
                let played = *space.network.moves(known.role).get(number)?;
                let count = next(words).filter(|&count| count <= possible as u64)?;
                let percept = |_| usize::try_from(next(words)?).ok().filter(|&number| number < possible);
                let told = (0..count).map(percept).collect::<Option<_>>()?;
                known.turns.push((played, space.network.percepts_of(known.role, &told)));
            }
        }
        Some(())
    }
}

/// The next word, which is taken from the front.
fn next(words: &mut &[u64]) -> Option<u64> {
    let (&first, rest) = words.split_first()?;
    *words = rest;
    Some(first)
}
