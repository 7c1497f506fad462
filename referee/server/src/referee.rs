//! All matches of a server: creates, finds and resumes them.

use std::{
    collections::BTreeMap,
    net::IpAddr,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use croupier_engine::{Game, realtime::RealTimeGame};
use croupier_referee::{
    Agents, Digest, Header, MatchState, SealKey, Secrets, Seed, SentRules,
    record::{Turns, commitment_of},
};
use dashmap::DashMap;
use serde::Serialize;
use tokio::{runtime::Handle, sync::watch};
use utoipa::ToSchema;

use crate::{
    actor::MatchActor,
    cadence::Cadence,
    checking::Checks,
    clock,
    context::ServerContext,
    entropy,
    handle::{Command, MatchHandle},
    idempotency::{Idempotency, once},
    interruptions::{End, Interruptions},
    limits::Limits,
    live::{Live, Making},
    pledge::Pledge,
    problem::{Problem, ProblemCode, Result},
    push::Reach,
    replays::Replays,
    seat::SeatSetup,
    session::SessionRegister,
    setup::{MatchRequest, Spectators, StoredSetup},
    shelf::Shelf,
    store::{NewMatch, OwnHand, Store, StoreError},
    tables::Tables,
};

/// How long the store may take to be closed.
const CLOSE_MAX: Duration = Duration::from_secs(3);

/// A match that was made.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Created {
    pub(crate) id: String,
    /// SHA-256 that binds the server to the seed of the match.
    pub(crate) commitment: String,
    /// The server's signature of the commitment.
    pub(crate) signature: String,
    /// By role, the token of a seat whose player connects and has no token of its own.
    pub(crate) tokens: BTreeMap<String, String>,
}

/// All matches of a server.
#[derive(Debug)]
pub(crate) struct Referee {
    pub(crate) context: Arc<ServerContext>,
    pub(crate) checks: Checks,
    pub(crate) runtime: Handle,
    key: SealKey,
    matches: DashMap<String, MatchHandle>,
    pub(crate) games: Shelf<Game>,
    /// What players are sent of them: every hand of a session is a match of its own.
    sent: Shelf<SentRules>,
    pub(crate) real_time_games: Shelf<RealTimeGame>,
    matches_max: usize,
    takes_seeds: bool,
    is_leaving: AtomicBool,
    /// Whether the store took what was written to it last.
    is_store_sound: AtomicBool,
    pub(crate) tables: Tables,
    /// Changes whenever a match begins or ends here.
    changes: watch::Sender<()>,
    pub(crate) interruptions: Interruptions,
    pub(crate) replays: Replays,
    /// The sessions that run here.
    pub(crate) sessions: SessionRegister,
}

impl Referee {
    pub(crate) fn new(
        store: Store,
        runtime: Handle,
        key: SealKey,
        limits: &Limits,
        agents: Arc<dyn Agents>,
    ) -> Arc<Self> {
        let reach = if limits.allow_private { Reach::Everywhere } else { Reach::Public };
        Arc::new(Self {
            context: Arc::new(ServerContext::new(store, reach, limits.threads, agents)),
            checks: Checks::new(limits.check),
            runtime,
            key,
            matches: DashMap::new(),
            games: Shelf::default(),
            sent: Shelf::default(),
            real_time_games: Shelf::default(),
            matches_max: limits.matches_max,
            takes_seeds: limits.takes_seeds,
            is_leaving: AtomicBool::new(false),
            is_store_sound: AtomicBool::new(true),
            tables: Tables::default(),
            changes: watch::Sender::new(()),
            interruptions: Interruptions::default(),
            replays: Replays::default(),
            sessions: SessionRegister::default(),
        })
    }

    pub(crate) fn store(&self) -> &Store {
        &self.context.store
    }

    /// The agents that can be seated.
    pub(crate) fn agents(&self) -> &dyn Agents {
        &*self.context.library.agents
    }

    /// What signs records.
    pub(crate) fn seal_key(&self) -> &SealKey {
        &self.key
    }

    /// The public half of the key that signs.
    pub(crate) fn public_key(&self) -> String {
        hex::encode(self.key.public_key())
    }

    /// A match that runs here, and that no other server may have taken over.
    pub(crate) fn find(&self, id: &str) -> Option<MatchHandle> {
        self.matches.get(id).filter(|handle| handle.tenure.is_held()).map(|handle| handle.clone())
    }

    /// Drops the matches of a lease that has run out: others may have them.
    pub(crate) fn drop_lapsed(&self) {
        self.matches.retain(|_, handle| {
            let is_held = handle.tenure.is_held();
            if !is_held {
                handle.drop_match();
            }
            is_held
        });
        self.drop_lapsed_sessions();
        self.change();
    }

    /// How many run or wait.
    pub(crate) fn running(&self) -> usize {
        self.matches.len()
    }

    /// How long the records of all matches that run are so far.
    #[cfg(feature = "mutants")]
    pub(crate) async fn lines_written(&self) -> usize {
        let ids: Vec<String> = self.matches.iter().map(|entry| entry.key().clone()).collect();
        let mut lines = 0;
        for id in ids {
            lines += self.context.store.record(&id).await.map_or(0, |record| record.len());
        }
        lines
    }

    /// Whether the maximum number of matches is running.
    pub(crate) fn is_full(&self) -> bool {
        self.running() >= self.matches_max
    }

    /// What changes whenever a match begins or ends here.
    pub(crate) fn changes(&self) -> watch::Receiver<()> {
        self.changes.subscribe()
    }

    /// Wakes everything that waits for a change.
    pub(crate) fn change(&self) {
        self.changes.send_replace(());
    }

    /// Creates a match; a repeated request gets the same response, and creates nothing.
    ///
    /// # Errors
    /// [`Problem`] with the request.
    pub(crate) async fn create_once(
        self: &Arc<Self>,
        request: MatchRequest,
        creator: String,
        idempotency: Option<Idempotency>,
    ) -> Result<Created> {
        let make = self.create(request, creator, idempotency.clone());
        once(idempotency, async |asked| self.answered(asked).await, make).await
    }

    /// The earlier response to this request.
    async fn answered(&self, asked: &Idempotency) -> Result<Option<Created>> {
        let Some(id) = asked.earlier(self.store().answered(asked).await?)? else { return Ok(None) };
        let stored = self.store().find(&id).await?.ok_or_else(Problem::lost)?;
        Ok(Some(self.created(id, &StoredSetup::read(&stored.setup)?)))
    }

    /// The response to the creator of a match: only digests of it are stored, and all of it is derived from the server's key.
    pub(crate) fn created(&self, id: String, setup: &StoredSetup) -> Created {
        let commitment = Digest::from_hex(&setup.commitment).expect("a commitment is a digest");
        let signature = hex::encode(self.key.sign_commitment(commitment));
        let shown = setup.seats.iter().filter(|(_, seat)| **seat == SeatSetup::Pull);
        let tokens = shown.map(|(role, _)| (role.clone(), self.seat_token(&id, role))).collect();
        Created { id, commitment: setup.commitment.clone(), signature, tokens }
    }

    /// What binds the server to the seed of a match.
    pub(crate) fn pledge(&self, setup: &StoredSetup) -> Pledge {
        let commitment = Digest::from_hex(&setup.commitment).expect("a commitment is a digest");
        Pledge::new(commitment, self.key.clone())
    }

    /// The token of a seat whose player connects.
    pub(crate) fn seat_token(&self, id: &str, role: &str) -> String {
        self.token_for(&format!("seat/{id}/{role}"))
    }

    /// The token for the forms of a browser of this random name.
    pub(crate) fn form_token(&self, visitor: &str) -> String {
        self.token_for(&format!("form/{visitor}"))
    }

    /// A token that this server can make again, and nobody else.
    pub(crate) fn token_for(&self, purpose: &str) -> String {
        hex::encode(self.key.token(purpose))
    }

    /// A client without a name, as the store knows it: its address cannot be recovered from it.
    pub(crate) fn digest_of_client(&self, address: IpAddr) -> String {
        self.token_for(&format!("client/{address}"))
    }

    /// An unpredictable token.
    ///
    /// # Errors
    /// [`Problem`] if the operating system provides no random bytes.
    pub(crate) fn fresh_token(&self) -> Result<String> {
        Ok(hex::encode(random::<32>()?))
    }

    /// Makes a match and begins it, or waits for those who connect.
    async fn create(
        self: &Arc<Self>,
        request: MatchRequest,
        creator: String,
        idempotency: Option<Idempotency>,
    ) -> Result<Created> {
        if self.is_full() {
            return Err(Problem::full(format!(
                "{} matches are running, which is the limit",
                self.matches_max
            )));
        }
        request.demand_bounds()?;
        let rules = self.rules_of(request.game.as_ref(), request.rules.as_ref()).await?;
        let seed = self.seed(request.seed.as_deref())?;
        let is_real_time = self.is_real_time(&rules);
        let plan = PlannedMatch { creator, idempotency, ..PlannedMatch::of(request, rules, seed) };
        if is_real_time {
            return self.create_real_time(plan).await;
        }
        let (new, making) = self.prepare(plan).await?;
        self.context.store.create(new).await?;
        let created = self.created(making.header.match_id().to_owned(), &making.setup);
        self.start(making);
        Ok(created)
    }

    /// Checks everything about a match that is to be made.
    ///
    /// # Errors
    /// [`Problem`] with the request.
    pub(crate) async fn prepare(&self, plan: PlannedMatch) -> Result<(NewMatch, Making)> {
        let PlannedMatch { id, request, rules, seed, creator, idempotency, tournament, session, shares_deal } =
            plan;
        if request.asks_for_time() {
            let detail = "`tick_us`, `speed_permille` and `time_max_us` are only for real-time games";
            return Err(ProblemCode::BadMatch.because(detail));
        }
        let tenure = self.store().tenure();
        let id = id.map_or_else(|| random::<12>().map(hex::encode), Ok)?;
        #[cfg(feature = "mutants")]
        let id = crate::leaks::made(id, &rules, &seed);
        let hand = session.as_ref().map(|own: &OwnHand| own.hand.clone());
        let mut setup = self.seated(&id, &request, hand).await?;
        setup.shares_deal = shares_deal;
        let rating_pool = request.rating_pool()?;
        let header = self.header(&id, rules.clone(), &setup).await?;
        // Moves of chance are the same in all matches on a deal.
        let tells_others = shares_deal && header.roles().random().is_some();
        let is_open = header.game().has_full_sight() && !tells_others;
        let default = if is_open { Spectators::Open } else { Spectators::Sealed };
        setup.spectators = request.spectators.unwrap_or(default);
        setup.cadence = request.cadence.unwrap_or_else(|| usual_cadence(&header));
        if setup.cadence != Cadence::Prompt {
            self.demand_bound(&header).await?;
        }
        setup.commitment = commitment_of::<Turns>(&header, &seed).to_string();
        let seats = setup.sound_seats(&header, self.agents())?;
        for (role, seat) in seats.iter() {
            self.demand_reach(&format!("seat {}", header.role_name(role)), seat)?;
        }
        let new = NewMatch {
            id,
            game_digest: header.game_digest().to_string(),
            rules,
            setup: setup.clone(),
            seed: seed.to_bytes(),
            created_ms: clock::unix_ms(),
            creator,
            idempotency,
            rating_pool,
            tournament,
            session,
        };
        let actor = MatchActor::new(MatchState::new(Arc::clone(&header), self.secrets(&seed)));
        let (pledge, epoch, instructions, ended) = (self.pledge(&setup), 1, None, None);
        Ok((new, Making { setup, header, pledge, actor, seats, seed, epoch, tenure, instructions, ended }))
    }

    /// The seed of a match.
    ///
    /// # Errors
    /// [`Problem`] if a seed is given that is invalid or not accepted.
    pub(crate) fn seed(&self, written: Option<&str>) -> Result<Seed> {
        match written {
            None => Ok(Seed::from_bytes(random()?)),
            Some(text) if self.takes_seeds => {
                Seed::from_text(text).map_err(|error| ProblemCode::BadSeed.because(error.to_string()))
            }
            Some(_) => {
                let help = "this server chooses seeds itself; `croupier serve --take-seeds` accepts others";
                Err(ProblemCode::BadSeed.because(help))
            }
        }
    }

    pub(crate) fn secrets(&self, seed: &Seed) -> Secrets {
        Secrets { seed: seed.clone(), seal_key: self.key.clone() }
    }

    /// A game, compiled only if no match has it.
    ///
    /// # Errors
    /// [`Problem`] if the rules cannot be compiled.
    pub(crate) async fn game(&self, rules: String) -> Result<Arc<Game>> {
        let digest = Digest::of(rules.as_bytes());
        if let Some(known) = self.games.get(digest) {
            return Ok(known);
        }
        let compiled = tokio::task::spawn_blocking(move || Game::compile(&rules, &StoredSetup::options()));
        let bad = |why: &str| ProblemCode::BadRules.because(why);
        let compiled = compiled.await.map_err(|_| bad("the rules cannot be compiled"))?;
        let game = Arc::new(compiled.map_err(|error| bad(&error.to_string()))?.game);
        Ok(self.games.keep(digest, game))
    }

    /// The header of a match; its game is compiled only if no other match has it.
    ///
    /// # Errors
    /// [`Problem`] if the rules cannot be compiled, or the match not be set up.
    pub(crate) async fn header(&self, id: &str, rules: String, setup: &StoredSetup) -> Result<Arc<Header>> {
        let digest = Digest::of(rules.as_bytes());
        let setup = setup.core(id, rules);
        let (game, sent) = (self.games.get(digest), self.sent.get(digest));
        let made = tokio::task::spawn_blocking(move || match (game, sent) {
            (Some(game), Some(sent)) => Header::with_sent(setup, game, sent.as_ref().clone()),
            (Some(game), None) => Header::with_game(setup, game),
            (None, _) => Header::compile(setup),
        });
        let header = made.await.map_err(|_| ProblemCode::BadRules.because("the rules cannot be compiled"))?;
        let header = header.map_err(|error| ProblemCode::BadMatch.because(error.to_string()))?;
        self.games.keep(digest, Arc::clone(header.game()));
        if self.sent.get(digest).is_none() {
            self.sent.keep(digest, Arc::new(header.sent().clone()));
        }
        Ok(Arc::new(header))
    }

    /// Starts the task of a match, and makes it known.
    pub(crate) fn start(self: &Arc<Self>, making: Making) {
        let id = making.header.match_id().to_owned();
        let (live, handle) = Live::new(making, Arc::clone(&self.context));
        self.run(id, handle, live.run());
    }

    /// Runs the task of a match, and registers it for as long as it runs.
    pub(crate) fn run(
        self: &Arc<Self>,
        id: String,
        handle: MatchHandle,
        task: impl Future<Output = End> + Send + 'static,
    ) {
        let referee = Arc::clone(self);
        let own = handle.clone();
        if let Some(earlier) = self.matches.insert(id.clone(), handle) {
            earlier.drop_match();
        }
        self.change();
        self.runtime.spawn(async move {
            // If the lease ran out while the match was made or taken over, it is taken up anew.
            let end = if own.tenure.is_held() {
                tokio::spawn(task).await
            } else {
                drop(task);
                Ok(End::Unstored(StoreError::Lapsed))
            };
            referee.matches.remove_if(&id, |_, handle| handle.is(&own));
            drop(own);
            referee.change();
            referee.go_on_after(id, end).await;
        });
    }

    /// Whether the store takes what is written to it, as of a second ago.
    pub(crate) fn is_store_sound(&self) -> bool {
        self.is_store_sound.load(Ordering::Relaxed)
    }

    /// Notes whether the store took something.
    pub(crate) fn note_store(&self, is_sound: bool) {
        self.is_store_sound.store(is_sound, Ordering::Relaxed);
    }

    /// Whether the server stops.
    pub(crate) fn is_leaving(&self) -> bool {
        self.is_leaving.load(Ordering::Relaxed)
    }

    /// Leaves all matches as they are stored, and closes the store.
    pub(crate) async fn leave(&self) {
        self.is_leaving.store(true, Ordering::Relaxed);
        self.leave_sessions();
        let handles: Vec<MatchHandle> = self.matches.iter().map(|handle| handle.clone()).collect();
        for handle in handles {
            let _ = handle.commands.send(Command::Leave).await;
        }
        // A match that is in the middle of a write finishes it.
        for _ in 0..200 {
            if self.matches.is_empty() {
                break;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        // A database that is gone takes nothing more, however long it is waited for.
        if tokio::time::timeout(CLOSE_MAX, self.context.store.close()).await.is_err() {
            tracing::warn!("the store does not answer: the lease of this server runs out by itself");
        }
    }
}

/// A match that is to be created.
pub(crate) struct PlannedMatch {
    /// Its id; by default the server chooses one.
    pub(crate) id: Option<String>,
    pub(crate) request: MatchRequest,
    pub(crate) rules: String,
    pub(crate) seed: Seed,
    pub(crate) creator: String,
    pub(crate) idempotency: Option<Idempotency>,
    /// The tournament that it belongs to.
    pub(crate) tournament: Option<String>,
    /// The session that it belongs to.
    pub(crate) session: Option<OwnHand>,
    /// Whether other matches are played on the same deal.
    pub(crate) shares_deal: bool,
}

impl PlannedMatch {
    /// A match that nobody asked for yet.
    pub(crate) fn of(request: MatchRequest, rules: String, seed: Seed) -> Self {
        Self {
            id: None,
            request,
            rules,
            seed,
            creator: String::new(),
            idempotency: None,
            tournament: None,
            session: None,
            shares_deal: false,
        }
    }
}

/// The timing of messages reveals nothing of the state, if the game has hidden information.
fn usual_cadence(header: &Header) -> Cadence {
    if header.game().has_full_sight() { Cadence::Prompt } else { Cadence::Padded }
}

pub(crate) fn random<const N: usize>() -> Result<[u8; N], Problem> {
    entropy::bytes().map_err(|_| Problem::full("the operating system provides no random bytes"))
}
