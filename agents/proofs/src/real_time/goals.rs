//! Answers about the ends of matches, and about what comes up at all.

use croupier_engine::{FluentId, RoleId, realtime::RealTimeGame};
use rustc_hash::FxHashSet;

use super::{
    question::{RunEnd, TimedAnswer, TimedGrounds, TimedQuestion},
    timed_graph::{GraphStyle, TimedKind},
    view::{RunFound, TimedView, after},
};
use crate::answer::RuleVerdict;

/// What *maximal* may mean in definition 23: the best goal that the rules name for a role, and 100.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TimedMaximum {
    role: RoleId,
    goal: i32,
    /// Whether the rules can derive it, as far as that is known.
    is_named: bool,
}

/// By node that is terminal, what the rules give each player.
pub(super) struct EndGoals {
    nodes: Vec<(usize, Vec<Vec<String>>)>,
}

impl EndGoals {
    pub(super) fn of(view: &TimedView<'_>) -> Self {
        let game = &view.graph.game;
        let mut scratch = game.scratch();
        let ends = (0..view.graph.nodes.len()).filter(|&node| view.kind(node) == TimedKind::Terminal);
        let nodes = ends.map(|node| {
            let state = &view.graph.nodes[node].state;
            let of = |role| game.goal_values(state, role, &mut scratch).unwrap_or_default();
            (node, game.roles().players().map(of).collect())
        });
        Self { nodes: nodes.collect() }
    }

    /// The ends in which something holds of the goals.
    fn with(&self, is_wanted: impl Fn(&[Vec<String>]) -> bool) -> FxHashSet<usize> {
        let wanted = self.nodes.iter().filter(|(_, goals)| is_wanted(goals));
        wanted.map(|(node, _)| *node).collect()
    }
}

/// The goal of a player that has only one.
fn only(values: &[String]) -> Option<i32> {
    let [value] = values else { return None };
    value.parse().ok()
}

/// Every answer about ends.
pub(super) fn goal_answers(view: &TimedView<'_>) -> Vec<TimedAnswer> {
    let ends = EndGoals::of(view);
    let mut answers: Vec<TimedAnswer> =
        maxima(&view.graph.game).iter().map(|maximum| weakly_winnable(view, &ends, maximum)).collect();
    answers.extend([goals(view, &ends), constant_sum(view, &ends)]);
    answers
}

/// For each player the best goal that the rules name, if that is known beforehand; where that is not 100, 100 too.
fn maxima(game: &RealTimeGame) -> Vec<TimedMaximum> {
    let mut found = Vec::new();
    for role in game.roles().players() {
        let named: Option<Vec<i32>> = game.network().map(|network| {
            network.goal_values(role).flatten().map(croupier_engine::GoalValue::value).collect()
        });
        let best = named.iter().flatten().copied().max();
        found.extend(best.map(|goal| TimedMaximum { role, goal, is_named: true }));
        if best != Some(100) {
            let is_named = named.is_none_or(|named| named.contains(&100));
            found.push(TimedMaximum { role, goal: 100, is_named });
        }
    }
    found
}

fn weakly_winnable(view: &TimedView<'_>, ends: &EndGoals, maximum: &TimedMaximum) -> TimedAnswer {
    let TimedMaximum { role, goal, is_named } = *maximum;
    let name = view.name(role);
    let answer = |verdict, grounds, text| {
        let answer = TimedAnswer::new(TimedQuestion::WeaklyWinnable, verdict, grounds, text);
        answer.of(role).about(goal.to_string())
    };
    if !is_named {
        let text = format!("{name} cannot win {goal}: no rule gives it that goal");
        return answer(RuleVerdict::Refuted, TimedGrounds::Rules, text);
    }
    let mut players = view.graph.game.roles().players();
    let player = players.position(|other| other == role).expect("it is a player");
    let wins = ends.with(|goals| goals[player].first().is_some_and(|first| first.parse() == Ok(goal)));
    match view.run_to(&|node| wins.contains(&node), RunEnd::Update) {
        RunFound::Run(_, run) => {
            let text = format!("{name} can win {goal}, {}", after(&run));
            answer(RuleVerdict::Proved, TimedGrounds::Runs, text).shown_by(vec![run])
        }
        RunFound::Nothing if view.graph.is_complete => {
            let text = format!("{name} never has its best goal, {goal}, when a match is over");
            answer(RuleVerdict::Refuted, view.all(), text)
        }
        _ => {
            let text = format!("no match was found in which {name} has {goal} in the end");
            answer(RuleVerdict::Open, view.searched(), text)
        }
    }
}

fn goals(view: &TimedView<'_>, ends: &EndGoals) -> TimedAnswer {
    let question = TimedQuestion::Goals;
    let is_sound = |values: &Vec<String>| only(values).is_some_and(|goal| (0..=100).contains(&goal));
    let faults = ends.with(|goals| !goals.iter().all(is_sound));
    match view.run_to(&|node| faults.contains(&node), RunEnd::Update) {
        RunFound::Nothing => {
            view.holds(question, "every player has exactly one goal from 0 to 100 in every end".to_owned())
        }
        RunFound::Run(node, run) => {
            let known = ends.nodes.iter().find(|(end, _)| *end == node);
            let said = view.graph.game.roles().players().zip(known.into_iter().flat_map(|(_, goals)| goals));
            let said = said.map(|(role, values)| match values.is_empty() {
                true => format!("{} has no goal", view.name(role)),
                false => format!("{} has {}", view.name(role), values.join(" and ")),
            });
            let text = format!("a match ends in which {}", said.collect::<Vec<_>>().join(", "));
            TimedAnswer::new(question, RuleVerdict::Refuted, TimedGrounds::Runs, text).shown_by(vec![run])
        }
        RunFound::Unsure => {
            view.open(question, "no match was found that ends without one goal each".to_owned())
        }
    }
}

fn constant_sum(view: &TimedView<'_>, ends: &EndGoals) -> TimedAnswer {
    let question = TimedQuestion::ConstantSum;
    let sum =
        |goals: &[Vec<String>]| goals.iter().map(|values| only(values).map(i64::from)).sum::<Option<i64>>();
    let mut sums: Vec<i64> = ends.nodes.iter().filter_map(|(_, goals)| sum(goals)).collect();
    sums.dedup();
    let first = sums.first().copied();
    sums.sort_unstable();
    sums.dedup();
    let Some(first) = first else {
        return view.holds(question, "no two ends have different sums of goals".to_owned());
    };
    if sums.len() == 1 {
        let is_zero = view.graph.game.roles().players().count() == 2 && first == 100;
        let zero = if is_zero { ": what one wins the other loses" } else { "" };
        return view.holds(question, format!("the goals add up to {first} in every end{zero}"));
    }
    let run = |wanted: &i64| {
        let ends = ends.with(|goals| sum(goals) == Some(*wanted));
        match view.run_to(&|node| ends.contains(&node), RunEnd::Update) {
            RunFound::Run(_, run) => Some((*wanted, run)),
            RunFound::Nothing | RunFound::Unsure => None,
        }
    };
    let mut shown = sums.iter().filter_map(run).take(2);
    match (shown.next(), shown.next()) {
        (Some((one, first)), Some((other, second))) => {
            let text = format!("the goals add up to {one} in one end and to {other} in another");
            TimedAnswer::new(question, RuleVerdict::Refuted, TimedGrounds::Runs, text)
                .shown_by(vec![first, second])
        }
        _ => view.open(question, "no two matches were found whose goals add up differently".to_owned()),
    }
}

/// Whether every move and fluent comes up: of rules whose moves and fluents are known beforehand.
pub(super) fn used(view: &TimedView<'_>) -> TimedAnswer {
    let (graph, question) = (view.graph, TimedQuestion::Used);
    let game = &graph.game;
    let Some(network) = game.network() else {
        return view.open(question, "not known: rules that read times have no list of fluents".to_owned());
    };
    let made: FxHashSet<_> = graph.edges.iter().flat_map(|edge| edge.moves.iter().copied()).collect();
    let held: FxHashSet<FluentId> =
        graph.nodes.iter().flat_map(|node| node.state.facts().map(|(fluent, _)| fluent)).collect();
    let mut unused = Vec::new();
    for role in game.roles().all() {
        let moves = (0..network.moves_count(role)).map(|number| network.move_of(role, number));
        let never = moves.filter(|&played| !made.contains(&(role, played)));
        unused
            .extend(never.map(|played| format!("{} never has {}", view.name(role), game.move_text(played))));
    }
    let never = network.fluents().iter().filter(|fluent| !held.contains(fluent));
    unused.extend(never.map(|&fluent| format!("{} is never true", game.fluent_text(fluent))));
    if unused.is_empty() {
        let text = "every move and every fluent that the rules can derive comes up".to_owned();
        return match graph.style {
            GraphStyle::Regions => view.open(question, text),
            GraphStyle::States | GraphStyle::Classes => {
                let grounds = if graph.is_complete { view.all() } else { view.searched() };
                TimedAnswer::new(question, RuleVerdict::Proved, grounds, text)
            }
        };
    }
    let shown = unused.iter().take(3).cloned().collect::<Vec<_>>().join("; ");
    let more = unused.len().saturating_sub(3);
    let text = if more > 0 { format!("{shown}; and {more} more") } else { shown };
    match graph.is_complete {
        true => TimedAnswer::new(question, RuleVerdict::Refuted, view.all(), text),
        false => view.open(question, format!("in these states {text}")),
    }
}
