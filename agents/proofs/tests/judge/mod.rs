//! Answers by other means: states are sets of texts, rules are read by a second interpreter, and what a role knows is read off pairs of
//! states that two matches with the same own moves and percepts lead to.

mod knowledge;
mod moves;

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use croupier_engine::Limits;
use croupier_engine::stages::syntax::{Description, Syntax, read};
use croupier_tests::oracle::Oracle;

/// States and joint moves beyond which a program is left out.
const STATES_MAX: usize = 400;
const JOINT_MOVES_MAX: usize = 4_000;
const PAIRS_MAX: usize = 40_000;

type Terms = BTreeSet<String>;

/// What a role did and was told.
type Label = (String, Terms);

/// A state as text, and what follows on it.
#[derive(Debug)]
pub(crate) struct JudgedState {
    pub(crate) fluents: Terms,
    pub(crate) is_terminal: bool,
    pub(crate) legal: BTreeMap<String, Terms>,
    pub(crate) goals: BTreeMap<String, Terms>,
    /// For each joint move what each role did and was told, and the state.
    pub(crate) edges: Vec<(BTreeMap<String, Label>, usize)>,
}

/// A role, and the goal that it wants.
struct Aim<'a> {
    role: &'a str,
    goal: &'a str,
}

/// The whole graph of a game.
#[derive(Debug)]
pub(crate) struct Judge {
    pub(crate) roles: Vec<String>,
    pub(crate) states: Vec<JudgedState>,
}

impl Judge {
    /// The graph of some rules; `None` if it is too large, or the interpreter gives up.
    pub(crate) fn of(rules: &str) -> Option<Self> {
        let description: Description = read(rules, Syntax::Auto, &Limits::STANDARD).description;
        // Where no rule says what is seen, everybody sees every move.
        let is_open = description.clauses.iter().all(|clause| clause.head.name() != Some("sees"));
        let oracle = Oracle::new(&description, 1_500_000).ok()?;
        let roles = oracle.roles().to_vec();
        let first = oracle.initial_state().ok()?;
        let mut numbers = BTreeMap::from([(first.clone(), 0)]);
        let mut open = VecDeque::from([first]);
        let mut states = Vec::new();
        let mut joint_moves = 0;
        while let Some(state) = open.pop_front() {
            let view = oracle.view(&state).ok()?;
            let mut edges = Vec::new();
            if !view.is_terminal {
                for joint_move in joint_moves_of(&roles, &view.legal) {
                    joint_moves += 1;
                    let turn = oracle.consequence(&state, &joint_move).ok()?;
                    let seen = |role: &String| match is_open {
                        true => joint_move.iter().map(|(role, played)| format!("{role} {played}")).collect(),
                        false => turn.sees[role].clone(),
                    };
                    let label = |role: &String| (role.clone(), (joint_move[role].clone(), seen(role)));
                    let labels = roles.iter().map(label).collect();
                    let next = numbers.len();
                    let target = *numbers.entry(turn.successor.clone()).or_insert_with(|| {
                        open.push_back(turn.successor.clone());
                        next
                    });
                    edges.push((labels, target));
                    if numbers.len() > STATES_MAX || joint_moves > JOINT_MOVES_MAX {
                        return None;
                    }
                }
            }
            states.push(JudgedState {
                fluents: state.iter().map(ToString::to_string).collect(),
                is_terminal: view.is_terminal,
                legal: view.legal,
                goals: view.goals,
                edges,
            });
        }
        Some(Self { roles, states })
    }

    pub(crate) fn players(&self) -> impl Iterator<Item = &String> {
        self.roles.iter().filter(|role| *role != "random")
    }

    /// By removing states without successors until none is left, or some remain.
    pub(crate) fn terminates(&self) -> bool {
        let mut left: BTreeSet<usize> = (0..self.states.len()).collect();
        loop {
            let before = left.len();
            let ended: Vec<usize> = left
                .iter()
                .copied()
                .filter(|&state| self.states[state].edges.iter().all(|(_, target)| !left.contains(target)))
                .collect();
            left.retain(|state| !ended.contains(state));
            if left.is_empty() || left.len() == before {
                return left.is_empty();
            }
        }
    }

    pub(crate) fn playable(&self) -> bool {
        self.states
            .iter()
            .all(|state| state.is_terminal || state.legal.values().all(|moves| !moves.is_empty()))
    }

    pub(crate) fn can_win(&self, role: &str, goal: &str) -> bool {
        self.states.iter().any(|state| state.is_terminal && has_goal(state, role, goal))
    }

    /// Whether the rules give a role several goals when a match is over: which of them counts is not said.
    pub(crate) fn has_several_goals(&self, role: &str) -> bool {
        self.states.iter().any(|state| state.is_terminal && state.goals[role].len() > 1)
    }

    /// Whether a role has a strategy on what it knows: tried out on sets of states, by names, until nothing changes.
    pub(crate) fn can_force(&self, role: &str, goal: &str) -> bool {
        let (first, sets) = (BTreeSet::from([0]), self.sets(role));
        let mut won: BTreeSet<BTreeSet<usize>> = BTreeSet::new();
        loop {
            let before = won.len();
            for (set, following) in &sets {
                if self.is_won(set, following, &Aim { role, goal }, &won) {
                    won.insert(set.clone());
                }
            }
            if won.len() == before {
                return won.contains(&first);
            }
        }
    }

    /// The sets of states that a role cannot tell apart, and what its next move and percepts lead to.
    fn sets(&self, role: &str) -> BTreeMap<BTreeSet<usize>, BTreeMap<Label, BTreeSet<usize>>> {
        let mut sets: BTreeMap<BTreeSet<usize>, BTreeMap<Label, BTreeSet<usize>>> = BTreeMap::new();
        let mut open = vec![BTreeSet::from([0])];
        while let Some(set) = open.pop() {
            if sets.contains_key(&set) {
                continue;
            }
            let mut following: BTreeMap<Label, BTreeSet<usize>> = BTreeMap::new();
            for &state in &set {
                for (labels, target) in &self.states[state].edges {
                    following.entry(labels[role].clone()).or_default().insert(*target);
                }
            }
            open.extend(following.values().cloned());
            sets.insert(set, following);
        }
        sets
    }

    fn is_won(
        &self,
        set: &BTreeSet<usize>,
        following: &BTreeMap<Label, BTreeSet<usize>>,
        aim: &Aim<'_>,
        won: &BTreeSet<BTreeSet<usize>>,
    ) -> bool {
        let states = || set.iter().map(|&state| &self.states[state]);
        let is_stuck = |state: &JudgedState| !state.is_terminal && state.edges.is_empty();
        if states().any(is_stuck)
            || states().any(|state| state.is_terminal && !has_goal(state, aim.role, aim.goal))
        {
            return false;
        }
        let mut running = states().filter(|state| !state.is_terminal);
        let Some(one) = running.next() else { return true };
        let rest: Vec<&JudgedState> = running.collect();
        one.legal[aim.role].iter().any(|own| {
            rest.iter().all(|state| state.legal[aim.role].contains(own))
                && following
                    .iter()
                    .filter(|((played, _), _)| played == own)
                    .all(|(_, next)| won.contains(next))
        })
    }

    /// All pairs of states to which two matches lead that are the same to a role.
    pub(crate) fn pairs(&self, role: &str) -> Option<BTreeSet<(usize, usize)>> {
        let mut found = BTreeSet::from([(0, 0)]);
        let mut open = vec![(0, 0)];
        while let Some((one, other)) = open.pop() {
            for (labels, target) in &self.states[one].edges {
                for (others, second) in &self.states[other].edges {
                    if labels[role] == others[role] && found.insert((*target, *second)) {
                        open.push((*target, *second));
                    }
                }
            }
            if found.len() > PAIRS_MAX {
                return None;
            }
        }
        Some(found)
    }
}

/// Whether a role has exactly this goal.
fn has_goal(state: &JudgedState, role: &str, goal: &str) -> bool {
    state.goals[role].len() == 1 && state.goals[role].contains(goal)
}

fn joint_moves_of(roles: &[String], legal: &BTreeMap<String, Terms>) -> Vec<BTreeMap<String, String>> {
    let mut all = vec![BTreeMap::new()];
    for role in roles {
        let with = |joint: &BTreeMap<String, String>| -> Vec<BTreeMap<String, String>> {
            let one = |played: &String| {
                let mut joint = joint.clone();
                joint.insert(role.clone(), played.clone());
                joint
            };
            legal[role].iter().map(one).collect()
        };
        all = all.iter().flat_map(with).collect();
        if all.len() > JOINT_MOVES_MAX {
            break;
        }
    }
    all
}
