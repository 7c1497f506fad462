//! Networks of games that are short enough to know everything about.

use croupier_engine::stages::propnet::{Gates, Network, Wire};

/// A coin that is tossed in the first turn: tails ends the game, heads lets it go on until `turns` are over.
/// One role, which is chance. Goal 0 for tails, 1 for heads.
///
/// Base 0 says that nothing was tossed, base 1 tails, and base 2 + t heads and t further turns.
pub(crate) fn coin(turns: usize) -> Network {
    coin_beside(turns, 0)
}

/// The same with a second role, which has moves but never a legal one, if their number is not zero.
pub(crate) fn coin_beside(turns: usize, other_moves: usize) -> Network {
    let mut gates = Gates::new(u32::try_from(4 + turns + other_moves).expect("few turns"));
    let [is_new, is_tails, is_over] = [0, 1, 1 + turns].map(|number| gates.input(number));
    let [tails, heads] = [2 + turns, 3 + turns].map(|number| gates.input(number));
    let mut next = vec![Wire::FALSE, gates.and(is_new, tails), gates.and(is_new, heads)];
    next.extend((2..1 + turns).map(|number| gates.input(number)));
    let mut network = Network {
        initial: (0..2 + turns).map(|base| base == 0).collect(),
        next,
        terminal: gates.or(is_tails, is_over),
        legal: vec![vec![Wire::TRUE, is_new]],
        goals: vec![vec![(0, is_tails), (1, is_over)]],
        sees: vec![Vec::new()],
        gates,
    };
    if other_moves > 0 {
        network.legal.push(vec![Wire::FALSE; other_moves]);
        network.goals.push(Vec::new());
        network.sees.push(Vec::new());
    }
    network
}

/// One role says yes, no or stop in each turn, at most `turns` times. Goal `k` is that it said yes `k` times.
///
/// Base 0 says that it stopped, base `1 + t` that `t` turns are over, and the last `turns` bases what it said in each.
pub(crate) fn votes(turns: usize) -> Network {
    let bases = 2 + 2 * turns;
    let mut gates = Gates::new(u32::try_from(bases + 3).expect("few turns"));
    let [yes, no, stop] = [0, 1, 2].map(|number| gates.input(bases + number));
    let over = |gates: &Gates, turn: usize| gates.input(1 + turn);
    let said = |gates: &Gates, turn: usize| gates.input(2 + turns + turn);
    let goes_on = gates.or(yes, no);
    let mut next = vec![stop, Wire::FALSE];
    next.extend((0..turns).map(|turn| gates.and(over(&gates, turn), goes_on)));
    for turn in 0..turns {
        let says = gates.and(over(&gates, turn), yes);
        next.push(gates.or(says, said(&gates, turn)));
    }
    // Of the turns looked at so far, exactly k were yes.
    let mut exactly = vec![Wire::TRUE];
    for turn in 0..turns {
        let said = said(&gates, turn);
        exactly = (0..exactly.len() + 1)
            .map(|count| {
                let same = exactly.get(count).map_or(Wire::FALSE, |&same| gates.and(same, !said));
                let one_less =
                    count.checked_sub(1).map_or(Wire::FALSE, |less| gates.and(exactly[less], said));
                gates.or(same, one_less)
            })
            .collect();
    }
    let terminal = gates.or(gates.input(0), over(&gates, turns));
    Network {
        initial: (0..bases).map(|base| base == 1).collect(),
        next,
        terminal,
        legal: vec![vec![Wire::TRUE; 3]],
        goals: vec![exactly.into_iter().zip(0..).map(|(goal, count)| (count, goal)).collect()],
        sees: vec![Vec::new()],
        gates,
    }
}
