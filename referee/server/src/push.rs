//! One message to a player that is an HTTP server, and the reply to it.
//!
//! One write a message, no redirects, no headers of a library's own, one absolute deadline over connection, head and body.

use std::{
    io,
    net::{IpAddr, SocketAddr},
    time::{Duration, Instant},
};

use croupier_referee::Failure;
use croupier_remote::{CONNECT_MAX, PlayerAddress, Response};
use tokio::{
    io::AsyncWriteExt as _,
    net::{TcpStream, lookup_host},
    time::{timeout, timeout_at},
};

use crate::faults::crash_point;

/// ENFILE and EMFILE: the system, or this process, has reached its limit of open files. The numbers are the same on every Unix.
const OUT_OF_FILES: [i32; 2] = [23, 24];

/// Which addresses the server connects to for others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reach {
    /// Only public addresses: an address given by a user must not lead into the operator's own network.
    Public,
    /// All, for players on this machine or in this server's network.
    Everywhere,
}

impl Reach {
    fn allows(self, address: SocketAddr) -> bool {
        self == Self::Everywhere || is_public(address.ip())
    }

    /// Whether it is known already that a host is out of reach: one that is written as an address.
    pub(crate) fn excludes(self, host: &str) -> bool {
        host.parse().is_ok_and(|ip| !self.allows(SocketAddr::new(ip, 0)))
    }
}

/// Whether an address is public. An IPv4 address mapped to IPv6 counts as the IPv4 address.
fn is_public(address: IpAddr) -> bool {
    match address.to_canonical() {
        IpAddr::V4(ip) => {
            let [a, b, c, _] = ip.octets();
            let is_special = ip.is_unspecified()
                || ip.is_loopback()
                || ip.is_private()
                || ip.is_link_local()
                || ip.is_broadcast()
                || ip.is_documentation()
                || ip.is_multicast();
            // This network; carriers' networks; protocol assignments; benchmarks; reserved.
            let is_reserved = a == 0
                || (a == 100 && b & 0xc0 == 64)
                || (a, b, c) == (192, 0, 0)
                || (a == 198 && b & 0xfe == 18)
                || a >= 240;
            !is_special && !is_reserved
        }
        IpAddr::V6(ip) => {
            let first = ip.segments()[0];
            // Global unicast is 2000::/3; of it documentation, and the ways through version 4, lead elsewhere.
            let is_translated = first == 0x2002 || (first == 0x2001 && ip.segments()[1] < 0x200);
            let is_documentation = first == 0x2001 && ip.segments()[1] == 0xdb8;
            first & 0xe000 == 0x2000 && !is_translated && !is_documentation
        }
    }
}

/// Sends a message to a player, and reads its reply until the deadline.
///
/// # Errors
/// [`Failure`]: why there is no reply to parse.
pub(crate) async fn exchange(
    address: &PlayerAddress,
    reach: Reach,
    request: &[u8],
    deadline: Instant,
) -> Result<String, Failure> {
    #[cfg(feature = "mutants")]
    if let Some(mut stream) = crate::leaks::pooled(&address.to_string()) {
        return talk(&mut stream, request).await;
    }
    let mut stream = match timeout(CONNECT_MAX, connect(address, reach)).await {
        Ok(Ok(stream)) => stream,
        Ok(Err(error)) if error.raw_os_error().is_some_and(|code| OUT_OF_FILES.contains(&code)) => {
            // It is no fault of the player, and only the operator can do something about it.
            tracing::error!(
                %error,
                "cannot call a player: raise the limit of open files (ulimit -n, LimitNOFILE=), or lower --matches"
            );
            return Err(Failure::ConnectError);
        }
        Ok(Err(_)) | Err(_) => return Err(Failure::ConnectError),
    };
    let reply = timeout_at(deadline.into(), talk(&mut stream, request)).await;
    #[cfg(feature = "mutants")]
    crate::leaks::keep(&address.to_string(), stream);
    reply.unwrap_or(Err(Failure::Timeout))
}

async fn connect(address: &PlayerAddress, reach: Reach) -> io::Result<TcpStream> {
    let mut last = io::Error::from(io::ErrorKind::AddrNotAvailable);
    for found in lookup_host((address.host(), address.port())).await? {
        // The address itself is judged, not the name: a name may lead elsewhere the next time.
        if !reach.allows(found) {
            last = io::ErrorKind::PermissionDenied.into();
            continue;
        }
        match timeout(Duration::from_secs(1), TcpStream::connect(found)).await {
            Ok(Ok(stream)) => {
                stream.set_nodelay(true)?;
                return Ok(stream);
            }
            Ok(Err(error)) => last = error,
            Err(_) => last = io::ErrorKind::TimedOut.into(),
        }
    }
    Err(last)
}

async fn talk(stream: &mut TcpStream, request: &[u8]) -> Result<String, Failure> {
    #[cfg(feature = "mutants")]
    let request = crate::leaks::part_sent(stream, request).await;
    crash_point();
    stream.write_all(request).await.map_err(|_| Failure::Closed)?;
    crash_point();
    let mut response = Response::default();
    loop {
        // Thousands of players think at the same time: while one does, it has no buffer.
        stream.readable().await.map_err(|_| Failure::Closed)?;
        let mut buffer = [0; 4096];
        match stream.try_read(&mut buffer) {
            Ok(0) => return response.end(),
            Ok(length) => {
                if let Some(body) = response.take(&buffer[..length])? {
                    return Ok(body);
                }
            }
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
            Err(_) => return Err(Failure::Closed),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_that_lead_into_somebodys_own_network_are_not_public() {
        for address in [
            "127.0.0.1",
            "0.0.0.0",
            "10.1.2.3",
            "172.16.0.1",
            "192.168.1.1",
            "169.254.169.254",
            "100.64.0.1",
            "192.0.0.1",
            "198.18.0.1",
            "224.0.0.1",
            "240.0.0.1",
            "255.255.255.255",
            "203.0.113.7",
            "::",
            "::1",
            "::ffff:127.0.0.1",
            "::ffff:10.0.0.1",
            "fe80::1",
            "fc00::1",
            "fd12::1",
            "ff02::1",
            "2002:7f00:1::",
            "2001:0:1::1",
            "2001:db8::1",
            "64:ff9b::7f00:1",
        ] {
            assert!(!is_public(address.parse().expect("an address")), "{address}");
        }
        for address in ["1.1.1.1", "8.8.8.8", "100.128.0.1", "172.32.0.1", "2606:4700::1111", "2a00:1450::1"]
        {
            assert!(is_public(address.parse().expect("an address")), "{address}");
        }
    }
}
