//! The strategy in a file that somebody who knows it plays against, and what that somebody wins from it.

use std::{collections::BTreeMap, io::Write};

use croupier_engine::RoleId;
use croupier_players::{BlueprintFile, PlayerKind};
use croupier_results::Mean;
use croupier_solvers::{Blueprint, MoveTree};
use serde::Serialize;

use crate::{
    arguments::{engine::Engine, source::Source},
    output::{
        columns::write_rows,
        coverage::UNFIT,
        failure::Failure,
        summary::{MeanReport, mean_title},
    },
};

/// A strategy in a file, and the game that it is for.
pub(super) struct Opponent {
    pub(super) source: Source,
    pub(super) kind: PlayerKind,
    pub(super) tree: MoveTree,
    pub(super) blueprint: Blueprint,
    /// By player, the name of its role.
    roles: Vec<String>,
}

/// What is won from a player.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct WonReport<'o> {
    pub(super) game: &'o str,
    pub(super) player: String,
    /// What means are counted in.
    unit: &'o str,
    /// What is won in each seat.
    roles: BTreeMap<&'o str, MeanReport>,
    /// What is won on average over all seats.
    all: MeanReport,
}

impl Opponent {
    /// Reads the strategy of a player for a game; `responder` is who wants to know it.
    ///
    /// # Errors
    /// If the game cannot be compiled or split into a deal and moves, or the player has no strategy for it in a file.
    pub(super) fn read(game: &str, kind: PlayerKind, responder: &str) -> Result<Self, Failure> {
        let source = Source::find(game)?;
        let game = source.compile(&Engine::Auto.options())?;
        let file = kind.blueprint(&game).ok_or_else(|| unknown_strategy(&kind, responder))?;
        let unfit = |problem: String| {
            Failure::refuse("unfit-policy", problem).at_argument("--player", &kind.to_string()).help(UNFIT)
        };
        // A file may know the game by other names.
        let names = file.names(&game).map_err(|error| unfit(error.to_string()))?;
        let tree = MoveTree::new(names.written(&game), BlueprintFile::NODES_MAX)
            .map_err(|error| unfit(error.to_string()))?;
        let blueprint =
            Blueprint::from_bytes(file.bytes(), &tree).map_err(|error| unfit(error.to_string()))?;
        let name = |&role: &RoleId| game.roles().name(names.own_role(role)).to_owned();
        let roles = tree.players().iter().map(name).collect();
        Ok(Self { source, kind, tree, blueprint, roles })
    }

    /// How many seats somebody can take against it.
    pub(super) fn seats(&self) -> usize {
        self.roles.len()
    }

    /// Writes what is won in each seat and on average over all, and what that says.
    pub(super) fn write(&self, won: &WonReport<'_>, out: &mut dyn Write) -> Result<(), Failure> {
        let words = &self.source.facts.words;
        let mut rows = vec![["role", &mean_title(won.unit), "95 % interval"].map(str::to_owned).to_vec()];
        let seats = self.roles.iter().map(|role| (words.symbol_text(role), &won.roles[&**role]));
        for (name, MeanReport { mean, interval_95 }) in seats.chain([("all".to_owned(), &won.all)]) {
            let interval =
                interval_95.map_or(String::new(), |[least, most]| format!("{least:+.4} to {most:+.4}"));
            rows.push(vec![name, format!("{mean:+.4}"), interval]);
        }
        write_rows(out, &rows)?;
        writeln!(out, "\na best response wins at least as much")?;
        Ok(())
    }

    /// What is won in one seat or in all, in goal values, as data, in the unit of the literature if the game has one.
    pub(super) fn report(&self, mean: impl Fn(Option<usize>) -> Mean) -> WonReport<'_> {
        let payoff = self.source.facts.payoff.as_ref();
        let estimate = |seat| match payoff {
            Some(payoff) => mean(seat).in_units(payoff).into(),
            None => mean(seat).into(),
        };
        let roles = self.roles.iter().enumerate();
        WonReport {
            game: &self.source.name,
            player: self.kind.to_string(),
            unit: self.source.facts.unit(),
            roles: roles.map(|(seat, role)| (&**role, estimate(Some(seat)))).collect(),
            all: estimate(None),
        }
    }
}

/// What is won on each deal in one seat, or on average over all; from goals by player and deal.
pub(super) fn means(goals: &[Vec<f64>], seat: Option<usize>) -> Vec<f64> {
    let goals = seat.map_or(goals, |seat| &goals[seat..=seat]);
    let each = |deal: usize| goals.iter().map(|goals| goals[deal]).sum::<f64>() / goals.len() as f64;
    (0..goals[0].len()).map(each).collect()
}

fn unknown_strategy(kind: &PlayerKind, responder: &str) -> Failure {
    let message = format!(
        "{responder} has to know the strategy, as `croupier solve --abstract` writes it, and {kind} has none for this game"
    );
    Failure::refuse("unknown-strategy", message)
        .help("use --player policy:FILE with a file of `croupier solve --abstract --policy FILE`, or resolve in hold'em")
}
