//! `croupier schema`: the JSON Schema of what `--json` prints, and of files.

use std::{io::Write, path::PathBuf};

use clap::{Args, ValueEnum};

use crate::{
    arguments::existing::Force,
    output::{answer::Answer, failure::Failure, schema::Schema},
};

/// Print the JSON Schema of an output or a file
///
/// What `--json` prints has the fields `schema`, which is croupier/NAME, and `version`. Schemas are of draft 2020-12, and name
/// every field: check with the schemas of the version that you run, and read past fields that you do not know.
#[derive(Args)]
#[command(after_help = "\
Examples:
  croupier schema                     the names, and what has each schema
  croupier schema replay
  croupier schema policy -o policy.schema.json")]
pub(crate) struct Arguments {
    /// Which schema; without it, their names
    #[arg(value_name = "NAME", value_enum, hide_possible_values = true)]
    name: Option<Schema>,
    /// Write to this file instead of standard output
    #[arg(long, short, value_name = "FILE", requires = "name")]
    output: Option<PathBuf>,
    #[command(flatten)]
    force: Force,
}

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<Answer, Failure> {
    match (arguments.name, &arguments.output) {
        (None, _) => {
            let width = Schema::value_variants().iter().map(|schema| schema.name().len()).max().unwrap_or(0);
            for schema in Schema::value_variants() {
                writeln!(out, "{:width$}  {}", schema.name(), schema.of())?;
            }
        }
        (Some(schema), None) => out.write_all(schema.text().as_bytes())?,
        (Some(schema), Some(path)) => arguments.force.existing().write(path, schema.text().as_bytes())?,
    }
    Ok(Answer::Yes)
}
