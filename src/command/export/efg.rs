//! The tree of a game in Gambit's format for games in extensive form, with exact numbers.
//!
//! # Sources
//! The Gambit project: the format of extensive games (`.efg`), version 2, type `R`.

use std::io::{self, Write};

use croupier_engine::MoveId;
use croupier_games::Payoff;
use croupier_solvers::{Node, NodeId};
use num_rational::Ratio;

use crate::{measurement::unfolded::Unfolded, output::failure::Failure};

/// Digits behind which a number of a payoff map is not taken to be meant exactly.
const DIGITS_MAX: usize = 15;

/// What a goal value is worth in the unit of the literature, exactly.
pub(super) struct ExactPayoff {
    offset: Ratio<i128>,
    scale: Ratio<i128>,
}

impl ExactPayoff {
    /// The map as its decimal digits say; goal values themselves without one.
    ///
    /// # Errors
    /// If it has more digits than anybody means.
    pub(super) fn new(payoff: Option<&Payoff>) -> Result<Self, Failure> {
        let exact = |number: f64| {
            rational(number).ok_or_else(|| {
                let message = format!("the payoff map's {number} has more than {DIGITS_MAX} digits");
                Failure::refuse("inexact-payoff", message).help("round it in game.toml")
            })
        };
        match payoff {
            None => Ok(Self { offset: Ratio::from_integer(0), scale: Ratio::from_integer(1) }),
            Some(payoff) => Ok(Self { offset: exact(payoff.offset)?, scale: exact(payoff.scale)? }),
        }
    }

    fn of(&self, goal: i32) -> Ratio<i128> {
        (Ratio::from_integer(goal.into()) - self.offset) / self.scale
    }
}

/// The number that the shortest decimal digits of `number` write.
fn rational(number: f64) -> Option<Ratio<i128>> {
    let text = number.to_string();
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
    if whole.len() + fraction.len() > DIGITS_MAX {
        return None;
    }
    let digits: i128 = format!("{whole}{fraction}").parse().ok()?;
    Some(Ratio::new(digits, 10_i128.pow(u32::try_from(fraction.len()).ok()?)))
}

/// Writes every node in prefix order.
///
/// Information sets are numbered from 1 for each player, and named as policies name them. A label says who makes the
/// move, so that no two players share one: readers that know a move by its label alone keep them apart.
pub(super) fn write(unfolded: &Unfolded, payoff: &ExactPayoff, out: &mut dyn Write) -> io::Result<()> {
    let tree = &unfolded.tree;
    let players: Vec<String> =
        (0..tree.players().len()).map(|player| quoted(unfolded.role(player))).collect();
    writeln!(out, "EFG 2 R {} {{ {} }}", quoted(&unfolded.source.name), players.join(" "))?;
    writeln!(out, "{}", quoted(&description(unfolded)))?;
    writeln!(out)?;
    let numbers = numbers(unfolded);
    let mut chance_nodes = 0;
    let mut open: Vec<NodeId> = vec![tree.root()];
    while let Some(id) = open.pop() {
        let node = tree.node(id);
        open.extend(tree.children(node).rev());
        match node {
            Node::Chance { menu, .. } => {
                chance_nodes += 1;
                let moves = tree.menu(menu);
                let label =
                    |&played: &MoveId| format!("{} 1/{}", label(unfolded, "random", played), moves.len());
                let labels: Vec<String> = moves.iter().map(label).collect();
                writeln!(out, "c \"\" {chance_nodes} \"\" {{ {} }} 0", labels.join(" "))?;
            }
            Node::Decision { information_set, .. } => {
                let player = tree.player(information_set);
                let role = unfolded.role(player);
                let moves = tree.moves(information_set).iter();
                let labels: Vec<String> = moves.map(|&played| label(unfolded, role, played)).collect();
                let name = unfolded.game.information_set_text(&tree.information_set(information_set));
                let number = numbers[information_set.index()];
                writeln!(
                    out,
                    "p \"\" {} {number} {} {{ {} }} 0",
                    player + 1,
                    quoted(&name),
                    labels.join(" ")
                )?;
            }
            Node::Terminal { outcome } => {
                let goals = tree.goals(outcome).iter();
                let payoffs: Vec<String> = goals.map(|goal| payoff.of(goal.value()).to_string()).collect();
                writeln!(out, "t \"\" {} \"\" {{ {} }}", outcome.index() + 1, payoffs.join(", "))?;
            }
        }
    }
    Ok(())
}

/// The number of each information set among those of its player, from 1.
fn numbers(unfolded: &Unfolded) -> Vec<usize> {
    let mut counts = vec![0; unfolded.tree.players().len()];
    let number = |id| {
        let count = &mut counts[unfolded.tree.player(id)];
        *count += 1;
        *count
    };
    unfolded.tree.information_sets().map(number).collect()
}

fn description(unfolded: &Unfolded) -> String {
    let unit = unfolded.payoff().map_or("goal values", |payoff| &payoff.unit);
    format!("{}; payoffs in {unit}; exported by Croupier from rules in GDL-II", unfolded.source.facts.title)
}

fn label(unfolded: &Unfolded, role: &str, played: MoveId) -> String {
    quoted(&format!("{role}:{}", unfolded.game.move_text(played)))
}

/// Text in quotation marks. Not all readers know how to escape one, so none is inside.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace(['"', '\n', '\r'], "'"))
}

#[cfg(test)]
mod tests {
    use croupier_games::Payoff;
    use num_rational::Ratio;

    use super::{ExactPayoff, rational};

    #[test]
    fn payoffs_are_what_the_digits_of_the_map_say() {
        let payoff = |offset: f64, scale: f64| Payoff { unit: "chips".to_owned(), offset, scale };
        let of = |payoff: &Payoff, goal: i32| {
            ExactPayoff::new(Some(payoff)).expect("few digits").of(goal).to_string()
        };
        assert_eq!(of(&payoff(50.0, 25.0), 75), "1");
        assert_eq!(of(&payoff(50.0, 25.0), 0), "-2");
        assert_eq!(of(&payoff(50.0, 3.0), 51), "1/3");
        assert_eq!(of(&payoff(0.0, 0.1), 7), "70");
        assert_eq!(of(&payoff(-12.5, -0.25), 0), "-50");
        assert_eq!(rational(0.1), Some(Ratio::new(1, 10)));
        assert_eq!(rational(1e300), None);
        assert!(ExactPayoff::new(Some(&payoff(1.0 / 3.0, 1.0))).is_err());
    }
}
