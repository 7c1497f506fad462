//! Connections that say nothing whole: a client that begins one request after another and finishes none is cut off.
//!
//! The framework has a deadline for the first head of a connection, and one for the time between a reply and the first byte of the
//! next request, but none for the rest of that request's head. So every connection has a second handle, with which it is
//! shut down when no request of it was at work for longer than both deadlines together.
//!
//! What is no request never reaches the middleware. So a connection that ends without one counts as a refusal, and who has too
//! many of those is not listened to for a moment: before anything is parsed, and before anything is logged.

use std::{
    any::Any,
    io::ErrorKind,
    net::{IpAddr, Shutdown, TcpStream},
    pin::Pin,
    sync::{Arc, Mutex, PoisonError, Weak},
    task::{Context, Poll},
    time::{Duration, Instant},
};

use actix_tls::accept::rustls_0_23::TlsStream;
use actix_web::{
    HttpRequest,
    body::{BodySize, BoxBody, MessageBody},
    dev::Extensions,
    rt::net::TcpStream as Stream,
    web::Bytes,
};
use socket2::SockRef;

use crate::{clock, rates::Rates};

/// How long a connection may be quiet: five seconds until the next request begins, five for its head, and some to spare.
pub(crate) const QUIET_MAX: Duration = Duration::from_secs(12);

/// The interval at which connections are checked.
const LOOK: Duration = Duration::from_secs(1);

/// Longest body that counts as sent when it is made; longer ones are at work until their last byte is taken.
const SHORT_BYTES_MAX: u64 = 64 << 10;

/// One connection.
#[derive(Debug)]
pub(crate) struct Connection {
    stream: TcpStream,
    state: Mutex<ConnectionState>,
    /// Whose it is, and what counts its refusals.
    from: Option<(IpAddr, Arc<Rates>)>,
}

#[derive(Debug)]
struct ConnectionState {
    /// Requests that are being answered.
    at_work: usize,
    /// When the last of them was.
    quiet_since: Instant,
    /// Whether there was one.
    has_asked: bool,
}

/// All connections of a server.
#[derive(Clone, Debug)]
pub(crate) struct Connections {
    open: Arc<Mutex<Vec<Weak<Connection>>>>,
    /// What counts connections without requests; nothing behind a proxy, whose connections are those of many.
    rates: Option<Arc<Rates>>,
}

impl Connections {
    /// None yet.
    pub(crate) fn new(rates: Option<Arc<Rates>>) -> Self {
        Self { open: Arc::default(), rates }
    }

    /// Takes in a connection that begins.
    pub(crate) fn watch(&self, connection: &dyn Any, extensions: &mut Extensions) {
        let plain = connection.downcast_ref::<Stream>();
        let stream =
            plain.or_else(|| connection.downcast_ref::<TlsStream<Stream>>().map(|tls| tls.get_ref().0));
        let Some(Ok(socket)) = stream.map(|stream| SockRef::from(stream).try_clone()) else { return };
        // A second frame does not wait for the client to acknowledge the first. Who has gone already needs no speed.
        let _ = socket.set_tcp_nodelay(true);
        let peer = stream.and_then(|stream| stream.peer_addr().ok()).map(|address| address.ip());
        let from = peer.zip(self.rates.clone());
        if from.as_ref().is_some_and(|(ip, rates)| rates.is_barred(*ip, clock::now())) {
            let _ = socket.shutdown(Shutdown::Both);
            return;
        }
        let state = Mutex::new(ConnectionState { at_work: 0, quiet_since: clock::now(), has_asked: false });
        let connection = Arc::new(Connection { stream: socket.into(), state, from });
        self.open.lock().unwrap_or_else(PoisonError::into_inner).push(Arc::downgrade(&connection));
        extensions.insert(connection);
    }

    /// Closes connections that are idle for too long, in an endless loop.
    pub(crate) async fn tend(self) {
        loop {
            tokio::time::sleep(LOOK).await;
            let now = clock::now();
            let mut connections = self.open.lock().unwrap_or_else(PoisonError::into_inner);
            connections.retain(|connection| {
                connection.upgrade().is_some_and(|connection| !connection.is_cut_off(now))
            });
        }
    }
}

impl Connection {
    /// The connection of a request.
    pub(crate) fn of(request: &HttpRequest) -> Option<Arc<Self>> {
        request.conn_data::<Arc<Self>>().map(Arc::clone)
    }

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

    /// Whether the client has closed its side, or the connection has failed.
    pub(crate) fn is_closed(&self) -> bool {
        match self.stream.peek(&mut [0]) {
            Ok(bytes) => bytes == 0,
            Err(error) => !matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted),
        }
    }

    /// A request of this connection is at work from now on.
    pub(crate) fn work(self: &Arc<Self>) -> OpenRequest {
        {
            let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
            state.at_work += 1;
            state.has_asked = true;
        }
        OpenRequest(Arc::clone(self))
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        let has_asked = self.state.get_mut().unwrap_or_else(PoisonError::into_inner).has_asked;
        if let Some((ip, rates)) = self.from.as_ref().filter(|_| !has_asked) {
            rates.ask_nothing(*ip, clock::now());
        }
    }
}

/// A request in progress, for as long as this value exists.
#[derive(Debug)]
pub(crate) struct OpenRequest(Arc<Connection>);

impl OpenRequest {
    /// A body that is at work until its last byte is taken, if it is long or of unknown length.
    pub(crate) fn on(self, body: BoxBody) -> BoxBody {
        match body.size() {
            BodySize::None => body,
            BodySize::Sized(bytes) if bytes <= SHORT_BYTES_MAX => body,
            _ => BoxBody::new(WorkingBody { body, _work: self }),
        }
    }
}

impl Drop for OpenRequest {
    fn drop(&mut self) {
        let mut state = self.0.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.at_work -= 1;
        state.quiet_since = clock::now();
    }
}

/// A body, and the request that it answers.
struct WorkingBody {
    body: BoxBody,
    _work: OpenRequest,
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

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use actix_web::rt::net::TcpListener;

    use super::*;
    use crate::limits::RateLimits;

    /// A connection as the server gets it, and its other end.
    async fn connection() -> (Stream, TcpStream) {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let other = TcpStream::connect(listener.local_addr().expect("an address")).expect("a connection");
        (listener.accept().await.expect("a connection").0, other)
    }

    #[actix_web::test]
    async fn a_frame_never_waits_for_the_acknowledgement_of_the_one_before() {
        let (stream, _other) = connection().await;
        assert!(!stream.nodelay().expect("a socket"), "the system's default");
        let mut extensions = Extensions::new();
        Connections::new(None).watch(&stream, &mut extensions);
        assert!(stream.nodelay().expect("a socket"));
        assert!(extensions.contains::<Arc<Connection>>());
    }

    #[actix_web::test]
    async fn connections_that_bring_no_request_count_as_refusals_and_then_nobody_listens_to_their_client() {
        let limits = RateLimits { address: 1, token: 1, refusal: 1, is_behind_proxy: false };
        let connections = Connections::new(Some(Arc::new(Rates::new(limits))));
        let mut heard = 0;
        for _ in 0..40 {
            let (stream, _other) = connection().await;
            let mut extensions = Extensions::new();
            connections.watch(&stream, &mut extensions);
            heard += usize::from(extensions.contains::<Arc<Connection>>());
        }
        assert!((10..=12).contains(&heard), "a burst of ten, and one that has too many: {heard}");
        let rates = connections.rates.as_ref().expect("rates");
        let other = IpAddr::V4(Ipv4Addr::new(192, 0, 2, 1));
        assert!(!rates.is_barred(other, clock::now()), "nobody else is");
        // Connections with requests cost nothing.
        let connections = Connections::new(Some(Arc::new(Rates::new(limits))));
        for _ in 0..40 {
            let (stream, _other) = connection().await;
            let mut extensions = Extensions::new();
            connections.watch(&stream, &mut extensions);
            drop(extensions.get::<Arc<Connection>>().expect("it is heard").work());
        }
    }
}
