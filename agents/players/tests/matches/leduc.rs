//! Leduc hold'em: what no sound player does.

use croupier_engine::InformationSet;
use croupier_players::Decision;

use crate::referee::{LEDUC, game, play};

#[test]
fn a_pair_never_folds() {
    // With a pair on the board's card nothing of the opponent's wins: it could at most have the same pair, and both
    // cards of that rank but one are seen. So folding is worse than calling in every history.
    let game = game(LEDUC);
    let fold = game.move_id("fold").unwrap();
    for kind in ["belief", "hyperplay", "ismcts", "mo-ismcts"] {
        let mut asked = 0;
        let mut watch = |known: &InformationSet, decision: &Decision| {
            let texts: Vec<String> = known
                .turns
                .iter()
                .flat_map(|(_, percepts)| game.percept_terms(percepts))
                .map(|text| text.to_string())
                .collect();
            let rank = |start: &str| {
                let card = texts.iter().find(|text| text.starts_with(start))?;
                card.trim_start_matches(start).chars().next()
            };
            let (Some(hole), Some(board)) = (rank("(hole "), rank("(board ")) else { return };
            if hole == board && decision.estimates.iter().any(|found| found.chosen == fold) {
                asked += 1;
                assert_ne!(decision.chosen, fold, "{kind}: {texts:?}");
            }
        };
        for seed in 0..40 {
            for kinds in [["random", kind], [kind, "random"]] {
                play(&game, &kinds, seed, &mut watch);
            }
        }
        assert!(asked >= 3, "{kind}: {asked}");
    }
}
