//! A few threads for many jobs, those with the nearest deadline first.

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

/// Threads that do jobs. They end when the pool is closed or dropped.
pub(crate) struct Pool<J> {
    desk: Arc<Desk<J>>,
    threads: usize,
}

/// Where jobs wait.
struct Desk<J> {
    waiting: Mutex<Waiting<J>>,
    has_work: Condvar,
    /// How many wait, to be read without a lock.
    count: AtomicUsize,
}

struct Waiting<J> {
    /// By deadline, and in the order of coming.
    jobs: BTreeMap<(Instant, u64), J>,
    next: u64,
    is_closed: bool,
}

/// The stack of a thread.
const STACK_BYTES: usize = 8 << 20;

impl<J: Send + 'static> Pool<J> {
    /// A pool for this many threads, none of which is there yet.
    pub(crate) fn new(threads: usize) -> Self {
        let waiting = Waiting { jobs: BTreeMap::new(), next: 0, is_closed: false };
        let desk =
            Desk { waiting: Mutex::new(waiting), has_work: Condvar::new(), count: AtomicUsize::new(0) };
        Self { desk: Arc::new(desk), threads }
    }

    /// Starts the threads, which do their jobs by `work`.
    ///
    /// # Errors
    /// If the system gives no thread.
    pub(crate) fn start(&self, name: &str, work: impl Fn(J) + Clone + Send + 'static) -> io::Result<()> {
        for _ in 0..self.threads {
            let (desk, work) = (Arc::clone(&self.desk), work.clone());
            let work_on = move || {
                while let Some(job) = desk.next() {
                    work(job);
                }
            };
            thread::Builder::new().name(name.to_owned()).stack_size(STACK_BYTES).spawn(work_on)?;
        }
        Ok(())
    }

    /// Leaves a job to be done.
    pub(crate) fn push(&self, job: J, deadline: Instant) {
        let mut waiting = self.desk.lock();
        let number = waiting.next;
        waiting.next += 1;
        waiting.jobs.insert((deadline, number), job);
        self.desk.count.store(waiting.jobs.len(), Ordering::Relaxed);
        drop(waiting);
        self.desk.has_work.notify_one();
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
        let Some((&(nearest, _), _)) = waiting.jobs.first_key_value() else { return deadline };
        let left: Duration = deadline.min(nearest).saturating_duration_since(begun);
        let turns = waiting.jobs.len().div_ceil(self.threads) + 1;
        begun + left / u32::try_from(turns).unwrap_or(u32::MAX) * 3 / 4
    }
}

impl<J> Pool<J> {
    /// Lets the threads end after what they are doing; what waits is not done.
    pub(crate) fn close(&self) {
        let mut waiting = self.desk.lock();
        waiting.is_closed = true;
        waiting.jobs.clear();
        drop(waiting);
        self.desk.has_work.notify_all();
    }
}

impl<J> Desk<J> {
    fn lock(&self) -> MutexGuard<'_, Waiting<J>> {
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
            if let Some((_, job)) = waiting.jobs.pop_first() {
                self.count.store(waiting.jobs.len(), Ordering::Relaxed);
                return Some(job);
            }
            waiting = self.has_work.wait(waiting).unwrap_or_else(PoisonError::into_inner);
        }
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
    use crate::clock;

    #[test]
    fn the_nearest_deadline_is_first_and_equal_ones_go_in_order() {
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
        pool.push("gate", soon);
        while pool.desk.count.load(Ordering::Relaxed) > 0 {
            thread::yield_now();
        }
        for (name, deadline) in [("late", late), ("soon", soon), ("late too", late), ("soon too", soon)] {
            pool.push(name, deadline);
        }
        gate.send(()).unwrap();
        let order: Vec<_> = order.iter().take(5).collect();
        assert_eq!(order, ["gate", "soon", "soon too", "late", "late too"]);
    }

    #[test]
    fn what_waits_gets_a_share_of_the_time() {
        let pool = Pool::new(2);
        pool.start("test", |(): ()| {
            loop {
                thread::park();
            }
        })
        .unwrap();
        let begun = clock::now();
        let after = |seconds| begun + Duration::from_secs(seconds);
        pool.push((), begun);
        pool.push((), begun);
        while pool.desk.count.load(Ordering::Relaxed) > 0 {
            thread::yield_now();
        }
        assert_eq!(pool.share(begun, after(60)), after(60), "nobody waits");
        pool.push((), after(90));
        assert_eq!(
            pool.share(begun, after(60)),
            after(60) - Duration::from_millis(37_500),
            "one waits for two threads"
        );
        pool.push((), after(90));
        pool.push((), after(30));
        assert_eq!(
            pool.share(begun, after(60)),
            begun + Duration::from_millis(7_500),
            "two turns of others before the nearest deadline"
        );
        assert_eq!(pool.share(after(40), after(60)), after(40), "one of them is late already");
    }

    #[test]
    fn threads_end_when_their_pool_does() {
        let alive = Arc::new(());
        let held = Arc::clone(&alive);
        let pool = Pool::new(3);
        pool.start("test", move |(): ()| drop(Arc::clone(&held))).unwrap();
        pool.push((), clock::now());
        drop(pool);
        let begun = clock::now();
        while Arc::strong_count(&alive) > 1 {
            assert!(begun.elapsed() < Duration::from_secs(60), "a thread goes on");
            thread::yield_now();
        }
    }
}
