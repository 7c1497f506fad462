//! `/new`: a table in three clicks.

use std::ops::RangeInclusive;

use actix_web::{
    HttpRequest, HttpResponse, get,
    http::header::SET_COOKIE,
    post,
    web::{Data, Form, Query},
};
use croupier_games::{FamilyRules, GameFacts, ParameterKind, find, find_family};
use croupier_pages::{AgentOffer, GameCard, NewTablePage, TableForm, TableGame};
use serde::Deserialize;

use super::{
    PageAnswer,
    catalogue::{cards, roles},
    invitations::welcome,
    page,
    written::{WrittenRules, rules_page},
};
use crate::{
    api::Context,
    connections::Connection,
    forms::{FormToken, demand_form, form_key, form_token},
    idempotency::Idempotency,
    problem::{Problem, Result},
    session::{
        SessionRequest,
        keys::{Grant, key_cookie},
    },
    setup::Spectators,
};

/// The agents that a page offers; programs may ask for any.
pub(super) fn agents(is_real_time: bool) -> Vec<AgentOffer> {
    let offer = |specification, words| AgentOffer { specification, words };
    if is_real_time {
        return vec![offer("mc", "thinks"), offer("random", "plays at random")];
    }
    vec![
        offer("belief:iterations=200", "thinks a little"),
        offer("belief:iterations=2000", "thinks longer"),
        offer("random", "plays at random"),
        offer("first-legal", "always plays its first move"),
    ]
}

/// The game that is chosen.
#[derive(Debug, Deserialize)]
pub(super) struct GameQuery {
    game: Option<String>,
}

#[get("/new")]
pub(super) async fn ask(request: HttpRequest, context: Data<Context>, query: Query<GameQuery>) -> PageAnswer {
    new_table(&request, &context, query.into_inner().game, None).await
}

/// The page that opens a table, and what was wrong with the form that came last.
async fn new_table(
    request: &HttpRequest,
    context: &Context,
    game: Option<String>,
    trouble: Option<String>,
) -> PageAnswer {
    let token = form_token(request, &context.referee, context.is_encrypted)?;
    let games = cards(context).await?;
    let chosen = match game {
        Some(name) => {
            let card = find_card(&games, &name)?.clone();
            let rules = context.referee.rules(&name).await?.ok_or_else(no_such_game)?;
            let facts = find(&name).and_then(|entry| entry.facts().ok());
            let facts = facts.unwrap_or_else(|| GameFacts::unknown(&name));
            let (game, players) = (TableGame::Named(name), roles(&rules).len());
            let form = table_form(game, &facts, players, card.is_real_time, &token)?;
            Some((card, form))
        }
        None => None,
    };
    with_token(page(&NewTablePage { games, chosen, trouble })?, token)
}

/// A page with forms, and the cookie that its forms need.
pub(super) fn with_token(mut response: HttpResponse, token: FormToken) -> PageAnswer {
    if let Some(cookie) = token.cookie {
        response.headers_mut().append(SET_COOKIE, cookie);
    }
    Ok(response)
}

fn find_card<'c>(games: &'c [GameCard], name: &str) -> Result<&'c GameCard> {
    games.iter().find(|card| card.name == name).ok_or_else(no_such_game)
}

fn no_such_game() -> Problem {
    Problem::absent("there is no such game")
}

/// The form that opens a table of a game of which this is known, and which has so many players.
///
/// # Errors
/// [`Problem`] if the operating system provides no random bytes.
pub(super) fn table_form(
    game: TableGame,
    facts: &GameFacts,
    players: usize,
    is_real_time: bool,
    token: &FormToken,
) -> Result<TableForm> {
    let family = facts.session.family.as_ref();
    let blinds = family.and_then(|family| family.blinds.first().cloned()).unwrap_or_default();
    let players = players.max(1);
    Ok(TableForm {
        game,
        seats: family.and_then(seats_of_family).unwrap_or(players..=players),
        seats_standard: players,
        is_real_time,
        has_stacks: family.is_some(),
        has_blinds: blinds.len() == 2,
        stack: family.map_or(0, |family| family.start),
        blinds: [blinds.first().copied().unwrap_or(1), blinds.get(1).copied().unwrap_or(2)],
        agents: agents(is_real_time),
        csrf: token.value.clone(),
        key: form_key()?,
    })
}

/// How many seats a table may have whose matches are made from a family.
fn seats_of_family(rules: &FamilyRules) -> Option<RangeInclusive<usize>> {
    let parameters = find_family(&rules.name)?.parameters;
    let players = parameters.iter().find(|parameter| parameter.name == "players")?;
    match players.kind {
        ParameterKind::Number { range: (least, most), .. } => Some(least as usize..=most as usize),
        ParameterKind::Word(_) => None,
    }
}

/// The form that opens a table.
#[derive(Debug, Deserialize)]
pub(super) struct NewTableForm {
    csrf: String,
    key: String,
    game: Option<String>,
    rules: Option<String>,
    #[serde(default)]
    words: String,
    #[serde(default)]
    title: String,
    name: String,
    seats: Option<u32>,
    #[serde(default)]
    agents: usize,
    #[serde(default)]
    agent: String,
    stack: Option<u32>,
    small: Option<u32>,
    big: Option<u32>,
    clock: Option<u64>,
    /// Milliseconds of game time per second, in a real-time game.
    speed: Option<u32>,
    chat: Option<String>,
    trainer: Option<String>,
    listed: Option<String>,
    watch: Option<String>,
}

impl NewTableForm {
    fn request(&self) -> SessionRequest {
        let agents = vec![self.agent.clone(); self.agents.min(AGENTS_MAX)];
        let written = self.written();
        SessionRequest {
            game: self.game.clone(),
            words: written.as_ref().and_then(|written| written.words().map(str::to_owned)),
            rules: written.map(|written| written.rules),
            title: Some(self.title.clone()).filter(|title| !title.trim().is_empty()),
            seats: self.seats,
            agents,
            stack: self.stack,
            blinds: self.blinds(),
            play_clock_ms: self.clock.map(|seconds| seconds.saturating_mul(1_000)),
            speed_permille: self.speed,
            chat: self.chat.is_some(),
            trainer: self.trainer.is_some(),
            listed: self.listed.is_some(),
            spectators: self.spectators(),
            ..SessionRequest::default()
        }
    }

    /// The blinds, if they are not those that the game begins with: its own rise.
    fn blinds(&self) -> Option<Vec<Vec<u32>>> {
        let asked = self.small.zip(self.big).map(|(small, big)| vec![small, big])?;
        let entry = self.game.as_deref().and_then(find);
        let family = entry.and_then(|entry| entry.facts().ok()?.session.family);
        let begins = family.and_then(|family| family.blinds.into_iter().next());
        (begins.as_ref() != Some(&asked)).then(|| vec![asked])
    }

    /// The rules that came with it, if the table is not one of a game of the server.
    fn written(&self) -> Option<WrittenRules> {
        Some(WrittenRules::new(self.rules.as_deref()?, &self.words))
    }
}

impl NewTableForm {
    /// What those who watch see; the usual, if it is not said.
    fn spectators(&self) -> Option<Spectators> {
        match self.watch.as_deref()? {
            "open" => Some(Spectators::Open),
            "delayed" => Some(Spectators::Delayed { turns: DELAY_TURNS, seconds: 0 }),
            "after" => Some(Spectators::AfterHand),
            "sealed" => Some(Spectators::Sealed),
            _ => None,
        }
    }
}

/// Turns that those are behind who watch with a delay.
const DELAY_TURNS: u32 = 4;

/// Agents that a form can ask for: more than any game has seats.
const AGENTS_MAX: usize = 64;

#[post("/new")]
pub(super) async fn open(
    request: HttpRequest,
    context: Data<Context>,
    form: Form<NewTableForm>,
) -> PageAnswer {
    demand_form(&request, &context.referee, &form.csrf)?;
    context.drain.refuse()?;
    match open_table(&request, &context, &form).await {
        Err(problem) if problem.is_final() => {
            let trouble = Some(problem.detail().to_owned());
            match form.written() {
                Some(written) => rules_page(&request, &context, written, trouble).await,
                None => new_table(&request, &context, form.game.clone(), trouble).await,
            }
        }
        answer => answer,
    }
}

/// Opens a table, and seats whoever opens it in its first free seat.
async fn open_table(request: &HttpRequest, context: &Context, form: &NewTableForm) -> Result<HttpResponse> {
    let creator = context.table_opener(request).await?;
    let asked = form.request();
    let digest = format!("{asked:?}");
    let idempotency = Idempotency {
        actor: creator.clone(),
        key: form.key.clone(),
        request: croupier_referee::Digest::of(digest.as_bytes()).to_string(),
    };
    if let Some(rules) = &asked.rules {
        context.referee.demand_game(rules, Connection::of(request)).await?;
    }
    let opened = context.referee.open_session(asked, creator, Some(idempotency)).await?;
    let first = opened.invitations.values().next();
    let token = first.ok_or_else(|| Problem::absent("every seat has a program: leave one for yourself"))?;
    let accepted = context.referee.accept(token, &form.name, Some(&form.key)).await?;
    let title = context.referee.session(&opened.id).await?.view.borrow().title.clone();
    let mut response = welcome(request, context, &accepted, Some(title))?;
    let host = key_cookie(&opened.id, Grant::Host, &opened.host, context.is_encrypted);
    response.headers_mut().append(SET_COOKIE, host);
    Ok(response)
}
