//! What is fixed when a session opens.

use croupier_games::{
    Family, FamilyError, ParameterKind, Payoff, SESSION_SEATS_MAX, SessionRules, SessionRulesError,
    find_family,
};
use croupier_referee::{Digest, Seed, record::session_commitment};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::order::{FamilyMember, PLAYERS};

/// What is fixed when a session opens: the game, its roles, how matches follow one another, how many seats there are.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SessionTerms {
    /// One word that names the session, as a match id does.
    pub id: String,
    /// The game, or the family, as people call it.
    pub game: String,
    /// SHA-256 of the rules of every match; `None` if each match is made from a family.
    pub rules: Option<Digest>,
    /// The players' roles in the order of the rules, `random` left out. In a session of a family they are those of its largest
    /// match: a match with fewer players has the first of them.
    pub roles: Vec<String>,
    /// How many seats there are: as many as roles, or in a session of a family up to as many.
    pub seats: usize,
    /// What goals are worth.
    pub payoff: Option<Payoff>,
    /// How matches follow one another.
    pub session: SessionRules,
}

/// Version of the lines of a session's record.
pub(crate) const SESSION_FORMAT: u64 = 1;

/// The event of the first line.
pub(crate) const OPENING_EVENT: &str = "session";

/// The first line of a session's record.
#[derive(Serialize)]
struct OpeningLine<'t> {
    commitment: Digest,
    event: &'static str,
    format: u64,
    prev: Option<Digest>,
    terms: &'t SessionTerms,
}

/// Why no session can open on these terms.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TermsError {
    /// What is said of the session does not fit together.
    #[error(transparent)]
    Rules(#[from] SessionRulesError),
    /// There are too few or too many seats.
    #[error("a session of {game} has {expected} seats, not {found}")]
    Seats {
        /// The game.
        game: String,
        /// How many there can be.
        expected: String,
        /// How many were asked for.
        found: usize,
    },
    /// There is no such family.
    #[error("there is no family '{0}'")]
    UnknownFamily(String),
    /// The family lacks a parameter that the session gives it.
    #[error("the family {family} has no parameter '{name}'")]
    UnknownParameter {
        /// The family.
        family: String,
        /// The parameter.
        name: String,
    },
    /// A seat would begin with more or less than the family allows.
    #[error("a seat of {family} begins with {min} to {max}, not {found}")]
    Start {
        /// The family.
        family: String,
        /// The least.
        min: u32,
        /// The most.
        max: u32,
        /// What was asked for.
        found: u32,
    },
    /// The family has no game with what the seats begin with, or at a level.
    #[error(transparent)]
    Family(#[from] FamilyError),
    /// A session of a game without a family needs the digest of its rules.
    #[error("the rules of a session are those of a game or of a family, not of both")]
    TwoRules,
}

impl SessionTerms {
    /// The one text of these terms, which the record of the session begins with.
    #[must_use]
    pub fn text(&self) -> String {
        serde_json::to_string(self).expect("terms have text keys and finite numbers")
    }

    /// SHA-256 of that text.
    #[must_use]
    pub fn digest(&self) -> Digest {
        Digest::of(self.text().as_bytes())
    }

    /// What binds a session on these terms to its seed. It is published when the session opens; the seed is when it ends.
    #[must_use]
    pub fn commitment(&self, seed: &Seed) -> Digest {
        session_commitment(&self.id, self.digest(), seed)
    }

    /// The first line of the session's record, without its newline. The first match of a session follows it: see
    /// [`SessionPlace::before`](croupier_referee::SessionPlace::before).
    #[must_use]
    pub fn opening_line(&self, seed: &Seed) -> String {
        let line = OpeningLine {
            commitment: self.commitment(seed),
            event: OPENING_EVENT,
            format: SESSION_FORMAT,
            prev: None,
            terms: self,
        };
        serde_json::to_string(&line).expect("terms have text keys and finite numbers")
    }

    /// Whether a session can open on these terms.
    ///
    /// # Errors
    /// [`TermsError`] for the first thing that is wrong.
    pub fn check(&self) -> Result<(), TermsError> {
        self.session.check()?;
        match &self.session.family {
            Some(_) if self.rules.is_some() => Err(TermsError::TwoRules),
            None if self.rules.is_none() => Err(TermsError::TwoRules),
            Some(_) => self.check_family(),
            None if self.seats != self.roles.len() => Err(self.wrong_seats(self.roles.len().to_string())),
            None => Ok(()),
        }
    }

    fn check_family(&self) -> Result<(), TermsError> {
        let Some(rules) = &self.session.family else { return Ok(()) };
        let family = self.family().ok_or_else(|| TermsError::UnknownFamily(rules.name.clone()))?;
        let named = rules.posts.iter().chain(rules.parameters.keys()).chain([&rules.stacks]);
        for name in named.map(String::as_str).chain([PLAYERS]) {
            if range(family, name).is_none() {
                let (family, name) = (rules.name.clone(), name.to_owned());
                return Err(TermsError::UnknownParameter { family, name });
            }
        }
        let (least, most) = self.players_range();
        if !(least..=most.min(SESSION_SEATS_MAX)).contains(&self.seats) {
            return Err(self.wrong_seats(format!("{least} to {most}")));
        }
        let (min, max) = self.stake_range();
        let (min, max) = (min.max(1), max);
        if !(min..=max).contains(&rules.start) {
            return Err(TermsError::Start { family: rules.name.clone(), min, max, found: rules.start });
        }
        let stakes = vec![u64::from(rules.start); self.seats];
        for level in 1..=rules.blinds.len().max(1) {
            FamilyMember::of(rules, level, &stakes).check()?;
        }
        Ok(())
    }

    fn wrong_seats(&self, expected: String) -> TermsError {
        TermsError::Seats { game: self.game.clone(), expected, found: self.seats }
    }

    /// The family that matches are made from.
    #[must_use]
    pub fn family(&self) -> Option<&'static Family> {
        find_family(&self.session.family.as_ref()?.name)
    }

    /// How many seats have to be dealt in, and how many can be.
    pub(crate) fn players_range(&self) -> (usize, usize) {
        let all = self.roles.len();
        let Some(family) = self.family() else { return (all, all) };
        let (least, most) = range(family, PLAYERS).unwrap_or((2, 2));
        (least as usize, (most as usize).min(all))
    }

    /// What seats with these stacks bring: what the family has no number for stays in the stack.
    pub(crate) fn capped(&self, stacks: Vec<u64>) -> Vec<u64> {
        let (_, most) = self.stake_range();
        stacks.into_iter().map(|stack| stack.min(u64::from(most))).collect()
    }

    /// The least and the most that a seat can bring into a match of the family.
    pub(crate) fn stake_range(&self) -> (u32, u32) {
        let stacks = self.session.family.as_ref().map_or("", |rules| &rules.stacks);
        self.family().and_then(|family| range(family, stacks)).unwrap_or((0, u32::MAX))
    }
}

/// The range of a parameter of a family, if it has such a parameter; that of a word is everything.
fn range(family: &Family, name: &str) -> Option<(u32, u32)> {
    let parameter = family.parameters.iter().find(|parameter| parameter.name == name.replace('_', "-"))?;
    Some(match parameter.kind {
        ParameterKind::Number { range, .. } => range,
        ParameterKind::Word(_) => (0, u32::MAX),
    })
}
