//! `croupier explain`: what a code of `croupier check` means.

use std::io::Write;

use clap::Args;
use croupier_engine::{
    Severity,
    stages::check::{CODES, Code, Explanation, Finder, explanation},
};
use serde_json::{Value, json};

use croupier_games::alike;

use crate::{answer::Answer, failure::Failure, schema::Schema};

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
    let code = CODES.iter().find(|code| code.name == word).ok_or_else(|| unknown(&word))?;
    if arguments.json {
        Schema::Explain.write(out, as_json(code))?;
    } else {
        write!(out, "{}", as_text(code))?;
    }
    Ok(Answer::Yes)
}

fn list(arguments: &Arguments, out: &mut dyn Write) -> Result<Answer, Failure> {
    if arguments.json {
        let codes: Vec<Value> = CODES.iter().map(as_json).collect();
        Schema::ExplainAll.write(out, json!({ "codes": codes }))?;
        return Ok(Answer::Yes);
    }
    for code in CODES {
        writeln!(out, "{:28} {:8} {}", code.name, word(code.strict), code.meaning)?;
    }
    writeln!(out, "\nThe weight is that of --strict. `croupier explain CODE` says more.")?;
    Ok(Answer::Yes)
}

fn of(code: &Code) -> &'static Explanation {
    explanation(code.name).expect("a test sees to it that every code is explained")
}

fn as_text(code: &Code) -> String {
    let Explanation { rejected, accepted, cure, source, .. } = of(code);
    let weight = match (code.strict, code.compatible) {
        (Severity::Error, Severity::Error) => "an error".to_owned(),
        (Severity::Warning, Severity::Warning) => "a warning".to_owned(),
        (Severity::Note, Severity::Note) => "a note".to_owned(),
        (strict, compatible) => format!("{} with --strict, else {}", word(strict), word(compatible)),
    };
    let finder = match code.finder {
        Finder::Text => "reading the rules",
        Finder::Play => "playing at random, so that it can be missed",
        Finder::Evaluation => "computing what holds before the first move",
    };
    let mut text = format!("{}: {}\n\nWeight: {weight}\nFound by: {finder}\n", code.name, code.meaning);
    for (title, example) in [("Found in", rejected), ("Not found in", accepted)] {
        text.push_str(&format!("\n{title}:\n    {}\n", shortened(example)));
    }
    text.push_str(&format!("\nCure: {cure}\nSource: {source}\n"));
    text
}

/// Long repetitions say nothing: the examples of limits are cut.
fn shortened(example: &str) -> String {
    const SHOWN: usize = 500;
    match example.char_indices().nth(SHOWN) {
        Some((cut, _)) => format!("{} ...", &example[..cut]),
        None => example.to_owned(),
    }
}

fn as_json(code: &Code) -> Value {
    let Explanation { rejected, accepted, cure, source, .. } = of(code);
    json!({
        "code": code.name,
        "meaning": code.meaning,
        "strict": word(code.strict),
        "compatible": word(code.compatible),
        "found_by": match code.finder {
            Finder::Text => "text",
            Finder::Play => "play",
            Finder::Evaluation => "evaluation",
        },
        "found_in": rejected,
        "not_found_in": accepted,
        "cure": cure,
        "source": source,
    })
}

fn word(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    }
}

fn unknown(code: &str) -> Failure {
    let near = alike(code, CODES.iter().map(|known| known.name));
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
        for code in CODES {
            let text = as_text(code);
            assert!(text.lines().count() <= 24, "{text}");
            assert!(
                text.contains("Found by: ") && text.contains("Cure: ") && text.contains("Source: "),
                "{text}"
            );
        }
    }
}
