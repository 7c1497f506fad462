//! Pictures of recorded matches, and pages that play them.

use std::{env, fs};

use croupier_referee::Digest;
use croupier_tests::{command::Program, corpus::workspace};

use crate::program;

/// The pictures of the documentation: a game, the seed of a match between random players, a turn, and who looks.
/// `CROUPIER_BLESS=1 cargo test --test command pictures` draws them anew.
const DRAWN: [(&str, &str, &str, Option<&str>); 9] = [
    ("holdem", "9", "17", Some("alice")),
    ("hearts-small", "2", "22", Some("alice")),
    ("gin-rummy-small", "2", "24", Some("bob")),
    ("chess", "3", "13", None),
    ("backgammon", "3", "30", None),
    ("dark-hex-3x3", "5", "5", Some("black")),
    ("battleship-4x4", "4", "9", Some("blue")),
    ("hanabi-small", "11", "16", Some("alice")),
    ("liars-dice-2", "7", "8", Some("alice")),
];

/// A record of one match between random players.
fn record(program: &Program, game: &str, seed: &str) -> String {
    let path = program.path(&format!("{game}-{seed}.jsonl"));
    let arguments =
        ["play", game, "--seed", seed, "--record", &path, "--seat", "1=random", "--seat", "2=random"];
    let third: &[&str] = if game == "hearts-small" { &["--seat", "3=random"] } else { &[] };
    program.output(&[&arguments[..], third].concat());
    path
}

#[test]
fn the_pictures_of_the_documentation_are_what_the_program_draws() {
    let program = program("drawn");
    for (game, seed, turn, role) in DRAWN {
        let record = record(&program, game, seed);
        let seat = role.map(|role| ["--role", role]);
        let arguments = ["replay", &record, "--format", "svg", "--turn", turn];
        let drawn = program.output(&[&arguments[..], seat.as_ref().map_or(&[], |seat| &seat[..])].concat());
        let path = workspace().join(format!("docs/pictures/{game}.svg"));
        if env::var_os("CROUPIER_BLESS").is_some() {
            fs::write(&path, &drawn).expect("the picture can be written");
        }
        let kept = fs::read_to_string(&path).unwrap_or_default();
        assert!(
            drawn == kept,
            "CROUPIER_BLESS=1 cargo test --test command pictures draws {}",
            path.display()
        );
    }
}

/// What stands between two marks.
fn between<'t>(text: &'t str, start: &str, end: &str) -> &'t str {
    let (_, rest) = text.split_once(start).unwrap_or_else(|| panic!("{start} is there"));
    rest.split_once(end).unwrap_or_else(|| panic!("{end} is there")).0
}

/// Bytes in base 64.
fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let group = |bytes: &[u8]| -> String {
        let number =
            (0..3).fold(0_u32, |number, place| number << 8 | u32::from(*bytes.get(place).unwrap_or(&0)));
        let letter = |place: usize| match place <= bytes.len() {
            true => char::from(LETTERS[(number >> (18 - 6 * place) & 63) as usize]),
            false => '=',
        };
        (0..4).map(letter).collect()
    };
    bytes.chunks(3).map(group).collect()
}

#[test]
fn a_page_that_plays_a_match_allows_its_own_script_and_style_and_nothing_else() {
    let program = program("page");
    let (record, page) = (record(&program, "holdem", "9"), program.path("page.html"));
    program.output(&["replay", &record, "--html", &page]);
    let html = fs::read_to_string(&page).expect("a page");
    let policy = between(&html, "Content-Security-Policy\" content=\"", "\"");
    let hash = |text: &str| format!("'sha256-{}'", base64(&Digest::of(text.as_bytes()).0));
    let script = between(&html, "</script>\n<script>", "</script>");
    let expected = format!(
        "default-src 'none'; script-src {}; style-src {}; base-uri 'none'; form-action 'none'",
        hash(script),
        hash(between(&html, "<style>", "</style>"))
    );
    assert_eq!(policy, expected);
    assert!(
        !html.contains("http://") && !html.contains("https://") && !html.contains(" style="),
        "nothing is from elsewhere"
    );
    // Everybody, Alice and Bob; and words for those without a script.
    let data: serde_json::Value =
        serde_json::from_str(between(&html, "id=\"match\">", "</script>")).expect("JSON");
    let views = data["views"].as_array().expect("views");
    assert_eq!(
        views.iter().map(|view| view["name"].as_str()).collect::<Vec<_>>(),
        [Some("everybody"), Some("Alice"), Some("Bob")]
    );
    let turns = program.output(&["replay", &record]).lines().filter(|line| line.starts_with("turn ")).count();
    assert!(
        views.iter().all(|view| view["frames"].as_array().is_some_and(|frames| frames.len() == turns + 1))
    );
    assert!(html.contains("<li value=\"1\">"));
    // It is not replaced unasked.
    assert!(program.refusal(&["replay", &record, "--html", &page]).contains("file-exists"));
}

/// What a link of a page holds, by the file that it is saved as.
fn held(html: &str, ending: &str) -> Option<String> {
    let (before, after) = html.split_once(&format!("{ending}\" href=\"data:"))?;
    assert!(before.ends_with(|sign: char| sign.is_ascii_alphanumeric()), "a name stands before {ending}");
    let contents = after.split_once(";base64,")?.1.split_once('"')?.0;
    String::from_utf8(unbase64(contents)).ok()
}

/// The bytes of a text in base 64.
fn unbase64(text: &str) -> Vec<u8> {
    let number = |letter: u8| match letter {
        b'A'..=b'Z' => letter - b'A',
        b'a'..=b'z' => letter - b'a' + 26,
        b'0'..=b'9' => letter - b'0' + 52,
        b'+' => 62,
        _ => 63,
    };
    let (mut bytes, mut bits, mut held) = (Vec::new(), 0_u32, 0);
    for letter in text.bytes().filter(|&letter| letter != b'=') {
        bits = bits << 6 | u32::from(number(letter));
        held += 6;
        if held >= 8 {
            held -= 8;
            bytes.push((bits >> held) as u8);
            bits &= (1 << held) - 1;
        }
    }
    bytes
}

#[test]
fn a_page_of_a_match_that_is_over_holds_its_record_and_its_hand_history() {
    let program = program("page to take away");
    for (game, is_poker) in [("holdem", true), ("tic-tac-toe", false)] {
        let (record, page) = (record(&program, game, "9"), program.path(&format!("{game}.html")));
        program.output(&["replay", &record, "--html", &page]);
        let html = fs::read_to_string(&page).expect("a page");
        assert_eq!(held(&html, ".jsonl"), Some(fs::read_to_string(&record).expect("a record")));
        let hand = is_poker.then(|| program.output(&["replay", &record, "--format", "phh"]));
        assert_eq!(held(&html, ".phh"), hand);
        assert!(
            html.contains("<b>replays</b>")
                && html.contains("<b>sealed</b>")
                && html.contains("<b>whole</b>")
        );
        // What one role knew has neither: both tell what was hidden.
        program.output(&["replay", &record, "--html", &page, "--force", "--role", role_of(game)]);
        let html = fs::read_to_string(&page).expect("a page");
        assert!(!html.contains("data:") && html.contains("<b>replays</b>"));
    }
}

/// A role of a game.
fn role_of(game: &str) -> &'static str {
    if game == "holdem" { "alice" } else { "x" }
}

#[test]
fn a_page_of_one_role_has_nothing_that_this_role_did_not_know() {
    let program = program("page of one");
    let mut hidden = 0;
    for seed in ["1", "2", "3", "4", "5", "6"] {
        let (record, page) = (record(&program, "holdem", seed), program.path(&format!("{seed}.html")));
        program.output(&["replay", &record, "--html", &page, "--role", "alice"]);
        let html = fs::read_to_string(&page).expect("a page");
        let told = program.output(&["replay", &record, "--role", "alice"]);
        let whole = program.output(&["replay", &record]);
        let named = [("A", "ace"), ("K", "king"), ("Q", "queen"), ("J", "jack")];
        let numbers = ["10", "9", "8", "7", "6", "5", "4", "3", "2"].map(|rank| (rank, rank));
        for (rank, name) in named.into_iter().chain(numbers) {
            for (sign, suit) in [('s', "spades"), ('h', "hearts"), ('d', "diamonds"), ('c', "clubs")] {
                let card = format!("{rank}{sign}");
                let is_in =
                    |text: &str| text.split(|char: char| !char.is_alphanumeric()).any(|word| word == card);
                let label = format!("{name} of {suit}");
                assert_eq!(html.contains(&format!("\"{label}")), is_in(&told), "{seed}: {card}");
                hidden += usize::from(is_in(&whole) && !is_in(&told));
            }
        }
    }
    assert!(hidden > 5, "{hidden} cards were hidden");
}

#[test]
fn a_position_is_drawn_without_a_record_as_a_match_of_its_seed_has_it() {
    let program = program("position");
    for (game, seed, turn, role) in [
        ("holdem", "9", 17, Some("alice")),
        ("gin-rummy-small", "2", 16, Some("bob")),
        ("chess", "3", 13, None),
    ] {
        let record = record(&program, game, seed);
        let turn_text = turn.to_string();
        let seat = role.map_or(Vec::new(), |role| vec!["--role", role]);
        let replayed = [&["replay", &record, "--format", "svg", "--turn", &turn_text], &seat[..]].concat();
        let report: serde_json::Value =
            serde_json::from_str(&program.output(&["replay", &record, "--json"])).expect("JSON");
        let mut moves = Vec::new();
        for played in report["matches"][0]["turns"].as_array().expect("turns").iter().take(turn) {
            for (name, legal) in played["legal"].as_object().expect("roles") {
                if name != "random" && legal.as_array().is_some_and(|legal| legal.len() > 1) {
                    moves.push(format!("{name}: {}", played["moves"][name].as_str().expect("a move")));
                }
            }
        }
        let moves = moves.join(", ");
        let position = ["show", game, "--svg", "--seed", seed, "--turn", &turn_text, "--moves", &moves];
        assert_eq!(
            program.output(&[&position[..], &seat].concat()),
            program.output(&replayed),
            "{game}: {moves}"
        );
    }
    let typed = program.output(&["show", "chess", "--svg", "--moves", "e4, e5, Nf3"]);
    assert_ne!(typed, program.output(&["show", "chess", "--svg"]));
    let refused = program.refusal(&["show", "chess", "--svg", "--moves", "e4, e9"]);
    assert!(refused.contains("e9") && refused.contains("turn 1"), "{refused}");
    // It says what could be named, and nothing of typing at a terminal.
    assert!(refused.contains("is not a legal move") && !refused.contains("type a number"), "{refused}");
    let legal = program.refusal(&["show", "kuhn", "--svg", "--moves", "raise"]);
    assert!(legal.contains("legal are: bet, check"), "{legal}");
    let refused = program.refusal(&["show", "tic-tac-toe", "--svg", "--turn", "12"]);
    assert!(refused.contains("--turn takes 0 to"), "{refused}");
    assert!(program.refusal(&["show", "chess", "--svg", "--moves", "e4, e5", "--turn", "1"]).contains("e5"));
}

#[test]
fn a_page_of_one_role_reviews_its_decisions_if_that_is_asked_for() {
    let program = program("page with a review");
    let (record, page) = (record(&program, "leduc", "4"), program.path("review.html"));
    program.output(&["replay", &record, "--html", &page, "--role", "bob", "--trainer"]);
    let html = fs::read_to_string(&page).expect("a page");
    let report: serde_json::Value =
        serde_json::from_str(&program.output(&["review", &record, "--role", "bob", "--json"])).expect("JSON");
    let decisions = report["decisions"].as_array().expect("decisions");
    assert!(!decisions.is_empty());
    assert_eq!(html.matches("<article data-turn=").count(), decisions.len());
    let turns = program.output(&["replay", &record]).lines().filter(|line| line.starts_with("turn ")).count();
    assert_eq!(report["entropy_bits"].as_array().map(Vec::len), Some(turns + 1));
    assert!(html.contains("<figcaption>Bits unknown by turn</figcaption>"));
    assert!(html.contains("gave up") && html.contains("<b>replays</b>"), "{}", &html[html.len() - 3_000..]);
    assert!(
        program.refusal(&["replay", &record, "--html", &page, "--trainer", "--force"]).contains("--role")
    );
}

#[test]
fn pictures_are_of_one_match_and_of_a_turn_that_it_has() {
    let program = program("one picture");
    let several = program.path("several.jsonl");
    program.output(&["play", "kuhn", "--matches", "2", "--record", &several]);
    assert!(program.refusal(&["replay", &several, "--format", "svg"]).contains("--match"));
    let refused = program.refusal(&["replay", &several, "--match", "1", "--format", "svg", "--turn", "99"]);
    assert!(refused.contains("--turn takes 0 to"), "{refused}");
    assert!(program.refusal(&["replay", &several, "--match", "1", "--turn", "1"]).contains("--format svg"));
    let drawn = program.output(&["show", "connect-four", "--svg"]);
    assert_eq!(drawn.matches("data-element").count(), 42);
}
