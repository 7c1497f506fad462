//! Resolves the requested seats of a match.

use std::{collections::BTreeMap, time::Duration};

use croupier_referee::protocol::{Notation, http_request};

use crate::{
    clock,
    problem::Problem,
    push::exchange,
    referee::Referee,
    rights::TokenDigest,
    seat::{Seat, SeatSetup, Seating},
    store::{NewSeat, StoredPlayer},
};

/// How long a player that is to be registered may take to say that it is there.
const ANSWER_MAX: Duration = Duration::from_secs(5);

impl Referee {
    /// Looks up the named players, and creates tokens for seats whose players connect.
    pub(crate) async fn seating(
        &self,
        id: &str,
        asked: &BTreeMap<String, SeatSetup>,
    ) -> Result<Seating, Problem> {
        let mut seating = Seating { seats: BTreeMap::new(), tokens: BTreeMap::new(), players: Vec::new() };
        for (role, seat) in asked {
            let own_token = || TokenDigest::of(&self.seat_token(id, role)).to_hex();
            let mut player = None;
            let mut is_free = false;
            match seat {
                SeatSetup::Pull => drop(seating.tokens.insert(role.clone(), own_token())),
                SeatSetup::Open => {
                    is_free = true;
                    seating.tokens.insert(role.clone(), own_token());
                }
                SeatSetup::Agent { agent } => player = Some(agent.clone()),
                SeatSetup::Push { .. } => {}
                SeatSetup::Player { player: name, .. } => {
                    let nobody =
                        || Problem::unfit("bad-seat", format!("seat {role}: there is no player '{name}'"));
                    let known = self.store().player(name).await?.ok_or_else(nobody)?;
                    if known.address.is_none() {
                        let token = self.store().token_of_player(name).await?.ok_or_else(nobody)?;
                        seating.tokens.insert(role.clone(), token);
                    }
                    player = Some(known.name.clone());
                    seating.seats.insert(role.clone(), called(known));
                }
            }
            seating.seats.entry(role.clone()).or_insert_with(|| seat.clone());
            seating.players.push(NewSeat { role: role.clone(), player, is_free });
        }
        Ok(seating)
    }

    /// The rules that a request means.
    pub(crate) async fn rules_of(
        &self,
        game: Option<&String>,
        rules: Option<&String>,
    ) -> Result<String, Problem> {
        match (game, rules) {
            (Some(name), None) => self.rules(name).await?.ok_or_else(|| {
                Problem::unfit("unknown-game", format!("there is no game '{name}'; GET /v1/games lists them"))
            }),
            (None, Some(rules)) => {
                // They were taken in with the request; the shelf may have forgotten their game since.
                self.demand_game(rules, None).await?;
                Ok(rules.clone())
            }
            _ => Err(Problem::unfit("bad-match", "give either a game or rules")),
        }
    }

    /// The rules of a game of the catalogue, or of one that was uploaded.
    pub(crate) async fn rules(&self, name: &str) -> Result<Option<String>, Problem> {
        match croupier_games::find(name) {
            Some(entry) => Ok(Some(entry.rules.to_owned())),
            None => Ok(self.store().uploaded_rules(name).await?),
        }
    }

    /// Rejects a player at an address that the server does not call.
    pub(crate) fn demand_reach(&self, whose: &str, seat: &Seat) -> Result<(), Problem> {
        match seat {
            Seat::Push { address, .. } if self.context.reach.excludes(address.host()) => Err(Problem::unfit(
                "bad-seat",
                format!(
                    "{whose}: the address is in a private network; `croupier serve --allow-private` allows that"
                ),
            )),
            _ => Ok(()),
        }
    }

    /// Rejects a player that does not answer when it is called.
    pub(crate) async fn demand_answer(&self, name: &str, seat: &Seat) -> Result<(), Problem> {
        self.demand_reach(&format!("player {name}"), seat)?;
        let Seat::Push { address, form } = seat else { return Ok(()) };
        let body = if form.notation == Notation::Prefix { "(INFO)" } else { "info" };
        let request = http_request(body, "", form.headers);
        match exchange(address, self.context.reach, &request, clock::now() + ANSWER_MAX).await {
            Ok(_) => Ok(()),
            Err(_) => Err(Problem::unfit(
                "no-answer",
                format!("player {name}: no answer to INFO at its address; start the player first"),
            )),
        }
    }
}

/// The seat of a registered player.
fn called(player: StoredPlayer) -> SeatSetup {
    let StoredPlayer { name, address, dialect, .. } = player;
    SeatSetup::Player { player: name, address, dialect }
}
