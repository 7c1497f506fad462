//! The argument GAME: a name from the catalogue, or the path of a rule file.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use croupier_engine::{
    CompileError, Compiled, Diagnostic, Game, Limits, Options, Roles,
    realtime::RealTimeGame,
    stages::rules::{is_real_time, with_role_sight},
    stages::syntax::{self, Decoded},
};
use croupier_games::{Entry, FactsError, GameFacts, alike, catalogue, printable, real_time_catalogue};

use crate::{failure::Failure, file::read_file, records, render};

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
}

impl Source {
    /// Finds the game that was asked for.
    ///
    /// # Errors
    /// If there is no such game or file, or what is there cannot be read.
    pub(crate) fn find(game: &str) -> Result<Self, Failure> {
        if let Some(entry) = croupier_games::find(game) {
            return Self::of_entry(entry);
        }
        let path = Path::new(game);
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

    fn of_entry(entry: &Entry) -> Result<Self, Failure> {
        let facts = entry.facts().map_err(|error| bad_facts(&error, entry.name))?;
        Ok(Self {
            name: entry.name.to_owned(),
            origin: format!("{}/rules.gdl", entry.name),
            rules: entry.rules.to_owned(),
            encoding: None,
            facts,
        })
    }

    /// The rules in a file, of a game that is called as `named` is without its extension.
    fn of_file(path: &Path, named: &Path) -> Result<Self, Failure> {
        let bytes = read_file(path, Limits::STANDARD.source_bytes)?;
        let Decoded { text, finding } = syntax::decode(&bytes);
        let name =
            named.file_stem().map_or_else(|| "game".into(), |stem| stem.to_string_lossy().into_owned());
        Ok(Self {
            facts: facts_beside(path, &name)?,
            name,
            origin: path.display().to_string(),
            rules: text.into_owned(),
            encoding: finding,
        })
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
        let role =
            records::player(roles, role).map_err(|failure| failure.at_argument("--full-sight", role))?;
        self.rules = with_role_sight(&self.rules, roles.name(role), &Limits::STANDARD);
        Ok(self)
    }

    /// Whether the rules have lifetimes, so that nobody takes turns.
    pub(crate) fn is_real_time(&self) -> bool {
        is_real_time(&syntax::read(&self.rules, syntax::Syntax::Auto, &Limits::STANDARD).description)
    }

    /// The real-time game that the rules give.
    ///
    /// # Errors
    /// If the rules are refused, with their diagnostics.
    pub(crate) fn compile_real_time(&self, options: &Options) -> Result<Arc<RealTimeGame>, Failure> {
        let compiled = RealTimeGame::compile(&self.rules, options);
        Ok(Arc::new(compiled.map_err(|error| self.refusal(&error))?.game))
    }

    /// The game that the rules give.
    ///
    /// # Errors
    /// If the rules are refused, with their diagnostics, or a match cannot begin.
    pub(crate) fn compile(&self, options: &Options) -> Result<Arc<Game>, Failure> {
        let Compiled { game, .. } =
            Game::compile(&self.rules, options).map_err(|error| self.refusal(&error))?;
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
                Failure::refuse("rules-refused", format!("the rules give no game: {}", render::count(found)))
                    .after(render::diagnostics(&errors, &self.rules, &self.origin))
            }
            CompileError::RealTime => Failure::refuse("real-time", error.to_string())
                .help("`check`, `explain`, `play`, `replay`, `show` and `simulate` take real-time games"),
            CompileError::TurnBased => Failure::refuse("turn-based", error.to_string())
                .help("`croupier convert GAME --to rtgdl` makes a real-time game of it"),
            CompileError::Evaluation(error) => {
                let found: Vec<Diagnostic> = error.to_diagnostic().into_iter().collect();
                Failure::refuse("rules-fail", format!("a match cannot begin: {error}"))
                    .help("`croupier check` says more of the rules")
                    .after(render::diagnostics(&found, &self.rules, &self.origin))
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
            .help("`croupier new -o rules.gdl` writes one to begin with")),
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

/// The facts in the `game.toml` beside a rule file, if there is one.
fn facts_beside(path: &Path, name: &str) -> Result<GameFacts, Failure> {
    let beside: PathBuf = path.with_file_name("game.toml");
    if !beside.is_file() {
        return Ok(GameFacts::unknown(name));
    }
    let bytes = read_file(&beside, Limits::STANDARD.source_bytes)?;
    GameFacts::parse(&syntax::decode(&bytes).text)
        .map_err(|error| bad_facts(&error, &beside.display().to_string()))
}

fn bad_facts(error: &FactsError, place: &str) -> Failure {
    Failure::refuse("bad-facts", format!("the facts beside the rules are refused: {}", first_line(error)))
        .at(place)
        .help("fix the file, or move the rules to a folder without a game.toml: they can be played without")
}

/// TOML errors draw a picture below the first line; the place is enough here.
fn first_line(error: &FactsError) -> String {
    match error {
        FactsError::Toml(error) => error.message().lines().next().unwrap_or_default().to_owned(),
        other => other.to_string(),
    }
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
