//! Sessions are opened: what was asked for becomes terms, and a table that waits for people.

use std::{collections::BTreeMap, sync::Arc};

use croupier_engine::Roles;
use croupier_games::{Away, GameFacts, SessionRules, find, find_family};
use croupier_referee::{Digest, Seed};
use croupier_session::{SeatHolder, SeatNumber, SessionEffect, SessionEvent, SessionTerms};
use serde::Serialize;
use utoipa::ToSchema;

use super::{
    books::{SessionBooks, SessionOrigin},
    command::SessionCommand,
    handle::{CommandAnswer, SessionHandle},
    journal::JournalEntry,
    keys::Guest,
    live::{INVITATION_MS, SessionMaking},
    setup::{SessionGame, SessionRequest, SessionSetup, bad, full_member},
    timed_sitting::STAND_IN_IN_TIME,
    view::SeatPlace,
};
use crate::{
    clock,
    idempotency::{Idempotency, once},
    problem::{Problem, ProblemCode, Result},
    referee::{Referee, random},
    rights::TokenDigest,
    store::{NewSession, StoredSession},
};

/// Sessions that may run on one server at once.
const SESSIONS_MAX: usize = 10_000;

/// A session that was opened.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct OpenedSession {
    pub(crate) id: String,
    /// SHA-256 that binds the server to the seed of the session.
    pub(crate) commitment: String,
    /// The token of the host: it opens the controls, and no seat.
    pub(crate) host: String,
    /// The token of those who watch.
    pub(crate) watch: String,
    /// By seat, the token of its invitation.
    pub(crate) invitations: BTreeMap<SeatPlace, String>,
}

/// A session that is to be opened, with what it is played with.
struct SessionPlan {
    id: String,
    setup: SessionSetup,
    rules: String,
    seed: Seed,
    holders: Vec<(SeatNumber, SeatHolder)>,
}

impl Referee {
    /// Opens a session; a repeated request gets the same response, and opens nothing.
    ///
    /// # Errors
    /// [`Problem`] with the request.
    pub(crate) async fn open_session(
        self: &Arc<Self>,
        request: SessionRequest,
        creator: String,
        idempotency: Option<Idempotency>,
    ) -> Result<OpenedSession> {
        let answered = async |asked: &Idempotency| {
            let Some(id) = asked.earlier(self.store().answered_session(asked).await?)? else {
                return Ok(None);
            };
            let stored = self.store().session(&id).await?.ok_or_else(Problem::lost)?;
            self.opened(&stored).await.map(Some)
        };
        let make = self.make_session(request, creator, idempotency.clone());
        once(idempotency, answered, make).await
    }

    /// The response to who opened a session: its tokens follow from the server's key.
    async fn opened(&self, stored: &StoredSession) -> Result<OpenedSession> {
        let books = self.books(stored).await?;
        let tokens = books.invitations().iter();
        let tokens = tokens.map(|(place, open)| (*place, self.invitation_token(&stored.id, open.number)));
        Ok(OpenedSession {
            id: stored.id.clone(),
            commitment: books.state().commitment().to_string(),
            host: self.host_token(&stored.id),
            watch: self.watch_token(&stored.id),
            invitations: tokens.collect(),
        })
    }

    async fn make_session(
        self: &Arc<Self>,
        request: SessionRequest,
        creator: String,
        idempotency: Option<Idempotency>,
    ) -> Result<OpenedSession> {
        request.demand_bounds()?;
        let game = request.game.as_ref();
        let (facts, rules) = self.session_facts(&request).await?;
        let mut session = request.session_rules(&facts.session)?;
        let id = hex::encode(random::<12>()?);
        let of = self.session_game(&request, facts, rules, &session).await?;
        session.away = self.away_rule(&request, session.away, of.is_real_time)?;
        let roles = player_names(&of.roles);
        let seats = request.seats.map_or(roles.len(), |seats| seats as usize);
        let terms = SessionTerms {
            id: id.clone(),
            game: game.cloned().unwrap_or_else(|| "custom".to_owned()),
            rules: session.family.is_none().then(|| Digest::of(of.rules.as_bytes())),
            roles,
            seats,
            payoff: of.facts.payoff.clone(),
            session,
        };
        let setup = request.setup(&id, terms, &of)?;
        let mut holders: Vec<(SeatNumber, SeatHolder)> = Vec::new();
        for (place, agent) in (1..=setup.terms.seats).rev().zip(request.agents.iter().rev()) {
            let is_taken = |name: &str| holders.iter().any(|(_, holder)| holder.name() == name);
            let holder = self.session_agent(agent, setup.is_real_time(), is_taken)?;
            holders.push((SeatNumber(u32::try_from(place).unwrap_or(u32::MAX)), holder));
        }
        if request.agents.len() > setup.terms.seats {
            return Err(bad(format!(
                "there are {} seats, and {} agents",
                setup.terms.seats,
                request.agents.len()
            )));
        }
        let seed = self.seed(request.seed.as_deref())?;
        let plan = SessionPlan { id, setup, rules: of.rules, seed, holders };
        self.begin_session(plan, creator, idempotency, Vec::new()).await
    }

    /// Stores a session, and runs it.
    async fn begin_session(
        self: &Arc<Self>,
        plan: SessionPlan,
        creator: String,
        idempotency: Option<Idempotency>,
        keyed: Vec<JournalEntry>,
    ) -> Result<OpenedSession> {
        if self.sessions_running() >= SESSIONS_MAX {
            return Err(Problem::full(format!("{SESSIONS_MAX} sessions are running, which is the limit")));
        }
        let SessionPlan { id, setup, rules, seed, holders } = plan;
        let tenure = self.store().tenure();
        let [host, watch] =
            [self.host_token(&id), self.watch_token(&id)].map(|token| TokenDigest::of(&token));
        let created_ms = clock::unix_ms();
        let is_listed = setup.is_listed;
        let stored_setup = serde_json::to_string(&setup).expect("a setup is JSON");
        let facts = Arc::new(setup.facts());
        let origin =
            SessionOrigin { id: id.clone(), setup, facts, seed: seed.clone(), created_ms, host, watch };
        let mut books = SessionBooks::open(origin).map_err(|error| bad(error.to_string()))?;
        let now_ms = u64::try_from(created_ms).unwrap_or_default();
        let mut entries = vec![JournalEntry::Happened { what: SessionEvent::Tick { now_ms } }];
        entries.extend(
            holders.into_iter().map(|(seat, holder)| JournalEntry::Happened {
                what: SessionEvent::SeatTaken { seat, holder },
            }),
        );
        entries.extend(keyed);
        for entry in &entries {
            books.take(entry).map_err(|refusal| bad(refusal.to_string()))?;
        }
        for place in books.uninvited() {
            let number = books.next_invitation();
            let token = TokenDigest::of(&self.invitation_token(&id, number)).to_hex();
            let until_ms = created_ms + INVITATION_MS;
            let entry = JournalEntry::Invited { place, number, token, until_ms, renews_from: None };
            books.take(&entry).map_err(|refusal| bad(refusal.to_string()))?;
            entries.push(entry);
        }
        let mut keys = vec![host, watch];
        keys.extend(entries.iter().filter_map(JournalEntry::made));
        let new = NewSession {
            id: id.clone(),
            game_digest: Digest::of(rules.as_bytes()).to_string(),
            rules,
            creator,
            setup: stored_setup,
            seed: seed.to_bytes(),
            is_listed,
            created_ms,
            idempotency,
            entries: entries.iter().map(JournalEntry::line).collect(),
            keys,
        };
        self.store().create_session(&new).await?;
        self.run_session(SessionMaking { books, epoch: 1, tenure });
        let stored = self.store().session(&id).await?.ok_or_else(Problem::lost)?;
        self.opened(&stored).await
    }

    /// Asks something of a session, if this guest may: once it is durable, what became of it. With the same `key` again it does nothing new.
    ///
    /// # Errors
    /// [`Problem`] without the right, or if the session does not allow it as it is now.
    pub(crate) async fn ask_session(
        self: &Arc<Self>,
        session: &SessionHandle,
        guest: &Guest,
        command: SessionCommand,
        key: Option<String>,
    ) -> Result<CommandAnswer> {
        if command == SessionCommand::Rematch {
            let id = self.rematch(&session.id, guest).await?;
            return Ok(CommandAnswer { token: None, session: Some(id) });
        }
        session.ask(guest, command, key).await
    }

    /// Opens a session of the same people on the same terms; the one that follows, if it was opened before.
    ///
    /// # Errors
    /// [`Problem`] if the session is not over, or nobody is left of it.
    pub(crate) async fn rematch(self: &Arc<Self>, id: &str, guest: &Guest) -> Result<String> {
        let session = self.session(id).await?;
        session.demand_host(guest)?;
        let stored = self.store().session(id).await?.ok_or_else(Problem::lost)?;
        if stored.status == "running" {
            return Err(ProblemCode::NotNow.because("the session is not over"));
        }
        let mut books = self.books(&stored).await?;
        let asked = rematch_asked(id);
        let answered = async |asked: &Idempotency| asked.earlier(self.store().answered_session(asked).await?);
        let refused =
            |refusal: croupier_session::SessionRefusal| ProblemCode::NotNow.because(refusal.to_string());
        let rematched = JournalEntry::Happened { what: SessionEvent::Rematched };
        let effects = books.take(&rematched).map_err(refused)?;
        let holders = effects.into_iter().find_map(|effect| match effect {
            SessionEffect::Rematch(holders) => Some(holders),
            _ => None,
        });
        let holders = holders.unwrap_or_default();
        let new_id = hex::encode(random::<12>()?);
        let mut setup = books.origin().setup.clone();
        setup.terms.id.clone_from(&new_id);
        // Guests keep the keys that they have.
        let keyed = holders.iter().filter(|(_, holder)| matches!(holder, SeatHolder::Person { .. }));
        let keyed = keyed.filter_map(|(seat, _)| {
            let key = books.keys().of_seat(seat.0)?.to_hex();
            Some(JournalEntry::Keyed { place: seat.0, key })
        });
        let keyed = keyed.collect();
        let plan = SessionPlan { id: new_id, setup, rules: stored.rules, seed: self.seed(None)?, holders };
        let make = async {
            let creator = asked.actor.clone();
            self.begin_session(plan, creator, Some(asked.clone()), keyed).await.map(|opened| opened.id)
        };
        once(Some(asked.clone()), answered, make).await
    }

    /// The session that follows one at the same table, if there is one.
    ///
    /// # Errors
    /// [`Problem`] if the store fails.
    pub(crate) async fn rematch_of(&self, id: &str) -> Result<Option<String>> {
        Ok(self.store().answered_session(&rematch_asked(id)).await?.map(|(id, _)| id))
    }

    /// What becomes of who is away. Agents of games in turns play none in real time, so what a game says without being asked is replaced there.
    ///
    /// # Errors
    /// [`Problem`] if there is no such agent.
    fn away_rule(&self, request: &SessionRequest, rule: Away, is_real_time: bool) -> Result<Away> {
        let Away::Agent(agent) = &rule else { return Ok(rule) };
        let known = match is_real_time {
            true => self.agents().real_time_name(agent),
            false => self.agents().full_name(agent),
        };
        match known {
            Err(error) if request.away.is_some() => Err(bad(format!("`away`: {error}"))),
            Err(_) if is_real_time => Ok(Away::Agent(STAND_IN_IN_TIME.to_owned())),
            _ => Ok(rule),
        }
    }

    /// An agent that exists, under a name that nobody has at the table.
    ///
    /// # Errors
    /// [`Problem`] if there is no such agent.
    pub(super) fn session_agent(
        &self,
        agent: &str,
        is_real_time: bool,
        is_taken: impl Fn(&str) -> bool,
    ) -> Result<SeatHolder> {
        let known = match is_real_time {
            true => self.agents().real_time_name(agent),
            false => self.agents().full_name(agent),
        };
        known.map_err(|error| ProblemCode::BadSeat.because(error.to_string()))?;
        let names = (1_u32..).map(|number| match number {
            1 => agent.to_owned(),
            number => format!("{agent} {number}"),
        });
        let name = names.into_iter().find(|name| !is_taken(name)).unwrap_or_else(|| agent.to_owned());
        Ok(SeatHolder::Agent { name, agent: agent.to_owned() })
    }

    /// What is known of a game, and its rules, if every match has the same.
    async fn session_facts(&self, request: &SessionRequest) -> Result<(GameFacts, Option<String>)> {
        let unknown = |name: &str| GameFacts::unknown(name);
        if request.words.is_some() && request.rules.is_none() {
            return Err(bad("`words` are those of custom `rules`".to_owned()));
        }
        match (&request.game, &request.rules) {
            (Some(name), None) => {
                if let Some(entry) = find(name) {
                    let facts = entry.facts().map_err(|_| Problem::lost())?;
                    return Ok((facts, Some(entry.rules.to_owned())));
                }
                if find_family(name).is_some() {
                    return Ok((unknown(name), None));
                }
                let rules = self.rules(name).await?.ok_or_else(|| {
                    let detail = format!("there is no game '{name}'; GET /v1/games lists them");
                    ProblemCode::UnknownGame.because(detail)
                })?;
                Ok((unknown(name), Some(rules)))
            }
            (None, Some(rules)) => {
                self.demand_game(rules, None).await?;
                let facts = match &request.words {
                    Some(words) => {
                        GameFacts::parse(words).map_err(|error| bad(format!("`words`: {error}")))?
                    }
                    None => unknown("a game of its own"),
                };
                Ok((facts, Some(rules.clone())))
            }
            _ => Err(bad("give either a game or rules".to_owned())),
        }
    }

    /// What a session is played with: of a family, a match of all seats.
    async fn session_game(
        &self,
        request: &SessionRequest,
        facts: GameFacts,
        rules: Option<String>,
        session: &SessionRules,
    ) -> Result<SessionGame> {
        let (rules, facts) = match (&session.family, rules) {
            (Some(family), known) => {
                let seats = match (request.seats, known) {
                    (Some(seats), _) => seats as usize,
                    (None, Some(rules)) => player_names(self.game(rules).await?.roles()).len(),
                    (None, None) => 2,
                };
                let member = full_member(family, seats);
                let rules = member.rules().map_err(|error| bad(error.to_string()))?;
                // The catalogue's words are those of a table of two, say.
                let words = member.facts().ok().flatten();
                let of_member = words.and_then(|words| GameFacts::parse(&words).ok());
                (rules, of_member.unwrap_or(facts))
            }
            (None, Some(rules)) => (rules, facts),
            (None, None) => {
                return Err(bad("this family does not say how its matches follow each other".to_owned()));
            }
        };
        if self.is_real_time(&rules) {
            let game = self.real_time_game(rules.clone()).await?;
            let (roles, has_full_sight) = (game.roles().clone(), game.has_full_sight());
            return Ok(SessionGame { rules, facts, roles, has_full_sight, is_real_time: true });
        }
        let game = self.game(rules.clone()).await?;
        let (roles, has_full_sight) = (game.roles().clone(), game.has_full_sight());
        Ok(SessionGame { rules, facts, roles, has_full_sight, is_real_time: false })
    }
}

/// The names of the players' roles, in the order of the rules.
fn player_names(roles: &Roles) -> Vec<String> {
    roles.players().map(|role| roles.name(role).to_owned()).collect()
}

/// As what a rematch of a session is asked for: once, whoever asks.
fn rematch_asked(id: &str) -> Idempotency {
    Idempotency {
        actor: format!("session {id}"),
        key: "rematch".to_owned(),
        request: Digest::of(id.as_bytes()).to_string(),
    }
}
