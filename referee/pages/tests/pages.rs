//! What holds of every page, whatever people and rules put into it.

use croupier_games::GameFacts;
use croupier_pages::{
    AgentOffer, ChatPanel, ChatRow, FixtureLine, GameCard, GamePage, GamesPage, HandRow, HostPanel, HostSeat,
    InvitationPage, LobbyPage, Markup, MovesPanel, NamedValue, NewTablePage, Notice, OpenTable, Panel,
    Panels, PlayerPage, Refusal, ReplayPage, ReplayStep, RulesNote, RulesPage, SeatRow, SessionPanel,
    SharedLink, StandingLine, StoryLine, StoryPanel, TableControl, TablePage, TournamentPage, WelcomePage,
    render, rules_lines,
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

/// Every page and panel with this text wherever a text may be.
fn pages(text: &str) -> Vec<(&'static str, String)> {
    let own = || text.to_owned();
    let card = GameCard {
        tags: vec![own()],
        uploaded_by: Some(own()),
        title: own(),
        summary: own(),
        ..GameCard::of("kuhn", &GameFacts::unknown(text), false)
    };
    let value = || NamedValue { name: own(), value: own() };
    let notes = [RulesNote { severity: "error", code: own(), message: own(), line: 1 }];
    let control = || TableControl::new(text, text);
    let agents = || vec![AgentOffer { specification: "random", words: "plays at random" }];
    let choice =
        |moves| MoveChoice { id: "choice-1".into(), key: Some('f'), label: own(), elements: vec![], moves };
    let amount = |amount| AmountMove { amount, term: own(), label: own() };
    let range = AmountRange {
        amounts: vec![amount(1), amount(5)],
        after: own(),
        presets: vec![AmountPreset { label: own(), amount: 5 }],
    };
    let choices = [choice(ChoiceMoves::One(own())), choice(ChoiceMoves::Amounts(range))];
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
    let table = OpenTable { id: own(), title: own(), state: "waiting", seats: vec![Some(own()), None] };
    let standing =
        StandingLine { place: 1, name: own(), matches: 1, mean: own(), interval: own(), points: Some(own()) };
    let fixture = FixtureLine { match_id: Some(own()), entrants: vec![own()], status: own() };
    let link = SharedLink { label: own(), name: own(), url: own(), code: None };
    let host_seat = HostSeat { place: 1, name: Some(own()), requests: vec![control()], takes_agent: true };
    let written =
        |name, page: Result<String, croupier_pages::PageError>| (name, page.expect("it is written"));
    vec![
        written(
            "lobby",
            render(&LobbyPage { tables: vec![table], games: vec![card.clone()], can_open: true }),
        ),
        written(
            "games",
            render(&GamesPage {
                games: vec![card.clone()],
                tags: vec![own()],
                tag: Some(own()),
                can_upload: true,
            }),
        ),
        written(
            "game",
            render(&GamePage {
                card: card.clone(),
                players: vec![own()],
                source: Some(own()),
                facts: vec![value()],
                rules: own(),
                can_open: true,
            }),
        ),
        written(
            "rules",
            render(&RulesPage {
                stored_as: Some(own()),
                is_playable: true,
                lines: rules_lines(text, &notes),
                notes: 1,
            }),
        ),
        written(
            "new",
            render(&NewTablePage {
                games: vec![card.clone()],
                chosen: Some(card),
                seats: 2..=6,
                seats_standard: 2,
                has_stacks: true,
                has_blinds: true,
                stack: 200,
                blinds: [1, 2],
                agents: agents(),
                trouble: Some(own()),
                csrf: own(),
                key: own(),
            }),
        ),
        written(
            "invitation",
            render(&InvitationPage {
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
            }),
        ),
        written("welcome", render(&WelcomePage { recovery: own(), table: own(), title: own() })),
        written(
            "table",
            render(&TablePage {
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
            }),
        ),
        written(
            "moves",
            render(&MovesPanel {
                hand: 1,
                turn: 2,
                status: own(),
                is_asked: true,
                in_the_dark: true,
                choices: &choices,
            }),
        ),
        written("story", render(&StoryPanel { hand: 1, lines: &story, end: Some(text) })),
        written(
            "session",
            render(&SessionPanel {
                id: text,
                state: own(),
                terms: own(),
                seats: vec![seat],
                hands: vec![HandRow { index: 1, result: own() }],
                own: vec![control()],
            }),
        ),
        written(
            "host",
            render(&HostPanel {
                requests: vec![control()],
                seats: vec![host_seat],
                links: vec![link],
                agents: agents(),
            }),
        ),
        written("chat", render(&ChatPanel { lines: vec![ChatRow { number: 1, name: own(), text: own() }] })),
        written(
            "tournament",
            render(&TournamentPage {
                id: own(),
                title: own(),
                schedule: own(),
                done: 1,
                all: 2,
                unit: own(),
                standings: vec![standing],
                fixtures: vec![fixture],
            }),
        ),
        written(
            "player",
            render(&PlayerPage {
                name: own(),
                is_agent: false,
                ratings: vec![value()],
                matches: vec![value()],
            }),
        ),
        written(
            "replay",
            render(&ReplayPage {
                id: own(),
                index: 2,
                hands: 3,
                title: own(),
                whose: own(),
                view: own(),
                others: vec![value()],
                badges: vec![value()],
                result: own(),
                steps: vec![ReplayStep { turn: 1, text: own() }],
                shown: 0,
                picture: Markup::default(),
            }),
        ),
        written("refusal", render(&Refusal { status: 404, title: text, detail: text })),
        written("notice", render(&Notice { text })),
    ]
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
