//! Turns that happened: which components they took up or down.

use std::{cmp::Reverse, collections::BTreeSet};

use crate::{
    components::{Component, OneWay, RankingBasis},
    groups::FluentGroups,
    interner::{is_set, row_of},
    invariants::Invariant,
    wanderer::Wanderer,
};

/// The largest group of fluents of which one may take the place of another, besides single ones.
const GROUP_MAX: usize = 12;

/// Turns that are looked at.
const TURNS_MAX: usize = 60_000;

/// The most counts of fluents, and how many are taken up at a time.
const COUNTS_MAX: usize = 24;
const COUNTS_AT_ONCE: usize = 4;

/// Turns that happened, as bits.
pub(crate) struct TurnSample {
    components: Vec<Component>,
    changes: Vec<ComponentChanges>,
    /// A bit for each turn that still counts.
    counts: Vec<u64>,
    len: usize,
    /// What the turns that count leave as it is.
    kept: Vec<usize>,
}

/// Other turns, which are looked at once.
pub(crate) struct MoreTurns<'t> {
    rows: TurnRows<'t>,
    counts: Vec<u64>,
}

impl MoreTurns<'_> {
    /// Whether a turn that counts takes one of these components the wrong way.
    pub(crate) fn contradicts(&self, components: &[Component], way: OneWay) -> bool {
        self.rows.changes(&components[way.component]).contradict(way.never_rises, &self.counts)
    }
}

/// A bit for each turn that takes a component up, and for each that takes it down.
#[derive(Clone)]
struct ComponentChanges {
    rises: Vec<u64>,
    falls: Vec<u64>,
}

impl ComponentChanges {
    /// Whether a turn that counts takes it the wrong way.
    fn contradict(&self, never_rises: bool, counts: &[u64]) -> bool {
        let wrong = if never_rises { &self.rises } else { &self.falls };
        wrong.iter().zip(counts).any(|(wrong, counts)| wrong & counts != 0)
    }

    /// The turns that leave it as it is.
    fn stays(&self) -> impl Iterator<Item = u64> {
        self.rises.iter().zip(&self.falls).map(|(rises, falls)| !(rises | falls))
    }

    /// How many turns that count change it.
    fn changed(&self, counts: &[u64]) -> u32 {
        self.stays().zip(counts).map(|(stays, counts)| (!stays & counts).count_ones()).sum()
    }
}

/// Some turns as rows of bits: what became true, and what became false.
struct TurnRows<'t> {
    turns: Vec<[&'t [u64]; 2]>,
}

impl TurnRows<'_> {
    fn changes(&self, component: &Component) -> ComponentChanges {
        let words = self.turns.len().div_ceil(64);
        let mut changes = ComponentChanges { rises: vec![0; words], falls: vec![0; words] };
        let mut note = |turn: usize, [before, after]: [usize; 2]| {
            changes.rises[turn / 64] |= u64::from(after > before) << (turn % 64);
            changes.falls[turn / 64] |= u64::from(after < before) << (turn % 64);
        };
        if let Component::Place(order) = component {
            let place =
                |row: &[u64]| order.iter().rposition(|&base| is_set(row, base)).map_or(0, |at| at + 1);
            self.turns.iter().enumerate().for_each(|(turn, rows)| note(turn, rows.map(place)));
            return changes;
        }
        let mut masks: Vec<BaseMask> = Vec::new();
        for base in component.bases() {
            let bit = 1 << (base % 64);
            match masks.iter_mut().find(|mask| mask.word == base / 64) {
                Some(mask) => mask.bits |= bit,
                None => masks.push(BaseMask { word: base / 64, bits: bit }),
            }
        }
        let count = |row: &[u64]| -> usize {
            let count = masks.iter().map(|mask| (row[mask.word] & mask.bits).count_ones() as usize).sum();
            if matches!(component, Component::Some(_)) { usize::from(count > 0) } else { count }
        };
        self.turns.iter().enumerate().for_each(|(turn, rows)| note(turn, rows.map(count)));
        changes
    }

    /// The places of a counter: in the order in which these turns lead from one to another, but for those that lead back to where it begins,
    /// as more of them do than to any other place. Where none leads on, random turns do from a state that was changed to be there. `None` if
    /// there is no such order.
    fn order(&self, group: &[usize], wanderer: &mut Wanderer) -> Option<Vec<usize>> {
        let value = |row: &[u64]| group.iter().position(|&base| is_set(row, base));
        let step = |turn: [&[u64]; 2]| {
            let [before, after] = turn.map(value);
            before.zip(after).filter(|(before, after)| before != after)
        };
        let mut steps: BTreeSet<(usize, usize)> = self.turns.iter().filter_map(|&turn| step(turn)).collect();
        for place in 0..group.len() {
            if !steps.iter().any(|step| step.0 == place) {
                let [from, _] = self.turns.last()?;
                let there = wanderer.row(|base| match group.iter().position(|&other| other == base) {
                    Some(own) => own == place,
                    None => is_set(from, base),
                });
                let more = wanderer.turns(&there);
                steps.extend(more.iter().filter_map(|[before, after]| step([before, after])));
            }
        }
        let into = |place: usize| steps.iter().filter(|step| step.1 == place).count();
        let begin = (0..group.len()).max_by_key(|&place| (into(place), Reverse(place)))?;
        steps.retain(|step| step.1 != begin);
        let (mut order, mut open) = (Vec::new(), (0..group.len()).collect::<Vec<usize>>());
        while !open.is_empty() {
            let is_next = |place: usize| !steps.iter().any(|step| step.1 == place && open.contains(&step.0));
            let next = open.iter().copied().find(|&place| is_next(place))?;
            open.retain(|&place| place != next);
            order.push(group[next]);
        }
        (!steps.is_empty()).then_some(order)
    }
}

/// Bases of one word.
struct BaseMask {
    word: usize,
    bits: u64,
}

impl TurnSample {
    /// Of these turns; the components are single bases, whether some of a small group is true, and counts that may be of use; with someone who
    /// finds the order of long counters also their places.
    pub(crate) fn new<'t>(
        known: &RankingBasis<'_>,
        bases: usize,
        turns: impl Iterator<Item = [&'t [u64]; 2]>,
        places: Option<&mut Wanderer>,
    ) -> Self {
        let rows = TurnRows { turns: turns.take(TURNS_MAX).collect() };
        let small = known.groups.alike.iter().filter(|group| group.len() <= GROUP_MAX).cloned();
        let long = known.groups.alike.iter().filter(|group| {
            group.len() > GROUP_MAX && known.invariants.contains(&Invariant::AtMostOne((*group).clone()))
        });
        let mut components: Vec<Component> =
            (0..bases).map(|base| vec![base]).chain(small).map(Component::Some).collect();
        if let Some(wanderer) = places {
            let orders = long.filter_map(|group| rows.order(group, wanderer));
            components.extend(orders.map(Component::Place));
        }
        let changes = components.iter().map(|component| rows.changes(component)).collect();
        let len = rows.turns.len();
        let counts = row_of(len, |_| true);
        let mut sample = Self { components, changes, counts, len, kept: Vec::new() };
        sample.add_counts(known, &rows);
        sample
    }

    /// Adds the counts that may be of use: those that these turns take one way only, while what goes one way already stays.
    fn add_counts(&mut self, known: &RankingBasis<'_>, rows: &TurnRows<'_>) {
        let goes_one_way = |changes: &ComponentChanges, counts: &[u64]| {
            [true, false].iter().any(|&never_rises| !changes.contradict(never_rises, counts))
        };
        let keep = |changes: &ComponentChanges, counts: &mut Vec<u64>| {
            counts.iter_mut().zip(changes.stays()).for_each(|(counts, stays)| *counts &= stays);
        };
        let mut open: Vec<(Component, ComponentChanges)> = Vec::new();
        let mut counts = self.counts.clone();
        let mut added = 0;
        loop {
            loop {
                let before = counts.clone();
                for changes in &self.changes {
                    if goes_one_way(changes, &counts) {
                        keep(changes, &mut counts);
                    }
                }
                if counts == before {
                    break;
                }
            }
            if counts.iter().all(|&word| word == 0) || added >= COUNTS_MAX {
                break;
            }
            if open.is_empty() && added == 0 {
                let FluentGroups { named, alike, .. } = known.groups;
                let all = named.iter().chain(alike).filter(|group| group.len() > 1);
                let all = all.map(|group| Component::count(group, known.invariants));
                open = all.map(|component| (component.clone(), rows.changes(&component))).collect();
            }
            let useful = |(_, changes): &(Component, ComponentChanges)| {
                if goes_one_way(changes, &counts) { changes.changed(&counts) } else { 0 }
            };
            open.sort_by_cached_key(|one| Reverse(useful(one)));
            let chosen = open.iter().take(COUNTS_AT_ONCE).take_while(|one| useful(one) > 0).count();
            if chosen == 0 {
                break;
            }
            added += chosen;
            for (component, changes) in open.drain(..chosen) {
                keep(&changes, &mut counts);
                self.components.push(component);
                self.changes.push(changes);
            }
        }
    }

    pub(crate) fn components(&self) -> &[Component] {
        &self.components
    }

    /// One turn more: of each component whether it rises and falls.
    pub(crate) fn add(&mut self, changes: impl Fn(usize) -> [bool; 2]) {
        let len = self.len;
        self.len += 1;
        if len.is_multiple_of(64) {
            self.counts.push(0);
            let all = self.changes.iter_mut().flat_map(|changes| [&mut changes.rises, &mut changes.falls]);
            all.for_each(|bits| bits.push(0));
        }
        self.counts[len / 64] |= 1 << (len % 64);
        for (component, own) in self.changes.iter_mut().enumerate() {
            let [rises, falls] = changes(component);
            own.rises[len / 64] |= u64::from(rises) << (len % 64);
            own.falls[len / 64] |= u64::from(falls) << (len % 64);
        }
    }

    /// Whether a turn that counts takes a component the wrong way.
    pub(crate) fn contradicts(&self, way: OneWay) -> bool {
        self.changes[way.component].contradict(way.never_rises, &self.counts)
    }

    /// Of other turns those that leave as it is whatever the turns that count do.
    pub(crate) fn kept_by<'t>(&self, turns: &'t [[Vec<u64>; 2]]) -> MoreTurns<'t> {
        let rows =
            TurnRows { turns: turns.iter().map(|[before, after]| [&before[..], &after[..]]).collect() };
        let mut counts = row_of(turns.len(), |_| true);
        for &component in &self.kept {
            let stays = rows.changes(&self.components[component]);
            counts.iter_mut().zip(stays.stays()).for_each(|(counts, stays)| *counts &= stays);
        }
        MoreTurns { rows, counts }
    }

    /// From now on only turns count that leave a component as it is.
    pub(crate) fn keep(&mut self, component: usize) {
        self.kept.push(component);
        let stays = self.changes[component].stays();
        self.counts.iter_mut().zip(stays).for_each(|(counts, stays)| *counts &= stays);
    }
}
