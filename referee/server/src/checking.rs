//! Checks of rules for clients: on threads of their own, for as long as the client waits, within a budget of processor time.

use std::{
    fs,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use tokio::{sync::Semaphore, task::spawn_blocking};

use crate::{
    clock,
    connections::Connection,
    findings::{Findings, findings},
    problem::{Problem, ProblemCode, Result},
};

/// Rules that are checked at once.
const CHECKS_MAX: usize = 2;

/// Bytes of rules that are checked for anybody. Nine in ten public games are smaller.
pub(crate) const SMALL_BYTES_MAX: usize = 16 << 10;

/// The interval at which a check looks whether its client is there.
const LOOK: Duration = Duration::from_millis(20);

/// Checks of rules that may be made at once: they take time, and nothing that plays waits for them.
#[derive(Debug)]
pub(crate) struct Checks {
    slots: Arc<Semaphore>,
    /// Processor time of one check.
    budget: Duration,
}

impl Checks {
    pub(crate) fn new(budget: Duration) -> Self {
        Self { slots: Arc::new(Semaphore::new(CHECKS_MAX)), budget }
    }

    /// Every finding about rules, for a client that waits for it at the other end of this connection.
    ///
    /// # Errors
    /// [`Problem`] if the check takes more than its budget, or the client has gone.
    pub(crate) async fn findings(
        &self,
        rules: String,
        connection: Option<Arc<Connection>>,
    ) -> Result<Findings> {
        self.run(connection, move |is_over| findings(&rules, is_over)).await
    }

    /// Some work on rules, which is given what says that it is to stop; it is nothing if it was stopped.
    ///
    /// # Errors
    /// [`Problem`] if it was stopped.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        connection: Option<Arc<Connection>>,
        work: impl FnOnce(&mut dyn FnMut() -> bool) -> Option<T> + Send + 'static,
    ) -> Result<T> {
        let permit = Arc::clone(&self.slots).acquire_owned().await;
        let permit = permit.map_err(|_| Problem::stopping())?;
        let (budget, waiting) = (self.budget, Waiting::default());
        let mut watch =
            Watch { budget, connection, waiting: Arc::clone(&waiting.0), begun: None, looked: None };
        let checked = spawn_blocking(move || {
            // Until the thread is free again, whoever waits.
            let _permit = permit;
            work(&mut || watch.is_over())
        });
        let checked =
            checked.await.map_err(|_| ProblemCode::BadRules.because("the rules cannot be checked"))?;
        checked.ok_or_else(|| {
            let seconds = budget.as_secs();
            let detail = format!(
                "checking and compiling these rules takes more than {seconds} seconds of processor time; split rules with \
                 many conditions, or check them with `croupier check`"
            );
            ProblemCode::TooCostly.because(detail)
        })
    }
}

/// A request that waits for a check: the check ends when this value is dropped.
#[derive(Default)]
struct Waiting(Arc<AtomicBool>);

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// What a check asks whether it goes on.
struct Watch {
    budget: Duration,
    connection: Option<Arc<Connection>>,
    /// True once the request is gone.
    waiting: Arc<AtomicBool>,
    /// When the check began, and the processor time that its thread had taken by then.
    begun: Option<(Instant, Duration)>,
    looked: Option<Instant>,
}

impl Watch {
    fn is_over(&mut self) -> bool {
        let now = clock::now();
        let &mut (begun, taken) =
            self.begun.get_or_insert_with(|| (now, processor_time().unwrap_or_default()));
        if self.waiting.load(Ordering::Relaxed) {
            return true;
        }
        if self.looked.is_some_and(|looked| now.saturating_duration_since(looked) < LOOK) {
            return false;
        }
        self.looked = Some(now);
        if self.connection.as_ref().is_some_and(|connection| connection.is_closed()) {
            return true;
        }
        // A thread takes no more processor time than passes.
        let passed = now.saturating_duration_since(begun);
        passed >= self.budget
            && processor_time().map_or(passed, |all| all.saturating_sub(taken)) >= self.budget
    }
}

/// The processor time of this thread; nothing where the system does not tell.
fn processor_time() -> Option<Duration> {
    let text = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split_whitespace().next()?.parse().ok().map(Duration::from_nanos)
}

#[cfg(test)]
mod tests {
    use std::net::TcpStream;

    use actix_web::{
        dev::Extensions,
        rt::{
            net::TcpListener,
            time::{sleep, timeout},
        },
    };

    use super::*;
    use crate::connections::Connections;

    /// How long anything here may take on a busy machine.
    const PATIENCE: Duration = Duration::from_secs(120);

    /// What is waited for, which is named where it does not come.
    async fn within<T>(what: &str, wait: impl Future<Output = T>) -> T {
        timeout(PATIENCE, wait).await.unwrap_or_else(|_| panic!("{what} takes more than {PATIENCE:?}"))
    }

    /// A connection as the server sees it, and the client at its other end.
    async fn connection() -> (Arc<Connection>, TcpStream) {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let client = TcpStream::connect(listener.local_addr().expect("an address")).expect("a connection");
        let (stream, _) = within("a connection", listener.accept()).await.expect("a connection");
        let mut extensions = Extensions::new();
        Connections::new(None).watch(&stream, &mut extensions);
        (Arc::clone(extensions.get().expect("a connection")), client)
    }

    #[test]
    fn a_check_is_charged_the_processor_time_of_its_thread_and_not_what_it_waited() {
        let Some(before) = processor_time() else { return };
        let mut sum = 0_u64;
        let enough = Duration::from_millis(20);
        while processor_time().expect("the system told it before") < before + enough {
            (0..100_000).for_each(|number: u64| sum = std::hint::black_box(sum ^ number));
        }
        let worked = processor_time().expect("the same");
        std::thread::sleep(Duration::from_millis(60));
        let slept = processor_time().expect("the same") - worked;
        assert!(slept < Duration::from_millis(60), "{slept:?}");
    }

    #[test]
    fn a_check_ends_when_nobody_waits_for_it() {
        let waiting = Waiting::default();
        let mut watch = Watch {
            budget: Duration::MAX,
            connection: None,
            waiting: Arc::clone(&waiting.0),
            begun: None,
            looked: None,
        };
        assert!(!watch.is_over());
        drop(waiting);
        assert!(watch.is_over());
    }

    #[actix_web::test]
    async fn a_check_ends_when_its_client_goes_away_and_frees_its_slot() {
        // Seconds of work for a processor, in a check that nothing else ends.
        let variables: String = (0..60).map(|number| format!("?x{number} ")).collect();
        let costly = format!("(role a) {}", format!("(<= (p {variables}) (q a))").repeat(3_000));
        let checks = Arc::new(Checks::new(Duration::MAX));
        let (mut clients, mut begun) = (Vec::new(), Vec::new());
        for _ in 0..CHECKS_MAX {
            let (connection, client) = connection().await;
            clients.push(client);
            let (checks, costly) = (Arc::clone(&checks), costly.clone());
            begun.push(actix_web::rt::spawn(async move { checks.findings(costly, Some(connection)).await }));
        }
        let all_taken = async {
            while checks.slots.available_permits() > 0 {
                sleep(Duration::from_millis(1)).await;
            }
        };
        within("taking every slot", all_taken).await;
        drop(clients);
        for check in begun {
            // Whether it was stopped shows in what it says, not in how long it took.
            let ended = within("the end of a check whose client has gone", check).await;
            assert!(ended.expect("no panic").is_err(), "it went on to the end");
        }
        assert_eq!(checks.slots.available_permits(), CHECKS_MAX);
        let next = checks.findings("(role a)".to_owned(), None);
        let findings = within("the check after it", next).await;
        assert!(findings.is_ok(), "the next is checked");
    }
}
