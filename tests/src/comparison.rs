//! The engine against the oracle: everything that both say along random walks, compared as sets.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Debug,
};

use croupier_engine::{
    ByRole, CompileError, Game, GameError, JointMove, Limits, Options, RoleId, Scratch, State, Status,
    game::Backend, syntax,
};
use rand_chacha::ChaCha8Rng;
use rand_core::{Rng as _, SeedableRng as _};

use crate::oracle::{Consequence, Oracle, OracleError, Terms, View};

/// How far a comparison goes.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// What the walks depend on.
    pub seed: u64,
    /// Walks from the initial state.
    pub walks: usize,
    /// Joint moves of one walk, at most.
    pub turns: usize,
    /// Atoms that the oracle may look at in all.
    pub effort: u64,
}

/// How far a comparison went.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    /// States in which everything was compared.
    pub states: usize,
    /// Joint moves whose consequences were compared.
    pub turns: usize,
    /// Walks that met a terminal state.
    pub ends: usize,
    /// Terms that the oracle gave in all: moves, goals, percepts and fluents.
    pub terms: usize,
    /// How often the game was a network as well.
    pub networks: usize,
    /// Whether the oracle's effort was spent first.
    pub is_cut_short: bool,
}

/// Compares the lifted reasoner with the oracle on one rules text, and the network too if there is one.
///
/// # Errors
/// A text that names the first difference and where it was.
pub fn compare(text: &str, plan: &Plan) -> Result<Coverage, String> {
    let lifted = compare_texts(text, text, plan, Backend::Datalog)?;
    let other = Plan { seed: plan.seed + 1, ..*plan };
    let network =
        compare_texts(text, text, &other, Backend::Propnet).map_err(|error| format!("network: {error}"))?;
    Ok(Coverage {
        states: lifted.states + network.states,
        turns: lifted.turns + network.turns,
        ends: lifted.ends + network.ends,
        terms: lifted.terms + network.terms,
        networks: network.networks,
        is_cut_short: lifted.is_cut_short || network.is_cut_short,
    })
}

/// The same with one text for the engine and another for the oracle, to see that differences are noticed.
///
/// # Errors
/// A text that names the first difference and where it was.
pub fn compare_texts(
    text: &str,
    oracle_text: &str,
    plan: &Plan,
    backend: Backend,
) -> Result<Coverage, String> {
    let limits = Limits { ground_fuel: 30_000_000, ground_rows: 2_000_000, ..Limits::STANDARD };
    let game = match Game::compile(text, &Options { backend, limits, ..Options::PLAY }) {
        Ok(compiled) => compiled.game,
        // What is too large to be grounded is none of this test's business.
        Err(CompileError::Evaluation(GameError::Ground(_))) => return Ok(Coverage::default()),
        Err(error) => return Err(format!("the engine says: {error}")),
    };
    let description = syntax::read(oracle_text, syntax::Syntax::Auto, &Limits::STANDARD).description;
    let oracle = match Oracle::new(&description, plan.effort) {
        Err(OracleError::EffortSpent) => {
            return Ok(Coverage { is_cut_short: true, ..Coverage::default() });
        }
        oracle => oracle.map_err(|error| format!("the engine accepts what the oracle refuses: {error}"))?,
    };
    let names: Vec<_> = game.roles().all().map(|role| game.roles().name(role).to_owned()).collect();
    same("roles", &oracle.roles(), &names.as_slice())?;
    let scratch = game.scratch();
    let rng = ChaCha8Rng::seed_from_u64(plan.seed);
    let networks = usize::from(backend == Backend::Propnet);
    let coverage = Coverage { networks, ..Coverage::default() };
    let mut walker = Walker { game: &game, oracle, scratch, rng, coverage };
    for walk in 0..plan.walks {
        match walker.walk(plan.turns) {
            Ok(()) => {}
            Err(Stop::EffortSpent) => {
                walker.coverage.is_cut_short = true;
                break;
            }
            Err(Stop::Difference(turn, difference)) => {
                return Err(format!("walk {walk}, turn {turn}: {difference}"));
            }
        }
    }
    Ok(walker.coverage)
}

/// Why a walk did not reach its end.
enum Stop {
    EffortSpent,
    Difference(usize, String),
}

struct Walker<'g> {
    game: &'g Game,
    oracle: Oracle,
    scratch: Scratch,
    rng: ChaCha8Rng,
    coverage: Coverage,
}

impl Walker<'_> {
    fn walk(&mut self, turns: usize) -> Result<(), Stop> {
        let mut state = self.game.initial_state().clone();
        let mut expected = asked(0, self.oracle.initial_state())?;
        for turn in 0..=turns {
            let stop = |difference| Stop::Difference(turn, difference);
            self.compare_state(&state, &expected).map_err(stop)?;
            let view = asked(turn, self.oracle.view(&expected))?;
            self.compare_view(&state, &view).map_err(stop)?;
            self.coverage.states += 1;
            self.coverage.terms +=
                view.legal.values().chain(view.goals.values()).map(Terms::len).sum::<usize>();
            if view.is_terminal {
                self.coverage.ends += 1;
                return Ok(());
            }
            let Some(joint_move) = self.random_joint_move(&view) else { return Ok(()) };
            let consequence = asked(turn, self.oracle.consequence(&expected, &joint_move))?;
            state = self.compare_consequence(&state, &joint_move, &consequence).map_err(stop)?;
            self.coverage.turns += 1;
            self.coverage.terms += consequence.successor.len();
            self.coverage.terms += consequence.sees.values().map(Terms::len).sum::<usize>();
            expected = consequence.successor;
        }
        Ok(())
    }

    /// The fluents, and that a state made of their prints is the same state.
    fn compare_state(&self, state: &State, expected: &Terms) -> Result<(), String> {
        let terms = self.game.state_terms(state);
        same("fluents in canonical order", &in_order(expected), &strings(&terms))?;
        let rebuilt = fine("state_of", self.game.state_of(expected.iter().map(String::as_str)))?;
        same("the state made of its fluents", &rebuilt, state)?;
        same("its stable hash", &rebuilt.stable_hash(), &state.stable_hash())
    }

    fn compare_view(&mut self, state: &State, view: &View) -> Result<(), String> {
        let is_terminal = fine("is_terminal", self.game.is_terminal(state, &mut self.scratch))?;
        same("terminal", &view.is_terminal, &is_terminal)?;
        for role in self.game.roles().all() {
            let name = self.game.roles().name(role).to_owned();
            let legal = fine("legal_moves", self.game.legal_moves(state, role, &mut self.scratch))?;
            let texts: Vec<_> = legal.iter().map(|&id| self.game.move_text(id).to_string()).collect();
            same(
                &format!("legal moves of {name} in canonical order"),
                &in_order(&view.legal[&name]),
                &texts,
            )?;
            if Some(role) != self.game.roles().random() {
                self.compare_goal(state, role, &view.goals[&name])?;
            }
        }
        self.compare_status(state, view)
    }

    /// One value is the goal; several are read as one of them; what is no goal value is an error.
    fn compare_goal(&mut self, state: &State, role: RoleId, values: &Terms) -> Result<(), String> {
        let name = self.game.roles().name(role).to_owned();
        let goal = match self.game.goal(state, role, &mut self.scratch) {
            Ok(goal) => goal.map(|value| value.to_string()),
            Err(GameError::GoalOutOfRange { value, .. }) if values.contains(&value) && !is_goal(&value) => {
                return Ok(());
            }
            Err(error) => return Err(format!("goal of {name}: {error}, where the oracle has {values:?}")),
        };
        match goal {
            None if values.is_empty() => Ok(()),
            Some(value) if values.contains(&value) => Ok(()),
            goal => Err(format!("goal of {name}: {goal:?}, where the oracle has {values:?}")),
        }
    }

    /// The one answer that a match is run by agrees with the single answers.
    fn compare_status(&mut self, state: &State, view: &View) -> Result<(), String> {
        let status = self.game.status(state, &mut self.scratch);
        match status {
            Ok(Status::Running { legal }) => {
                same("status is terminal", &view.is_terminal, &false)?;
                for (role, moves) in legal.iter() {
                    let texts: Vec<_> = moves.iter().map(|&id| self.game.move_text(id).to_string()).collect();
                    same(
                        "legal moves by status",
                        &in_order(&view.legal[self.game.roles().name(role)]),
                        &texts,
                    )?;
                }
                Ok(())
            }
            Ok(Status::Terminal { goals }) => {
                same("status is terminal", &view.is_terminal, &true)?;
                for (role, value) in goals.iter() {
                    let values = &view.goals[self.game.roles().name(role)];
                    if !values.contains(&value.to_string()) {
                        return Err(format!("goal by status: {value}, where the oracle has {values:?}"));
                    }
                }
                Ok(())
            }
            Err(GameError::NoLegalMove { role }) if !view.is_terminal && view.legal[&role].is_empty() => {
                Ok(())
            }
            Err(GameError::NoGoal { role }) if view.is_terminal && view.goals[&role].is_empty() => Ok(()),
            Err(GameError::GoalOutOfRange { role, value })
                if view.is_terminal && view.goals[&role].contains(&value) && !is_goal(&value) =>
            {
                Ok(())
            }
            Err(error) => Err(format!("status: {error}, where the oracle has {view:?}")),
        }
    }

    /// A legal move of each role by its name; `None` where one has none.
    fn random_joint_move(&mut self, view: &View) -> Option<BTreeMap<String, String>> {
        let mut joint_move = BTreeMap::new();
        for (role, moves) in &view.legal {
            let count = u64::try_from(moves.len()).expect("a count fits 64 bits");
            let index = self.rng.next_u64().checked_rem(count)?;
            let index = usize::try_from(index).expect("it is below the number of moves");
            joint_move.insert(role.clone(), moves.iter().nth(index)?.clone());
        }
        Some(joint_move)
    }

    fn compare_consequence(
        &mut self,
        state: &State,
        joint_move: &BTreeMap<String, String>,
        consequence: &Consequence,
    ) -> Result<State, String> {
        let engine_move = self.joint_move(state, joint_move)?;
        let turn = fine("turn", self.game.turn(state, &engine_move, &mut self.scratch))?;
        let did = |(role, played): (&String, &String)| format!("(did {role} {played})");
        let full_sight: Terms = joint_move.iter().map(did).collect();
        for role in self.game.roles().players() {
            let name = self.game.roles().name(role);
            let sees = match self.game.has_full_sight() {
                true => &full_sight,
                false => &consequence.sees[name],
            };
            let terms = strings(&self.game.percept_terms(&turn.percepts[role]));
            same(&format!("percepts of {name} in canonical order"), &in_order(sees), &terms)?;
            let alone = fine("percepts", self.game.percepts(state, &engine_move, role, &mut self.scratch))?;
            same("percepts asked for alone", &turn.percepts[role], &alone)?;
            let read = fine("percepts_of", self.game.percepts_of(sees.iter().map(String::as_str)))?;
            same("percepts read back from their prints", &turn.percepts[role], &read)?;
        }
        let successor = fine("successor", self.game.successor(state, &engine_move, &mut self.scratch))?;
        same("successor asked for alone", &turn.successor, &successor)?;
        let terms = strings(&self.game.state_terms(&successor));
        if terms != in_order(&consequence.successor) {
            let difference = differing(&consequence.successor, &terms.iter().cloned().collect());
            return Err(format!("successor after {joint_move:?}: {difference}"));
        }
        Ok(successor)
    }

    /// The engine's joint move, by the prints of the moves in capitals and with more blanks than needed.
    fn joint_move(&mut self, state: &State, texts: &BTreeMap<String, String>) -> Result<JointMove, String> {
        let moves = ByRole::try_from_fn(self.game.roles(), |role| {
            let text = texts[self.game.roles().name(role)].to_ascii_uppercase().replace(' ', "\n  ");
            fine("find_move", self.game.find_move(state, role, &text, &mut self.scratch))
        })?;
        let joint_move = fine("joint_move", self.game.joint_move(state, moves, &mut self.scratch))?;
        for (role, &id) in joint_move.moves().iter() {
            same(
                "the move found by its text",
                &texts[self.game.roles().name(role)],
                &self.game.move_text(id).to_string(),
            )?;
        }
        Ok(joint_move)
    }
}

fn asked<T>(turn: usize, answer: Result<T, OracleError>) -> Result<T, Stop> {
    answer.map_err(|error| match error {
        OracleError::EffortSpent => Stop::EffortSpent,
        other => Stop::Difference(turn, format!("the oracle says: {other}")),
    })
}

/// An engine's answer where no error is due.
fn fine<T>(what: &str, answer: Result<T, impl std::fmt::Display>) -> Result<T, String> {
    answer.map_err(|error| format!("{what}: {error}"))
}

fn is_goal(value: &str) -> bool {
    value.parse::<i32>().is_ok_and(|value| (0..=100).contains(&value))
}

/// A set of strings is ordered by bytes already.
fn in_order(terms: &Terms) -> Vec<String> {
    terms.iter().cloned().collect()
}

fn strings(terms: &[std::sync::Arc<str>]) -> Vec<String> {
    terms.iter().map(ToString::to_string).collect()
}

fn same<T: PartialEq + Debug>(what: &str, oracle: &T, engine: &T) -> Result<(), String> {
    if oracle == engine {
        return Ok(());
    }
    Err(format!("{what}: the oracle has {oracle:?}, the engine {engine:?}"))
}

fn differing(oracle: &BTreeSet<String>, engine: &BTreeSet<String>) -> String {
    let missing: Vec<_> = oracle.difference(engine).collect();
    let surplus: Vec<_> = engine.difference(oracle).collect();
    format!("the engine lacks {missing:?} and has {surplus:?} too many")
}
