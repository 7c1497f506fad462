//! Pages of HTML that stand in one file and need nothing else.

use base64::{Engine as _, prelude::BASE64_STANDARD};
use croupier_games::printable;
use croupier_picture::STYLE;
use croupier_referee::Digest;

/// How the page is laid out around what it shows.
const PAGE_STYLE: &str = "body{margin:0 auto;padding:1rem;max-width:76rem;font-family:system-ui,sans-serif;color-scheme:light dark}\n";

/// The hash of a style or script, as the policy of a page names it.
pub(crate) fn hash(text: &str) -> String {
    BASE64_STANDARD.encode(Digest::of(text.as_bytes()).0)
}

/// A page with this markup, which the style sheet of pictures lays out. Its policy allows that style and nothing else.
pub(crate) fn page(title: &str, markup: &str) -> String {
    let style = format!("{STYLE}{PAGE_STYLE}");
    let policy = format!(
        "default-src 'none'; style-src 'sha256-{}'; base-uri 'none'; form-action 'none'",
        hash(&style)
    );
    let title = printable(title).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"referrer\" content=\"no-referrer\">\n\
         <title>{title}</title>\n<style>{style}</style>\n</head>\n<body>\n{markup}\n</body>\n</html>\n"
    )
}
