//! The words in which recorded matches are told: those of a bundled game, or those beside rules of one's own.

use std::{
    cell::RefCell,
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use croupier_engine::{Limits, stages::rules::with_role_sight};
use croupier_games::{GameFacts, catalogue, real_time_catalogue};
use croupier_referee::Record;
use croupier_session::{FamilyMember, SessionFile, is_session_record};

use crate::{
    arguments::source::{facts_at, facts_of_rules},
    output::failure::Failure,
};

/// Where the words for the matches of a file come from.
///
/// A record has the text of its rules and the name of its game, and no path: it is the same on every machine. So words are
/// looked for where that text is: in the catalogue, in the folder of the record, in the current folder, and in a folder with
/// the name of the game in either.
#[derive(Debug)]
pub(crate) struct RecordWords {
    /// From the argument `--words`, for whatever game it is.
    given: Option<GameFacts>,
    folders: Vec<PathBuf>,
    /// The games of a family that the matches of a session are, by the id of the match.
    members: BTreeMap<String, FamilyMember>,
    /// The rules that were asked for last, and what was found: most files have matches of one game.
    last: RefCell<Option<(String, GameFacts)>>,
}

impl RecordWords {
    /// The words for the matches of a file; `words` is a `game.toml`, or the folder or rules that it stands beside.
    ///
    /// # Errors
    /// If `words` cannot be read.
    pub(crate) fn new(record: &Path, words: Option<&Path>) -> Result<Self, Failure> {
        let given = words.map(facts_at).transpose()?;
        let beside = record.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folders = [beside.map(Path::to_owned), Some(PathBuf::from("."))].into_iter().flatten().collect();
        Ok(Self { given, folders, members: BTreeMap::new(), last: RefCell::new(None) })
    }

    /// The same for a file with these bytes: the matches of a session may each be another game of a family.
    pub(crate) fn of_file(self, bytes: &[u8]) -> Self {
        let file = is_session_record(bytes).then(|| SessionFile::read(bytes).ok()).flatten();
        Self { members: file.map(|file| file.members()).unwrap_or_default(), ..self }
    }

    /// What is known of the game of a match.
    pub(crate) fn facts(&self, record: &Record) -> GameFacts {
        let genesis = record.genesis();
        let member = self.members.get(&genesis.setup.match_id);
        if let (None, Some(member)) = (&self.given, member)
            && let Some(facts) = facts_of_member(member, &genesis.setup.rules)
        {
            return facts;
        }
        let sighted = |rules: &str| {
            let roles = genesis.full_sight.iter();
            roles.fold(rules.to_owned(), |rules, role| with_role_sight(&rules, role, &Limits::STANDARD))
        };
        // Full sight adds rules behind those of the game.
        let is_of = |rules: &str, own: &str| own.starts_with(rules) && sighted(rules) == own;
        self.found(&genesis.setup.rules, genesis.setup.game_name.as_deref(), &is_of)
    }

    /// The same for rules of a real-time game.
    pub(crate) fn real_time_facts(&self, rules: &str, name: Option<&str>) -> GameFacts {
        self.found(rules, name, &|rules, own| rules == own)
    }

    fn found(&self, own: &str, name: Option<&str>, is_of: &dyn Fn(&str, &str) -> bool) -> GameFacts {
        if let Some(given) = &self.given {
            return given.clone();
        }
        if let Some((rules, facts)) = &*self.last.borrow()
            && rules == own
        {
            return facts.clone();
        }
        let mut entries = catalogue().iter().chain(real_time_catalogue());
        let bundled = entries.find(|entry| is_of(entry.rules, own)).and_then(|entry| entry.facts().ok());
        let beside = || {
            let mut folders = self.folders.iter();
            folders.find_map(|folder| facts_of_rules(&|rules| is_of(rules, own), folder, name))
        };
        let facts = bundled.or_else(beside).unwrap_or_else(|| GameFacts::unknown(name.unwrap_or("a game")));
        *self.last.borrow_mut() = Some((own.to_owned(), facts.clone()));
        facts
    }
}

/// The words that a family has for its game, if these are its rules.
fn facts_of_member(member: &FamilyMember, rules: &str) -> Option<GameFacts> {
    let is_it = member.rules().is_ok_and(|own| own == rules);
    let facts = if is_it { member.facts().ok()? } else { None };
    facts.and_then(|text| GameFacts::parse(&text).ok())
}
