//! What can come of moves, by names and by trying everything out.

use std::collections::{BTreeMap, BTreeSet};

use super::{Judge, JudgedState};

/// The goals that a role can have from a state on, and what it has if all play at random.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Prospect {
    pub(crate) goals: BTreeSet<i32>,
    mean: f64,
}

impl Prospect {
    fn differs(&self, other: &Self) -> bool {
        self.goals != other.goals || (self.mean - other.mean).abs() > 1e-9
    }
}

impl Judge {
    /// The prospects of a role in every state; `None` if a match does not end, or ends without one goal.
    pub(crate) fn prospects(&self, role: &str) -> Option<Vec<Prospect>> {
        if !self.terminates() || !self.playable() {
            return None;
        }
        let mut found: BTreeMap<usize, Prospect> = BTreeMap::new();
        while found.len() < self.states.len() {
            for (state, judged) in self
                .states
                .iter()
                .enumerate()
                .filter(|(state, _)| !found.contains_key(state))
                .collect::<Vec<_>>()
            {
                if judged.is_terminal {
                    let [only] = &judged.goals[role].iter().collect::<Vec<_>>()[..] else { return None };
                    let goal: i32 = only.parse().ok()?;
                    found.insert(state, Prospect { goals: BTreeSet::from([goal]), mean: goal.into() });
                } else if let Some(next) =
                    judged.edges.iter().map(|(_, target)| found.get(target)).collect::<Option<Vec<_>>>()
                {
                    let goals = next.iter().flat_map(|prospect| prospect.goals.clone()).collect();
                    let mean = next.iter().map(|prospect| prospect.mean).sum::<f64>() / next.len() as f64;
                    found.insert(state, Prospect { goals, mean });
                }
            }
        }
        Some(found.into_values().collect())
    }

    /// Pairs of targets of joint moves in a state that differ in the move of one role only.
    fn siblings(judged: &JudgedState, role: &str) -> Vec<[usize; 2]> {
        let mut found = Vec::new();
        for (one, first) in &judged.edges {
            for (other, second) in &judged.edges {
                let is_same = |name: &String| one[name].0 == other[name].0;
                if one.keys().all(|name| name == role || is_same(name)) && one[role].0 < other[role].0 {
                    found.push([*first, *second]);
                }
            }
        }
        found
    }

    /// Whether somewhere two moves of a role lead to different prospects of anybody.
    pub(crate) fn matters(&self, role: &str) -> Option<bool> {
        let all: Vec<Vec<Prospect>> =
            self.players().map(|player| self.prospects(player)).collect::<Option<_>>()?;
        let mut pairs = self.states.iter().flat_map(|judged| Self::siblings(judged, role));
        Some(pairs.any(|[one, other]| all.iter().any(|of| of[one].differs(&of[other]))))
    }

    /// Whether one role ever sees a difference between two matches in which only another does anything different; `None` if others have
    /// different moves in such matches.
    pub(crate) fn can_tell(&self, teller: &str, hearer: &str) -> Option<bool> {
        let mut known: BTreeSet<(usize, usize)> = BTreeSet::new();
        let mut open: Vec<(usize, usize)> = (0..self.states.len()).map(|state| (state, state)).collect();
        let mut is_clear = true;
        while let Some((one, other)) = open.pop() {
            if !known.insert((one, other)) {
                continue;
            }
            let [first, second] = [one, other].map(|state| &self.states[state]);
            let rest = || self.roles.iter().filter(|role| *role != teller);
            if first.edges.is_empty() != second.edges.is_empty()
                || rest().any(|role| first.legal[role] != second.legal[role]) && !first.edges.is_empty()
            {
                is_clear = false;
                continue;
            }
            for (labels, target) in &first.edges {
                for (others, second) in &second.edges {
                    if rest().any(|role| labels[role].0 != others[role].0) {
                        continue;
                    }
                    let is_over = |state: usize| self.states[state].is_terminal;
                    if labels[hearer] != others[hearer] || is_over(*target) != is_over(*second) {
                        return Some(true);
                    }
                    open.push((*target, *second));
                }
            }
        }
        is_clear.then_some(false)
    }

    /// In how many choices of a role a move is never better than another, and sometimes worse, of those in which it knows its moves.
    pub(crate) fn dominated(&self, role: &str) -> Option<usize> {
        let prospects = self.prospects(role)?;
        let bounds = |state: usize| {
            let goals = &prospects[state].goals;
            (*goals.first().expect("a match ends"), *goals.last().expect("a match ends"))
        };
        let mut count = 0;
        for (set, _) in self.sets(role) {
            let running: Vec<&JudgedState> =
                set.iter().map(|&state| &self.states[state]).filter(|state| !state.is_terminal).collect();
            let Some(first) = running.first() else { continue };
            let moves = &first.legal[role];
            if running.iter().any(|state| state.legal[role] != *moves) {
                continue;
            }
            let never_better = |worse: &String, better: &String| {
                let mut is_worse = false;
                for state in &running {
                    for (one, low) in state.edges.iter().filter(|(labels, _)| labels[role].0 == *worse) {
                        for (other, high) in
                            state.edges.iter().filter(|(labels, _)| labels[role].0 == *better)
                        {
                            if one.keys().any(|name| name != role && one[name].0 != other[name].0) {
                                continue;
                            }
                            let (low, high) = (bounds(*low), bounds(*high));
                            if low.1 > high.0 {
                                return false;
                            }
                            is_worse |= low.0 < high.1;
                        }
                    }
                }
                is_worse
            };
            if moves
                .iter()
                .any(|worse| moves.iter().any(|better| worse != better && never_better(worse, better)))
            {
                count += 1;
            }
        }
        Some(count)
    }

    /// In how many states of each depth a role has so many moves, or such goals at an end: the same for roles that can be exchanged.
    pub(crate) fn profile(&self, role: &str) -> BTreeMap<String, usize> {
        let mut depths = BTreeMap::from([(0, 0)]);
        let mut open = std::collections::VecDeque::from([0]);
        while let Some(state) = open.pop_front() {
            let next = depths[&state] + 1;
            for (_, target) in &self.states[state].edges {
                depths.entry(*target).or_insert_with(|| {
                    open.push_back(*target);
                    next
                });
            }
        }
        let mut counts = BTreeMap::new();
        for (state, depth) in depths {
            let judged = &self.states[state];
            let what = match judged.is_terminal {
                true => format!("{depth} {:?}", judged.goals[role]),
                false if judged.edges.is_empty() => format!("{depth} stuck"),
                false => format!("{depth} {} moves", judged.legal[role].len()),
            };
            *counts.entry(what).or_default() += 1;
        }
        counts
    }

    /// The shortest and the longest match, if all end.
    pub(crate) fn lengths(&self) -> Option<[usize; 2]> {
        if !self.terminates() || !self.playable() {
            return None;
        }
        let (mut now, mut turn, mut least) = (BTreeSet::from([0]), 0, None);
        while !now.is_empty() {
            if now.iter().any(|&state| self.states[state].is_terminal) {
                least.get_or_insert(turn);
            }
            now = now
                .iter()
                .flat_map(|&state| self.states[state].edges.iter().map(|(_, target)| *target))
                .collect();
            turn += 1;
        }
        Some([least?, turn - 1])
    }

    /// In how many ways chance alone can play until somebody has a choice or the match is over; `None` if that may take longer than there are states.
    pub(crate) fn deals(&self) -> Option<u64> {
        let mut ways = BTreeMap::from([(0, 1_u64)]);
        let mut total = 0;
        for _ in 0..=self.states.len() {
            let mut next: BTreeMap<usize, u64> = BTreeMap::new();
            for (state, count) in ways {
                let judged = &self.states[state];
                if judged.edges.is_empty() || self.players().any(|role| judged.legal[role].len() > 1) {
                    total += count;
                    continue;
                }
                for (_, target) in &judged.edges {
                    let sum = next.entry(*target).or_default();
                    *sum = sum.checked_add(count)?;
                }
            }
            ways = next;
        }
        ways.is_empty().then_some(total)
    }
}
