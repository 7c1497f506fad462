//! What the rules of a game were compiled to.

use std::io::Write;

use croupier_engine::{
    Game,
    game::{BuildReport, NetworkSizes},
    stages::propnet::TapeStatistics,
};
use serde::Serialize;

use super::row;
use crate::{
    arguments::{
        engine::{self, Engine},
        source::Source,
    },
    output::{
        columns::write_rows,
        failure::Failure,
        schema::{Output, output},
    },
    sessions::clock,
};

/// What the rules were compiled to.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct EngineReport<'e> {
    name: &'e str,
    #[cfg_attr(test, schemars(extend("enum" = ["propnet", "datalog"])))]
    engine: &'static str,
    build_seconds: f64,
    relations: usize,
    /// Rows that are the same in every state.
    static_rows: usize,
    plans: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    network: Option<NetworkReport>,
    /// Why there is no network.
    #[serde(skip_serializing_if = "Option::is_none")]
    not_grounded: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tape: Option<TapeReport>,
}
output!(ShowEngine: EngineReport<'_>);

/// The ground rules.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct NetworkReport {
    atoms: usize,
    rules: usize,
    fluents: usize,
    moves: usize,
    gates: usize,
}

/// The operations of the network.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct TapeReport {
    ops: Operations,
    slots: usize,
    levels: usize,
    loops: usize,
    bytes: usize,
}

/// How many operations there are for what.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Operations {
    /// For terminal and legal.
    state: usize,
    goal: usize,
    next: usize,
    sees: usize,
}

/// Compiles the rules, and says to what, and how long it took.
pub(super) fn write(
    out: &mut dyn Write,
    source: &Source,
    engine: Engine,
    as_json: bool,
) -> Result<(), Failure> {
    let begun = clock::now();
    let game = source.compile(&engine.options())?;
    let report = EngineReport::of(source, &game, begun.elapsed().as_secs_f64());
    if as_json {
        report.write_json(out)?;
    } else {
        write_rows(out, &report.rows())?;
    }
    Ok(())
}

impl<'e> EngineReport<'e> {
    fn of(source: &'e Source, game: &Game, build_seconds: f64) -> Self {
        let statistics = game.statistics();
        let (network, not_grounded) = match game.build_report() {
            BuildReport::Grounded(sizes) => {
                let NetworkSizes { atoms, rules, fluents, moves, gates } = *sizes;
                (Some(NetworkReport { atoms, rules, fluents, moves, gates }), None)
            }
            BuildReport::NotGrounded(error) => (None, Some(error.to_string())),
            BuildReport::Lifted => (None, None),
        };
        let tape = game.network().map(|network| {
            let TapeStatistics { ops: [state, goal, next, sees], slots, levels, loops, bytes } =
                network.tape().statistics();
            TapeReport { ops: Operations { state, goal, next, sees }, slots, levels, loops, bytes }
        });
        Self {
            name: &source.name,
            engine: engine::chosen(game),
            build_seconds,
            relations: statistics.relations,
            static_rows: statistics.static_rows,
            plans: statistics.plans,
            network,
            not_grounded,
            tape,
        }
    }

    fn rows(&self) -> Vec<Vec<String>> {
        let Self { relations, static_rows, plans, .. } = self;
        let mut rows = Vec::new();
        match &self.network {
            Some(NetworkReport { atoms, rules, fluents, moves, .. }) => rows.extend([
                row("engine", "propnet: a network of gates, hundreds of playouts at once"),
                row("ground", format!("{atoms} atoms and {rules} rules")),
                row("state", format!("{fluents} fluents; {moves} moves of all roles")),
            ]),
            None => {
                rows.push(row("engine", "datalog: the rules as written, by joins over indexed relations"))
            }
        }
        if let Some(error) = &self.not_grounded {
            rows.push(row("no network", format!("{error}; `--engine propnet` tries longer")));
        }
        if let Some(TapeReport { ops, slots, levels, loops, bytes }) = &self.tape {
            let Operations { state, goal, next, sees } = ops;
            rows.extend([
                row(
                    "gates",
                    format!("{state} for terminal and legal, {goal} goal, {next} next, {sees} sees"),
                ),
                row("tape", format!("{bytes} bytes, {slots} slots, {levels} levels, {loops} loops")),
            ]);
        }
        rows.extend([
            row("relations", format!("{relations} of the lifted reasoner")),
            row("static rows", format!("{static_rows}, computed once")),
            row("plans", format!("{plans}, run for a state or a joint move as they are asked for")),
            row("built", format!("in {:.3} s, from the text on", self.build_seconds)),
        ]);
        rows
    }
}
