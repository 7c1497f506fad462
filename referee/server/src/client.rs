//! Whom a request is from.

use std::net::{IpAddr, Ipv4Addr};

use actix_web::{HttpRequest, http::header::HeaderName};

/// The header in which proxies write the client's address.
const FORWARDED: HeaderName = HeaderName::from_static("x-forwarded-for");

/// The address of the client: behind a proxy the one that the proxy names last.
pub(crate) fn client(request: &HttpRequest, is_behind_proxy: bool) -> IpAddr {
    let forwarded = || {
        request.headers().get_all(FORWARDED).last()?.to_str().ok()?.rsplit(',').next()?.trim().parse().ok()
    };
    let shown = if is_behind_proxy { forwarded() } else { None };
    let peer = || request.peer_addr().map(|address| address.ip());
    shown.or_else(peer).unwrap_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED))
}
