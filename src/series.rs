//! The matches of one call: the same seats and rules, a seed for each, the same results on any threads.

use std::{io::Write, ops::Range, sync::Arc};

use croupier_engine::{ByPlayer, Game, Options, RoleId, Strictness, game::PerceptReading};
use croupier_games::GameFacts;
use croupier_players::OpenEnds;
use croupier_referee::{
    Clocks, Digest, Header, HeaderError, MatchSetup, Outcome, SealKey, Secrets, Seed, Substitution,
    protocol::check_form, run_match,
};
use croupier_remote::{RemoteSeat, run_timed_match};
use indicatif::ProgressBar;
use rayon::{ThreadPool, prelude::*};

use crate::{
    failure::Failure,
    human::Person,
    seat::{Occupant, PlayerSeat, Timing},
    seating::Sitter,
    source::Source,
};

/// The clocks in the record where nobody is timed.
pub(crate) const UNTIMED: Clocks = Clocks { start_ms: 60_000, play_ms: 60_000 };

/// Matches between two writes of the record, which bounds what is held in memory.
const BLOCK: u64 = 128;

/// How matches are played, whoever sits in them.
pub(crate) struct Settings {
    pub(crate) seed: Seed,
    /// The key that signs the records, if somebody has one.
    pub(crate) seal_key: Option<SealKey>,
    /// What players are told.
    pub(crate) clocks: Clocks,
    pub(crate) timing: Timing,
    /// Where people read what they are told.
    pub(crate) people_read: fn() -> Box<dyn Write + Send>,
}

/// What all matches of a series have in common.
pub(crate) struct Series {
    /// The match, but for its id.
    pub(crate) header: Header,
    /// The game as each seat has it, compiled from what players are sent.
    games: ByPlayer<Arc<Game>>,
    pub(crate) sitters: ByPlayer<Sitter>,
    facts: Arc<GameFacts>,
    pub(crate) settings: Arc<Settings>,
}

/// A match that is over.
pub(crate) struct Ended {
    pub(crate) match_id: String,
    /// The lines of its record.
    pub(crate) record: Vec<u8>,
    pub(crate) outcome: Outcome,
    /// Which players gave no move, how often, and why the first time.
    pub(crate) failures: Vec<(RoleId, u32, String)>,
    /// Which players met ends in their searches of which the rules say too little.
    pub(crate) open_ends: Vec<(RoleId, OpenEnds)>,
    /// Whether somebody at the terminal wants to play no more.
    pub(crate) is_left: bool,
}

impl Series {
    /// Matches of a game between these.
    ///
    /// # Errors
    /// If the rules are not ones that players can be sent.
    pub(crate) fn new(
        source: &Source,
        game: Arc<Game>,
        sitters: ByPlayer<Sitter>,
        settings: Settings,
    ) -> Result<Self, Failure> {
        let setup = MatchSetup {
            match_id: match_id(source, &settings.seed),
            rules: source.rules.clone(),
            game_name: Some(source.name.clone()),
            players: players(&game, &sitters),
            clocks: settings.clocks,
            percepts: PerceptReading::OldState,
            strictness: Strictness::Compatible,
            substitution: Substitution::Drawn,
            turns_max: u32::try_from(game.limits().turns).unwrap_or(u32::MAX),
        };
        let header = Header::with_game(setup, game).map_err(|error| unplayable(&error).at(&source.origin))?;
        // A game for each seat, from what players are sent: no seat shares anything with the referee or another.
        let compiled = Game::compile(header.rules_line(), &Options::PLAY);
        let game = compiled.map_err(|error| source.refusal(&error))?.game;
        let games = ByPlayer::from_fn(header.roles(), |_| Arc::new(game.fork()));
        let facts = Arc::new(source.facts.clone());
        check_forms(&header, &sitters)?;
        Ok(Self { header, games, sitters, facts, settings: Arc::new(settings) })
    }

    /// The same matches between others.
    ///
    /// # Errors
    /// If a record cannot hold what they are called.
    pub(crate) fn with_sitters(&self, sitters: ByPlayer<Sitter>) -> Result<Self, Failure> {
        let players = players(self.header.game(), &sitters);
        let setup = MatchSetup { players, ..self.header.setup().clone() };
        let header = self.header.with_setup(setup).map_err(|error| unplayable(&error))?;
        let (games, facts) = (self.games.clone(), Arc::clone(&self.facts));
        check_forms(&header, &sitters)?;
        Ok(Self { header, games, sitters, facts, settings: Arc::clone(&self.settings) })
    }

    /// Whether somebody at the terminal plays.
    pub(crate) fn has_people(&self) -> bool {
        self.sitters.iter().any(|(_, sitter)| *sitter == Sitter::Human)
    }

    /// Whether somebody is reached over HTTP, so that time is real.
    fn has_remote_players(&self) -> bool {
        self.sitters.iter().any(|(_, sitter)| matches!(sitter, Sitter::Remote(..)))
    }

    /// Plays `matches` matches and gives each to `take`, in order. Matches with people are played one
    /// after another, and end with the one that somebody leaves.
    ///
    /// # Errors
    /// If a match cannot begin, or `take` fails.
    pub(crate) fn play(
        &self,
        matches: u64,
        pool: &ThreadPool,
        bar: &ProgressBar,
        mut take: impl FnMut(Ended) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        if self.has_people() {
            for index in 0..matches {
                let ended = self.play_match(index, &self.match_id(index))?;
                let is_left = ended.is_left;
                take(ended)?;
                if is_left {
                    break;
                }
            }
            return Ok(());
        }
        let mut start = 0;
        while start < matches {
            let end = matches.min(start + BLOCK);
            for ended in self.play_block(start..end, pool, bar)? {
                take(ended)?;
            }
            start = end;
        }
        Ok(())
    }

    fn play_block(
        &self,
        block: Range<u64>,
        pool: &ThreadPool,
        bar: &ProgressBar,
    ) -> Result<Vec<Ended>, Failure> {
        let one = |index| {
            let ended = self.play_match(index, &self.match_id(index));
            bar.inc(1);
            ended
        };
        let indexes: Vec<u64> = block.collect();
        pool.install(|| indexes.into_par_iter().with_max_len(1).map(one).collect())
    }

    fn match_id(&self, index: u64) -> String {
        format!("{}-{}", self.header.match_id(), index + 1)
    }

    /// The match with the seed of this index, which depends on nothing but the series, the index and the id.
    ///
    /// # Errors
    /// If a match cannot begin.
    pub(crate) fn play_match(&self, index: u64, match_id: &str) -> Result<Ended, Failure> {
        let header = self.header.with_match_id(match_id.to_owned()).map_err(|error| unplayable(&error))?;
        let header = Arc::new(header);
        let seed = self.settings.seed.for_match(index);
        let mut seats =
            ByPlayer::try_from_fn(header.roles(), |role| self.occupant(&header, role, &seed).map(Box::new))?;
        let secrets = match &self.settings.seal_key {
            Some(seal_key) => Secrets { seed, seal_key: seal_key.clone() },
            None => Secrets::from_seed(seed),
        };
        let played = if self.has_remote_players() {
            run_timed_match(&header, secrets, &mut seats, |_, _| {})
        } else {
            run_match(&header, secrets, &mut seats, |_, _| {})
        };

        let (mut failures, mut open_ends) = (Vec::new(), Vec::new());
        let mut is_left = false;
        for (role, seat) in seats.iter() {
            match &**seat {
                Occupant::Player(player) => {
                    let failed = player.failures();
                    failures.extend(failed.map(|(times, error)| (role, *times, error.to_string())));
                    open_ends.extend(player.open_ends().map(|ends| (role, ends)));
                }
                Occupant::Person(person) => is_left |= person.has_left(),
                Occupant::Remote(remote) => {
                    let failed = remote.failures();
                    failures
                        .extend(failed.map(|(times, failure)| (role, *times, failure.as_str().to_owned())));
                }
            }
        }
        Ok(Ended {
            match_id: match_id.to_owned(),
            record: played.record,
            outcome: played.outcome,
            failures,
            open_ends,
            is_left,
        })
    }

    fn occupant(&self, header: &Arc<Header>, role: RoleId, seed: &Seed) -> Result<Occupant, Failure> {
        let (game, timing) = (&self.games[role], self.settings.timing);
        let seed = seed.agent(header.role_name(role));
        match &self.sitters[role] {
            // What a player is called matters to nobody but itself; its role is what every referee has for it.
            Sitter::Remote(address, form) => {
                RemoteSeat::new(header, address.clone(), *form, header.role_name(role))
                    .map(|seat| Occupant::Remote(Box::new(seat)))
                    .map_err(|error| Failure::refuse("bad-match", error.to_string()))
            }
            Sitter::Player(kind) => PlayerSeat::new(kind, game, role, seed, timing)
                .map(Occupant::Player)
                .map_err(|error| Failure::refuse("bad-match", error.to_string())),
            Sitter::Human => {
                let facts = Arc::clone(&self.facts);
                let terminal = (timing, (self.settings.people_read)());
                Person::new(game, role, facts, seed, terminal)
                    .map(|person| Occupant::Person(Box::new(person)))
                    .map_err(|error| Failure::refuse("bad-match", error.to_string()))
            }
        }
    }
}

/// That everyone at an address can be written to in the dialect that was asked for.
fn check_forms(header: &Header, sitters: &ByPlayer<Sitter>) -> Result<(), Failure> {
    for (role, sitter) in sitters.iter() {
        let Sitter::Remote(_, form) = sitter else { continue };
        check_form(header, *form).map_err(|error| {
            Failure::refuse("bad-dialect", error.to_string())
                .at_argument("--dialect", &format!("{}={form}", header.role_name(role)))
                .help("players of gdl2 see what the rules let them see")
        })?;
    }
    Ok(())
}

/// Who plays each role, as the record names them.
fn players(game: &Game, sitters: &ByPlayer<Sitter>) -> Vec<(String, String)> {
    let described = |role: RoleId| (game.roles().name(role).to_owned(), sitters[role].to_string());
    game.roles().players().map(described).collect()
}

/// One word for a series, the same for the same game and seed; a digest, so that it does not tell the seed.
fn match_id(source: &Source, seed: &Seed) -> String {
    let word: String = source
        .name
        .chars()
        .map(|char| if char.is_ascii_alphanumeric() || char == '-' { char } else { '_' })
        .take(64)
        .collect();
    let digest = Digest(seed.agent("match-id")).to_string();
    format!("{word}-{}", &digest[..8])
}

fn unplayable(error: &HeaderError) -> Failure {
    Failure::refuse("bad-match", error.to_string())
}
