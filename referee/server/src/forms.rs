//! Forms of browsers: a form counts only if it comes from a page of this server that the same browser has loaded.
//!
//! A browser that is shown a form has a cookie with a random name of its own, and the form a token that follows from it and the server's
//! key. Another site can neither read the cookie nor make the token, and `SameSite=Lax` keeps browsers from sending the cookie with its forms
//! at all.

use actix_web::{HttpRequest, http::header::HeaderValue};
use subtle::ConstantTimeEq as _;

use crate::{
    problem::{ProblemCode, Result},
    referee::{Referee, random},
    session::keys::{cookies, set_cookie},
};

/// The cookie of a browser that was shown a form.
const VISITOR: &str = "croupier-visitor";

/// What a page with forms needs.
#[derive(Clone, Debug)]
pub(crate) struct FormToken {
    /// The value of the hidden field `csrf` of each of its forms.
    pub(crate) value: String,
    /// The `Set-Cookie` to answer with, if the browser has no such cookie yet.
    pub(crate) cookie: Option<HeaderValue>,
}

/// The token for the forms of a page that answers a request.
///
/// # Errors
/// [`Problem`](crate::problem::Problem) if the operating system provides no random bytes.
pub(crate) fn form_token(request: &HttpRequest, referee: &Referee, is_encrypted: bool) -> Result<FormToken> {
    if let Some(visitor) = visitor(request) {
        return Ok(FormToken { value: referee.form_token(visitor), cookie: None });
    }
    let visitor = hex::encode(random::<16>()?);
    let cookie = Some(set_cookie(VISITOR, &visitor, is_encrypted));
    Ok(FormToken { value: referee.form_token(&visitor), cookie })
}

/// The value of the hidden field `key` of a form: a form that comes again with it does nothing new.
///
/// # Errors
/// [`Problem`](crate::problem::Problem) if the operating system provides no random bytes.
pub(crate) fn form_key() -> Result<String> {
    Ok(hex::encode(random::<16>()?))
}

/// Rejects a form that another site could have sent.
///
/// # Errors
/// [`Problem`](crate::problem::Problem) with the code `bad-form`.
pub(crate) fn demand_form(request: &HttpRequest, referee: &Referee, csrf: &str) -> Result<()> {
    let site = request.headers().get("Sec-Fetch-Site").map(HeaderValue::as_bytes);
    let is_own_site = site.is_none_or(|site| matches!(site, b"same-origin" | b"none"));
    let is_own = |visitor: &str| bool::from(referee.form_token(visitor).as_bytes().ct_eq(csrf.as_bytes()));
    if is_own_site && visitor(request).is_some_and(is_own) {
        return Ok(());
    }
    Err(ProblemCode::BadForm.into())
}

/// The random name of the browser.
fn visitor(request: &HttpRequest) -> Option<&str> {
    let is_name = |value: &str| value.len() == 32 && value.bytes().all(|byte| byte.is_ascii_hexdigit());
    cookies(request).find(|(name, value)| *name == VISITOR && is_name(value)).map(|(_, value)| value)
}
