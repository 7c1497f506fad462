//! Creates and resumes real-time matches.

use std::sync::Arc;

use croupier_engine::realtime::RealTimeGame;
use croupier_referee::{
    Agents, Digest, Seed,
    realtime::{
        RealTime, RealTimeHeader, RealTimeMatch, ResumedRealTime, read_real_time_records, resume_real_time,
    },
    record::commitment_of,
};
use tokio::task::spawn_blocking;

use super::{
    RealTimeActor, RealTimeTerms,
    agents::SeatedAgent,
    live::{Past, RealTimeLive, RealTimeMaking},
};
use crate::{
    clock,
    problem::{Problem, ProblemCode},
    referee::{Created, PlannedMatch, Referee, random},
    seat::{Seat, SeatSetup},
    setup::{Spectators, StoredSetup},
    store::{Claim, NewMatch, OwnHand, StoredWhole},
};

impl Referee {
    /// Makes a real-time match, which waits for those who connect.
    ///
    /// # Errors
    /// [`Problem`] with the request.
    pub(crate) async fn create_real_time(self: &Arc<Self>, plan: PlannedMatch) -> Result<Created, Problem> {
        let PlannedMatch { id, request, rules, seed, creator, idempotency, session, .. } = plan;
        if request.cadence.is_some() {
            let detail =
                "`cadence` is only for turn-based games: in real-time games messages are sent at once";
            return Err(ProblemCode::BadMatch.because(detail));
        }
        let tenure = self.store().tenure();
        let id = id.map_or_else(|| random::<12>().map(hex::encode), Ok)?;
        #[cfg(feature = "mutants")]
        let id = crate::leaks::made(id, &rules, &seed);
        let hand = session.as_ref().map(|own: &OwnHand| own.hand.clone());
        let mut setup = self.seated(&id, &request, hand).await?;
        // The seed of a match of a session follows from the session's: nobody adds to it.
        setup.commits_nonces &= session.is_none();
        let rating_pool = request.rating_pool()?;
        demand_seats(&setup, self.agents())?;
        let game = self.real_time_game(rules.clone()).await?;
        let is_open = game.has_full_sight();
        let terms = RealTimeTerms::of(&request, is_open);
        setup.real_time = Some(terms);
        let default = if is_open { Spectators::Open } else { Spectators::Sealed };
        setup.spectators = request.spectators.unwrap_or(default);
        let header = header(&terms, &setup, &id, rules.clone(), game)?;
        let agents = self.seated_agents(&setup, &header, &seed)?;
        setup.commitment = commitment_of::<RealTime>(&header, &seed).to_string();
        let new = NewMatch {
            id: id.clone(),
            game_digest: header.game_digest().to_string(),
            rules,
            setup: setup.clone(),
            seed: seed.to_bytes(),
            created_ms: clock::unix_ms(),
            creator,
            idempotency,
            rating_pool,
            tournament: None,
            session,
        };
        self.store().create(new).await?;
        let created = self.created(id, &setup);
        let actor = RealTimeActor::new(RealTimeMatch::new(Arc::clone(&header), self.secrets(&seed)));
        let (pledge, setup, epoch, past) = (self.pledge(&setup), &setup, 1, None);
        self.start_real_time(RealTimeMaking {
            setup,
            terms,
            header,
            actor,
            agents,
            pledge,
            epoch,
            tenure,
            past,
        });
        Ok(created)
    }

    /// Resumes a match of this server from its stored lines.
    ///
    /// # Errors
    /// [`Problem`] if it cannot.
    pub(crate) async fn go_on_in_real_time(
        self: &Arc<Self>,
        claim: &Claim,
        whole: StoredWhole,
        setup: &StoredSetup,
    ) -> Result<(), Problem> {
        let lost = || Problem::absent("what is stored of it is not a match");
        let terms = setup.real_time.ok_or_else(lost)?;
        let seed = Seed::from_bytes(whole.seed);
        let game = self.real_time_game(whole.rules.clone()).await?;
        let header = header(&terms, setup, &claim.id, whole.rules, game)?;
        let agents = self.seated_agents(setup, &header, &seed)?;
        let text = self.store().record(&claim.id).await?;
        let secrets = self.secrets(&seed);
        let (actor, past) = if text.is_empty() {
            (RealTimeActor::new(RealTimeMatch::new(Arc::clone(&header), secrets)), None)
        } else {
            let records = read_real_time_records(text.as_bytes()).map_err(|_| lost())?;
            let record = records.first().ok_or_else(lost)?;
            let resumed = resume_real_time(record, &header, secrets)
                .map_err(|error| ProblemCode::Altered.because(format!("its record was altered: {error}")))?;
            let ResumedRealTime { machine, notices, effects, at_us } = resumed;
            let actor = RealTimeActor::go_on_with(machine, effects, record.lines().len() as u64);
            (actor, Some(Past { notices, at_us }))
        };
        let (pledge, epoch, tenure) = (self.pledge(setup), claim.epoch, claim.tenure.clone());
        self.start_real_time(RealTimeMaking {
            setup,
            terms,
            header,
            actor,
            agents,
            pledge,
            epoch,
            tenure,
            past,
        });
        Ok(())
    }

    /// A game for one match, compiled where nothing waits for it and only if it is not known. Its terms are its own: every instant
    /// may create some.
    ///
    /// # Errors
    /// [`Problem`] if the rules cannot be compiled.
    pub(crate) async fn real_time_game(&self, rules: String) -> Result<Arc<RealTimeGame>, Problem> {
        let digest = Digest::of(rules.as_bytes());
        if let Some(known) = self.real_time_games.get(digest) {
            return Ok(Arc::new(known.fork()));
        }
        let compiled = spawn_blocking(move || RealTimeGame::compile(&rules, &StoredSetup::options())).await;
        let bad = |why: &str| ProblemCode::BadRules.because(why);
        let compiled = compiled.map_err(|_| bad("the rules cannot be compiled"))?;
        let game = Arc::new(compiled.map_err(|error| bad(&error.to_string()))?.game);
        Ok(Arc::new(self.real_time_games.keep(digest, game).fork()))
    }

    /// The agents of a match, each with a game that shares no terms with the referee's.
    fn seated_agents(
        &self,
        setup: &StoredSetup,
        header: &RealTimeHeader,
        seed: &Seed,
    ) -> Result<Vec<SeatedAgent>, Problem> {
        let mut seated = Vec::new();
        for role in header.roles().players() {
            let name = header.roles().name(role);
            if let Some(SeatSetup::Agent { agent }) = setup.seats.get(name) {
                let game = Arc::new(header.game().fork());
                let seat = self.agents().real_time_seat(agent, game, role, seed.agent(name));
                let seat = seat.map_err(|error| bad_seat(name, &error.to_string()))?;
                seated.push(SeatedAgent { role, seat });
            }
        }
        Ok(seated)
    }

    fn start_real_time(self: &Arc<Self>, making: RealTimeMaking<'_>) {
        let id = making.header.setup().match_id.clone();
        let (live, handle) = RealTimeLive::new(making, Arc::clone(&self.context));
        self.run(id, handle, live.run());
    }
}

fn header(
    terms: &RealTimeTerms,
    setup: &StoredSetup,
    id: &str,
    rules: String,
    game: Arc<RealTimeGame>,
) -> Result<Arc<RealTimeHeader>, Problem> {
    let header = RealTimeHeader::with_game(terms.core(setup, id, rules), game);
    header.map(Arc::new).map_err(|error| ProblemCode::BadMatch.because(error.to_string()))
}

/// Rejects seats whose players neither connect nor are agents of real-time games: players that are called get requests for moves,
/// which do not exist here.
fn demand_seats(setup: &StoredSetup, agents: &dyn Agents) -> Result<(), Problem> {
    for (role, seat) in &setup.seats {
        if let SeatSetup::Agent { agent } = seat {
            agents.real_time_name(agent).map_err(|error| bad_seat(role, &error.to_string()))?;
        } else if !matches!(seat.seat(role, agents)?, Seat::Pull) {
            return Err(bad_seat(role, "in a real-time game players connect, or are agents of the server"));
        }
    }
    Ok(())
}

fn bad_seat(role: &str, what: &str) -> Problem {
    ProblemCode::BadSeat.because(format!("seat {role}: {what}"))
}
