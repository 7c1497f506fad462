//! All answers about a game within a budget.

use std::sync::Arc;

use croupier_engine::Game;

use crate::{
    answer::{RuleAnswer, RuleQuestion},
    bounds::turns_bound,
    by_counts::{branching, deals, length, size},
    by_graph::{state_answers, well_formed},
    by_induction::Induction,
    by_pairs::pair_answers,
    by_prospects::{matters, uncompared, undominated},
    by_roles::symmetry_answers,
    by_search::{bound_answer, count_playouts, settle, shown_answers},
    by_sets::{learning_answers, open_answers, player_answers},
    by_signals::signal_answers,
    circuit::Circuit,
    climb::climb,
    graph::StateGraph,
    invariants::KnownInvariants,
    knowledge::Need,
    limits::GraphLimits,
    maximum::Maximum,
    prospects::GoalRanges,
    sets::SetGraph,
    shorten::shorten,
    shown::Shown,
    time_left::TimeLeft,
    used::{rules_answer, used_answers},
    walks::{Walked, walk},
};

/// What was found about a game.
#[derive(Clone, Debug)]
pub struct Examination {
    /// The answers, in the order of [`RuleQuestion::ALL`].
    pub answers: Vec<RuleAnswer>,
    /// How large the game is, as far as it was looked at.
    pub size: GameSize,
}

/// How large a game is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameSize {
    /// States that can be reached, each counted once.
    pub states: usize,
    /// Joint moves in all of them.
    pub joint_moves: usize,
    /// Whether there are no more.
    pub is_whole: bool,
}

/// Answers these questions about a game as far as that is possible until `has_passed` says that a share of the time has: 1 is the end of it.
/// `None` if the game has no network that can be explored.
///
/// ```
/// use std::sync::Arc;
/// use croupier_engine::{Game, Options};
/// use croupier_proofs::{GraphLimits, RuleQuestion, RuleVerdict, examine};
///
/// let kuhn = croupier_games::find("kuhn").ok_or("the catalogue has it")?;
/// let game = Arc::new(Game::compile(kuhn.rules, &Options::PLAY)?.game);
/// let found = examine(&game, &RuleQuestion::ALL, &GraphLimits::STANDARD, &|_| false).ok_or("a small game")?;
/// let of = |question| found.answers.iter().filter(move |answer| answer.question == question);
/// assert!(of(RuleQuestion::Terminates).all(|answer| answer.verdict == RuleVerdict::Proved));
/// assert!(of(RuleQuestion::StronglyWinnable).all(|answer| answer.verdict == RuleVerdict::Refuted));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn examine(
    game: &Arc<Game>,
    wanted: &[RuleQuestion],
    limits: &GraphLimits,
    has_passed: &(dyn Fn(f64) -> bool + Sync),
) -> Option<Examination> {
    let graph = StateGraph::explore(game, limits, &|share| has_passed(0.3 * share))?;
    let maxima = Maximum::of_all(game);
    let mut answers = state_answers(&graph, &maxima);
    let Beyond { bound, invariants } = if graph.is_complete() {
        Beyond::default()
    } else {
        settle_beyond(&graph, &maxima, wanted, &mut answers, has_passed)
    };
    answers.extend(well_formed(&answers));
    let mut all = Vec::new();
    for player in 0..graph.players().len() {
        let explore = || SetGraph::explore(&graph, player, limits.members, &|| has_passed(0.8));
        // Reading the answers off takes its time as well.
        let sets = graph.is_complete().then(explore).flatten().filter(|_| !has_passed(0.9));
        match sets {
            Some(sets) => {
                answers.extend(player_answers(&graph, &sets, &maxima));
                all.push(sets);
            }
            None => answers.extend(open_answers(&graph, player, &maxima)),
        }
    }
    if !has_passed(1.0) {
        answers.extend(learning_answers(&graph, &all));
    }
    if asks_for_knowledge(wanted) && all.len() < graph.players().len() {
        settle(&mut answers, pair_answers(&graph, &invariants, &|| has_passed(1.0)));
    }
    let rest = Rest { graph: &graph, sets: &all, bound, is_over: &|| has_passed(1.0) };
    for question in wanted {
        answers.extend(rest.answers(*question));
    }
    answers.retain(|answer| wanted.contains(&answer.question));
    let place =
        |answer: &RuleAnswer| RuleQuestion::ALL.iter().position(|&question| question == answer.question);
    answers.sort_by_key(place);
    let size = GameSize {
        states: graph.expanded(),
        joint_moves: graph.edges_count(),
        is_whole: graph.is_complete(),
    };
    Some(Examination { answers, size })
}

/// What is known of states that were not looked at.
#[derive(Default)]
struct Beyond {
    /// Turns within which every match is over.
    bound: Option<usize>,
    invariants: KnownInvariants,
}

/// Settles answers about a game of which not all states fit: by bounds, by random matches, and by induction.
fn settle_beyond(
    graph: &StateGraph,
    maxima: &[Maximum],
    wanted: &[RuleQuestion],
    answers: &mut Vec<RuleAnswer>,
    has_passed: &(dyn Fn(f64) -> bool + Sync),
) -> Beyond {
    let (game, left) = (graph.game(), TimeLeft::now(has_passed));
    let bound = turns_bound(game, &|| left.has_passed(0.07));
    settle(answers, bound.map(bound_answer).into_iter().collect());
    let mut beyond = Beyond { bound, ..Beyond::default() };
    let circuit = game.network().and_then(|network| Circuit::new(network.tape(), 1));
    // Where each question of a proof takes long, the proof has more of the time.
    let matches = if circuit.as_ref().is_some_and(Circuit::is_large) { 0.08 } else { 0.17 };
    let Some(mut walked) = walk(game, maxima, &|| left.has_passed(matches)) else { return beyond };
    let Walked { shown, playouts, .. } = &mut walked;
    climb_to(game, maxima, shown, &|part| left.has_passed(matches + 0.09 * part));
    let turns = graph.way_to(graph.expanded()).len() - 1;
    shorten(game, maxima, shown, turns, &|| left.has_passed(matches + 0.11));
    count_playouts(answers, *playouts);
    settle(answers, shown_answers(game, shown, maxima));
    let induction = Induction { game, walked: &walked, maxima, turns };
    let asked: Vec<RuleAnswer> =
        answers.iter().filter(|answer| is_needed(answer.question, wanted)).cloned().collect();
    // What roles know is asked afterwards.
    let most = if asks_for_knowledge(wanted) { 0.7 } else { 1.0 };
    let proved = induction.answers(circuit, &asked, &|share| has_passed(most * share));
    settle(answers, proved);
    if asks_for_knowledge(wanted) {
        let left = TimeLeft::now(has_passed);
        beyond.invariants = induction.invariants(&|share| left.has_passed(0.5 * share)).unwrap_or_default();
    }
    beyond
}

/// What is answered only if somebody asks.
struct Rest<'g> {
    graph: &'g StateGraph,
    sets: &'g [SetGraph],
    /// Turns within which every match is over.
    bound: Option<usize>,
    is_over: &'g dyn Fn() -> bool,
}

impl Rest<'_> {
    fn answers(&self, question: RuleQuestion) -> Vec<RuleAnswer> {
        let Self { graph, sets, .. } = self;
        let players = 0..graph.players().len();
        match question {
            RuleQuestion::Signals => signal_answers(graph, self.is_over),
            RuleQuestion::Matters => {
                let prospects = GoalRanges::of(graph);
                players.map(|player| matters(graph, prospects.as_ref(), player)).collect()
            }
            RuleQuestion::Undominated => {
                let prospects = GoalRanges::of(graph).filter(|_| !(self.is_over)());
                let of = |player: usize| {
                    let sets = sets.iter().find(|sets| sets.player == player)?;
                    undominated(graph, sets, prospects.as_ref()?, self.is_over)
                };
                players.map(|player| of(player).unwrap_or_else(|| uncompared(graph, player))).collect()
            }
            RuleQuestion::Symmetric => symmetry_answers(graph),
            RuleQuestion::Used => {
                let rules = rules_answer(graph, self.is_over);
                used_answers(graph).into_iter().chain(rules).collect()
            }
            RuleQuestion::Deals => vec![deals(graph)],
            RuleQuestion::Length => vec![length(graph, self.bound)],
            RuleQuestion::Branching => {
                graph.game().roles().all().map(|role| branching(graph, role)).collect()
            }
            RuleQuestion::Size => vec![size(graph, sets)],
            _ => Vec::new(),
        }
    }
}

/// Whether a question was asked, or is a part of one that was.
fn is_needed(question: RuleQuestion, wanted: &[RuleQuestion]) -> bool {
    let parts = [RuleQuestion::Terminates, RuleQuestion::Playable, RuleQuestion::WeaklyWinnable];
    wanted.contains(&question) || (wanted.contains(&RuleQuestion::WellFormed) && parts.contains(&question))
}

/// Whether a question is about what a role knows.
fn asks_for_knowledge(wanted: &[RuleQuestion]) -> bool {
    let others = [RuleQuestion::LatestPercepts, RuleQuestion::AlwaysKnows, RuleQuestion::NeverLearns];
    wanted.iter().any(|question| {
        others.contains(question) || Need::ALL.iter().any(|need| need.question() == *question)
    })
}

/// Looks for matches with the goals that no random match had, each in its part of the time.
fn climb_to(game: &Game, maxima: &[Maximum], shown: &mut Shown, has_passed: &dyn Fn(f64) -> bool) {
    let is_open = |place: &usize| maxima[*place].is_named && shown.wins[*place].is_none();
    let open: Vec<usize> = (0..maxima.len()).filter(is_open).collect();
    for (number, &place) in open.iter().enumerate() {
        let share = (number + 1) as f64 / open.len() as f64;
        shown.wins[place] = climb(game, maxima[place], &|| has_passed(share));
    }
}
