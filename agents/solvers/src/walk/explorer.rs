//! From rules to the graph of their states, breadth first on lanes.

use croupier_engine::{
    Game, MoveId, Percepts, RoleId,
    game::{RowLooker, RowStatus, RowStatuses},
};
use rustc_hash::FxHashMap;

use super::{
    WalkError,
    graph::{EdgeId, MenuId, OutcomeId, RoleMoves, StateGraph, StateId, StateInfo, StepId},
    settled::judged,
};
use crate::lanes::{ByRow, Lookers, ones, percepts, position};

/// Joint moves that are played together.
const BRANCHES: usize = 32_768;

/// Words of all states' rows, at most: half a gigabyte, and as much again to find them by.
const WORDS_MAX: usize = 1 << 26;

/// Most joint moves for each state that may be numbered.
const BRANCHES_PER_STATE: usize = 16;

/// A graph that grows.
struct Explorer<'l, 'g> {
    lookers: &'l Lookers<'g>,
    states_max: usize,
    graph: StateGraph,
    /// How many states there are.
    states: usize,
    /// Their rows, by number; empty if there is nothing that can be true.
    rows: Vec<u64>,
    known_states: ByRow<StateId>,
    /// By role, the meanings of rows of legal moves.
    known_menus: Vec<ByRow<MenuId>>,
    /// By menu, the network indices of its moves.
    numbers: Vec<Box<[u32]>>,
    /// By player, the meanings of rows of percepts.
    told: Vec<ByRow<u32>>,
    percepts: Vec<Percepts>,
    known_percepts: FxHashMap<Percepts, u32>,
    known_steps: FxHashMap<(MoveId, u32), StepId>,
    known_outcomes: FxHashMap<Vec<i32>, OutcomeId>,
}

/// The graph of a game with at most `states_max` states; `None` if there are more, they take too much memory, or the game can come
/// back to a state.
///
/// # Errors
/// If the rules fail in some state, or `go_on`, which is asked now and then, stops the work.
pub(super) fn explore(
    game: &Game,
    lookers: &Lookers<'_>,
    states_max: usize,
    go_on: &mut dyn FnMut() -> Result<(), WalkError>,
) -> Result<Option<StateGraph>, WalkError> {
    let players: Vec<RoleId> = game.roles().players().collect();
    if players.len() > u64::BITS as usize {
        return Ok(None);
    }
    let graph = StateGraph {
        roles: game.roles().all().count(),
        players,
        places: Vec::new(),
        choices: Vec::new(),
        menus: Vec::new(),
        nexts: Vec::new(),
        steps: Vec::new(),
        experiences: Vec::new(),
        goals: Vec::new(),
        histories: Vec::new(),
    };
    let explorer = Explorer {
        lookers,
        states_max: states_max.min(WORDS_MAX / lookers.words().max(1)),
        graph,
        states: 0,
        rows: Vec::new(),
        known_states: lookers.by_state(),
        known_menus: game.roles().all().map(|role| lookers.by_legal(role)).collect(),
        numbers: Vec::new(),
        told: game.roles().players().map(|role| lookers.by_told(role)).collect(),
        percepts: Vec::new(),
        known_percepts: FxHashMap::default(),
        known_steps: FxHashMap::default(),
        known_outcomes: FxHashMap::default(),
    };
    let initial = lookers.network().row(game.initial_state()).expect("the network has its initial state");
    explorer.run(&initial, go_on)
}

impl Explorer<'_, '_> {
    fn run(
        mut self,
        initial: &[u64],
        go_on: &mut dyn FnMut() -> Result<(), WalkError>,
    ) -> Result<Option<StateGraph>, WalkError> {
        self.state(initial, 0);
        let words = self.lookers.words();
        let mut done = 0;
        while done < self.states {
            go_on()?;
            let count = (self.states - done).min(BRANCHES);
            let rows = self.rows[done * words..(done + count) * words].to_vec();
            let statuses = self.lookers.look(&rows, count)?;
            let (mut sources, mut moves) = (Vec::new(), Vec::new());
            for state in 0..count {
                let (block, lane) = (&statuses[state / RowLooker::BLOCK], state % RowLooker::BLOCK);
                if self.place(block, lane, &mut moves).is_none() {
                    return Ok(None);
                }
                sources.resize(moves.len() / self.graph.roles, position(state));
                if sources.len() >= BRANCHES {
                    self.play(&rows, &mut sources, &mut moves);
                }
            }
            self.play(&rows, &mut sources, &mut moves);
            done += count;
            if self.states > self.states_max {
                return Ok(None);
            }
        }
        Ok(judged(self.graph))
    }

    /// The number of the state of a row, new if it was not known.
    fn state(&mut self, rows: &[u64], number: usize) -> StateId {
        let Self { known_states, states, rows: all, .. } = self;
        known_states.get(rows, number, |row| {
            all.extend_from_slice(row);
            *states += 1;
            StateId(position(*states - 1))
        })
    }

    /// Adds the next state, with a number for each of its joint moves, which it appends to `moves`; `None` if there are too
    /// many.
    fn place(&mut self, block: &RowStatuses, lane: usize, moves: &mut Vec<u32>) -> Option<()> {
        let (roles, players) = (self.graph.roles, self.graph.players.len());
        let first = position(self.graph.nexts.len() + moves.len() / roles);
        let mut place = StateInfo { first: EdgeId(first), outcome: OutcomeId::OPEN, quiet: 0 };
        let menu = |explorer: &mut Self, role: RoleId| explorer.menu(role, block, lane);
        if block.kinds[lane] == RowStatus::Terminal {
            let goals = &block.goals[lane * players..(lane + 1) * players];
            let goals = goals.iter().map(|goal| goal.value()).collect::<Vec<i32>>();
            let all = &mut self.graph.goals;
            place.outcome = *self.known_outcomes.entry(goals).or_insert_with_key(|goals| {
                all.extend(goals.iter().map(|&goal| f64::from(goal)));
                OutcomeId(position(all.len() / players - 1))
            });
            let none = RoleMoves { menu: MenuId(0), count: 0, stride: 0 };
            self.graph.choices.extend(std::iter::repeat_n(none, roles));
        } else {
            let menus: Vec<MenuId> = self.lookers.roles().map(|role| menu(self, role)).collect();
            let counts: Vec<usize> = menus.iter().map(|menu| self.numbers[menu.0 as usize].len()).collect();
            let edges = counts.iter().try_fold(1_usize, |edges, count| edges.checked_mul(*count))?;
            if first as usize + edges > self.states_max.saturating_mul(BRANCHES_PER_STATE) {
                return None;
            }
            for (role, &menu) in menus.iter().enumerate() {
                let stride = position(counts[role + 1..].iter().product());
                self.graph.choices.push(RoleMoves { menu, count: position(counts[role]), stride });
            }
            let choices = &self.graph.choices[self.graph.choices.len() - roles..];
            for edge in 0..position(edges) {
                let number = |choice: &RoleMoves| {
                    self.numbers[choice.menu.0 as usize][(edge / choice.stride % choice.count) as usize]
                };
                moves.extend(choices.iter().map(number));
            }
        }
        self.graph.places.push(place);
        Some(())
    }

    fn menu(&mut self, role: RoleId, block: &RowStatuses, lane: usize) -> MenuId {
        let Self { known_menus, numbers, graph, lookers, .. } = self;
        let of_role = lookers.network().moves(role);
        known_menus[role.index()].get(&block.legal[role.index()], lane, |row| {
            numbers.push(ones(row).collect());
            graph.menus.push(ones(row).map(|number| of_role[number as usize]).collect());
            MenuId(position(graph.menus.len() - 1))
        })
    }

    /// Plays the joint moves that are waiting.
    fn play(&mut self, rows: &[u64], sources: &mut Vec<u32>, moves: &mut Vec<u32>) {
        let roles = self.graph.roles;
        let blocks = self.lookers.play(rows, sources, moves, roles);
        for (block, played) in blocks.iter().enumerate() {
            let first = block * RowLooker::BLOCK;
            for lane in 0..sources.len().min(first + RowLooker::BLOCK) - first {
                let next = self.state(&played.states, lane);
                self.graph.nexts.push(next);
                for player in 0..self.graph.players.len() {
                    let role = self.graph.players[player];
                    let number = moves[(first + lane) * roles + role.index()] as usize;
                    let own_move = self.lookers.network().moves(role)[number];
                    let step = self.step(player, role, own_move, &played.told[player], lane);
                    self.graph.steps.push(step);
                }
            }
        }
        sources.clear();
        moves.clear();
    }

    fn step(&mut self, player: usize, role: RoleId, own_move: MoveId, rows: &[u64], lane: usize) -> StepId {
        let Self { told, lookers, percepts: all, known_percepts, known_steps, graph, .. } = self;
        let told = told[player].get(rows, lane, |row| {
            *known_percepts.entry(percepts(lookers.network(), role, row)).or_insert_with_key(|percepts| {
                all.push(percepts.clone());
                position(all.len() - 1)
            })
        });
        *known_steps.entry((own_move, told)).or_insert_with(|| {
            graph.experiences.push((own_move, all[told as usize].clone()));
            StepId(position(graph.experiences.len() - 1))
        })
    }
}
