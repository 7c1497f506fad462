//! The instants of the updates along a way: the earliest with which every lifetime ends when it should.

use super::{
    classes::Follower,
    question::{RunEnd, TimedEvent, TimedRun},
    timed_graph::{GraphStyle, TimedGraph},
    zone::InstantSource,
};

/// Updates of a way that gets instants.
const UPDATES_MAX: usize = 5_000;

/// That an instant comes so long after another at least, where that is less than nothing, so long before it at most.
struct Apart {
    update: usize,
    later_than: usize,
    by: i64,
}

/// A lifetime that runs: the update that set it, and how long it is.
#[derive(Clone, Copy, Debug)]
struct SetClock {
    set_by: usize,
    lifetime: i64,
}

/// The match along some edges from the first node on; `None` if no instants fit.
pub(super) fn run_along(graph: &TimedGraph, way: &[usize]) -> Option<TimedRun> {
    if way.len() > UPDATES_MAX {
        return None;
    }
    let instants = match graph.style {
        GraphStyle::States => {
            let times = way.iter().map(|&edge| graph.edges[edge].longest);
            times
                .scan(0, |now, time| {
                    *now += time?;
                    Some(*now)
                })
                .collect()
        }
        GraphStyle::Classes | GraphStyle::Regions => earliest(way.len(), &constraints(graph, way)?)?,
    };
    let events = way.iter().zip(instants).map(|(&number, at_us)| {
        let edge = &graph.edges[number];
        TimedEvent { at_us, moves: edge.moves.clone(), expired: graph.expired(edge) }
    });
    Some(TimedRun { events: events.collect(), end: RunEnd::Update, about: None })
}

/// What the instants of a way must keep to, update 0 being the start of the match.
fn constraints(graph: &TimedGraph, way: &[usize]) -> Option<Vec<Apart>> {
    let mut follower = Follower::new(&graph.game);
    let (mut holding, lifetimes) = follower.first().ok()?;
    let begin =
        |&us: &u64| SetClock { set_by: 0, lifetime: i64::try_from(us).expect("lifetimes are counted") };
    let mut running: Vec<SetClock> = lifetimes.iter().map(begin).collect();
    let mut found = Vec::new();
    for (before, &number) in way.iter().enumerate() {
        let (edge, update) = (&graph.edges[number], before + 1);
        let is_chance = graph.is_chance(edge);
        found.push(Apart { update, later_than: before, by: i64::from(!is_chance) });
        if is_chance {
            found.push(Apart { update: before, later_than: update, by: 0 });
        }
        let expires: Vec<bool> = (0..running.len()).map(|place| edge.ends.contains(&place)).collect();
        for (&SetClock { set_by, lifetime }, &ends) in running.iter().zip(&expires) {
            let latest = if ends { lifetime } else { lifetime - 1 };
            found.push(Apart { update: set_by, later_than: update, by: -latest });
            if ends {
                found.push(Apart { update, later_than: set_by, by: lifetime });
            }
        }
        let after = follower.after(&holding, &expires, &edge.moves).ok()?;
        running = after
            .sources
            .iter()
            .map(|source| match *source {
                InstantSource::Of(number) => running[number - 1],
                InstantSource::After(us) => {
                    SetClock { set_by: update, lifetime: i64::try_from(us).expect("lifetimes are counted") }
                }
            })
            .collect();
        holding = after.holding;
    }
    Some(found)
}

/// The earliest instants of so many updates: the longest ways through what they must keep to (Bellman and Ford).
fn earliest(updates: usize, apart: &[Apart]) -> Option<Vec<u64>> {
    let mut instants = vec![0_i64; updates + 1];
    for _ in 0..=updates + 1 {
        let mut has_changed = false;
        for Apart { update, later_than, by } in apart {
            let least = instants[*later_than] + by;
            if instants[*update] < least {
                instants[*update] = least;
                has_changed = true;
            }
        }
        if instants[0] > 0 {
            return None;
        }
        if !has_changed {
            let later = instants[1..].iter();
            return later.map(|&instant| u64::try_from(instant).ok()).collect();
        }
    }
    None
}
