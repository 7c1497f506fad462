//! Weighted counts of true fluents that no turn changes: so many cards are dealt as the deal has come to.
//!
//! # Sources
//! T. Murata, "Petri nets: properties, analysis and applications", Proceedings of the IEEE 77(4), 1989, section VII: S-invariants. Here they
//! are guessed from states that were met, as vectors that all of them are orthogonal to, and proved turn by turn.

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
};

use batsat::Lit;
use croupier_engine::stages::propnet::{Gates, Wire};

use crate::{
    circuit::Circuit,
    counting::{differ, same},
    groups::FluentGroups,
    interner::is_set,
    invariants::Invariant,
    prover::{Proof, Prover},
};

/// A base, and what it counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Weighted {
    pub(crate) base: usize,
    pub(crate) weight: i64,
}

/// What the true bases of a state count together.
pub(crate) fn total(row: &[u64], terms: &[Weighted]) -> i64 {
    terms.iter().filter(|term| is_set(row, term.base)).map(|term| term.weight).sum()
}

/// The terms of a sum, those together of which at most one is true at a time, as is known: such a part is a number already, of which each binary digit
/// is one of a few bases.
pub(crate) fn in_parts(terms: &[Weighted], known: &[Invariant]) -> Vec<Vec<Weighted>> {
    let mut parts = Vec::new();
    for is_positive in [true, false] {
        let mut left: BTreeMap<usize, i64> = terms
            .iter()
            .filter(|term| (term.weight > 0) == is_positive)
            .map(|term| (term.base, term.weight))
            .collect();
        let mut groups: Vec<&Vec<usize>> = known
            .iter()
            .filter_map(
                |invariant| if let Invariant::AtMostOne(group) = invariant { Some(group) } else { None },
            )
            .collect();
        loop {
            let covered = |group: &&Vec<usize>| group.iter().filter(|base| left.contains_key(base)).count();
            groups.retain(|group| covered(group) > 1);
            let Some(group) = groups.iter().max_by_key(|group| covered(group)) else { break };
            let own = group.iter().filter_map(|&base| Some(Weighted { base, weight: left.remove(&base)? }));
            parts.push(own.collect());
        }
        parts.extend(left.into_iter().map(|(base, weight)| vec![Weighted { base, weight }]));
    }
    parts
}

/// The wire that says that the true bases count so much together, if of each part at most one is true.
pub(crate) fn counts(gates: &mut Gates, bases: &[Wire], parts: &[Vec<Weighted>], wanted: i64) -> Wire {
    let [one, other] = [true, false].map(|is_positive| {
        let own = parts.iter().filter(|part| (part[0].weight > 0) == is_positive);
        let mut own: Vec<WeightedWire> = own.flat_map(|part| digits(gates, bases, part)).collect();
        if (wanted < 0) == is_positive {
            own.push(WeightedWire { wire: Wire::TRUE, weight: wanted.unsigned_abs() });
        }
        sum(gates, own)
    });
    same(gates, &one, &other)
}

/// The binary digits of what the true one of some bases counts; all are false if there is none.
fn digits(gates: &mut Gates, bases: &[Wire], part: &[Weighted]) -> Vec<WeightedWire> {
    let most = part.iter().map(|term| term.weight.unsigned_abs()).max().unwrap_or(0);
    let digit = |digit: u32| {
        let own = part.iter().filter(|term| term.weight.unsigned_abs() >> digit & 1 == 1);
        WeightedWire { wire: gates.any(own.map(|term| bases[term.base])), weight: 1 << digit }
    };
    (0..u64::BITS - most.leading_zeros()).map(digit).collect()
}

/// The wire that says that a turn changes what the true bases count together, if of each part at most one is true before and after it.
fn changes(gates: &mut Gates, before: &[Wire], after: &[Wire], parts: &[Vec<Weighted>]) -> Wire {
    let [gained, lost] = gained_and_lost(gates, before, after, parts);
    // As much was lost as gained, and no more than could be counted.
    let is_same = same(gates, &gained, &lost);
    let is_counted = !gained[UNARY_MAX - 1];
    !gates.and(is_same, is_counted)
}

/// What a turn adds to a sum, and what it takes away: wires of which the first so many are true, as far as that is told.
pub(crate) fn gained_and_lost(
    gates: &mut Gates,
    before: &[Wire],
    after: &[Wire],
    parts: &[Vec<Weighted>],
) -> [Vec<Wire>; 2] {
    let (mut gained, mut lost) = (Vec::new(), Vec::new());
    for part in parts {
        let is_positive = part[0].weight > 0;
        let weights: BTreeSet<u64> = part.iter().map(|term| term.weight.unsigned_abs()).collect();
        let mut below = 0;
        // From one number to another as many steps are taken as these differ by.
        for weight in weights {
            let reaches: Vec<usize> = part
                .iter()
                .filter(|term| term.weight.unsigned_abs() >= weight)
                .map(|term| term.base)
                .collect();
            let [before, after] =
                [before, after].map(|state| gates.any(reaches.iter().map(|&base| state[base])));
            let [rises, falls] = [gates.and(!before, after), gates.and(before, !after)];
            let (more, less) = if is_positive { (rises, falls) } else { (falls, rises) };
            gained.push(WeightedWire { wire: more, weight: weight - below });
            lost.push(WeightedWire { wire: less, weight: weight - below });
            below = weight;
        }
    }
    [gained, lost].map(|side| unary(gates, &side))
}

/// What a turn may change a side of a sum by: more is not told apart.
const UNARY_MAX: usize = 24;

/// A sum as wires of which the first so many are true: solvers see through few changes better than through binary digits.
///
/// # Sources
/// O. Bailleux, Y. Boufkhad, "Efficient CNF encoding of Boolean cardinality constraints", CP 2003: the totalizer.
fn unary(gates: &mut Gates, terms: &[WeightedWire]) -> Vec<Wire> {
    match terms {
        [] => vec![Wire::FALSE; UNARY_MAX],
        [only] => {
            let count = usize::try_from(only.weight).unwrap_or(usize::MAX).min(UNARY_MAX);
            (0..UNARY_MAX).map(|place| if place < count { only.wire } else { Wire::FALSE }).collect()
        }
        _ => {
            let (one, other) = terms.split_at(terms.len() / 2);
            let [one, other] = [one, other].map(|part| unary(gates, part));
            let at_least = |all: &[Wire], count: usize| if count == 0 { Wire::TRUE } else { all[count - 1] };
            let mut together = Vec::new();
            for count in 1..=UNARY_MAX {
                let ways = (0..=count).map(|first| [at_least(&one, first), at_least(&other, count - first)]);
                let ways: Vec<Wire> = ways.map(|[one, other]| gates.and(one, other)).collect();
                together.push(gates.any(ways));
            }
            together
        }
    }
}

/// A wire, and what it counts if it is true.
struct WeightedWire {
    wire: Wire,
    weight: u64,
}

/// The binary digits of a sum, the lowest first.
fn sum(gates: &mut Gates, terms: Vec<WeightedWire>) -> Vec<Wire> {
    let mut columns: Vec<Vec<Wire>> = Vec::new();
    for term in terms.into_iter().filter(|term| term.wire != Wire::FALSE) {
        for digit in
            (0..u64::BITS - term.weight.leading_zeros()).filter(|digit| term.weight >> digit & 1 == 1)
        {
            let digit = digit as usize;
            columns.resize(columns.len().max(digit + 1), Vec::new());
            columns[digit].push(term.wire);
        }
    }
    let mut digits = Vec::new();
    let mut column = 0;
    while column < columns.len() {
        while columns[column].len() > 1 {
            let third = if columns[column].len() > 2 { columns[column].pop() } else { None };
            let (one, other) = (columns[column].pop(), columns[column].pop());
            let [one, other, third] = [one, other, third].map(|wire| wire.unwrap_or(Wire::FALSE));
            let half = differ(gates, one, other);
            let (both, carried) = (gates.and(one, other), gates.and(half, third));
            let carry = gates.or(both, carried);
            let digit = differ(gates, half, third);
            // Taken up last, so that the sum is as deep as a tree.
            columns[column].insert(0, digit);
            columns.resize(columns.len().max(column + 2), Vec::new());
            columns[column + 1].push(carry);
        }
        digits.push(columns[column].first().copied().unwrap_or(Wire::FALSE));
        column += 1;
    }
    digits
}

/// Of some guesses, those that no turn changes whatever they come to before it, and then those that no turn changes if all of them hold before it.
///
/// `None` if nothing is known of any turn.
pub(crate) fn constant(
    circuit: &mut Circuit,
    known: &[Invariant],
    guesses: Vec<Invariant>,
    is_over: &dyn Fn() -> bool,
) -> Option<Vec<Invariant>> {
    let [before, after] = [0, 1].map(|state| circuit.states[state].bases.clone());
    let gates = &mut circuit.gates;
    let states = [&before, &after].into_iter();
    let held: Vec<Wire> = states
        .flat_map(|state| known.iter().map(|invariant| invariant.wire(gates, state)).collect::<Vec<_>>())
        .collect();
    circuit.clauses.extend(held.into_iter().map(|wire| vec![wire]));
    let changed = |guess: &Invariant| match guess {
        Invariant::Sum(_, parts) => changes(gates, &before, &after, parts),
        _ => Wire::TRUE,
    };
    let mut wires: Vec<Wire> = guesses.iter().map(changed).collect();
    // The role with the most moves: each of them alone leaves less open.
    let moves = circuit.states[0].moves.iter().max_by_key(|own| own.len()).cloned().unwrap_or_default();
    wires.extend(moves.iter().filter(|&&made| made != Wire::FALSE));
    let count = wires.len();
    let mut search = ConstantSearch {
        prover: Prover::new(&circuit.gates, &circuit.clauses, &wires)?,
        left: (0..guesses.len()).collect(),
        proved: Vec::new(),
        moves: guesses.len()..count,
        is_over,
    };
    search.alone();
    if !search.left.is_empty() && !is_over() {
        wires.extend(guesses.iter().map(|guess| guess.wire(&mut circuit.gates, &before)));
        search.prover = Prover::new(&circuit.gates, &circuit.clauses, &wires)?;
        search.together(count);
    }
    let is_proved = |place: &usize| search.proved.contains(place);
    let all = guesses.into_iter().enumerate();
    Some(all.filter(|(place, _)| is_proved(place)).map(|(_, guess)| guess).collect())
}

/// Which guesses no turn changes, by their places; the first wires of the prover say that it does.
struct ConstantSearch<'s> {
    prover: Prover,
    left: Vec<usize>,
    proved: Vec<usize>,
    /// The places of wires of which one is true, for a move that is made.
    moves: Range<usize>,
    is_over: &'s dyn Fn() -> bool,
}

impl ConstantSearch<'_> {
    /// Whether something breaks a guess: a turn that changes it and perhaps others, or the solver gives up.
    fn breaks(&mut self, guess: usize, taken: &[Lit]) -> Option<Vec<usize>> {
        let mut asked: Vec<Lit> = taken.iter().copied().chain([self.prover.literal(guess)]).collect();
        let mut found = self.prover.ask_at_most(CONFLICTS_AT_FIRST, &asked, self.is_over);
        if found == Proof::Unknown {
            for place in self.moves.clone() {
                asked.push(self.prover.literal(place));
                found = self.prover.ask(&asked, self.is_over);
                asked.pop();
                if found != Proof::Impossible {
                    break;
                }
            }
        }
        match found {
            Proof::Impossible => None,
            Proof::Possible => {
                let is_broken = |one: &usize| self.prover.holds(self.prover.literal(*one));
                Some(self.left.iter().copied().filter(is_broken).collect())
            }
            Proof::Unknown => Some(vec![guess]),
        }
    }

    /// Proves what needs no guess to hold before.
    fn alone(&mut self) {
        let mut open = self.left.clone();
        while let Some(guess) = open.pop() {
            if (self.is_over)() {
                return;
            }
            match self.breaks(guess, &[]) {
                None => {
                    self.proved.push(guess);
                    self.left.retain(|&one| one != guess);
                }
                Some(broken) => open.retain(|one| !broken.contains(one)),
            }
        }
    }

    /// Proves what is left if it holds before, together with what was proved; the wires after those of so many guesses say that they do.
    fn together(&mut self, count: usize) {
        loop {
            let taken: Vec<Lit> = self
                .proved
                .iter()
                .chain(&self.left)
                .map(|&guess| self.prover.literal(count + guess))
                .collect();
            let mut broken = None;
            for guess in self.left.clone() {
                if (self.is_over)() {
                    return;
                }
                broken = self.breaks(guess, &taken);
                if broken.is_some() {
                    break;
                }
            }
            let Some(broken) = broken else { break };
            self.left.retain(|guess| !broken.contains(guess));
        }
        self.proved.append(&mut self.left);
    }
}

/// Clauses that may be learnt for a guess before each move is looked at alone.
const CONFLICTS_AT_FIRST: u32 = 3_000;

/// A prime below 2^31: what vanishes for many states vanishes for them modulo this as well.
const PRIME: i64 = 2_147_483_647;

/// Limits of guesses: states that are looked at; counts, of single bases and of groups; bases of one guess; its highest weight.
const STATES_MAX: usize = 1_500;
const SINGLES_MAX: usize = 300;
const GROUPS_MAX: usize = 150;
const TERMS_MAX: usize = 300;
const WEIGHT_MAX: i64 = 200;

/// Guesses of sums that are the same in all states that were met, beside what is known.
pub(crate) fn guesses(groups: &FluentGroups, known: &[Invariant], states: &[&[u64]]) -> Vec<Invariant> {
    let step = states.len().div_ceil(STATES_MAX).max(1);
    let states: Vec<&[u64]> = states.iter().copied().step_by(step).collect();
    let mut found: BTreeSet<Vec<Weighted>> =
        orthogonal(&features(groups, &states), &states, SCALE_MAX).into_iter().collect();
    let of_singles = orthogonal(&singles(groups, &states), &states, SINGLES_SCALE_MAX);
    found.extend(of_singles.iter().map(|terms| simpler(terms, known)));
    found.retain(|terms| (3..=TERMS_MAX).contains(&terms.len()));
    let sum = |terms: &Vec<Weighted>| Invariant::Sum(total(states[0], terms), in_parts(terms, known));
    found.iter().map(sum).collect()
}

/// Weights of features so that all states that were met count the same: small whole numbers, once they are taken so many times at most.
fn orthogonal(features: &[Vec<usize>], states: &[&[u64]], scale_max: i64) -> Vec<Vec<Weighted>> {
    let mut rows: Vec<Vec<i64>> = states
        .iter()
        .map(|row| {
            let count = |group: &Vec<usize>| group.iter().filter(|&&base| is_set(row, base)).count() as i64;
            [1].into_iter().chain(features.iter().map(count)).collect()
        })
        .collect();
    let pivots = reduce(&mut rows, features.len() + 1);
    let mut found = Vec::new();
    for free in (1..=features.len()).filter(|column| !pivots.contains(column)) {
        let own =
            |(row, &feature): (usize, &usize)| FeatureWeight { feature, weight: PRIME - rows[row][free] };
        let column: Vec<FeatureWeight> =
            pivots.iter().enumerate().map(own).chain([FeatureWeight { feature: free, weight: 1 }]).collect();
        let Some(weights) = (1..=scale_max).find_map(|scale| small(&column, scale)) else { continue };
        let mut by_base: BTreeMap<usize, i64> = BTreeMap::new();
        // The first feature is there always, and counts for the sum alone.
        for own in weights.iter().filter(|own| own.feature > 0) {
            for &base in &features[own.feature - 1] {
                *by_base.entry(base).or_insert(0) += own.weight;
            }
        }
        found.push(terms_of(by_base));
    }
    found
}

fn terms_of(by_base: BTreeMap<usize, i64>) -> Vec<Weighted> {
    let terms = by_base.into_iter().filter(|&(_, weight)| weight != 0);
    terms.map(|(base, weight)| Weighted { base, weight }).collect()
}

/// The same sum but for a constant: of fluents of which exactly one is true, all weights may be taken less by the least, so that numbers count what
/// they are.
fn simpler(terms: &[Weighted], known: &[Invariant]) -> Vec<Weighted> {
    let mut by_base: BTreeMap<usize, i64> = terms.iter().map(|term| (term.base, term.weight)).collect();
    for invariant in known {
        let Invariant::AtLeastOne(group) = invariant else { continue };
        let is_whole = group.len() > 2 && group.iter().any(|base| by_base.contains_key(base));
        if !is_whole || !known.contains(&Invariant::AtMostOne(group.clone())) {
            continue;
        }
        let weight = |base: &usize| by_base.get(base).copied().unwrap_or(0);
        let (least, most) = (group.iter().map(weight).min(), group.iter().map(weight).max());
        let (least, most) = (least.unwrap_or(0), most.unwrap_or(0));
        let shift = if most.abs() > least.abs() { least } else { most };
        // What has no weight for the most part is left.
        if group.iter().filter(|&base| weight(base) != 0).count() * 2 > group.len() {
            group.iter().for_each(|&base| *by_base.entry(base).or_insert(0) -= shift);
        }
    }
    terms_of(by_base)
}

/// All single fluents that are true in some of these states and false in others; none if there are too many.
fn singles(groups: &FluentGroups, states: &[&[u64]]) -> Vec<Vec<usize>> {
    let varies = |base: &usize| {
        let count = states.iter().filter(|row| is_set(row, *base)).count();
        (1..states.len()).contains(&count)
    };
    let found: Vec<Vec<usize>> = (0..groups.words.len()).filter(varies).map(|base| vec![base]).collect();
    if found.len() <= ALL_SINGLES_MAX { found } else { Vec::new() }
}

/// How many times weights may be taken. Of numbers the difference of any two may come up, whichever come last.
const SCALE_MAX: i64 = 6;
const SINGLES_SCALE_MAX: i64 = 60;

/// The most single fluents of which all are counted.
const ALL_SINGLES_MAX: usize = 450;

/// What is counted: single fluents that come one after the other, then groups, the small ones first.
fn features(groups: &FluentGroups, states: &[&[u64]]) -> Vec<Vec<usize>> {
    let is_single = |group: &&Vec<usize>| {
        let count = |row: &&&[u64]| group.iter().filter(|&&base| is_set(row, base)).count() > 1;
        group.len() <= 12 || !states.iter().any(|row| count(&row))
    };
    let singles = groups.named.iter().filter(is_single).flatten().map(|&base| vec![base]);
    let mut features: Vec<Vec<usize>> = singles.take(SINGLES_MAX).collect();
    let all: BTreeSet<&Vec<usize>> = groups.named.iter().chain(&groups.alike).collect();
    let mut all: Vec<&Vec<usize>> =
        all.into_iter().filter(|group| (3..=TERMS_MAX).contains(&group.len())).collect();
    all.sort_by_key(|group| group.len());
    // The large ones say most: where there are too many, the small ones are left out.
    let spare = all.len().saturating_sub(GROUPS_MAX);
    features.extend(all.into_iter().skip(spare).cloned());
    features
}

/// Brings rows into reduced echelon form modulo the prime; the column of the pivot of each row that is left.
fn reduce(rows: &mut Vec<Vec<i64>>, columns: usize) -> Vec<usize> {
    let mut pivots = Vec::new();
    for column in 0..columns {
        let Some(place) = (pivots.len()..rows.len()).find(|&row| rows[row][column] != 0) else { continue };
        let at = pivots.len();
        rows.swap(at, place);
        let inverse = power(rows[at][column], PRIME - 2);
        rows[at].iter_mut().for_each(|value| *value = *value * inverse % PRIME);
        let own = rows[at].clone();
        for (_, row) in rows.iter_mut().enumerate().filter(|(number, _)| *number != at) {
            let factor = row[column];
            if factor != 0 {
                row.iter_mut().zip(&own).for_each(|(value, own)| {
                    *value = (*value + (PRIME - factor) * own) % PRIME;
                });
            }
        }
        pivots.push(column);
    }
    rows.truncate(pivots.len());
    pivots
}

fn power(base: i64, exponent: i64) -> i64 {
    let (mut result, mut square, mut rest) = (1, base % PRIME, exponent);
    while rest > 0 {
        if rest & 1 == 1 {
            result = result * square % PRIME;
        }
        square = square * square % PRIME;
        rest >>= 1;
    }
    result
}

/// A feature, by its number, and what each true base of it counts.
struct FeatureWeight {
    feature: usize,
    weight: i64,
}

/// The weights times so much as small whole numbers, if they are.
fn small(column: &[FeatureWeight], scale: i64) -> Option<Vec<FeatureWeight>> {
    let signed = |value: i64| if value > PRIME / 2 { value - PRIME } else { value };
    let scaled = column.iter().map(|own| FeatureWeight {
        feature: own.feature,
        weight: signed(own.weight % PRIME * scale % PRIME),
    });
    let scaled: Vec<FeatureWeight> = scaled.filter(|own| own.weight != 0).collect();
    scaled.iter().all(|own| own.feature == 0 || own.weight.abs() <= WEIGHT_MAX).then_some(scaled)
}
