//! The middleware of every request and response: limits, headers, metrics and the log.

use std::{
    cell::Cell,
    io,
    net::IpAddr,
    pin::Pin,
    rc::Rc,
    sync::Arc,
    task::{self, Poll},
    time::Duration,
};

use actix_rt::time::{Sleep, sleep};
use actix_web::{
    Error, HttpMessage as _,
    body::{BodySize, BoxBody, MessageBody},
    dev::{Payload, ServiceRequest, ServiceResponse},
    error::PayloadError,
    http::{
        ConnectionType, Method, StatusCode,
        header::{
            CACHE_CONTROL, CONTENT_LENGTH, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HOST, HeaderMap,
            HeaderValue, REFERRER_POLICY, STRICT_TRANSPORT_SECURITY, TRANSFER_ENCODING,
            X_CONTENT_TYPE_OPTIONS,
        },
        uri::Authority,
    },
    middleware::Next,
    web::{Bytes, Data},
};
use futures_util::Stream;

use crate::{
    api::{Context, demand_known_keys, known_routes},
    client::client,
    clock,
    connections::Connection,
    metrics::metrics,
    pages::{self, refusal, wants_page},
    problem::{Problem, ProblemCode, Result},
    rights::shown,
    text::demand_address,
};

/// The content security policy for responses that are not JSON: browsers may only show them.
const POLICY: HeaderValue = HeaderValue::from_static("default-src 'none'; frame-ancestors 'none'");

/// The same for the page of the interface, which is part of this program: it may load its own files.
const PAGE_POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; object-src 'none'; base-uri 'none'; \
     frame-ancestors 'none'",
);

/// For a year, browsers come by TLS alone to a server that speaks it.
const HSTS: HeaderValue = HeaderValue::from_static("max-age=31536000");

/// Admits a request if allowed, and adds the standard headers to its response.
pub(crate) async fn pass(
    context: Data<Context>,
    mut request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let begun = clock::now();
    let from = client(request.request(), context.is_behind_proxy);
    let work = request.conn_data::<Arc<Connection>>().map(Connection::work);
    let has_body = has_body(request.headers());
    let is_late = Rc::new(Cell::new(false));
    let is_head = become_get(&mut request);
    let refused = fit_host(&request)
        .and_then(|()| count(&context, &request, from))
        .and_then(|()| demand_address(request.uri()))
        .and_then(|()| {
            let pattern = request.match_pattern().unwrap_or_default();
            demand_known_keys(request.method(), &pattern, request.query_string())
        });
    let mut response = match refused {
        Err(problem) => {
            let refused = refusal(request.request(), &problem);
            request.into_response(refused)
        }
        Ok(()) => {
            if has_body {
                limit_body(&mut request, context.body, Rc::clone(&is_late));
            }
            next.call(request).await?.map_into_boxed_body()
        }
    };
    let status = response.status();
    if is_late.get() {
        response = replaced(response, &ProblemCode::SlowBody.into());
    } else if matches!(status, StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN)
        && let Err(problem) = context.rates.be_refused(from)
    {
        response = replaced(response, &problem);
    } else if status.is_client_error() || status.is_server_error() {
        response = explained(response);
    }
    if has_body && response.status().is_client_error() {
        // The rest of the body is nobody's to read.
        response.response_mut().head_mut().set_connection_type(ConnectionType::Close);
    }
    let is_page = response.request().path().starts_with("/docs/");
    protect(response.headers_mut(), is_page);
    if context.is_encrypted {
        response.headers_mut().insert(STRICT_TRANSPORT_SECURITY, HSTS);
    }
    note(&response, begun.elapsed());
    if is_head {
        response = response.map_body(|_, body| BoxBody::new(NoBody(body.size())));
    }
    Ok(match work {
        Some(work) => response.map_body(|_, body| work.on(body)),
        None => response,
    })
}

/// Makes a request for the head of an answer one for the answer, whose body is left out later; whether it was one. A WebSocket has
/// no such answer.
fn become_get(request: &mut ServiceRequest) -> bool {
    let is_head = request.method() == Method::HEAD && !request.path().ends_with("/ws");
    if is_head {
        request.head_mut().method = Method::GET;
    }
    is_head
}

/// A body that is left out: of its size, the head of the answer tells.
struct NoBody(BodySize);

impl MessageBody for NoBody {
    type Error = Error;

    fn size(&self) -> BodySize {
        match self.0 {
            // How long it would be is not known, and nobody waits for its end.
            BodySize::Stream => BodySize::None,
            size => size,
        }
    }

    fn poll_next(
        self: Pin<&mut Self>,
        _: &mut task::Context<'_>,
    ) -> Poll<Option<Result<Bytes, Self::Error>>> {
        Poll::Ready(None)
    }
}

fn has_body(headers: &HeaderMap) -> bool {
    headers.contains_key(TRANSFER_ENCODING) || headers.get(CONTENT_LENGTH).is_some_and(|length| length != "0")
}

/// Whether the requested host is a name or an address. HTTP/1.0 needs none, and the parser has rejected requests of
/// HTTP/1.1 without one or with two.
fn fit_host(request: &ServiceRequest) -> Result<()> {
    let Some(host) = request.headers().get(HOST) else { return Ok(()) };
    let is_fit = |host: Authority| !host.as_str().contains('@');
    if Authority::try_from(host.as_bytes()).is_ok_and(is_fit) {
        Ok(())
    } else {
        Err(ProblemCode::BadHost.into())
    }
}

/// Counts a request against the rate limits of its client.
fn count(context: &Context, request: &ServiceRequest, from: IpAddr) -> Result<()> {
    match shown(request.request()) {
        None => context.rates.ask(from),
        Some(token) if context.operator.is(&token) => Ok(()),
        Some(token) => context.rates.ask_with(token.to_bytes()),
    }
}

/// Gives the body of a request until then to arrive.
fn limit_body(request: &mut ServiceRequest, time: Duration, is_late: Rc<Cell<bool>>) {
    let payload = request.take_payload();
    let timely = Timely { payload, deadline: Box::pin(sleep(time)), is_late };
    request.set_payload(Payload::Stream { payload: Box::pin(timely) });
}

/// A body that ends with an error at its deadline.
struct Timely {
    payload: Payload,
    deadline: Pin<Box<Sleep>>,
    is_late: Rc<Cell<bool>>,
}

impl Stream for Timely {
    type Item = Result<Bytes, PayloadError>;

    fn poll_next(mut self: Pin<&mut Self>, task: &mut task::Context<'_>) -> Poll<Option<Self::Item>> {
        if self.deadline.as_mut().poll(task).is_ready() {
            self.is_late.set(true);
            return Poll::Ready(Some(Err(PayloadError::Io(io::ErrorKind::TimedOut.into()))));
        }
        Pin::new(&mut self.payload).poll_next(task)
    }
}

fn replaced(response: ServiceResponse<BoxBody>, problem: &Problem) -> ServiceResponse<BoxBody> {
    let (request, _) = response.into_parts();
    let refused = refusal(&request, problem);
    ServiceResponse::new(request, refused)
}

/// Converts an error of the framework to a problem with a code; those of handlers already are. Browsers get a page that says it.
fn explained(response: ServiceResponse<BoxBody>) -> ServiceResponse<BoxBody> {
    if wants_page(response.request()) {
        let known = response.response().error().and_then(|error| error.as_error::<Problem>()).cloned();
        let problem = known.unwrap_or_else(|| Problem::of_status(response.status()));
        return replaced(response, &problem);
    }
    let kind = response.headers().get(CONTENT_TYPE).map(HeaderValue::as_bytes);
    if kind.is_some_and(|kind| kind.starts_with(b"application/problem+json")) {
        return response;
    }
    let status = response.status();
    replaced(response, &Problem::of_status(status))
}

/// Headers that keep answers out of caches and browsers from guessing.
fn protect(headers: &mut HeaderMap, is_page: bool) {
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    let is_public = headers.get(CACHE_CONTROL).is_some_and(|value| value.as_bytes().starts_with(b"public"));
    if !is_public {
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
    let kind = headers.get(CONTENT_TYPE).map(|kind| kind.as_bytes().to_vec()).unwrap_or_default();
    if !(kind.starts_with(b"application/") && kind.ends_with(b"json")) {
        let policy = match (is_page, kind.starts_with(b"text/html")) {
            (true, _) => PAGE_POLICY,
            (false, true) => pages::POLICY,
            (false, false) => POLICY,
        };
        headers.insert(CONTENT_SECURITY_POLICY, policy);
    }
}

/// Counts an answer and logs it, by its route: the path could hold anything.
fn note(response: &ServiceResponse<BoxBody>, took: Duration) {
    let (request, status) = (response.request(), response.status().as_u16());
    let pattern = request.match_pattern().unwrap_or_default();
    let sought = (request.method().as_str(), pattern.as_str());
    let known = known_routes().iter().find(|known| (known.method, known.path) == sought);
    let page = || pages::ROUTES.iter().find(|page| **page == sought).copied();
    let (method, route) =
        known.map(|known| (known.method, known.path)).or_else(page).unwrap_or(("other", "other"));
    metrics().answered(method, route, status);
    let id = request.match_info().get("id").filter(|id| is_match_id(id)).unwrap_or_default();
    let ms = took.as_secs_f64() * 1e3;
    if status >= 500 {
        tracing::warn!(method, route, id, status, ms, "request");
    } else {
        tracing::debug!(method, route, id, status, ms, "request");
    }
}

/// Whether this is a match id of the server; anything else might contain a secret by mistake.
fn is_match_id(text: &str) -> bool {
    text.len() == 24 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}
