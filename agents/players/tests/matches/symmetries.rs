//! Players that search do not look twice at moves which symmetries of the rules exchange.

use std::collections::{BTreeMap, BTreeSet};

use croupier_engine::{ByRole, InformationSet};
use croupier_players::{Budget, Decision, Estimate};

use crate::referee::{KRIEGSPIEL, KUHN, TIC_TAC_TOE, game, player, role};

/// How many moves share their estimates, ascending.
fn classes(decision: &Decision) -> Vec<usize> {
    let mut classes: BTreeMap<(u32, u64), usize> = BTreeMap::new();
    for Estimate { visits, mean_goal, .. } in &decision.estimates {
        *classes.entry((*visits, mean_goal.unwrap_or_default().to_bits())).or_default() += 1;
    }
    let mut sizes: Vec<usize> = classes.into_values().collect();
    sizes.sort_unstable();
    sizes
}

/// By hand: of nine cells one is the centre, four are corners and four lie between them; of sixteen four are corners, four lie in
/// the middle and eight at the edges between.
#[test]
fn cells_of_an_empty_board_are_searched_by_orbits() {
    for (rules, kind, expected) in [
        (TIC_TAC_TOE, "uct", vec![1, 4, 4]),
        (KRIEGSPIEL, "ismcts", vec![4, 4, 8]),
        (KRIEGSPIEL, "mo-ismcts", vec![4, 4, 8]),
        (KRIEGSPIEL, "hyperplay", vec![4, 4, 8]),
    ] {
        let game = game(rules);
        let (x, mut chosen) = (role(&game, "x"), BTreeSet::new());
        for seed in 0..12 {
            let mut x_player = player(&game, "x", &format!("{kind}:iterations=200,particles=50"), seed);
            let decision = x_player.choose(&InformationSet::initial(x), &mut Budget::Own).unwrap();
            assert_eq!(classes(&decision), expected, "{kind}");
            chosen.insert(decision.chosen);
        }
        // In tic-tac-toe it is always the centre, which is alone.
        assert_eq!(chosen.len() > 1, kind != "uct", "{kind}: nobody knows which of equal moves it takes");
    }
}

/// With a cross in a corner only the mirror through it is left: of eight cells two lie on it and six make three pairs.
#[test]
fn what_a_player_knows_breaks_symmetries() {
    let game = game(TIC_TAC_TOE);
    let (o, mark) = (role(&game, "o"), game.move_id("(mark 1 1)").unwrap());
    let moves = game.roles().all().zip([mark, game.move_id("noop").unwrap()]).collect::<BTreeMap<_, _>>();
    let joint_move = ByRole::from_fn(game.roles(), |role| moves[&role]);
    let mut scratch = game.scratch();
    let joint_move = game.joint_move(game.initial_state(), joint_move, &mut scratch).unwrap();
    let turn = game.turn(game.initial_state(), &joint_move, &mut scratch).unwrap();
    let known = InformationSet { role: o, turns: vec![(joint_move.of(o), turn.percepts[o].clone())] };
    let decision = player(&game, "o", "uct:iterations=300", 1).choose(&known, &mut Budget::Own).unwrap();
    assert_eq!(decision.moves.len(), 8);
    assert!(classes(&decision).iter().filter(|&&size| size >= 2).sum::<usize>() >= 6, "{decision:?}");
    assert!(classes(&decision).len() >= 4, "{decision:?}");
}

#[test]
fn where_nothing_can_be_exchanged_everything_is_searched() {
    let game = game(KUHN);
    let alice = role(&game, "alice");
    let mut player = player(&game, "alice", "ismcts:iterations=100", 1);
    let known = InformationSet::initial(alice);
    let decision = player.choose(&known, &mut Budget::Own).unwrap();
    assert!(classes(&decision).iter().all(|&size| size == 1), "{decision:?}");
}
