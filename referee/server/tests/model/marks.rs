//! Which faults came in which moments, counted: a test that never meets a case says nothing of it.

use std::{collections::BTreeMap, fmt};

/// Faults by kind and by where the match was.
#[derive(Default)]
pub(crate) struct Marks(BTreeMap<(&'static str, &'static str), u64>);

impl Marks {
    pub(crate) fn hit(&mut self, fault: &'static str, moment: &'static str) {
        *self.0.entry((fault, moment)).or_default() += 1;
    }

    pub(crate) fn total(&self) -> u64 {
        self.0.values().sum()
    }

    /// Every pair that can come up has come up so often.
    pub(crate) fn demand(&self, times: u64) {
        let playing = [
            "message lost",
            "player dead",
            "connection reset",
            "garbage",
            "oversize",
            "late",
            "reply doubled",
        ];
        let everywhere =
            ["starting", "starting, storing", "playing", "playing, storing", "ending", "no owner"];
        let mut demanded: Vec<(&str, &str)> = Vec::new();
        demanded.extend(playing.iter().flat_map(|fault| [(*fault, "starting"), (*fault, "playing")]));
        demanded.extend(["store fails", "store stalls"].iter().flat_map(|fault| {
            [(*fault, "starting, storing"), (*fault, "playing, storing"), (*fault, "ending")]
        }));
        demanded.extend(everywhere[..5].iter().map(|moment| ("crash", *moment)));
        demanded.extend([("crash", "revealing"), ("message lost", "revealing"), ("late", "revealing")]);
        demanded.extend([("replica pause", "server"), ("fenced", "playing")]);
        let missing: Vec<_> = demanded
            .into_iter()
            .filter(|mark| self.0.get(mark).copied().unwrap_or(0) < times.max(1))
            .collect();
        assert!(missing.is_empty(), "too seldom: {missing:?}\n{self}");
    }
}

impl fmt::Display for Marks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|((fault, moment), count)| writeln!(f, "{count:10}  {fault}: {moment}"))
    }
}
