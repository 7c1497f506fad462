//! A session in this process: matches one after another at one table, with stacks or totals that go on.
//!
//! What happens next is decided by the machine of `croupier-session`; here its matches are played and its record is written. Every
//! event goes to the machine, then to the record, and only then its effects are carried out.

mod member;
mod rebuy;

use std::{sync::Arc, time::Instant};

use croupier_engine::{ByPlayer, Game, Options, game::Backend};
use croupier_games::{Raise, SessionRules, Until};
use croupier_referee::{Digest, Outcome, SealKey, Seed};
use croupier_session::{
    MatchGame, MatchOrder, MatchOver, SeatHolder, SeatNumber, SessionEffect, SessionEvent, SessionLedger,
    SessionStage, SessionState, SessionTerms,
};
use indicatif::ProgressBar;

use crate::{
    arguments::{
        seating::{HUMAN, SeatSpec},
        source::Source,
    },
    output::failure::Failure,
    sessions::{
        clock,
        seat::TerminalSeat,
        series::{Ended, Series, SeriesSettings},
    },
};

/// A session that is being played in this process.
pub(crate) struct LocalSession<'s> {
    source: &'s Source,
    pub(crate) state: SessionState,
    ledger: Option<SessionLedger>,
    /// Who sits in each seat.
    specs: Vec<SeatSpec>,
    settings: Arc<SeriesSettings>,
    place: TerminalSeat,
    begun: Instant,
    /// The last match, whose game the next one may share.
    last: Option<(MatchGame, Series)>,
    backend: Backend,
}

/// A match of a session that is over.
pub(crate) struct PlayedHand<'h> {
    pub(crate) order: &'h MatchOrder,
    pub(crate) ended: Ended,
    /// The game and who sat in it.
    pub(crate) series: &'h Series,
    /// The session after it.
    pub(crate) session: &'h SessionState,
    /// What is written to the record: the match, then the session's lines about it.
    pub(crate) lines: Vec<u8>,
}

/// Who hears of a session while it is played.
pub(crate) trait SessionAudience {
    /// Lines of the record that are about no match.
    ///
    /// # Errors
    /// If they cannot be written.
    fn lines(&mut self, lines: &[u8]) -> Result<(), Failure>;

    /// A match is over.
    ///
    /// # Errors
    /// If it cannot be recorded or told.
    fn hand(&mut self, hand: PlayedHand<'_>) -> Result<(), Failure>;
}

/// The terms of a session of a game, for so many seats; without a number as many as the game has players. With them the game
/// of its first match, whose roles are the seats.
///
/// # Errors
/// If there is no such session.
pub(crate) fn terms(
    source: &Source,
    rules: SessionRules,
    seats: Option<usize>,
    id: String,
) -> Result<(SessionTerms, Arc<Game>), Failure> {
    let game = source.compile(&Options { backend: Backend::Datalog, ..Options::PLAY })?;
    let players = seats.unwrap_or_else(|| game.roles().players().count());
    let game = match &rules.family {
        Some(family) => member::largest(source, family, players)?,
        None => game,
    };
    let roles = game.roles().players().map(|role| game.roles().name(role).to_owned()).collect();
    let terms = SessionTerms {
        id,
        game: source.name.clone(),
        rules: rules.family.is_none().then(|| Digest::of(source.rules.as_bytes())),
        roles,
        seats: players,
        payoff: source.facts.payoff.clone(),
        session: rules,
    };
    terms.check().map_err(|error| Failure::refuse("bad-table", error.to_string()).at(&source.origin))?;
    Ok((terms, game))
}

impl<'s> LocalSession<'s> {
    /// A session in which these sit, in the order of the seats.
    ///
    /// # Errors
    /// If no session can open on these terms.
    pub(crate) fn new(
        source: &'s Source,
        terms: SessionTerms,
        seed: Seed,
        specs: Vec<SeatSpec>,
        settings: SeriesSettings,
    ) -> Result<Self, Failure> {
        let people = specs.iter().filter(|spec| spec.is_human()).count();
        let place =
            TerminalSeat::new(settings.people_read, settings.interrupt.clone(), Some(source.argument()));
        // Whether a game has secrets can change from match to match; a table with several people takes it that it has.
        let place = place.shared(people, true);
        // A game of a family is compiled for every match: a network pays only if somebody asks it often.
        let is_asked_often = terms.session.family.is_none() || specs.iter().any(SeatSpec::looks_ahead);
        let backend = if is_asked_often { Backend::Auto } else { Backend::Datalog };
        let state = SessionState::open(terms, seed)
            .map_err(|error| Failure::refuse("bad-table", error.to_string()).at(&source.origin))?;
        let (settings, begun) = (Arc::new(settings), clock::now());
        Ok(Self { source, state, ledger: None, specs, settings, place, begun, last: None, backend })
    }

    /// Plays until the session is over, or somebody leaves or interrupts it, which ends it.
    ///
    /// # Errors
    /// If a match cannot begin, or the audience fails.
    pub(crate) fn play(
        &mut self,
        bar: &ProgressBar,
        audience: &mut dyn SessionAudience,
    ) -> Result<(), Failure> {
        let (ledger, opening) = SessionLedger::open(&self.state);
        self.ledger = Some(ledger);
        audience.lines(opening.as_bytes())?;
        for (place, holder) in holders(&self.specs).into_iter().enumerate() {
            self.tell_step(&SessionEvent::SeatTaken { seat: SeatNumber::at(place), holder }, audience)?;
        }
        self.tick(audience)?;
        let mut effects = self.tell_step(&SessionEvent::Started, audience)?;
        while let Some(order) = next_match(effects) {
            effects = self.play_order(&order, bar, audience)?;
            effects.extend(self.offer_rebuys(order.index, audience)?);
            bar.inc(1);
        }
        if self.state.stage() != SessionStage::Over {
            // It waits for seats that nobody here can fill, or matches have no result.
            self.tell_step(&SessionEvent::Ended, audience)?;
        }
        Ok(())
    }

    /// The last lines of the record.
    pub(crate) fn closing_lines(&mut self, seed: &Seed, key: Option<&SealKey>) -> String {
        self.ledger.take().map(|ledger| ledger.close(seed, key)).unwrap_or_default()
    }

    fn play_order(
        &mut self,
        order: &MatchOrder,
        bar: &ProgressBar,
        audience: &mut dyn SessionAudience,
    ) -> Result<Vec<SessionEffect>, Failure> {
        let series = self.series(order)?;
        let ended = series.play_order(order, bar)?;
        let is_left = ended.as_ref().is_none_or(|ended| ended.is_left) || self.settings.interrupt.is_raised();
        let over = result(order, ended.as_ref(), &series, &self.state);
        let mut lines = ended.as_ref().map(|ended| ended.record.clone()).unwrap_or_default();
        if self.counts_time() {
            let tick = self.now();
            lines.extend(self.step(&tick)?.1.bytes());
        }
        if is_left && !self.state.is_ending() {
            lines.extend(self.step(&SessionEvent::Ended)?.1.bytes());
        }
        let (effects, text) = self.step(&SessionEvent::MatchOver(over))?;
        lines.extend(text.bytes());
        match ended {
            Some(ended) => {
                audience.hand(PlayedHand { order, ended, series: &series, session: &self.state, lines })?;
            }
            None => audience.lines(&lines)?,
        }
        self.last = Some((order.game.clone(), series));
        Ok(effects)
    }

    /// Lets people who lost everything in a match begin again, where the session allows it; what follows.
    fn offer_rebuys(
        &mut self,
        hand: u64,
        audience: &mut dyn SessionAudience,
    ) -> Result<Vec<SessionEffect>, Failure> {
        let mut effects = Vec::new();
        if self.state.is_ending() || self.state.stage() == SessionStage::Over {
            return Ok(effects);
        }
        for (seat, name) in rebuy::people_who_may(&self.state, hand) {
            if rebuy::wants_again(&self.place, &name, &self.state)? {
                effects.extend(self.tell_step(&SessionEvent::Rebought { seat }, audience)?);
            }
        }
        Ok(effects)
    }

    /// The match's game, with who sits in it: that of the match before, if it is the same.
    fn series(&mut self, order: &MatchOrder) -> Result<Series, Failure> {
        let place = self.place.clone().in_hand(order.index);
        let source = match (&order.game, self.last.take()) {
            (game, Some((last, series))) if *game == last => {
                let specs = self.specs_of(order, series.game());
                return Ok(series.with_specs(specs)?.with_place(place));
            }
            (MatchGame::Same, _) => None,
            (MatchGame::Member(member), _) => Some(member::source(self.source, member)?),
        };
        let source = source.as_ref().unwrap_or(self.source);
        let game = source.compile(&Options { backend: Backend::Datalog, ..Options::PLAY })?;
        let specs = self.specs_of(order, &game);
        Series::at_place(source, game, specs, Arc::clone(&self.settings), place, self.backend)
    }

    fn specs_of(&self, order: &MatchOrder, game: &Game) -> ByPlayer<SeatSpec> {
        ByPlayer::from_fn(game.roles(), |role| {
            let seated = order.seats.iter().find(|seat| seat.role == game.roles().name(role));
            let place = seated.and_then(|seat| seat.seat.place()).unwrap_or_default();
            self.specs[place].clone()
        })
    }

    /// Whether minutes of play make a difference. Otherwise the same seed gives the same session, to the byte of its record.
    fn counts_time(&self) -> bool {
        let rules = &self.state.terms().session;
        let raise = rules.family.as_ref().and_then(|family| family.raise);
        matches!(raise, Some(Raise::Minutes(_)))
            || rules.until.iter().any(|until| matches!(until, Until::Minutes(_)))
    }

    fn now(&self) -> SessionEvent {
        SessionEvent::Tick { now_ms: u64::try_from(self.begun.elapsed().as_millis()).unwrap_or(u64::MAX) }
    }

    fn tick(&mut self, audience: &mut dyn SessionAudience) -> Result<(), Failure> {
        if self.counts_time() {
            let tick = self.now();
            self.tell_step(&tick, audience)?;
        }
        Ok(())
    }

    fn tell_step(
        &mut self,
        event: &SessionEvent,
        audience: &mut dyn SessionAudience,
    ) -> Result<Vec<SessionEffect>, Failure> {
        let (effects, lines) = self.step(event)?;
        audience.lines(lines.as_bytes())?;
        Ok(effects)
    }

    /// Gives the session an event; the effects, and the lines of the record.
    fn step(&mut self, event: &SessionEvent) -> Result<(Vec<SessionEffect>, String), Failure> {
        let effects = self.state.step(event);
        let effects = effects.map_err(|refusal| Failure::refuse("bad-table", refusal.to_string()))?;
        let lines = self.ledger.as_mut().map(|ledger| ledger.lines(event, &effects)).unwrap_or_default();
        Ok((effects, lines))
    }
}

/// The match that is to be created, if one is.
fn next_match(effects: Vec<SessionEffect>) -> Option<MatchOrder> {
    effects.into_iter().find_map(|effect| match effect {
        SessionEffect::Create(order) => Some(*order),
        _ => None,
    })
}

/// What those in the seats are called: agents by what they are, with a number where there are several.
fn holders(specs: &[SeatSpec]) -> Vec<SeatHolder> {
    let texts: Vec<String> = specs.iter().map(ToString::to_string).collect();
    let named = |(place, text): (usize, &String)| {
        let before = texts[..place].iter().filter(|other| *other == text).count();
        let is_alone = texts.iter().filter(|other| *other == text).count() == 1;
        // Names are short; what an agent is, in full, stands beside its name.
        let short: String = text.chars().take(60).collect();
        let name = if is_alone && short == *text { short } else { format!("{short} {}", before + 1) };
        match &specs[place] {
            SeatSpec::Human => SeatHolder::Person { name: if is_alone { HUMAN.to_owned() } else { name } },
            SeatSpec::Player(_) | SeatSpec::Remote(..) => SeatHolder::Agent { name, agent: text.clone() },
        }
    };
    texts.iter().enumerate().map(named).collect()
}

/// How a match ended, as the session takes it.
fn result(order: &MatchOrder, ended: Option<&Ended>, series: &Series, session: &SessionState) -> MatchOver {
    let index = order.index;
    let Some(ended) = ended else { return MatchOver { index, goals: None, last: Vec::new(), record: None } };
    let (roles, game) = (series.header.roles(), series.game());
    let goals = match &ended.outcome {
        Outcome::Terminal { goals, .. } => Some(
            goals.iter().map(|(role, goal)| (roles.name(role).to_owned(), i64::from(goal.value()))).collect(),
        ),
        _ => None,
    };
    let read = session.terms().session.family.as_ref().map(|family| &family.read);
    let fluents = ended.last.iter().flat_map(|state| state.fluents()).map(|id| game.fluent_text(id));
    let mut last: Vec<String> = fluents
        .filter(|fluent| read.is_some_and(|read| read.read(fluent).is_some()))
        .map(|fluent| fluent.to_string())
        .collect();
    last.sort_unstable();
    MatchOver { index, goals, last, record: Some(Digest::of(&ended.record)) }
}
