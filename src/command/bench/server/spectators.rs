//! Spectators of one match: connections that read its events, and how long after the last reply of a turn they do.

use std::{
    net::SocketAddr,
    sync::{
        Arc, Mutex,
        atomic::{AtomicU32, AtomicU64, Ordering},
    },
    time::Duration,
};

use serde_json::Value;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
    sync::Semaphore,
    time::timeout,
};

use super::{
    course::{LoadedMatches, Phase, Track, hold},
    latency::Latencies,
};
use crate::sessions::clock;

/// Connections that are being made at the same time.
const AT_ONCE: usize = 64;

/// Longest time for a connection to show its first event.
const PATIENCE: Duration = Duration::from_secs(30);

/// What spectators saw.
#[derive(Debug, Default)]
pub(super) struct Gallery {
    /// How many are connected and have seen the first event.
    pub(super) watching: AtomicU32,
    /// How many connections could not be made, or broke before the end.
    pub(super) dropped: AtomicU32,
    /// Turns that a spectator missed.
    pub(super) missed: AtomicU64,
    pub(super) fan_out: Mutex<Latencies>,
}

impl Gallery {
    /// Connects so many spectators to a match; they watch until its end.
    pub(super) async fn fill(
        self: &Arc<Self>,
        course: &Arc<LoadedMatches>,
        server: SocketAddr,
        id: &str,
        count: u32,
    ) {
        let permits = Arc::new(Semaphore::new(AT_ONCE));
        let track = course.track(id);
        for _ in 0..count {
            let (gallery, course, track) = (Arc::clone(self), Arc::clone(course), Arc::clone(&track));
            let (permits, id) = (Arc::clone(&permits), id.to_owned());
            tokio::spawn(async move {
                let Ok(permit) = permits.acquire_owned().await else { return };
                let connected = timeout(PATIENCE, connect(server, &id)).await;
                drop(permit);
                match connected {
                    Ok(Ok(stream)) => gallery.watch(stream, &course, &track).await,
                    _ => drop(gallery.dropped.fetch_add(1, Ordering::Relaxed)),
                }
            });
        }
    }

    /// Whether everybody is there, or never will be.
    pub(super) fn is_full(&self, count: u32) -> bool {
        self.watching.load(Ordering::Relaxed) + self.dropped.load(Ordering::Relaxed) >= count
    }

    async fn watch(&self, mut stream: TcpStream, course: &LoadedMatches, track: &Track) {
        let mut reader = EventReader::default();
        let (mut is_there, mut last, mut is_over) = (false, None, false);
        let mut buffer = Vec::with_capacity(512);
        loop {
            buffer.clear();
            match stream.read_buf(&mut buffer).await {
                Ok(0) | Err(_) => break,
                Ok(_) => {}
            }
            let now = clock::now();
            for event in reader.take(&buffer) {
                if !is_there {
                    is_there = true;
                    self.watching.fetch_add(1, Ordering::Relaxed);
                }
                is_over |= event["event"] == "end";
                let turn = event["turn"].as_u64().and_then(|turn| u32::try_from(turn).ok());
                let Some(turn) = turn.filter(|_| event["event"] == "turn") else { continue };
                let gap = last.map_or(0, |last: u32| turn.saturating_sub(last + 1));
                last = Some(turn);
                self.missed.fetch_add(gap.into(), Ordering::Relaxed);
                if let (true, Some(sent)) = (course.is_in(Phase::Watched), track.last_sent(turn)) {
                    hold(&self.fan_out).add(now.saturating_duration_since(sent));
                }
            }
        }
        if !is_over {
            self.dropped.fetch_add(1, Ordering::Relaxed);
        }
    }
}

async fn connect(server: SocketAddr, id: &str) -> std::io::Result<TcpStream> {
    let mut stream = TcpStream::connect(server).await?;
    let request = format!(
        "GET /v1/matches/{id}/events HTTP/1.1\r\nHost: {server}\r\nAccept: text/event-stream\r\n\r\n"
    );
    stream.write_all(request.as_bytes()).await?;
    stream.readable().await?;
    Ok(stream)
}

/// Reads events from a stream of bytes that may be cut anywhere. Sizes of chunks stand on lines of their own between them.
#[derive(Debug, Default)]
struct EventReader(Vec<u8>);

impl EventReader {
    fn take(&mut self, bytes: &[u8]) -> Vec<Value> {
        self.0.extend_from_slice(bytes);
        let Some(end) = self.0.iter().rposition(|byte| *byte == b'\n') else { return Vec::new() };
        let rest = self.0.split_off(end + 1);
        let whole = std::mem::replace(&mut self.0, rest);
        let events = whole.split(|byte| *byte == b'\n').filter_map(|line| line.strip_prefix(b"data: "));
        events.filter_map(|event| serde_json::from_slice(event).ok()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_are_found_wherever_the_stream_is_cut() {
        let stream =
            b"HTTP/1.1 200 OK\r\n\r\n19\r\ndata: {\"turn\":1}\n\n\r\n19\r\ndata: {\"turn\":2}\n\n\r\n";
        for cut in 0..stream.len() {
            let mut reader = EventReader::default();
            let mut events = reader.take(&stream[..cut]);
            events.extend(reader.take(&stream[cut..]));
            let turns: Vec<_> = events.iter().filter_map(|event| event["turn"].as_u64()).collect();
            assert_eq!(turns, [1, 2], "{cut}");
        }
    }
}
