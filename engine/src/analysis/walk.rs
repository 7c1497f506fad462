//! One playout after the other, watched.

use std::collections::BTreeSet;

use rand_core::Rng;
use rustc_hash::FxHashSet;

use super::{
    Budget, Finding,
    declared::Declared,
    knowledge::{ByPlayer, Difference, FirstVisit, KnowledgeTree, ROOT},
    turns_told,
};
use crate::{
    draw::draw_index,
    game::{ByRole, Game, GameError, JointMove, Scratch, State},
    id::{FluentId, MoveId, RoleId},
};

/// Playouts of one game, with what was seen in them.
pub(super) struct AnalysedPlayouts<'g> {
    game: &'g Game,
    scratch: Scratch,
    budget: Budget,
    /// Whether nobody wants more.
    is_over: &'g dyn Fn() -> bool,
    declared: Declared,
    turns: usize,
    knowledge: ByPlayer,
    /// The joint moves of every playout: what witnesses are made of.
    histories: Vec<Vec<JointMove>>,
    has_seen: BTreeSet<RoleId>,
    known_fluents: FxHashSet<FluentId>,
    known_moves: FxHashSet<(RoleId, MoveId)>,
    told: BTreeSet<(&'static str, Option<RoleId>)>,
    /// The playouts in which a goal fell.
    falls: BTreeSet<usize>,
    /// The playouts in which a match would have stopped, and why the first of them did.
    stops: usize,
    first_stop: Option<String>,
    /// Those of them that the rules stop, and not a limit; and what the first of these lacks, for whom.
    breaks: usize,
    first_break: Option<(Option<RoleId>, String)>,
    findings: Vec<Finding>,
}

/// Where a playout is.
struct PlayoutPosition {
    state: State,
    /// The information set of each player, in the order of [`ByPlayer`].
    sets: Vec<usize>,
    /// The last goal of each player.
    goals: Vec<Option<i32>>,
    visited: FxHashSet<State>,
}

fn roles_named(game: &Game, name: &str) -> Option<RoleId> {
    game.roles().all().find(|&role| game.roles().name(role) == name)
}

impl<'g> AnalysedPlayouts<'g> {
    pub(super) fn new(
        game: &'g Game,
        declared: Declared,
        budget: &Budget,
        is_over: &'g dyn Fn() -> bool,
    ) -> Self {
        let players = game.roles().players();
        Self {
            game,
            scratch: game.scratch(),
            budget: *budget,
            is_over,
            declared,
            turns: 0,
            knowledge: players.map(|role| (role, KnowledgeTree::default())).collect(),
            histories: Vec::new(),
            has_seen: BTreeSet::new(),
            known_fluents: FxHashSet::default(),
            known_moves: FxHashSet::default(),
            told: BTreeSet::new(),
            falls: BTreeSet::new(),
            stops: 0,
            first_stop: None,
            breaks: 0,
            first_break: None,
            findings: Vec::new(),
        }
    }

    pub(super) fn turns(&self) -> usize {
        self.turns
    }

    pub(super) fn has_budget(&self) -> bool {
        let is_within = self.turns < self.budget.turns && self.scratch.rows_looked_at() < self.budget.rows;
        is_within && !(self.is_over)()
    }

    /// How many playouts a match could not have followed to its end, and why the first of them stops.
    pub(super) fn stops(&self) -> (usize, Option<String>) {
        (self.stops, self.first_stop.clone())
    }

    fn stop(&mut self, reason: &str) {
        self.stops += 1;
        self.first_stop.get_or_insert_with(|| reason.to_owned());
    }

    /// A stop because of what the rules do not say.
    fn break_off(&mut self, role: Option<RoleId>, reason: &str) {
        self.stop(reason);
        self.breaks += 1;
        self.first_break.get_or_insert_with(|| (role, reason.to_owned()));
    }

    /// Plays once from the initial state to the end, an error, or the end of the budget; whether it came to an end, good or bad.
    pub(super) fn playout(&mut self, rng: &mut impl Rng) -> bool {
        self.histories.push(Vec::new());
        let mut position = PlayoutPosition {
            state: self.game.initial_state().clone(),
            sets: vec![ROOT; self.knowledge.len()],
            goals: vec![None; self.knowledge.len()],
            visited: FxHashSet::default(),
        };
        loop {
            match self.turn(&mut position, rng) {
                Ok(true) => {}
                Ok(false) => return true,
                Err(error) => {
                    self.stop(&error.to_string());
                    if self.report(error.code(), None, error.to_string()) {
                        let found = self.findings.last_mut().expect("one was just pushed");
                        found.place = error.limit().and_then(|limit| Some(limit.rule()?.span));
                    }
                    return true;
                }
            }
            if self.history().len() >= self.game.limits().turns {
                let message = format!("a playout did not end within {} turns", self.game.limits().turns);
                self.stop(&message);
                self.report("endless-playout", None, message);
                return true;
            }
            if !self.has_budget() {
                return false;
            }
        }
    }

    /// Looks at a state and plays on; whether there is a next state.
    fn turn(&mut self, position: &mut PlayoutPosition, rng: &mut impl Rng) -> Result<bool, GameError> {
        let is_terminal = self.game.is_terminal(&position.state, &mut self.scratch)?;
        self.check_state(position, is_terminal);
        self.check_goals(position, is_terminal)?;
        if is_terminal {
            if self.history().is_empty() {
                self.report("terminal-at-once", None, "the initial state is terminal".to_owned());
            }
            self.check_knowledge(position, None);
            match self.game.status(&position.state, &mut self.scratch) {
                Ok(_) => {}
                Err(error) if error.limit().is_some() => self.stop(&error.to_string()),
                Err(error) => {
                    let role = error.role().and_then(|name| roles_named(self.game, name));
                    self.break_off(role, &error.to_string());
                }
            }
            return Ok(false);
        }
        let roles = self.game.roles();
        let legal = ByRole::try_from_fn(roles, |role| {
            self.game.legal_moves(&position.state, role, &mut self.scratch)
        })?;
        self.check_moves(&legal);
        self.check_knowledge(position, Some(&legal));
        if let Some((role, _)) = legal.iter().find(|(_, moves)| moves.is_empty()) {
            let message = format!("{} has no legal move in a state that is not terminal", roles.name(role));
            self.break_off(Some(role), &message);
            self.report("no-legal-move", Some(role), message);
            return Ok(false);
        }
        let chosen = ByRole::from_fn(roles, |role| legal[role][draw_index(legal[role].len(), rng)]);
        let joint_move = self.game.joint_move_of_legal(chosen);
        let turn = self.game.turn(&position.state, &joint_move, &mut self.scratch)?;
        for (set, (role, knowledge)) in position.sets.iter_mut().zip(&mut self.knowledge) {
            let percepts = &turn.percepts[*role];
            *set = knowledge.follow(*set, joint_move.of(*role), percepts);
            if !percepts.is_empty() {
                self.has_seen.insert(*role);
            }
        }
        self.check_percepts(&turn);
        self.histories.last_mut().expect("a playout is going on").push(joint_move);
        self.turns += 1;
        position.state = turn.successor;
        Ok(true)
    }

    fn check_state(&mut self, position: &mut PlayoutPosition, is_terminal: bool) {
        if !is_terminal && !position.visited.insert(position.state.clone()) {
            let message = "the match returned to an earlier state: nothing makes it end";
            self.report("repeated-state", None, message.to_owned());
        }
        let Some(declared) = &self.declared.fluents else { return };
        let mut strangers = Vec::new();
        for fluent in position.state.fluents().filter(|&fluent| self.known_fluents.insert(fluent)) {
            let text = self.game.fluent_text(fluent);
            if !declared.contains(&*text) {
                strangers.push(text);
            }
        }
        strangers.sort_unstable();
        if let Some(text) = strangers.first() {
            self.report("undeclared-fluent", None, format!("{text} is true, but `base` does not declare it"));
        }
    }

    fn check_moves(&mut self, legal: &ByRole<Vec<MoveId>>) {
        let Some(declared) = &self.declared.moves else { return };
        let mut stranger = None;
        for (role, moves) in legal.iter() {
            for &legal in moves.iter().filter(|&&legal| self.known_moves.insert((role, legal))) {
                let text = format!("{} {}", self.game.roles().name(role), self.game.move_text(legal));
                if stranger.is_none() && !declared.contains(&text) {
                    stranger = Some((role, self.game.move_text(legal)));
                }
            }
        }
        if let Some((role, text)) = stranger {
            let message = format!("{text} is legal, but `input` does not declare it");
            self.report("undeclared-move", Some(role), message);
        }
    }

    fn check_percepts(&mut self, turn: &crate::game::Turn) {
        let Some(declared) = &self.declared.percepts else { return };
        let mut stranger = None;
        for (role, percepts) in turn.percepts.iter() {
            for text in self.game.percept_terms(percepts) {
                let pair = format!("{} {text}", self.game.roles().name(role));
                if stranger.is_none() && !declared.contains(&pair) {
                    stranger = Some((role, text));
                }
            }
        }
        if let Some((role, text)) = stranger {
            let message = format!("{text} is seen, but `percept` does not declare it");
            self.report("undeclared-percept", Some(role), message);
        }
    }

    fn check_goals(&mut self, position: &mut PlayoutPosition, is_terminal: bool) -> Result<(), GameError> {
        for index in 0..self.knowledge.len() {
            let role = self.knowledge[index].0;
            let values = self.game.goal_values(&position.state, role, &mut self.scratch)?;
            let name = self.game.roles().name(role);
            let (code, message) = match values.as_slice() {
                [] if is_terminal => ("no-goal", format!("{name} has no goal in a terminal state")),
                // Goals where a match goes on are worth nothing to anybody; many games leave them out.
                [] => continue,
                [value] => match value.parse::<i32>() {
                    Ok(number) if (0..=100).contains(&number) => {
                        if let Some(before) = position.goals[index].replace(number)
                            && before > number
                        {
                            self.note_fall(role, before, number);
                        }
                        continue;
                    }
                    _ if is_terminal => (
                        "goal-out-of-range",
                        format!("{name} has the goal {value}, which is not a whole number from 0 to 100"),
                    ),
                    _ => continue,
                },
                several => (
                    "several-goals",
                    format!("{name} has several goals in one state: {}", several.join(", ")),
                ),
            };
            self.report(code, Some(role), message);
        }
        Ok(())
    }

    /// Notes that a goal fell. Games of several players let goals fall as a rule, so that a game is told of
    /// it once: here of the first fall, and at the end in how many playouts it happens.
    fn note_fall(&mut self, role: RoleId, before: i32, number: i32) {
        if self.falls.is_empty() {
            let name = self.game.roles().name(role);
            let message = format!("the goal of {name} decreases from {before} to {number}");
            self.report("goal-decreases", Some(role), message);
        }
        self.falls.insert(self.histories.len() - 1);
    }

    /// Enters what each player can know here, and reports what it cannot know and should.
    fn check_knowledge(&mut self, position: &PlayoutPosition, legal: Option<&ByRole<Vec<MoveId>>>) {
        let first = (self.histories.len() - 1, self.history().len());
        for (index, &set) in position.sets.iter().enumerate() {
            let (role, knowledge) = &mut self.knowledge[index];
            let role = *role;
            let known = FirstVisit { legal: legal.map(|legal| legal[role].clone()), first };
            let Some((difference, other)) = knowledge.enter(set, known) else { continue };
            let name = self.game.roles().name(role);
            let (code, message) = match difference {
                Difference::Moves => (
                    "unknown-moves",
                    format!(
                        "{name} cannot know its legal moves: they differ between two histories that it cannot tell apart"
                    ),
                ),
                Difference::End => (
                    "unknown-end",
                    format!(
                        "{name} cannot know whether the match is over: it is over in one of two histories that it cannot tell apart"
                    ),
                ),
            };
            if self.report(code, Some(role), message) {
                let (playout, turns) = other.first;
                let other = turns_told(self.game, &self.histories[playout][..turns]);
                self.findings.last_mut().expect("one was just pushed").witnesses.insert(0, other);
            }
        }
    }

    fn history(&self) -> &[JointMove] {
        self.histories.last().expect("a playout is going on")
    }

    /// Reports a kind of finding the first time, with the history so far; whether it was.
    fn report(&mut self, code: &'static str, role: Option<RoleId>, message: String) -> bool {
        if !self.told.insert((code, role)) {
            return false;
        }
        let mut found = Finding::new(self.game, code, role.map(|role| self.game.roles().name(role)), message);
        found.witnesses.push(turns_told(self.game, self.history()));
        self.findings.push(found);
        true
    }

    /// Everything that was found, by code and role.
    pub(super) fn into_findings(mut self) -> Vec<Finding> {
        if self.turns > 0 && !self.game.has_full_sight() {
            let blind: Vec<RoleId> =
                self.game.roles().players().filter(|role| !self.has_seen.contains(role)).collect();
            for role in blind {
                let name = self.game.roles().name(role);
                let message = format!("{name} was told nothing in {} turns", self.turns);
                self.findings.push(Finding::new(self.game, "nothing-seen", Some(name), message));
            }
        }
        // Where all of them stop, what they lack says enough.
        let (breaks, playouts) = (self.breaks, self.histories.len());
        if let Some((role, reason)) = self.first_break.take().filter(|_| breaks < playouts) {
            let role = role.map(|role| self.game.roles().name(role));
            let message = format!("{breaks} of {playouts} random playouts stop without a result: {reason}");
            self.findings.push(Finding::new(self.game, "unfinished-playouts", role, message));
        }
        for found in self.findings.iter_mut().filter(|found| found.code == "goal-decreases") {
            let (falls, playouts) = (self.falls.len(), self.histories.len());
            found.message.push_str(&format!("; goals decrease in {falls} of {playouts} playouts"));
        }
        self.findings.sort();
        self.findings
    }
}
