//! What a role of a real-time match can work out from what it did and was told, for a person in its place.

use std::{collections::BTreeMap, sync::Arc};

use croupier_engine::{
    MoveId, Options, RoleId,
    game::TermError,
    realtime::{RealTimeGame, RealTimeScratch},
};
use croupier_players::realtime::{TimedBelief, TimedTurn, Walk};
use croupier_referee::{PossibleMoves, ProvedFacts, TimedInsight, TimedNews, TimedOutlook};
use rand_chacha::{ChaCha20Rng, rand_core::SeedableRng};

use crate::timed_possible::{LATE_US, PossibleMoments, TimedMoment};

/// Matches that are kept to know which moves may be legal, where the rules hide something.
const PARTICLES: usize = 16;

/// Microseconds between two moves of others in those matches, on average.
const MEAN_US: u64 = 1_000_000;

/// Updates without a move that are followed to find the end of a match.
const QUIET_UPDATES_MAX: usize = 64;

/// States of each of which the end is sought.
const QUIET_ENDS_MAX: usize = 32;

/// Updates without a move between two instants that are followed.
const UPDATES_MAX: usize = 10_000;

/// [`TimedInsight`] for any rules.
///
/// With full sight a role is told every move and computes the rest: it knows the state. Where the rules hide something, it knows all states
/// that the match can be in as long as nobody can move without its being told. Otherwise nothing is proved: the table says
/// nothing, and moves are those that are legal in some matches that agree with what it was told.
///
/// ```
/// use std::sync::Arc;
/// use croupier_engine::{Options, realtime::RealTimeGame};
/// use croupier_referee::{TimedInsight as _, TimedNews};
/// use croupier_seat::RoleTimedInsight;
///
/// let chicken = croupier_games::find("chicken").ok_or("the catalogue has it")?;
/// let game = Arc::new(RealTimeGame::compile(chicken.rules, &Options::PLAY)?.game);
/// let white = game.roles().find("white").ok_or("a role")?;
/// let mut insight = RoleTimedInsight::new(game, white);
/// let moves = vec![("black".to_owned(), "swerve".to_owned())];
/// insight.take(&TimedNews { at_us: 300_000, moves, percepts: Vec::new() })?;
/// let outlook = insight.outlook(400_000);
/// assert!(outlook.facts.certain.iter().any(|fact| **fact == *"(drives black swerving)"));
/// assert_eq!(outlook.moves.texts, ["swerve".into()]);
/// assert_eq!((outlook.ends, outlook.over_us), (vec![(1_000_000, "timer".into())], Some(1_000_000)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct RoleTimedInsight {
    game: Arc<RealTimeGame>,
    role: RoleId,
    scratch: RealTimeScratch,
    known: Knowing,
}

/// How a role knows.
#[derive(Debug)]
enum Knowing {
    /// The state after what was told last; `None` once the rules fail.
    State(Option<TimedMoment>),
    /// Nothing was told or asked yet, where the rules hide something.
    Unasked,
    /// All states that agree with what was told, while they are proved to be all; some matches that agree with it, for the moves otherwise.
    Matches {
        possible: Option<Box<PossibleMoments>>,
        belief: TimedBelief,
        walk: Box<Walk>,
        told: Vec<TimedTurn>,
    },
}

impl RoleTimedInsight {
    /// What `role` knows before anything happened.
    #[must_use]
    pub fn new(game: Arc<RealTimeGame>, role: RoleId) -> Self {
        let known = match game.has_full_sight() {
            true => Knowing::State(Some(TimedMoment { state: game.initial_state().clone(), at_us: 0 })),
            false => Knowing::Unasked,
        };
        Self { role, scratch: game.scratch(), game, known }
    }

    /// Gets ready to be told or asked something where the rules hide something. Many states are looked at: that is done with a network of
    /// the rules if they have one, whatever the game that was given has.
    fn begin(&mut self) {
        if !matches!(self.known, Knowing::Unasked) {
            return;
        }
        let own = RealTimeGame::of_rules(Arc::clone(self.game.rules()), &Options::PLAY).ok();
        if let Some(own) = own.filter(|own| own.network().is_some()) {
            self.scratch = own.scratch();
            self.game = Arc::new(own);
        }
        // The same draws every time: two who know the same see the same.
        let walk = Walk::new(Arc::clone(&self.game), ChaCha20Rng::from_seed([0; 32]), MEAN_US);
        let belief = TimedBelief::new(self.role, PARTICLES);
        let possible = PossibleMoments::new(Arc::clone(&self.game), self.role).map(Box::new);
        self.known = Knowing::Matches { possible, belief, walk: Box::new(walk), told: Vec::new() };
    }

    /// The state after these moves at an instant; `None` if the rules fail, or have no such update.
    fn updated(&mut self, from: &TimedMoment, at_us: u64, moves: &[(RoleId, MoveId)]) -> Option<TimedMoment> {
        let elapsed = at_us.checked_sub(from.at_us)?;
        let update = self.game.update(&from.state, elapsed, moves, &mut self.scratch).ok()?;
        Some(TimedMoment { state: update.successor, at_us })
    }

    /// A moment after everything has expired that does before an instant.
    fn run(&mut self, mut moment: TimedMoment, until_us: u64) -> Option<TimedMoment> {
        for _ in 0..UPDATES_MAX {
            match moment.expiry_us().filter(|&at_us| at_us < until_us) {
                Some(at_us) if !self.is_over(&moment) => moment = self.updated(&moment, at_us, &[])?,
                _ => return Some(moment),
            }
        }
        None
    }

    fn is_over(&mut self, moment: &TimedMoment) -> bool {
        self.game.is_terminal(&moment.state, &mut self.scratch).unwrap_or(true)
    }

    fn moved(&mut self, before: TimedMoment, news: &TimedNews) -> Result<Option<TimedMoment>, TermError> {
        let Some(before) = self.run(before, news.at_us) else { return Ok(None) };
        let mut moves = Vec::new();
        for (name, text) in &news.moves {
            let Some(role) = self.game.roles().find(name) else { return Ok(None) };
            moves.push((role, self.game.move_id(text)?));
        }
        moves.sort_unstable_by_key(|(role, _)| *role);
        Ok(self.updated(&before, news.at_us, &moves))
    }

    /// The instant at which the match is over if nobody moves, where chance has nothing to decide until then.
    fn quiet_end(&mut self, mut moment: TimedMoment) -> Option<u64> {
        let random = self.game.roles().random();
        for _ in 0..QUIET_UPDATES_MAX {
            if self.is_over(&moment) {
                return Some(moment.at_us);
            }
            let legal = self.game.legal_moves(&moment.state, &mut self.scratch).ok()?;
            if random.is_some_and(|random| !legal[random].is_empty()) {
                return None;
            }
            let at_us = moment.expiry_us()?;
            moment = self.updated(&moment, at_us, &[])?;
        }
        None
    }

    fn of_state(&mut self, moment: TimedMoment, now_us: u64) -> Option<TimedOutlook> {
        let moment = self.run(moment, now_us.saturating_add(1))?;
        let texts = self.game.state_terms(&moment.state).into_iter().map(|(_, fluent)| fluent);
        let mut certain: Vec<Arc<str>> = texts.collect();
        certain.sort();
        certain.dedup();
        let facts = ProvedFacts { certain, ..ProvedFacts::default() };
        if self.is_over(&moment) {
            let over_us = Some(moment.at_us);
            return Some(TimedOutlook { facts, over_us, ..TimedOutlook::default() });
        }
        let lasting = moment.state.facts().filter_map(|(fluent, lifetime)| {
            let at_us = moment.at_us.saturating_add(lifetime.micros()?);
            Some((at_us, self.game.fluent_text(fluent)))
        });
        let mut ends: Vec<_> = lasting.collect();
        ends.sort();
        let legal = self.game.legal_moves(&moment.state, &mut self.scratch).ok()?;
        let texts = legal[self.role].iter().map(|&id| self.game.move_text(id)).collect();
        Some(TimedOutlook {
            facts,
            ends,
            moves: PossibleMoves { texts, are_alike: true },
            next_us: moment.expiry_us(),
            over_us: self.quiet_end(moment),
        })
    }

    /// What all states that the match can be in have in common; `None` if they are not known.
    fn of_possible(&mut self, now_us: u64) -> Option<TimedOutlook> {
        let Knowing::Matches { possible, .. } = &mut self.known else { return None };
        let moments = possible.as_mut()?.at(now_us);
        if moments.is_none() {
            *possible = None;
        }
        let moments = moments?;
        let all = moments.len();
        let (mut fluents, mut ends) = (BTreeMap::new(), BTreeMap::new());
        let (mut found, mut overs) = (Vec::new(), Vec::new());
        for moment in &moments {
            let lasting = moment.state.facts().map(|(fluent, lifetime)| (fluent, lifetime.micros()));
            let mut here: Vec<_> = lasting.collect();
            for (fluent, micros) in &here {
                let Some(at_us) = micros.map(|micros| moment.at_us.saturating_add(micros)) else { continue };
                *ends.entry((at_us, self.game.fluent_text(*fluent))).or_insert(0) += 1;
            }
            here.dedup_by_key(|(fluent, _)| *fluent);
            for (fluent, _) in here {
                *fluents.entry(self.game.fluent_text(fluent)).or_insert(0) += 1;
            }
            if !self.is_over(moment) {
                found.push(self.game.legal_moves(&moment.state, &mut self.scratch).ok()?[self.role].clone());
            }
            if all <= QUIET_ENDS_MAX {
                overs.push(self.quiet_end(moment.clone()));
            }
        }
        let (certain, open): (Vec<_>, Vec<_>) = fluents.into_iter().partition(|(_, count)| *count == all);
        let texts = |counted: Vec<(Arc<str>, usize)>| counted.into_iter().map(|(text, _)| text).collect();
        let ends = ends.into_iter().filter(|((at_us, _), count)| *count == all && *at_us > now_us);
        let next = moments.iter().filter_map(|moment| {
            // What was to be told may be late; after that the state is none of those that can be.
            moment.expiry_us().map(|at_us| if at_us > now_us { at_us } else { at_us + LATE_US })
        });
        Some(TimedOutlook {
            facts: ProvedFacts { certain: texts(certain), open: texts(open), ..ProvedFacts::default() },
            ends: ends.map(|(end, _)| end).collect(),
            moves: self.moves_of(&found),
            next_us: next.min(),
            over_us: overs
                .first()
                .copied()
                .flatten()
                .filter(|_| overs.windows(2).all(|pair| pair[0] == pair[1])),
        })
    }

    /// The moves that are legal in some states, of which these are the lists.
    fn moves_of(&self, found: &[Vec<MoveId>]) -> PossibleMoves {
        let are_alike = found.windows(2).all(|pair| pair[0] == pair[1]);
        let lists = if are_alike { found.get(..1).unwrap_or_default() } else { found };
        let mut texts: Vec<Arc<str>> = lists.iter().flatten().map(|&id| self.game.move_text(id)).collect();
        texts.sort();
        texts.dedup();
        PossibleMoves { texts, are_alike }
    }

    fn of_matches(&mut self, now_us: u64) -> Option<TimedOutlook> {
        let Knowing::Matches { belief, walk, told, .. } = &mut self.known else { return None };
        let positions = belief.positions(told, now_us, walk).ok()?;
        let next_us = positions.iter().filter_map(|position| position.expiry_us()).min();
        let mut found: Vec<Vec<MoveId>> = Vec::new();
        for position in &positions {
            found.push(self.game.legal_moves(&position.state, &mut self.scratch).ok()?[self.role].clone());
        }
        let facts = ProvedFacts { is_vague: true, ..ProvedFacts::default() };
        let moves = self.moves_of(&found);
        Some(TimedOutlook { facts, moves, next_us, ..TimedOutlook::default() })
    }
}

impl TimedInsight for RoleTimedInsight {
    fn take(&mut self, told: &TimedNews) -> Result<(), TermError> {
        self.begin();
        if let Knowing::State(known) = &mut self.known {
            let before = known.take();
            let after = before.map(|before| self.moved(before, told)).transpose()?.flatten();
            self.known = Knowing::State(after);
            return Ok(());
        }
        let own = self.game.roles().name(self.role);
        let own_move = told.moves.iter().find(|(role, _)| role == own);
        let own_move = own_move.map(|(_, text)| self.game.move_id(text)).transpose()?;
        let percepts = self.game.percepts_of(told.percepts.iter().map(String::as_str))?;
        if let Knowing::Matches { told: heard, possible, .. } = &mut self.known {
            let turn = TimedTurn { at_us: told.at_us, own_move, percepts };
            *possible = possible.take().and_then(|possible| possible.take(&turn)).map(Box::new);
            heard.push(turn);
        }
        Ok(())
    }

    fn outlook(&mut self, now_us: u64) -> TimedOutlook {
        self.begin();
        let known = match &self.known {
            Knowing::State(known) => known.clone().and_then(|moment| self.of_state(moment, now_us)),
            Knowing::Unasked | Knowing::Matches { .. } => {
                self.of_possible(now_us).or_else(|| self.of_matches(now_us))
            }
        };
        let nothing = || {
            let facts = ProvedFacts { is_vague: true, ..ProvedFacts::default() };
            TimedOutlook { facts, ..TimedOutlook::default() }
        };
        known.unwrap_or_else(nothing)
    }
}
