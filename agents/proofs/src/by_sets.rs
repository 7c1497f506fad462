//! Answers that follow from every information set of a role.

use std::collections::BTreeMap;

use croupier_engine::RoleId;

use crate::{
    answer::{Grounds, Line, RuleAnswer, RuleQuestion, RuleVerdict, Searched},
    by_graph::turns,
    graph::StateGraph,
    knowledge::{Learning, Need, doubt, history_needed, learning},
    maximum::Maximum,
    patterns::FluentPatterns,
    sets::SetGraph,
    strategy::can_force,
};

/// Every answer about what a player knows, and what it can do with that.
pub(crate) fn player_answers(graph: &StateGraph, sets: &SetGraph, maxima: &[Maximum]) -> Vec<RuleAnswer> {
    let view = SetView { graph, sets, role: graph.players()[sets.player] };
    let own = maxima.iter().filter(|maximum| maximum.player == sets.player && maximum.is_named);
    let mut answers: Vec<RuleAnswer> = own.map(|maximum| view.strongly_winnable(maximum)).collect();
    answers.extend(Need::ALL.map(|need| view.knows(need)));
    answers.push(view.latest_percepts());
    answers
}

/// What each player learns of the fluents that not everybody always knows.
pub(crate) fn learning_answers(graph: &StateGraph, all: &[SetGraph]) -> Vec<RuleAnswer> {
    let groups = FluentPatterns::of(graph);
    let learned: Vec<BTreeMap<usize, Learning>> =
        all.iter().map(|sets| learning(graph, sets, &groups.group_of, groups.names.len())).collect();
    let is_secret = |group: usize| {
        learned.iter().any(|learned| learned.get(&group).is_some_and(|learning| !learning.always))
    };
    let mut answers = Vec::new();
    for (sets, learned) in all.iter().zip(&learned) {
        let view = SetView { graph, sets, role: graph.players()[sets.player] };
        for (&group, &learning) in learned.iter().filter(|(group, _)| is_secret(**group)) {
            answers.push(view.learns(&groups.names[group], learning));
        }
    }
    answers
}

/// What is answered where the information sets of a player do not fit, or not all states are known.
pub(crate) fn open_answers(graph: &StateGraph, player: usize, maxima: &[Maximum]) -> Vec<RuleAnswer> {
    let role = graph.players()[player];
    let name = graph.game().roles().name(role);
    let searched = Searched { states: graph.expanded(), turns: 0, playouts: 0 };
    let open = |question, text| {
        RuleAnswer::new(question, RuleVerdict::Open, Grounds::Search(searched), text).of(role)
    };
    let mut answers: Vec<RuleAnswer> = maxima
        .iter()
        .filter(|maximum| maximum.player == player && maximum.is_named)
        .map(|maximum| {
            let text = format!("whether {name} can force {} was not worked out", maximum.goal);
            open(RuleQuestion::StronglyWinnable, text).about(maximum.goal.to_string())
        })
        .collect();
    let questions = Need::ALL.map(Need::question).into_iter().chain([RuleQuestion::LatestPercepts]);
    answers.extend(
        questions
            .map(|question| open(question, format!("not all information sets of {name} were looked at"))),
    );
    answers
}

pub(crate) fn always_knows(name: &str, what: &str) -> String {
    format!("{name} always knows {what}")
}

pub(crate) fn never_learns(name: &str, group: &str) -> String {
    format!("{name} is never certain of any {group} before the end")
}

pub(crate) fn latest_percepts_do(name: &str) -> String {
    format!("the last move and percepts tell {name} its legal moves")
}

struct SetView<'g> {
    graph: &'g StateGraph,
    sets: &'g SetGraph,
    role: RoleId,
}

impl SetView<'_> {
    fn name(&self) -> &str {
        self.graph.game().roles().name(self.role)
    }

    fn grounds(&self) -> Grounds {
        Grounds::InformationSets(self.sets.len())
    }

    fn line(&self, set: usize, state: usize) -> Line {
        Line { moves: self.sets.moves_to(self.graph, set, state), returns_to: None }
    }

    fn strongly_winnable(&self, maximum: &Maximum) -> RuleAnswer {
        let (name, goal) = (self.name(), maximum.goal);
        let (verdict, text) = match can_force(self.graph, self.sets, goal) {
            true => (RuleVerdict::Proved, format!("{name} can force {goal} by what it knows")),
            false => (RuleVerdict::Refuted, format!("{name} cannot force {goal} by what it knows")),
        };
        RuleAnswer::new(RuleQuestion::StronglyWinnable, verdict, self.grounds(), text)
            .of(self.role)
            .about(goal.to_string())
    }

    fn knows(&self, need: Need) -> RuleAnswer {
        let (name, question, what) = (self.name(), need.question(), need.words());
        let Some(found) = doubt(self.graph, self.sets, need) else {
            let text = always_knows(name, what);
            return RuleAnswer::new(question, RuleVerdict::Proved, self.grounds(), text).of(self.role);
        };
        let lines: Vec<Line> = found.states.iter().map(|&state| self.line(found.set, state)).collect();
        let text = format!(
            "{name} does not know {what} after {}: two matches are the same to it",
            turns(lines[0].moves.len())
        );
        RuleAnswer::new(question, RuleVerdict::Refuted, Grounds::Lines, text).of(self.role).shown_by(lines)
    }

    fn latest_percepts(&self) -> RuleAnswer {
        let name = self.name();
        match history_needed(self.graph, self.sets) {
            None => {
                let text = latest_percepts_do(name);
                RuleAnswer::new(RuleQuestion::LatestPercepts, RuleVerdict::Proved, self.grounds(), text)
                    .of(self.role)
            }
            Some(pair) => {
                let lines = pair.map(|member| self.line(member.set, member.state));
                let text =
                    format!("{name} must remember: after the same last move and percepts it has other moves");
                RuleAnswer::new(RuleQuestion::LatestPercepts, RuleVerdict::Refuted, Grounds::Lines, text)
                    .of(self.role)
                    .shown_by(lines.to_vec())
            }
        }
    }

    fn learns(&self, group: &str, learning: Learning) -> RuleAnswer {
        let name = self.name();
        let answer = |question, verdict, text| {
            RuleAnswer::new(question, verdict, self.grounds(), text).of(self.role).about(group.to_owned())
        };
        if learning.always {
            return answer(RuleQuestion::AlwaysKnows, RuleVerdict::Proved, always_knows(name, group));
        }
        let Some(set) = learning.learned else {
            let text = never_learns(name, group);
            return answer(RuleQuestion::NeverLearns, RuleVerdict::Proved, text);
        };
        let state = self.sets.running(self.graph, set).next().expect("it is learned while the match goes on");
        let line = self.line(set, state);
        let text = match learning.from {
            Some(from) => format!("{name} always knows {group} from turn {from} on"),
            None => format!(
                "{name} can be certain of one of {group}, after {} at the earliest",
                turns(line.moves.len())
            ),
        };
        RuleAnswer {
            grounds: Grounds::Lines,
            ..answer(RuleQuestion::NeverLearns, RuleVerdict::Refuted, text)
        }
        .shown_by(vec![line])
    }
}
