//! What matches show when they are watched: each with the shortest match that does.

use croupier_engine::{
    Game, GoalValue,
    game::{GameNetwork, RowStatus},
};
use rustc_hash::FxHashMap;

use crate::{
    answer::Line,
    goals::are_sound,
    interner::{hash_of, is_set},
    lanes::{MatchLanes, Style},
    maximum::Maximum,
};

/// A match from the first state on that shows something.
#[derive(Clone, Debug)]
pub(crate) struct Way {
    /// How many turns it takes.
    pub(crate) turns: usize,
    /// The numbers of the moves by role, turn after turn.
    pub(crate) moves: Vec<u32>,
    /// The states before these turns.
    pub(crate) rows: Vec<u64>,
    /// The state after so many turns comes again after the last.
    pub(crate) returns_to: Option<usize>,
}

impl Way {
    pub(crate) fn line(&self, network: &GameNetwork) -> Line {
        let roles = self.moves.len().checked_div(self.turns).unwrap_or(1).max(1);
        let moves = self.moves.chunks_exact(roles).map(|numbers| network.joint_move(numbers)).collect();
        Line { moves, returns_to: self.returns_to }
    }
}

/// What matches came upon.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shown {
    /// For each maximum a match that reaches it.
    pub(crate) wins: Vec<Option<Way>>,
    /// A match that comes to a state a second time.
    pub(crate) again: Option<Way>,
    /// A match that is not over, and some role has no legal move.
    pub(crate) stuck: Option<Way>,
    /// A match that ends without exactly one valid goal for each player.
    pub(crate) fault: Option<Way>,
    /// A state in which several roles have something to choose.
    pub(crate) together: Option<Way>,
    /// Two matches with different sums of goals, and the sums.
    pub(crate) sums: Vec<(i64, Way)>,
}

impl Shown {
    pub(crate) fn ways(&self) -> impl Iterator<Item = &Way> {
        let Self { wins, again, stuck, fault, together, sums } = self;
        let single = wins.iter().chain([again, stuck, fault, together]).flatten();
        single.chain(sums.iter().map(|(_, way)| way))
    }
}

/// One match that is watched.
#[derive(Debug, Default)]
pub(crate) struct WatchedMatch {
    pub(crate) style: Style,
    pub(crate) is_over: bool,
    /// The numbers of the moves by role, turn after turn.
    pub(crate) moves: Vec<u32>,
    /// The states that were met.
    pub(crate) rows: Vec<u64>,
    /// How many turns each of them was after the first, by its hash.
    seen: FxHashMap<u64, usize>,
}

impl WatchedMatch {
    pub(crate) fn new(style: Style) -> Self {
        Self { style, ..Self::default() }
    }

    /// A match that begins with the first turns of another.
    pub(crate) fn after(way: &Way, turns: usize, style: Style) -> Self {
        let words = way.rows.len() / way.turns;
        let rows = way.rows[..turns * words].to_vec();
        let seen = rows.chunks_exact(words).map(hash_of).zip(0..).collect();
        let moves = way.moves[..turns * (way.moves.len() / way.turns)].to_vec();
        Self { style, is_over: false, moves, rows, seen }
    }
}

/// Who watches matches.
pub(crate) struct Watcher<'w> {
    game: &'w Game,
    maxima: &'w [Maximum],
    pub(crate) shown: Shown,
}

impl<'w> Watcher<'w> {
    pub(crate) fn new(game: &'w Game, maxima: &'w [Maximum]) -> Self {
        Self { game, maxima, shown: Shown { wins: vec![None; maxima.len()], ..Shown::default() } }
    }

    /// Takes in the state that a match has come to; whether it is a valid end.
    pub(crate) fn watch(&mut self, watched: &mut WatchedMatch, lanes: &MatchLanes, lane: usize) -> bool {
        let row = lanes.row(lane);
        let turns = watched.moves.len() / lanes.roles();
        let way = |watched: &WatchedMatch, returns_to| Way {
            turns,
            moves: watched.moves.clone(),
            rows: watched.rows[..turns * row.len()].to_vec(),
            returns_to,
        };
        match lanes.status(lane) {
            RowStatus::Running => {
                let hash = hash_of(row);
                let earlier = watched.seen.get(&hash).copied();
                if let Some(earlier) =
                    earlier.filter(|&turn| watched.rows[turn * row.len()..][..row.len()] == *row)
                {
                    watched.is_over = true;
                    take_shorter(&mut self.shown.again, turns, || way(watched, Some(earlier)));
                }
                watched.seen.insert(hash, turns);
                watched.rows.extend_from_slice(row);
                let several =
                    |lanes: &MatchLanes| lanes.legal(lane).filter(|legal| has_several(legal)).count() > 1;
                if is_shorter(self.shown.together.as_ref(), turns) && several(lanes) {
                    self.shown.together = Some(way(watched, None));
                }
                return false;
            }
            RowStatus::Terminal => {
                let goals: Vec<i32> = lanes.goals(lane).collect();
                self.watch_goals(&goals, turns, &|| way(watched, None));
            }
            RowStatus::Unclear => {
                watched.is_over = true;
                let (game, state) = (self.game, lanes.network().state_of_row(row));
                let is_stuck = !game.is_terminal(&state, &mut game.scratch()).unwrap_or(true);
                if is_stuck || !are_sound(game, &state) {
                    let place = if is_stuck { &mut self.shown.stuck } else { &mut self.shown.fault };
                    take_shorter(place, turns, || way(watched, None));
                    return false;
                }
                let goal = |role| game.goal(&state, role, &mut game.scratch()).ok().flatten();
                let goals: Vec<i32> = game.roles().players().filter_map(goal).map(GoalValue::value).collect();
                self.watch_goals(&goals, turns, &|| way(watched, None));
            }
        }
        watched.is_over = true;
        true
    }

    fn watch_goals(&mut self, goals: &[i32], turns: usize, way: &dyn Fn() -> Way) {
        for (won, maximum) in self.shown.wins.iter_mut().zip(self.maxima) {
            if goals[maximum.player] == maximum.goal {
                take_shorter(won, turns, way);
            }
        }
        if goals.iter().any(|goal| !(0..=100).contains(goal)) {
            take_shorter(&mut self.shown.fault, turns, way);
        }
        let (sum, sums) = (goals.iter().copied().map(i64::from).sum(), &mut self.shown.sums);
        match sums.iter().position(|(known, _)| *known == sum) {
            Some(place) if turns < sums[place].1.turns => sums[place].1 = way(),
            None if sums.len() < 2 => sums.push((sum, way())),
            Some(_) | None => {}
        }
    }
}

fn take_shorter(known: &mut Option<Way>, turns: usize, way: impl FnOnce() -> Way) {
    if is_shorter(known.as_ref(), turns) {
        *known = Some(way());
    }
}

fn is_shorter(known: Option<&Way>, turns: usize) -> bool {
    known.is_none_or(|way| turns < way.turns)
}

fn has_several(legal: &[u64]) -> bool {
    legal.iter().map(|word| word.count_ones()).sum::<u32>() > 1
}

/// What one match shows, given as the numbers of the moves by role, turn after turn. `None` if it cannot be played.
pub(crate) fn shown_by(game: &Game, maxima: &[Maximum], moves: &[u32]) -> Option<Shown> {
    let mut lanes = MatchLanes::new(game, 1)?;
    let (mut watcher, mut watched) = (Watcher::new(game, maxima), WatchedMatch::default());
    let mut turns = moves.chunks_exact(lanes.roles());
    loop {
        lanes.look();
        watcher.watch(&mut watched, &lanes, 0);
        let Some(numbers) = turns.next() else { return Some(watcher.shown) };
        let is_legal = |(legal, &number): (&[u64], &u32)| is_set(legal, number as usize);
        if lanes.status(0) != RowStatus::Running || !lanes.legal(0).zip(numbers).all(is_legal) {
            return None;
        }
        watched.moves.extend(lanes.make(0, numbers));
        lanes.play();
    }
}
