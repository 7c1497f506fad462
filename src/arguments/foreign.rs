//! What a file is that is neither rules nor records: told by how it begins, so that an error can name it.

use crate::output::failure::Failure;

/// Bytes of a file that are looked at.
const LOOKED_AT: usize = 64 << 10;

/// How files of other kinds begin.
const MAGIC: [(&[u8], &str); 12] = [
    (b"PK\x03\x04", "a ZIP archive"),
    (b"\x1f\x8b", "a file compressed by gzip"),
    (b"BZh", "a file compressed by bzip2"),
    (b"\xfd7zXZ\0", "a file compressed by xz"),
    (b"\x28\xb5\x2f\xfd", "a file compressed by zstd"),
    (b"\x7fELF", "a program"),
    (b"MZ", "a program"),
    (b"\x89PNG", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"GIF8", "a GIF image"),
    (b"%PDF", "a PDF document"),
    (b"SQLite format 3\0", "an SQLite database, such as the store of `croupier serve`"),
];

/// A kind of file that is neither rules nor records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Foreign {
    /// What it is, with its article.
    pub(crate) what: &'static str,
    /// What can be done.
    help: &'static str,
}

impl Foreign {
    const fn new(what: &'static str, help: &'static str) -> Self {
        Self { what, help }
    }

    /// That it was given where something else is wanted.
    pub(crate) fn refused(self, code: &'static str, wanted: &str, place: &str) -> Failure {
        Failure::refuse(code, format!("the file is {}, not {wanted}", self.what)).at(place).help(self.help)
    }
}

const RECORDS: &str = "a record of matches";

const TEXT: &str = "rules are text: a file in GDL, often called .gdl or .kif";

/// What the bytes of a file are, if they are certainly not rules.
pub(crate) fn not_rules(bytes: &[u8]) -> Option<Foreign> {
    let bytes = &bytes[..bytes.len().min(LOOKED_AT)];
    if let Some((_, what)) = MAGIC.iter().find(|(magic, _)| bytes.starts_with(magic)) {
        return Some(Foreign::new(what, TEXT));
    }
    if is_utf_16(bytes) {
        let help = "save it as UTF-8, or convert it: iconv -f UTF-16 -t UTF-8 FILE > NEW";
        return Some(Foreign::new("text in UTF-16", help));
    }
    if bytes.contains(&0) {
        return Some(Foreign::new("a binary file", TEXT));
    }
    let text = String::from_utf8_lossy(bytes);
    let text = text.trim_start_matches('\u{feff}').trim_start();
    if text.starts_with("EFG 2 ") {
        let help =
            "rules cannot be made of a tree; `croupier export GAME --format efg` makes a tree of rules";
        return Some(Foreign::new("a game in extensive form (.efg)", help));
    }
    if text.starts_with("NFG 1 ") {
        return Some(Foreign::new(
            "a game in strategic form (.nfg)",
            "Croupier plays games whose rules are written in GDL",
        ));
    }
    let is_markup = ["<!doctype", "<html", "<?xml"]
        .iter()
        .any(|start| text.get(..start.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(start)));
    if is_markup {
        let help = "if it is the page about a file of rules, download the file itself: on GitHub by \"Raw\"";
        return Some(Foreign::new("HTML or XML", help));
    }
    json(text).or_else(|| {
        is_prolog(text).then(|| {
            let help = "GDL has prefix syntax: (<= (legal ?p pass) (role ?p)) for legal(P, pass) :- role(P).";
            Foreign::new("a logic program, in Prolog or for an answer set solver", help)
        })
    })
}

/// What a file is that was given instead of records.
pub(crate) fn not_records(bytes: &[u8]) -> Option<Foreign> {
    const RECORD: &str = "a record is written by `croupier play GAME --record FILE`, and never changed";
    if let Some(foreign) = not_rules(bytes).filter(|foreign| foreign.what != RECORDS) {
        return Some(if foreign.help == TEXT { Foreign::new(foreign.what, RECORD) } else { foreign });
    }
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(LOOKED_AT)]);
    // A record has rules in it, too.
    let is_line_of_rules =
        |line: &str| line.starts_with('(') || (line.contains("<=") && !line.starts_with('{'));
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with(';'));
    lines.next().is_some_and(is_line_of_rules).then(|| Foreign::new("rules of a game", RECORD))
}

/// Whether a text is UTF-16: by its mark, or because every other byte of its ASCII is zero.
fn is_utf_16(bytes: &[u8]) -> bool {
    let zeros = |first: usize| bytes.iter().skip(first).step_by(2).filter(|&&byte| byte == 0).count();
    let is_mostly = |zeros: usize| zeros * 3 > bytes.len();
    let has_mark = bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff");
    (has_mark && bytes.len().is_multiple_of(2))
        || (bytes.len() > 1 && (is_mostly(zeros(0)) != is_mostly(zeros(1))))
}

/// Which JSON it is, by its first line or the beginning of the whole.
fn json(text: &str) -> Option<Foreign> {
    if !text.starts_with(['{', '[']) {
        return None;
    }
    let has = |key: &str| text.contains(&format!("\"{key}\""));
    let first = text.lines().next().unwrap_or_default();
    Some(if first.contains("\"event\":\"genesis\"") {
        Foreign::new(RECORDS, "`croupier replay FILE` shows and verifies it")
    } else if first.contains("\"tournament\":") {
        Foreign::new("a file of results", "`croupier tournament --results FILE` goes on with it")
    } else if has("information_sets") {
        Foreign::new("a policy", "a policy is seated: --seat ROLE=policy:FILE")
    } else {
        Foreign::new("JSON", TEXT)
    })
}

/// Whether a text is a logic program in another syntax: rules with `:-` and clauses that end in a full stop.
fn is_prolog(text: &str) -> bool {
    let line = |line: &str| line.split('%').next().unwrap_or_default().trim().to_owned();
    let lines: Vec<String> = text.lines().map(line).filter(|line| !line.is_empty()).collect();
    let stops = lines.iter().filter(|line| line.ends_with('.')).count();
    let is_foreign =
        |line: &String| line.starts_with(['(', ';']) || line.contains("<=") || line.contains('?');
    let first = lines
        .first()
        .is_some_and(|line| line.starts_with(|char: char| char.is_ascii_lowercase() || char == ':'));
    first && stops * 3 > lines.len() && !lines.iter().any(is_foreign)
}

#[cfg(test)]
mod tests {
    use super::{not_records, not_rules};

    fn what(bytes: &[u8]) -> Option<&'static str> {
        not_rules(bytes).map(|foreign| foreign.what)
    }

    #[test]
    fn files_are_told_by_how_they_begin() {
        let utf_16 = |text: &str, mark: &[u8], order: fn(u16) -> [u8; 2]| {
            [mark.to_vec(), text.encode_utf16().flat_map(order).collect()].concat()
        };
        assert_eq!(what(&utf_16("(role a)", b"\xff\xfe", u16::to_le_bytes)), Some("text in UTF-16"));
        assert_eq!(what(&utf_16("(role a)", b"", u16::to_be_bytes)), Some("text in UTF-16"));
        assert_eq!(what(b"\x7fELF\x02\x01"), Some("a program"));
        assert_eq!(what(b"(role a)\0\0\0\x01"), Some("a binary file"));
        assert_eq!(what(b"EFG 2 R \"Kuhn\" { \"a\" }"), Some("a game in extensive form (.efg)"));
        assert_eq!(what(b"{\"format\":\"x\",\"information_sets\":{}}"), Some("a policy"));
        assert_eq!(what(b"{\"a\":1}"), Some("JSON"));
        assert_eq!(what(b"<!DOCTYPE html>"), Some("HTML or XML"));
        let prolog = b"% tic-tac-toe\nrole(x).\nrole(o).\nlegal(P, noop) :-\n    role(P),\n    \\+ true(control(P)).\n";
        assert_eq!(what(prolog), Some("a logic program, in Prolog or for an answer set solver"));
        assert_eq!(not_records(b"; my game\n(role a)").map(|foreign| foreign.what), Some("rules of a game"));
        assert_eq!(not_records(b"dear diary"), None);
    }

    #[test]
    fn rules_in_any_syntax_and_state_are_left_to_the_checks() {
        let infix = "role(x)\nlegal(?p, noop) :- role(?p)\nterminal :- true(over)\n";
        let games = croupier_games::catalogue().iter().map(|entry| entry.rules);
        for text in games.chain([infix, "", "(role", "; nothing", "role", "\u{feff}(role a)", "(a b) % c"]) {
            assert_eq!(what(text.as_bytes()), None, "{text:.60}");
        }
    }
}
