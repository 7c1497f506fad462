//! `/games/check`: rules that somebody wrote, with what was found in them and the form that opens a table of them.

use actix_web::{
    HttpRequest, post,
    web::{Data, Form},
};
use croupier_engine::{
    Limits,
    stages::{
        rules::is_real_time,
        syntax::{self, Syntax},
    },
};
use croupier_games::GameFacts;
use croupier_pages::{RulesNote, RulesPage, TableGame, rules_lines};
use serde::Deserialize;

use super::{
    PageAnswer,
    catalogue::{may_open, player_roles},
    opening::{table_form, with_token},
    page,
};
use crate::{
    api::Context,
    checking::SMALL_BYTES_MAX,
    connections::Connection,
    findings::{Finding, Findings, findings},
    forms::form_token,
    problem::Result,
    rights::Operation,
};

/// Rules that somebody wrote, with the text of their `game.toml`.
#[derive(Debug, Deserialize)]
pub(super) struct WrittenRules {
    pub(super) rules: String,
    #[serde(default)]
    words: String,
}

impl WrittenRules {
    /// As they were written: forms of browsers send every end of a line as two characters.
    pub(super) fn new(rules: &str, words: &str) -> Self {
        let [rules, words] = [rules, words].map(|text| text.replace("\r\n", "\n"));
        Self { rules, words }
    }

    /// The words, if there are any.
    pub(super) fn words(&self) -> Option<&str> {
        Some(self.words.as_str()).filter(|words| !words.trim().is_empty())
    }

    fn game(&self) -> TableGame {
        TableGame::Written { rules: self.rules.clone(), words: self.words.clone() }
    }

    /// What is known of the game, or why the words cannot be used.
    fn facts(&self) -> Result<GameFacts, String> {
        let facts = self.words().map(GameFacts::parse).transpose();
        let facts = facts.map_err(|error| format!("the words cannot be used: {error}"))?;
        Ok(facts.unwrap_or_else(|| GameFacts::unknown("")))
    }
}

/// What the text of rules shows; of a text that cannot be looked at, nothing.
#[derive(Default)]
struct RulesLook {
    found: Findings,
    players: usize,
    is_real_time: bool,
}

/// Looks at rules; nothing if `is_over` returned true before.
fn look(rules: &str, is_over: &mut dyn FnMut() -> bool) -> Option<RulesLook> {
    let found = findings(rules, is_over)?;
    let description = syntax::read(rules, Syntax::Auto, &Limits::STANDARD).description;
    Some(RulesLook {
        found,
        players: player_roles(&description).len(),
        is_real_time: is_real_time(&description),
    })
}

#[post("/games/check")]
pub(super) async fn check(
    request: HttpRequest,
    context: Data<Context>,
    written: Form<WrittenRules>,
) -> PageAnswer {
    let written = WrittenRules::new(&written.rules, &written.words);
    demand_check(&request, &context, &written.rules).await?;
    rules_page(&request, &context, written, None).await
}

/// Rejects long rules of those who could not open a table with them either, since that checks them as well.
async fn demand_check(request: &HttpRequest, context: &Context, rules: &str) -> Result<()> {
    let operation = Operation::Check { is_small: rules.len() <= SMALL_BYTES_MAX };
    match context.demand(request, operation).await {
        Err(_) if context.table_opener(request).await.is_ok() => Ok(()),
        checked => checked.map(drop),
    }
}

/// The page of rules, and what was wrong with the table that was asked for last.
pub(super) async fn rules_page(
    request: &HttpRequest,
    context: &Context,
    written: WrittenRules,
    trouble: Option<String>,
) -> PageAnswer {
    let rules = written.rules.clone();
    let work = move |is_over: &mut dyn FnMut() -> bool| look(&rules, is_over);
    let (look, unchecked) = match context.referee.checks.run(Connection::of(request), work).await {
        Ok(look) => (look, None),
        Err(problem) if problem.is_final() => (RulesLook::default(), Some(problem.detail().to_owned())),
        Err(problem) => return Err(problem),
    };
    let facts = written.facts();
    let obstacle = unchecked.or_else(|| facts.as_ref().err().cloned());
    let token = form_token(request, &context.referee, context.is_encrypted)?;
    let form = match facts {
        Ok(facts) if obstacle.is_none() && look.found.is_playable && may_open(request, context).await => {
            Some(table_form(written.game(), &facts, look.players, look.is_real_time, &token)?)
        }
        _ => None,
    };
    let notes: Vec<RulesNote> = look.found.list.into_iter().map(Finding::into_note).collect();
    let shown = page(&RulesPage {
        rules: &written.rules,
        words: &written.words,
        is_playable: look.found.is_playable,
        lines: rules_lines(&written.rules, &notes),
        notes: notes.len(),
        trouble: trouble.or(obstacle),
        form,
    })?;
    with_token(shown, token)
}
