//! Error responses: `application/problem+json` (RFC 9457) with a stable code.

use std::{fmt, time::Duration};

use actix_web::{HttpResponse, ResponseError, http::StatusCode};
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use crate::store::StoreError;

/// An error response, as serialised.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ProblemBody {
    #[serde(rename = "type")]
    of: &'static str,
    title: &'static str,
    status: u16,
    /// A stable word for the kind of problem.
    code: &'static str,
    /// The details, and what to do.
    detail: String,
    /// Findings about rules, one object each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(value_type = Vec<Object>)]
    findings: Vec<Value>,
}

/// Why a request is refused.
#[derive(Clone, Debug)]
pub(crate) struct Problem {
    status: StatusCode,
    code: &'static str,
    detail: String,
    /// Findings about rules, one object each.
    findings: Vec<Value>,
    /// The server to ask instead.
    place: Option<String>,
    /// Seconds after which to retry.
    retry_after_s: Option<u64>,
}

impl Problem {
    fn new(status: StatusCode, code: &'static str, detail: impl Into<String>) -> Self {
        Self { status, code, detail: detail.into(), findings: Vec::new(), place: None, retry_after_s: None }
    }

    /// The request is invalid.
    pub(crate) fn unfit(code: &'static str, detail: impl Into<String>) -> Self {
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, code, detail)
    }

    /// There is nothing with that name, or the client may not see it.
    pub(crate) fn absent(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, "not-found", detail)
    }

    /// The client sent no token, or an unknown one.
    pub(crate) fn unknown_actor() -> Self {
        let detail = "a token is required: Authorization: Bearer TOKEN";
        Self::new(StatusCode::UNAUTHORIZED, "unauthorized", detail)
    }

    /// The client lacks the right.
    pub(crate) fn forbidden(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::FORBIDDEN, "forbidden", detail)
    }

    /// The state does not allow the request yet, or any more.
    pub(crate) fn conflict(code: &'static str, detail: impl Into<String>) -> Self {
        Self::new(StatusCode::CONFLICT, code, detail)
    }

    /// Whether the same request may succeed a little later, without any change.
    pub(crate) fn is_temporary(&self) -> bool {
        self.status.is_server_error()
    }

    /// The server is full.
    pub(crate) fn full(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "full", detail).after_seconds(5)
    }

    /// The server is shutting down; another server, or this one after a restart, will answer soon.
    pub(crate) fn draining() -> Self {
        let detail = "the server is shutting down; matches resume when it restarts";
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "draining", detail).after_seconds(2)
    }

    /// The store does not answer, or takes nothing: its disk may be full. The same request may succeed later.
    pub(crate) fn unstored() -> Self {
        let detail = "the store takes nothing now; try again later";
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "store", detail).after_seconds(5)
    }

    /// The match stands still until its record can be stored again, or goes on at another server.
    pub(crate) fn interrupted() -> Self {
        let detail = "the match is interrupted and will resume in a moment: try again; \
                      a message without a receipt may be lost, so send it again";
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "interrupted", detail).after_seconds(1)
    }

    /// The reply does not count: another one did, or its time was over.
    pub(crate) fn late() -> Self {
        let detail = "the reply does not count: the seat has given another one, or its time was over; \
                      the next frame tells the move that was played";
        Self::conflict("late", detail)
    }

    /// The reply answers what the seat was not told yet.
    pub(crate) fn early() -> Self {
        Self::conflict(
            "early",
            "the seat has not been asked for this yet: wait for the frame that asks for it",
        )
    }

    /// The client has sent too many requests.
    pub(crate) fn too_many(wait: Duration) -> Self {
        let detail = "too many requests: wait for the time in Retry-After";
        let seconds = wait.as_secs() + u64::from(wait.subsec_nanos() > 0);
        Self::new(StatusCode::TOO_MANY_REQUESTS, "too-many-requests", detail).after_seconds(seconds.max(1))
    }

    /// The body of a request did not arrive in time.
    pub(crate) fn slow_body() -> Self {
        Self::new(StatusCode::REQUEST_TIMEOUT, "slow-body", "the body of the request did not arrive in time")
    }

    /// The header Host is neither a name nor an address.
    pub(crate) fn bad_host() -> Self {
        Self::new(
            StatusCode::BAD_REQUEST,
            "bad-host",
            "the header Host must be a name or an address, optionally with a port",
        )
    }

    /// A text of the request has the character NUL.
    pub(crate) fn nul(place: &str) -> Self {
        let detail = format!("{place} has the character NUL (%00, \\u0000), which no text here can have");
        Self::new(StatusCode::BAD_REQUEST, "bad-text", detail)
    }

    /// The query of the request has a key that is none, or a value that its key does not take.
    pub(crate) fn bad_query(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "bad-query", detail)
    }

    /// An error of the web framework, which has no codes.
    pub(crate) fn of_status(status: StatusCode) -> Self {
        let (code, detail) = match status {
            StatusCode::METHOD_NOT_ALLOWED => {
                ("method-not-allowed", "method not allowed; the header Allow lists the allowed ones")
            }
            StatusCode::NOT_FOUND => ("not-found", "not found; /docs/ lists the available routes"),
            StatusCode::PAYLOAD_TOO_LARGE => ("too-large", "the request body is too long for this server"),
            StatusCode::UNSUPPORTED_MEDIA_TYPE => ("bad-media-type", "unsupported content type"),
            status if status.is_client_error() => ("bad-request", "invalid request"),
            _ => ("internal", "internal server error; see the server's log"),
        };
        Self::new(status, code, detail)
    }

    fn after_seconds(mut self, seconds: u64) -> Self {
        self.retry_after_s = Some(seconds);
        self
    }

    /// The match runs on another server, which answers the same request.
    pub(crate) fn elsewhere(server: &str, path: &str) -> Self {
        let detail = format!("the match runs on {server}");
        let place = Some(format!("{server}{path}"));
        Self { place, ..Self::new(StatusCode::TEMPORARY_REDIRECT, "elsewhere", detail) }
    }

    /// The stable word for the kind of problem.
    pub(crate) fn code(&self) -> &'static str {
        self.code
    }

    /// Whether the same request would be refused again: false if the server is full or its store does not respond.
    pub(crate) fn is_final(&self) -> bool {
        self.status.is_client_error()
    }

    /// The same with findings about rules.
    pub(crate) fn with_findings(mut self, findings: Vec<Value>) -> Self {
        self.findings = findings;
        self
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.code, self.detail)
    }
}

impl ResponseError for Problem {
    fn status_code(&self) -> StatusCode {
        self.status
    }

    fn error_response(&self) -> HttpResponse {
        let body = ProblemBody {
            of: "about:blank",
            title: self.status.canonical_reason().unwrap_or("Error"),
            status: self.status.as_u16(),
            code: self.code,
            detail: self.detail.clone(),
            findings: self.findings.clone(),
        };
        let mut response = HttpResponse::build(self.status);
        response.content_type("application/problem+json").insert_header(("Cache-Control", "no-store"));
        if let Some(seconds) = self.retry_after_s {
            response.insert_header(("Retry-After", seconds.to_string()));
        }
        if self.status == StatusCode::UNAUTHORIZED {
            response.insert_header(("WWW-Authenticate", "Bearer"));
        }
        if let Some(place) = &self.place {
            response.insert_header(("Location", place.as_str()));
        }
        response.body(serde_json::to_string(&body).expect("texts and numbers are JSON"))
    }
}

impl From<StoreError> for Problem {
    fn from(error: StoreError) -> Self {
        // What the database says is for the operator's log: it may quote what is stored.
        tracing::error!(%error, "store");
        Self::unstored()
    }
}
