//! All matches of a server: made, found, gone on with.

use std::{sync::Arc, time::Duration};

use croupier_engine::{ByPlayer, Game, RoleId, Strictness, game::PerceptReading};
use croupier_referee::{
    Clocks, Digest, Header, MatchSetup, MatchState, SealKey, Secrets, Seed, Substitution,
    protocol::check_form, read_records, resume,
};
use dashmap::DashMap;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::{runtime::Handle, sync::Semaphore};

use crate::{
    actor::{MatchActor, Resumption},
    cadence::Cadence,
    clock, entropy,
    findings::findings,
    limits::Limits,
    live::{Command, House, Live, Making, MatchHandle, join_by},
    problem::Problem,
    push::Reach,
    rights::TokenDigest,
    seat::{Seat, SeatSetup},
    store::{NewMatch, Store, StoreError, StoredMatch},
    thinker::Library,
};

/// How long players that connect have for that, in seconds, if nothing else is said.
const JOIN_S: u64 = 600;

/// Turns after which a match that is not over ends without goals.
const TURNS_MAX: u32 = 10_000;

/// How many matches go on at once when the server starts.
const RESUMED_AT_ONCE: usize = 64;

/// A match as it is asked for.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct MatchRequest {
    /// A game of the catalogue.
    game: Option<String>,
    /// Or rules of one's own.
    rules: Option<String>,
    /// Who sits in each role but `random`.
    seats: std::collections::BTreeMap<String, SeatSetup>,
    #[serde(default = "start_clock_ms")]
    start_clock_ms: u64,
    #[serde(default = "play_clock_ms")]
    play_clock_ms: u64,
    /// Seconds in which players that connect have to.
    #[serde(default = "join_s")]
    join_s: u64,
    /// What spectators see while it runs; by default moves where the rules hide nothing.
    spectators: Option<Spectators>,
    /// When messages go out; by default padded where the rules hide something, and prompt where they do not.
    cadence: Option<Cadence>,
    /// Where chance comes from, if the server takes such seeds: for tests and replays.
    seed: Option<String>,
}

fn start_clock_ms() -> u64 {
    30_000
}

fn play_clock_ms() -> u64 {
    15_000
}

fn join_s() -> u64 {
    JOIN_S
}

/// What spectators see while a match runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Spectators {
    /// Every joint move.
    Open,
    /// How many turns were played.
    Sealed,
}

/// What is kept of a request beside the rules: enough to go on with the match.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct StoredSetup {
    pub(crate) game: Option<String>,
    pub(crate) seats: std::collections::BTreeMap<String, SeatSetup>,
    /// By role, the digest of the token of a seat whose player connects.
    tokens: std::collections::BTreeMap<String, String>,
    start_clock_ms: u64,
    play_clock_ms: u64,
    join_s: u64,
    pub(crate) spectators: Spectators,
    #[serde(default = "prompt")]
    cadence: Cadence,
    pub(crate) commitment: String,
}

/// A match that was made.
#[derive(Debug, Serialize)]
pub(crate) struct Created {
    pub(crate) id: String,
    pub(crate) commitment: String,
    /// The server's signature of the commitment.
    pub(crate) signature: String,
    /// By role, the token of a seat whose player connects. They are shown here, and never again.
    pub(crate) tokens: std::collections::BTreeMap<String, String>,
}

/// All matches of a server.
#[derive(Debug)]
pub(crate) struct Referee {
    house: Arc<House>,
    runtime: Handle,
    key: SealKey,
    matches: DashMap<String, MatchHandle>,
    games: DashMap<Digest, Arc<Game>>,
    matches_max: usize,
    takes_seeds: bool,
}

impl Referee {
    pub(crate) fn new(store: Store, runtime: Handle, key: SealKey, limits: &Limits) -> Arc<Self> {
        let reach = if limits.allow_private { Reach::Everywhere } else { Reach::Public };
        let threads = Arc::new(Semaphore::new(limits.threads));
        let house = House { store, reach, threads, library: Library::default(), worst: DashMap::new() };
        Arc::new(Self {
            house: Arc::new(house),
            runtime,
            key,
            matches: DashMap::new(),
            games: DashMap::new(),
            matches_max: limits.matches_max,
            takes_seeds: limits.takes_seeds,
        })
    }

    pub(crate) fn store(&self) -> &Store {
        &self.house.store
    }

    /// The public half of the key that signs.
    pub(crate) fn public_key(&self) -> String {
        hex::encode(self.key.public_key())
    }

    /// A match that runs.
    pub(crate) fn find(&self, id: &str) -> Option<MatchHandle> {
        self.matches.get(id).map(|handle| handle.clone())
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
            lines += self.house.store.record(&id).await.map_or(0, |record| record.len());
        }
        lines
    }

    /// Makes a match and begins it, or waits for those who connect.
    ///
    /// # Errors
    /// [`Problem`] that names what is wrong with the request.
    pub(crate) async fn create(self: &Arc<Self>, request: MatchRequest) -> Result<Created, Problem> {
        if self.matches.len() >= self.matches_max {
            return Err(Problem::full(format!(
                "{} matches are running, and no more are taken",
                self.matches_max
            )));
        }
        let id = hex::encode(random::<12>()?);
        let rules = rules_of(&request)?;
        let seed = match &request.seed {
            None => Seed::from_bytes(random()?),
            Some(text) if self.takes_seeds => {
                Seed::from_text(text).map_err(|error| Problem::unfit("bad-seed", error.to_string()))?
            }
            Some(_) => {
                let help = "seeds come from the operating system; `croupier serve --take-seeds` takes others";
                return Err(Problem::unfit("bad-seed", help));
            }
        };
        #[cfg(feature = "mutants")]
        let id = crate::leaks::made(id, &rules, &seed);
        let mut tokens = std::collections::BTreeMap::new();
        let mut digests = std::collections::BTreeMap::new();
        for (role, seat) in &request.seats {
            if *seat == SeatSetup::Pull {
                let token = hex::encode(random::<32>()?);
                digests.insert(role.clone(), TokenDigest::of(&token).to_hex());
                tokens.insert(role.clone(), token);
            }
        }
        let mut setup = StoredSetup {
            game: request.game.clone(),
            seats: request.seats,
            tokens: digests,
            start_clock_ms: request.start_clock_ms,
            play_clock_ms: request.play_clock_ms,
            join_s: request.join_s,
            spectators: Spectators::Sealed,
            cadence: Cadence::Prompt,
            commitment: String::new(),
        };
        let header = self.header(&id, rules.clone(), &setup).await?;
        let default = if header.game().has_full_sight() { Spectators::Open } else { Spectators::Sealed };
        setup.spectators = request.spectators.unwrap_or(default);
        setup.cadence = request.cadence.unwrap_or_else(|| usual_cadence(&header));
        let commitment = croupier_referee::record::commitment_of(&header, &seed);
        setup.commitment = commitment.to_string();
        let seats = seats(&header, &setup)?;
        self.check_reach(&header, &seats)?;
        let state = MatchState::new(Arc::clone(&header), self.secrets(&seed));
        let new = NewMatch {
            id: id.clone(),
            game_digest: header.game_digest().to_string(),
            game_name: setup.game.clone(),
            rules,
            setup: serde_json::to_string(&setup).expect("a setup is JSON"),
            seed: seed.to_bytes(),
            created_ms: clock::unix_ms(),
        };
        self.house.store.create(new).await?;
        let signature = hex::encode(self.key.sign_commitment(commitment));
        self.start(&setup, seats, header, seed, Beginning::New(MatchActor::new(state)));
        Ok(Created { id, commitment: setup.commitment, signature, tokens })
    }

    /// Whether every player that is to be called may be.
    fn check_reach(&self, header: &Header, seats: &ByPlayer<Seat>) -> Result<(), Problem> {
        for (role, seat) in seats.iter() {
            if let Seat::Push { address, .. } = seat
                && self.house.reach.excludes(address.host())
            {
                let role = header.role_name(role);
                let what =
                    "the address is one of a private network; `croupier serve --allow-private` calls it";
                return Err(Problem::unfit("bad-seat", format!("seat {role}: {what}")));
            }
        }
        Ok(())
    }

    fn secrets(&self, seed: &Seed) -> Secrets {
        Secrets { seed: seed.clone(), seal_key: self.key.clone() }
    }

    /// The header of a match; its game is compiled only if no other match has it.
    async fn header(&self, id: &str, rules: String, setup: &StoredSetup) -> Result<Arc<Header>, Problem> {
        let digest = Digest::of(rules.as_bytes());
        let players = setup.seats.iter().map(|(role, seat)| (role.clone(), seat.description()));
        let setup = MatchSetup {
            match_id: id.to_owned(),
            series: None,
            rules,
            game_name: setup.game.clone(),
            players: players.collect(),
            clocks: Clocks { start_ms: setup.start_clock_ms, play_ms: setup.play_clock_ms },
            percepts: percept_reading(),
            strictness: Strictness::Compatible,
            substitution: Substitution::Drawn,
            turns_max: TURNS_MAX,
        };
        let known = self.games.get(&digest).map(|game| Arc::clone(&game));
        let made = tokio::task::spawn_blocking(move || match known {
            Some(game) => Header::with_game(setup, game),
            None => Header::compile(setup),
        });
        let header = made.await.map_err(|_| Problem::unfit("bad-rules", "the rules cannot be compiled"))?;
        let header = header.map_err(|error| Problem::unfit("bad-match", error.to_string()))?;
        self.games.entry(digest).or_insert_with(|| Arc::clone(header.game()));
        Ok(Arc::new(header))
    }

    fn start(
        self: &Arc<Self>,
        setup: &StoredSetup,
        seats: ByPlayer<Seat>,
        header: Arc<Header>,
        seed: Seed,
        beginning: Beginning,
    ) {
        let id = header.match_id().to_owned();
        let token = |role: RoleId| {
            setup.tokens.get(header.role_name(role)).and_then(|text| TokenDigest::from_hex(text))
        };
        let tokens = ByPlayer::from_fn(header.roles(), token);
        let waits = matches!(beginning, Beginning::New(_)) && tokens.iter().any(|(_, token)| token.is_some());
        let (actor, duties) = match beginning {
            Beginning::New(actor) => (actor, Vec::new()),
            Beginning::Resumed(actor, duties) => (actor, duties),
        };
        let making = Making {
            commitment: setup.commitment.as_str().into(),
            actor,
            seats,
            tokens,
            seed,
            waits,
            join_by: join_by(setup.join_s),
            is_open: setup.spectators == Spectators::Open,
            cadence: setup.cadence,
            header,
        };
        let (live, handle) = Live::new(making, Arc::clone(&self.house));
        self.matches.insert(id.clone(), handle);
        let referee = Arc::clone(self);
        self.runtime.spawn(async move {
            let ran = tokio::spawn(live.run(duties));
            if ran.await.is_err() {
                tracing::error!(%id, "a match panicked; it goes on when the server starts again");
            }
            referee.matches.remove(&id);
        });
    }

    /// Goes on with every match that is not over; how many there are.
    ///
    /// # Errors
    /// [`StoreError`] if they cannot be listed.
    pub(crate) async fn go_on(self: &Arc<Self>) -> Result<usize, StoreError> {
        let ids = self.house.store.open_matches().await?;
        let count = ids.len();
        let permits = Arc::new(Semaphore::new(RESUMED_AT_ONCE));
        let mut tasks = Vec::new();
        for id in ids {
            let (referee, permits) = (Arc::clone(self), Arc::clone(&permits));
            tasks.push(self.runtime.spawn(async move {
                let _permit = permits.acquire().await;
                if let Err(error) = referee.go_on_with(&id).await {
                    tracing::error!(%id, %error, "a match cannot go on");
                }
            }));
        }
        for task in tasks {
            let _ = task.await;
        }
        Ok(count)
    }

    async fn go_on_with(self: &Arc<Self>, id: &str) -> Result<(), Problem> {
        let store = &self.house.store;
        let lost = || Problem::absent("what is stored of it is not a match");
        let StoredMatch { setup, .. } = store.find(id).await?.ok_or_else(lost)?;
        let rules = store.rules(id).await?.ok_or_else(lost)?;
        let setup: StoredSetup = serde_json::from_str(&setup).map_err(|_| lost())?;
        let seed = Seed::from_bytes(store.seed(id).await?.ok_or_else(lost)?);
        let header = self.header(id, rules, &setup).await?;
        let seats = seats(&header, &setup)?;
        let text = store.record(id).await?;
        if text.is_empty() {
            let state = MatchState::new(Arc::clone(&header), self.secrets(&seed));
            self.start(&setup, seats, header, seed, Beginning::New(MatchActor::new(state)));
            return Ok(());
        }
        let epoch = store.next_epoch(id).await?;
        let records = read_records(text.as_bytes()).map_err(|_| lost())?;
        let record = records.first().ok_or_else(lost)?;
        let (state, effects) = resume(record, &header, self.secrets(&seed))
            .map_err(|error| Problem::conflict("altered", format!("its record was altered: {error}")))?;
        let is_idempotent = |role: RoleId| seats[role].is_idempotent();
        let lines = record.lines().len() as u64;
        let resumption = Resumption { lines, epoch, is_idempotent: &is_idempotent };
        let mut scratch = header.game().scratch();
        let (actor, duties) = MatchActor::go_on_with(state, effects, &resumption, &mut scratch);
        self.start(&setup, seats, header, seed, Beginning::Resumed(actor, duties));
        Ok(())
    }

    /// Leaves all matches as they are stored, and closes the store.
    pub(crate) async fn leave(&self) {
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
        self.house.store.close().await;
    }
}

/// How a match starts.
enum Beginning {
    New(MatchActor),
    Resumed(MatchActor, Vec<crate::actor::Duty>),
}

/// The cadence of matches that were stored before there was one.
fn prompt() -> Cadence {
    Cadence::Prompt
}

/// The time of a message tells nothing of the state, where the state tells something.
fn usual_cadence(header: &Header) -> Cadence {
    if header.game().has_full_sight() { Cadence::Prompt } else { Cadence::Padded }
}

fn percept_reading() -> PerceptReading {
    #[cfg(feature = "mutants")]
    if croupier_referee::mutant::is_on(croupier_referee::mutant::Mutant::PerceptsOfSuccessor) {
        return PerceptReading::NewState;
    }
    PerceptReading::OldState
}

fn random<const N: usize>() -> Result<[u8; N], Problem> {
    entropy::bytes().map_err(|_| Problem::full("the operating system gives no random bytes"))
}

/// The rules that a request means.
fn rules_of(request: &MatchRequest) -> Result<String, Problem> {
    match (&request.game, &request.rules) {
        (Some(name), None) => match croupier_games::find(name) {
            Some(entry) => Ok(entry.rules.to_owned()),
            None => Err(Problem::unfit(
                "unknown-game",
                format!("there is no game '{name}'; GET /v1/games lists them"),
            )),
        },
        (None, Some(rules)) => {
            let findings = findings(rules);
            if findings.is_sound {
                return Ok(rules.clone());
            }
            Err(Problem::unfit("bad-rules", "the rules are refused").with_findings(findings.list))
        }
        _ => Err(Problem::unfit("bad-match", "name either a game of the catalogue, or rules")),
    }
}

/// The seats of a match, one for each role.
fn seats(header: &Header, setup: &StoredSetup) -> Result<ByPlayer<Seat>, Problem> {
    ByPlayer::try_from_fn(header.roles(), |role| {
        let name = header.role_name(role);
        let wanted = setup.seats.get(name);
        let wanted =
            wanted.ok_or_else(|| Problem::unfit("bad-seat", format!("nobody sits in the role {name}")))?;
        let seat = wanted.seat(name)?;
        if let Seat::Push { form, .. } = &seat {
            check_form(header, *form)
                .map_err(|error| Problem::unfit("bad-seat", format!("seat {name}: {error}")))?;
        }
        Ok(seat)
    })
}

/// A match as anybody may see it.
pub(crate) fn public(stored: &StoredMatch, live: Option<&MatchHandle>) -> Value {
    let setup: Option<StoredSetup> = serde_json::from_str(&stored.setup).ok();
    let seats = setup.as_ref().map(|setup| {
        let seats = setup.seats.iter().map(|(role, seat)| (role.clone(), json!(seat.public_description())));
        Value::Object(seats.collect())
    });
    let progress = live.map(|handle| handle.progress.borrow().clone());
    let outcome = stored.outcome.as_deref().and_then(|text| serde_json::from_str::<Value>(text).ok());
    let status = progress.as_ref().map_or(stored.status.as_str(), |progress| progress.status);
    let turns = progress.as_ref().map(|progress| json!(progress.turns));
    json!({
        "id": stored.id,
        "game": setup.as_ref().and_then(|setup| setup.game.clone()),
        "players": seats,
        "status": status,
        "turns": turns.or_else(|| outcome.as_ref().map(|outcome| outcome["turns"].clone())),
        "outcome": outcome,
        "commitment": setup.as_ref().map(|setup| setup.commitment.clone()),
        "spectators": setup.as_ref().map(|setup| setup.spectators),
        "cadence": setup.as_ref().map(|setup| setup.cadence),
        "created_ms": stored.created_ms,
    })
}
