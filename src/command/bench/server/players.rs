//! The players: HTTP servers of this process, all behind a few sockets, that reply when it is due.

use std::{io, net::SocketAddr, sync::Arc};

use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpSocket, TcpStream},
    time::sleep_until,
};

use super::{
    course::{LoadedMatches, ReceivedMessage},
    rules::{ROLES, sign},
};
use crate::sessions::clock;

/// Sockets that listen: each of them has ports of its own for the connections to it.
const LISTENERS: usize = 16;

/// Connections that wait to be accepted, on each socket.
const BACKLOG: u32 = 4_096;

/// Longest message, in bytes.
const MESSAGE_BYTES_MAX: usize = 64 << 10;

/// Listens, and plays; the addresses of the players.
///
/// # Errors
/// If the system gives no socket.
pub(super) fn listen(course: &Arc<LoadedMatches>) -> io::Result<Vec<SocketAddr>> {
    let mut addresses = Vec::new();
    for _ in 0..LISTENERS {
        let socket = TcpSocket::new_v4()?;
        socket.bind(SocketAddr::from(([127, 0, 0, 1], 0)))?;
        let listener = socket.listen(BACKLOG)?;
        addresses.push(listener.local_addr()?);
        tokio::spawn(accept(listener, Arc::clone(course)));
    }
    Ok(addresses)
}

async fn accept(listener: TcpListener, course: Arc<LoadedMatches>) {
    loop {
        // Where the system has no more files, the next connection waits until one is closed.
        let Ok((stream, _)) = listener.accept().await else {
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
            continue;
        };
        let course = Arc::clone(&course);
        // A connection that breaks is one of a server that was killed: it asks again.
        tokio::spawn(async move { drop(converse(stream, &course).await) });
    }
}

/// One message and the reply to it.
async fn converse(mut stream: TcpStream, course: &LoadedMatches) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let request = read(&mut stream).await?;
    let at = clock::now();
    let (head, body) = request.split_once("\r\n\r\n").unwrap_or_default();
    let receiver = head.lines().find_map(|line| line.strip_prefix("Receiver: "));
    let seat = ROLES.iter().position(|role| Some(*role) == receiver);
    let inner = body.strip_prefix('(').and_then(|body| body.strip_suffix(')')).unwrap_or_default();
    let mut words = inner.splitn(3, ' ');
    let (kind, id, rest) = (
        words.next().unwrap_or_default(),
        words.next().unwrap_or_default(),
        words.next().unwrap_or_default(),
    );
    let Some(seat) = seat else { return answer(&mut stream, "nobody").await };
    let track = course.track(id);
    let message = || {
        let (turn, text) = rest.split_once(' ').unwrap_or_default();
        ReceivedMessage { turn: turn.parse().unwrap_or(u32::MAX), text: text.to_owned(), at }
    };
    match kind {
        "START" => {
            course.start(at);
            // The channel is as old as the course.
            let mut schedules = course.schedule.subscribe();
            let schedule = schedules.wait_for(Option::is_some).await.ok().and_then(|schedule| *schedule);
            if let Some(schedule) = schedule {
                sleep_until(schedule.ready(track.number).into()).await;
            }
            answer(&mut stream, "READY").await
        }
        "PLAY" => {
            let message = message();
            course.tell(&track, seat, &message, false);
            let schedule = *course.schedule.borrow();
            let due = schedule.map_or(at, |schedule| schedule.due(track.number, message.turn));
            sleep_until(due.into()).await;
            course.reply(&track, seat, &message, due, clock::now());
            answer(&mut stream, sign(track.number, seat, message.turn)).await
        }
        "STOP" => {
            course.tell(&track, seat, &message(), true);
            answer(&mut stream, "DONE").await
        }
        _ => answer(&mut stream, "DONE").await,
    }
}

/// A message with its head.
async fn read(stream: &mut TcpStream) -> io::Result<String> {
    let mut bytes = Vec::with_capacity(1_024);
    loop {
        if stream.read_buf(&mut bytes).await? == 0 || bytes.len() > MESSAGE_BYTES_MAX {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let text = String::from_utf8_lossy(&bytes);
        let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
        let length = head.lines().find_map(|line| line.strip_prefix("Content-Length: ")?.parse().ok());
        if body.len() >= length.unwrap_or(0) {
            return Ok(text.into_owned());
        }
    }
}

async fn answer(stream: &mut TcpStream, body: &str) -> io::Result<()> {
    let length = body.len();
    let text = format!("HTTP/1.0 200 OK\r\nContent-Type: text/acl\r\nContent-Length: {length}\r\n\r\n{body}");
    stream.write_all(text.as_bytes()).await
}
