//! Records and hands, which are public once a match and all others on the same deal are over.

use std::sync::Arc;

use actix_web::{
    HttpRequest, HttpResponse, get,
    web::{Data, Path},
};
use croupier_games::find;
use croupier_referee::{read_records, replay};
use croupier_results::{Hand, HandError};

use super::{Answer, Context};
use crate::{
    problem::{Problem, ProblemCode, Result},
    rights::{Operation, PublicationStage},
    setup::StoredSetup,
    store::StoredMatch,
};

/// The record of a finished match
///
/// One JSON object per line, with the seed and the server's signature; `croupier replay --verify` checks it.
#[utoipa::path(
    responses((status = 200, content_type = "application/x-ndjson"), (status = 409)),
    extensions(("x-right" = json!("over")))
)]
#[get("/matches/{id}/record")]
pub(super) async fn record(request: HttpRequest, context: Data<Context>, id: Path<String>) -> Answer {
    review(&request, &context, &id).await?;
    let text = context.referee.store().record(&id).await?;
    Ok(HttpResponse::Ok().content_type("application/x-ndjson").body(text))
}

/// A match that the client may see completely.
///
/// # Errors
/// [`Problem`] if it runs, or others that are not over share what was hidden in it.
pub(crate) async fn review(request: &HttpRequest, context: &Context, id: &str) -> Result<StoredMatch> {
    let stored = context.stored(id).await?;
    let stage = match stored.outcome {
        Some(_) if context.referee.find(id).is_none() && stored.shared.seed => PublicationStage::Held,
        Some(_) if context.referee.find(id).is_none() => PublicationStage::Over,
        _ => PublicationStage::Running,
    };
    #[cfg(feature = "mutants")]
    if stage == PublicationStage::Running
        && let Some(text) = crate::leaks::quoted(&context.referee.store().record(id).await?)
    {
        return Err(ProblemCode::Running.because(text));
    }
    context.demand(request, Operation::Review(stage)).await?;
    Ok(stored)
}

/// The hand history of a finished poker match
///
/// In the PHH format, which is TOML, with all cards; for poker matches that ended by the rules.
#[utoipa::path(
    responses((status = 200, content_type = "application/toml"), (status = 409), (status = 422)),
    extensions(("x-right" = json!("over")))
)]
#[get("/matches/{id}/hand")]
pub(super) async fn hand(request: HttpRequest, context: Data<Context>, id: Path<String>) -> Answer {
    let stored = review(&request, &context, &id).await?;
    let game = StoredSetup::read(&stored.setup).ok().and_then(|setup| setup.game);
    let entry = game.as_deref().and_then(find);
    let facts = entry.and_then(|entry| entry.facts().ok()).filter(|facts| facts.hand_history.is_some());
    let facts = facts.ok_or_else(|| no_hand(&HandError::NoPoker))?;
    let stored_text = async { Ok(context.referee.store().record(&id).await?) };
    let hand = context.referee.replays.of(format!("{id} hand"), stored_text, move |text| {
        let records = read_records(text.as_bytes()).map_err(|_| Problem::lost())?;
        let whole = records.first().ok_or_else(Problem::lost)?;
        let replayed = replay(whole).map_err(|_| Problem::lost())?;
        let hand = Hand::of(whole, &replayed, &facts).map_err(|error| no_hand(&error))?;
        Ok(Arc::from([Arc::from(hand.to_string())]))
    });
    Ok(HttpResponse::Ok().content_type("application/toml").body(hand.await?.concat()))
}

fn no_hand(error: &HandError) -> Problem {
    match error {
        HandError::NoPoker => ProblemCode::NoPoker.because(error.to_string()),
        _ => ProblemCode::Unfinished.into(),
    }
}
