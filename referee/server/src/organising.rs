//! Tournaments that are played: each fixture becomes a match when its turn comes.
//!
//! Every server of a store looks after all tournaments. Any server with room creates the match of the next fixture; this is recorded in
//! the same transaction, so that no two servers play one fixture, and none is forgotten. The matches of a server that dies are
//! taken over like all others. The next round of a Swiss tournament follows from stored results alone: all servers pair it alike.

use std::{sync::Arc, time::Duration};

use croupier_referee::{Digest, Seed};
use croupier_results::{Fixture, MatchResult};
use tokio::time::{sleep, timeout};

use crate::{
    clock,
    handle::Command,
    idempotency::{Idempotency, once},
    interruptions::End,
    problem::{Problem, Result},
    referee::{PlannedMatch, Referee, random},
    store::{Claimed, NewTournament, StoredTournament},
    tournament::TournamentRequest,
};

/// Tournaments that may run at once.
const TOURNAMENTS_MAX: usize = 1_000;

/// The minimum interval between two checks of the tournaments.
const PAUSE: Duration = Duration::from_millis(20);

/// Between two looks if nothing happens here: what other servers do is seen then.
const PAUSE_SHARED: Duration = Duration::from_secs(1);
const PAUSE_ALONE: Duration = Duration::from_secs(10);

/// A tournament with the data for its matches.
struct Organised<'t> {
    stored: &'t StoredTournament,
    request: TournamentRequest,
    rules: String,
    seed: Seed,
}

impl Referee {
    /// Creates a tournament; a repeated request gets the same response, and creates nothing.
    ///
    /// # Errors
    /// [`Problem`] with the request.
    pub(crate) async fn organise_once(
        &self,
        request: TournamentRequest,
        creator: String,
        idempotency: Option<Idempotency>,
    ) -> Result<String> {
        let answered =
            async |asked: &Idempotency| asked.earlier(self.store().answered_tournament(asked).await?);
        let make = self.organise(request, creator, idempotency.clone());
        once(idempotency, answered, make).await
    }

    async fn organise(
        &self,
        mut request: TournamentRequest,
        creator: String,
        idempotency: Option<Idempotency>,
    ) -> Result<String> {
        request.demand_bounds(self.agents())?;
        if self.store().unfinished_tournaments().await?.len() >= TOURNAMENTS_MAX {
            return Err(Problem::full(format!("{TOURNAMENTS_MAX} tournaments are running")));
        }
        let rules = self.rules_of(request.game.as_ref(), request.rules.as_ref()).await?;
        let game = self.game(rules.clone()).await?;
        let role_name = |role| game.roles().name(role).to_owned();
        let roles: Vec<String> = game.roles().players().map(role_name).collect();
        let (asked, seats) = (request.clone(), roles.len());
        let fixtures = tokio::task::spawn_blocking(move || {
            let schedule = asked.schedule(seats)?;
            let fixtures = (0..schedule.paired_count()).map_while(|index| schedule.fixture(index));
            Ok::<Vec<Fixture>, Problem>(fixtures.collect())
        });
        let fixtures = fixtures.await.map_err(|_| Problem::stopping())??;
        let seed = self.seed(request.seed.as_deref())?;
        // Each entrant in all seats: whatever is wrong with one is said now.
        for entrant in 0..request.entrants.len() {
            let alone = Fixture { index: 0, seats: vec![entrant; roles.len()], deal: 0 };
            let plan = PlannedMatch::of(request.match_of(&roles, &alone), rules.clone(), seed.clone());
            let plan = PlannedMatch { shares_deal: request.duplicate, ..plan };
            let (new, _) = self.prepare(plan).await?;
            request.rated = Some(new.rating_pool.is_some());
        }
        (request.rules, request.seed) = (None, None);
        let new = NewTournament {
            id: hex::encode(random::<12>()?),
            game_digest: Digest::of(rules.as_bytes()).to_string(),
            game_name: request.game.clone(),
            rules,
            creator,
            setup: serde_json::to_string(&request).expect("a tournament is JSON"),
            roles,
            at_once: request.matches_at_once,
            seed: seed.to_bytes(),
            created_ms: clock::unix_ms(),
            idempotency,
            fixtures,
        };
        self.store().create_tournament(&new).await?;
        self.change();
        Ok(new.id)
    }

    /// Plays all tournaments of the store, as far as it is for this server, until it stops.
    pub(crate) async fn keep_tournaments(self: Arc<Self>) {
        let mut changes = self.changes();
        let pause = if self.store().is_shared() { PAUSE_SHARED } else { PAUSE_ALONE };
        while !self.is_leaving() {
            changes.borrow_and_update();
            match self.store().unfinished_tournaments().await {
                Ok(tournaments) => {
                    for tournament in tournaments {
                        let id = tournament.id.clone();
                        let referee = Arc::clone(&self);
                        let advanced = self.runtime.spawn(async move { referee.advance(tournament).await });
                        match advanced.await {
                            Ok(Ok(())) => {}
                            Ok(Err(_)) | Err(_) if self.is_leaving() => return,
                            Ok(Err(problem)) => tracing::error!(%id, %problem, "a tournament stands still"),
                            Err(_) => tracing::error!(%id, "a tournament panicked"),
                        }
                    }
                }
                Err(_) if self.is_leaving() => return,
                Err(error) => {
                    tracing::error!(%error, "cannot read from the store which tournaments are running")
                }
            }
            sleep(PAUSE).await;
            // Nothing may change for long.
            let _ = timeout(pause, changes.changed()).await;
        }
    }

    /// Carries out what can be done for a tournament now.
    async fn advance(self: &Arc<Self>, tournament: StoredTournament) -> Result<()> {
        if tournament.status != "running" {
            return self.end_matches(&tournament).await;
        }
        let mut stored = tournament.clone();
        let mut organised = None;
        while stored.live < stored.at_once {
            let fixtures = self.store().open_fixtures(&stored.id, stored.at_once - stored.live).await?;
            if fixtures.is_empty() {
                return if stored.live == 0 { self.end_round(&stored).await } else { Ok(()) };
            }
            let organised = match &organised {
                Some(organised) => organised,
                None => organised.insert(self.with_secrets(&tournament).await?),
            };
            for fixture in &fixtures {
                let is_room = !self.is_full() && !self.is_leaving();
                if !is_room || self.play(organised, fixture).await? == Claimed::Full {
                    return Ok(());
                }
            }
            match self.store().tournament(&stored.id).await? {
                Some(now) if now.status == "running" => stored = now,
                _ => return Ok(()),
            }
        }
        Ok(())
    }

    async fn with_secrets<'t>(&self, stored: &'t StoredTournament) -> Result<Organised<'t>> {
        let secrets = self.store().secrets_of_tournament(&stored.id).await?;
        let (rules, seed) = secrets.ok_or_else(TournamentRequest::lost)?;
        let request = TournamentRequest::of(stored)?;
        Ok(Organised { stored, request, rules, seed: Seed::from_bytes(seed) })
    }

    /// Creates the match of a fixture, if nobody has. A match that cannot be created is void.
    async fn play(self: &Arc<Self>, organised: &Organised<'_>, fixture: &Fixture) -> Result<Claimed> {
        let Organised { stored, request, rules, seed } = organised;
        let asked = request.match_of(&stored.roles, fixture);
        let plan = PlannedMatch {
            creator: stored.creator.clone(),
            tournament: Some(stored.id.clone()),
            shares_deal: request.duplicate,
            ..PlannedMatch::of(asked, rules.clone(), seed.for_match(fixture.deal))
        };
        let (new, making) = match self.prepare(plan).await {
            Ok(prepared) => prepared,
            Err(problem) if problem.is_final() => {
                tracing::warn!(tournament = stored.id, place = fixture.index, %problem, "a match is void");
                self.store().skip_fixture(&stored.id, fixture.deal, &void(fixture)).await?;
                return Ok(Claimed::Taken);
            }
            Err(problem) => return Err(problem),
        };
        match self.store().claim_fixture(&new, &stored.id, fixture.index).await {
            Ok(Claimed::Own) => {
                self.start(making);
                Ok(Claimed::Own)
            }
            Ok(claimed) => Ok(claimed),
            Err(error) => {
                // Perhaps it was stored all the same, and only the answer was lost: then it goes on here.
                let (referee, problem) = (Arc::clone(self), Problem::full(error.to_string()));
                self.runtime
                    .spawn(async move { referee.go_on_after(new.id, Ok(End::Unstored(error))).await });
                Err(problem)
            }
        }
    }

    /// The next step when no match runs and none is left to create: the next round, or the end.
    async fn end_round(&self, stored: &StoredTournament) -> Result<()> {
        let table = self.tables.table(self.store(), stored).await?;
        let (played, fixtures) = {
            let table = table.lock();
            let played = table.results.len() as u64;
            let fixtures: Vec<Fixture> = (played..table.schedule.paired_count())
                .map_while(|index| table.schedule.fixture(index))
                .collect();
            if played == table.schedule.matches_count() { (played, None) } else { (played, Some(fixtures)) }
        };
        match fixtures {
            None => self.store().conclude_tournament(&stored.id).await?,
            Some(fixtures) => {
                self.store().add_fixtures(&stored.id, played, &fixtures).await?;
                self.change();
            }
        }
        Ok(())
    }

    /// Ends the matches of a tournament that was ended, as far as they run here.
    async fn end_matches(self: &Arc<Self>, stored: &StoredTournament) -> Result<()> {
        for id in self.store().running_matches(&stored.id).await? {
            if let Some(handle) = self.find(&id) {
                // A match that has just ended needs no command.
                let _ = handle.commands.send(Command::Abort).await;
            }
        }
        Ok(())
    }
}

/// The result of a fixture whose match cannot be created.
fn void(fixture: &Fixture) -> MatchResult {
    MatchResult {
        index: fixture.index,
        match_id: String::new(),
        seats: fixture.seats.clone(),
        status: "void".to_owned(),
        turns: 0,
        goals: None,
        no_moves: vec![0; fixture.seats.len()],
        reasons: None,
        looked_up: None,
        record_end: None,
    }
}
