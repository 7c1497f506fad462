//! The argument GAME: a name from the catalogue, or the path of a rule file.

use std::{
    io::{self, Write},
    path::{Path, PathBuf},
    sync::{Arc, OnceLock},
};

use croupier_engine::{
    CompileError, Diagnostic, Game, Limits, Options, Roles, Strictness,
    realtime::RealTimeGame,
    stages::{
        check::{Checked, CheckedRules, check_text},
        rules::with_role_sight,
        syntax::{self, Decoded},
    },
};
use croupier_games::{Entry, FactsError, GameFacts, alike, catalogue, printable, real_time_catalogue};

use crate::{
    arguments::{
        facts::{self, FactsFile},
        file::read_file,
        foreign, role,
    },
    output::{failure::Failure, lines::Lines, render},
};

/// The text of a game's rules and what is known beside it.
#[derive(Debug)]
pub(crate) struct Source {
    /// Its name in the catalogue, or the file name without its extension.
    pub(crate) name: String,
    /// Where it is from, for messages: the path, or the name in the catalogue.
    pub(crate) origin: String,
    /// The rules.
    pub(crate) rules: String,
    /// That the file is not UTF-8, if it is not.
    pub(crate) encoding: Option<Diagnostic>,
    /// Facts and words.
    pub(crate) facts: GameFacts,
    /// The `game.toml` that they are from, if there is one.
    pub(crate) facts_file: Option<FactsFile>,
    /// Why it is refused, if it is; then nothing is known of the game.
    refused: Option<FactsError>,
    /// What the text says, once it has been read.
    checked: OnceLock<Checked>,
}

impl Source {
    /// Writes what others have found out about the game.
    ///
    /// # Errors
    /// If that fails.
    pub(crate) fn write_known(&self, out: &mut dyn Write) -> io::Result<()> {
        self.facts
            .known
            .iter()
            .try_for_each(|known| writeln!(out, "known: {}: {} ({})", known.what, known.value, known.source))
    }

    /// Finds the game that was asked for.
    ///
    /// # Errors
    /// If there is no such game or file, or what is there cannot be read.
    pub(crate) fn find(game: &str) -> Result<Self, Failure> {
        let source = Self::find_to_check(game)?;
        match (&source.refused, &source.facts_file) {
            (Some(error), Some(file)) => Err(bad_facts(error, file)),
            _ => Ok(source),
        }
    }

    /// The same, even if its `game.toml` is refused.
    ///
    /// # Errors
    /// If there is no such game or file, or what is there cannot be read.
    pub(crate) fn find_to_check(game: &str) -> Result<Self, Failure> {
        if let Some(entry) = croupier_games::find(game) {
            return Ok(Self::of_entry(entry));
        }
        let path = Path::new(game);
        // Words stand beside rules, and are checked with them.
        let path = match path.file_name() {
            Some(name) if name == FACTS && path.is_file() => match path.parent() {
                Some(folder) if !folder.as_os_str().is_empty() => folder,
                _ => Path::new("."),
            },
            _ => path,
        };
        if !path.exists() && (file_beside(game).is_some() || !game.contains(['/', '\\', '.'])) {
            return Err(unknown(game));
        }
        if path.is_dir() {
            // Where rules have a folder of their own, that has the name.
            let folder = path.canonicalize().unwrap_or_else(|_| path.to_owned());
            return Self::of_file(&rule_file(path)?, &folder);
        }
        Self::of_file(path, path)
    }

    /// What to give a command to have this game.
    pub(crate) fn argument(&self) -> String {
        let is_bundled = self.origin == format!("{}/rules.gdl", self.name);
        if is_bundled { self.name.clone() } else { self.origin.clone() }
    }

    fn of_entry(entry: &Entry) -> Self {
        let file = FactsFile { path: format!("{}/{FACTS}", entry.name), text: entry.facts_toml.to_owned() };
        Self {
            name: entry.name.to_owned(),
            origin: format!("{}/rules.gdl", entry.name),
            rules: entry.rules.to_owned(),
            encoding: None,
            facts: GameFacts::unknown(entry.name),
            facts_file: Some(file),
            refused: None,
            checked: OnceLock::new(),
        }
        .with_facts()
    }

    /// The same with what its `game.toml` says.
    fn with_facts(mut self) -> Self {
        match self.facts_file.as_ref().map(|file| GameFacts::parse(&file.text)) {
            Some(Ok(facts)) => self.facts = facts,
            Some(Err(error)) => self.refused = Some(error),
            None => {}
        }
        self
    }

    /// The rules in a file, of a game that is called as `named` is without its extension.
    fn of_file(path: &Path, named: &Path) -> Result<Self, Failure> {
        let bytes = read_file(path, Limits::STANDARD.source_bytes)?;
        if let Some(foreign) = foreign::not_rules(&bytes) {
            return Err(foreign.refused("not-rules", "rules of a game", &path.display().to_string()));
        }
        let Decoded { text, finding } = syntax::decode(&bytes);
        let name =
            named.file_stem().map_or_else(|| "game".into(), |stem| stem.to_string_lossy().into_owned());
        let source = Self {
            facts: GameFacts::unknown(&name),
            name,
            origin: path.display().to_string(),
            rules: text.into_owned(),
            encoding: finding,
            facts_file: facts_beside(path)?,
            refused: None,
            checked: OnceLock::new(),
        };
        Ok(source.with_facts())
    }

    /// What was found in the text, with what was found in its bytes, in the order of the file.
    pub(crate) fn with_encoding(&self, mut found: Vec<Diagnostic>) -> Vec<Diagnostic> {
        found.extend(self.encoding.clone());
        found.sort();
        found
    }

    /// The same with full sight for a role, as a rule of its own.
    ///
    /// # Errors
    /// If the game has no such player.
    pub(crate) fn with_role_sight(mut self, roles: &Roles, role: &str) -> Result<Self, Failure> {
        let role = role::player(roles, role).map_err(|failure| failure.at_argument("--full-sight", role))?;
        self.rules = with_role_sight(&self.rules, roles.name(role), &Limits::STANDARD);
        self.checked = OnceLock::new();
        Ok(self)
    }

    /// A game that is known by the same name, with its own rules, and facts perhaps.
    pub(crate) fn sibling(&self, rules: String, facts: Option<GameFacts>) -> Self {
        Self {
            name: self.name.clone(),
            origin: self.origin.clone(),
            rules,
            encoding: None,
            facts: facts.unwrap_or_else(|| self.facts.clone()),
            facts_file: None,
            refused: None,
            checked: OnceLock::new(),
        }
    }

    /// The rules and every finding about them in the compatible reading; the text is read once.
    pub(crate) fn checked(&self) -> &Checked {
        self.checked.get_or_init(|| check_text(&self.rules, Strictness::Compatible, &Limits::STANDARD))
    }

    /// The rules.
    ///
    /// # Errors
    /// If they are refused, with their diagnostics.
    pub(crate) fn checked_rules(&self) -> Result<Arc<CheckedRules>, Failure> {
        let (rules, found) = self.checked();
        rules.clone().ok_or_else(|| self.refusal(&CompileError::Rules(found.clone())))
    }

    /// Whether the rules have lifetimes, so that nobody takes turns; false for rules that are refused.
    pub(crate) fn is_real_time(&self) -> bool {
        self.checked().0.as_ref().is_some_and(|rules| rules.is_real_time())
    }

    /// The real-time game that the rules give.
    ///
    /// # Errors
    /// If the rules are refused, with their diagnostics.
    pub(crate) fn compile_real_time(&self, options: &Options) -> Result<Arc<RealTimeGame>, Failure> {
        let game = RealTimeGame::of_rules(self.checked_rules()?, options);
        Ok(Arc::new(game.map_err(|error| self.refusal(&error))?))
    }

    /// The game that the rules give.
    ///
    /// # Errors
    /// If the rules are refused, with their diagnostics, or a match cannot begin.
    pub(crate) fn compile(&self, options: &Options) -> Result<Arc<Game>, Failure> {
        let game = Game::of_rules(self.checked_rules()?, options).map_err(|error| self.refusal(&error))?;
        // A text that is no game often has a role and no more: it is better to say so here than in turn 0.
        match game.status(game.initial_state(), &mut game.scratch()) {
            Ok(_) => Ok(Arc::new(game)),
            Err(error) => Err(self.refusal(&CompileError::Evaluation(error))),
        }
    }

    /// Why the rules give no game, for people.
    pub(crate) fn refusal(&self, error: &CompileError) -> Failure {
        let failure = match error {
            CompileError::Rules(found) => {
                let errors: Vec<Diagnostic> = found
                    .iter()
                    .filter(|one| one.severity == croupier_engine::Severity::Error)
                    .cloned()
                    .collect();
                Failure::refuse(
                    "rules-refused",
                    format!("the rules give no game: {}", render::count(found.iter())),
                )
                .after(render::diagnostics(
                    &errors.iter().collect::<Vec<_>>(),
                    &self.rules,
                    &self.origin,
                ))
            }
            CompileError::RealTime => Failure::refuse("real-time", error.to_string())
                .help("`check`, `explain`, `play`, `replay`, `show` and `simulate` take real-time games"),
            CompileError::TurnBased => Failure::refuse("turn-based", error.to_string())
                .help("`croupier convert GAME --to rtgdl` makes a real-time game of it"),
            CompileError::Evaluation(error) => {
                let found: Vec<Diagnostic> = error.to_diagnostic().into_iter().collect();
                Failure::refuse("rules-fail", format!("a match cannot begin: {error}"))
                    .help("`croupier check` explains what is wrong with the rules")
                    .after(render::diagnostics(&found.iter().collect::<Vec<_>>(), &self.rules, &self.origin))
            }
        };
        failure.at(&self.origin)
    }
}

/// How the names of rule files end.
const ENDINGS: [&str; 4] = ["gdl", "kif", "rtgdl", "hrf"];

/// A rule file whose name without its ending was given.
fn file_beside(game: &str) -> Option<String> {
    ENDINGS.iter().map(|ending| format!("{game}.{ending}")).find(|file| Path::new(file).is_file())
}

/// The rule file in a folder: `rules.gdl`, or the only one.
fn rule_file(folder: &Path) -> Result<PathBuf, Failure> {
    let usual = folder.join("rules.gdl");
    if usual.is_file() {
        return Ok(usual);
    }
    let unreadable = |error: std::io::Error| Failure::file("unreadable-file", folder, &error);
    let paths = folder.read_dir().map_err(unreadable)?.filter_map(|entry| Some(entry.ok()?.path()));
    let is_rules =
        |path: &PathBuf| path.extension().is_some_and(|ending| ENDINGS.iter().any(|&known| ending == known));
    let mut found: Vec<PathBuf> = paths.filter(|path| path.is_file() && is_rules(path)).collect();
    found.sort();
    let at = |failure: Failure| failure.at(&folder.display().to_string());
    match found.as_slice() {
        [only] => Ok(only.clone()),
        [] => Err(at(Failure::refuse("no-rules", "the folder has no rule file"))
            .help("`croupier new FOLDER` writes one to begin with")),
        several => {
            let names = several
                .iter()
                .filter_map(|path| path.file_name())
                .map(|name| printable(&name.to_string_lossy()));
            let message =
                format!("the folder has several rule files: {}", names.collect::<Vec<_>>().join(", "));
            Err(at(Failure::refuse("several-rules", message)).help("name one of them"))
        }
    }
}

/// The name of the file with facts and words.
const FACTS: &str = "game.toml";

/// The `game.toml` beside a rule file, if there is one.
fn facts_beside(path: &Path) -> Result<Option<FactsFile>, Failure> {
    let beside: PathBuf = path.with_file_name(FACTS);
    beside.is_file().then(|| facts_file(&beside)).transpose()
}

fn facts_file(path: &Path) -> Result<FactsFile, Failure> {
    let bytes = read_file(path, Limits::STANDARD.source_bytes)?;
    Ok(FactsFile { path: path.display().to_string(), text: syntax::decode(&bytes).text.into_owned() })
}

/// The facts in a `game.toml`, or in that of a folder or beside a rule file, whatever the rules are.
///
/// # Errors
/// If there is none, or it cannot be read.
pub(crate) fn facts_at(path: &Path) -> Result<GameFacts, Failure> {
    let place = if path.is_dir() { path.join(FACTS) } else { path.to_owned() };
    let is_rules = place.extension().is_some_and(|ending| ENDINGS.iter().any(|&known| ending == known));
    let place = if is_rules { place.with_file_name(FACTS) } else { place };
    let file = facts_file(&place)?;
    GameFacts::parse(&file.text).map_err(|error| bad_facts(&error, &file))
}

/// The facts beside a rule file with the rules that are sought, in a folder or in one that is called `name` inside it.
pub(crate) fn facts_of_rules(
    is_sought: &dyn Fn(&str) -> bool,
    folder: &Path,
    name: Option<&str>,
) -> Option<GameFacts> {
    let inner =
        name.filter(|name| !name.contains(['/', '\\']) && *name != "..").map(|name| folder.join(name));
    let folders = [folder.to_owned()].into_iter().chain(inner);
    let files = folders.filter_map(|folder| folder.read_dir().ok()).flatten().take(FILES_MAX);
    let paths = files.filter_map(|entry| Some(entry.ok()?.path()));
    let is_rules = |path: &PathBuf| {
        let has_ending = path.extension().is_some_and(|ending| ENDINGS.iter().any(|&known| ending == known));
        has_ending && path.with_file_name(FACTS).is_file()
    };
    let mut candidates: Vec<PathBuf> = paths.filter(is_rules).collect();
    candidates.sort();
    let is_of = |path: &PathBuf| {
        let bytes = read_file(path, Limits::STANDARD.source_bytes).ok();
        bytes.is_some_and(|bytes| is_sought(&syntax::decode(&bytes).text))
    };
    candidates.iter().find(|path| is_of(path)).and_then(|path| facts_at(path).ok())
}

/// Files that are looked at in a folder for the rules of a record.
const FILES_MAX: usize = 1_000;

fn bad_facts(error: &FactsError, file: &FactsFile) -> Failure {
    let found = facts::refusal(error, &file.text);
    let (line, column) = Lines::of(&file.text).start(found.span);
    Failure::refuse("bad-facts", format!("the facts beside the rules are refused: {}", found.message))
        .at(&format!("{}:{line}:{column}", file.path))
        .help("fix the file, or move the rules to a folder without a game.toml: they can be played without")
        .after(render::diagnostics(&[&found], &file.text, &file.path))
}

fn unknown(game: &str) -> Failure {
    let failure = || Failure::refuse("unknown-game", format!("there is no game and no file called '{game}'"));
    if let Some(file) = file_beside(game) {
        return failure().help(format!("did you mean the file {file}?"));
    }
    let near = near(game);
    let help = match near.as_slice() {
        [] => "`croupier games` lists the catalogue; a rule file is given by its path".to_owned(),
        names => format!("did you mean {}? `croupier games` lists the catalogue", names.join(" or ")),
    };
    failure().help(help)
}

/// Catalogue names that are like `game`, the likest first, or whose title speaks of it.
fn near(game: &str) -> Vec<&'static str> {
    let sought = game.to_lowercase();
    let mut names = alike(&sought, catalogue().iter().chain(real_time_catalogue()).map(|entry| entry.name));
    names.truncate(3);
    if names.is_empty() && sought.len() >= 3 {
        let speaks =
            |entry: &&Entry| entry.facts().is_ok_and(|facts| facts.title.to_lowercase().contains(&sought));
        names.extend(
            catalogue().iter().chain(real_time_catalogue()).filter(speaks).map(|entry| entry.name).take(3),
        );
    }
    names
}

#[cfg(test)]
mod tests {
    use super::near;

    #[test]
    fn a_slip_or_a_title_leads_to_the_game() {
        assert_eq!(near("khun").first(), Some(&"kuhn"));
        assert_eq!(near("Holdem").first(), Some(&"holdem"));
        assert!(near("texas").contains(&"holdem"));
        assert!(near("no-such-thing").is_empty());
    }
}
