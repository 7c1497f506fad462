//! The matches of one call: the same seats and rules, a seed for each, the same results on any threads.

mod addresses;
mod dialects;
mod ended;
mod house_rules;
mod settings;

use std::{collections::BTreeSet, io::Write, ops::Range, sync::Arc, time::Duration};

use croupier_engine::{
    ByPlayer, Game, Options, RoleId, Strictness,
    game::{Backend, PerceptReading},
};
use croupier_games::GameFacts;
use croupier_referee::{
    Clocks, Digest, Header, HeaderError, MatchSetup, Nonces, Outcome, Played, Secrets, Seed, SeriesPlace,
    Substitution,
    header::GRACE_MS,
    protocol::{WireForm, check_form},
    run_match,
};
use croupier_remote::{DriverOptions, Observed, PlayerAddress, RemoteSeat, run_timed_match};
use croupier_seat::{Knowledge, PlayerSeat};
use croupier_session::MatchOrder;
use indicatif::ProgressBar;
use rayon::{ThreadPool, prelude::*};

pub(crate) use self::{
    addresses::Addresses,
    ended::{Ended, Ending},
    house_rules::HouseRules,
    settings::{DialectOf, SeriesSettings, UNTIMED},
};
use crate::{
    arguments::{seating::SeatSpec, source::Source},
    output::{coverage::player_refusal, failure::Failure},
    sessions::seat::{InterruptibleSeat, Occupant, Person, TerminalSeat, TimedPlayer, Timing},
};

/// Matches between two writes of the record, which bounds what is held in memory.
const BLOCK: u64 = 128;

/// After so many void matches in a row, whoever is absent will not come.
pub(crate) const VOID_IN_A_ROW_MAX: usize = 3;

/// What all matches of a series have in common.
pub(crate) struct Series {
    /// The match, but for its id.
    pub(crate) header: Header,
    /// The game as each seat has it, compiled from what players are sent.
    games: ByPlayer<Arc<Game>>,
    pub(crate) specs: ByPlayer<SeatSpec>,
    /// A strategy that comes with the game.
    facts: Arc<GameFacts>,
    /// Where people sit.
    place: TerminalSeat,
    pub(crate) settings: Arc<SeriesSettings>,
}

impl Series {
    /// Matches of a game between these.
    ///
    /// # Errors
    /// If the rules are not ones that players can be sent.
    pub(crate) fn new(
        source: &Source,
        game: Arc<Game>,
        specs: ByPlayer<SeatSpec>,
        settings: SeriesSettings,
    ) -> Result<Self, Failure> {
        let people = specs.iter().filter(|(_, spec)| spec.is_human()).count();
        let (interrupt, argument) = (settings.interrupt.clone(), source.argument());
        let place = TerminalSeat::new(settings.people_read, interrupt, Some(argument));
        let place = place.shared(people, !game.has_full_sight());
        Self::at_place(source, game, specs, settings.into(), place, Backend::Auto)
    }

    /// The same where people sit at this place, as they did in matches before, and the seats' games have this backend.
    ///
    /// # Errors
    /// If the rules are not ones that players can be sent.
    pub(crate) fn at_place(
        source: &Source,
        game: Arc<Game>,
        specs: ByPlayer<SeatSpec>,
        settings: Arc<SeriesSettings>,
        place: TerminalSeat,
        backend: Backend,
    ) -> Result<Self, Failure> {
        let players = players(&game, &specs);
        let Clocks { start_ms, play_ms, grace_ms } = settings.clocks;
        let grace = if grace_ms == GRACE_MS { String::new() } else { format!(" {grace_ms}") };
        let bound = format!("{players:?} {start_ms} {play_ms}{grace}");
        let setup = MatchSetup {
            match_id: series_id(source, &settings.seed, &bound),
            series: None,
            session: None,
            rules: source.rules.clone(),
            game_name: Some(source.name.clone()),
            players,
            clocks: settings.clocks,
            percepts: PerceptReading::OldState,
            strictness: Strictness::Compatible,
            substitution: Substitution::Drawn,
            turns_max: u32::try_from(game.limits().turns).unwrap_or(u32::MAX),
            nonces: Nonces::Clear,
        };
        let header = Header::with_game(setup, game).map_err(|error| unplayable(&error).at(&source.origin))?;
        // A game for each seat, from what players are sent: no seat shares anything with the referee or another.
        let compiled = Game::compile(header.rules_line(), &Options { backend, ..Options::PLAY });
        let game = compiled.map_err(|error| source.refusal(&error))?.game;
        let games = ByPlayer::from_fn(header.roles(), |_| Arc::new(game.fork()));
        let facts = Arc::new(source.facts.clone());
        check_forms(&header, &specs)?;
        Ok(Self { header, games, specs, facts, place, settings })
    }

    /// The same matches between others.
    ///
    /// # Errors
    /// If a record cannot hold what they are called.
    pub(crate) fn with_specs(&self, specs: ByPlayer<SeatSpec>) -> Result<Self, Failure> {
        let players = players(self.header.game(), &specs);
        let setup = MatchSetup { players, ..self.header.setup().clone() };
        let header = self.header.with_setup(setup).map_err(|error| unplayable(&error))?;
        let (games, facts) = (self.games.clone(), Arc::clone(&self.facts));
        check_forms(&header, &specs)?;
        let (settings, place) = (Arc::clone(&self.settings), self.place.clone());
        Ok(Self { header, games, specs, facts, place, settings })
    }

    /// The same where people sit at this place.
    pub(crate) fn with_place(self, place: TerminalSeat) -> Self {
        Self { place, ..self }
    }

    /// The roles of people at the terminal.
    pub(crate) fn people(&self) -> impl Iterator<Item = RoleId> + '_ {
        self.specs.iter().filter(|(_, spec)| spec.is_human()).map(|(role, _)| role)
    }

    /// Whether somebody at the terminal plays.
    pub(crate) fn has_people(&self) -> bool {
        self.specs.iter().any(|(_, spec)| spec.is_human())
    }

    /// Whether anybody is reached over HTTP.
    pub(crate) fn has_remote_players(&self) -> bool {
        !self.places().is_empty()
    }

    /// Where those are that are reached over HTTP; if there are any, time is real.
    fn places(&self) -> BTreeSet<PlayerAddress> {
        let place = |spec: &SeatSpec| match spec {
            SeatSpec::Remote(address, _) => Some(address.clone()),
            SeatSpec::Player(_) | SeatSpec::Human => None,
        };
        self.specs.iter().filter_map(|(_, spec)| place(spec)).collect()
    }

    /// Plays `matches` matches and gives each to `take`, in order. Matches with people are played one
    /// after another, and end with the one that somebody leaves; matches with players at an address as many at once as
    /// these take. A match that is interrupted is given too.
    ///
    /// # Errors
    /// If a match cannot begin, or `take` fails.
    pub(crate) fn play(
        &self,
        matches: u64,
        pool: &ThreadPool,
        bar: &ProgressBar,
        mut take: impl FnMut(Ended) -> Result<(), Failure>,
    ) -> Result<Ending, Failure> {
        let block = match (self.has_people(), self.places().is_empty()) {
            (true, _) => 1,
            (false, true) => BLOCK,
            (false, false) => self.settings.house_rules.matches_at_once().min(BLOCK),
        };
        let (mut start, mut void_in_a_row) = (0, 0);
        while start < matches {
            let end = matches.min(start + block);
            for ended in self.play_block(start..end, pool, bar)? {
                // What was interrupted before it began leaves a gap between those that ended.
                let Some(ended) = ended else { continue };
                let is_left = ended.is_left;
                void_in_a_row =
                    if matches!(ended.outcome, Outcome::Void { .. }) { void_in_a_row + 1 } else { 0 };
                take(ended)?;
                if is_left && !self.settings.interrupt.is_raised() {
                    return Ok(Ending::Left);
                }
            }
            if self.settings.interrupt.is_raised() {
                return Ok(Ending::Interrupted);
            }
            if void_in_a_row >= VOID_IN_A_ROW_MAX && end < matches {
                return Ok(Ending::Absent);
            }
            start = end;
        }
        Ok(Ending::Played)
    }

    fn play_block(
        &self,
        block: Range<u64>,
        pool: &ThreadPool,
        bar: &ProgressBar,
    ) -> Result<Vec<Option<Ended>>, Failure> {
        let one = |index| {
            let ended = self.play_match(index, index + 1, bar);
            bar.inc(1);
            ended
        };
        let indexes: Vec<u64> = block.collect();
        pool.install(|| indexes.into_par_iter().with_max_len(1).map(one).collect())
    }

    /// The match of this number, from 1, with the seed of this index: it depends on nothing else but the series. `None` if
    /// it was interrupted before it began.
    ///
    /// # Errors
    /// If a match cannot begin.
    pub(crate) fn play_match(
        &self,
        index: u64,
        number: u64,
        bar: &ProgressBar,
    ) -> Result<Option<Ended>, Failure> {
        let id = self.header.match_id();
        let place = SeriesPlace { id: id.to_owned(), index: number, total: self.settings.total };
        let header = self.header.with_place(format!("{id}-{number}"), place);
        let header = header.map_err(|error| unplayable(&error))?;
        self.play_as(header, self.settings.seed.for_match(index), bar)
    }

    /// The words of the game.
    pub(crate) fn facts(&self) -> &GameFacts {
        &self.facts
    }

    /// The game as the referee has it.
    pub(crate) fn game(&self) -> &Arc<Game> {
        self.header.game()
    }

    /// The match of a session: between the same, under the session's names for the match and its players.
    ///
    /// # Errors
    /// If a match cannot begin.
    pub(crate) fn play_order(&self, order: &MatchOrder, bar: &ProgressBar) -> Result<Option<Ended>, Failure> {
        let setup = MatchSetup {
            match_id: order.match_id.clone(),
            session: Some(order.place.clone()),
            players: order.players(),
            ..self.header.setup().clone()
        };
        let header = self.header.with_setup(setup).map_err(|error| unplayable(&error))?;
        self.play_as(header, order.seed.clone(), bar)
    }

    fn play_as(&self, header: Header, seed: Seed, bar: &ProgressBar) -> Result<Option<Ended>, Failure> {
        let SeriesSettings { addresses, house_rules, interrupt, .. } = &*self.settings;
        let places = self.places();
        let is_timed = !places.is_empty();
        let visit = addresses.visit(places, house_rules.matches_at_once(), interrupt);
        let Some(_visit) = visit.filter(|_| !interrupt.is_raised()) else { return Ok(None) };
        let header = Arc::new(header);
        let mut seats = ByPlayer::try_from_fn(header.roles(), |role| {
            let occupant = self.occupant(&header, role, &seed)?;
            Ok::<_, Failure>(Box::new(InterruptibleSeat { occupant, interrupt: interrupt.clone() }))
        })?;
        let secrets = match &self.settings.seal_key {
            Some(seal_key) => Secrets { seed, seal_key: seal_key.clone() },
            None => Secrets::from_seed(seed),
        };
        let played = if is_timed {
            self.play_timed(&header, secrets, &mut seats, bar)
        } else {
            run_match(&header, secrets, &mut seats, |_, _| {})
        };

        let player = |role: RoleId| match &seats[role].occupant {
            Occupant::Player(player) => Some(&player.seat),
            Occupant::Person(_) | Occupant::Remote(_) => None,
        };
        let error = |role: RoleId| match &seats[role].occupant {
            Occupant::Remote(remote) => {
                remote.refused().map(|status| format!("it answered with HTTP status {status}"))
            }
            Occupant::Player(player) => player.seat.error().map(ToString::to_string),
            Occupant::Person(_) => None,
        };
        let has_left = |seat: &Occupant| matches!(seat, Occupant::Person(person) if person.has_left());
        Ok(Some(Ended {
            match_id: header.match_id().to_owned(),
            last: played.last,
            record: played.record,
            outcome: played.outcome,
            conducts: played.conducts,
            errors: ByPlayer::from_fn(header.roles(), error),
            open_ends: ByPlayer::from_fn(header.roles(), |role| player(role)?.open_ends()),
            coverages: ByPlayer::from_fn(header.roles(), |role| player(role)?.coverage()),
            approaches: ByPlayer::from_fn(header.roles(), |role| player(role)?.approaches()),
            is_left: seats.iter().any(|(_, seat)| has_left(&seat.occupant)),
        }))
    }

    /// Plays a match by the clock; says at once what a person can still do something about.
    fn play_timed(
        &self,
        header: &Arc<Header>,
        secrets: Secrets,
        seats: &mut ByPlayer<Box<InterruptibleSeat>>,
        bar: &ProgressBar,
    ) -> Played {
        let SeriesSettings { house_rules, interrupt, .. } = &*self.settings;
        let is_interrupted = || interrupt.is_raised();
        let manner = DriverOptions {
            absence: house_rules.absence(),
            busy_max: house_rules.busy_max(),
            is_interrupted: &is_interrupted,
        };
        // Nobody is left to be told if standard error is closed.
        let say = |text: String| bar.suspend(|| drop(writeln!(anstream::stderr(), "{text}")));
        let mut busy = BTreeSet::new();
        run_timed_match(header, secrets, seats, &manner, |observed| match observed {
            Observed::Busy(role) if busy.insert(role) => {
                let (name, spec) = (header.role_name(role), &self.specs[role]);
                let seconds = house_rules.busy_max().as_secs();
                say(format!("note: {name}, at {spec}, is busy and is waited for, {seconds} s at most"));
            }
            Observed::Substituted(role, conduct) if dialects::is_at_a_loss(conduct) => {
                if let Some(advice) = self.first_advice(role) {
                    let name = header.role_name(role);
                    let moves = conduct.moves;
                    say(format!(
                        "warning[no-answer]: {name} has made none of its first {moves} moves; {advice}"
                    ));
                }
            }
            Observed::Message(..) | Observed::Busy(_) | Observed::Substituted(..) => {}
        })
    }

    /// How else a player at an address could be written to; `None` for anybody else, if there is no other way, and if that
    /// was said before.
    pub(crate) fn first_advice(&self, role: RoleId) -> Option<String> {
        let SeatSpec::Remote(address, form) = &self.specs[role] else { return None };
        let others = dialects::others(&self.header, *form);
        if others.is_empty() || !self.settings.addresses.is_first_advice(address) {
            return None;
        }
        let option = |other: &WireForm| match self.settings.dialect_of {
            DialectOf::Role => format!("--dialect {}={other}", self.header.role_name(role)),
            DialectOf::Address => format!("--dialect {address}={other}"),
        };
        let others: Vec<String> = others.iter().map(option).collect();
        Some(format!("it is written to in {form}; if it does not know that, try {}", others.join(" or ")))
    }

    fn occupant(&self, header: &Arc<Header>, role: RoleId, seed: &Seed) -> Result<Occupant, Failure> {
        let (game, timing) = (&self.games[role], self.settings.timing);
        let seed = seed.agent(header.role_name(role));
        match &self.specs[role] {
            // What a player is called matters to nobody but itself; its role is what every referee has for it.
            SeatSpec::Remote(address, form) => {
                RemoteSeat::new(header, address.clone(), *form, header.role_name(role))
                    .map(|seat| Occupant::Remote(Box::new(seat)))
                    .map_err(|error| Failure::refuse("bad-match", error.to_string()))
            }
            SeatSpec::Player(kind) => PlayerSeat::new(kind, Knowledge::new(Arc::clone(game), role), seed)
                .map(|seat| Occupant::Player(TimedPlayer::new(seat, timing).awaited(self.has_people())))
                .map_err(|error| player_refusal(&error, "bad-match").at(&kind.to_string())),
            SeatSpec::Human => {
                let facts = Arc::clone(&self.facts);
                let play_ms = self.settings.clocks.play_ms;
                // Where somebody else is timed, so is everybody.
                let timing = if self.has_remote_players() {
                    Timing::Clock(Duration::from_millis(play_ms))
                } else {
                    timing
                };
                Person::new(game, role, facts, seed, timing, self.place.clone())
                    .map(|person| Occupant::Person(Box::new(person)))
                    .map_err(|error| Failure::refuse("bad-match", error.to_string()))
            }
        }
    }
}

/// That everyone at an address can be written to in the dialect that was asked for.
fn check_forms(header: &Header, specs: &ByPlayer<SeatSpec>) -> Result<(), Failure> {
    for (role, spec) in specs.iter() {
        let SeatSpec::Remote(_, form) = spec else { continue };
        check_form(header, *form).map_err(|error| {
            Failure::refuse("bad-dialect", error.to_string())
                .at_argument("--dialect", &format!("{}={form}", header.role_name(role)))
                .help("players of gdl2 see what the rules let them see")
        })?;
    }
    Ok(())
}

/// Who plays each role, as the record names them.
fn players(game: &Game, specs: &ByPlayer<SeatSpec>) -> Vec<(String, String)> {
    let described = |role: RoleId| (game.roles().name(role).to_owned(), specs[role].to_string());
    game.roles().players().map(described).collect()
}

/// One word for a series, the same for the same game and seed and whatever else its matches are `bound` to, such as players and clocks; a digest, so that it does not tell the
/// seed. Series that differ have different ones, so that their records can stand in one file.
pub(crate) fn series_id(source: &Source, seed: &Seed, bound: &str) -> String {
    let is_plain = |char: char| char.is_ascii_alphanumeric() || char == '-';
    let word: String =
        source.name.chars().map(|char| if is_plain(char) { char } else { '_' }).take(64).collect();
    let bound = format!("{bound} {}", source.rules);
    let digest = Digest(seed.agent("match-id")).followed_by(bound.as_bytes()).to_string();
    format!("{word}-{}", &digest[..8])
}

fn unplayable(error: &HeaderError) -> Failure {
    Failure::refuse("bad-match", error.to_string())
}
