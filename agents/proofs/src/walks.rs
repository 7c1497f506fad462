//! Random matches, hundreds at once, that look for what refutes a claim or shows that something can happen.
//!
//! Every other match has an order of preference over all moves, drawn for it, and mostly follows it: so matches differ in style, and
//! reach what uniform play hardly ever does.

use std::sync::Arc;

use croupier_engine::{
    Game, GoalValue, JointMove,
    draw::draw_index,
    game::{GameNetwork, PlayedRows, RowLooker, RowStatus, RowStatuses},
};
use rand_chacha::{ChaCha8Rng, rand_core::SeedableRng};
use rand_core::Rng;
use rustc_hash::FxHashMap;

use crate::{
    answer::Line,
    goals::are_sound,
    interner::{bits, hash_of, is_set},
    maximum::Maximum,
};

/// What matches came upon.
#[derive(Debug, Default)]
pub(crate) struct Walked {
    /// Matches that came to an end.
    pub(crate) playouts: usize,
    /// For each maximum the shortest match that reaches it.
    pub(crate) wins: Vec<Option<Line>>,
    /// A match that comes to a state a second time.
    pub(crate) again: Option<Line>,
    /// A match that is not over, and some role has no legal move.
    pub(crate) stuck: Option<Line>,
    /// A match that ends without exactly one valid goal for each player.
    pub(crate) fault: Option<Line>,
    /// A state in which several roles have something to choose.
    pub(crate) together: Option<Line>,
    /// Two matches with different sums of goals, and the sums.
    pub(crate) sums: Vec<(i64, Line)>,
    /// Some of the matches, each as the rows of its states.
    kept: Vec<Vec<u64>>,
    kept_words: usize,
    words: usize,
}

/// Words of matches that are kept: 64 megabytes.
const KEPT_MAX: usize = 8 << 20;

impl Walked {
    /// States that were met.
    pub(crate) fn states(&self) -> impl Iterator<Item = &[u64]> {
        self.kept.iter().flat_map(|rows| rows.chunks_exact(self.words))
    }

    /// States that followed on each other.
    pub(crate) fn turns(&self) -> impl Iterator<Item = [&[u64]; 2]> {
        let pairs = |rows: &'_ [u64]| 0..(rows.len() / self.words).saturating_sub(1);
        self.kept.iter().flat_map(move |rows| {
            pairs(rows).map(move |turn| [turn, turn + 1].map(|turn| &rows[turn * self.words..][..self.words]))
        })
    }

    /// Keeps a match, if there is room.
    fn keep(&mut self, rows: &[u64], last: &[u64]) {
        if self.kept_words < KEPT_MAX {
            self.kept_words += rows.len() + last.len();
            self.kept.push([rows, last].concat());
        }
    }
}

/// The most turns of a match: longer ones are given up.
const TURNS_MAX: usize = 3_000;

/// How often a match with a preference follows it, of eight moves.
const FAITHFUL: u64 = 7;

/// One match.
#[derive(Debug, Default)]
struct RandomWalk {
    /// Of each turn, the number of the move of each role.
    moves: Vec<u32>,
    rows: Vec<u64>,
    /// The turns of states by their hash.
    seen: FxHashMap<u64, usize>,
    /// What orders moves; none plays uniformly.
    preference: Option<u64>,
    is_over: bool,
}

/// What matches are played with.
struct Walker<'w> {
    game: &'w Game,
    network: Arc<GameNetwork>,
    maxima: &'w [Maximum],
    roles: usize,
    words: usize,
    rng: ChaCha8Rng,
    found: Walked,
}

/// Plays matches at random until `is_over` says so. `None` if the game has no network for rows.
pub(crate) fn walk(game: &Arc<Game>, maxima: &[Maximum], is_over: &dyn Fn() -> bool) -> Option<Walked> {
    let mut looker = RowLooker::new(game)?;
    let mut walker = Walker::new(game, maxima, looker.words())?;
    let start = walker.network.row(game.initial_state())?;
    let mut walks: Vec<RandomWalk> = (0..RowLooker::BLOCK).map(|_| RandomWalk::default()).collect();
    let mut states: Vec<u64> = Vec::new();
    for (lane, walk) in walks.iter_mut().enumerate() {
        walker.begin(walk, lane);
        states.extend_from_slice(&start);
    }
    let sources: Vec<u32> = (0..).take(walks.len()).collect();
    let (mut statuses, mut played) = (RowStatuses::default(), PlayedRows::default());
    while !is_over() {
        looker.look(&states, walks.len(), &mut statuses);
        let mut moves: Vec<u32> = Vec::new();
        let mut plays: Vec<u32> = Vec::new();
        for (lane, walk) in walks.iter_mut().enumerate() {
            walker.note(walk, &states[lane * walker.words..][..walker.words], &statuses, lane);
            if !walk.is_over {
                plays.push(sources[lane]);
                let begin = moves.len();
                draw_moves(&statuses, lane, walk.preference, &mut walker.rng, &mut moves);
                walk.moves.extend(&moves[begin..]);
            }
        }
        looker.play(&states, &plays, &moves, &mut played);
        for (place, &lane) in plays.iter().enumerate() {
            let next = &played.states[place * walker.words..][..walker.words];
            states[lane as usize * walker.words..][..walker.words].copy_from_slice(next);
        }
        for (lane, walk) in walks.iter_mut().enumerate().filter(|(_, walk)| walk.is_over) {
            walker.begin(walk, lane);
            states[lane * walker.words..][..walker.words].copy_from_slice(&start);
        }
    }
    Some(walker.found)
}

/// What one match comes upon, given as the numbers of the moves by role, turn after turn. `None` if it cannot be played.
pub(crate) fn walked_along(game: &Game, maxima: &[Maximum], moves: &[Vec<u32>]) -> Option<Walked> {
    let mut looker = RowLooker::new(game)?;
    let mut walker = Walker::new(game, maxima, looker.words())?;
    let mut walk = RandomWalk::default();
    let mut row = walker.network.row(game.initial_state())?;
    let (mut statuses, mut played) = (RowStatuses::default(), PlayedRows::default());
    for turn in 0..=moves.len() {
        looker.look(&row, 1, &mut statuses);
        walker.note(&mut walk, &row, &statuses, 0);
        let Some(numbers) = moves.get(turn) else { break };
        let is_legal = |(legal, &number): (&Vec<u64>, &u32)| is_set(legal, number as usize);
        if statuses.kinds[0] != RowStatus::Running || !statuses.legal.iter().zip(numbers).all(is_legal) {
            return None;
        }
        walk.moves.extend(numbers);
        looker.play(&row, &[0], numbers, &mut played);
        row.clone_from(&played.states);
    }
    Some(walker.found)
}

impl<'w> Walker<'w> {
    fn new(game: &'w Game, maxima: &'w [Maximum], words: usize) -> Option<Self> {
        Some(Self {
            game,
            network: Arc::clone(game.network()?),
            maxima,
            roles: game.roles().len(),
            words,
            rng: ChaCha8Rng::seed_from_u64(0),
            found: Walked { wins: vec![None; maxima.len()], words, ..Walked::default() },
        })
    }

    fn begin(&mut self, walk: &mut RandomWalk, lane: usize) {
        let preference = (lane % 2 == 1).then(|| self.rng.next_u64());
        *walk = RandomWalk { preference, ..RandomWalk::default() };
    }

    /// Takes in the state of a match.
    fn note(&mut self, walk: &mut RandomWalk, row: &[u64], statuses: &RowStatuses, lane: usize) {
        let turn = walk.moves.len() / self.roles;
        let players = statuses.goals.len() / statuses.kinds.len().max(1);
        match statuses.kinds[lane] {
            RowStatus::Terminal => {
                self.found.playouts += 1;
                walk.is_over = true;
                self.found.keep(&walk.rows, row);
                let goals = &statuses.goals[lane * players..][..players];
                self.note_goals(walk, &goals.iter().map(|goal| goal.value()).collect::<Vec<_>>());
            }
            RowStatus::Unclear => {
                walk.is_over = true;
                let state = self.network.state_of_row(row);
                let is_stuck = !self.game.is_terminal(&state, &mut self.game.scratch()).unwrap_or(true);
                if !is_stuck && are_sound(self.game, &state) {
                    let goal = |role| self.game.goal(&state, role, &mut self.game.scratch()).ok().flatten();
                    let goals = self.game.roles().players().filter_map(goal).map(GoalValue::value);
                    let goals: Vec<i32> = goals.collect();
                    self.found.playouts += 1;
                    self.found.keep(&walk.rows, row);
                    self.note_goals(walk, &goals);
                    return;
                }
                let place = if is_stuck { &self.found.stuck } else { &self.found.fault };
                if is_shorter(place.as_ref(), turn) {
                    let line = Some(self.line(walk));
                    *(if is_stuck { &mut self.found.stuck } else { &mut self.found.fault }) = line;
                }
            }
            RowStatus::Running => {
                let hash = hash_of(row);
                if let Some(&earlier) = walk.seen.get(&hash)
                    && walk.rows[earlier * self.words..][..self.words] == *row
                {
                    walk.is_over = true;
                    if is_shorter(self.found.again.as_ref(), turn) {
                        self.found.again = Some(Line { returns_to: Some(earlier), ..self.line(walk) });
                    }
                }
                walk.seen.insert(hash, turn);
                walk.rows.extend_from_slice(row);
                walk.is_over |= turn >= TURNS_MAX;
                if self.found.together.is_none() && self.choosers(statuses, lane) > 1 {
                    self.found.together = Some(self.line(walk));
                }
            }
        }
    }

    fn note_goals(&mut self, walk: &RandomWalk, goals: &[i32]) {
        let turn = walk.moves.len() / self.roles;
        for (place, maximum) in self.maxima.iter().enumerate() {
            if goals[maximum.player] == maximum.goal && is_shorter(self.found.wins[place].as_ref(), turn) {
                self.found.wins[place] = Some(self.line(walk));
            }
        }
        if self.found.fault.is_none() && goals.iter().any(|goal| !(0..=100).contains(goal)) {
            self.found.fault = Some(self.line(walk));
        }
        let sum = goals.iter().copied().map(i64::from).sum();
        if self.found.sums.len() < 2 && self.found.sums.iter().all(|(known, _)| *known != sum) {
            self.found.sums.push((sum, self.line(walk)));
        }
    }

    fn choosers(&self, statuses: &RowStatuses, lane: usize) -> usize {
        let has_choice = |rows: &&Vec<u64>| {
            let words = rows.len() / statuses.kinds.len();
            rows[lane * words..][..words].iter().map(|word| word.count_ones()).sum::<u32>() > 1
        };
        statuses.legal.iter().filter(has_choice).count()
    }

    fn line(&self, walk: &RandomWalk) -> Line {
        let moves: Vec<JointMove> =
            walk.moves.chunks_exact(self.roles).map(|numbers| self.network.joint_move(numbers)).collect();
        Line { moves, returns_to: None }
    }
}

/// Draws a move for each role in a state that was looked at: any, or mostly the one that is preferred.
pub(crate) fn draw_moves(
    statuses: &RowStatuses,
    lane: usize,
    preference: Option<u64>,
    rng: &mut ChaCha8Rng,
    into: &mut Vec<u32>,
) {
    for rows in &statuses.legal {
        let words = rows.len() / statuses.kinds.len();
        let legal: Vec<u32> = bits(&rows[lane * words..][..words]).collect();
        into.push(match preference.filter(|_| rng.next_u64() % 8 < FAITHFUL) {
            None => legal[draw_index(legal.len(), rng)],
            Some(preference) => {
                // One round of the hash would leave all moves in the same cyclic order.
                let liked = |number: &&u32| hash_of(&[hash_of(&[preference, u64::from(**number)])]);
                *legal.iter().max_by_key(liked).expect("every role has a move")
            }
        });
    }
}

fn is_shorter(known: Option<&Line>, turns: usize) -> bool {
    known.is_none_or(|line| turns < line.moves.len())
}
