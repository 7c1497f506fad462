//! The symmetries of a game's rules.

use std::{collections::BTreeMap, io::Write};

use croupier_engine::{
    CompileError, Game,
    game::{Symmetries, Symmetry},
};
use serde::Serialize;

use super::row;
use crate::{
    arguments::source::Source,
    output::{
        columns::write_rows,
        failure::Failure,
        schema::{Output, output},
    },
};

/// Symmetries of the rules.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct SymmetriesReport<'s> {
    name: &'s str,
    /// How many symmetries there are, as text: it can be larger than numbers of JSON.
    #[cfg_attr(test, schemars(extend("pattern" = "^[0-9]+$")))]
    order: String,
    /// Whether the search was finished.
    whole: bool,
    generators: Vec<GeneratorReport<'s>>,
}
output!(ShowSymmetries: SymmetriesReport<'_>);

/// A symmetry from which, with the others, all follow.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct GeneratorReport<'s> {
    changes: Vec<String>,
    /// The roles that it exchanges.
    roles: BTreeMap<&'s str, &'s str>,
}

/// Finds the symmetries and prints how many there are, and what each generator changes.
///
/// # Errors
/// If what is the same in every state is too much to evaluate.
pub(super) fn write(out: &mut dyn Write, source: &Source, game: &Game, as_json: bool) -> Result<(), Failure> {
    let found = game.symmetries().map_err(|error| source.refusal(&CompileError::Evaluation(error)))?;
    if as_json {
        SymmetriesReport::of(source, game, &found).write_json(out)?;
        return Ok(());
    }
    let generators = found.generators();
    let number = match (found.is_whole(), generators.len()) {
        (true, 0) => "1, the identity alone".to_owned(),
        (true, 1) => format!("{}, from 1 generator", found.order()),
        (true, count) => format!("{}, from {count} generators", found.order()),
        (false, _) => format!("at least {}: the search was cut short", found.order()),
    };
    let mut rows = vec![row("symmetries", number)];
    for (number, generator) in (1..).zip(generators) {
        rows.push(row(&format!("generator {number}"), generator.changes(game).join(", ")));
    }
    write_rows(out, &rows)?;
    Ok(())
}

impl<'s> SymmetriesReport<'s> {
    fn of(source: &'s Source, game: &'s Game, found: &Symmetries) -> Self {
        let name = |role| game.roles().name(role);
        let generator = |symmetry: &Symmetry| {
            let moved = game.roles().all().filter(|&role| symmetry.role(role) != role);
            let roles = moved.map(|role| (name(role), name(symmetry.role(role)))).collect();
            GeneratorReport { changes: symmetry.changes(game), roles }
        };
        let generators = found.generators().iter().map(generator).collect();
        Self { name: &source.name, order: found.order().to_string(), whole: found.is_whole(), generators }
    }
}
