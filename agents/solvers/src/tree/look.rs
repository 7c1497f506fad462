//! What the rules say of many histories at once: on lanes where the game is a network, else one by one.

use croupier_engine::{
    ByPlayer, ByRole, Game, GameError, GoalValue, JointMove, MoveId, RoleId, Scratch, State, Status, Turn,
    batch::{Lanes, Plane},
    bits::Bits,
    game::{GameNetwork, PerceptReading},
    propnet::Phase,
};
use rayon::prelude::*;

/// Words of a plane: 512 lanes.
const W: usize = 8;

/// Histories that one thread looks at in one go.
const BLOCK: usize = Plane::<W>::LANES;

/// Fewer histories than these are looked at one by one: a pass over all lanes would cost more.
const LANES_MIN: usize = 16;

/// What the rules say of a history.
#[derive(Debug)]
pub(super) enum Found {
    /// The match is over.
    Terminal(ByPlayer<GoalValue>),
    /// It goes on.
    Running {
        /// The legal moves.
        legal: ByRole<Vec<MoveId>>,
        /// What each joint move leads to, in canonical order.
        turns: Vec<(JointMove, Turn)>,
    },
}

/// What the rules say of each of some states, on the threads of the rayon pool that this is called in.
pub(super) fn look(game: &Game, states: &[&State]) -> Result<Vec<Found>, GameError> {
    let blocks: Vec<Vec<Found>> = states
        .par_chunks(BLOCK)
        .map_init(|| Looker::new(game), |looker, states| looker.look(states))
        .collect::<Result<_, GameError>>()?;
    Ok(blocks.into_iter().flatten().collect())
}

/// One thread's memory.
struct Looker<'g> {
    game: &'g Game,
    scratch: Scratch,
    /// `None` if the game is no network, or percepts are read in another state than moves are made in.
    board: Option<Board<'g>>,
}

/// The lanes of a game that is a network.
struct Board<'g> {
    game: &'g Game,
    network: &'g GameNetwork,
    lanes: Lanes<W>,
}

/// What lanes say of some states.
struct Answers {
    terminal: Plane<W>,
    /// By role and lane, the numbers of the legal moves.
    legal: Vec<Vec<Vec<u32>>>,
    /// By lane, the goals, where each player has exactly one that is a number from 0 to 100.
    goals: Vec<Option<ByPlayer<GoalValue>>>,
}

/// Joint moves of some states, by the numbers of the tape.
#[derive(Default)]
struct Joints {
    /// For each, the position of the state.
    sources: Vec<u32>,
    /// For each, as many numbers as roles.
    numbers: Vec<u32>,
}

impl<'g> Looker<'g> {
    fn new(game: &'g Game) -> Self {
        let network = game.network().filter(|_| game.percept_reading() == PerceptReading::OldState);
        let board = network.map(|network| Board { game, network, lanes: Lanes::new(network.tape().clone()) });
        Self { game, scratch: game.scratch(), board }
    }

    fn look(&mut self, states: &[&State]) -> Result<Vec<Found>, GameError> {
        if let Some(board) = &mut self.board
            && states.len() >= LANES_MIN
        {
            return board.look(states, &mut self.scratch);
        }
        states.iter().map(|state| look_at(self.game, state, &mut self.scratch)).collect()
    }
}

fn look_at(game: &Game, state: &State, scratch: &mut Scratch) -> Result<Found, GameError> {
    match game.status(state, scratch)? {
        Status::Terminal { goals } => Ok(Found::Terminal(goals)),
        Status::Running { legal } => {
            let turn = |joint_move: JointMove| {
                let turn = game.turn(state, &joint_move, scratch)?;
                Ok((joint_move, turn))
            };
            let turns = game.joint_moves(&legal).map(turn).collect::<Result<_, GameError>>()?;
            Ok(Found::Running { legal, turns })
        }
    }
}

impl Board<'_> {
    /// What the rules say of at most as many states as lanes. What is not as it should be is looked at alone.
    fn look(&mut self, states: &[&State], scratch: &mut Scratch) -> Result<Vec<Found>, GameError> {
        let game = self.game;
        let rows: Option<Vec<Vec<u64>>> = states.iter().map(|state| self.network.row(state)).collect();
        let rows = rows.ok_or(GameError::OutOfReach)?.concat();
        let answers = Answers::of(self, &rows, states.len());
        let mut joints = Joints::default();
        let is_playable = |lane: usize| {
            !answers.terminal.get(lane) && answers.legal.iter().all(|legal| !legal[lane].is_empty())
        };
        for lane in (0..states.len()).filter(|&lane| is_playable(lane)) {
            joints.add(lane, &answers.legal);
        }
        let mut turns = joints.turns(self, &rows).into_iter();
        let mut counts = vec![0_usize; states.len()];
        for &source in &joints.sources {
            counts[source as usize] += 1;
        }
        let found = states.iter().enumerate().map(|(lane, state)| match &answers.goals[lane] {
            Some(goals) if answers.terminal.get(lane) => Ok(Found::Terminal(goals.clone())),
            _ if is_playable(lane) => {
                let legal = ByRole::from_fn(game.roles(), |role| {
                    self.moves(role, &answers.legal[role.index()][lane])
                });
                Ok(Found::Running { legal, turns: turns.by_ref().take(counts[lane]).collect() })
            }
            _ => look_at(game, state, scratch),
        });
        found.collect()
    }

    fn moves(&self, role: RoleId, numbers: &[u32]) -> Vec<MoveId> {
        let moves = self.network.moves(role);
        numbers.iter().map(|&number| moves[number as usize]).collect()
    }
}

impl Answers {
    fn of(board: &mut Board<'_>, rows: &[u64], count: usize) -> Self {
        let Board { game, network, lanes } = board;
        let all = Plane::first(count);
        lanes.load_rows(rows, &sources(0..count));
        lanes.evaluate(Phase::State);
        let terminal = lanes.terminal() & all;
        let legal = game.roles().all().map(|role| {
            let mut legal = vec![Vec::new(); count];
            for number in 0..lanes.tape().moves_count(role) {
                for lane in (lanes.legal(role, number) & all & !terminal).lanes() {
                    legal[lane].push(position(number));
                }
            }
            legal
        });
        let legal = legal.collect();
        let mut goals = vec![None; count];
        if terminal.any() {
            lanes.evaluate(Phase::Goal);
            let of_players: Vec<Vec<Option<GoalValue>>> =
                game.roles().players().map(|role| Self::goals(network, lanes, role, count)).collect();
            for lane in terminal.lanes() {
                let mut of_players = of_players.iter().map(|goals| goals[lane].ok_or(()));
                let each = |_| of_players.next().expect("a list for each player");
                goals[lane] = ByPlayer::try_from_fn(game.roles(), each).ok();
            }
        }
        Self { terminal, legal, goals }
    }

    /// The goal of a role in each lane, where it has exactly one that is as the language wants it.
    fn goals(network: &GameNetwork, lanes: &Lanes<W>, role: RoleId, count: usize) -> Vec<Option<GoalValue>> {
        let mut goals = vec![None; count];
        let mut seen = Plane::NONE;
        let mut several = Plane::NONE;
        for (place, text) in network.goals(role).iter().enumerate() {
            let has = lanes.has_goal(role, place) & Plane::first(count);
            several |= seen & has;
            seen |= has;
            let value = text.parse::<i32>().ok().filter(|value| (0..=100).contains(value));
            for lane in has.lanes() {
                goals[lane] = value.map(GoalValue::new);
            }
        }
        several.lanes().for_each(|lane| goals[lane] = None);
        goals
    }
}

impl Joints {
    /// Adds every combination of the moves in a lane; the last role varies fastest.
    fn add(&mut self, lane: usize, legal: &[Vec<Vec<u32>>]) {
        let mut places = vec![0; legal.len()];
        loop {
            self.sources.push(position(lane));
            self.numbers.extend(legal.iter().zip(&places).map(|(legal, &place)| legal[lane][place]));
            let is_counted = places.iter_mut().zip(legal).rev().any(|(place, legal)| {
                *place = (*place + 1) % legal[lane].len();
                *place != 0
            });
            if !is_counted {
                return;
            }
        }
    }

    /// What each of them leads to.
    fn turns(&self, board: &mut Board<'_>, rows: &[u64]) -> Vec<(JointMove, Turn)> {
        let Board { game, network, lanes } = board;
        let roles = game.roles().len();
        let words = lanes.row_words();
        let mut turns = Vec::with_capacity(self.sources.len());
        let blocks = self.sources.chunks(BLOCK).zip(self.numbers.chunks(BLOCK * roles));
        for (sources, numbers) in blocks {
            let all = Plane::first(sources.len());
            lanes.load_rows(rows, sources);
            lanes.evaluate(Phase::State);
            make(lanes, numbers);
            lanes.evaluate(Phase::Next);
            let mut next = Vec::with_capacity(sources.len() * words);
            lanes.append_next_rows(all, &mut next);
            lanes.evaluate(Phase::Sees);
            let mut told: Vec<Vec<Bits>> =
                game.roles().players().map(|role| told(lanes, role, sources.len())).collect();
            for (lane, numbers) in numbers.chunks(roles).enumerate() {
                let mut told = told.iter_mut();
                let percepts = ByPlayer::from_fn(game.roles(), |role| {
                    let told = told.next().expect("a list for each player");
                    network.percepts_of(role, &std::mem::take(&mut told[lane]))
                });
                let successor = network.state_of_row(&next[lane * words..(lane + 1) * words]);
                let joint_move = network.joint_move(numbers);
                turns.push((joint_move, Turn { percepts, successor }));
            }
        }
        turns
    }
}

/// Makes the moves with these numbers, as many for each lane as roles.
fn make(lanes: &mut Lanes<W>, numbers: &[u32]) {
    lanes.clear_moves();
    for role in lanes.tape().roles() {
        let mut made = vec![Plane::NONE; lanes.tape().moves_count(role)];
        for (lane, numbers) in numbers.chunks(lanes.tape().roles_count()).enumerate() {
            made[numbers[role.index()] as usize].set(lane, true);
        }
        for (number, &plane) in made.iter().enumerate().filter(|(_, plane)| plane.any()) {
            lanes.make(role, number, plane);
        }
    }
}

/// What a role is told in each lane.
fn told(lanes: &Lanes<W>, role: RoleId, count: usize) -> Vec<Bits> {
    let mut told = vec![Bits::new(); count];
    for percept in 0..lanes.tape().sees(role).len() {
        for lane in (lanes.sees(role, percept) & Plane::first(count)).lanes() {
            told[lane].insert(percept);
        }
    }
    told
}

fn sources(range: std::ops::Range<usize>) -> Vec<u32> {
    range.map(position).collect()
}

fn position(index: usize) -> u32 {
    u32::try_from(index).expect("lanes and moves are fewer than 2^32")
}
