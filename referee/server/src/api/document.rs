//! The description of all that can be asked, as an OpenAPI document.

use utoipa::{
    Modify, OpenApi,
    openapi::{
        OpenApi as Document,
        security::{HttpAuthScheme, HttpBuilder, SecurityScheme},
    },
};

/// What stands in the document beside the routes.
#[derive(OpenApi)]
#[openapi(
    info(
        title = "Croupier",
        description = "A referee for games of imperfect information. Errors are `application/problem+json` with a `code` that \
                       does not change. `x-right` says who may ask: `anybody`; `organise` the operator and organisers; `undo` \
                       whoever made it, and the operator; `appoint` the operator; `sit` the token of the seat; `be` the token of the \
                       player; `over` anybody, once the match is over, and all others on the same deal."
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

/// The document, to which the routes are added.
pub(crate) fn document() -> Document {
    Heading::openapi()
}
