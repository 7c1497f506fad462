//! Connecting within a budget, and one exchange of a message for a reply within a deadline.

use std::{
    io::{self, Read, Write},
    net::{SocketAddr, TcpStream, ToSocketAddrs},
    sync::mpsc::{self, RecvTimeoutError},
    thread,
    time::{Duration, Instant},
};

use croupier_referee::Failure;

use crate::{
    address::PlayerAddress,
    clock,
    patience::{Patience, SLICE},
    response::Response,
};

/// Longest time for one connection.
pub const CONNECT_MAX: Duration = Duration::from_secs(2);

/// Longest time for all connections of a role in one match, the look-up of its name included.
pub const CONNECT_IN_ALL_MAX: Duration = Duration::from_secs(30);

/// Between two attempts to reach a player that is just starting.
const ATTEMPT_PAUSE: Duration = Duration::from_millis(50);

/// How a player is connected to, and how much time there is left for it.
#[derive(Debug)]
pub(crate) struct Connector {
    address: PlayerAddress,
    /// Looked up once, so that a name cannot lead elsewhere in the middle of a match.
    resolved: Vec<SocketAddr>,
    left: Duration,
}

impl Connector {
    pub(crate) fn new(address: PlayerAddress) -> Self {
        Self { address, resolved: Vec::new(), left: CONNECT_IN_ALL_MAX }
    }

    /// Opens a connection. If `is_patient`, a player that refuses is tried again, because it may be starting.
    ///
    /// # Errors
    /// [`Failure::ConnectError`] after [`CONNECT_MAX`], or the rest of [`CONNECT_IN_ALL_MAX`], or soon after the
    /// connection is no longer wanted.
    pub(crate) fn connect(&mut self, is_patient: bool, patience: &Patience) -> Result<TcpStream, Failure> {
        let begun = clock::now();
        let result = self.connect_within(begun, is_patient, patience);
        self.left = self.left.saturating_sub(begun.elapsed());
        result.map_err(|_| Failure::ConnectError)
    }

    fn connect_within(
        &mut self,
        begun: Instant,
        is_patient: bool,
        patience: &Patience,
    ) -> io::Result<TcpStream> {
        if self.resolved.is_empty() {
            self.resolved = look_up(&self.address, begun + self.left, patience)?;
        }
        let deadline = (clock::now() + CONNECT_MAX).min(begun + self.left);
        loop {
            let mut last = io::Error::from(io::ErrorKind::TimedOut);
            for address in &self.resolved {
                match TcpStream::connect_timeout(address, remaining(deadline)?) {
                    Ok(stream) => {
                        // The message is one write: there is nothing to wait for.
                        stream.set_nodelay(true)?;
                        return Ok(stream);
                    }
                    Err(error) => last = error,
                }
            }
            if !is_patient || last.kind() != io::ErrorKind::ConnectionRefused || patience.is_over() {
                return Err(last);
            }
            thread::sleep(ATTEMPT_PAUSE.min(remaining(deadline)?));
        }
    }
}

/// The addresses of a name. The system's look-up has no timeout, so it is abandoned when its time is over.
fn look_up(address: &PlayerAddress, deadline: Instant, patience: &Patience) -> io::Result<Vec<SocketAddr>> {
    let (host, port) = (address.host().to_owned(), address.port());
    if let Ok(ip) = host.parse() {
        return Ok(vec![SocketAddr::new(ip, port)]);
    }
    let (found, finds) = mpsc::channel();
    thread::spawn(move || found.send((host.as_str(), port).to_socket_addrs().map(Vec::from_iter)));
    let addresses = loop {
        match finds.recv_timeout(remaining(deadline)?.min(SLICE)) {
            Ok(addresses) => break addresses?,
            Err(RecvTimeoutError::Timeout) if !patience.is_over() => {}
            Err(_) => return Err(io::ErrorKind::TimedOut.into()),
        }
    };
    if addresses.is_empty() { Err(io::Error::from(io::ErrorKind::NotFound)) } else { Ok(addresses) }
}

/// Sends a message and reads the reply to it into `response`, within the given patience.
///
/// # Errors
/// [`Failure`], with [`Failure::Timeout`] as soon as patience is over, whatever came before.
pub(crate) fn exchange(
    mut stream: TcpStream,
    message: &[u8],
    patience: &Patience,
    response: &mut Response,
) -> Result<String, Failure> {
    write_all(&mut stream, message, patience).map_err(|error| failure(&error))?;
    let mut buffer = [0; 4096];
    loop {
        let read = slice(patience).and_then(|slice| {
            stream.set_read_timeout(Some(slice))?;
            stream.read(&mut buffer)
        });
        match read {
            Ok(0) => return response.end(),
            Ok(length) => {
                if let Some(body) = response.take(&buffer[..length])? {
                    return Ok(body);
                }
            }
            Err(error) if is_passing(&error) && !patience.is_over() => {}
            Err(error) => return Err(failure(&error)),
        }
    }
}

/// One write, unless the player's side takes only a part of it at a time.
fn write_all(stream: &mut TcpStream, mut message: &[u8], patience: &Patience) -> io::Result<()> {
    while !message.is_empty() {
        stream.set_write_timeout(Some(slice(patience)?))?;
        match stream.write(message) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(length) => message = &message[length..],
            Err(error) if is_passing(&error) && !patience.is_over() => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Whether nothing is wrong yet: only a slice of the time is over.
fn is_passing(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::Interrupted | io::ErrorKind::TimedOut | io::ErrorKind::WouldBlock)
}

/// A slice of the remaining patience, if any.
fn slice(patience: &Patience) -> io::Result<Duration> {
    let left = patience.left();
    if left.is_zero() { Err(io::ErrorKind::TimedOut.into()) } else { Ok(left.min(SLICE)) }
}

/// Time until a deadline, if there is any.
fn remaining(deadline: Instant) -> io::Result<Duration> {
    let left = deadline.saturating_duration_since(clock::now());
    if left.is_zero() { Err(io::ErrorKind::TimedOut.into()) } else { Ok(left) }
}

fn failure(error: &io::Error) -> Failure {
    match error.kind() {
        io::ErrorKind::TimedOut | io::ErrorKind::WouldBlock => Failure::Timeout,
        _ => Failure::Closed,
    }
}
