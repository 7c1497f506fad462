//! All lanes of a machine, a position in each, against what the oracle says of those positions.

use std::{collections::BTreeMap, sync::Arc};

use croupier_engine::{
    Game, RoleId,
    batch::{Lanes, Plane, Width},
    game::GameNetwork,
    stages::propnet::Phase,
};
use rand_chacha::ChaCha8Rng;
use rand_core::{Rng as _, SeedableRng as _};

use super::{
    Difference, Mismatch, Position, Walks,
    scalar::{Goals, full_sight},
};
use crate::oracle::Terms;

/// Compares every position in some lane, every lane with some position, and again the positions behind them.
/// Gives the number of lanes that were compared.
///
/// # Errors
/// The first difference.
pub(super) fn compare<const W: usize>(
    game: &Game,
    network: &GameNetwork,
    walks: &Walks,
    goals: &[Goals],
    seed: u64,
) -> Result<usize, Difference>
where
    Plane<W>: Width<W>,
{
    let places: Vec<[usize; 2]> = walks.positions().map(|(place, _)| place).collect();
    let positions: Vec<&Position> = walks.positions().map(|(_, position)| position).collect();
    let told = positions.iter().map(|position| position.turn.as_ref().map(|(moves, _)| full_sight(moves)));
    let full_sight = game.has_full_sight().then(|| told.collect());
    let board = Board { game, network, wires: Wires::of(game, network), positions, goals, full_sight };
    let order = shuffled(places.len(), seed);
    let mut lanes = Lanes::<W>::new(Arc::clone(network.tape()));
    let mut compared = 0;
    for chunk in order.chunks(Plane::<W>::LANES) {
        let located = |(index, mismatch): (usize, Mismatch)| {
            Difference::new("lanes", places.get(index).copied(), mismatch)
        };
        let holders = board.deal(&mut lanes, chunk, seed).map_err(located)?;
        board.compare_states(&mut lanes, &holders).map_err(located)?;
        let moved = board.compare_turns(&mut lanes, &holders).map_err(located)?;
        board.compare_states(&mut lanes, &moved).map_err(located)?;
        compared += Plane::<W>::LANES;
    }
    Ok(compared)
}

/// The numbers of all positions in an order that follows from the seed, so that neighbours differ.
fn shuffled(count: usize, seed: u64) -> Vec<usize> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut order: Vec<usize> = (0..count).collect();
    for end in (1..count).rev() {
        order.swap(end, below(end + 1, &mut rng));
    }
    order
}

fn below(bound: usize, rng: &mut ChaCha8Rng) -> usize {
    let bound = u64::try_from(bound).expect("a bound fits 64 bits");
    usize::try_from(rng.next_u64() % bound).expect("it is below the bound")
}

/// The lanes that a position is in.
type Holder<const W: usize> = (usize, Plane<W>);

/// The position at which something differs, and what.
type Located = (usize, Mismatch);

/// Which wires carry a term: those of the bases, of each role's moves, goals and percepts.
struct Wires {
    fluents: BTreeMap<String, Vec<usize>>,
    moves: Vec<BTreeMap<String, Vec<usize>>>,
    goals: Vec<BTreeMap<String, Vec<usize>>>,
    percepts: Vec<BTreeMap<String, Vec<usize>>>,
}

impl Wires {
    fn of(game: &Game, network: &GameNetwork) -> Self {
        let moves = |role| by_text(network.moves(role).iter().map(|&id| game.move_text(id).to_string()));
        let percepts =
            |role| by_text(network.percepts(role).iter().map(|&id| game.percept_text(id).to_string()));
        let fluents = network.fluents().iter();
        let goals = |role: RoleId| {
            let (texts, wires) = (network.goals(role), network.tape().goals(role));
            by_text(wires.iter().map(|&(value, _)| texts[value as usize].clone()))
        };
        Self {
            fluents: by_text(fluents.map(|&id| game.fluent_text(id).to_string())),
            moves: game.roles().all().map(moves).collect(),
            goals: game.roles().all().map(goals).collect(),
            percepts: game.roles().all().map(percepts).collect(),
        }
    }
}

fn by_text(texts: impl Iterator<Item = String>) -> BTreeMap<String, Vec<usize>> {
    let mut wires: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (number, text) in texts.enumerate() {
        wires.entry(text).or_default().push(number);
    }
    wires
}

struct Board<'w> {
    game: &'w Game,
    network: &'w GameNetwork,
    wires: Wires,
    positions: Vec<&'w Position>,
    /// The goals that count, by position and role.
    goals: &'w [Goals],
    /// What every role is told, by position, where the rules speak of no percepts.
    full_sight: Option<Vec<Option<Terms>>>,
}

impl Board<'_> {
    /// Puts positions into lanes: each into one, and into the lanes that are left any of them.
    fn deal<const W: usize>(
        &self,
        lanes: &mut Lanes<W>,
        chunk: &[usize],
        seed: u64,
    ) -> Result<Vec<Holder<W>>, Located> {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut holders: Vec<Holder<W>> = chunk.iter().map(|&index| (index, Plane::NONE)).collect();
        for lane in 0..Plane::<W>::LANES {
            let holder = if lane < chunk.len() { lane } else { below(chunk.len(), &mut rng) };
            holders[holder].1.set(lane, true);
        }
        for &(index, plane) in &holders {
            let mut state = vec![false; self.wires.fluents.values().map(Vec::len).sum()];
            for fluent in &self.positions[index].state {
                let Some(bases) = self.wires.fluents.get(fluent) else {
                    return Err((index, Mismatch::new("fluents", format!("there is no base for {fluent}"))));
                };
                state[bases[0]] = true;
            }
            lanes.set_states(plane, &state);
        }
        Ok(holders)
    }

    /// What holds in states: fluents, terminal, legal moves, goals.
    fn compare_states<const W: usize>(
        &self,
        lanes: &mut Lanes<W>,
        holders: &[Holder<W>],
    ) -> Result<(), Located> {
        let state = |position: usize| Some(&self.positions[position].state);
        compare_terms("fluents", &self.wires.fluents, |base| lanes.base(base), holders, state)?;
        lanes.evaluate(Phase::State);
        self.compare_state_phase(lanes, holders)?;
        lanes.evaluate(Phase::Goal);
        // They hold while goals are computed.
        self.compare_state_phase(lanes, holders)?;
        for (role, wires) in self.game.roles().all().zip(&self.wires.goals) {
            let goals = |position: usize| Some(&self.positions[position].view.goals[self.name(role)]);
            let what = format!("goals of {}", self.name(role));
            // What chance is worth to itself nobody asks.
            if self.name(role) != "random" {
                compare_terms(&what, wires, |place| lanes.has_goal(role, place), holders, goals)?;
            }
            self.compare_first_goals(lanes, holders, role)?;
        }
        Ok(())
    }

    fn compare_state_phase<const W: usize>(
        &self,
        lanes: &Lanes<W>,
        holders: &[Holder<W>],
    ) -> Result<(), Located> {
        let terminal = lanes.terminal();
        for &(position, plane) in holders {
            let expected = if self.positions[position].view.is_terminal { plane } else { Plane::NONE };
            if let Some(lane) = (terminal & plane ^ expected).lanes().next() {
                let detail = format!("the engine has {} in lane {lane}", terminal.get(lane));
                return Err((position, Mismatch::new("terminal", detail)));
            }
        }
        for (role, wires) in self.game.roles().all().zip(&self.wires.moves) {
            let legal = |position: usize| Some(&self.positions[position].view.legal[self.name(role)]);
            let what = format!("legal moves of {}", self.name(role));
            compare_terms(&what, wires, |number| lanes.legal(role, number), holders, legal)?;
        }
        Ok(())
    }

    /// Of several goals the same one counts as for the engines that know one state only.
    fn compare_first_goals<const W: usize>(
        &self,
        lanes: &Lanes<W>,
        holders: &[Holder<W>],
        role: RoleId,
    ) -> Result<(), Located> {
        let texts = self.network.goals(role);
        let found: Vec<(&String, Plane<W>)> =
            lanes.goals(role).map(|(value, plane)| (&texts[value as usize], plane)).collect();
        for &(position, plane) in holders {
            let Some(goal) = self.goals[position][role.index()].map(|goal| goal.to_string()) else {
                continue;
            };
            let has = found.iter().filter(|(text, _)| **text == goal);
            let missing = plane & !has.fold(Plane::NONE, |all, &(_, plane)| all | plane);
            if let Some(lane) = missing.lanes().next() {
                let detail = format!("not {goal} in lane {lane}");
                return Err((position, Mismatch::new("goals that count", detail)));
            }
        }
        Ok(())
    }

    /// Plays the moves of the positions that have any; gives the positions behind them.
    fn compare_turns<const W: usize>(
        &self,
        lanes: &mut Lanes<W>,
        holders: &[Holder<W>],
    ) -> Result<Vec<Holder<W>>, Located> {
        let turn = |position: usize| self.positions[position].turn.as_ref();
        let moving: Vec<Holder<W>> =
            holders.iter().copied().filter(|&(position, _)| turn(position).is_some()).collect();
        lanes.clear_moves();
        for &(position, plane) in &moving {
            for (role, wires) in self.game.roles().all().zip(&self.wires.moves) {
                let played = turn(position).map(|(joint_move, _)| &joint_move[self.name(role)]);
                let numbers = played.and_then(|played| wires.get(played));
                let Some(numbers) = numbers else {
                    return Err((position, Mismatch::new("move", format!("{played:?} is none of the tape"))));
                };
                lanes.make(role, numbers[0], plane);
            }
        }
        let successor = |position| turn(position).map(|(_, consequence)| &consequence.successor);
        lanes.evaluate(Phase::Next);
        compare_terms("successor", &self.wires.fluents, |base| lanes.next(base), &moving, successor)?;
        lanes.evaluate(Phase::Sees);
        self.compare_percepts(lanes, &moving)?;
        // It holds while percepts are computed.
        compare_terms("successor", &self.wires.fluents, |base| lanes.next(base), &moving, successor)?;
        lanes.advance();
        Ok(moving.into_iter().map(|(position, plane)| (position + 1, plane)).collect())
    }

    fn compare_percepts<const W: usize>(
        &self,
        lanes: &Lanes<W>,
        moving: &[Holder<W>],
    ) -> Result<(), Located> {
        for (role, wires) in self.game.roles().all().zip(&self.wires.percepts) {
            if self.name(role) == "random" {
                continue;
            }
            let what = format!("percepts of {}", self.name(role));
            let told = |position: usize| match &self.full_sight {
                Some(told) => told[position].as_ref(),
                None => self.positions[position].turn.as_ref().map(|(_, turn)| &turn.sees[self.name(role)]),
            };
            compare_terms(&what, wires, |percept| lanes.sees(role, percept), moving, told)?;
        }
        Ok(())
    }

    fn name(&self, role: RoleId) -> &str {
        self.game.roles().name(role)
    }
}

/// What some wires say in every lane that is held, against the terms of its position.
fn compare_terms<'t, const W: usize>(
    what: &str,
    wires: &BTreeMap<String, Vec<usize>>,
    read: impl Fn(usize) -> Plane<W>,
    holders: &[Holder<W>],
    terms: impl Fn(usize) -> Option<&'t Terms>,
) -> Result<(), Located> {
    let held = holders.iter().fold(Plane::NONE, |all, &(_, plane)| all | plane);
    let mut expected: BTreeMap<&str, Plane<W>> = BTreeMap::new();
    for &(position, plane) in holders {
        for term in terms(position).into_iter().flatten() {
            if !wires.contains_key(term) {
                return Err((position, Mismatch::new(what, format!("there is no wire for {term}"))));
            }
            *expected.entry(term).or_insert(Plane::NONE) |= plane;
        }
    }
    for (term, wires) in wires {
        let found = held & wires.iter().fold(Plane::NONE, |all, &wire| all | read(wire));
        let expected = expected.get(term.as_str()).copied().unwrap_or(Plane::NONE);
        if let Some(lane) = (found ^ expected).lanes().next() {
            let holder = holders.iter().find(|(_, plane)| plane.get(lane)).expect("only held lanes differ");
            let says = if found.get(lane) { "has" } else { "lacks" };
            return Err((holder.0, Mismatch::new(what, format!("the engine {says} {term} in lane {lane}"))));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use croupier_engine::Limits;

    use super::*;
    use crate::comparison::{Plan, compile};

    #[test]
    fn a_fault_in_any_single_lane_is_noticed() {
        let rules = "(role a) (role b) (init (n 0)) (step 0 1) (step 1 2) (step 2 3)
            (<= (legal a (add ?x)) (true (n ?x))) (legal b wait) (legal b skip) (goal a 50) (goal b 0)
            (<= (next (n ?y)) (true (n ?x)) (step ?x ?y) (does b wait))
            (<= (next (n ?x)) (true (n ?x)) (does b skip))
            (<= (sees a ?m) (does b ?m)) (<= (sees b ?x) (true (n ?x))) (<= terminal (true (n 3)))";
        let plan = Plan { seed: 3, walks: 3, turns: 9, effort: 1_000_000, limits: Limits::STANDARD };
        let game = compile(rules, &plan.limits).expect("sound rules").game;
        let walks = Walks::of(rules, &plan).expect("sound rules");
        let positions: Vec<&Position> = walks.positions().map(|(_, position)| position).collect();
        let goals = vec![vec![None; 2]; positions.len()];
        let count = positions.len();
        let network = game.network().expect("a network");
        let wires = Wires::of(&game, network);
        let board = Board { game: &game, network, wires, positions, goals: &goals, full_sight: None };
        let chunk: Vec<usize> = (0..count).collect();
        let mut lanes = Lanes::<8>::new(Arc::clone(network.tape()));
        for lane in 0..Plane::<8>::LANES {
            let holders = board.deal(&mut lanes, &chunk, plan.seed).expect("states of the network");
            assert_eq!(board.compare_states(&mut lanes, &holders), Ok(()));
            assert!(board.compare_turns(&mut lanes, &holders).is_ok());
            board.deal(&mut lanes, &chunk, plan.seed).expect("states of the network");
            lanes.set_base(lane % 4, lanes.base(lane % 4) ^ Plane::only(lane));
            let (_, mismatch) = board.compare_states(&mut lanes, &holders).expect_err("a wrong fluent");
            assert!(mismatch.detail.ends_with(&format!("lane {lane}")), "{mismatch:?}");
        }
    }
}
