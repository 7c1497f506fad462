//! The server's metrics, for Prometheus.
//!
//! A label is a word of the source or a status of HTTP: labels are `&'static str` and `u16`, so that no id, role, term, address
//! or token can become one. There is one set of numbers for a process.

use std::{sync::LazyLock, time::Duration};

use croupier_referee::{Conduct, Reply};
use prometheus_client::{
    encoding::{
        EncodeLabelSet,
        text::{encode_eof, encode_registry},
    },
    metrics::{
        counter::Counter,
        family::Family,
        gauge::Gauge,
        histogram::{Histogram, exponential_buckets},
    },
    registry::{Metric, Registry, Unit},
};

use crate::process::Taken;

/// The numbers of this process.
static METRICS: LazyLock<Metrics> = LazyLock::new(Metrics::new);

/// The numbers of this process.
pub(crate) fn metrics() -> &'static Metrics {
    &METRICS
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct ByStatus {
    status: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct ByReason {
    reason: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct ByRoute {
    method: &'static str,
    route: &'static str,
    status: u16,
}

/// A metric that is registered.
fn added<M: Metric + Clone + Default>(registry: &mut Registry, name: &str, about: &str) -> M {
    let metric = M::default();
    registry.register(name, about, metric.clone());
    metric
}

/// A histogram that is registered: of times from a tenth of a millisecond to three seconds.
fn timed(registry: &mut Registry, name: &str, about: &str) -> Histogram {
    let metric = Histogram::new(exponential_buckets(0.000_1, 2.0, 16));
    registry.register_with_unit(name, about, Unit::Seconds, metric.clone());
    metric
}

/// The metrics.
pub(crate) struct Metrics {
    registry: Registry,
    matches: Family<ByStatus, Gauge>,
    ended: Family<ByStatus, Counter>,
    pub(crate) resumed: Counter,
    pub(crate) turns: Counter,
    replies: Family<ByStatus, Counter>,
    substitutions: Family<ByReason, Counter>,
    overhead: Histogram,
    appends: Histogram,
    commits: Histogram,
    batches: Histogram,
    pub(crate) push_connections: Gauge,
    pub(crate) spectators: Gauge,
    requests: Family<ByRoute, Counter>,
}

impl Metrics {
    fn new() -> Self {
        let all = &mut Registry::with_prefix("croupier");
        let metrics = Self {
            matches: added(all, "matches", "Matches of this process, by status"),
            ended: added(all, "matches_ended", "Matches that ended, by outcome"),
            resumed: added(all, "matches_resumed", "Matches that were resumed when the server started"),
            turns: added(all, "turns", "Turns that were played and stored"),
            replies: added(all, "replies", "Replies of players, by kind"),
            substitutions: added(all, "substitutions", "Moves drawn for players in ended matches, by reason"),
            overhead: timed(
                all,
                "play_overhead",
                "From the last reply or deadline of a turn to the first message of the next",
            ),
            appends: timed(all, "store_append", "Time from record lines being ready to their being durable"),
            commits: timed(all, "store_commit", "Commits of the store"),
            batches: {
                let batches = Histogram::new(exponential_buckets(1.0, 2.0, 12));
                all.register("store_batch_writes", "Writes that share a commit", batches.clone());
                batches
            },
            push_connections: added(all, "push_connections", "Calls to players in progress"),
            spectators: added(all, "spectators", "Spectators that are connected"),
            requests: added(all, "requests", "Requests, by route and status"),
            registry: std::mem::take(all),
        };
        // What is not there yet looks like a server that says nothing.
        for status in ["waiting", "running"] {
            metrics.matches.get_or_create(&ByStatus { status }).set(0);
        }
        metrics
    }

    /// Everything in the text format of OpenMetrics.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        encode_registry(&mut text, &self.registry).expect("a string takes all text");
        if let Some(taken) = Taken::now() {
            encode_registry(&mut text, &taken.registry()).expect("a string takes all text");
        }
        encode_eof(&mut text).expect("a string takes all text");
        text
    }

    /// A request was answered.
    pub(crate) fn answered(&self, method: &'static str, route: &'static str, status: u16) {
        self.requests.get_or_create(&ByRoute { method, route, status }).inc();
    }

    /// A reply came, or is known not to come.
    pub(crate) fn heard(&self, reply: &Reply) {
        let status = match reply {
            Reply::Text(_) | Reply::Ready(_) | Reply::Committed(_) | Reply::Revealed(_) => "text",
            Reply::Failed(failure) => failure.as_str(),
        };
        self.replies.get_or_create(&ByStatus { status }).inc();
    }

    /// The next turn is sent, so long after the one before was complete.
    pub(crate) fn played_on(&self, after: Duration) {
        self.overhead.observe(after.as_secs_f64());
    }

    /// Lines of a record are durable, so long after they were ready.
    pub(crate) fn stored(&self, after: Duration) {
        self.appends.observe(after.as_secs_f64());
    }

    /// Records a commit of this many writes, and its time.
    pub(crate) fn committed(&self, writes: usize, took: Duration) {
        self.commits.observe(took.as_secs_f64());
        self.batches.observe(writes as f64);
    }

    /// A match ended.
    pub(crate) fn ended<'c>(&self, status: &'static str, conducts: impl Iterator<Item = &'c Conduct>) {
        self.ended.get_or_create(&ByStatus { status }).inc();
        for (reason, times) in conducts.flat_map(Conduct::reasons) {
            self.substitutions.get_or_create(&ByReason { reason }).inc_by(times);
        }
    }
}

/// Increments a gauge for as long as this value exists.
#[derive(Debug)]
pub(crate) struct Counted(Gauge);

impl Counted {
    pub(crate) fn in_gauge(gauge: &Gauge) -> Self {
        gauge.inc();
        Self(gauge.clone())
    }

    /// A match with a status.
    pub(crate) fn match_that_is(status: &'static str) -> Self {
        Self::in_gauge(&metrics().matches.get_or_create(&ByStatus { status }))
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.dec();
    }
}
