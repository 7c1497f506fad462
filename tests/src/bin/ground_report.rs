//! How large games are without variables: a table in Markdown, with a line for each file of rules.
//!
//! `cargo run --release -p croupier-tests --bin ground-report -- FOLDER...`
#![forbid(unsafe_code)]

use std::{
    env,
    io::{self, Write},
    path::Path,
    process::ExitCode,
};

use croupier_tests::{
    corpus::{name_of, rule_files},
    grounding::{Measured, Question, Sizes, Verdict, answer, measure},
};

const USAGE: &str = "usage: ground-report FILE|FOLDER...   each file of a folder is a game in GDL";

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    match run(&arguments, &mut io::stdout().lock()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(2),
        Err(error) => {
            let _ = writeln!(io::stderr(), "{error}\n{USAGE}");
            ExitCode::from(2)
        }
    }
}

/// Whether there was something to report.
fn run(arguments: &[String], out: &mut dyn Write) -> io::Result<bool> {
    for question in [Question::Ground, Question::Play] {
        if let [flag, path] = arguments
            && flag == question.argument()
        {
            writeln!(out, "{}", answer(question, Path::new(path))?)?;
            return Ok(true);
        }
    }
    if arguments.is_empty() {
        writeln!(io::stderr(), "{USAGE}")?;
        return Ok(false);
    }
    let binary = env::current_exe()?;
    let mut total = Total::default();
    for argument in arguments {
        let path = Path::new(argument);
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        writeln!(out, "## {name}\n")?;
        writeln!(out, "| game | atoms | rules | gates | cycles | seconds | MiB | |")?;
        writeln!(out, "|---|--:|--:|--:|--:|--:|--:|---|")?;
        for file in rule_files(path)? {
            let measured = measure(&binary, Question::Ground, &file);
            writeln!(out, "{}", row(&name_of(&file), &measured))?;
            out.flush()?;
            total.add(&measured);
        }
        writeln!(out)?;
    }
    let Total { games, ground, refused, quick, small } = total;
    writeln!(out, "{ground} of {games} games could be grounded; {refused} more texts are not games.")?;
    writeln!(out, "Of those grounded, {quick} took at most 10 s, and {small} at most 2 GiB.")?;
    Ok(true)
}

fn row(name: &str, measured: &Measured) -> String {
    let sizes = match &measured.verdict {
        Verdict::Ground(Sizes { atoms, rules, gates, cycles }) => {
            format!("{atoms} | {rules} | {gates} | {cycles}")
        }
        _ => " | | | ".to_owned(),
    };
    let remark = match &measured.verdict {
        Verdict::Refused(error) => format!("no game: {error}"),
        Verdict::Stopped(error) => error.clone(),
        Verdict::Ground(_) | Verdict::Played(_) => String::new(),
    };
    let mebibytes = measured.peak_bytes.map_or_else(String::new, |bytes| (bytes >> 20).to_string());
    format!("| {name} | {sizes} | {:.2} | {mebibytes} | {remark} |", measured.seconds)
}

#[derive(Debug, Default)]
struct Total {
    games: usize,
    ground: usize,
    refused: usize,
    quick: usize,
    small: usize,
}

impl Total {
    fn add(&mut self, measured: &Measured) {
        match measured.verdict {
            Verdict::Refused(_) => self.refused += 1,
            Verdict::Stopped(_) | Verdict::Played(_) => self.games += 1,
            Verdict::Ground(_) => {
                self.games += 1;
                self.ground += 1;
                self.quick += usize::from(measured.seconds <= 10.0);
                self.small += usize::from(measured.peak_bytes.is_some_and(|bytes| bytes <= 2 << 30));
            }
        }
    }
}
