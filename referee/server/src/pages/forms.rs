//! The forms of a table: moves, what hosts and guests ask for, what people say.
//!
//! A form that a script sent is answered with nothing once it is done, since the stream shows what follows, or with the reason why it is
//! refused. One that a browser sent by itself is sent back to the table.

use actix_web::{
    HttpRequest, HttpResponse, post,
    web::{Data, Form, Path},
};
use croupier_picture::ChoiceMoves;
use serde_json::{Map, Value, json};

use super::{
    PageAnswer, is_from_script, next, panels::ShownHand, reader::TableReader, see_other, table::seat_query,
};
use crate::{
    api::Context,
    forms::demand_form,
    problem::{ProblemCode, Result},
    session::{OwnMove, Place, SessionCommand},
};

/// The fields of a form, in their order.
#[derive(Debug)]
struct Fields(Vec<(String, String)>);

impl Fields {
    /// The first field of this name, or nothing.
    fn text(&self, name: &str) -> &str {
        self.0.iter().find(|(field, _)| field == name).map_or("", |(_, value)| value.as_str())
    }

    /// The number in a field.
    ///
    /// # Errors
    /// [`Problem`](crate::problem::Problem) if there is none.
    fn number<T: std::str::FromStr>(&self, name: &str) -> Result<T> {
        self.text(name).parse().map_err(|_| unfit(format!("the field `{name}` must be a number")))
    }

    /// The seat that the form is of, if it is of one.
    fn place(&self) -> Option<Place> {
        self.number("place").ok()
    }
}

fn unfit(detail: String) -> crate::problem::Problem {
    ProblemCode::BadFrame.because(detail)
}

/// The answer to a form that is done.
fn done(request: &HttpRequest, id: &str, place: Option<Place>) -> HttpResponse {
    if is_from_script(request) {
        return HttpResponse::NoContent().finish();
    }
    let seat = seat_query(place);
    see_other(&format!("/s/{id}{seat}"))
}

#[post("/s/{id}/move")]
pub(super) async fn play(
    request: HttpRequest,
    context: Data<Context>,
    id: Path<String>,
    form: Form<Vec<(String, String)>>,
) -> PageAnswer {
    let fields = Fields(form.into_inner());
    demand_form(&request, &context.referee, fields.text("csrf"))?;
    let reader = TableReader::of(&request, &context, &id, fields.place()).await?;
    let place = fields.number("place")?;
    let (index, turn) = (fields.number("hand")?, fields.number("turn")?);
    let text = match fields.text("range") {
        "" => fields.text("move").to_owned(),
        choice => amount(&reader, &context, &fields, choice)?,
    };
    if text.is_empty() {
        return Err(unfit("no move was chosen".to_owned()));
    }
    // A move has no key but its turn: sent again it changes nothing.
    reader.handle.play(&reader.guest, place, OwnMove { index, turn, text }).await?;
    Ok(done(&request, &id, Some(place)))
}

/// The move with the amount that somebody typed.
fn amount(reader: &TableReader, context: &Context, fields: &Fields, choice: &str) -> Result<String> {
    let place = reader.place.ok_or(ProblemCode::Forbidden)?;
    let own = reader.handle.frames(&reader.guest, place)?;
    let roles = reader.view().hand.as_ref().map(|hand| hand.roles.clone()).unwrap_or_default();
    let facts = reader.facts(&roles);
    let (index, to_move) = (own.index, own.to_move.borrow().clone());
    let game_time = *own.game_time.borrow();
    let named = std::sync::Arc::clone(&facts);
    let screen = context.screens.follow(&context.referee, own.into(), Some(place), named);
    let screen = std::sync::Arc::clone(&screen.borrow());
    let hand = ShownHand { index, screen, to_move, game_time, facts, is_own: true, advice: None };
    let found = hand.choices().into_iter().find(|other| other.id == choice);
    let Some(ChoiceMoves::Amounts(range)) = found.map(|choice| choice.moves) else {
        return Err(
            ProblemCode::Late.because("that is not among your moves any more; look at the table again")
        );
    };
    let amount: i64 = fields.number(&format!("amount-{choice}"))?;
    let found = range.amounts.iter().find(|one| one.amount == amount);
    let (least, most) = (range.amounts.first(), range.amounts.last());
    found.map(|one| one.term.clone()).ok_or_else(|| {
        let bounds =
            least.zip(most).map(|(least, most)| format!(" from {} to {}", least.amount, most.amount));
        unfit(format!(
            "{amount} is not possible; the amount must be one of those{}",
            bounds.unwrap_or_default()
        ))
    })
}

#[post("/s/{id}/do")]
pub(super) async fn control(
    request: HttpRequest,
    context: Data<Context>,
    id: Path<String>,
    form: Form<Vec<(String, String)>>,
) -> PageAnswer {
    let fields = Fields(form.into_inner());
    demand_form(&request, &context.referee, fields.text("csrf"))?;
    let reader = TableReader::of(&request, &context, &id, fields.place()).await?;
    let asked = fields.text("do");
    let command = command(asked, fields.text("agent"))?;
    // What a button asks for is its key: it has the version of the table at which it was shown.
    let key = Some(asked.to_owned());
    let done_of = context.referee.ask_session(&reader.handle, &reader.guest, command, key).await?;
    match done_of.session {
        Some(_) if is_from_script(&request) => {
            let next = next::address(&id, reader.place);
            Ok(HttpResponse::NoContent().insert_header(("HX-Redirect", next)).finish())
        }
        Some(_) => Ok(see_other(&next::address(&id, reader.place))),
        None => Ok(done(&request, &id, fields.place())),
    }
}

/// What a button asks for: `kick:2:17`, which is the request, the seat and the version of the table.
fn command(asked: &str, agent: &str) -> Result<SessionCommand> {
    let mut parts = asked.split(':');
    let mut command = Map::new();
    command.insert("do".to_owned(), json!(parts.next().unwrap_or_default()));
    if let Some(place) = parts.next().and_then(|place| place.parse::<Place>().ok()) {
        command.insert("place".to_owned(), json!(place));
    }
    if command["do"] == "seat_agent" {
        command.insert("agent".to_owned(), json!(agent));
    }
    let known = serde_json::from_value(Value::Object(command));
    known.map_err(|_| unfit("a table cannot be asked for that".to_owned()))
}

#[post("/s/{id}/say")]
pub(super) async fn say(
    request: HttpRequest,
    context: Data<Context>,
    id: Path<String>,
    form: Form<Vec<(String, String)>>,
) -> PageAnswer {
    let fields = Fields(form.into_inner());
    demand_form(&request, &context.referee, fields.text("csrf"))?;
    let reader = TableReader::of(&request, &context, &id, fields.place()).await?;
    let command = SessionCommand::Say { place: fields.place(), text: fields.text("text").to_owned() };
    let key = Some(fields.text("key").to_owned()).filter(|key| !key.is_empty());
    context.referee.ask_session(&reader.handle, &reader.guest, command, key).await?;
    Ok(done(&request, &id, fields.place()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buttons_ask_for_what_programs_ask_for() {
        let read = |asked, agent| command(asked, agent).ok();
        assert_eq!(read("pause::7", ""), Some(SessionCommand::Pause));
        assert_eq!(read("kick:2:7", ""), Some(SessionCommand::Kick { place: 2 }));
        let seated = SessionCommand::SeatAgent { place: 3, agent: "random".to_owned() };
        assert_eq!(read("seat_agent:3:7", "random"), Some(seated));
        for wrong in ["", "kick", "kick::", "kick:x:1", "shout:1:2", "{}"] {
            assert_eq!(read(wrong, "random"), None, "{wrong}");
        }
    }
}
