//! The links of a table: where they lead, codes that a phone reads, and the browser of the host.

use std::{
    collections::BTreeMap,
    io::{self, IsTerminal as _, Write},
    net::{IpAddr, Ipv4Addr, SocketAddr, UdpSocket},
};

use qrcode::{EcLevel, QrCode, render::unicode::Dense1x2};
use serde::Serialize;

use super::opening::Opened;

/// The links of a table. Each but that of the watchers is for one person.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct TableLinks {
    /// The controls of the table: opens no seat.
    pub(super) host: String,
    /// For everybody who watches.
    watch: String,
    /// By seat, what seats one person.
    seats: BTreeMap<u32, String>,
    /// Whether others on the network can follow them.
    is_reachable: bool,
}

impl TableLinks {
    /// The links of a table at a server that listens on `listens`.
    pub(super) fn of(opened: &Opened, url: &str, listens: IpAddr) -> Self {
        let network = if listens.is_unspecified() { own_address() } else { None };
        let shared = network.map_or_else(|| url.to_owned(), |address| with_host(url, address));
        let link = |base: &str, token: &str| format!("{base}/i/{token}");
        Self {
            host: link(url, &opened.host),
            watch: link(&shared, &opened.watch),
            seats: opened.invitations.iter().map(|(&seat, token)| (seat, link(&shared, token))).collect(),
            is_reachable: network.is_some() || !(listens.is_unspecified() || listens.is_loopback()),
        }
    }

    /// Says them to the host, with a code for each seat where the terminal shows it.
    pub(super) fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "your table, with its controls: {}", self.host)?;
        for (seat, link) in &self.seats {
            writeln!(out, "\nseat {seat}, for one person: {link}")?;
            if io::stdout().is_terminal() {
                write_code(out, link)?;
            }
        }
        writeln!(out, "\nto watch: {}", self.watch)?;
        if !self.is_reachable {
            writeln!(
                out,
                "\nthese links lead to this machine alone: no network was found, or --address keeps others out"
            )?;
        }
        Ok(())
    }
}

/// A link as a code that a phone reads, dark on light whatever the colours of the terminal.
fn write_code(out: &mut dyn Write, link: &str) -> io::Result<()> {
    // A link that is too long for a code is a link all the same.
    let Ok(code) = QrCode::with_error_correction_level(link, EcLevel::L) else { return Ok(()) };
    let drawn = code.render::<Dense1x2>().dark_color(Dense1x2::Light).light_color(Dense1x2::Dark).build();
    drawn.lines().try_for_each(|line| writeln!(out, "  {line}"))
}

/// The URL of a server for this machine.
pub(super) fn local_url(listens: SocketAddr) -> String {
    let ip = if listens.ip().is_unspecified() { IpAddr::V4(Ipv4Addr::LOCALHOST) } else { listens.ip() };
    format!("http://{}", SocketAddr::new(ip, listens.port()))
}

/// The same URL with another host.
fn with_host(url: &str, address: IpAddr) -> String {
    let port = url.rsplit_once(':').and_then(|(_, port)| port.parse().ok()).unwrap_or(80);
    format!("http://{}", SocketAddr::new(address, port))
}

/// The address by which others on the network know this machine. Nothing is sent: connecting a datagram socket only looks up the way.
fn own_address() -> Option<IpAddr> {
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).ok()?;
    // An address of documentation (RFC 5737), for which the way is that to everywhere.
    socket.connect((Ipv4Addr::new(192, 0, 2, 1), 9)).ok()?;
    let address = socket.local_addr().ok()?.ip();
    (!address.is_loopback() && !address.is_unspecified()).then_some(address)
}

/// Opens a page in the browser of whoever runs this, where there is one.
pub(super) fn open_browser(url: &str) {
    // Without a display a browser in the terminal would take it over.
    let has_display = cfg!(not(target_os = "linux"))
        || ["DISPLAY", "WAYLAND_DISPLAY"].iter().any(|variable| std::env::var_os(variable).is_some());
    if has_display {
        let _ = open::that_detached(url);
    }
}

#[cfg(test)]
mod tests {
    use std::net::{IpAddr, Ipv4Addr};

    use super::{Opened, TableLinks, local_url, with_host};

    #[test]
    fn links_lead_to_the_network_where_others_can_come_and_the_host_stays_here() {
        assert_eq!(local_url("0.0.0.0:80".parse().unwrap()), "http://127.0.0.1:80");
        assert_eq!(local_url("[::1]:9".parse().unwrap()), "http://[::1]:9");
        assert_eq!(
            with_host("http://127.0.0.1:8080", IpAddr::V4(Ipv4Addr::new(10, 0, 0, 7))),
            "http://10.0.0.7:8080"
        );
        let opened: Opened =
            serde_json::from_str(r#"{"id":"s","host":"h","watch":"w","invitations":{"1":"a","2":"b"}}"#)
                .unwrap();
        let links = TableLinks::of(&opened, "http://127.0.0.1:8080", IpAddr::V4(Ipv4Addr::LOCALHOST));
        assert_eq!(links.seats[&2], "http://127.0.0.1:8080/i/b");
        assert!(!links.is_reachable);
        let mut said = Vec::new();
        links.write(&mut said).unwrap();
        assert!(String::from_utf8(said).unwrap().contains("this machine alone"));
    }
}
