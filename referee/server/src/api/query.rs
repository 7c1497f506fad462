//! The query of a request: only keys that the document describes, and errors that name the key.

use std::future::{Ready, ready};

use actix_web::{FromRequest, HttpRequest, dev::Payload, http::Method, web::Query};
use croupier_games::alike;
use serde::de::DeserializeOwned;

use super::known_routes;
use crate::problem::{Problem, ProblemCode, Result};

/// What a request asks for in its query.
#[derive(Debug)]
pub(super) struct Asked<T>(pub(super) T);

impl<T: DeserializeOwned> FromRequest for Asked<T> {
    type Error = Problem;
    type Future = Ready<Result<Self>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(read(request.query_string()).map(Self))
    }
}

fn read<T: DeserializeOwned>(query: &str) -> Result<T> {
    let read =
        |query: &str| Query::<T>::from_query(query).map(Query::into_inner).map_err(|error| error.to_string());
    read(query).map_err(|error| {
        // Values are read in their order: the first that fails alone makes the same error when nothing follows it.
        let ends = query.match_indices('&').map(|(end, _)| end).chain([query.len()]);
        let failing = ends.map(|end| &query[..end]).find(|begun| read(begun).err().as_ref() == Some(&error));
        let key = failing.and_then(|begun| begun.rsplit('&').next()?.split('=').next());
        match key {
            Some(key) if !error.contains("field") => ProblemCode::BadQuery.because(format!(
                "the query key `{key}` does not take this value; /docs/ says what it takes"
            )),
            _ => ProblemCode::BadQuery.because(error.trim_start_matches("Query deserialize error: ")),
        }
    })
}

/// The number of things on a page: as many as were asked for, by default 50 and at most 200.
pub(super) fn page_size(asked: Option<u32>) -> u32 {
    asked.unwrap_or(50).clamp(1, 200)
}

/// The cursor of the next page, after one that may have `count` things; `None` after the last.
pub(super) fn next<T, C>(found: &[T], count: u32, cursor: impl FnOnce(&T) -> C) -> Option<C> {
    found.last().filter(|_| found.len() == count as usize).map(cursor)
}

/// The time and the id of which a cursor is made.
pub(super) fn instant(cursor: &str) -> Result<(i64, String)> {
    let parts = cursor.split_once('-').and_then(|(ms, id)| Some((ms.parse().ok()?, id.to_owned())));
    parts.ok_or_else(|| ProblemCode::BadCursor.into())
}

/// Rejects keys of a query that the document does not describe for a route.
///
/// # Errors
/// [`Problem`] that names the key.
pub(crate) fn demand_known_keys(method: &Method, pattern: &str, query: &str) -> Result<()> {
    let route = known_routes().iter().find(|route| route.method == method.as_str() && route.path == pattern);
    let Some(route) = route else { return Ok(()) };
    for part in query.split('&').filter(|part| !part.is_empty()) {
        let key = part.split('=').next().unwrap_or_default();
        if route.keys.iter().any(|known| known == key) {
            continue;
        }
        let shown: String = key.chars().take(KEY_SHOWN_MAX).collect();
        let known = route.keys.iter().map(String::as_str);
        let cure = match (alike(&shown, known).first(), route.keys.as_slice()) {
            (_, []) => "this request has no query".to_owned(),
            (Some(near), _) => format!("did you mean `{near}`?"),
            (None, keys) => format!("its keys are {}", keys.join(", ")),
        };
        return Err(ProblemCode::BadQuery.because(format!("there is no query key `{shown}` here: {cure}")));
    }
    Ok(())
}

/// How much of a key is quoted.
const KEY_SHOWN_MAX: usize = 64;

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Debug, Deserialize)]
    #[expect(dead_code, reason = "only errors are looked at")]
    struct Page {
        game: String,
        count: Option<u32>,
        after: Option<u64>,
    }

    #[test]
    fn an_error_in_a_query_names_the_key() {
        for (query, key) in [
            ("game=kuhn&count=many", "`count`"),
            ("count=many&game=kuhn&after=x", "`count`"),
            ("game=kuhn&count=1&after=-1", "`after`"),
            ("count=4294967296&game=kuhn", "`count`"),
            ("count=1", "`game`"),
            ("game=a&game=b", "`game`"),
        ] {
            let problem = read::<Page>(query).expect_err(query).to_string();
            assert!(problem.contains(key), "{query}: {problem}");
        }
        read::<Page>("game=kuhn&count=1").expect("a sound query");
    }

    #[test]
    fn a_key_that_the_document_does_not_describe_is_refused_with_the_near_one() {
        let told = |path: &str, query: &str| {
            demand_known_keys(&Method::GET, path, query).err().map(|problem| problem.to_string())
        };
        assert_eq!(told("/v1/matches", "count=1&player=ann"), None);
        assert_eq!(told("/v1/nothing", "whatever"), None, "what is absent is absent");
        for (path, query, part) in [
            ("/v1/matches", "playr=ann", "did you mean `player`?"),
            ("/v1/matches", "count=1&%00=1", "its keys are"),
            ("/v1/health", "x", "has no query"),
        ] {
            let told = told(path, query).unwrap_or_else(|| panic!("{path}?{query}"));
            assert!(told.contains(part), "{told}");
        }
    }
}
