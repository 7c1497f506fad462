//! A match as one page that plays it: pictures and words of every turn, as everybody or as a role, in one file that needs nothing else.
//!
//! The page says in its policy that nothing may run or be fetched but the script and the style that stand in it, by their hashes.

mod chunks;
mod views;

use std::fmt::Write as _;

use croupier_engine::RoleId;
use croupier_games::printable;
use croupier_picture::{Picture, STYLE};
use croupier_referee::{Record, Replay};
use serde::Serialize;

use self::{chunks::Chunks, views::MatchView};
use super::Lookups;
use crate::{
    output::{failure::Failure, page::hash},
    sessions::story::Story,
};

/// What plays the match.
const SCRIPT: &str = include_str!("page.js");

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
        Some(role) => views::seen(&story, replayed, role, turns, lookups)?,
    };
    Ok(view.pictures.last().map(Picture::svg).unwrap_or_default())
}

/// The page of a match: as one role saw it, or as everybody and as each role if it is over.
pub(super) fn page(
    record: &Record,
    replayed: &Replay,
    role: Option<RoleId>,
    lookups: &mut Lookups,
) -> Result<String, Failure> {
    let facts = lookups.words.facts(record);
    let story = Story::of(replayed, &facts);
    let (roles, turns) = (story.game.roles(), replayed.turns().len());
    let views = match role {
        Some(role) => vec![views::seen(&story, replayed, role, turns, lookups)?],
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
                for role in roles.players() {
                    all.push(views::seen(&story, replayed, role, turns, lookups)?);
                }
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
    Ok(html(&printable(&facts.title), about.trim_end(), views))
}

fn html(title: &str, about: &str, views: Vec<MatchView>) -> String {
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
         <ol id=\"story\" aria-label=\"The match in words\">{told}</ol></main>\n\
         <script type=\"application/json\" id=\"match\">{data}</script>\n<script>{SCRIPT}</script>\n</body>\n</html>\n"
    )
}

/// The data of a page as JSON that cannot end its element.
fn data(views: Vec<MatchView>) -> String {
    let mut chunks = Chunks::default();
    let view = |view: MatchView| ViewData {
        frames: view.pictures.iter().map(|picture| chunks.cut(&picture.html())).collect(),
        moments: moments(&view),
        name: view.name,
        said: view.said,
    };
    let views = views.into_iter().map(view).collect();
    let data = MatchData { chunks: chunks.into_all(), views };
    // Text and numbers are always JSON.
    serde_json::to_string(&data).unwrap_or_default().replace('<', "\\u003c")
}

/// Turns that people look for: something comes into the middle of the table, somebody is out, or the match ends.
fn moments(view: &MatchView) -> Vec<(usize, String)> {
    let mut moments = Vec::new();
    for (number, pair) in view.pictures.windows(2).enumerate() {
        let [before, after] = pair else { continue };
        let things = |picture: &Picture| -> Vec<usize> {
            picture
                .zones
                .iter()
                .filter(|zone| zone.elements.iter().any(is_card))
                .map(|zone| zone.elements.len())
                .collect()
        };
        let out = after.players.iter().zip(&before.players).find(|(now, then)| now.is_out && !then.is_out);
        if let Some((player, _)) = out {
            moments.push((number + 1, format!("{} is out", printable(&player.name))));
        } else if things(after).iter().sum::<usize>() > things(before).iter().sum::<usize>() {
            let said =
                view.said.get(number + 1).filter(|said| !said.is_empty() && said.chars().count() <= 40);
            moments.push((number + 1, said.cloned().unwrap_or_else(|| format!("turn {}", number + 1))));
        }
    }
    // Where there are many, one in a row is enough.
    let step = moments.len().div_ceil(12).max(1);
    let mut moments: Vec<(usize, String)> = moments.into_iter().step_by(step).collect();
    moments.push((view.pictures.len() - 1, "the end".to_owned()));
    moments
}

fn is_card(element: &croupier_picture::Element) -> bool {
    matches!(element.kind, croupier_picture::ElementKind::Card(_))
}

/// The hash of a script or style, as a policy names it.
/// Text that is safe between tags.
fn escaped(text: &str) -> String {
    printable(text).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
