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

/// Version of all outputs: none has changed its fields yet.
const VERSION: u64 = 1;

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
        $(impl crate::schema::Output for $report {
            const SCHEMA: crate::schema::Schema = crate::schema::Schema::$schema;
        })+

        #[cfg(test)]
        #[test]
        fn schemas_describe_what_is_printed() {
            $(crate::schema::tests::assert_describes::<$report>();)+
        }
    };
}
pub(crate) use output;

/// A kind of JSON, by the name that `croupier schema` takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Schema {
    /// `croupier games --json`
    Games,
    /// `croupier show GAME --json`
    Show,
    /// `croupier show GAME --counts --json`
    ShowCounts,
    /// `croupier show GAME --engine --json`
    ShowEngine,
    /// `croupier show GAME --symmetries --json`
    ShowSymmetries,
    /// `croupier check FILE --json`
    Check,
    /// `croupier explain CODE --json`
    Explain,
    /// `croupier explain --json`
    ExplainAll,
    /// `croupier play GAME --json`
    Play,
    /// `croupier play GAME --json` of a real-time game
    PlayRealTime,
    /// `croupier replay FILE --json`
    Replay,
    /// `croupier replay FILE --json` of real-time matches
    ReplayRealTime,
    /// `croupier replay FILE --verify --json`
    Verify,
    /// `croupier tournament GAME --json`
    Tournament,
    /// `croupier luck FILE --json`
    Luck,
    /// `croupier simulate GAME --json`
    Simulate,
    /// `croupier simulate GAME --json` of a real-time game
    SimulateRealTime,
    /// `croupier bench --json`
    Bench,
    /// `croupier bench --server --json`
    BenchServer,
    /// `croupier solve GAME --json`
    Solve,
    /// `croupier solve GAME --abstract N --json`
    SolveAbstract,
    /// `croupier solve GAME --walk --json`
    SolveWalk,
    /// `croupier evaluate GAME --json` and `croupier solve GAME --evaluate FILE --json`
    Evaluate,
    /// `croupier evaluate GAME --walk --json`
    EvaluateWalk,
    /// `croupier evaluate GAME --local-best-response --json`
    EvaluateLocal,
    /// `croupier evaluate GAME --exploiter --json`
    EvaluateExploiter,
    /// `croupier belief FILE --json`
    Belief,
    /// `croupier serve --json`
    Serve,
    /// `croupier agent --json`
    Agent,
    /// `croupier join URL --json`
    Join,
    /// `croupier key new --json` and `croupier key show --json`
    Key,
    /// `croupier solutions --json`
    Solutions,
    /// What any command prints to standard error if it fails under `--json`
    Error,
    /// A line of a record
    Record,
    /// A line of a record of a real-time match
    RecordRealTime,
    /// A line of `croupier simulate --trace FILE`
    Trace,
    /// A line of `croupier tournament --results FILE`
    Results,
    /// `croupier solve --policy FILE`
    Policy,
    /// `croupier solve --checkpoint FILE`
    Checkpoint,
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

    /// Prints an object, with its schema and version, in one line; its fields are sorted by name.
    ///
    /// # Errors
    /// If that fails.
    pub(crate) fn write(self, out: &mut dyn Write, object: impl Serialize) -> io::Result<()> {
        let mut object = serde_json::to_value(object).expect("reports are plain data");
        object["schema"] = format!("croupier/{}", self.name()).into();
        object["version"] = VERSION.into();
        writeln!(out, "{object}")
    }

    /// The JSON Schema, as text.
    pub(crate) fn text(self) -> &'static str {
        match self {
            Self::Games => include_str!("../docs/schemas/games.json"),
            Self::Show => include_str!("../docs/schemas/show.json"),
            Self::ShowCounts => include_str!("../docs/schemas/show-counts.json"),
            Self::ShowEngine => include_str!("../docs/schemas/show-engine.json"),
            Self::ShowSymmetries => include_str!("../docs/schemas/show-symmetries.json"),
            Self::Check => include_str!("../docs/schemas/check.json"),
            Self::Explain => include_str!("../docs/schemas/explain.json"),
            Self::ExplainAll => include_str!("../docs/schemas/explain-all.json"),
            Self::Play => include_str!("../docs/schemas/play.json"),
            Self::PlayRealTime => include_str!("../docs/schemas/play-real-time.json"),
            Self::Replay => include_str!("../docs/schemas/replay.json"),
            Self::ReplayRealTime => include_str!("../docs/schemas/replay-real-time.json"),
            Self::Verify => include_str!("../docs/schemas/verify.json"),
            Self::Tournament => include_str!("../docs/schemas/tournament.json"),
            Self::Luck => include_str!("../docs/schemas/luck.json"),
            Self::Simulate => include_str!("../docs/schemas/simulate.json"),
            Self::SimulateRealTime => include_str!("../docs/schemas/simulate-real-time.json"),
            Self::Bench => include_str!("../docs/schemas/bench.json"),
            Self::BenchServer => include_str!("../docs/schemas/bench-server.json"),
            Self::Solve => include_str!("../docs/schemas/solve.json"),
            Self::SolveAbstract => include_str!("../docs/schemas/solve-abstract.json"),
            Self::SolveWalk => include_str!("../docs/schemas/solve-walk.json"),
            Self::Evaluate => include_str!("../docs/schemas/evaluate.json"),
            Self::EvaluateWalk => include_str!("../docs/schemas/evaluate-walk.json"),
            Self::EvaluateLocal => include_str!("../docs/schemas/evaluate-local.json"),
            Self::EvaluateExploiter => include_str!("../docs/schemas/evaluate-exploiter.json"),
            Self::Belief => include_str!("../docs/schemas/belief.json"),
            Self::Serve => include_str!("../docs/schemas/serve.json"),
            Self::Agent => include_str!("../docs/schemas/agent.json"),
            Self::Join => include_str!("../docs/schemas/join.json"),
            Self::Key => include_str!("../docs/schemas/key.json"),
            Self::Solutions => include_str!("../docs/schemas/solutions.json"),
            Self::Error => include_str!("../docs/schemas/error.json"),
            Self::Record => include_str!("../docs/schemas/record.json"),
            Self::RecordRealTime => include_str!("../docs/schemas/record-real-time.json"),
            Self::Trace => include_str!("../docs/schemas/trace.json"),
            Self::Results => include_str!("../docs/schemas/results.json"),
            Self::Policy => include_str!("../docs/schemas/policy.json"),
            Self::Checkpoint => include_str!("../docs/schemas/checkpoint.json"),
        }
    }
}
