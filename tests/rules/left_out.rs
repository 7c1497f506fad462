//! Other people's rules that leave conditions out, beside the same rules with the conditions written.

use croupier_engine::{CompileError, Game, Options, Strictness};
use croupier_tests::{
    comparison::{Plan, compare},
    corpus,
};
use rand_chacha::{ChaCha8Rng, rand_core::SeedableRng as _};

/// What makes each file whole: texts of it, and what to write there.
const WRITTEN: [(&str, &[(&str, &str)]); 2] = [
    (
        "blindBreakthrough5x5_unsafe",
        &[
            ("(<= (sees ?p (control ?player))", "(<= (sees ?p (control ?player)) (role ?p)"),
            ("(<= (sees ?player (move ?x1 ?y1 ?x2 ?y2))", "(<= (sees ?player (move ?x1 ?y1 ?x2 ?y2)) (role ?player)"),
        ],
    ),
    (
        "oneCardGame_unsafe",
        &[
            // Whoever leads is to play next, and only roles play.
            (
                "(<= (legal random (leadAndDeal (lead ?Player) (dealing ?Player1Card ?Player2Card ?TalonCard1 ?TalonCard2)))",
                "(<= has_talon (true (card talonCard1 ?any))) (<= has_trick (true (card trickCard1 ?any)))
                 (<= (legal random (leadAndDeal (lead ?Player) (dealing ?Player1Card ?Player2Card ?TalonCard1 ?TalonCard2)))
                  (role ?Player)",
            ),
            ("(<= (legal ?Player noop)", "(<= (legal ?Player noop) (role ?Player)"),
            ("(not (true (card talonCard1 ?SomeValue)))", "(not has_talon)"),
            ("(not (true (card trickCard1 ?SomeValue)))", "(not has_trick)"),
            ("(<= (sees ?Player (card talonCard1 0))", "(<= (sees ?Player (card talonCard1 0)) (role ?Player)"),
            ("(<= (sees ?Player (card talonCard2 0))", "(<= (sees ?Player (card talonCard2 0)) (role ?Player)"),
            (
                "(<= (sees ?Player (card trickCard1 ?TrickCard1))",
                "(<= (sees ?Player (card trickCard1 ?TrickCard1)) (role ?Player)",
            ),
            (
                "(<= (sees ?Player (card trickCard2 ?TrickCard2))",
                "(<= (sees ?Player (card trickCard2 ?TrickCard2)) (role ?Player)",
            ),
        ],
    ),
];

/// States, moves, percepts and goals of a random playout of so many turns, or why it went no further.
pub(crate) fn playout(game: &Game, seed: u64, turns: usize) -> Vec<String> {
    let (mut scratch, mut state) = (game.scratch(), game.initial_state().clone());
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut told = Vec::new();
    for _ in 0..turns {
        let mut fluents: Vec<_> = state.fluents().map(|fluent| game.fluent_text(fluent)).collect();
        fluents.sort_unstable();
        told.push(format!("{fluents:?}"));
        let joint = match game.random_joint_move(&state, &mut rng, &mut scratch) {
            Ok(Some(joint)) => joint,
            ended => {
                told.push(format!("{:?} {:?}", ended.err(), game.status(&state, &mut scratch)));
                break;
            }
        };
        told.extend(joint.moves().iter().map(|(_, &played)| game.move_text(played).to_string()));
        let turn = game.turn(&state, &joint, &mut scratch).expect("sound rules");
        told.extend(turn.percepts.iter().map(|(_, percepts)| format!("{:?}", game.percept_terms(percepts))));
        state = turn.successor;
    }
    told
}

#[test]
fn conditions_that_other_peoples_rules_leave_out_are_read_as_if_they_were_written() {
    let files = corpus::shared("gdl2");
    for (name, written) in WRITTEN {
        let Some(file) = files.iter().find(|file| file.name == name) else {
            croupier_tests::skipped(&format!("corpus: {name} is not there"));
            continue;
        };
        let strict = Options { strictness: Strictness::Strict, ..Options::PLAY };
        assert!(matches!(Game::compile(&file.text, &strict), Err(CompileError::Rules(_))), "{name}");
        let mut whole = file.text.clone();
        for (free, bound) in written {
            assert!(whole.contains(free), "{name}: {free}");
            whole = whole.replace(free, bound);
        }
        let read =
            Game::compile(&file.text, &Options::PLAY).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(read.warnings.iter().any(|found| found.code == "unbound-role"), "{name}");
        let whole_game =
            Game::compile(&whole, &Options::PLAY).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(whole_game.warnings.iter().all(|found| !found.code.starts_with("unbound-")), "{name}");
        for seed in 0..20 {
            assert_eq!(
                playout(&read.game, seed, 200),
                playout(&whole_game.game, seed, 200),
                "{name}, seed {seed}"
            );
        }
        let plan = Plan { seed: 1, walks: 4, turns: 60, effort: 40_000_000, limits: Plan::LIMITS };
        let coverage = compare(&whole, &plan).unwrap_or_else(|difference| panic!("{name}: {difference}"));
        assert!(coverage.states > 0, "{name}");
    }
}
