//! `croupier explain`: what a code of `croupier check` means.
//!
//! A code is one of the engine's, about rules, or one of this package's, about a `game.toml`.

use std::io::Write;

use clap::Args;
use croupier_engine::{
    Severity,
    stages::check::{CODES, Code, Explanation, Finder},
};
use croupier_games::alike;
use serde::Serialize;

use crate::{
    arguments::facts::codes::{self, FactsCode},
    output::{
        answer::Answer,
        failure::Failure,
        render::level,
        schema::{Output, output},
    },
};

/// Explain a finding of `croupier check`: example, cure, source
#[derive(Args)]
#[command(after_help = "\
Examples:
  croupier explain unsafe-variable
  croupier explain                      every code in one line
  croupier explain --json")]
pub(crate) struct Arguments {
    /// A code such as unsafe-variable; all of them in one line each if it is left out
    code: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<Answer, Failure> {
    let Some(word) = &arguments.code else { return list(arguments, out) };
    let word = word.to_lowercase();
    let explained = all().find(|explained| explained.code == word).ok_or_else(|| unknown(&word))?;
    if arguments.json {
        explained.write_json(out)?;
    } else {
        write!(out, "{}", explained.as_text())?;
    }
    Ok(Answer::Yes)
}

fn list(arguments: &Arguments, out: &mut dyn Write) -> Result<Answer, Failure> {
    if arguments.json {
        AllExplained { codes: all().collect() }.write_json(out)?;
        return Ok(Answer::Yes);
    }
    for Explained { code, strict, meaning, .. } in all() {
        writeln!(out, "{code:28} {strict:8} {meaning}")?;
    }
    writeln!(out, "\nThe weight is that of --strict. `croupier explain CODE` says more.")?;
    Ok(Answer::Yes)
}

/// What every finding means.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct AllExplained {
    codes: Vec<Explained>,
}
output!(Explain: Explained, ExplainAll: AllExplained);

/// What a finding means.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Explained {
    code: &'static str,
    meaning: &'static str,
    /// With --strict.
    #[cfg_attr(test, schemars(extend("enum" = crate::output::schema::tests::SEVERITIES)))]
    strict: &'static str,
    /// Without.
    #[cfg_attr(test, schemars(extend("enum" = crate::output::schema::tests::SEVERITIES)))]
    compatible: &'static str,
    #[cfg_attr(test, schemars(extend("enum" = ["text", "play", "proof", "evaluation", "game.toml"])))]
    found_by: &'static str,
    /// The same in a sentence.
    #[serde(skip)]
    found_by_what: &'static str,
    /// Rules with the finding.
    found_in: &'static str,
    /// Rules without.
    not_found_in: &'static str,
    /// The rules beside both, if they are game.toml files.
    rules: Option<&'static str>,
    cure: &'static str,
    source: &'static str,
}

/// Every code: those of rules, then those of a `game.toml`.
fn all() -> impl Iterator<Item = Explained> {
    CODES.iter().map(of_rules).chain(codes::CODES.iter().map(of_facts))
}

fn of_rules(code: &Code) -> Explained {
    let (found_by, what) = match code.finder {
        Finder::Text => ("text", "reading the rules"),
        Finder::Play => ("play", "playing at random, so that it can be missed"),
        Finder::Proof => ("proof", "proving what holds in every match, as far as a second allows"),
        Finder::Evaluation => ("evaluation", "computing what holds before the first move"),
    };
    Explained::new(code.name, [code.strict, code.compatible], found_by, what, code.explanation)
}

fn of_facts(code: &FactsCode) -> Explained {
    let what = "comparing game.toml with the rules";
    let explained = Explained::new(code.name, [code.severity; 2], "game.toml", what, code.explanation);
    Explained { rules: Some(codes::RULES), ..explained }
}

impl Explained {
    fn new(
        code: &'static str,
        severities: [Severity; 2],
        found_by: &'static str,
        found_by_what: &'static str,
        explanation: Explanation,
    ) -> Self {
        let [strict, compatible] = severities.map(level);
        let Explanation { meaning, rejected: found_in, accepted: not_found_in, cure, source } = explanation;
        let rules = None;
        Self {
            code,
            meaning,
            strict,
            compatible,
            found_by,
            found_by_what,
            found_in,
            not_found_in,
            rules,
            cure,
            source,
        }
    }

    fn as_text(&self) -> String {
        let Self { code, meaning, strict, compatible, cure, source, .. } = self;
        let weight = match (strict, compatible) {
            (strict, compatible) if strict != compatible => {
                format!("{strict} with --strict, else {compatible}")
            }
            (&"error", _) => "an error".to_owned(),
            (word, _) => format!("a {word}"),
        };
        let mut text = format!("{code}: {meaning}\n\nWeight: {weight}; found by {}\n", self.found_by_what);
        let examples = [
            ("Found in", Some(self.found_in)),
            ("Not found in", Some(self.not_found_in)),
            ("Beside the rules", self.rules),
        ];
        for (title, example) in examples {
            if let Some(example) = example {
                text.push_str(&format!("\n{title}:\n{}", indented(example)));
            }
        }
        text.push_str(&format!("\nCure: {cure}\nSource: {source}\n"));
        text
    }
}

/// An example below its title. What a limit is about is too long to be shown.
fn indented(example: &str) -> String {
    const SHOWN: usize = 76;
    let line = |line: &str| match line.char_indices().nth(SHOWN) {
        Some((cut, _)) => format!("    {} ...\n", &line[..cut - 4]),
        None if line.is_empty() => "\n".to_owned(),
        None => format!("    {line}\n"),
    };
    example.lines().map(line).collect()
}

fn unknown(code: &str) -> Failure {
    let near = alike(code, all().map(|known| known.code));
    let names = &near[..near.len().min(3)];
    let help = match names {
        [] => "`croupier explain` lists all codes".to_owned(),
        names => format!("did you mean {}? `croupier explain` lists all codes", names.join(" or ")),
    };
    Failure::refuse("unknown-code", format!("there is no code '{code}'")).help(help)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_has_an_explanation_that_fits_a_screen() {
        for explained in all() {
            let text = explained.as_text();
            assert!(text.lines().count() <= 36, "{text}");
            let examples = text.lines().filter(|line| line.starts_with("    "));
            assert!(examples.clone().all(|line| line.chars().count() <= 80), "{text}");
            assert!(examples.count() >= 8, "{text}");
            for part in ["found by ", "Found in:", "Not found in:", "Cure: ", "Source: "] {
                assert!(text.contains(part), "{part}: {text}");
            }
        }
    }
}
