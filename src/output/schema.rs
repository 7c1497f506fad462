//! Every kind of JSON that Croupier prints or writes to files: its name, its version and its JSON Schema.
//!
//! What `--json` prints is an object whose field `schema` is `croupier/NAME` and whose field `version` is a number. The number
//! grows when a field is renamed, removed, or means something else; a new field leaves it. Files have a version of their own:
//! `format` in policies, checkpoints and the first line of a record, `tournament` in the first line of results, and `version` in
//! every line of a trace.

use std::io::{self, Write};

use clap::ValueEnum;
use serde::Serialize;

#[cfg(test)]
pub(crate) mod tests;

/// What a command prints with `--json`, as `output!` declares it.
pub(crate) trait Output: Serialize {
    /// What describes it.
    const SCHEMA: Schema;

    /// Prints it, with its schema and version, in one line.
    ///
    /// # Errors
    /// If that fails.
    fn write_json(&self, out: &mut dyn Write) -> io::Result<()> {
        Self::SCHEMA.write(out, self)
    }
}

/// `output!(Key: Report)` declares that `Report` is printed, described by `Schema::Key`. A test compares `docs/schemas/key.json` with
/// the type; with `CROUPIER_BLESS=1` it writes the file.
macro_rules! output {
    ($($schema:ident: $report:ty),+) => {
        $(impl crate::output::schema::Output for $report {
            const SCHEMA: crate::output::schema::Schema = crate::output::schema::Schema::$schema;
        })+

        #[cfg(test)]
        #[test]
        fn schemas_describe_what_is_printed() {
            $(crate::output::schema::tests::assert_describes::<$report>();)+
        }
    };
}
pub(crate) use output;

/// Declares the kinds of JSON, each with the file of its schema.
macro_rules! schemas {
    ($($(#[$help:meta])* $kind:ident = $file:literal,)+) => {
        /// A kind of JSON, by the name that `croupier schema` takes.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
        pub(crate) enum Schema {
            $($(#[$help])* $kind,)+
        }

        impl Schema {
            /// The JSON Schema, as text.
            pub(crate) fn text(self) -> &'static str {
                match self {
                    $(Self::$kind => include_str!(concat!("../../docs/schemas/", $file, ".json")),)+
                }
            }
        }
    };
}

schemas! {
    /// `croupier games --json`
    Games = "games",
    /// `croupier show GAME --json`
    Show = "show",
    /// `croupier show GAME --counts --json`
    ShowCounts = "show-counts",
    /// `croupier show GAME --engine --json`
    ShowEngine = "show-engine",
    /// `croupier show GAME --symmetries --json`
    ShowSymmetries = "show-symmetries",
    /// `croupier check FILE --json`
    Check = "check",
    /// `croupier explain CODE --json`
    Explain = "explain",
    /// `croupier explain --json`
    ExplainAll = "explain-all",
    /// `croupier play GAME --json`
    Play = "play",
    /// `croupier play GAME --json` of a real-time game
    PlayRealTime = "play-real-time",
    /// `croupier play GAME --session --json`
    Session = "session",
    /// `croupier replay FILE --json`
    Replay = "replay",
    /// `croupier replay FILE --json` of real-time matches
    ReplayRealTime = "replay-real-time",
    /// `croupier replay FILE --verify --json`
    Verify = "verify",
    /// `croupier replay FILE --verify --json` of a session
    VerifySession = "verify-session",
    /// `croupier tournament GAME --json`
    Tournament = "tournament",
    /// `croupier analyze GAME --json`
    Analyze = "analyze",
    /// `croupier analyze GAME --json` of a real-time game
    AnalyzeRealTime = "analyze-real-time",
    /// `croupier luck FILE --json`
    Luck = "luck",
    /// `croupier simulate GAME --json`
    Simulate = "simulate",
    /// `croupier simulate GAME --json` of a real-time game
    SimulateRealTime = "simulate-real-time",
    /// `croupier bench --json`
    Bench = "bench",
    /// `croupier bench --server --json`
    BenchServer = "bench-server",
    /// `croupier solve GAME --json`
    Solve = "solve",
    /// `croupier solve GAME --abstract N --json`
    SolveAbstract = "solve-abstract",
    /// `croupier solve GAME --walk --json`
    SolveWalk = "solve-walk",
    /// `croupier evaluate GAME --json` and `croupier solve GAME --evaluate FILE --json`
    Evaluate = "evaluate",
    /// `croupier evaluate GAME --walk --json`
    EvaluateWalk = "evaluate-walk",
    /// `croupier evaluate GAME --local-best-response --json`
    EvaluateLocal = "evaluate-local",
    /// `croupier evaluate GAME --exploiter --json`
    EvaluateExploiter = "evaluate-exploiter",
    /// `croupier belief FILE --json`
    Belief = "belief",
    /// `croupier belief GAME|FILE --public --json`
    PublicBelief = "public-belief",
    /// `croupier host GAME --json`
    Host = "host",
    /// `croupier review FILE --json`
    Review = "review",
    /// `croupier serve --json`
    Serve = "serve",
    /// `croupier agent --json`
    Agent = "agent",
    /// `croupier join URL --json`
    Join = "join",
    /// `croupier key new --json` and `croupier key show --json`
    Key = "key",
    /// `croupier solutions --json`
    Solutions = "solutions",
    /// What any command prints to standard error if it fails under `--json`
    Error = "error",
    /// A line of a record
    Record = "record",
    /// A line of a record of a real-time match
    RecordRealTime = "record-real-time",
    /// A line of `croupier simulate --trace FILE`
    Trace = "trace",
    /// A line of `croupier tournament --results FILE`
    Results = "results",
    /// `croupier solve --policy FILE`
    Policy = "policy",
    /// `croupier solve --checkpoint FILE`
    Checkpoint = "checkpoint",
}

impl Schema {
    /// What `croupier schema` calls it.
    pub(crate) fn name(self) -> String {
        self.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
    }

    /// What has this schema.
    pub(crate) fn of(self) -> String {
        let help = self.to_possible_value().and_then(|value| value.get_help().map(ToString::to_string));
        help.unwrap_or_default()
    }

    /// How often its fields have changed.
    fn version(self) -> u64 {
        match self {
            Self::Bench | Self::BenchServer => 2,
            _ => 1,
        }
    }

    /// Prints an object, with its schema and version, in one line; its fields are sorted by name.
    ///
    /// # Errors
    /// If that fails.
    pub(crate) fn write(self, out: &mut dyn Write, object: impl Serialize) -> io::Result<()> {
        let mut object = serde_json::to_value(object).expect("reports are plain data");
        object["schema"] = format!("croupier/{}", self.name()).into();
        object["version"] = self.version().into();
        writeln!(out, "{object}")
    }
}
