//! Organisers: clients who create matches and tournaments on someone else's server.

use actix_web::{
    HttpRequest, HttpResponse, delete, put,
    web::{Data, Path},
};
use serde::Serialize;
use utoipa::ToSchema;

use super::{Answer, Context};
use crate::{
    clock, names,
    problem::Problem,
    rights::{Operation, TokenDigest},
    store::TokenKind,
};

/// An appointed organiser.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Appointed {
    name: String,
    /// The organiser's token. It is shown only here.
    token: String,
}

/// Appoint an organiser, or give one a new token
#[utoipa::path(responses((status = 201, body = Appointed), (status = 422)), extensions(("x-right" = json!("appoint"))))]
#[put("/organisers/{name}")]
pub(super) async fn appoint(request: HttpRequest, context: Data<Context>, name: Path<String>) -> Answer {
    context.demand(&request, Operation::Appoint).await?;
    let name = name.into_inner();
    names::demand("an organiser", &name)?;
    let token = context.referee.fresh_token()?;
    let store = context.referee.store();
    store.set_token(TokenKind::Organiser, &name, TokenDigest::of(&token), clock::unix_ms()).await?;
    Ok(HttpResponse::Created().json(Appointed { name, token }))
}

/// Revoke an organiser's token
#[utoipa::path(responses((status = 204), (status = 404)), extensions(("x-right" = json!("appoint"))))]
#[delete("/organisers/{name}")]
pub(super) async fn dismiss(request: HttpRequest, context: Data<Context>, name: Path<String>) -> Answer {
    context.demand(&request, Operation::Appoint).await?;
    if !context.referee.store().remove_token(TokenKind::Organiser, &name).await? {
        return Err(Problem::absent("there is no such organiser"));
    }
    Ok(HttpResponse::NoContent().finish())
}
