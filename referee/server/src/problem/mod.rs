//! Error responses: `application/problem+json` (RFC 9457) with a stable code.

mod code;

use std::{fmt, time::Duration};

use actix_web::{HttpResponse, ResponseError, http::StatusCode};
use serde::Serialize;
use utoipa::ToSchema;

pub(crate) use code::ProblemCode;

use crate::{findings::Finding, store::StoreError};

/// An error response, as serialised.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ProblemBody {
    #[serde(rename = "type")]
    of: &'static str,
    title: &'static str,
    status: u16,
    code: ProblemCode,
    /// The details, and what to do.
    detail: String,
    /// Findings about rules, one object each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    findings: Vec<Finding>,
}

/// Why a request is refused.
#[derive(Clone, Debug)]
pub(crate) struct Problem {
    status: StatusCode,
    code: ProblemCode,
    detail: String,
    findings: Vec<Finding>,
    /// The server to ask instead.
    place: Option<String>,
    /// Seconds after which to retry.
    retry_after_s: Option<u64>,
}

/// An answer, or why there is none.
pub(crate) type Result<T, E = Problem> = std::result::Result<T, E>;

/// A problem of which its code says everything.
impl From<ProblemCode> for Problem {
    fn from(code: ProblemCode) -> Self {
        code.because(code.meaning())
    }
}

impl ProblemCode {
    /// A problem with this code, and what is to be said of it.
    pub(crate) fn because(self, detail: impl Into<String>) -> Problem {
        Problem {
            status: self.status(),
            code: self,
            detail: detail.into(),
            findings: Vec::new(),
            place: None,
            retry_after_s: self.retry_after_s(),
        }
    }
}

impl Problem {
    /// There is nothing with that name, or the client may not see it.
    pub(crate) fn absent(detail: impl Into<String>) -> Self {
        ProblemCode::NotFound.because(detail)
    }

    /// What is stored of a match is damaged.
    pub(crate) fn lost() -> Self {
        Self::absent("what is stored of it is not a match")
    }

    /// The server stops before it has an answer.
    pub(crate) fn stopping() -> Self {
        Self::full("the server stops")
    }

    /// The server has no room now.
    pub(crate) fn full(detail: impl Into<String>) -> Self {
        ProblemCode::Full.because(detail)
    }

    /// The client has sent too many requests, and is to wait for so long.
    pub(crate) fn too_many(wait: Duration) -> Self {
        let seconds = wait.as_secs() + u64::from(wait.subsec_nanos() > 0);
        Self { retry_after_s: Some(seconds.max(1)), ..ProblemCode::TooManyRequests.into() }
    }

    /// A text of the request has the character NUL.
    pub(crate) fn nul(place: &str) -> Self {
        let detail = format!("{place} has the character NUL (%00, \\u0000), which no text here can have");
        ProblemCode::BadText.because(detail)
    }

    /// An error of the web framework, which has no codes.
    pub(crate) fn of_status(status: StatusCode) -> Self {
        Self { status, ..ProblemCode::of_status(status).into() }
    }

    /// The match runs on another server, which answers the same request.
    pub(crate) fn elsewhere(server: &str, path: &str) -> Self {
        let place = Some(format!("{server}{path}"));
        Self { place, ..ProblemCode::Elsewhere.because(format!("the match runs on {server}")) }
    }

    /// The same for a request with this path, if another server is to answer it.
    pub(crate) fn at(self, path: &str) -> Self {
        Self { place: self.place.map(|server| format!("{server}{path}")), ..self }
    }

    /// What is wrong, and what to do.
    pub(crate) fn detail(&self) -> &str {
        &self.detail
    }

    /// The stable word for the kind of problem.
    pub(crate) fn code(&self) -> ProblemCode {
        self.code
    }

    /// Whether the same request would be refused again: false if the server is full or its store does not respond.
    pub(crate) fn is_final(&self) -> bool {
        self.status.is_client_error()
    }

    /// Whether the same request may succeed a little later, without any change.
    pub(crate) fn is_temporary(&self) -> bool {
        self.status.is_server_error()
    }

    /// The same with findings about rules.
    pub(crate) fn with_findings(self, findings: Vec<Finding>) -> Self {
        Self { findings, ..self }
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
        ProblemCode::Store.into()
    }
}

#[cfg(test)]
mod tests;
