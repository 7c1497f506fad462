//! Resolves the requested seats of a match.

use std::time::Duration;

use croupier_referee::protocol::{Notation, http_request};

use crate::{
    clock,
    problem::{ProblemCode, Result},
    push::exchange,
    referee::Referee,
    rights::TokenDigest,
    seat::{Seat, SeatSetup},
    setup::{MatchRequest, SessionHand, StoredSetup},
    store::StoredPlayer,
};

/// How long a player that is to be registered may take to say that it is there.
const ANSWER_MAX: Duration = Duration::from_secs(5);

impl Referee {
    /// The stored part of a request, with the registered players that it names, and the tokens of seats whose players connect. Guests
    /// of a session have no token of one match: the session knows their keys.
    ///
    /// # Errors
    /// [`Problem`] that names the seat of an unknown player.
    pub(crate) async fn seated(
        &self,
        id: &str,
        request: &MatchRequest,
        session: Option<SessionHand>,
    ) -> Result<StoredSetup> {
        let mut setup = StoredSetup::of(request);
        for (role, seat) in &request.seats {
            let (mut seat, mut token) = (seat.clone(), None);
            match &seat {
                SeatSetup::Pull if session.is_some() => {}
                SeatSetup::Pull | SeatSetup::Open => {
                    token = Some(TokenDigest::of(&self.seat_token(id, role)).to_hex());
                }
                SeatSetup::Agent { .. } | SeatSetup::Push { .. } => {}
                SeatSetup::Player { player: name, .. } => {
                    let nobody = || {
                        let detail = format!("seat {role}: there is no player '{name}'");
                        ProblemCode::BadSeat.because(detail)
                    };
                    let known = self.store().player(name).await?.ok_or_else(nobody)?;
                    if known.address.is_none() {
                        token = Some(self.store().token_of_player(name).await?.ok_or_else(nobody)?);
                    }
                    let StoredPlayer { name: player, address, dialect, .. } = known;
                    seat = SeatSetup::Player { player, address, dialect };
                }
            }
            setup.tokens.extend(token.map(|token| (role.clone(), token)));
            setup.seats.insert(role.clone(), seat);
        }
        setup.session = session;
        Ok(setup)
    }

    /// The rules that a request means.
    pub(crate) async fn rules_of(&self, game: Option<&String>, rules: Option<&String>) -> Result<String> {
        match (game, rules) {
            (Some(name), None) => self.rules(name).await?.ok_or_else(|| {
                ProblemCode::UnknownGame
                    .because(format!("there is no game '{name}'; GET /v1/games lists them"))
            }),
            (None, Some(rules)) => {
                // They were taken in with the request; the shelf may have forgotten their game since.
                self.demand_game(rules, None).await?;
                Ok(rules.clone())
            }
            _ => Err(ProblemCode::BadMatch.because("give either a game or rules")),
        }
    }

    /// The rules of a game of the catalogue, or of one that was uploaded.
    pub(crate) async fn rules(&self, name: &str) -> Result<Option<String>> {
        match croupier_games::find(name) {
            Some(entry) => Ok(Some(entry.rules.to_owned())),
            None => Ok(self.store().uploaded_rules(name).await?),
        }
    }

    /// Rejects a player at an address that the server does not call.
    pub(crate) fn demand_reach(&self, whose: &str, seat: &Seat) -> Result<()> {
        match seat {
            Seat::Push { address, .. } if self.context.reach.excludes(address.host()) => Err(ProblemCode::BadSeat.because(format!(
                    "{whose}: the address is in a private network; `croupier serve --allow-private` allows that"
                ))),
            _ => Ok(()),
        }
    }

    /// Rejects a player that does not answer when it is called.
    pub(crate) async fn demand_answer(&self, name: &str, seat: &Seat) -> Result<()> {
        self.demand_reach(&format!("player {name}"), seat)?;
        let Seat::Push { address, form } = seat else { return Ok(()) };
        let body = if form.notation == Notation::Prefix { "(INFO)" } else { "info" };
        let request = http_request(body, "", form.headers);
        match exchange(address, self.context.reach, &request, clock::now() + ANSWER_MAX).await {
            Ok(_) => Ok(()),
            Err(_) => Err(ProblemCode::NoAnswer
                .because(format!("player {name}: no answer to INFO at its address; start the player first"))),
        }
    }
}
