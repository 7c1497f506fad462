//! Which games there are.

use crate::facts::{FactsError, GameFacts};

/// One game of the catalogue.
///
/// ```
/// use croupier_games::{catalogue, find};
///
/// let kuhn = find("kuhn").ok_or("the catalogue has it")?;
/// assert!(kuhn.rules.starts_with("; Kuhn poker"));
/// assert_eq!(kuhn.facts()?.title, "Kuhn poker");
/// assert!(catalogue().is_sorted_by_key(|entry| entry.name));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// What it is called on the command line, and its folder.
    pub name: &'static str,
    /// Its rules in prefix syntax.
    pub rules: &'static str,
    /// Its `game.toml`.
    pub facts_toml: &'static str,
    /// A strategy for it that `croupier solve --abstract` made, if one comes with it.
    pub blueprint: Option<&'static [u8]>,
}

impl Entry {
    /// What is known of the game beside its rules.
    ///
    /// # Errors
    /// [`FactsError`] if the embedded `game.toml` is unsound, which a test of this package excludes.
    pub fn facts(&self) -> Result<GameFacts, FactsError> {
        GameFacts::parse(self.facts_toml)
    }
}

macro_rules! entry {
    ($name:literal) => {
        Entry {
            name: $name,
            rules: include_str!(concat!("../", $name, "/rules.gdl")),
            facts_toml: include_str!(concat!("../", $name, "/game.toml")),
            blueprint: None,
        }
    };
    ($name:literal, blueprint) => {
        Entry { blueprint: Some(include_bytes!(concat!("../", $name, "/blueprint.bin"))), ..entry!($name) }
    };
}

/// The strategies that come with games, as `croupier solve --abstract` wrote them.
pub fn blueprints() -> impl Iterator<Item = &'static [u8]> {
    catalogue().iter().filter_map(|entry| entry.blueprint)
}

/// All games, by name.
#[must_use]
pub fn catalogue() -> &'static [Entry] {
    // Static, so that what is embedded is in a program once.
    static ENTRIES: &[Entry] = &[
        entry!("amazons"),
        entry!("backgammon"),
        entry!("banker-and-thief"),
        entry!("battleship-4x4"),
        entry!("battleships-in-fog"),
        entry!("blackjack"),
        entry!("blind-breakthrough-5x5"),
        entry!("blind-breakthrough-6x6"),
        entry!("breakthrough"),
        entry!("checkers"),
        entry!("chess"),
        entry!("connect-four"),
        entry!("dark-hex-3x3"),
        entry!("deck-building"),
        entry!("exploding-bomb"),
        entry!("gin-rummy-small"),
        entry!("goofspiel-13"),
        entry!("goofspiel-4"),
        entry!("guess-six"),
        entry!("hanabi-small"),
        entry!("hearts-small"),
        entry!("holdem", blueprint),
        entry!("krieg-tic-tac-toe-4x4"),
        entry!("krieg-tic-tac-toe-5x5"),
        entry!("kuhn"),
        entry!("kuhn-3"),
        entry!("latent-tic-tac-toe"),
        entry!("leduc"),
        entry!("liars-dice"),
        entry!("liars-dice-2"),
        entry!("mastermind-2x3"),
        entry!("mastermind-4x6"),
        entry!("meier"),
        entry!("monty-hall"),
        entry!("muddy-children"),
        entry!("nim"),
        entry!("no-limit-holdem"),
        entry!("no-limit-holdem-3"),
        entry!("no-limit-holdem-4"),
        entry!("no-limit-holdem-6"),
        entry!("number-guessing"),
        entry!("oh-hell-small"),
        entry!("phantom-tic-tac-toe"),
        entry!("pig"),
        entry!("prisoners"),
        entry!("reversi"),
        entry!("royal-holdem"),
        entry!("spy-vs-spy"),
        entry!("stratego-small"),
        entry!("sushi-draft"),
        entry!("tic-tac-toe"),
        entry!("tiny-bridge"),
        entry!("tiny-hanabi"),
        entry!("transit"),
        entry!("two-generals"),
        entry!("yacht-small"),
    ];
    ENTRIES
}

macro_rules! real_time_entry {
    ($name:literal) => {
        Entry {
            name: $name,
            rules: include_str!(concat!("../real-time/", $name, "/rules.gdl")),
            facts_toml: include_str!(concat!("../real-time/", $name, "/game.toml")),
            blueprint: None,
        }
    };
}

/// All real-time games, by name: those whose rules have lifetimes, and in which nobody takes turns.
#[must_use]
pub fn real_time_catalogue() -> &'static [Entry] {
    // Static, so that what is embedded is in a program once.
    static ENTRIES: &[Entry] = &[
        real_time_entry!("blitz-chess"),
        real_time_entry!("blitz-tic-tac-toe"),
        real_time_entry!("bomb-party"),
        real_time_entry!("chicken"),
        real_time_entry!("dutch-auction"),
        real_time_entry!("pong"),
        real_time_entry!("reaction"),
        real_time_entry!("real-time-tic-tac-toe"),
        real_time_entry!("speed"),
        real_time_entry!("war-of-attrition"),
    ];
    ENTRIES
}

/// The game with this name, of either kind.
#[must_use]
pub fn find(name: &str) -> Option<&'static Entry> {
    catalogue().iter().chain(real_time_catalogue()).find(|entry| entry.name == name)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{Entry, catalogue, real_time_catalogue};

    fn folders_with_rules(folder: &Path) -> Vec<String> {
        let folders = folder.read_dir().expect("a folder of this package");
        let mut names: Vec<String> = folders
            .map(|entry| entry.expect("a readable folder").path())
            .filter(|path| path.join("rules.gdl").exists())
            .map(|path| path.file_name().expect("a named folder").to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn the_catalogues_are_every_folder_with_rules_in_order() {
        let names = |entries: &[Entry]| entries.iter().map(|entry| entry.name.to_owned()).collect::<Vec<_>>();
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        assert_eq!(names(catalogue()), folders_with_rules(here));
        assert_eq!(names(real_time_catalogue()), folders_with_rules(&here.join("real-time")));
    }

    #[test]
    fn every_game_has_sound_facts() {
        for entry in catalogue().iter().chain(real_time_catalogue()) {
            let facts = entry.facts().unwrap_or_else(|error| panic!("{}: {error}", entry.name));
            assert!(!facts.title.is_empty() && !facts.summary.is_empty(), "{}", entry.name);
        }
    }
}
