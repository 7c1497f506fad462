//! The codes of problems: the only list of them, with the status and the meaning of each.
//!
//! The OpenAPI document and `docs/problems.md` are made from it.

use std::{borrow::Cow, fmt};

use actix_web::http::StatusCode;
use serde::{Serialize, Serializer};
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{ObjectBuilder, RefOr, Schema, schema::Type},
};

macro_rules! codes {
    ($($code:ident $word:literal $status:ident $meaning:literal;)*) => {
        /// Why a request is refused, as a stable word.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum ProblemCode {
            $(#[doc = $meaning] $code,)*
        }

        impl ProblemCode {
            /// All codes, in alphabetical order.
            pub(crate) const ALL: &[Self] = &[$(Self::$code),*];

            /// The code as it is sent.
            pub(crate) const fn as_str(self) -> &'static str {
                match self { $(Self::$code => $word),* }
            }

            /// The HTTP status of a response with this code.
            pub(crate) const fn status(self) -> StatusCode {
                match self { $(Self::$code => StatusCode::$status),* }
            }

            /// What it means; the detail of a problem that has nothing to add.
            pub(crate) const fn meaning(self) -> &'static str {
                match self { $(Self::$code => $meaning),* }
            }
        }
    };
}

codes! {
    Altered "altered" CONFLICT "the record of the match was altered, so the match cannot resume";
    BadCursor "bad-cursor" UNPROCESSABLE_ENTITY "not a value that an earlier page returned as `next`";
    BadEntrants "bad-entrants" UNPROCESSABLE_ENTITY "there are too few or too many entrants for the schedule";
    BadForm "bad-form" FORBIDDEN "the form comes from another site, or from a page that is too old: load the page again";
    BadFrame "bad-frame" UNPROCESSABLE_ENTITY "the message of a seat is not a frame that a seat may send";
    BadHost "bad-host" BAD_REQUEST "the header Host must be a name or an address, optionally with a port";
    BadJson "bad-json" UNPROCESSABLE_ENTITY "the request body is not JSON of the documented form";
    BadKey "bad-key" UNPROCESSABLE_ENTITY "an Idempotency-Key must have 1 to 255 ASCII characters";
    BadMatch "bad-match" UNPROCESSABLE_ENTITY "the match cannot be set up like this";
    BadMediaType "bad-media-type" UNSUPPORTED_MEDIA_TYPE "unsupported content type";
    BadName "bad-name" UNPROCESSABLE_ENTITY "the name has other characters than letters, digits, hyphens and underscores, is too long, or is an agent's";
    BadQuery "bad-query" BAD_REQUEST "the query has an unknown key, or a value that its key does not take";
    BadRequest "bad-request" BAD_REQUEST "invalid request";
    BadRules "bad-rules" UNPROCESSABLE_ENTITY "the rules cannot be played; `findings` lists what was found in them";
    BadSeat "bad-seat" UNPROCESSABLE_ENTITY "a seat has no player, or one that does not exist or cannot sit there";
    BadSeed "bad-seed" UNPROCESSABLE_ENTITY "the seed is invalid, or this server chooses seeds itself";
    BadSession "bad-session" UNPROCESSABLE_ENTITY "the session cannot be set up like this";
    BadText "bad-text" BAD_REQUEST "a text of the request has the character NUL";
    BadTournament "bad-tournament" UNPROCESSABLE_ENTITY "the tournament cannot be set up like this";
    Draining "draining" SERVICE_UNAVAILABLE "the server is shutting down; matches resume when it restarts";
    Early "early" CONFLICT "the seat has not been asked for this yet: wait for the frame that asks for it";
    Elsewhere "elsewhere" TEMPORARY_REDIRECT "the match runs on another server of the same store: `Location` says where";
    Forbidden "forbidden" FORBIDDEN "the token lacks the right";
    Full "full" SERVICE_UNAVAILABLE "the server has no room for this now";
    Held "held" CONFLICT "other matches on the same deal, or of the same session, are not over; the record is available when all of them are";
    Internal "internal" INTERNAL_SERVER_ERROR "internal server error; see the server's log";
    Interrupted "interrupted" SERVICE_UNAVAILABLE "the match is interrupted and will resume in a moment: try again; a message without a receipt may be lost, so send it again";
    Late "late" CONFLICT "the reply does not count: the seat has given another one, or its time was over; the next frame tells the move that was played";
    LinkUsed "link-used" CONFLICT "the link was used, taken back, replaced or is too old: ask the host for another";
    MethodNotAllowed "method-not-allowed" METHOD_NOT_ALLOWED "method not allowed; the header Allow lists the allowed ones";
    NoAnswer "no-answer" UNPROCESSABLE_ENTITY "the player that is to be registered does not answer at its address";
    NoHand "no-hand" CONFLICT "the seat is in no match now";
    NoPoker "no-poker" UNPROCESSABLE_ENTITY "only poker matches have a hand history";
    NotFound "not-found" NOT_FOUND "not found; /docs/ lists the available routes";
    NotNow "not-now" CONFLICT "the session does not allow this as it is now";
    OtherRequest "other-request" UNPROCESSABLE_ENTITY "this Idempotency-Key was used by another request; use a new key for a new request";
    Over "over" CONFLICT "the match or the tournament is over";
    Running "running" CONFLICT "the record of a match is available when the match is over";
    SlowBody "slow-body" REQUEST_TIMEOUT "the body of the request did not arrive in time";
    Store "store" SERVICE_UNAVAILABLE "the store takes nothing now; try again later";
    Taken "taken" CONFLICT "the name or the seat is already taken";
    TooCostly "too-costly" UNPROCESSABLE_ENTITY "checking and compiling the rules takes too much processor time";
    TooLarge "too-large" PAYLOAD_TOO_LARGE "the request body is too long for this server";
    TooManyRequests "too-many-requests" TOO_MANY_REQUESTS "too many requests: wait for the time in Retry-After";
    TooManySeats "too-many-seats" CONFLICT "the client has as many open seats in matches that are not over as it may";
    TooManyTables "too-many-tables" CONFLICT "the client has as many tables that are not over as it may; end one of them first";
    Unauthorized "unauthorized" UNAUTHORIZED "a token is required: Authorization: Bearer TOKEN";
    Unfinished "unfinished" CONFLICT "the match did not end by the rules, so it has no hand history";
    UnknownGame "unknown-game" UNPROCESSABLE_ENTITY "there is no game with this name; GET /v1/games lists them";
    Unratable "unratable" UNPROCESSABLE_ENTITY "the match cannot be rated";
}

impl ProblemCode {
    /// Seconds after which to retry, if the same request may succeed then; too many requests wait for as long as the
    /// rate limit says.
    pub(crate) const fn retry_after_s(self) -> Option<u64> {
        match self {
            Self::Interrupted => Some(1),
            Self::Draining => Some(2),
            Self::Full | Self::Store => Some(5),
            _ => None,
        }
    }

    /// The code for an error of the web framework, which knows only a status.
    pub(crate) fn of_status(status: StatusCode) -> Self {
        let same = [Self::MethodNotAllowed, Self::NotFound, Self::TooLarge, Self::BadMediaType];
        let other = if status.is_client_error() { Self::BadRequest } else { Self::Internal };
        same.into_iter().find(|code| code.status() == status).unwrap_or(other)
    }
}

impl fmt::Display for ProblemCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Serialize for ProblemCode {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl PartialSchema for ProblemCode {
    fn schema() -> RefOr<Schema> {
        let line = |code: &Self| format!("\n- `{code}` ({}): {}", code.status().as_u16(), code.meaning());
        let list: String = Self::ALL.iter().map(line).collect();
        ObjectBuilder::new()
            .schema_type(Type::String)
            .description(Some(format!("Why a request is refused, as a stable word:\n{list}")))
            .enum_values(Some(Self::ALL.iter().map(|code| code.as_str())))
            .into()
    }
}

impl ToSchema for ProblemCode {
    fn name() -> Cow<'static, str> {
        "ProblemCode".into()
    }
}
