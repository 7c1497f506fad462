//! Evaluates many states and joint moves at once: on lanes if the game has a network, otherwise one by one.
//!
//! A pass over the tape costs about the same for one state as for 512. So code that enumerates histories passes in
//! whole lists: first the states, to get the legal moves, then joint moves, each with the index of its state, to
//! get their results.
//!
//! The cost of a pass depends on the size of the network, even if a move only affects a handful of its hundred thousand gates. The
//! lifted reasoner evaluates only that handful, so networks that do not fit in the processor's cache are compared with it.

use std::sync::Arc;

use super::{
    ByPlayer, ByRole, Game, GameError, GameNetwork, GoalValue, JointMove, PerceptReading, Percepts, Scratch,
    State, Status, Turn,
};
use crate::{
    batch::{Lanes, Plane},
    bits::Bits,
    id::{MoveId, RoleId},
    propnet::Phase,
};

/// Words of a plane: 512 lanes.
const W: usize = 8;

/// States or joint moves per pass.
const BLOCK: usize = Plane::<W>::LANES;

/// Fewer than these are evaluated one by one: a pass over all lanes would cost more.
const LANES_MIN: usize = 16;

/// Networks with more slots than these do not fit in the cache: their planes take four megabytes.
pub(super) const SLOTS_MAX: usize = 1 << 16;

/// The number of slots of such a network that cost as much in a pass as the lifted reasoner takes to examine a row.
const SLOTS_PER_ROW: u64 = 2;

/// The fixed cost of a question to the lifted reasoner, in rows examined.
const ROWS_PER_QUESTION: u64 = 50;

/// One thread's working memory for evaluating many states of a game; valid only for that game.
///
/// Every result is the same as with a [`Scratch`]. In builds with `debug_assertions`, using it with another game or a
/// fork panics.
#[derive(Debug)]
pub struct Looker {
    scratch: Scratch,
    /// `None` if the game has no network, or percepts are evaluated in a different state than moves.
    network: Option<Arc<GameNetwork>>,
    /// Created on first use.
    lanes: Option<Box<Lanes<W>>>,
    /// Created when a network turns out to be too large.
    lifted: Option<Box<Scratch>>,
    /// Whether the lifted reasoner is faster than lanes for states and for branches, once measured.
    is_lifted_quicker: [Option<bool>; 2],
}

/// The subject of a batch of questions.
#[derive(Clone, Copy)]
enum QuestionSubject<'s> {
    States,
    /// Branches, of which this is one.
    Branches(Branch<'s>),
}

/// How a batch of questions is answered.
enum AnswerMethod {
    /// One by one, with the game's own engine or the lifted reasoner.
    Single { is_lifted: bool },
    /// All at once.
    Lanes(Boards),
}

/// A joint move in one of several states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Branch<'j> {
    /// The index of the state.
    pub state: usize,
    /// The joint move.
    pub joint_move: &'j JointMove,
}

/// What is asked of joint moves: whether a role is told exactly this, and if so what others are told.
#[derive(Clone, Copy, Debug)]
pub struct ToldQuestion<'t> {
    /// Who is told.
    pub role: RoleId,
    /// What.
    pub percepts: &'t Percepts,
    /// Whose percepts are wanted besides.
    pub others: &'t [RoleId],
}

/// What follows from a joint move by which a role is told what was asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToldBranch {
    /// The state after it.
    pub successor: State,
    /// What each of the others is told, in their order.
    pub percepts: Vec<Percepts>,
}

impl Looker {
    /// Working memory for one thread.
    #[must_use]
    pub fn new(game: &Game) -> Self {
        let network = game.network().filter(|_| game.percept_reading() == PerceptReading::OldState);
        let scratch = game.scratch();
        Self { scratch, network: network.cloned(), lanes: None, lifted: None, is_lifted_quicker: [None; 2] }
    }

    /// The working memory for one state.
    pub fn scratch(&mut self) -> &mut Scratch {
        &mut self.scratch
    }

    /// The [`Game::playable_moves`] of each of some states.
    pub fn playable_moves(
        &mut self,
        game: &Game,
        states: &[&State],
    ) -> Vec<Result<Option<ByRole<Vec<MoveId>>>, GameError>> {
        let mut found = Vec::with_capacity(states.len());
        for states in states.chunks(BLOCK) {
            let boards = match self.way(game, states, QuestionSubject::States, states.len()) {
                AnswerMethod::Lanes(boards) => boards,
                AnswerMethod::Single { is_lifted } => {
                    let scratch = self.single(game, is_lifted);
                    found.extend(states.iter().map(|state| game.playable_moves(state, scratch)));
                    continue;
                }
            };
            let Looked { terminal, legal } = self.look(game, &boards, states.len());
            for (lane, (legal, state)) in legal.into_iter().zip(states).enumerate() {
                found.push(match legal {
                    _ if terminal.get(lane) => Ok(None),
                    Some(legal) => Ok(Some(legal)),
                    None => game.playable_moves(state, &mut self.scratch),
                });
            }
        }
        found
    }

    /// The [`Game::status`] of each of some states.
    pub fn statuses(&mut self, game: &Game, states: &[&State]) -> Vec<Result<Status, GameError>> {
        let mut found = Vec::with_capacity(states.len());
        for states in states.chunks(BLOCK) {
            let boards = match self.way(game, states, QuestionSubject::States, states.len()) {
                AnswerMethod::Lanes(boards) => boards,
                AnswerMethod::Single { is_lifted } => {
                    let scratch = self.single(game, is_lifted);
                    found.extend(states.iter().map(|state| game.status(state, scratch)));
                    continue;
                }
            };
            let Looked { terminal, legal } = self.look(game, &boards, states.len());
            let goals = self.goals(game, terminal, states.len());
            for (lane, (legal, (goals, state))) in
                legal.into_iter().zip(goals.into_iter().zip(states)).enumerate()
            {
                found.push(match (goals, legal) {
                    (Some(goals), _) => Ok(Status::Terminal { goals }),
                    (None, Some(legal)) if !terminal.get(lane) => Ok(Status::Running { legal }),
                    _ => game.status(state, &mut self.scratch),
                });
            }
        }
        found
    }

    /// The results of each joint move, in order.
    ///
    /// # Errors
    /// The first error of [`Game::turn`].
    ///
    /// # Panics
    /// If a branch refers to a missing state.
    pub fn turns(
        &mut self,
        game: &Game,
        states: &[&State],
        branches: &[Branch<'_>],
    ) -> Result<Vec<Turn>, GameError> {
        let Some(first) = branches.first() else { return Ok(Vec::new()) };
        let boards = match self.way(game, states, QuestionSubject::Branches(*first), branches.len()) {
            AnswerMethod::Lanes(boards) => boards,
            AnswerMethod::Single { is_lifted } => {
                let scratch = self.single(game, is_lifted);
                let turn = |branch: &Branch<'_>| game.turn(states[branch.state], branch.joint_move, scratch);
                return branches.iter().map(turn).collect();
            }
        };
        let mut turns = Vec::with_capacity(branches.len());
        for branches in branches.chunks(BLOCK) {
            let (network, lanes) = self.play(&boards, branches);
            let all = Plane::first(branches.len());
            let successors = successors(network, lanes, all);
            let mut told: Vec<Vec<Bits>> =
                game.roles().players().map(|role| told(lanes, role, all)).collect();
            for (lane, successor) in successors.into_iter().enumerate() {
                let mut told = told.iter_mut();
                let percepts = ByPlayer::from_fn(game.roles(), |role| {
                    let told = told.next().expect("a list for each player");
                    network.percepts_of(role, &std::mem::take(&mut told[lane]))
                });
                turns.push(Turn { percepts, successor });
            }
        }
        Ok(turns)
    }

    /// For each joint move, in order, what follows if the role is told exactly the percepts.
    ///
    /// # Errors
    /// The first error of [`Game::percepts`] or [`Game::successor`].
    ///
    /// # Panics
    /// If a branch refers to a missing state.
    pub fn successors_told(
        &mut self,
        game: &Game,
        states: &[&State],
        branches: &[Branch<'_>],
        asked: ToldQuestion<'_>,
    ) -> Result<Vec<Option<ToldBranch>>, GameError> {
        let ToldQuestion { role, percepts, others } = asked;
        let Some(first) = branches.first() else { return Ok(Vec::new()) };
        let boards = match self.way(game, states, QuestionSubject::Branches(*first), branches.len()) {
            AnswerMethod::Lanes(boards) => boards,
            AnswerMethod::Single { is_lifted } => {
                let scratch = self.single(game, is_lifted);
                let follow = |branch: &Branch<'_>| {
                    game.told_branch(states[branch.state], branch.joint_move, asked, scratch)
                };
                return branches.iter().map(follow).collect();
            }
        };
        // What the network has no number for, nobody is ever told.
        let numbers = self.lanes().0.percept_numbers(role, percepts);
        let Some(numbers) = numbers else { return Ok(vec![None; branches.len()]) };
        let mut found = vec![None; branches.len()];
        for (branches, found) in branches.chunks(BLOCK).zip(found.chunks_mut(BLOCK)) {
            let (network, lanes) = self.play(&boards, branches);
            let agreeing = Plane::first(branches.len()) & lanes.sees_exactly(role, &numbers);
            let mut told: Vec<Vec<Bits>> = others.iter().map(|&other| told(lanes, other, agreeing)).collect();
            for (lane, successor) in agreeing.lanes().zip(successors(network, lanes, agreeing)) {
                let told = others.iter().zip(&mut told);
                let percepts =
                    told.map(|(&other, told)| network.percepts_of(other, &std::mem::take(&mut told[lane])));
                found[lane] = Some(ToldBranch { successor, percepts: percepts.collect() });
            }
        }
        Ok(found)
    }

    /// How to answer this many questions about states or branches.
    fn way(
        &mut self,
        game: &Game,
        states: &[&State],
        subject: QuestionSubject<'_>,
        questions: usize,
    ) -> AnswerMethod {
        game.engines.marks.check_looker(self.scratch.mark());
        let Some(network) = self.network.clone().filter(|_| questions >= LANES_MIN) else {
            return AnswerMethod::Single { is_lifted: false };
        };
        let slots = network.tape().slots_count();
        if slots > SLOTS_MAX && self.is_lifted_quicker(game, states, subject, slots) {
            return AnswerMethod::Single { is_lifted: true };
        }
        Boards::of(&network, states).map_or(AnswerMethod::Single { is_lifted: false }, AnswerMethod::Lanes)
    }

    /// Whether the lifted reasoner took less work for the first question of its kind than lanes take for each.
    fn is_lifted_quicker(
        &mut self,
        game: &Game,
        states: &[&State],
        subject: QuestionSubject<'_>,
        slots: usize,
    ) -> bool {
        let kind = usize::from(matches!(subject, QuestionSubject::Branches(_)));
        if let Some(known) = self.is_lifted_quicker[kind] {
            return known;
        }
        let scratch = self.single(game, true);
        let (begun, is_answered) = match subject {
            QuestionSubject::States => {
                let begun = scratch.rows_looked_at();
                (begun, game.playable_moves(states[0], scratch).is_ok())
            }
            QuestionSubject::Branches(Branch { state, joint_move }) => {
                // What is asked of the state is shared by its branches.
                let is_playable = game.playable_moves(states[state], scratch).is_ok();
                let begun = scratch.rows_looked_at();
                (begun, is_playable && game.turn(states[state], joint_move, scratch).is_ok())
            }
        };
        let rows = scratch.rows_looked_at() - begun + ROWS_PER_QUESTION;
        let rows_on_lanes = slots as u64 / (SLOTS_PER_ROW * BLOCK as u64);
        *self.is_lifted_quicker[kind].insert(is_answered && rows < rows_on_lanes)
    }

    /// Working memory for answering questions one by one.
    fn single(&mut self, game: &Game, is_lifted: bool) -> &mut Scratch {
        if is_lifted {
            return self.lifted.get_or_insert_with(|| Box::new(game.lifted_scratch()));
        }
        &mut self.scratch
    }

    /// The network, and its lanes.
    fn lanes(&mut self) -> (&GameNetwork, &mut Lanes<W>) {
        let network = self.network.as_ref().expect("boards are made for a network alone");
        let lanes = self.lanes.get_or_insert_with(|| Box::new(Lanes::new(Arc::clone(network.tape()))));
        (network, lanes)
    }

    /// Evaluates states, at most as many as there are lanes.
    fn look(&mut self, game: &Game, boards: &Boards, count: usize) -> Looked {
        let (network, lanes) = self.lanes();
        let sources: Vec<u32> = (0..count).map(position).collect();
        boards.enter(lanes, &sources);
        lanes.evaluate(Phase::State);
        let terminal = Plane::first(count) & lanes.terminal();
        let running = Plane::first(count) & !terminal;
        let mut legal = vec![ByRole::from_fn(game.roles(), |_| Vec::new()); count];
        let mut playable = running;
        for role in game.roles().all() {
            let mut has_move = Plane::NONE;
            for (number, &found) in network.moves(role).iter().enumerate() {
                let here = lanes.legal(role, number) & running;
                has_move |= here;
                here.lanes().for_each(|lane| legal[lane][role].push(found));
            }
            playable &= has_move;
        }
        let legal = legal.into_iter().enumerate().map(|(lane, legal)| playable.get(lane).then_some(legal));
        Looked { terminal, legal: legal.collect() }
    }

    /// The goals per lane, for states that are terminal and in which each player has exactly one, a number from 0 to
    /// 100; after [`look`](Self::look).
    fn goals(&mut self, game: &Game, terminal: Plane<W>, count: usize) -> Vec<Option<ByPlayer<GoalValue>>> {
        let mut goals = vec![None; count];
        if !terminal.any() {
            return goals;
        }
        let (network, lanes) = self.lanes();
        lanes.evaluate(Phase::Goal);
        let of_players: Vec<Vec<Option<GoalValue>>> =
            game.roles().players().map(|role| goals_of(network, lanes, role, count)).collect();
        for lane in terminal.lanes() {
            let mut of_players = of_players.iter().map(|goals| goals[lane].ok_or(()));
            let each = |_| of_players.next().expect("a list for each player");
            goals[lane] = ByPlayer::try_from_fn(game.roles(), each).ok();
        }
        goals
    }

    /// Plays at most as many joint moves as there are lanes, and computes all their results.
    fn play(&mut self, boards: &Boards, branches: &[Branch<'_>]) -> (&GameNetwork, &mut Lanes<W>) {
        let (network, lanes) = self.lanes();
        let sources: Vec<u32> = branches.iter().map(|branch| position(branch.state)).collect();
        boards.enter(lanes, &sources);
        lanes.evaluate(Phase::State);
        lanes.clear_moves();
        for (lane, branch) in branches.iter().enumerate() {
            for (role, &played) in branch.joint_move.moves().iter() {
                // A move that is never legal makes nothing happen.
                if let Some(number) = network.move_number(role, played) {
                    lanes.make_in(lane, role, number);
                }
            }
        }
        lanes.evaluate(Phase::Next);
        lanes.evaluate(Phase::Sees);
        (network, lanes)
    }
}

/// States in the form that lanes take.
enum Boards {
    /// As rows of bits, one after the other.
    Rows(Vec<u64>),
    /// For each state, the bases that are true.
    Bases(Vec<Vec<usize>>),
}

/// States of networks with more bases than these are not stored as rows: most bits would never be set.
const BASES_MAX: usize = 4_096;

impl Boards {
    /// The states on the boards of a network, if the network has them all.
    fn of(network: &GameNetwork, states: &[&State]) -> Option<Self> {
        if network.fluents().len() > BASES_MAX {
            let bases = |state: &&State| state.fluents().map(|fluent| network.base(fluent)).collect();
            return states.iter().map(bases).collect::<Option<_>>().map(Self::Bases);
        }
        let mut rows = Vec::new();
        for state in states {
            rows.append(&mut network.row(state)?);
        }
        Some(Self::Rows(rows))
    }

    /// Puts the state with index `sources[l]` into lane `l`.
    fn enter(&self, lanes: &mut Lanes<W>, sources: &[u32]) {
        match self {
            Self::Rows(rows) => lanes.load_rows(rows, sources),
            Self::Bases(states) => {
                (0..lanes.tape().bases_count()).for_each(|base| lanes.set_base(base, Plane::NONE));
                for (lane, &source) in sources.iter().enumerate() {
                    for &base in &states[source as usize] {
                        let mut plane = lanes.base(base);
                        plane.set(lane, true);
                        lanes.set_base(base, plane);
                    }
                }
            }
        }
    }
}

/// The results of a pass over several states.
struct Looked {
    /// The lanes whose state is terminal.
    terminal: Plane<W>,
    /// For each lane, the legal moves, if its state is not terminal and every role has one.
    legal: Vec<Option<ByRole<Vec<MoveId>>>>,
}

/// The next states of some lanes, in ascending order of the lanes.
fn successors(network: &GameNetwork, lanes: &Lanes<W>, wanted: Plane<W>) -> Vec<State> {
    if lanes.tape().bases_count() > BASES_MAX {
        return successors_by_base(network, lanes, wanted);
    }
    let mut rows = Vec::new();
    lanes.append_next_rows(wanted, &mut rows);
    let words = lanes.row_words();
    (0..wanted.count() as usize)
        .map(|row| network.state_of_row(&rows[row * words..(row + 1) * words]))
        .collect()
}

/// The same, in time linear in the bases and in the true ones.
fn successors_by_base(network: &GameNetwork, lanes: &Lanes<W>, wanted: Plane<W>) -> Vec<State> {
    let mut bases = vec![Vec::new(); BLOCK];
    for base in 0..lanes.tape().bases_count() {
        let next = lanes.next(base) & wanted;
        if next.any() {
            next.lanes().for_each(|lane| bases[lane].push(base));
        }
    }
    wanted.lanes().map(|lane| network.state_of(bases[lane].iter().copied())).collect()
}

/// The goal of a role in each lane, if it has exactly one valid goal.
fn goals_of(network: &GameNetwork, lanes: &Lanes<W>, role: RoleId, count: usize) -> Vec<Option<GoalValue>> {
    let mut goals = vec![None; count];
    let (mut seen, mut several) = (Plane::NONE, Plane::NONE);
    for (place, value) in network.goal_values(role).enumerate() {
        let has = lanes.has_goal(role, place) & Plane::first(count);
        several |= seen & has;
        seen |= has;
        for lane in has.lanes() {
            goals[lane] = value;
        }
    }
    several.lanes().for_each(|lane| goals[lane] = None);
    goals
}

impl Game {
    /// What follows from a joint move, if the role is told exactly the percepts.
    fn told_branch(
        &self,
        state: &State,
        joint_move: &JointMove,
        asked: ToldQuestion<'_>,
        scratch: &mut Scratch,
    ) -> Result<Option<ToldBranch>, GameError> {
        if self.percepts(state, joint_move, asked.role, scratch)? != *asked.percepts {
            return Ok(None);
        }
        let successor = self.successor(state, joint_move, scratch)?;
        let percepts = asked.others.iter().map(|&other| self.percepts(state, joint_move, other, scratch));
        Ok(Some(ToldBranch { successor, percepts: percepts.collect::<Result<_, GameError>>()? }))
    }
}

/// What a role is told in each of some lanes, as indices of the network; nothing in others.
fn told(lanes: &Lanes<W>, role: RoleId, wanted: Plane<W>) -> Vec<Bits> {
    let mut told = vec![Bits::new(); BLOCK];
    for percept in 0..lanes.tape().sees(role).len() {
        for lane in (lanes.sees(role, percept) & wanted).lanes() {
            told[lane].insert(percept);
        }
    }
    told
}

fn position(index: usize) -> u32 {
    u32::try_from(index).expect("states of one call are fewer than 2^32")
}
