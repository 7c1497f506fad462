//! Means with and without luck.

use std::{collections::BTreeMap, io::Write};

use croupier_games::{GameFacts, printable};
use croupier_players::Luck;
use croupier_results::Mean;
use serde::Serialize;

use super::finished::Finished;
use crate::output::{
    columns::write_rows,
    failure::Failure,
    schema::output,
    summary::{MeanReport, mean_title},
};

/// Results without the luck of the deal.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct LuckReport<'r> {
    game: &'r str,
    /// What means are counted in.
    unit: &'r str,
    matches: u64,
    /// Matches without goals, which are not counted.
    unfinished: u64,
    players: BTreeMap<&'r str, PlayerReport>,
}
output!(Luck: LuckReport<'_>);

/// Results of a player.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct PlayerReport {
    seats: u64,
    deals: usize,
    plain: MeanReport,
    without_luck: MeanReport,
    /// As how many times more matches the estimate without luck counts.
    times_the_matches: Option<f64>,
    /// Whether the player sat in every seat and goals always have the same sum: then its means say nothing about it.
    says_nothing: bool,
}

/// Collects matches as they are evaluated.
pub(super) struct LuckTally {
    facts: GameFacts,
    matches: u64,
    unfinished: u64,
    /// By player and seed.
    deals: BTreeMap<String, BTreeMap<String, Deal>>,
    /// By player, what its matches have in common if it sat in every seat of all of them and their goals always have the same sum.
    mirrored: BTreeMap<String, Option<Mirrored>>,
}

/// Matches of one player against itself.
#[derive(Clone, Copy, Debug)]
struct Mirrored {
    /// The sum of the goals of each match.
    sum: f64,
    /// Whether seats got different goals in some match, so that they did not win and lose together.
    differs: bool,
}

/// What one player got on one deal, in all seats that it had.
#[derive(Clone, Copy, Debug, Default)]
struct Deal {
    seats: u32,
    goals: f64,
    luck: Luck,
}

impl LuckTally {
    pub(super) fn new(facts: GameFacts) -> Self {
        Self { facts, matches: 0, unfinished: 0, deals: BTreeMap::new(), mirrored: BTreeMap::new() }
    }

    /// Takes in a match, or that one has no goals.
    pub(super) fn take(&mut self, finished: Option<Finished>) {
        self.matches += 1;
        let Some(Finished { seed, players }) = finished else {
            self.unfinished += 1;
            return;
        };
        let sum: f64 = players.iter().map(|(_, goal, _)| goal).sum();
        let is_alone = players.len() > 1 && players.iter().all(|(name, ..)| *name == players[0].0);
        for (name, ..) in &players {
            let known = self.mirrored.entry(name.clone()).or_insert(Some(Mirrored { sum, differs: false }));
            *known = known.filter(|known| is_alone && known.sum == sum);
            if let Some(known) = known {
                known.differs |= players.iter().any(|(_, goal, _)| *goal != players[0].1);
            }
        }
        for (name, goal, luck) in players {
            let deal = self.deals.entry(name).or_default().entry(seed.clone()).or_default();
            deal.seats += 1;
            deal.goals += goal;
            deal.luck.iter_mut().zip(luck).for_each(|(sum, one)| *sum += one);
        }
    }

    /// Whether what a player got says nothing: it won from itself, and lost as much.
    fn is_mirrored(&self, name: &str) -> bool {
        self.mirrored.get(name).is_some_and(|known| known.is_some_and(|known| known.differs))
    }

    /// What one player comes to, in the unit of the literature if the game has one.
    fn player(&self, name: &str, deals: &BTreeMap<String, Deal>) -> PlayerReport {
        let each = |deal: &Deal, sum: f64| sum / f64::from(deal.seats);
        let goals: Vec<f64> = deals.values().map(|deal| each(deal, deal.goals)).collect();
        let luck: Vec<Vec<f64>> =
            deals.values().map(|deal| deal.luck.iter().map(|&sum| each(deal, sum)).collect()).collect();
        let in_units = |mean: Mean| self.facts.payoff.as_ref().map_or(mean, |payoff| mean.in_units(payoff));
        let plain = in_units(Mean::of(&goals).expect("a player played"));
        let without_luck = in_units(Mean::without_luck(&goals, &luck).expect("a player played"));
        let margins = plain.margin.zip(without_luck.margin).filter(|(_, without)| *without > 0.0);
        PlayerReport {
            seats: deals.values().map(|deal| u64::from(deal.seats)).sum(),
            deals: deals.len(),
            plain: plain.into(),
            without_luck: without_luck.into(),
            times_the_matches: margins.map(|(plain, without)| (plain / without).powi(2)),
            says_nothing: self.is_mirrored(name),
        }
    }

    pub(super) fn report(&self) -> LuckReport<'_> {
        let players = self.deals.iter().map(|(name, deals)| (&**name, self.player(name, deals)));
        LuckReport {
            game: &self.facts.title,
            unit: self.facts.unit(),
            matches: self.matches,
            unfinished: self.unfinished,
            players: players.collect(),
        }
    }
}

impl LuckReport<'_> {
    pub(super) fn write(&self, out: &mut dyn Write) -> Result<(), Failure> {
        writeln!(out, "{}: {} matches", self.game, self.matches)?;
        if self.unfinished > 0 {
            writeln!(out, "without goals, and not counted: {}", self.unfinished)?;
        }
        let mean = mean_title(self.unit);
        let head =
            ["player", "seats", "deals", &mean, "95 % interval", "without luck", "95 % interval", "worth"];
        let mut rows = vec![head.map(str::to_owned).to_vec()];
        for (name, player) in &self.players {
            let mut row = vec![printable(name), player.seats.to_string(), player.deals.to_string()];
            if player.says_nothing {
                row.extend(std::iter::repeat_n("-".to_owned(), 5));
                rows.push(row);
                continue;
            }
            row.extend([&player.plain, &player.without_luck].into_iter().flat_map(|mean| mean.cells(4)));
            let times = player.times_the_matches.map(|times| format!("{times:.1} x the matches"));
            row.push(times.unwrap_or_else(|| "-".to_owned()));
            rows.push(row);
        }
        writeln!(out)?;
        write_rows(out, &rows)?;
        for (name, _) in self.players.iter().filter(|(_, player)| player.says_nothing) {
            let name = printable(name);
            writeln!(
                out,
                "\n{name} played every seat of its matches, and their goals always have the same sum: what it won it \
                 lost as well.\nIts means say nothing about it, and neither does its luck. Let it play against another."
            )?;
        }
        Ok(())
    }
}
