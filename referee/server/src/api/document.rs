//! The description of the HTTP API, as an OpenAPI document.

use std::sync::LazyLock;

use actix_web::App;
use utoipa::{
    Modify, OpenApi,
    openapi::{
        Content, OpenApi as Document, Ref, RefOr, ResponseBuilder,
        path::{Operation, Parameter, ParameterIn},
        security::{HttpAuthScheme, HttpBuilder, SecurityRequirement, SecurityScheme},
    },
};
use utoipa_actix_web::{AppExt as _, scope};

use super::routes;
use crate::problem::ProblemBody;

/// The parts of the document other than routes.
#[derive(OpenApi)]
#[openapi(
    info(
        title = "Croupier",
        description = "A referee for games of imperfect information. Errors are `application/problem+json` with a `code` that \
                       does not change. `x-right` says who may ask: `anybody`; `organise` the operator and organisers; `undo` \
                       whoever made it, and the operator; `appoint` and `operate` the operator; `sit` the token of the seat; `be` the token \
                       of the player; `table` anybody, if the operator lets them, and the operator and organisers; `look` whoever has a token of the session, \
                       and anybody if it is listed; `host` the token of its host; `over` anybody, once the match is over, and all others on the same deal."
    ),
    components(schemas(ProblemBody)),
    modifiers(&Tokens)
)]
struct Heading;

struct Tokens;

impl Modify for Tokens {
    fn modify(&self, document: &mut Document) {
        let bearer = HttpBuilder::new().scheme(HttpAuthScheme::Bearer).build();
        let components = document.components.get_or_insert_default();
        components.add_security_scheme("token", SecurityScheme::Http(bearer));
    }
}

/// A supported method and path.
#[derive(Clone, Debug)]
pub(crate) struct KnownRoute {
    pub(crate) method: &'static str,
    pub(crate) path: &'static str,
    /// The keys that its query may have.
    pub(crate) keys: Vec<String>,
}

/// Every method and path that the document describes. Their texts live as long as the process: metrics use them as labels.
pub(crate) fn known_routes() -> &'static [KnownRoute] {
    static ROUTES: LazyLock<Vec<KnownRoute>> = LazyLock::new(|| {
        let app = App::new().into_utoipa_app().service(scope("/v1").configure(routes));
        let (_, document) = app.split_for_parts();
        let mut known = Vec::new();
        for (path, item) in document.paths.paths {
            let path: &'static str = path.leak();
            let methods =
                [("GET", item.get), ("POST", item.post), ("PUT", item.put), ("DELETE", item.delete)];
            for (method, operation) in methods {
                let Some(operation) = operation else { continue };
                let key = |parameter| match parameter {
                    RefOr::T(Parameter { name, parameter_in: ParameterIn::Query, .. }) => Some(name),
                    _ => None,
                };
                let keys = operation.parameters.unwrap_or_default().into_iter().filter_map(key).collect();
                known.push(KnownRoute { method, path, keys });
            }
        }
        known
    });
    &ROUTES
}

/// The kind of every error.
const PROBLEM: &str = "application/problem+json";

/// The document with what follows for every operation from its path, its right and its statuses.
pub(crate) fn completed(mut document: Document) -> Document {
    for (path, item) in &mut document.paths.paths {
        let operations = [&mut item.get, &mut item.post, &mut item.put, &mut item.delete];
        operations.into_iter().flatten().for_each(|operation| complete(operation, tag(path)));
    }
    document
}

/// Gives an operation a tag, an id of its own, a token where its right needs one, and each of its responses a description, and on errors
/// a problem.
fn complete(operation: &mut Operation, tag: &str) {
    operation.tags = Some(vec![tag.to_owned()]);
    operation.operation_id = operation.operation_id.take().map(|id| format!("{tag}_{id}"));
    let right = operation.extensions.as_ref().and_then(|extensions| extensions.get("x-right")?.as_str());
    if right.is_some_and(|right| !matches!(right, "anybody" | "over" | "table")) {
        operation.security = Some(vec![SecurityRequirement::new("token", [""; 0])]);
    }
    let problem = || Content::new(Some(Ref::from_schema_name("ProblemBody")));
    let responses = &mut operation.responses.responses;
    for (status, response) in responses.iter_mut() {
        let RefOr::T(response) = response else { continue };
        if response.description.is_empty() {
            response.description = meaning(status).to_owned();
        }
        if status.starts_with(['4', '5']) {
            response.content.insert(PROBLEM.to_owned(), problem().into());
        }
    }
    let other = ResponseBuilder::new()
        .description("Refused: `code` says why, and `detail` what to do")
        .content(PROBLEM, problem());
    responses.entry("default".to_owned()).or_insert_with(|| RefOr::T(other.build()));
}

/// What the operations of a path are about.
fn tag(path: &str) -> &str {
    let mut parts = path.split('/').skip(2);
    match (parts.next(), parts.nth(1)) {
        (Some("matches"), Some("seats")) => "seats",
        (Some("invitations" | "sessions"), _) => "sessions",
        (Some(things @ ("games" | "matches" | "organisers" | "players" | "ratings" | "tournaments")), _) => {
            things
        }
        _ => "server",
    }
}

/// What a status says, whatever was asked.
fn meaning(status: &str) -> &'static str {
    match status {
        "101" => "The protocol changes to that of a WebSocket",
        "200" => "What was asked for",
        "201" => "It was made",
        "202" => "It will be done",
        "204" => "Done, or nothing has changed",
        "403" => "The token lacks the right",
        "404" => "There is no such thing, or not for this token",
        "409" => "Its state does not allow this yet, or any more",
        "422" => "The request is understood, and does not fit",
        "503" => "Try again after the seconds in `Retry-After`",
        _ => "See `code` and `detail`",
    }
}

/// The document, to which the routes are added.
pub(crate) fn document() -> Document {
    Heading::openapi()
}
