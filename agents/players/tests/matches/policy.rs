//! Policies as tables.

use std::{collections::BTreeMap, sync::Arc};

use croupier_engine::{Game, InformationSet};
use croupier_players::{Budget, PlayerError, PlayerKind, PolicyTable};

use crate::referee::{KUHN, game, role};

/// What alice knows when it is hers to move.
fn known(game: &Game, hole: &str) -> InformationSet {
    let turn = |percept: &str| (game.move_id("noop").unwrap(), game.percepts_of([percept]).unwrap());
    InformationSet { role: role(game, "alice"), turns: vec![turn(hole), turn("(dealt bob)")] }
}

const KING: &str = "(alice (noop (hole king)) (noop (dealt bob)))";

fn kind(moves: &[(&str, f64)]) -> PlayerKind {
    let mut table = PolicyTable::default();
    let moves: BTreeMap<String, f64> = moves.iter().map(|(played, p)| ((*played).to_owned(), *p)).collect();
    table.insert(KING.to_owned(), moves).unwrap();
    PlayerKind::Policy { file: "kuhn.json".to_owned(), table: Arc::new(table) }
}

/// How often alice bets with such a hand, of a thousand times.
fn bets(kind: &PlayerKind, hole: &str) -> u32 {
    let game = game(KUHN);
    let known = known(&game, hole);
    let bet = game.move_id("bet").unwrap();
    let once = |number: u32| {
        let mut seed = [0; 32];
        seed[..4].copy_from_slice(&number.to_le_bytes());
        let mut player = kind.player(Arc::clone(&game), known.role, seed).unwrap();
        player.choose(&known, &mut Budget::Own).unwrap().chosen == bet
    };
    (0..1_000).map(|number| u32::from(once(number))).sum()
}

#[test]
fn moves_are_played_as_often_as_the_table_says() {
    // Five standard deviations of a thousand draws are 69 at 3/4 and 79 at 1/2.
    let three_in_four = kind(&[("bet", 0.75), ("pass", 0.25)]);
    let count = bets(&three_in_four, "(hole king)");
    assert!((681..=819).contains(&count), "{count}");
    assert_eq!(bets(&kind(&[("bet", 1.0)]), "(hole king)"), 1_000);
    assert_eq!(bets(&kind(&[("bet", 0.0), ("pass", 1.0)]), "(hole king)"), 0);
    // The table is silent about the jack.
    let count = bets(&three_in_four, "(hole jack)");
    assert!((421..=579).contains(&count), "{count}");
}

#[test]
fn a_player_tells_its_mixed_strategy_where_it_knows_it() {
    let game = game(KUHN);
    let known = known(&game, "(hole king)");
    let [bet, pass] = ["bet", "pass"].map(|text| game.move_id(text).unwrap());
    let strategy = |kind: &PlayerKind| {
        let mut player = kind.player(Arc::clone(&game), known.role, [7; 32]).unwrap();
        let decision = player.choose(&known, &mut Budget::Own).unwrap();
        assert_eq!(decision.moves, [bet, pass]);
        decision.strategy
    };
    assert_eq!(strategy(&kind(&[("bet", 0.75), ("pass", 0.25)])), Some(vec![0.75, 0.25]));
    assert_eq!(strategy(&kind(&[("pass", 1.0)])), Some(vec![0.0, 1.0]));
    assert_eq!(strategy(&PlayerKind::Random), Some(vec![0.5, 0.5]));
    assert_eq!(strategy(&PlayerKind::FirstLegal), Some(vec![1.0, 0.0]));
    for searches in ["belief:iterations=20", "ismcts:iterations=20", "hyperplay-ii:iterations=2"] {
        assert_eq!(strategy(&searches.parse().unwrap()), None, "{searches}");
    }
}

#[test]
fn an_information_set_is_written_as_the_table_has_it() {
    let game = game(KUHN);
    let known = known(&game, "(hole king)");
    assert_eq!(game.information_set_text(&known), KING);
    assert_eq!(game.information_set_text(&InformationSet::initial(known.role)), "(alice)");
}

#[test]
fn a_move_that_is_not_legal_is_refused() {
    let game = game(KUHN);
    let known = known(&game, "(hole king)");
    let kind = kind(&[("raise", 0.5), ("bet", 0.5)]);
    let mut player = kind.player(Arc::clone(&game), known.role, [0; 32]).unwrap();
    let refused = player.choose(&known, &mut Budget::Own);
    assert_eq!(
        refused,
        Err(PlayerError::PolicyMove { information_set: KING.to_owned(), played: "raise".to_owned() })
    );
}
