//! Kuhn poker: what no sound player does.

use croupier_engine::{InformationSet, MoveId};
use croupier_tests::size;

use crate::referee::{KUHN, game, play};

#[test]
fn faced_with_a_bet_the_king_calls_and_the_jack_passes() {
    let game = game(KUHN);
    let [pass, bet] = ["pass", "bet"].map(|text| game.move_id(text).unwrap());
    let [jack, king] = ["(hole jack)", "(hole king)"].map(|text| game.percepts_of([text]).unwrap());
    let bets = ["alice", "bob"].map(|name| game.percepts_of([format!("(did {name} bet)").as_str()]).unwrap());
    for kind in ["belief", "hyperplay", "hyperplay-ii", "ismcts", "mo-ismcts"] {
        let mut decisions = 0;
        let mut watch = |known: &InformationSet, chosen: MoveId| {
            let Some((_, heard)) = known.turns.last() else { return };
            if !bets.contains(heard) || ![pass, bet].contains(&chosen) {
                return;
            }
            let holds = |hole| known.turns.iter().any(|(_, percepts)| percepts == hole);
            if holds(&jack) {
                assert_eq!(chosen, pass, "{kind}");
                decisions += 1;
            }
            if holds(&king) {
                assert_eq!(chosen, bet, "{kind}");
                decisions += 1;
            }
        };
        for seed in 0..size(20, 60) {
            for kinds in [["random", kind], [kind, "random"]] {
                let mut number = 0;
                play(&game, &kinds, seed, |known, decision| {
                    number += 1;
                    // Only those of the player that thinks.
                    if !decision.estimates.is_empty() {
                        watch(known, decision.chosen);
                    }
                });
                assert!(number >= 6);
            }
        }
        assert!(decisions > size(4, 12), "{kind}: {decisions}");
    }
}
