//! Problems in words, for people with browsers.

use actix_web::{
    HttpRequest, HttpResponse, ResponseError as _,
    body::BoxBody,
    http::header::{ACCEPT, CONTENT_TYPE, HeaderValue},
};
use croupier_pages::{RefusalNotice, RefusalPage, render};

use super::{HTML, is_from_script};
use crate::problem::Problem;

/// Whether a client is a browser that asks for a page, and not for the JSON of an error.
pub(crate) fn wants_page(request: &HttpRequest) -> bool {
    let path = request.path();
    let is_api = path.starts_with("/v1/") || path.starts_with("/docs/") || path == "/openapi.json";
    let accepts = request.headers().get(ACCEPT).and_then(|value| value.to_str().ok()).unwrap_or_default();
    !is_api && (accepts.contains("text/html") || is_from_script(request))
}

/// The answer to a request that is refused, as its client reads it: a page, a part of one for a form that a script sent, or JSON.
pub(crate) fn refusal(request: &HttpRequest, problem: &Problem) -> HttpResponse<BoxBody> {
    let response = problem.error_response();
    if !wants_page(request) {
        return response;
    }
    let status = response.status();
    let html = if is_from_script(request) {
        render(&RefusalNotice { text: problem.detail() })
    } else {
        let title = status.canonical_reason().unwrap_or("Error");
        render(&RefusalPage { status: status.as_u16(), title, detail: problem.detail() })
    };
    match html {
        Ok(html) => {
            let mut response = response.set_body(BoxBody::new(html));
            response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(HTML));
            response
        }
        Err(_) => response,
    }
}
