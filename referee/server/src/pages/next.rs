//! `/s/ID/next`: from a session that is over to the one that follows it at the same table. Seats keep their keys; whoever hosts or
//! watches gets the key of the new session for that of the old one.

use actix_web::{
    HttpRequest, HttpResponse, get,
    http::header::SET_COOKIE,
    web::{Data, Path, Query},
};

use super::{
    PageAnswer, is_from_script,
    reader::TableReader,
    see_other,
    table::{SeatQuery, seat_query},
};
use crate::{
    api::Context,
    problem::Problem,
    session::{
        Place,
        keys::{Grant, key_cookie},
    },
};

/// Where the way to the next session is, for whoever has this seat.
pub(super) fn address(id: &str, place: Option<Place>) -> String {
    format!("/s/{id}/next{}", seat_query(place))
}

#[get("/s/{id}/next")]
pub(super) async fn go_on(
    request: HttpRequest,
    context: Data<Context>,
    id: Path<String>,
    query: Query<SeatQuery>,
) -> PageAnswer {
    let reader = TableReader::of(&request, &context, &id, query.seat).await?;
    let referee = &context.referee;
    let next = referee.rematch_of(&id).await?;
    let next = next.ok_or_else(|| Problem::absent("no session has followed this one at its table"))?;
    let place = format!("/s/{next}{}", seat_query(reader.place));
    let mut response = match is_from_script(&request) {
        true => HttpResponse::NoContent().insert_header(("HX-Redirect", place)).finish(),
        false => see_other(&place),
    };
    let mut give = |grant: Grant, token: String| {
        let cookie = key_cookie(&reader.handle.table, grant, &token, context.is_encrypted);
        response.headers_mut().append(SET_COOKIE, cookie);
    };
    if reader.is_host {
        give(Grant::Host, referee.host_token(&next));
    }
    if reader.may_watch {
        give(Grant::Watch, referee.watch_token(&next));
    }
    Ok(response)
}
