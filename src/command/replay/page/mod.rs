//! A match as one page that plays it: pictures and words of every turn, as everybody or as a role, in one file that needs nothing else.
//!
//! The page says in its policy that nothing may run or be fetched but the script and the style that stand in it, by their hashes.

mod below;
mod chunks;
mod views;

use std::fmt::Write as _;

use croupier_engine::RoleId;
use croupier_games::printable;
use croupier_picture::{KeyMoment, Picture, ReviewView, STYLE};
use croupier_referee::{Record, Replay};
use croupier_trainer::TrainerOptions;
use rayon::prelude::*;
use serde::Serialize;

use self::{
    below::{badges, downloads, escaped},
    chunks::Chunks,
    views::{MatchView, SeatViews},
};
use super::Lookups;
use crate::{
    arguments::{
        entropy, records,
        threads::{progress, spinner},
    },
    output::{failure::Failure, page::hash},
    sessions::{belief::reviewed, interrupt::Interrupt, story::Story},
};

/// What plays the match.
const SCRIPT: &str = include_str!("page.js");

/// What playouts and searches of a review are drawn with, as in `croupier review` where nobody says which.
const REVIEW_SEED: &str = "0";

/// How the page is laid out around the picture.
const PAGE_STYLE: &str = include_str!("page.css");

/// The data of a page.
#[derive(Serialize)]
struct MatchData {
    /// Markup that frames consist of.
    chunks: Vec<String>,
    views: Vec<ViewData>,
}

/// What one view of a match consists of.
#[derive(Serialize)]
struct ViewData {
    name: String,
    /// By turn the numbers of chunks.
    frames: Vec<Vec<usize>>,
    /// By turn what is told.
    said: Vec<String>,
    /// Turns to jump to, each with its name.
    moments: Vec<(usize, String)>,
}

/// The picture of a match after so many turns, or at its end.
pub(super) fn picture(
    record: &Record,
    replayed: &Replay,
    role: Option<RoleId>,
    turn: Option<usize>,
    lookups: &mut Lookups,
) -> Result<String, Failure> {
    let facts = lookups.words.facts(record);
    let story = Story::of(replayed, &facts);
    let last = replayed.turns().len();
    let turns = turn.unwrap_or(last);
    if turns > last {
        let told = format!("the match has {last} turns");
        return Err(Failure::refuse("unknown-turn", told).help(format!("--turn takes 0 to {last}")));
    }
    let view = match role {
        None => views::whole(&story, replayed, turns),
        Some(role) => seats(&story, replayed, &[role], turns, lookups)?.remove(0),
    };
    Ok(view.pictures.last().map(Picture::svg).unwrap_or_default())
}

/// What the decisions of a role gave up, as a part of its page.
pub(super) fn review(
    record: &Record,
    replayed: &Replay,
    role: RoleId,
    lookups: &mut Lookups,
    interrupt: &Interrupt,
) -> Result<String, Failure> {
    let header = replayed.header();
    let network = lookups.networks.of(header)?;
    let known = records::information_set(&network, replayed, role, replayed.turns().len())?;
    let seed = entropy::seed(Some(REVIEW_SEED))?.agent(header.role_name(role));
    let spinner = spinner("reviewing decisions");
    let known = known.expect("the role is a player");
    let review = reviewed(&network, &known, TrainerOptions::thorough(seed), interrupt)?;
    spinner.finish_and_clear();
    Ok(ReviewView::of(&lookups.words.facts(record), &review).html())
}

/// The page of a match: as one role saw it, or as everybody and as each role if it is over.
pub(super) fn page(
    record: &Record,
    replayed: &Replay,
    role: Option<RoleId>,
    review: &str,
    lookups: &mut Lookups,
) -> Result<String, Failure> {
    let facts = lookups.words.facts(record);
    let story = Story::of(replayed, &facts);
    let (roles, turns) = (story.game.roles(), replayed.turns().len());
    let views = match role {
        Some(role) => seats(&story, replayed, &[role], turns, lookups)?,
        None if replayed.outcome().is_none() => {
            return Err(Failure::refuse(
                "unfinished",
                "the match is not over, and the page would show what is hidden in it",
            )
            .help("with --role it shows what one role has seen"));
        }
        None => {
            let mut all = vec![views::whole(&story, replayed, turns)];
            if !story.game.has_full_sight() {
                let players: Vec<RoleId> = roles.players().collect();
                all.extend(seats(&story, replayed, &players, turns, lookups)?);
            }
            all
        }
    };
    let players: Vec<String> = roles.players().map(|role| story.role(role)).collect();
    let end = match replayed.turns().last() {
        Some(last) if role.is_none() => {
            let scene = lookups.relations.of_state(replayed.header(), &facts, &last.successor);
            story.outcome(replayed.outcome(), &scene)
        }
        _ => String::new(),
    };
    let about = format!("{}: {}. {end}", replayed.header().match_id(), players.join(", "));
    let taken = role.map_or_else(|| downloads(record, replayed, &facts), |_| String::new());
    let below = format!("{review}{}{taken}", badges(replayed));
    Ok(html(&printable(&facts.title), about.trim_end(), &below, views))
}

/// A match as each of these roles saw it.
fn seats(
    story: &Story<'_>,
    replayed: &Replay,
    roles: &[RoleId],
    turns: usize,
    lookups: &mut Lookups,
) -> Result<Vec<MatchView>, Failure> {
    let network = lookups.networks.of(replayed.header())?;
    let bar = progress((turns * roles.len()) as u64, "turns");
    let views = SeatViews { network: &network, bar: &bar };
    let seen = |&role: &RoleId| views::seen(story, replayed, role, turns, views);
    let all = roles.par_iter().with_max_len(1).map(seen).collect();
    bar.finish_and_clear();
    all
}

fn html(title: &str, about: &str, below: &str, views: Vec<MatchView>) -> String {
    let last = views.first().and_then(|view| view.pictures.last()).map(Picture::html).unwrap_or_default();
    let told: String = views.first().into_iter().flat_map(|view| view.said.iter().zip(0_usize..)).fold(
        String::new(),
        |mut told, (said, number)| {
            // Writing to a string cannot fail.
            let _ = write!(told, "<li value=\"{number}\">{}</li>", escaped(said));
            told
        },
    );
    let style = format!("{STYLE}{PAGE_STYLE}");
    let policy = format!(
        "default-src 'none'; script-src 'sha256-{}'; style-src 'sha256-{}'; base-uri 'none'; form-action 'none'",
        hash(SCRIPT),
        hash(&style)
    );
    let (title, about) = (escaped(title), escaped(about));
    let data = data(views);
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"referrer\" content=\"no-referrer\">\n\
         <title>{title}</title>\n<style>{style}</style>\n</head>\n<body>\n<header><h1>{title}</h1><p class=\"about\">{about}</p></header>\n\
         <div class=\"bar\" id=\"views\" role=\"group\" aria-label=\"Seen by\"></div>\n\
         <main><div><div id=\"stage\">{last}</div>\n\
         <div class=\"bar\" role=\"group\" aria-label=\"Play the match\">\
         <button type=\"button\" id=\"first\" aria-label=\"First turn\">|◀</button><button type=\"button\" id=\"back\" aria-label=\"One turn back\">◀</button>\
         <button type=\"button\" id=\"play\">Play</button>\
         <button type=\"button\" id=\"forth\" aria-label=\"One turn on\">▶</button><button type=\"button\" id=\"last\" aria-label=\"Last turn\">▶|</button>\
         <input type=\"range\" id=\"slider\" min=\"0\" max=\"0\" value=\"0\" aria-label=\"Turn\"><span id=\"place\"></span>\
         <label>Speed <select id=\"speed\"><option value=\"2000\">slow</option><option value=\"1000\" selected>normal</option><option value=\"350\">fast</option></select></label></div>\n\
         <div class=\"bar\" id=\"moments\" role=\"group\" aria-label=\"Key moments\"></div></div>\n\
         <ol id=\"story\" aria-label=\"The match in words\">{told}</ol></main>\n{below}\n\
         <script type=\"application/json\" id=\"match\">{data}</script>\n<script>{SCRIPT}</script>\n</body>\n</html>\n"
    )
}

/// The data of a page as JSON that cannot end its element.
fn data(views: Vec<MatchView>) -> String {
    let mut chunks = Chunks::default();
    let view = |view: MatchView| ViewData {
        frames: view.pictures.iter().map(|picture| chunks.cut(&picture.html())).collect(),
        moments: KeyMoment::all(&view.pictures)
            .into_iter()
            .map(|moment| (moment.turn, moment.text))
            .collect(),
        name: view.name,
        said: view.said,
    };
    let views = views.into_iter().map(view).collect();
    let data = MatchData { chunks: chunks.into_all(), views };
    // Text and numbers are always JSON.
    serde_json::to_string(&data).unwrap_or_default().replace('<', "\\u003c")
}
