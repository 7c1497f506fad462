//! All matches of a server: made, found, gone on with.

use std::{
    collections::BTreeMap,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use croupier_engine::{ByPlayer, Game, RoleId};
use croupier_referee::{Digest, Header, MatchState, SealKey, Secrets, Seed, record::commitment_of};
use dashmap::DashMap;
use serde::Serialize;
use serde_json::{Value, json};
use tokio::{runtime::Handle, sync::Semaphore};

use crate::{
    actor::{Duty, MatchActor},
    clock, entropy,
    limits::Limits,
    live::{Command, House, Live, Making, MatchHandle, join_by},
    panics::Panics,
    problem::Problem,
    push::Reach,
    rights::TokenDigest,
    seat::{Seat, SeatSetup},
    setup::{MatchRequest, Spectators, StoredSetup},
    store::{NewMatch, Store, StoredMatch},
    thinker::Library,
};

/// A match that was made.
#[derive(Debug, Serialize)]
pub(crate) struct Created {
    pub(crate) id: String,
    pub(crate) commitment: String,
    /// The server's signature of the commitment.
    pub(crate) signature: String,
    /// By role, the token of a seat whose player connects. They are shown here, and never again.
    pub(crate) tokens: BTreeMap<String, String>,
}

/// All matches of a server.
#[derive(Debug)]
pub(crate) struct Referee {
    pub(crate) house: Arc<House>,
    pub(crate) runtime: Handle,
    key: SealKey,
    matches: DashMap<String, MatchHandle>,
    games: DashMap<Digest, Arc<Game>>,
    matches_max: usize,
    takes_seeds: bool,
    is_leaving: AtomicBool,
    panics: Panics,
}

impl Referee {
    pub(crate) fn new(store: Store, runtime: Handle, key: SealKey, limits: &Limits) -> Arc<Self> {
        let reach = if limits.allow_private { Reach::Everywhere } else { Reach::Public };
        let threads = Arc::new(Semaphore::new(limits.threads));
        let house = House { store, reach, threads, library: Library::default() };
        Arc::new(Self {
            house: Arc::new(house),
            runtime,
            key,
            matches: DashMap::new(),
            games: DashMap::new(),
            matches_max: limits.matches_max,
            takes_seeds: limits.takes_seeds,
            is_leaving: AtomicBool::new(false),
            panics: Panics::default(),
        })
    }

    pub(crate) fn store(&self) -> &Store {
        &self.house.store
    }

    pub(crate) fn panics(&self) -> &Panics {
        &self.panics
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
        let rules = request.rules_text()?;
        let seed = self.seed(&request)?;
        let (tokens, digests) = tokens(&request.seats)?;
        let mut setup = StoredSetup {
            game: request.game.clone(),
            seats: request.seats,
            tokens: digests,
            start_clock_ms: request.start_clock_ms,
            play_clock_ms: request.play_clock_ms,
            join_s: request.join_s,
            spectators: Spectators::Sealed,
            commitment: String::new(),
        };
        let header = self.header(&id, rules.clone(), &setup).await?;
        let default = if header.game().has_full_sight() { Spectators::Open } else { Spectators::Sealed };
        setup.spectators = request.spectators.unwrap_or(default);
        let commitment = commitment_of(&header, &seed);
        setup.commitment = commitment.to_string();
        let seats = setup.sound_seats(&header)?;
        self.demand_reach(&header, &seats)?;
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
        self.start(Start {
            setup: &setup,
            seats,
            header,
            seed: &seed,
            epoch: 1,
            actor: MatchActor::new(state),
            duties: None,
        });
        Ok(Created { id, commitment: setup.commitment, signature, tokens })
    }

    /// Where the chance of a match comes from.
    fn seed(&self, request: &MatchRequest) -> Result<Seed, Problem> {
        match &request.seed {
            None => Ok(Seed::from_bytes(random()?)),
            Some(text) if self.takes_seeds => {
                Seed::from_text(text).map_err(|error| Problem::unfit("bad-seed", error.to_string()))
            }
            Some(_) => {
                let help = "seeds come from the operating system; `croupier serve --take-seeds` takes others";
                Err(Problem::unfit("bad-seed", help))
            }
        }
    }

    /// Refuses players at addresses that the server does not call.
    fn demand_reach(&self, header: &Header, seats: &ByPlayer<Seat>) -> Result<(), Problem> {
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

    pub(crate) fn secrets(&self, seed: &Seed) -> Secrets {
        Secrets { seed: seed.clone(), seal_key: self.key.clone() }
    }

    /// The header of a match; its game is compiled only if no other match has it.
    ///
    /// # Errors
    /// [`Problem`] if the rules cannot be compiled, or the match not be set up.
    pub(crate) async fn header(
        &self,
        id: &str,
        rules: String,
        setup: &StoredSetup,
    ) -> Result<Arc<Header>, Problem> {
        let digest = Digest::of(rules.as_bytes());
        let setup = setup.core(id, rules);
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

    /// Starts the task of a match, and makes it known.
    pub(crate) fn start(self: &Arc<Self>, start: Start<'_>) {
        let Start { setup, seats, header, seed, epoch, actor, duties } = start;
        let id = header.match_id().to_owned();
        let token = |role: RoleId| {
            setup.tokens.get(header.role_name(role)).and_then(|text| TokenDigest::from_hex(text))
        };
        let tokens = ByPlayer::from_fn(header.roles(), token);
        let waits = duties.is_none() && tokens.iter().any(|(_, token)| token.is_some());
        let making = Making {
            commitment: setup.commitment.as_str().into(),
            actor,
            seats,
            tokens,
            seed: seed.clone(),
            waits,
            join_by: join_by(setup.join_s),
            is_open: setup.spectators == Spectators::Open,
            epoch,
            header,
        };
        let (live, handle) = Live::new(making, Arc::clone(&self.house));
        self.matches.insert(id.clone(), handle);
        let referee = Arc::clone(self);
        self.runtime.spawn(async move {
            let end = tokio::spawn(live.run(duties.unwrap_or_default())).await;
            referee.matches.remove(&id);
            referee.go_on_after(id, end).await;
        });
    }

    /// Whether the server stops.
    pub(crate) fn is_leaving(&self) -> bool {
        self.is_leaving.load(Ordering::Relaxed)
    }

    /// Leaves all matches as they are stored, and closes the store.
    pub(crate) async fn leave(&self) {
        self.is_leaving.store(true, Ordering::Relaxed);
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

/// A match that is to run.
pub(crate) struct Start<'s> {
    pub(crate) setup: &'s StoredSetup,
    pub(crate) seats: ByPlayer<Seat>,
    pub(crate) header: Arc<Header>,
    pub(crate) seed: &'s Seed,
    /// Which referee of the match this is.
    pub(crate) epoch: u64,
    pub(crate) actor: MatchActor,
    /// What is to be done first, if it has begun.
    pub(crate) duties: Option<Vec<Duty>>,
}

/// Texts by role.
type ByName = BTreeMap<String, String>;

/// The tokens of seats whose players connect, and their digests.
fn tokens(seats: &BTreeMap<String, SeatSetup>) -> Result<(ByName, ByName), Problem> {
    let (mut tokens, mut digests) = (ByName::new(), ByName::new());
    for (role, _) in seats.iter().filter(|(_, seat)| **seat == SeatSetup::Pull) {
        let token = hex::encode(random::<32>()?);
        digests.insert(role.clone(), TokenDigest::of(&token).to_hex());
        tokens.insert(role.clone(), token);
    }
    Ok((tokens, digests))
}

fn random<const N: usize>() -> Result<[u8; N], Problem> {
    entropy::bytes().map_err(|_| Problem::full("the operating system gives no random bytes"))
}

/// A match as anybody may see it.
pub(crate) fn public(stored: &StoredMatch, live: Option<&MatchHandle>) -> Value {
    let setup: Option<StoredSetup> = serde_json::from_str(&stored.setup).ok();
    let seats = setup.as_ref().map(|setup| {
        let seats = setup.seats.iter().map(|(role, seat)| (role.clone(), json!(seat.description())));
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
        "created_ms": stored.created_ms,
    })
}
