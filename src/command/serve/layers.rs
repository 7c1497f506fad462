//! Where settings come from: the command line before the environment before a file before the defaults.

use std::{
    collections::BTreeMap,
    io::Write,
    path::{Path, PathBuf},
};

use clap::{Args as _, FromArgMatches as _, error::ContextKind};
use config::{Config, ConfigError, Environment, File, FileFormat, Map, Source, Value, ValueKind};

use super::options::{DEFAULTS, Options, keys, option, variable};
use croupier_games::alike;

use crate::{arguments::file::read_file, output::failure::Failure};

/// The file that is read if none is named and it is there.
const FILE: &str = "croupier.toml";

/// Longest file with settings, in bytes.
const FILE_BYTES_MAX: usize = 1 << 20;

/// Where a setting was made.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Origin {
    CommandLine,
    Environment,
    File(PathBuf),
    Default,
}

impl Origin {
    /// A setting of this origin, as a place.
    fn place(&self, key: &str) -> String {
        match self {
            Self::CommandLine | Self::Default => option(key),
            Self::Environment => variable(key),
            Self::File(path) => format!("{}: {key}", path.display()),
        }
    }
}

/// The settings that hold, and where each comes from.
#[derive(Debug)]
pub(super) struct Settled {
    pub(super) options: Options,
    /// By key, what holds and since where.
    values: BTreeMap<String, (Value, Origin)>,
}

/// Settles what holds: by what the command line gives, the environment, and the file that is named or stands in the folder.
///
/// # Errors
/// [`Failure`] that names the key and its place, if a file or a variable has a key that is none, or a value that is unfit.
pub(super) fn settle(given: &Options, file: Option<&Path>) -> Result<Settled, Failure> {
    let mut layers = vec![(Origin::Default, defaults()?)];
    let named = file.map(Path::to_path_buf).or_else(|| std::env::var_os("CROUPIER_CONFIG").map(Into::into));
    let path = named.or_else(|| Path::new(FILE).exists().then(|| FILE.into()));
    if let Some(path) = path {
        let table = from_file(&path)?;
        layers.push((Origin::File(path), table));
    }
    layers.push((Origin::Environment, from_environment()?));
    let given = Config::try_from(given).and_then(|given| given.collect());
    let mut given = given.map_err(|error| unfit(&error))?;
    given.retain(|_, value| value.kind != ValueKind::Nil);
    layers.push((Origin::CommandLine, given));
    let mut values = BTreeMap::new();
    // A later layer takes the place of an earlier one.
    for (origin, table) in layers {
        values.extend(table.into_iter().map(|(key, value)| (key, (value, origin.clone()))));
    }
    let options = options(&values)?;
    Ok(Settled { options, values })
}

fn unfit(error: &ConfigError) -> Failure {
    Failure::refuse("bad-config", error.to_string())
}

fn defaults() -> Result<Map<String, Value>, Failure> {
    let mut builder = Config::builder();
    for (key, value) in DEFAULTS {
        builder = builder.set_default(key, *value).map_err(|error| unfit(&error))?;
    }
    let made = builder.build().and_then(|config| config.collect());
    made.map_err(|error| unfit(&error))
}

fn from_file(path: &Path) -> Result<Map<String, Value>, Failure> {
    let place = path.display().to_string();
    let bytes = read_file(path, FILE_BYTES_MAX)?;
    let text = String::from_utf8_lossy(&bytes);
    let table = File::from_str(&text, FileFormat::Toml).collect().map_err(|error| {
        let text = error.to_string();
        let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        let message = format!("the file is not TOML: {}", lines.join(" "));
        Failure::refuse("bad-config", message).at(&place).help("a line is `key = value`")
    })?;
    let known = keys();
    match table.keys().find(|key| !known.contains(key)) {
        Some(key) => Err(unknown(key, &known).at(&format!("{place}: {key}"))),
        None => Ok(table),
    }
}

fn from_environment() -> Result<Map<String, Value>, Failure> {
    let source = Environment::with_prefix("CROUPIER").prefix_separator("_").ignore_empty(true);
    let mut table = source.collect().map_err(|error| unfit(&error))?;
    let known = keys();
    // Other variables may begin with the same word: what tests read, and what a cluster gives a service of that name.
    let misspelt = table.keys().find(|key| {
        let meant = known.iter().map(String::as_str).map(|name| strsim::damerau_levenshtein(name, key)).min();
        !known.contains(key) && *key != "config" && meant.is_some_and(|slips| slips * 4 <= key.len().max(4))
    });
    if let Some(key) = misspelt {
        return Err(unknown(key, &known).at(&variable(key)));
    }
    table.retain(|key, _| known.contains(key));
    Ok(table)
}

fn unknown(key: &str, known: &[String]) -> Failure {
    let failure = Failure::refuse("unknown-key", format!("there is no setting '{key}'"));
    match alike(key, known.iter().map(String::as_str)).first() {
        Some(near) => failure.help(format!("did you mean '{near}'?")),
        None => failure.help(format!("settings are {}", known.join(", "))),
    }
}

/// The options that these values make: judged by what judges the command line.
fn options(values: &BTreeMap<String, (Value, Origin)>) -> Result<Options, Failure> {
    let mut line = vec!["serve".to_owned()];
    for (key, (value, origin)) in values {
        let text = value.clone().into_string().map_err(|_| {
            let failure = Failure::refuse("bad-value", format!("'{key}' takes one value"));
            failure
                .at(&origin.place(key))
                .help("write `key = value`, with a number, true, false or a \"text\"")
        })?;
        line.push(format!("{}={text}", option(key)));
    }
    let command = Options::augment_args(clap::Command::new("serve"));
    let parsed = command.try_get_matches_from(line).and_then(|matches| Options::from_arg_matches(&matches));
    parsed.map_err(|error| {
        let argument = error.get(ContextKind::InvalidArg).map(ToString::to_string).unwrap_or_default();
        let name = argument.trim_start_matches('-').split(['=', ' ', '[']).next().unwrap_or_default();
        let key = name.replace('-', "_");
        let message = error.render().to_string();
        let message = message.lines().next().unwrap_or_default().trim_start_matches("error: ").to_owned();
        let place = values.get(&key).map_or_else(|| option(&key), |(_, origin)| origin.place(&key));
        let help = "`croupier help serve` says what each setting takes";
        Failure::refuse("bad-value", message).at(&place).help(help)
    })
}

impl Settled {
    /// Writes what holds as a file of settings, each line with where it comes from. Secrets are in files, and only their names
    /// are settings; a password in the address of a store is left out.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(super) fn print(&self, out: &mut dyn Write) -> std::io::Result<()> {
        for key in keys() {
            let Some((value, origin)) = self.values.get(&key) else {
                writeln!(out, "# {key} is not set")?;
                continue;
            };
            let text = without_password(&value.to_string());
            let is_bare = text.parse::<i64>().is_ok() || text.parse::<bool>().is_ok();
            let shown = if is_bare { text } else { toml::Value::String(text).to_string() };
            let origin = match origin {
                Origin::CommandLine => "command line".to_owned(),
                Origin::Environment => variable(&key),
                Origin::File(path) => path.display().to_string(),
                Origin::Default => "default".to_owned(),
            };
            writeln!(out, "{:<40} # {origin}", format!("{key} = {shown}"))?;
        }
        Ok(())
    }
}

/// An address without the password in it: `postgres://user@host` for `postgres://user:password@host`.
pub(super) fn without_password(text: &str) -> String {
    let Some((scheme, rest)) = text.split_once("://") else { return text.to_owned() };
    let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    let Some((user, host)) = authority.rsplit_once('@') else { return text.to_owned() };
    let name = user.split(':').next().unwrap_or_default();
    format!("{scheme}://{name}@{host}{path}")
}

#[cfg(test)]
mod tests {
    use super::{DEFAULTS, keys, without_password};

    #[test]
    fn a_password_in_the_address_of_a_store_is_not_shown() {
        assert_eq!(without_password("croupier.db"), "croupier.db");
        assert_eq!(without_password("postgres://u:p@ss:w@h:1/d"), "postgres://u@h:1/d");
        assert_eq!(without_password("postgres://h/d@x:y"), "postgres://h/d@x:y");
    }

    #[test]
    fn every_default_is_that_of_a_setting() {
        let keys = keys();
        for (key, _) in DEFAULTS {
            assert!(keys.iter().any(|known| known == key), "{key}");
        }
    }
}
