//! The tables of a store, version by version.
//!
//! They are listed here instead of by the macro of sqlx, whose expansion needs a second SQLite that runs in the compiler.

use sqlx::{
    SqlSafeStr as _,
    migrate::{Migration, MigrationType, Migrator},
};

use super::place::Backend;

/// A version of the tables, from its file in `migrations`.
macro_rules! version {
    ($number:literal, $title:literal, $file:literal) => {
        (
            $number,
            $title,
            [
                include_str!(concat!("../../migrations/sqlite/", $file)),
                include_str!(concat!("../../migrations/postgres/", $file)),
            ],
        )
    };
}

/// By number: its title, and its statements for SQLite and for PostgreSQL. What a store has had is never changed.
const VERSIONS: &[(i64, &str, [&str; 2])] = &[
    version!(1, "matches", "0001_matches.sql"),
    version!(2, "people", "0002_people.sql"),
    version!(3, "tournaments", "0003_tournaments.sql"),
    version!(4, "claims and steps", "0004_claims_and_steps.sql"),
    version!(5, "sessions", "0005_sessions.sql"),
];

impl Backend {
    /// What brings the tables of a store to this version.
    pub(super) fn migrator(self) -> Migrator {
        let migration = |&(number, title, statements): &(i64, &'static str, [&'static str; 2])| {
            let text = statements[usize::from(self == Self::Postgres)];
            Migration::new(number, title.into(), MigrationType::Simple, text.into_sql_str(), false)
        };
        Migrator::with_migrations(VERSIONS.iter().map(migration).collect())
    }
}

#[cfg(test)]
mod tests {
    use std::{fs, path::Path};

    use super::VERSIONS;

    #[test]
    fn every_file_of_migrations_is_listed_for_both_databases() {
        for (place, database) in ["sqlite", "postgres"].into_iter().enumerate() {
            let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("migrations").join(database);
            let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
            files.sort();
            let written: Vec<String> = files.iter().map(|file| fs::read_to_string(file).unwrap()).collect();
            let listed: Vec<&str> = VERSIONS.iter().map(|(_, _, statements)| statements[place]).collect();
            assert_eq!(written, listed, "{database}");
        }
    }
}
