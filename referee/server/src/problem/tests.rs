//! The list of codes, and its page.

use std::{env, fs};

use actix_web::http::StatusCode;

use super::ProblemCode;

#[test]
fn the_page_of_problems_lists_every_code_with_its_status_and_meaning() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/problems.md");
    let page = fs::read_to_string(path).expect("the page");
    let (text, _) = page.split_once("| code |").expect("a table");
    let mut expected = format!("{text}| code | status | means |\n|---|---|---|\n");
    for code in ProblemCode::ALL {
        expected += &format!("| `{code}` | {} | {} |\n", code.status().as_u16(), code.meaning());
    }
    if env::var_os("CROUPIER_BLESS").is_some() {
        fs::write(path, &expected).expect("the page");
    }
    assert!(page == expected, "run this test with CROUPIER_BLESS=1 to make docs/problems.md again");
}

#[test]
fn codes_are_words_in_alphabetical_order_and_only_failures_of_the_server_are_to_be_retried() {
    assert!(ProblemCode::ALL.is_sorted_by(|one, other| one.as_str() < other.as_str()));
    for code in ProblemCode::ALL {
        assert!(code.as_str().bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-'), "{code}");
        assert!(code.retry_after_s().is_none() || code.status().is_server_error(), "{code}");
    }
}

#[test]
fn an_error_of_the_framework_gets_the_code_of_its_status() {
    for (status, word) in [
        (StatusCode::NOT_FOUND, "not-found"),
        (StatusCode::PAYLOAD_TOO_LARGE, "too-large"),
        (StatusCode::EXPECTATION_FAILED, "bad-request"),
        (StatusCode::BAD_GATEWAY, "internal"),
    ] {
        assert_eq!(ProblemCode::of_status(status).as_str(), word);
    }
}
