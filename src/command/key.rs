//! `croupier key`: keys that sign records.

use std::{io::Write, path::PathBuf};

use clap::{Args, Subcommand};
use croupier_referee::SealKey;
use serde::Serialize;

use crate::{
    arguments::{entropy, key_file},
    output::{
        answer::Answer,
        failure::Failure,
        schema::{Output, output},
    },
};

/// Make a key that signs records, or show the public half of one
///
/// Whoever has the secret key can sign records with it (`play --key`). Give others the public key: with it they check that
/// a record is yours (`replay --verify --signed-by`).
#[derive(Args)]
#[command(after_help = "\
Examples:
  croupier key new -o my.key
  croupier play kuhn --matches 20 --record m.jsonl --key my.key
  croupier key show my.key > my.pub
  croupier replay m.jsonl --verify --signed-by my.pub")]
pub(crate) struct Arguments {
    #[command(subcommand)]
    act: Act,
}

#[derive(Subcommand)]
enum Act {
    /// Write a new secret key to a file that only you can read, and print its public key
    New {
        /// The file; one that is there already is not replaced
        #[arg(long, short, value_name = "FILE")]
        output: PathBuf,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Print the public key that belongs to a secret key: 64 hexadecimal digits
    Show {
        /// A file with a secret key
        key: PathBuf,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
}

/// A public key.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct KeyReport {
    /// An ed25519 key.
    #[cfg_attr(test, schemars(extend("pattern" = crate::output::schema::tests::HEX)))]
    public_key: String,
}
output!(Key: KeyReport);

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<Answer, Failure> {
    let (public_key, is_json) = match &arguments.act {
        Act::New { output, json } => {
            let secret = entropy::random_bytes()?;
            key_file::write_secret(output, &secret)?;
            (SealKey::from_bytes(&secret).public_key(), *json)
        }
        Act::Show { key, json } => (key_file::secret(key)?.public_key(), *json),
    };
    let public_key = hex::encode(public_key);
    if is_json {
        KeyReport { public_key }.write_json(out)?;
    } else {
        writeln!(out, "{public_key}")?;
    }
    Ok(Answer::Yes)
}
