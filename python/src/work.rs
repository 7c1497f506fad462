//! Long work: on threads of its own, and stopped by a signal such as that of Ctrl-C.

use std::{
    io,
    panic::resume_unwind,
    process,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
        mpsc::{RecvTimeoutError, channel},
    },
    thread,
    time::Duration,
};

use pyo3::{exceptions::PyOSError, prelude::*};
use rayon::{ThreadPool, ThreadPoolBuilder};

/// How long a signal may go unheard.
const POLL: Duration = Duration::from_millis(50);

/// The threads that work is done on, and the process that started them.
///
/// A process that was forked has the value but not the threads: work given to them would never be done. So it starts its own.
static POOL: Mutex<Option<(u32, Arc<ThreadPool>)>> = Mutex::new(None);

/// The threads of this process.
///
/// # Errors
/// If none can be started.
pub(crate) fn pool() -> io::Result<Arc<ThreadPool>> {
    let mut pool = POOL.lock().unwrap_or_else(PoisonError::into_inner);
    let process = process::id();
    if let Some((_, pool)) = pool.as_ref().filter(|(owner, _)| *owner == process) {
        return Ok(Arc::clone(pool));
    }
    let started = Arc::new(ThreadPoolBuilder::new().build().map_err(io::Error::other)?);
    // Ending the threads of another process would wait for them.
    std::mem::forget(pool.replace((process, Arc::clone(&started))));
    Ok(started)
}

/// How many polls of the work are answered before signals are checked.
const UNHEARD: u32 = 32;

/// Runs single-threaded work without the interpreter lock. The work can poll whether a signal is to be raised as an
/// exception; in that case its result is dropped.
///
/// # Errors
/// The exception of the signal.
pub(crate) fn attended<T: Send>(
    py: Python<'_>,
    work: impl FnOnce(&mut (dyn FnMut() -> bool + Send)) -> T + Send,
) -> PyResult<T> {
    py.detach(|| {
        let (mut asked, mut raised) = (0_u32, Ok(()));
        let done = work(&mut || {
            asked = asked.wrapping_add(1);
            if raised.is_ok() && asked.is_multiple_of(UNHEARD) {
                raised = Python::attach(|py| py.check_signals());
            }
            raised.is_err()
        });
        raised.map(|()| done)
    })
}

/// Runs work without the interpreter lock, on all threads. When a signal is to be raised as an exception, the flag passed to the work
/// becomes true; the work is awaited, and its result is dropped.
///
/// # Errors
/// The exception of the signal, or `OSError` if no thread can be started.
///
/// # Panics
/// As the work does.
pub(crate) fn interruptible<T: Send>(
    py: Python<'_>,
    work: impl FnOnce(&AtomicBool) -> T + Send,
) -> PyResult<T> {
    let stop = AtomicBool::new(false);
    let no_threads = |error: io::Error| PyOSError::new_err(format!("no thread can be started: {error}"));
    let pool = py.detach(pool).map_err(no_threads)?;
    thread::scope(|scope| {
        let (sender, mut receiver) = channel::<()>();
        let stopped = &stop;
        let worker = thread::Builder::new().spawn_scoped(scope, move || {
            // Dropped when the work is done, and when it panics.
            let _sender = sender;
            pool.install(|| work(stopped))
        });
        let worker = worker.map_err(no_threads)?;
        let mut raised = Ok(());
        loop {
            let waited = py.detach(move || {
                let waited = receiver.recv_timeout(POLL);
                (receiver, waited)
            });
            receiver = waited.0;
            if waited.1 != Err(RecvTimeoutError::Timeout) {
                break;
            }
            if raised.is_ok() {
                raised = py.check_signals();
                stop.store(raised.is_err(), Ordering::Relaxed);
            }
        }
        let done = py.detach(|| worker.join());
        raised?;
        Ok(done.unwrap_or_else(|panic| resume_unwind(panic)))
    })
}
