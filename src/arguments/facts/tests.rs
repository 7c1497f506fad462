//! What is found in a `game.toml`, and what is suggested.

use croupier_engine::{
    Limits, Strictness,
    stages::check::{Checked, check_text},
};

use super::{
    FactsFile,
    codes::{CODES, RULES},
};

const HEAD: &str = "title = 'T'\nsummary = 'S'\n";

/// Rules with chance, a percept and squares.
const SQUARES: &str = "\
(role alice) (role bob) (role random)
(card king) (card queen) (column a) (column b)
(init (cell a 1 blank)) (init (cell b 1 blank)) (init (to_act alice))
(<= (legal alice (deal ?card)) (card ?card) (true (to_act alice)))
(<= (legal ?role noop) (role ?role) (distinct ?role alice))
(<= (next (cell ?column 1 ?card)) (column ?column) (does alice (deal ?card)))
(<= (sees bob (did alice ?move)) (does alice ?move))
(<= terminal (true (cell ?column 1 king)))
(goal alice 50) (goal bob 50)";

fn file(body: &str) -> FactsFile {
    FactsFile { path: "game.toml".to_owned(), text: format!("{HEAD}{body}") }
}

fn checked(rules: &str) -> Checked {
    check_text(rules, Strictness::Compatible, &Limits::STANDARD)
}

#[test]
fn a_slip_is_found_at_its_place_and_what_was_meant_is_suggested() {
    let cases = [
        ("[moves]\n\"(dael ?card)\" = 'x'", "(dael ?card)", "did you mean `(deal ?card)`?"),
        ("[moves]\n\"(deal qeen)\" = 'x'", "qeen", "did you mean `(deal queen)`?"),
        ("[moves]\n\"(deal alice)\" = 'x'", "alice", "there are `king`, `queen`"),
        ("[moves]\n\"(deal ?card ?to)\" = 'x'", "(deal ?card ?to)", "did you mean `(deal ?1)`?"),
        ("[moves]\n\"(Deal ?Card)\" = 'x'", "(Deal ?Card)", "write `(deal ?Card)`"),
        ("[moves]\n\"(did ?player ?move)\" = 'x'", "(did ?player ?move)", "move the line to [percepts]"),
        ("[percepts]\n\"(did bob ?move)\" = 'x'", "bob", "there is `alice`"),
        (
            "[percepts]\n\"(did alice (dael ?card))\" = 'x'",
            "(dael ?card)",
            "did you mean `(did alice (deal ?card))`?",
        ),
        ("[table]\nto_act = 'x'", "to_act", "did you mean `(to_act ?1)`?"),
        (
            "[table]\n\"(to_act ?player) if (cel ?c ?r king)\" = 'x'",
            "(cel ?c ?r king)",
            "(cell ?c ?r king)`?",
        ),
        ("[symbols]\nkign = 'x'", "kign", "did you mean `king`?"),
        (
            "[[board]]\ncolumns = ['a', 'c']\nrows = ['1']\n[board.squares]\n'(cell ?column ?row ?mark)' = 'x'",
            "c",
            "name columns",
        ),
        (
            "[table]\n\"(cell ?c ?r ?m)\" = 'x'\n\"(cell a ?r ?m)\" = 'y'",
            "(cell a ?r ?m)",
            "above the line for `(cell ?c ?r ?m)`",
        ),
        ("[mvoes]\na = 'x'", "mvoes", "did you mean `moves`?"),
        ("[moves]\n\"(deal ?card)\" = '{crad}'", "{crad}", "docs/game-toml.md"),
        ("[moves]\n(deal ?card) = 'x'", "", "put patterns and words in quotes"),
    ];
    for (body, place, help) in cases {
        let file = file(body);
        let found = file.findings(&checked(SQUARES));
        let [found] = &found[..] else { panic!("{body}: {found:#?}") };
        assert_eq!(&file.text[found.span.range()], place, "{body}: {found:?}");
        let said = found.help.as_deref().unwrap_or_default();
        assert!(said.contains(help), "{body}: {found:?}");
    }
}

#[test]
fn what_fits_is_not_found() {
    let body = "[symbols]\nalice = 'A'\nking = 'K'\n\
        [moves]\n\"(deal ?card)\" = '{card}'\nnoop = 'w'\n[percepts]\n\"(did ?player (deal king))\" = 'x'\n\
        [table]\n\"(to_act ?player)\" = 'x'\n\"(cell ?c ?r blank)\" = ''\n\"(cell ?c ?r ?m)\" = '{m}'\n\
        [[board]]\ncolumns = ['a', 'b']\nrows = ['1']\n[board.squares]\n'(cell ?column ?row ?mark)' = 'x'\n";
    let file = FactsFile { path: String::new(), text: format!("{HEAD}{body}") };
    assert_eq!(file.findings(&checked(SQUARES)), []);
}

#[test]
fn each_code_tells_its_two_examples_apart() {
    for code in CODES {
        let found = |text: &str| {
            let file = FactsFile { path: String::new(), text: text.to_owned() };
            file.findings(&checked(RULES)).into_iter().map(|found| found.code).collect::<Vec<_>>()
        };
        assert_eq!(found(code.explanation.rejected), [code.name], "{}", code.name);
        assert_eq!(found(code.explanation.accepted), [""; 0], "{}", code.name);
    }
}

/// Real rules are the test of what is said to be impossible: every pattern of the catalogue fits something.
#[test]
fn nothing_is_found_in_the_catalogue() {
    let entries = croupier_games::catalogue().iter().chain(croupier_games::real_time_catalogue());
    let mut failures = Vec::new();
    for entry in entries {
        let file = FactsFile { path: entry.name.to_owned(), text: entry.facts_toml.to_owned() };
        let found = file.findings(&checked(entry.rules));
        failures.extend(found.iter().map(|found| {
            format!(
                "{}: {} {}: {} ({:?})",
                entry.name,
                found.code,
                &file.text[found.span.range()],
                found.message,
                found.help
            )
        }));
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
