//! Answers that follow from every state that can be reached, or from those that were.

use croupier_engine::RoleId;

use crate::{
    answer::{Grounds, Line, RuleAnswer, RuleQuestion, RuleVerdict, Searched},
    conclusion::{self, Conclusion, Premise},
    ends::{MatchEnds, ends},
    goals::goals_of,
    graph::{StateGraph, StateKind},
    maximum::Maximum,
};

/// Every answer about states.
pub(crate) fn state_answers(graph: &StateGraph, maxima: &[Maximum]) -> Vec<RuleAnswer> {
    let view = GraphView { graph };
    let mut answers = vec![view.terminates(), view.playable()];
    answers.extend(maxima.iter().map(|maximum| view.weakly_winnable(maximum)));
    answers.extend([view.goals(), view.monotonic(), view.constant_sum(), view.alternating()]);
    answers
}

/// An answer as others follow from it.
fn premise(answer: &RuleAnswer) -> Premise<'_> {
    Premise { role: answer.role, about: answer.about.as_deref(), verdict: answer.verdict, text: &answer.text }
}

/// The answers that a game is well-formed.
pub(crate) fn well_formed(answers: &[RuleAnswer]) -> Vec<RuleAnswer> {
    let of = |questions: &[RuleQuestion]| -> Vec<Premise<'_>> {
        let own = answers.iter().filter(|answer| questions.contains(&answer.question));
        own.map(premise).collect()
    };
    let parts = of(&[RuleQuestion::Terminates, RuleQuestion::Playable]);
    let wins = of(&[RuleQuestion::WeaklyWinnable]);
    let found = conclusion::well_formed(&parts, &wins, "it ends, everybody can always move");
    let answer = |found: Conclusion| {
        RuleAnswer::new(RuleQuestion::WellFormed, found.verdict, Grounds::Answers, found.text)
            .about(found.reading.to_owned())
    };
    found.into_iter().map(answer).collect()
}

struct GraphView<'g> {
    graph: &'g StateGraph,
}

impl GraphView<'_> {
    /// What a claim about all states rests on.
    fn grounds(&self) -> Grounds {
        grounds(self.graph)
    }

    fn searched(&self) -> Searched {
        searched(self.graph)
    }

    /// Proved if all states are there; otherwise nothing was found against it, which proves nothing.
    fn holds(&self, question: RuleQuestion, text: String) -> RuleAnswer {
        match self.graph.is_complete() {
            true => RuleAnswer::new(question, RuleVerdict::Proved, self.grounds(), text),
            false => self.open(question, format!("not refuted so far: {text}")),
        }
    }

    fn open(&self, question: RuleQuestion, text: String) -> RuleAnswer {
        RuleAnswer::new(question, RuleVerdict::Open, self.grounds(), text)
    }

    fn line(&self, state: usize) -> Line {
        Line { moves: self.graph.moves_along(&self.graph.way_to(state)), returns_to: None }
    }

    fn name(&self, role: RoleId) -> &str {
        self.graph.game().roles().name(role)
    }

    fn terminates(&self) -> RuleAnswer {
        match ends(self.graph) {
            MatchEnds::Within { least, most } if self.graph.is_complete() => {
                let text = match least == most {
                    true => format!("every match ends {}", after(most)),
                    false => format!("every match ends, after {least} to {}", turns(most)),
                };
                self.holds(RuleQuestion::Terminates, text)
            }
            MatchEnds::Within { .. } => {
                self.open(RuleQuestion::Terminates, "no match was found that goes on for ever".to_owned())
            }
            MatchEnds::Again(way, returns_to) => {
                let text = again(returns_to, way.len() - 1);
                let line = Line { moves: self.graph.moves_along(&way), returns_to: Some(returns_to) };
                RuleAnswer::new(RuleQuestion::Terminates, RuleVerdict::Refuted, Grounds::Lines, text)
                    .shown_by(vec![line])
            }
        }
    }

    fn playable(&self) -> RuleAnswer {
        let Some(stuck) = self.graph.states(StateKind::Stuck).next() else {
            let text = "every role has a legal move until the match is over";
            return self.holds(RuleQuestion::Playable, text.to_owned());
        };
        let (game, state) = (self.graph.game(), self.graph.state(stuck));
        let mut scratch = game.scratch();
        let has_none =
            |role: &RoleId| game.legal_moves(&state, *role, &mut scratch).is_ok_and(|moves| moves.is_empty());
        let role = game.roles().all().find(has_none);
        let name = role.map_or("a role", |role| game.roles().name(role));
        let line = self.line(stuck);
        let text = format!("{name} has no legal move {}, and the match is not over", after(line.moves.len()));
        let answer = RuleAnswer::new(RuleQuestion::Playable, RuleVerdict::Refuted, Grounds::Lines, text)
            .shown_by(vec![line]);
        RuleAnswer { role, ..answer }
    }

    fn weakly_winnable(&self, maximum: &Maximum) -> RuleAnswer {
        let (name, goal) = (self.name(maximum.role), maximum.goal);
        let answer = |verdict, grounds, text| {
            RuleAnswer::new(RuleQuestion::WeaklyWinnable, verdict, grounds, text)
                .of(maximum.role)
                .about(goal.to_string())
        };
        if !maximum.is_named {
            let text = format!("{name} cannot win {goal}: no rule gives it that goal");
            return answer(RuleVerdict::Refuted, Grounds::Rules, text);
        }
        let wins = |&state: &usize| self.graph.goal(state, maximum.player) == Some(goal);
        match (self.graph.states(StateKind::Terminal).find(wins), self.graph.is_complete()) {
            (Some(state), _) => {
                let line = self.line(state);
                let text = format!("{name} can win {goal}, {}", after(line.moves.len()));
                answer(RuleVerdict::Proved, Grounds::Lines, text).shown_by(vec![line])
            }
            (None, true) => {
                let text = format!("{name} never has its best goal, {goal}, when a match is over");
                answer(RuleVerdict::Refuted, self.grounds(), text)
            }
            (None, false) => {
                let text = format!("no match was found in which {name} has {goal} in the end");
                answer(RuleVerdict::Open, self.grounds(), text)
            }
        }
    }

    fn goals(&self) -> RuleAnswer {
        let players = 0..self.graph.players().len();
        let in_range = |state: usize| {
            players
                .clone()
                .all(|player| self.graph.goal(state, player).is_none_or(|goal| (0..=100).contains(&goal)))
        };
        let fault = self.graph.faults().first().map(|&state| state as usize);
        let outside = self.graph.states(StateKind::Terminal).find(|&state| !in_range(state));
        let Some(state) = fault.into_iter().chain(outside).min() else {
            let text = "every player has exactly one goal from 0 to 100 in every end";
            return self.holds(RuleQuestion::Goals, text.to_owned());
        };
        let (game, full) = (self.graph.game(), self.graph.state(state));
        let said = self.graph.players().iter().map(|&role| {
            let values = goals_of(game, &full, role);
            let values = if values.is_empty() { "no goal".to_owned() } else { values.join(" and ") };
            format!("{} has {values}", game.roles().name(role))
        });
        let text = format!("a match ends in which {}", said.collect::<Vec<_>>().join(", "));
        RuleAnswer::new(RuleQuestion::Goals, RuleVerdict::Refuted, Grounds::Lines, text)
            .shown_by(vec![self.line(state)])
    }

    /// In the words of the revision of 2008; looked at where there are not too many states.
    fn monotonic(&self) -> RuleAnswer {
        const STATES_MAX: usize = 200_000;
        if self.graph.expanded() > STATES_MAX {
            let text = format!("not looked at: the game has more than {STATES_MAX} states");
            let searched = Searched { states: 0, ..self.searched() };
            return RuleAnswer::new(
                RuleQuestion::Monotonic,
                RuleVerdict::Open,
                Grounds::Search(searched),
                text,
            );
        }
        let game = self.graph.game();
        let mut goals: Vec<Vec<Option<i32>>> = Vec::new();
        for state in 0..self.graph.expanded() {
            let full = self.graph.state(state);
            let mut own = Vec::new();
            for &role in self.graph.players() {
                let values = goals_of(game, &full, role);
                own.push(if let [only] = &values[..] { only.parse().ok() } else { None });
            }
            if let Some(player) = own.iter().position(Option::is_none) {
                let line = self.line(state);
                let name = self.name(self.graph.players()[player]);
                let text = format!("{name} does not have exactly one goal {}", after(line.moves.len()));
                return RuleAnswer::new(RuleQuestion::Monotonic, RuleVerdict::Refuted, Grounds::Lines, text)
                    .shown_by(vec![line]);
            }
            goals.push(own);
        }
        for state in 0..self.graph.expanded() {
            for &target in self.graph.targets(state) {
                let Some(later) = goals.get(target as usize) else { continue };
                let Some(player) = goals[state].iter().zip(later).position(|(one, next)| next < one) else {
                    continue;
                };
                let mut way = self.graph.way_to(state);
                way.push(target as usize);
                let line = Line { moves: self.graph.moves_along(&way), returns_to: None };
                let (from, to) = (goals[state][player].unwrap_or(0), later[player].unwrap_or(0));
                let name = self.name(self.graph.players()[player]);
                let text =
                    format!("the goal of {name} falls from {from} to {to} in turn {}", line.moves.len());
                return RuleAnswer::new(RuleQuestion::Monotonic, RuleVerdict::Refuted, Grounds::Lines, text)
                    .shown_by(vec![line]);
            }
        }
        self.holds(
            RuleQuestion::Monotonic,
            "every player has one goal in every state, and it never falls".to_owned(),
        )
    }

    fn constant_sum(&self) -> RuleAnswer {
        let players = self.graph.players().len();
        let sum = |state: usize| {
            (0..players).map(|player| self.graph.goal(state, player).map(i64::from)).sum::<Option<i64>>()
        };
        let mut ends = self.graph.states(StateKind::Terminal).filter_map(|state| Some((state, sum(state)?)));
        let Some((first, known)) = ends.next() else {
            return self
                .holds(RuleQuestion::ConstantSum, "no two ends have different sums of goals".to_owned());
        };
        match ends.find(|&(_, sum)| sum != known) {
            None => {
                let zero = match (players, i64::try_from(players)) {
                    (2.., Ok(count)) if known % count == 0 => {
                        format!(": zero sum about {} for each", known / count)
                    }
                    (2.., _) => ": zero sum, if what is equal for each is taken away".to_owned(),
                    _ => String::new(),
                };
                self.holds(
                    RuleQuestion::ConstantSum,
                    format!("the goals add up to {known} in every end{zero}"),
                )
            }
            Some((other, sum)) => {
                let text = format!("the goals add up to {known} in one end and to {sum} in another");
                let lines = vec![self.line(first), self.line(other)];
                RuleAnswer::new(RuleQuestion::ConstantSum, RuleVerdict::Refuted, Grounds::Lines, text)
                    .shown_by(lines)
            }
        }
    }

    fn alternating(&self) -> RuleAnswer {
        let is_together = |&state: &usize| self.graph.choosers(state).nth(1).is_some();
        match self.graph.states(StateKind::Running).find(is_together) {
            None => {
                let text = "at most one role, chance included, has something to choose in a turn";
                self.holds(RuleQuestion::Alternating, text.to_owned())
            }
            Some(state) => {
                let game = self.graph.game();
                let names: Vec<&str> =
                    self.graph.choosers(state).map(|role| game.roles().name(role)).collect();
                let line = self.line(state);
                let text =
                    format!("{} choose at the same time {}", names.join(" and "), after(line.moves.len()));
                RuleAnswer::new(RuleQuestion::Alternating, RuleVerdict::Refuted, Grounds::Lines, text)
                    .shown_by(vec![line])
            }
        }
    }
}

/// How far the states of a game were looked at.
pub(crate) fn searched(graph: &StateGraph) -> Searched {
    let states = graph.expanded();
    let turns = if graph.is_complete() { usize::MAX } else { graph.way_to(states).len() - 1 };
    Searched { states, turns, playouts: 0 }
}

/// What an answer rests on for which every state was looked at that is known.
pub(crate) fn grounds(graph: &StateGraph) -> Grounds {
    match graph.is_complete() {
        true => Grounds::Exhaustion(graph.expanded()),
        false => Grounds::Search(searched(graph)),
    }
}

/// A number of turns in words.
pub(crate) fn turns(count: usize) -> String {
    if count == 1 { "1 turn".to_owned() } else { format!("{count} turns") }
}

/// That a state comes again, in words.
pub(crate) fn again(first: usize, second: usize) -> String {
    let first =
        if first == 0 { "the first state".to_owned() } else { format!("the state after {}", turns(first)) };
    format!("a match can go on for ever: {first} comes again after {}", turns(second))
}

/// When something happens, in words.
pub(crate) fn after(count: usize) -> String {
    if count == 0 { "before the first move".to_owned() } else { format!("after {}", turns(count)) }
}
