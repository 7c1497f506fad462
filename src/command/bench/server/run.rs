//! The course of a measurement: matches are made, wait, are played on schedule, and are judged.

use std::{
    net::SocketAddr,
    sync::{Arc, atomic::Ordering::Relaxed},
    thread,
    time::{Duration, Instant},
};

use indicatif::ProgressBar;
use tokio::runtime::{Builder, Runtime};

use super::{
    course::{LoadedMatches, Phase, hold},
    disk, players,
    process::{Server, own_processor_s},
    report::{Audience, BenchServerReport, Resumption},
    requests::{Requests, Verdict, match_request},
    rules::rules,
    schedule::ReplySchedule,
    spectators::Gallery,
};
use crate::{
    arguments::threads::progress,
    output::failure::Failure,
    sessions::{clock, interrupt::Interrupt},
};

/// What the server is asked to do.
#[derive(Clone, Copy, Debug)]
pub(super) struct Load {
    pub(super) matches: u32,
    pub(super) turns: u32,
    pub(super) period: Duration,
    pub(super) spectators: u32,
    pub(super) kill: bool,
}

/// Threads that play.
const THREADS: usize = 2;

/// Between two looks at how far everything is.
const LOOK: Duration = Duration::from_millis(5);

/// Longest time for all matches to start, to go on, and to end after the last reply was due.
const PATIENCE: Duration = Duration::from_secs(120);

/// Between the end of what disturbs and the phase that is measured.
const SETTLING: Duration = Duration::from_secs(1);

/// A measurement that is under way.
struct Running<'r> {
    load: Load,
    course: Arc<LoadedMatches>,
    server: Server,
    folder: &'r std::path::Path,
    interrupt: &'r Interrupt,
    runtime: &'r Runtime,
    bar: ProgressBar,
}

impl Load {
    /// Runs it in a folder of its own, which is removed.
    ///
    /// # Errors
    /// If the server does not start, or refuses something; [`Failure::Interrupted`].
    pub(super) fn run(self, interrupt: &Interrupt) -> Result<BenchServerReport, Failure> {
        let unmade = |error: std::io::Error| {
            Failure::refuse("no-folder", format!("a temporary folder cannot be made: {error}"))
                .help("TMPDIR names the place for it")
        };
        let folder = tempfile::Builder::new().prefix("croupier-bench-").tempdir().map_err(unmade)?;
        let sync = disk::sync_times(folder.path())?;
        let runtime = Builder::new_multi_thread().worker_threads(THREADS).enable_all().build();
        let runtime = runtime.map_err(|error| {
            Failure::refuse("no-threads", format!("the threads cannot be started: {error}"))
        })?;
        let course = LoadedMatches::new(self.play_clock());
        let listening = runtime.block_on(async { players::listen(&course) });
        let players = listening
            .map_err(|error| Failure::refuse("no-sockets", format!("the players cannot listen: {error}")))?;
        let server = Server::start(folder.path(), self.matches)?;
        let bar = progress(u64::from(self.matches) * u64::from(self.turns), "turns");
        let mut running =
            Running { load: self, course, server, folder: folder.path(), interrupt, runtime: &runtime, bar };
        let report = running.measure(&players, sync);
        running.bar.finish_and_clear();
        runtime.shutdown_background();
        report
    }

    /// The clock of a turn: time for three turns, so that only a server that falls behind lets it run out.
    fn play_clock(&self) -> Duration {
        Duration::from_secs((self.period * 3).as_secs_f64().ceil().max(2.0) as u64)
    }
}

impl Running<'_> {
    fn measure(
        &mut self,
        players: &[SocketAddr],
        sync: super::latency::Latencies,
    ) -> Result<BenchServerReport, Failure> {
        let (matches_started_per_second, idle_match_kib) = self.begin(players)?;
        let schedule = ReplySchedule {
            begin: clock::now() + SETTLING,
            period: self.load.period,
            matches: self.load.matches,
            turns: self.load.turns,
        };
        self.course.schedule.send_replace(Some(schedule));
        let before = (self.server.processor_s(), own_processor_s());
        let half = schedule.begin + self.load.period * (self.load.turns.div_ceil(2) + 1);
        let mut audience = None;
        let mut resumption = None;
        if self.load.spectators > 0 || self.load.kill {
            self.wait_until(half, |_| false)?;
        }
        if self.load.spectators > 0 {
            audience = Some(self.admit()?);
        }
        if self.load.kill {
            resumption = Some(self.kill()?);
        }
        let players = self.load.matches * 2;
        self.wait_until(schedule.end() + PATIENCE, |course| course.stopped.load(Relaxed) >= players)?;
        let elapsed = clock::now().saturating_duration_since(schedule.begin + self.load.period);
        let cores = |before: Option<f64>, after: Option<f64>| {
            let took = after? - before?;
            Some(took / (clock::now() - schedule.begin).as_secs_f64())
        };
        // A server that was killed took its processor time with it.
        let server_cores = if self.load.kill { None } else { cores(before.0, self.server.processor_s()) };
        let generator_cores = cores(before.1, own_processor_s());
        let server_peak_mib = self.server.memory_kib().map(|(_, peak)| peak as f64 / 1_024.0);
        let verdict = self.judge()?;
        let faults = &self.course.faults;
        Ok(BenchServerReport {
            matches: self.load.matches,
            turns_each: self.load.turns,
            seconds: (self.load.period * self.load.turns).as_secs_f64(),
            offered_turns_per_second: f64::from(self.load.matches) / self.load.period.as_secs_f64(),
            achieved_turns_per_second: verdict.turns as f64 / elapsed.as_secs_f64(),
            false_timeouts: verdict.substituted_for("timeout").saturating_sub(faults.own_late.load(Relaxed)),
            verdict,
            contradicting_messages: faults.contradicted.load(Relaxed),
            altered_messages: faults.altered.load(Relaxed),
            figures: self.course.figures(Phase::Plain),
            matches_started_per_second,
            idle_match_kib,
            server_peak_mib,
            server_cores,
            generator_cores,
            fsync_ms: sync,
            resumption,
            spectators: audience.map(|gallery| self.audience(&gallery)),
            complaints: self.server.complaints(),
        })
    }

    /// Makes all matches; how many started a second, and how much memory each takes that waits.
    fn begin(&mut self, players: &[SocketAddr]) -> Result<(f64, Option<f64>), Failure> {
        let requests = Requests::new(self.server.address, self.server.token()?);
        let text = rules(self.load.turns);
        let clock_ms = u64::try_from(self.course.play_clock.as_millis()).unwrap_or(u64::MAX);
        let wanted: Vec<_> = (0..self.load.matches as usize)
            .map(|number| match_request(&text, players[number % players.len()], clock_ms))
            .collect();
        self.bar.set_message("start");
        // The first match compiles the rules for all others.
        let (first, others) = wanted.split_at(1);
        requests.create(first, self.interrupt)?;
        self.wait_started(2)?;
        let before = self.server.memory_kib();
        let begun = clock::now();
        requests.create(others, self.interrupt)?;
        self.wait_started(self.load.matches * 2)?;
        let took =
            self.course.last_start().map_or(Duration::ZERO, |last| last.saturating_duration_since(begun));
        let after = self.server.memory_kib();
        let others = f64::from(self.load.matches - 1);
        let idle = before.zip(after).map(|((before, _), (after, _))| (after as f64 - before as f64) / others);
        let rate = if others > 0.0 { others / took.as_secs_f64() } else { 0.0 };
        Ok((rate, idle.filter(|_| others > 0.0)))
    }

    fn wait_started(&self, players: u32) -> Result<(), Failure> {
        let is_started = |course: &LoadedMatches| course.started.load(Relaxed) >= players;
        if self.wait_until(clock::now() + PATIENCE, is_started)? {
            return Ok(());
        }
        let started = self.course.started.load(Relaxed);
        Err(Failure::refuse(
            "server-failed",
            format!("{started} of {players} players were told START in time"),
        )
        .help("fewer --matches"))
    }

    /// Lets spectators in, and begins the phase in which they watch.
    fn admit(&self) -> Result<Arc<Gallery>, Failure> {
        self.course.enter(Phase::Changing);
        let gallery = Arc::new(Gallery::default());
        let count = self.load.spectators;
        let id = self.course.all().into_iter().find(|(_, number)| *number == 0);
        let id = id.map_or_else(String::new, |(id, _)| id);
        self.runtime.block_on(gallery.fill(&self.course, self.server.address, &id, count));
        self.wait_until(clock::now() + PATIENCE, |_| gallery.is_full(count))?;
        self.wait_until(clock::now() + SETTLING, |_| false)?;
        self.course.enter(Phase::Watched);
        Ok(gallery)
    }

    fn audience(&self, gallery: &Gallery) -> Audience {
        Audience {
            count: self.load.spectators,
            dropped: gallery.dropped.load(Relaxed),
            missed_turns: gallery.missed.load(Relaxed),
            fan_out_ms: hold(&gallery.fan_out).clone(),
            figures: self.course.figures(Phase::Watched),
        }
    }

    /// Kills the server and starts it again; what happens until every match has gone on counts as a change.
    fn kill(&mut self) -> Result<Resumption, Failure> {
        self.course.enter(Phase::Changing);
        self.server.kill();
        self.course.fall_silent();
        let begun = clock::now();
        self.server = Server::start(self.folder, self.load.matches)?;
        let listening = begun.elapsed();
        let has_gone_on = |course: &LoadedMatches| course.silent().0 == 0;
        let is_whole = self.wait_until(clock::now() + PATIENCE, has_gone_on)?;
        let asked = self.course.silent().1.filter(|_| is_whole);
        self.wait_until(clock::now() + SETTLING, |_| false)?;
        self.course.enter(Phase::Plain);
        let as_ms = |time: Duration| time.as_secs_f64() * 1e3;
        Ok(Resumption {
            matches: self.server.resumed,
            listening_ms: as_ms(listening),
            asked_ms: asked.map(|at| as_ms(at.saturating_duration_since(begun))),
        })
    }

    fn judge(&self) -> Result<Verdict, Failure> {
        // The last lines of a record follow STOP.
        thread::sleep(SETTLING);
        self.bar.reset();
        self.bar.set_length(self.load.matches.into());
        let requests = Requests::new(self.server.address, self.server.token()?);
        requests.judge(&self.course.all(), self.load.turns, self.interrupt, &self.bar)
    }

    /// Waits until then or until that is so, whichever comes first; whether it is so.
    fn wait_until(&self, end: Instant, is_so: impl Fn(&LoadedMatches) -> bool) -> Result<bool, Failure> {
        loop {
            if self.interrupt.is_raised() {
                return Err(Failure::Interrupted);
            }
            self.bar.set_position(self.course.replies.load(Relaxed) / 2);
            if is_so(&self.course) {
                return Ok(true);
            }
            if clock::now() >= end {
                return Ok(false);
            }
            thread::sleep(LOOK);
        }
    }
}
