//! Which sums no turn changes, and which numbers are always there because of that.

use std::{collections::VecDeque, ops::Range};

use batsat::Lit;
use croupier_engine::stages::propnet::Wire;

use crate::{
    circuit::Circuit,
    invariants::Invariant,
    prover::{Proof, Prover},
    sums::changes,
};

/// Of some guesses, the sums that no turn changes whatever they come to before it, and then all that no turn breaks if all of them hold before it: that
/// a number is always there may need that it does not grow, and the other way round.
///
/// `None` if nothing is known of any turn.
pub(crate) fn constant(
    circuit: &mut Circuit,
    known: &[Invariant],
    guesses: Vec<Invariant>,
    is_over: &dyn Fn() -> bool,
) -> Option<Vec<Invariant>> {
    let [before, after] = [0, 1].map(|state| circuit.states[state].bases.clone());
    let gates = &mut circuit.gates;
    let states = [&before, &after].into_iter();
    let held: Vec<Wire> = states
        .flat_map(|state| known.iter().map(|invariant| invariant.wire(gates, state)).collect::<Vec<_>>())
        .collect();
    circuit.clauses.extend(held.into_iter().map(|wire| vec![wire]));
    let broken = |guess: &Invariant| match guess {
        Invariant::Sum(_, parts) => changes(gates, &before, &after, parts),
        other => !other.wire(gates, &after),
    };
    let mut wires: Vec<Wire> = guesses.iter().map(broken).collect();
    // The role with the most moves: each of them alone leaves less open.
    let moves = circuit.states[0].moves.iter().max_by_key(|own| own.len()).cloned().unwrap_or_default();
    wires.extend(moves.iter().filter(|&&made| made != Wire::FALSE));
    let count = wires.len();
    let mut search = ConstantSearch {
        prover: Prover::new(&circuit.gates, &circuit.clauses, &wires)?,
        left: (0..guesses.len()).collect(),
        proved: Vec::new(),
        moves: guesses.len()..count,
        is_over,
    };
    let is_sum = |place: &usize| matches!(guesses[*place], Invariant::Sum(..));
    search.alone((0..guesses.len()).filter(is_sum).collect());
    if !search.left.is_empty() && !is_over() {
        wires.extend(guesses.iter().map(|guess| guess.wire(&mut circuit.gates, &before)));
        search.prover = Prover::new(&circuit.gates, &circuit.clauses, &wires)?;
        search.together(count);
    }
    let is_proved = |place: &usize| search.proved.contains(place);
    let all = guesses.into_iter().enumerate();
    Some(all.filter(|(place, _)| is_proved(place)).map(|(_, guess)| guess).collect())
}

/// Which guesses no turn changes, by their places; the first wires of the prover say that it does.
struct ConstantSearch<'s> {
    prover: Prover,
    left: Vec<usize>,
    proved: Vec<usize>,
    /// The places of wires of which one is true, for a move that is made.
    moves: Range<usize>,
    is_over: &'s dyn Fn() -> bool,
}

impl ConstantSearch<'_> {
    /// Whether something breaks a guess: a turn that changes it and perhaps others, or the solver gives up.
    fn breaks(&mut self, guess: usize, taken: &[Lit]) -> Option<Vec<usize>> {
        let mut asked: Vec<Lit> = taken.iter().copied().chain([self.prover.literal(guess)]).collect();
        let mut found = self.prover.ask_at_most(CONFLICTS_AT_FIRST, &asked, self.is_over);
        if found == Proof::Unknown {
            for place in self.moves.clone() {
                asked.push(self.prover.literal(place));
                found = self.prover.ask(&asked, self.is_over);
                asked.pop();
                if found != Proof::Impossible {
                    break;
                }
            }
        }
        match found {
            Proof::Impossible => None,
            Proof::Possible => {
                let is_broken = |one: &usize| self.prover.holds(self.prover.literal(*one));
                Some(self.left.iter().copied().filter(is_broken).collect())
            }
            Proof::Unknown => Some(vec![guess]),
        }
    }

    /// Proves those that need no guess to hold before.
    fn alone(&mut self, mut open: Vec<usize>) {
        while let Some(guess) = open.pop() {
            if (self.is_over)() {
                return;
            }
            match self.breaks(guess, &[]) {
                None => {
                    self.proved.push(guess);
                    self.left.retain(|&one| one != guess);
                }
                Some(broken) => open.retain(|one| !broken.contains(one)),
            }
        }
    }

    /// Proves what is left if it holds before, together with what was proved; the wires after those of so many guesses say that they do.
    fn together(&mut self, count: usize) {
        // Whoever was asked since one was given up need not be asked again.
        let mut open: VecDeque<usize> = self.left.iter().copied().collect();
        let mut asked = 0;
        while asked < open.len() {
            if (self.is_over)() {
                return;
            }
            let taken = self.proved.iter().chain(&open);
            let taken: Vec<Lit> = taken.map(|&guess| self.prover.literal(count + guess)).collect();
            match self.breaks(open[0], &taken) {
                None => {
                    open.rotate_left(1);
                    asked += 1;
                }
                Some(broken) => {
                    open.retain(|guess| !broken.contains(guess));
                    asked = 0;
                }
            }
        }
        self.left.clear();
        self.proved.extend(open);
    }
}

/// Clauses that may be learnt for a guess before each move is looked at alone.
const CONFLICTS_AT_FIRST: u32 = 3_000;

#[cfg(test)]
mod tests {
    use std::{cell::Cell, sync::Arc};

    use croupier_engine::{Game, Options};

    use super::*;
    use crate::{
        groups::FluentGroups,
        guesses::guesses,
        inductive::inductive,
        maximum::Maximum,
        sample::StateSample,
        sum_guesses::{SumBasis, sum_guesses},
        walks::walk,
    };

    /// Beans are poured from bowl to bowl. There are numbers for all the beans together, and for no more.
    const BOWLS: &str = "(role me) (bowl a) (bowl b) (bowl c) (bowl d) (init (holds a 6)) (<= (init (holds ?b 0)) (bowl ?b) (distinct ?b a))
        (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6)
        (plus 0 0 0) (<= (plus ?m 0 ?m) (succ ?n ?m)) (<= (plus ?n ?j ?m) (plus ?n ?i ?l) (succ ?i ?j) (succ ?l ?m))
        (<= (legal me (pour ?x ?y)) (bowl ?x) (bowl ?y) (distinct ?x ?y)) (goal me 100)
        (<= (next (holds ?x 0)) (does me (pour ?x ?y)))
        (<= (next (holds ?y ?s)) (does me (pour ?x ?y)) (true (holds ?x ?m)) (true (holds ?y ?n)) (plus ?m ?n ?s))
        (<= (legal me (shift ?x ?y)) (bowl ?y) (distinct ?x ?y) (true (holds ?x ?n)) (distinct ?n 0))
        (<= (next (holds ?x ?m)) (does me (shift ?x ?y)) (true (holds ?x ?n)) (succ ?m ?n))
        (<= (next (holds ?y ?m)) (does me (shift ?x ?y)) (true (holds ?y ?n)) (succ ?n ?m))
        (<= (changes ?x) (does me (pour ?x ?y))) (<= (changes ?y) (does me (pour ?x ?y)))
        (<= (changes ?x) (does me (shift ?x ?y))) (<= (changes ?y) (does me (shift ?x ?y)))
        (<= (next (holds ?b ?n)) (true (holds ?b ?n)) (not (changes ?b))) (<= terminal (true (holds d 6)))";

    #[test]
    fn numbers_that_add_up_are_always_there_and_add_up_because_they_are() {
        let game = Arc::new(Game::compile(BOWLS, &Options::PLAY).expect("sound rules").game);
        let network = game.network().expect("a network");
        let times = Cell::new(0);
        let is_enough = || times.replace(times.get() + 1) > 50;
        let walked = walk(&game, &Maximum::of_all(&game), &is_enough).expect("a network");
        let first = network.row(game.initial_state()).expect("a row");
        let states: Vec<&[u64]> = [&first[..]].into_iter().chain(walked.states()).collect();
        let (groups, bases) = (FluentGroups::of(&game, network), network.fluents().len());
        let sample = StateSample::new(bases, states.iter().map(|row| row.to_vec()));
        let without_told = FluentGroups { told: Vec::new(), ..FluentGroups::of(&game, network) };
        let (open, at_most): (Vec<Invariant>, Vec<Invariant>) = guesses(&without_told, bases, &sample)
            .into_iter()
            .filter(Invariant::is_simple)
            .partition(|guess| matches!(guess, Invariant::AtLeastOne(_)));
        let circuit = || Circuit::new(network.tape(), 1).expect("small rules");
        let known = inductive(&mut circuit(), &[], at_most, None, &|| false).expect("few guesses");
        let is_of_bowl =
            |guess: &&Invariant| matches!(guess, Invariant::AtLeastOne(group) if group.len() == 7);
        let numbers = |proved: &[Invariant]| proved.iter().filter(is_of_bowl).count();
        let proved = |guesses| constant(&mut circuit(), &known, guesses, &|| false).expect("turns");
        assert_eq!((numbers(&open), numbers(&proved(open.clone()))), (4, 0));
        let sums = sum_guesses(&groups, SumBasis { known: &known, open: &open }, &states);
        assert_eq!(numbers(&proved([sums, open].concat())), 4);
    }
}
