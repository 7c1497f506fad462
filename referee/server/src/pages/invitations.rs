//! `/i/TOKEN`: the page behind a link, and the form that exchanges it.

use actix_web::{
    HttpRequest, HttpResponse, get,
    http::header::SET_COOKIE,
    post,
    web::{Data, Form, Path},
};
use croupier_pages::{InvitationPage, WelcomePage};
use serde::Deserialize;

use super::{PageAnswer, page, see_other};
use crate::{
    api::Context,
    forms::{demand_form, form_key, form_token},
    problem::ProblemCode,
    session::{
        Accepted,
        keys::{Grant, key_cookie},
    },
};

/// Longest name that a page takes, in characters.
pub(super) const NAME_MAX: usize = 40;

#[get("/i/{token}")]
pub(super) async fn show(request: HttpRequest, context: Data<Context>, token: Path<String>) -> PageAnswer {
    invitation(&request, &context, &token, None).await
}

/// The page of an invitation, and what was wrong with the form that came last.
async fn invitation(
    request: &HttpRequest,
    context: &Context,
    token: &str,
    trouble: Option<(String, String)>,
) -> PageAnswer {
    let known = context.referee.invitation(token).await?;
    let form = form_token(request, &context.referee, context.is_encrypted)?;
    let (name, trouble) = trouble.map_or((String::new(), None), |(name, trouble)| (name, Some(trouble)));
    let mut response = page(&InvitationPage {
        address: format!("/i/{token}"),
        title: known.title,
        host: None,
        seated: known.names,
        is_for_watching: known.grant == Grant::Watch,
        needs_name: known.needs_name,
        name_max: NAME_MAX,
        name,
        trouble,
        csrf: form.value,
        key: form_key()?,
    })?;
    if let Some(cookie) = form.cookie {
        response.headers_mut().append(SET_COOKIE, cookie);
    }
    Ok(response)
}

/// The form of an invitation.
#[derive(Debug, Deserialize)]
pub(super) struct JoinForm {
    csrf: String,
    key: String,
    #[serde(default)]
    name: String,
}

#[post("/i/{token}")]
pub(super) async fn accept(
    request: HttpRequest,
    context: Data<Context>,
    token: Path<String>,
    form: Form<JoinForm>,
) -> PageAnswer {
    demand_form(&request, &context.referee, &form.csrf)?;
    let accepted = match context.referee.accept(&token, &form.name, Some(&form.key)).await {
        // What can be said better is asked for again.
        Err(problem) if problem.code() == ProblemCode::BadName => {
            let trouble = Some((form.name.clone(), problem.detail().to_owned()));
            return invitation(&request, &context, &token, trouble).await;
        }
        accepted => accepted?,
    };
    // A key of a seat that was a key before brings somebody back, and is known already.
    let is_new = accepted.token != *token;
    let title = context.referee.session(&accepted.session).await?.view.borrow().title.clone();
    welcome(&request, &context, &accepted, is_new.then_some(title))
}

/// Gives a browser a key, and shows its guest the way back and the way to the table.
pub(super) fn welcome(
    request: &HttpRequest,
    context: &Context,
    accepted: &Accepted,
    title: Option<String>,
) -> PageAnswer {
    let seat = match accepted.grant {
        Grant::Seat { place } => format!("?seat={place}"),
        Grant::Host | Grant::Watch => String::new(),
    };
    let table = format!("/s/{}{seat}", accepted.session);
    let connection = request.connection_info();
    let recovery = format!("{}://{}/i/{}", connection.scheme(), connection.host(), accepted.token);
    let mut response: HttpResponse = match title.filter(|_| !seat.is_empty()) {
        Some(title) => page(&WelcomePage { recovery, table, title })?,
        None => see_other(&table),
    };
    let cookie = key_cookie(&accepted.table, accepted.grant, &accepted.token, context.is_encrypted);
    response.headers_mut().append(SET_COOKIE, cookie);
    Ok(response)
}
