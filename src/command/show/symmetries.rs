//! The symmetries of a game's rules.

use std::io::Write;

use croupier_engine::{
    CompileError, Game,
    game::{Symmetries, Symmetry},
};
use serde_json::{Map, Value, json};

use super::row;
use crate::{columns::write_rows, failure::Failure, schema::Schema, source::Source};

/// Finds the symmetries and prints how many there are, and what each generator changes.
///
/// # Errors
/// If what is the same in every state is too much to evaluate.
pub(super) fn write(out: &mut dyn Write, source: &Source, game: &Game, as_json: bool) -> Result<(), Failure> {
    let found = game.symmetries().map_err(|error| source.refusal(&CompileError::Evaluation(error)))?;
    if as_json {
        Schema::ShowSymmetries.write(out, json(source, game, &found))?;
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

fn json(source: &Source, game: &Game, found: &Symmetries) -> Value {
    let roles = |symmetry: &Symmetry| {
        let name = |role| game.roles().name(role);
        game.roles()
            .all()
            .filter(|&role| symmetry.role(role) != role)
            .map(|role| (name(role).to_owned(), json!(name(symmetry.role(role)))))
            .collect::<Map<_, _>>()
    };
    let generator =
        |symmetry: &Symmetry| json!({ "changes": symmetry.changes(game), "roles": roles(symmetry) });
    json!({
        "name": source.name,
        // As text: it can be larger than any number of JSON.
        "order": found.order().to_string(),
        "whole": found.is_whole(),
        "generators": found.generators().iter().map(generator).collect::<Vec<_>>(),
    })
}
