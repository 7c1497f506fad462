//! A few threads for many jobs, those with the nearest deadline first.
//!
//! Most jobs end when they are asked to. Some cannot for a while: a belief that looks for a consistent history, or rules that
//! take long to compile. So that a few of these do not block all others there are as many additional *spare* threads, which only take
//! jobs that have waited for half of their time.

use std::{
    collections::BTreeMap,
    fmt, io,
    sync::{
        Arc, Condvar, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use crate::clock;

/// Threads that do jobs. They end when the pool is closed or dropped.
pub(crate) struct Pool<J> {
    desk: Arc<Desk<J>>,
    threads: usize,
}

/// Where jobs wait.
struct Desk<J> {
    waiting: Mutex<JobQueue<J>>,
    /// Signalled for each job, to one thread and to one spare.
    has_work: Condvar,
    has_work_for_spare: Condvar,
    /// How many wait, to be read without a lock.
    count: AtomicUsize,
}

/// Jobs that have not begun.
struct JobQueue<J> {
    /// Essential jobs, and optional jobs, each by deadline and in the order of arrival.
    jobs: [BTreeMap<(Instant, u64), Job<J>>; 2],
    next: u64,
    is_closed: bool,
}

/// Which jobs come first: the needed ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Urgency {
    /// Without it there would be no result.
    Needed,
    /// Without it the result would be worse.
    Wanted,
}

/// A job that waits.
struct Job<J> {
    job: J,
    /// When a spare thread may take it.
    ripe: Instant,
}

/// The stack of a thread.
const STACK_BYTES: usize = 8 << 20;

impl<J: Send + 'static> Pool<J> {
    /// A pool for this many threads, which are started on demand.
    pub(crate) fn new(threads: usize) -> Self {
        let waiting = JobQueue { jobs: [BTreeMap::new(), BTreeMap::new()], next: 0, is_closed: false };
        let desk = Desk {
            waiting: Mutex::new(waiting),
            has_work: Condvar::new(),
            has_work_for_spare: Condvar::new(),
            count: AtomicUsize::new(0),
        };
        Self { desk: Arc::new(desk), threads }
    }

    /// Starts the threads, which do their jobs by `work`.
    ///
    /// # Errors
    /// If the system gives no thread.
    pub(crate) fn start(&self, name: &str, work: impl Fn(J) + Clone + Send + 'static) -> io::Result<()> {
        for number in 0..2 * self.threads {
            let (desk, work) = (Arc::clone(&self.desk), work.clone());
            let next = if number < self.threads { Desk::next } else { Desk::next_for_spare };
            let work_on = move || {
                while let Some(job) = next(&desk) {
                    work(job);
                }
            };
            thread::Builder::new().name(name.to_owned()).stack_size(STACK_BYTES).spawn(work_on)?;
        }
        Ok(())
    }

    /// Leaves a job to be done.
    pub(crate) fn push(&self, job: J, urgency: Urgency, deadline: Instant) {
        let mut waiting = self.desk.lock();
        let number = waiting.next;
        waiting.next += 1;
        let now = clock::now();
        let ripe = now + deadline.saturating_duration_since(now) / 2;
        waiting.jobs[urgency as usize].insert((deadline, number), Job { job, ripe });
        self.desk.count.store(waiting.len(), Ordering::Relaxed);
        drop(waiting);
        self.desk.has_work.notify_one();
        self.desk.has_work_for_spare.notify_one();
    }

    /// By when a job that began at `begun` and could go on until `deadline` should make room for those that wait.
    ///
    /// The time until the nearest of their deadlines is divided between this job and those that this thread may have to do
    /// yet, and a quarter of each part is left over, since jobs end late. Where none wait it is `deadline`.
    pub(crate) fn share(&self, begun: Instant, deadline: Instant) -> Instant {
        if self.desk.count.load(Ordering::Relaxed) == 0 {
            return deadline;
        }
        let waiting = self.desk.lock();
        let firsts = waiting.jobs.iter().filter_map(BTreeMap::first_key_value);
        let Some(nearest) = firsts.map(|(&(deadline, _), _)| deadline).min() else { return deadline };
        let left: Duration = deadline.min(nearest).saturating_duration_since(begun);
        let turns = waiting.len().div_ceil(self.threads) + 1;
        begun + left / u32::try_from(turns).unwrap_or(u32::MAX) * 3 / 4
    }
}

impl<J> Pool<J> {
    /// Whether jobs wait.
    pub(crate) fn is_behind(&self) -> bool {
        self.desk.count.load(Ordering::Relaxed) > 0
    }

    /// Lets the threads end after their current jobs; pending jobs are not run.
    pub(crate) fn close(&self) {
        let mut waiting = self.desk.lock();
        waiting.is_closed = true;
        waiting.jobs.iter_mut().for_each(BTreeMap::clear);
        drop(waiting);
        self.desk.has_work.notify_all();
        self.desk.has_work_for_spare.notify_all();
    }
}

impl<J> JobQueue<J> {
    fn len(&self) -> usize {
        self.jobs.iter().map(BTreeMap::len).sum()
    }
}

impl<J> Desk<J> {
    fn lock(&self) -> MutexGuard<'_, JobQueue<J>> {
        // Every change leaves the jobs whole.
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The job with the nearest deadline, as soon as there is one; `None` if there will be none.
    fn next(&self) -> Option<J> {
        let mut waiting = self.lock();
        loop {
            if waiting.is_closed {
                return None;
            }
            if let Some(job) = self.pop(&mut waiting) {
                return Some(job);
            }
            waiting = self.has_work.wait(waiting).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// The same as soon as that job has waited for half of its time.
    fn next_for_spare(&self) -> Option<J> {
        let mut waiting = self.lock();
        loop {
            if waiting.is_closed {
                return None;
            }
            let ripe = waiting.jobs.iter().find_map(BTreeMap::first_key_value).map(|(_, job)| job.ripe);
            let left = ripe.map(|ripe| ripe.saturating_duration_since(clock::now()));
            waiting = match left {
                Some(Duration::ZERO) => return self.pop(&mut waiting),
                Some(left) => {
                    let waited = self.has_work_for_spare.wait_timeout(waiting, left);
                    waited.unwrap_or_else(PoisonError::into_inner).0
                }
                None => self.has_work_for_spare.wait(waiting).unwrap_or_else(PoisonError::into_inner),
            };
        }
    }

    fn pop(&self, waiting: &mut JobQueue<J>) -> Option<J> {
        let (_, Job { job, .. }) = waiting.jobs.iter_mut().find_map(BTreeMap::pop_first)?;
        self.count.store(waiting.len(), Ordering::Relaxed);
        Some(job)
    }
}

impl<J> Drop for Pool<J> {
    fn drop(&mut self) {
        self.close();
    }
}

impl<J> fmt::Debug for Pool<J> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pool").field("threads", &self.threads).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    #[test]
    fn what_is_needed_is_first_then_the_nearest_deadline_and_equal_ones_go_in_order() {
        let (gate, opened) = mpsc::channel::<()>();
        let (done, order) = mpsc::channel();
        let opened = Arc::new(Mutex::new(opened));
        let pool = Pool::new(1);
        pool.start("test", move |name: &'static str| {
            if name == "gate" {
                opened.lock().unwrap().recv().unwrap();
            }
            done.send(name).unwrap();
        })
        .unwrap();
        let (soon, late) = (clock::now() + Duration::from_secs(10), clock::now() + Duration::from_secs(20));
        pool.push("gate", Urgency::Needed, soon);
        while pool.desk.count.load(Ordering::Relaxed) > 0 {
            thread::yield_now();
        }
        pool.push("better", Urgency::Wanted, soon);
        for (name, deadline) in [("late", late), ("soon", soon), ("late too", late), ("soon too", soon)] {
            pool.push(name, Urgency::Needed, deadline);
        }
        gate.send(()).unwrap();
        let order: Vec<_> = order.iter().take(6).collect();
        assert_eq!(order, ["gate", "soon", "soon too", "late", "late too", "better"]);
    }

    #[test]
    fn what_waits_gets_a_share_of_the_time() {
        // Nobody takes these jobs: the threads are not there.
        let pool = Pool::new(2);
        let begun = clock::now();
        let after = |seconds| begun + Duration::from_secs(seconds);
        assert_eq!(pool.share(begun, after(60)), after(60), "nobody waits");
        pool.push((), Urgency::Needed, after(90));
        assert_eq!(
            pool.share(begun, after(60)),
            after(60) - Duration::from_millis(37_500),
            "one waits for two threads"
        );
        pool.push((), Urgency::Needed, after(90));
        pool.push((), Urgency::Wanted, after(30));
        assert_eq!(
            pool.share(begun, after(60)),
            begun + Duration::from_millis(7_500),
            "two turns of others before the nearest deadline"
        );
        assert_eq!(pool.share(after(40), after(60)), after(40), "one of them is late already");
    }

    #[test]
    fn a_job_that_does_not_end_holds_up_another_for_half_of_its_time_at_most() {
        const CLOCK: Duration = Duration::from_secs(2);
        let (done, order) = mpsc::channel();
        let (gate, opened) = mpsc::channel::<()>();
        let opened = Arc::new(Mutex::new(opened));
        let pool = Pool::new(1);
        pool.start("test", move |name: &'static str| {
            if name == "stuck" {
                // It ends with the test.
                let _ = opened.lock().unwrap().recv();
            }
            let _ = done.send(name);
        })
        .unwrap();
        pool.push("stuck", Urgency::Needed, clock::now() + CLOCK);
        while pool.desk.count.load(Ordering::Relaxed) > 0 {
            thread::yield_now();
        }
        let begun = clock::now();
        pool.push("other", Urgency::Needed, begun + CLOCK);
        assert_eq!(order.recv(), Ok("other"));
        let waited = begun.elapsed();
        assert!(waited >= CLOCK / 2 && waited < CLOCK, "{waited:?}");
        drop(gate);
        assert_eq!(order.recv(), Ok("stuck"));
    }

    #[test]
    fn threads_end_when_their_pool_does() {
        let alive = Arc::new(());
        let held = Arc::clone(&alive);
        let pool = Pool::new(3);
        pool.start("test", move |(): ()| drop(Arc::clone(&held))).unwrap();
        pool.push((), Urgency::Needed, clock::now());
        drop(pool);
        let begun = clock::now();
        while Arc::strong_count(&alive) > 1 {
            assert!(begun.elapsed() < Duration::from_secs(60), "a thread goes on");
            thread::yield_now();
        }
    }
}
