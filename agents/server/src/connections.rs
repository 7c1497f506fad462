//! Whether a client is still there.

use std::{
    any::Any,
    io,
    net::TcpStream,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use actix_web::dev::Extensions;
use socket2::SockRef;

/// A second handle on a client's connection, to look whether the client has closed it.
///
/// The web server reads the connection itself, but does not report its end to handlers: a client may close its side after the
/// request, and still wait for the answer, which looks the same as a client that is gone. So the computation stops in both cases, and
/// the answer is the result so far, which a client that still waits does get.
#[derive(Debug)]
pub(crate) struct Connection {
    stream: TcpStream,
    watched: Arc<AtomicUsize>,
}

/// Connections that are watched at once: each takes another handle of the system. Those beyond it are taken to be there.
const WATCHED_MAX: usize = 256;

/// The watched connections of one server.
#[derive(Clone, Debug, Default)]
pub(crate) struct Connections(Arc<AtomicUsize>);

impl Connections {
    /// Watches a connection that begins, for the handlers of its requests.
    pub(crate) fn watch(&self, connection: &dyn Any, extensions: &mut Extensions) {
        let Some(stream) = connection.downcast_ref::<actix_web::rt::net::TcpStream>() else { return };
        if self.0.fetch_add(1, Ordering::Relaxed) >= WATCHED_MAX {
            self.0.fetch_sub(1, Ordering::Relaxed);
            return;
        }
        match SockRef::from(stream).try_clone() {
            Ok(socket) => {
                extensions.insert(Connection { stream: socket.into(), watched: Arc::clone(&self.0) });
            }
            Err(_) => {
                self.0.fetch_sub(1, Ordering::Relaxed);
            }
        }
    }
}

impl Connection {
    /// Whether the client has closed its side, or the connection has failed.
    pub(crate) fn is_closed(&self) -> bool {
        match self.stream.peek(&mut [0]) {
            Ok(bytes) => bytes == 0,
            Err(error) => !matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted),
        }
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.watched.fetch_sub(1, Ordering::Relaxed);
    }
}
