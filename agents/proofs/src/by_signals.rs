//! Whether a role can tell another something by its moves alone: two moves between which nobody else does anything different, and which the
//! other sees, at once or later.
//!
//! # Sources
//! Noninterference: J. Goguen and J. Meseguer, "Security policies and security models", IEEE Symposium on Security and Privacy 1982; pairs
//! of runs as for self-composition.

use croupier_engine::RoleId;
use rustc_hash::FxHashSet;

use crate::{
    answer::{Grounds, Line, RuleAnswer, RuleQuestion, RuleVerdict},
    by_graph::{after, grounds},
    graph::{StateGraph, StateKind},
};

/// Pairs of states that are looked at for what is seen later.
const PAIRS_MAX: usize = 300_000;

/// What each player can tell each other by its moves: one answer for a player where it is the same for all others.
pub(crate) fn signal_answers(graph: &StateGraph, is_over: &dyn Fn() -> bool) -> Vec<RuleAnswer> {
    let players = graph.players().len();
    let mut answers = Vec::new();
    for teller in 0..players {
        let others = (0..players).filter(|&other| other != teller);
        let own: Vec<RuleAnswer> =
            others.map(|hearer| Signal { graph, teller, hearer }.answer(is_over)).collect();
        let Some(first) = own.first() else { continue };
        if own.len() > 1 && own.iter().all(|answer| answer.verdict == first.verdict) {
            let name = graph.game().roles().name(graph.players()[teller]);
            let text = match first.verdict {
                RuleVerdict::Proved => format!("{name} can tell each other player something by its moves"),
                RuleVerdict::Refuted => format!("{name} can tell no other player anything by its moves"),
                RuleVerdict::Open => format!("no other player was found to see what {name} does"),
            };
            answers.push(RuleAnswer { about: None, text, ..first.clone() });
        } else {
            answers.extend(own);
        }
    }
    answers
}

/// A player, and one that may see what it does.
#[derive(Clone, Copy)]
struct Signal<'g> {
    graph: &'g StateGraph,
    teller: usize,
    hearer: usize,
}

/// Two matches in which only the teller does something different, and which the hearer has not told apart so far.
#[derive(Clone, Copy)]
struct Pair {
    states: [u32; 2],
    /// The pair before, and the edges from it; none from a state that both come from.
    before: Option<usize>,
    edges: [usize; 2],
}

/// What looking at pairs has shown.
enum Heard {
    /// These two matches end in a turn that the hearer sees differently.
    Differently([Line; 2]),
    /// No pair is left.
    Nothing,
    /// Too many pairs, or somebody else has other moves.
    Unclear,
}

impl Signal<'_> {
    fn answer(self, is_over: &dyn Fn() -> bool) -> RuleAnswer {
        let roles = self.graph.game().roles();
        let [teller, hearer] = [self.teller, self.hearer].map(|player| self.graph.players()[player]);
        let (name, other) = (roles.name(teller), roles.name(hearer));
        let heard = self.at_once().map_or_else(|| self.later(is_over), Heard::Differently);
        let (verdict, grounds, text, lines) = match heard {
            Heard::Differently(lines) => {
                let text = format!(
                    "{name} can tell {other} something by its moves, {}",
                    after(lines[0].moves.len())
                );
                (RuleVerdict::Proved, Grounds::Lines, text, lines.to_vec())
            }
            Heard::Nothing if self.graph.is_complete() => {
                let text = format!("{other} never sees a difference between moves of {name}");
                (RuleVerdict::Refuted, Grounds::Exhaustion(self.graph.expanded()), text, Vec::new())
            }
            Heard::Nothing | Heard::Unclear => {
                let text = format!("no two moves of {name} were found that {other} sees differently");
                (RuleVerdict::Open, grounds(self.graph), text, Vec::new())
            }
        };
        RuleAnswer::new(RuleQuestion::Signals, verdict, grounds, text)
            .of(teller)
            .about(other.to_owned())
            .shown_by(lines)
    }

    fn role(&self) -> RoleId {
        self.graph.players()[self.teller]
    }

    /// Two moves that the hearer sees differently in the turn in which they are made.
    fn at_once(&self) -> Option<[Line; 2]> {
        self.graph.choices(self.role()).find_map(|state| {
            let alternatives = self.graph.alternatives(state, self.role());
            (0..alternatives.others).find_map(|others| {
                let first = alternatives.edge(0, others);
                let mut edges = (1..alternatives.own).map(|own| alternatives.edge(own, others));
                let other = edges.find(|&edge| self.differ([first, edge]))?;
                Some([first, other].map(|edge| self.graph.line_along(state, edge)))
            })
        })
    }

    /// Whether the hearer sees two edges differently, the end of a match included.
    fn differ(&self, edges: [usize; 2]) -> bool {
        let [one, other] = edges.map(|edge| {
            let target = self.graph.target(edge);
            let is_over = target < self.graph.expanded() && self.graph.kind(target) == StateKind::Terminal;
            (self.graph.label(edge, self.hearer), is_over)
        });
        one != other
    }

    /// Looks at all pairs of matches that only the teller makes different.
    fn later(&self, is_over: &dyn Fn() -> bool) -> Heard {
        if !self.graph.is_complete() {
            return Heard::Unclear;
        }
        let mut pairs = Pairs::default();
        for state in self.graph.choices(self.role()) {
            let alternatives = self.graph.alternatives(state, self.role());
            for others in 0..alternatives.others {
                for [less, own] in (1..alternatives.own).flat_map(|own| (0..own).map(move |less| [less, own]))
                {
                    pairs.add(self.graph, None, [less, own].map(|own| alternatives.edge(own, others)));
                }
                if pairs.all.len() > PAIRS_MAX || is_over() {
                    return Heard::Unclear;
                }
            }
        }
        let mut next = 0;
        while let Some(&Pair { states, .. }) = pairs.all.get(next) {
            let states = states.map(|state| state as usize);
            if states.iter().any(|&state| self.graph.kind(state) == StateKind::Running) {
                if self.others_differ(states) {
                    return Heard::Unclear;
                }
                let [one, other] = states.map(|state| self.graph.alternatives(state, self.role()));
                for others in 0..one.others {
                    let moves =
                        (0..one.own).flat_map(|first| (0..other.own).map(move |second| [first, second]));
                    for [first, second] in moves {
                        let edges = [one.edge(first, others), other.edge(second, others)];
                        if self.differ(edges) {
                            return Heard::Differently(pairs.lines(self.graph, next, edges));
                        }
                        pairs.add(self.graph, Some(next), edges);
                    }
                }
            }
            next += 1;
            if pairs.all.len() > PAIRS_MAX || (next % 64 == 0 && is_over()) {
                return Heard::Unclear;
            }
        }
        Heard::Nothing
    }

    /// Whether the match goes on in one of two states only, or somebody but the teller has other moves in them: what it then does is not the same.
    fn others_differ(&self, [one, other]: [usize; 2]) -> bool {
        let mut rest = self.graph.game().roles().all().filter(|&role| role != self.role());
        self.graph.kind(one) != self.graph.kind(other)
            || rest.any(|role| self.graph.menu(one, role) != self.graph.menu(other, role))
    }
}

/// Pairs in the order in which they were met, each once.
#[derive(Default)]
struct Pairs {
    all: Vec<Pair>,
    known: FxHashSet<[u32; 2]>,
}

impl Pairs {
    fn add(&mut self, graph: &StateGraph, before: Option<usize>, edges: [usize; 2]) {
        let states = edges.map(|edge| u32::try_from(graph.target(edge)).expect("below 2^32"));
        let sorted = [states[0].min(states[1]), states[0].max(states[1])];
        if states[0] != states[1] && self.known.insert(sorted) {
            self.all.push(Pair { states, before, edges });
        }
    }

    /// Two matches that lead to a pair, and on from it on these edges.
    fn lines(&self, graph: &StateGraph, pair: usize, edges: [usize; 2]) -> [Line; 2] {
        edges.map(|last| {
            let (mut way, mut at) = (vec![last], Some(pair));
            while let Some(pair) = at.map(|at| self.all[at]) {
                let source = graph.source(way[way.len() - 1]);
                let side = usize::from(pair.states[0] as usize != source);
                way.push(pair.edges[side]);
                at = pair.before;
            }
            way.reverse();
            let first = graph.source(way[0]);
            let mut moves = graph.moves_along(&graph.way_to(first));
            moves.extend(way.iter().map(|&edge| graph.joint_move(graph.source(edge), edge)));
            Line { moves, returns_to: None }
        })
    }
}
