//! Texts from clients: none of them has the character NUL, which no name, rule or move needs and PostgreSQL does not store.

use actix_web::http::Uri;
use percent_encoding::percent_decode_str;

use crate::problem::{Problem, Result};

/// Rejects an address with the character NUL.
///
/// # Errors
/// [`Problem`].
pub(crate) fn demand_address(uri: &Uri) -> Result<()> {
    let has_nul =
        uri.path_and_query().is_some_and(|text| percent_decode_str(text.as_str()).any(|byte| byte == 0));
    if has_nul { Err(Problem::nul("the address of the request")) } else { Ok(()) }
}

/// Rejects JSON with the character NUL in a string: as it is, or escaped.
///
/// # Errors
/// [`Problem`].
pub(crate) fn demand_json(body: &[u8]) -> Result<()> {
    let mut rest = body;
    while let Some(place) = rest.iter().position(|byte| matches!(byte, 0 | b'\\')) {
        if rest[place] == 0 || rest[place..].starts_with(b"\\u0000") {
            return Err(Problem::nul("the body of the request"));
        }
        // Whatever is escaped is skipped: of two backslashes, the second escapes nothing.
        rest = rest.get(place + 2..).unwrap_or_default();
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nul_is_found_in_addresses_and_in_json_and_what_only_looks_like_it_is_not() {
        for (address, is_fit) in [
            ("/v1/games/%00", false),
            ("/v1/matches?player=a%00b", false),
            ("/v1/games/%2500", true),
            ("/v1/games/kuhn?x=%30%30", true),
        ] {
            assert_eq!(demand_address(&address.parse().expect("an address")).is_ok(), is_fit, "{address}");
        }
        for (body, is_fit) in [
            (r#"{"game":"a\u0000b"}"#, false),
            (r#"{"game":"\\\u0000"}"#, false),
            (r#"{"game":"\\u0000"}"#, true),
            (r#"{"game":"\u00e9\"\\"}"#, true),
            (r#"\"#, true),
            ("{\"game\":\"\0\"}", false),
        ] {
            assert_eq!(demand_json(body.as_bytes()).is_ok(), is_fit, "{body}");
        }
    }
}
