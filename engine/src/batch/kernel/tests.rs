//! Kernels give the same for every kind of vector, and choices are uniform by complete enumeration of random bits.

use std::sync::Arc;

use super::{
    super::{Lanes, Plane, PlayoutSettings, Playouts, Possible, Selection, TernaryLanes},
    Generator, Kernels, Width,
};
use crate::{
    Game, Options,
    id::RoleId,
    propnet::{Gates, Network, Phase, Tape, Wire},
};

#[path = "../../../tests/batch/networks.rs"]
mod networks;

use networks::Numbers;

const HOLDEM: &str = include_str!("../../../../games-ii/holdem/rules.gdl");

/// The table for every processor, and those for this one beside it.
fn tables<const W: usize>() -> (&'static Kernels<W>, Vec<&'static Kernels<W>>)
where
    Plane<W>: Width<W>,
{
    let mut tables: Vec<_> = Plane::tables().into_iter().flatten().collect();
    (tables.pop().expect("a table for every processor"), tables)
}

fn random_plane<const W: usize>(numbers: &mut Numbers) -> Plane<W> {
    Plane(std::array::from_fn(|_| (0..64).fold(0, |word, _| word << 1 | numbers.below(2) as u64)))
}

/// What lanes answer in every way that they can be asked, from states and with choices that follow from the seed.
fn answers<const W: usize>(tape: &Arc<Tape>, kernels: &'static Kernels<W>, seed: u64) -> Vec<Plane<W>>
where
    Plane<W>: Width<W>,
{
    let mut numbers = Numbers(seed);
    let mut lanes = Lanes::with(kernels, Arc::clone(tape));
    let mut random = Generator::new([7; 32], seed);
    let mut answers = Vec::new();
    (0..tape.bases_count()).for_each(|base| lanes.set_base(base, random_plane(&mut numbers)));
    for turn in 0..3 {
        lanes.evaluate(Phase::State);
        answers.push(lanes.terminal());
        for role in tape.roles() {
            answers.extend((0..tape.moves_count(role)).map(|number| lanes.legal(role, number)));
        }
        lanes.evaluate(Phase::Goal);
        answers.extend(tape.roles().flat_map(|role| lanes.goals(role)).map(|(_, has)| has));
        answers.push(lanes.choose(random_plane(&mut numbers), &mut random));
        answers.extend(made(&lanes, tape));
        lanes.evaluate(Phase::Next);
        lanes.evaluate(Phase::Sees);
        for role in tape.roles() {
            answers.extend((0..tape.sees(role).len()).map(|percept| lanes.sees(role, percept)));
        }
        let mut rows = Vec::new();
        lanes.append_next_rows(random_plane(&mut numbers), &mut rows);
        lanes.advance_in(random_plane(&mut numbers));
        if turn == 1 {
            let count = (rows.len() / lanes.row_words()) as u32;
            let sources: Vec<u32> = (0..count).rev().collect();
            lanes.load_rows(&rows, &sources);
        }
        answers.extend((0..tape.bases_count()).map(|base| lanes.base(base)));
    }
    lanes.evaluate(Phase::State);
    answers.extend(selected(&mut lanes, &mut numbers));
    answers
}

/// Which moves are made, of all roles.
fn made<const W: usize>(lanes: &Lanes<W>, tape: &Tape) -> Vec<Plane<W>> {
    let of_role = |role: RoleId| (0..tape.moves_count(role)).map(move |number| (role, number));
    tape.roles().flat_map(of_role).map(|(role, number)| lanes.made(role, number)).collect()
}

/// How many of every other move of each role are legal, bit by bit, and which are made when the last is asked for.
fn selected<const W: usize>(lanes: &mut Lanes<W>, numbers: &mut Numbers) -> Vec<Plane<W>> {
    let tape = Arc::clone(lanes.tape());
    let mut answers = Vec::new();
    for role in tape.roles() {
        let moves: Vec<u32> = (0..tape.moves_count(role) as u32).step_by(2).collect();
        let choice = (lanes.kernels.choice_among)(&tape, role, &moves);
        let mut selection = Selection::of(choice);
        selection.count(lanes, random_plane(numbers));
        answers.push(selection.some());
        let mut counts = Vec::new();
        selection.read_counts(Plane::<W>::LANES, &mut counts);
        counts.iter_mut().for_each(|count| *count = count.saturating_sub(1));
        selection.make(lanes, &counts);
    }
    answers.extend(made(lanes, &tape));
    answers
}

/// What may be where some inputs are unknown.
fn possible<const W: usize>(tape: &Arc<Tape>, kernels: &'static Kernels<W>, seed: u64) -> Vec<Possible<W>> {
    let mut numbers = Numbers(seed);
    let mut lanes = TernaryLanes::with(kernels, Arc::clone(tape));
    for base in 0..tape.bases_count() {
        let (holds, unknown) = (random_plane(&mut numbers), random_plane(&mut numbers));
        lanes.set_base(base, Possible { may_hold: holds | unknown, may_fail: !holds | unknown });
    }
    for role in tape.roles() {
        (0..tape.moves_count(role)).for_each(|number| lanes.set_move(role, number, Possible::UNKNOWN));
    }
    [Phase::State, Phase::Next, Phase::Sees].into_iter().for_each(|phase| lanes.evaluate(phase));
    let sees = |role: RoleId| (0..tape.sees(role).len()).map(move |percept| (role, percept));
    tape.roles().flat_map(sees).map(|(role, percept)| lanes.sees(role, percept)).collect()
}

fn assert_vectors_agree<const W: usize>(tape: &Arc<Tape>, seed: u64)
where
    Plane<W>: Width<W>,
{
    let (portable, others) = tables::<W>();
    let (expected, bounds) = (answers(tape, portable, seed), possible(tape, portable, seed));
    for kernels in others {
        assert!(answers(tape, kernels, seed) == expected, "seed {seed}");
        assert!(possible(tape, kernels, seed) == bounds, "seed {seed}");
    }
}

#[test]
fn every_kind_of_vector_gives_the_same_answers() {
    let tape = Arc::new(Tape::new(&networks::tic_tac_toe()));
    for seed in 1..40 {
        assert_vectors_agree::<1>(&tape, seed);
        assert_vectors_agree::<8>(&tape, seed);
        // Groups of 2, 4 and 8 moves, and trees of several levels; loops too.
        let mut numbers = Numbers(seed);
        let network = networks::random(70, 1 + 3 * seed as usize, [900, 3], &mut numbers);
        let tape = Arc::new(Tape::new(&network));
        assert_vectors_agree::<1>(&tape, seed);
        assert_vectors_agree::<8>(&tape, seed);
    }
}

#[test]
fn playouts_come_to_the_same_with_every_kind_of_vector() {
    let holdem = Game::compile(HOLDEM, &Options::PLAY).expect("rules of the catalogue").game;
    // Goals of hold'em cost so much that states are put aside; those of tic-tac-toe do not.
    let tapes = [
        Arc::clone(holdem.network().expect("a network").tape()),
        Arc::new(Tape::new(&networks::tic_tac_toe())),
    ];
    for tape in tapes {
        let settings =
            PlayoutSettings { playouts: 1500, playouts_per_block: 900, turns_max: 100, seed: [3; 32] };
        let playouts = Playouts::new(Arc::clone(&tape), tape.initial(), settings);
        let (portable, others) = tables();
        for block in 0..playouts.blocks_count() {
            let run = |kernels| playouts.run_on(Lanes::with(kernels, Arc::clone(&tape)), block);
            let expected = run(portable);
            assert!(expected.turns > expected.playouts);
            assert!(others.iter().all(|kernels| run(kernels) == expected));
        }
    }
}

/// One role, whose moves are legal as bases of their own say.
fn free_moves(moves: usize) -> Network {
    let gates = Gates::new(u32::try_from(2 * moves).expect("few moves"));
    let bases: Vec<Wire> = (0..moves).map(|number| gates.input(number)).collect();
    Network {
        initial: vec![true; moves],
        next: bases.clone(),
        terminal: Wire::FALSE,
        legal: vec![bases],
        goals: vec![Vec::new()],
        sees: vec![Vec::new()],
        gates,
    }
}

/// For some sets of legal moves and every pattern of the random bits of one try the move made, or nothing where the
/// try did not decide. Indexed by set, then by pattern.
fn decided_by_first_try(moves: usize, sets: &[usize]) -> Vec<Vec<Option<usize>>> {
    const W: usize = 8;
    let width = (usize::BITS - (moves - 1).leading_zeros()) as usize;
    let patterns = 1 << width;
    let used = sets.len() * patterns;
    assert!(used <= Plane::<W>::LANES, "each set meets each pattern in a lane of its own");
    let lanes_where = |is_true: &dyn Fn(usize, usize) -> bool| {
        let mut plane = Plane::<W>::NONE;
        (0..used).for_each(|lane| plane.set(lane, is_true(sets[lane / patterns], lane % patterns)));
        plane
    };
    let tape = Arc::new(Tape::new(&free_moves(moves)));
    let role = tape.roles().next().expect("a role");
    let mut lanes = Lanes::<W>::new(tape);
    for number in 0..moves {
        lanes.set_base(number, lanes_where(&|set, _| set >> number & 1 == 1));
    }
    let first_try = (0..width).map(|bit| lanes_where(&|_, pattern| pattern >> bit & 1 == 1));
    let first_try: Vec<_> = first_try.collect();
    // Where the first try decides, what comes afterwards does not matter; the second try is 0 or 1.
    let mut outcome_with = |second: &[Plane<W>]| {
        let mut random = Generator::scripted(&[&first_try, second].concat());
        lanes.choose(Plane::ALL, &mut random);
        let made = |lane: usize| (0..moves).find(|&number| lanes.made(role, number).get(lane));
        (0..used).map(made).collect::<Vec<_>>()
    };
    let (zero, one) = (outcome_with(&[]), outcome_with(&[Plane::ALL]));
    let decided = zero.iter().zip(&one).map(|(zero, one)| zero.filter(|_| zero == one));
    decided.collect::<Vec<_>>().chunks(patterns).map(<[_]>::to_vec).collect()
}

#[test]
fn every_legal_move_is_made_by_equally_many_patterns_of_bits() {
    for moves in 2..=7 {
        let sets: Vec<usize> = (0..1 << moves).collect();
        for sets in sets.chunks(64) {
            for (set, by_pattern) in sets.iter().zip(decided_by_first_try(moves, sets)) {
                let legal: Vec<usize> = (0..moves).filter(|number| set >> number & 1 == 1).collect();
                let counts: Vec<usize> = legal
                    .iter()
                    .map(|&number| by_pattern.iter().filter(|made| **made == Some(number)).count())
                    .collect();
                let decided = by_pattern.iter().flatten().count();
                assert_eq!(counts.iter().sum::<usize>(), decided, "only legal moves are made");
                assert!(counts.iter().all(|count| *count == counts[0]), "{legal:?}: {counts:?}");
                assert!(legal.is_empty() || 2 * decided > by_pattern.len(), "most tries decide");
            }
        }
    }
}

#[test]
fn generators_of_different_blocks_and_seeds_differ() {
    let planes = |seed: [u8; 32], block: u64| {
        let mut random = Generator::<8>::new(seed, block);
        (0..8).flat_map(|_| random.plane().0).collect::<Vec<u64>>()
    };
    let seeds = [[0; 32], [1; 32], std::array::from_fn(|index| u8::from(index == 31))];
    let mut words: Vec<u64> =
        seeds.iter().flat_map(|&seed| (0..50).flat_map(move |block| planes(seed, block))).collect();
    let count = words.len();
    words.sort_unstable();
    words.dedup();
    assert_eq!(words.len(), count, "no word of 64 bits comes twice");
    assert_eq!(planes([5; 32], 3), planes([5; 32], 3));
}
