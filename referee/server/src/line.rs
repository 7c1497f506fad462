//! Connections that say nothing whole: a client that begins one request after another and finishes none is cut off.
//!
//! The framework has a deadline for the first head of a connection, and one for the time between a reply and the first byte of the
//! next request, but none for the rest of that request's head. So every connection has a second handle, with which it is
//! shut down when no request of it was at work for longer than both deadlines together.

use std::{
    any::Any,
    net::{Shutdown, TcpStream},
    pin::Pin,
    sync::{Arc, Mutex, PoisonError, Weak},
    task::{Context, Poll},
    time::{Duration, Instant},
};

use actix_tls::accept::rustls_0_23::TlsStream;
use actix_web::{
    body::{BodySize, BoxBody, MessageBody},
    dev::Extensions,
    rt::net::TcpStream as Stream,
    web::Bytes,
};
use socket2::SockRef;

use crate::clock;

/// How long a connection may be quiet: five seconds until the next request begins, five for its head, and some to spare.
pub(crate) const QUIET_MAX: Duration = Duration::from_secs(12);

/// The interval at which connections are checked.
const LOOK: Duration = Duration::from_secs(1);

/// Longest body that counts as sent when it is made; longer ones are at work until their last byte is taken.
const SHORT_BYTES_MAX: u64 = 64 << 10;

/// One connection.
#[derive(Debug)]
pub(crate) struct Line {
    stream: TcpStream,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    /// Requests that are being answered.
    at_work: usize,
    /// When the last of them was.
    quiet_since: Instant,
}

/// All connections of a server.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lines(Arc<Mutex<Vec<Weak<Line>>>>);

impl Lines {
    /// Takes in a connection that begins.
    pub(crate) fn watch(&self, connection: &dyn Any, extensions: &mut Extensions) {
        let plain = connection.downcast_ref::<Stream>();
        let stream =
            plain.or_else(|| connection.downcast_ref::<TlsStream<Stream>>().map(|tls| tls.get_ref().0));
        let Some(Ok(socket)) = stream.map(|stream| SockRef::from(stream).try_clone()) else { return };
        let state = Mutex::new(State { at_work: 0, quiet_since: clock::now() });
        let line = Arc::new(Line { stream: socket.into(), state });
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(Arc::downgrade(&line));
        extensions.insert(line);
    }

    /// Closes connections that are idle for too long, in an endless loop.
    pub(crate) async fn tend(self) {
        loop {
            tokio::time::sleep(LOOK).await;
            let now = clock::now();
            let mut lines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            lines.retain(|line| line.upgrade().is_some_and(|line| !line.is_cut_off(now)));
        }
    }
}

impl Line {
    /// Closes the connection if it was idle for too long, and returns whether it did.
    fn is_cut_off(&self, now: Instant) -> bool {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let is_quiet = state.at_work == 0 && now.saturating_duration_since(state.quiet_since) > QUIET_MAX;
        if is_quiet {
            // Whoever has gone has nothing to be cut off.
            let _ = self.stream.shutdown(Shutdown::Both);
        }
        is_quiet
    }

    /// A request of this connection is at work from now on.
    pub(crate) fn work(self: &Arc<Self>) -> Work {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).at_work += 1;
        Work(Arc::clone(self))
    }
}

/// A request in progress, for as long as this value exists.
#[derive(Debug)]
pub(crate) struct Work(Arc<Line>);

impl Work {
    /// A body that is at work until its last byte is taken, if it is long or of unknown length.
    pub(crate) fn on(self, body: BoxBody) -> BoxBody {
        match body.size() {
            BodySize::None => body,
            BodySize::Sized(bytes) if bytes <= SHORT_BYTES_MAX => body,
            _ => BoxBody::new(WorkingBody { body, _work: self }),
        }
    }
}

impl Drop for Work {
    fn drop(&mut self) {
        let mut state = self.0.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.at_work -= 1;
        state.quiet_since = clock::now();
    }
}

/// A body, and the request that it answers.
struct WorkingBody {
    body: BoxBody,
    _work: Work,
}

impl MessageBody for WorkingBody {
    type Error = <BoxBody as MessageBody>::Error;

    fn size(&self) -> BodySize {
        self.body.size()
    }

    fn poll_next(
        mut self: Pin<&mut Self>,
        task: &mut Context<'_>,
    ) -> Poll<Option<Result<Bytes, Self::Error>>> {
        Pin::new(&mut self.body).poll_next(task)
    }
}
