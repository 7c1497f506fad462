//! Requests that may come twice, and are answered once.

use actix_web::HttpRequest;
use croupier_referee::Digest;

use crate::{
    problem::{ProblemCode, Result},
    rights::Actor,
};

/// Maximum length of a key.
const KEY_MAX: usize = 255;

/// A request that may come twice.
#[derive(Clone, Debug)]
pub(crate) struct Idempotency {
    /// Who asks.
    pub(crate) actor: String,
    /// What the request is called.
    pub(crate) key: String,
    /// SHA-256 of what is asked for.
    pub(crate) request: String,
}

impl Idempotency {
    /// The key of a request, if it has one.
    ///
    /// # Errors
    /// [`Problem`] if the key is empty, too long or not ASCII.
    pub(crate) fn of(request: &HttpRequest, actor: &Actor, body: &[u8]) -> Result<Option<Self>> {
        match request.headers().get("Idempotency-Key").map(|value| value.to_str()) {
            None => Ok(None),
            Some(Ok(key)) if (1..=KEY_MAX).contains(&key.len()) => {
                let request = Digest::of(body).to_string();
                Ok(Some(Self { actor: actor.name(), key: key.to_owned(), request }))
            }
            Some(_) => Err(ProblemCode::BadKey.into()),
        }
    }

    /// What was made when the request came first, of an id and what was asked for then.
    ///
    /// # Errors
    /// [`Problem`] if something else was asked for.
    pub(crate) fn earlier(&self, answered: Option<(String, String)>) -> Result<Option<String>> {
        match answered {
            Some((_, request)) if request != self.request => Err(ProblemCode::OtherRequest.into()),
            answered => Ok(answered.map(|(id, _)| id)),
        }
    }
}

/// The answer to a request: what was answered earlier, if it came before, and otherwise what is made now.
///
/// # Errors
/// [`Problem`] with the request.
pub(crate) async fn once<T>(
    asked: Option<Idempotency>,
    answered: impl AsyncFn(&Idempotency) -> Result<Option<T>>,
    make: impl Future<Output = Result<T>>,
) -> Result<T> {
    let Some(asked) = asked else { return make.await };
    if let Some(earlier) = answered(&asked).await? {
        return Ok(earlier);
    }
    match make.await {
        // Perhaps the same request has just been answered elsewhere.
        Err(problem) => answered(&asked).await?.ok_or(problem),
        made => made,
    }
}
