//! The description of the HTTP API, as an OpenAPI document.

use std::sync::LazyLock;

use actix_web::App;
use utoipa::{
    Modify, OpenApi,
    openapi::{
        OpenApi as Document,
        security::{HttpAuthScheme, HttpBuilder, SecurityScheme},
    },
};
use utoipa_actix_web::{AppExt as _, scope};

use super::routes;

/// The parts of the document other than routes.
#[derive(OpenApi)]
#[openapi(
    info(
        title = "Croupier",
        description = "A referee for games of imperfect information. Errors are `application/problem+json` with a `code` that \
                       does not change. `x-right` says who may ask: `anybody`; `organise` the operator and organisers; `undo` \
                       whoever made it, and the operator; `appoint` and `operate` the operator; `sit` the token of the seat; `be` the token \
                       of the player; `over` anybody, once the match is over, and all others on the same deal."
    ),
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
#[derive(Clone, Copy, Debug)]
pub(crate) struct KnownRoute {
    pub(crate) method: &'static str,
    pub(crate) path: &'static str,
}

/// Every method and path that the document describes. Their texts live as long as the process: metrics use them as labels.
pub(crate) fn known_routes() -> &'static [KnownRoute] {
    static ROUTES: LazyLock<Vec<KnownRoute>> = LazyLock::new(|| {
        let app = App::new().into_utoipa_app().service(scope("/v1").configure(routes));
        let (_, document) = app.split_for_parts();
        let mut known = Vec::new();
        for (path, item) in document.paths.paths {
            let path: &'static str = path.leak();
            let methods = [
                ("GET", item.get.is_some()),
                ("POST", item.post.is_some()),
                ("PUT", item.put.is_some()),
                ("DELETE", item.delete.is_some()),
            ];
            let taken = methods.into_iter().filter(|(_, is_taken)| *is_taken);
            known.extend(taken.map(|(method, _)| KnownRoute { method, path }));
        }
        known
    });
    &ROUTES
}

/// The document, to which the routes are added.
pub(crate) fn document() -> Document {
    Heading::openapi()
}
