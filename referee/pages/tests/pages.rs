//! What holds of every page, whatever people and rules put into it.

use askama::Template;
use croupier_games::GameFacts;
use croupier_pages::{
    AgentOffer, ChatPanel, ChatRow, CrossLine, FixtureLine, GameCard, GamePage, GamesPage, HandRow,
    HostPanel, HostSeat, InvitationPage, LobbyPage, Markup, MovesPanel, NamedValue, NewTablePage,
    NextSession, OpenTable, Panel, Panels, PlayedLine, PlayerPage, RatingLine, RefusalNotice, RefusalPage,
    ReplayPage, ReplayStep, RulesNote, RulesPage, SeatRow, SessionPanel, SharedLink, StandingLine, StoryLine,
    StoryPanel, TableControl, TableForm, TableGame, TablePage, TournamentPage, WelcomePage,
    assets::find_asset, render, rules_lines,
};
use croupier_picture::{AmountMove, AmountPreset, AmountRange, ChoiceMoves, MoveChoice};

/// Texts that want to be markup, break out of attributes, or turn the direction of what follows.
const HOSTILE: [&str; 5] = [
    "<script>alert(1)</script>",
    "\"><img src=x onerror=alert(1)>",
    "' onfocus='alert(1)' autofocus='",
    "</title></textarea></style><b>",
    "\u{202e}txt & <!-- javascript:alert(1)",
];

/// A page or a panel, by its name.
type Written = (&'static str, String);

fn written(name: &'static str, page: &impl Template) -> Written {
    (name, render(page).expect("it is written"))
}

fn card(text: &str) -> GameCard {
    let own = || text.to_owned();
    GameCard {
        tags: vec![own()],
        uploaded_by: Some(own()),
        title: own(),
        summary: own(),
        ..GameCard::of("kuhn", &GameFacts::unknown(text), false)
    }
}

fn agents() -> Vec<AgentOffer> {
    vec![AgentOffer { specification: "random", words: "plays at random" }]
}

/// The form that opens a table.
fn form(text: &str, game: TableGame) -> TableForm {
    let own = || text.to_owned();
    TableForm {
        game,
        seats: 2..=6,
        seats_standard: 2,
        is_real_time: false,
        has_stacks: true,
        has_blinds: true,
        stack: 200,
        blinds: [1, 2],
        agents: agents(),
        csrf: own(),
        key: own(),
    }
}

fn value(text: &str) -> NamedValue {
    NamedValue { name: text.to_owned(), value: text.to_owned() }
}

/// The pages that need no table.
fn catalogue(text: &str) -> Vec<Written> {
    let own = || text.to_owned();
    let notes = [RulesNote { severity: "error", code: own(), message: own(), line: 1 }];
    let lines = rules_lines(text, &notes);
    let table = OpenTable { id: own(), title: own(), state: "waiting", seats: vec![Some(own()), None] };
    let game = GamePage {
        card: card(text),
        players: vec![own()],
        source: Some(own()),
        facts: vec![value(text)],
        rules: own(),
        can_open: true,
    };
    let games = GamesPage { games: vec![card(text)], tags: vec![own()], tag: Some(own()) };
    let rules = RulesPage {
        rules: text,
        words: text,
        is_playable: true,
        trouble: Some(own()),
        form: Some(form(text, TableGame::Written { rules: own(), words: own() })),
        lines,
        notes: 1,
    };
    vec![
        written("lobby", &LobbyPage { tables: vec![table], games: vec![card(text)], can_open: true }),
        written("games", &games),
        written("game", &game),
        written("rules", &rules),
        written("refusal", &RefusalPage { status: 404, title: text, detail: text }),
        written("notice", &RefusalNotice { text }),
    ]
}

/// The pages on the way to a table.
fn doors(text: &str) -> Vec<Written> {
    let own = || text.to_owned();
    let chosen = (card(text), form(text, TableGame::Named(own())));
    let new = NewTablePage { games: vec![card(text)], chosen: Some(chosen), trouble: Some(own()) };
    let invitation = InvitationPage {
        address: own(),
        title: own(),
        host: Some(own()),
        seated: vec![own()],
        is_for_watching: false,
        needs_name: true,
        name_max: 40,
        name: own(),
        trouble: Some(own()),
        csrf: own(),
        key: own(),
    };
    let welcome = WelcomePage { recovery: own(), table: own(), title: own() };
    vec![written("new", &new), written("invitation", &invitation), written("welcome", &welcome)]
}

/// The table, and the replay of a hand.
fn tables(text: &str) -> Vec<Written> {
    let own = || text.to_owned();
    let table = TablePage {
        id: own(),
        title: own(),
        reader: own(),
        stream: own(),
        place: Some(1),
        is_host: true,
        has_chat: true,
        csrf: own(),
        key: own(),
        trouble: Some(own()),
        panels: Panels::default(),
    };
    let replay = ReplayPage {
        address: own(),
        title: own(),
        whose: own(),
        view: own(),
        others: vec![value(text)],
        badges: vec![value(text)],
        downloads: vec![value(text)],
        review: own(),
        moments: vec![value(text)],
        result: own(),
        steps: vec![ReplayStep { turn: 1, text: own() }],
        shown: 0,
        picture: Markup::default(),
    };
    vec![written("table", &table), written("replay", &replay)]
}

/// The panel of moves, with a button and an amount.
fn moves(text: &str) -> Written {
    let own = || text.to_owned();
    let choice =
        |moves| MoveChoice { id: "choice-1".into(), key: Some('f'), label: own(), elements: vec![], moves };
    let amount = |amount| AmountMove { amount, term: own(), label: own() };
    let range = AmountRange {
        amounts: vec![amount(1), amount(5)],
        after: own(),
        presets: vec![AmountPreset { label: own(), amount: 5 }],
    };
    let choices = [choice(ChoiceMoves::One(own())), choice(ChoiceMoves::Amounts(range))];
    written(
        "moves",
        &MovesPanel { hand: 1, turn: 2, status: own(), is_asked: true, in_the_dark: true, choices: &choices },
    )
}

/// The other panels.
fn panels(text: &str) -> Vec<Written> {
    let own = || text.to_owned();
    let control = || TableControl::new(text, text);
    let story = [StoryLine { turn: 1, text: own() }];
    let seat = SeatRow {
        place: 1,
        name: Some(own()),
        is_agent: true,
        is_own: true,
        is_away: true,
        has_button: true,
        holds: own(),
        role: Some(own()),
    };
    let session = SessionPanel {
        id: text,
        state: own(),
        terms: own(),
        seats: vec![seat],
        hands: vec![HandRow { index: 1, result: own() }],
        own: vec![control()],
        next: Some(NextSession { address: own(), is_new: true }),
    };
    let link = SharedLink { label: own(), name: own(), url: own(), code: None };
    let host_seat = HostSeat { place: 1, name: Some(own()), requests: vec![control()], takes_agent: true };
    let host =
        HostPanel { requests: vec![control()], seats: vec![host_seat], links: vec![link], agents: agents() };
    let chat = ChatPanel { lines: vec![ChatRow { number: 1, name: own(), text: own() }] };
    vec![
        moves(text),
        written("story", &StoryPanel { hand: 1, lines: &story, end: Some(text) }),
        written("session", &session),
        written("host", &host),
        written("chat", &chat),
    ]
}

/// Tournaments and players.
fn people(text: &str) -> Vec<Written> {
    let own = || text.to_owned();
    let standing = StandingLine {
        place: 1,
        name: own(),
        matches: 1,
        mean: own(),
        interval: own(),
        won_drawn_lost: [1, 0, 0],
        points: Some(own()),
    };
    let tournament = TournamentPage {
        id: own(),
        title: own(),
        game: Some(own()),
        schedule: own(),
        status: own(),
        done: 1,
        all: 2,
        standings: vec![standing],
        crosstable: vec![CrossLine { place: 1, name: own(), means: vec![None, Some(own())] }],
        fixtures: vec![FixtureLine {
            number: 1,
            address: Some(own()),
            entrants: vec![(own(), Some(100)), (own(), None)],
            status: own(),
        }],
        next: Some(own()),
    };
    let played = PlayedLine { game: own(), address: Some(own()), others: vec![own()], result: own() };
    let player = PlayerPage {
        name: own(),
        is_agent: false,
        ratings: vec![RatingLine { game: own(), matches: 1, values: vec![value(text)] }],
        won_drawn_lost: [1, 0, 0],
        matches: vec![played],
    };
    vec![written("tournament", &tournament), written("player", &player)]
}

/// Every page and panel with this text wherever a text may be.
fn pages(text: &str) -> Vec<Written> {
    [catalogue(text), doors(text), tables(text), panels(text), people(text)].concat()
}

/// The tags of a text in HTML: what stands between `<` and `>`, as a browser that knows quotes reads it.
fn tags(html: &str) -> Vec<String> {
    let (mut tags, mut rest) = (Vec::new(), html);
    while let Some((_, begun)) = rest.split_once('<') {
        let mut quote = None;
        let end = begun.find(|char: char| match quote {
            Some(open) => {
                if char == open {
                    quote = None;
                }
                false
            }
            None if char == '"' || char == '\'' => {
                quote = Some(char);
                false
            }
            None => char == '>',
        });
        let end = end.unwrap_or(begun.len());
        tags.push(begun[..end].to_owned());
        rest = &begun[end..];
    }
    tags
}

/// The names of the attributes of a tag.
fn attributes(tag: &str) -> Vec<String> {
    let (mut names, mut rest) =
        (Vec::new(), tag.split_once(char::is_whitespace).map_or("", |(_, rest)| rest));
    loop {
        rest = rest.trim_start();
        let end = rest.find(|char: char| char == '=' || char.is_whitespace()).unwrap_or(rest.len());
        if end == 0 && rest.is_empty() {
            return names;
        }
        names.push(rest[..end].to_lowercase());
        rest = rest[end..].trim_start();
        if let Some(value) = rest.strip_prefix('=') {
            let value = value.trim_start();
            rest = match value.chars().next() {
                Some(quote @ ('"' | '\'')) => value[1..].split_once(quote).map_or("", |(_, rest)| rest),
                _ => value.split_once(char::is_whitespace).map_or("", |(_, rest)| rest),
            };
        }
    }
}

#[test]
fn no_text_becomes_markup_on_any_page() {
    let harmless: Vec<Vec<String>> = pages("harmless").into_iter().map(|(_, html)| tags(&html)).collect();
    for text in HOSTILE {
        for ((name, html), harmless) in pages(text).into_iter().zip(&harmless) {
            let shape = |tag: &String| {
                let element = tag.split(|char: char| char.is_whitespace()).next().unwrap_or_default();
                (element.to_owned(), attributes(tag))
            };
            let (found, expected): (Vec<_>, Vec<_>) =
                (tags(&html).iter().map(shape).collect(), harmless.iter().map(shape).collect());
            assert_eq!(found, expected, "{name} with {text}");
        }
    }
}

#[test]
fn no_page_has_a_script_or_a_style_in_it_or_refers_to_elsewhere() {
    for (name, html) in pages("harmless") {
        for tag in tags(&html) {
            let element = tag.split_whitespace().next().unwrap_or_default().to_lowercase();
            assert_ne!(element, "style", "{name}");
            assert!(element != "script" || tag.contains("src=\"/assets/"), "{name}: {tag}");
            let wrong = attributes(&tag).into_iter().find(|attribute| {
                attribute == "style"
                    || attribute.starts_with("on")
                    || attribute.starts_with("hx-on")
                    || attribute == "hx-vals"
            });
            assert_eq!(wrong, None, "{name}: {tag}");
            assert!(!tag.contains("http://") && !tag.contains("https://"), "{name}: {tag}");
        }
    }
}

#[test]
fn panels_that_are_the_same_are_not_sent_again() {
    let mut before = Panels::default();
    before.set(Panel::Story, Markup::trusted("<p>one</p>".to_owned()));
    before.set(Panel::Chat, Markup::trusted("<p>hello</p>".to_owned()));
    let mut after = before.clone();
    assert_eq!(after.changes(&before).count(), 0);
    after.set(Panel::Table, Markup::trusted("<p>cards</p>".to_owned()));
    after.set(Panel::Story, Markup::trusted("<p>two</p>".to_owned()));
    let names: Vec<&str> = after.changes(&before).map(|(panel, _)| panel.as_str()).collect();
    assert_eq!(names, ["table", "story"], "in the order of the page");
}

#[test]
fn templates_name_no_file_that_is_not_there() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/templates");
    let mut named = 0;
    for file in std::fs::read_dir(folder).expect("a folder of this package") {
        let text = std::fs::read_to_string(file.expect("a file").path()).expect("a text");
        for rest in text.split("assets::url(\"").skip(1) {
            let name = rest.split('"').next().expect("a split has a first part");
            assert!(find_asset(name).is_some(), "{name}");
            named += 1;
        }
    }
    assert!(named > 3, "they are found: {named}");
}
