//! The games made to tell players apart: who values what it would come to know, and who does not.

use croupier_engine::InformationSet;
use croupier_players::{Budget, Estimate, StopReason};
use croupier_tests::size;

use crate::referee::{
    BANKER_AND_THIEF, EXPLODING_BOMB, KRIEGSPIEL, MASTERMIND, MONTY_HALL, NUMBER_GUESSING, game, play,
    player, role,
};

/// The goals of the first role in so many matches.
fn goals(rules: &str, kinds: &[&str], matches: u8) -> Vec<i32> {
    let game = game(rules);
    let first = game.roles().players().next().unwrap();
    (0..matches).map(|seed| play(&game, kinds, seed, |_, _| ())[first].value()).collect()
}

fn mean(goals: &[i32]) -> f64 {
    f64::from(goals.iter().sum::<i32>()) / goals.len() as f64
}

/// The kinds that value information.
const INFORMED: [&str; 3] = ["hyperplay-ii", "ismcts", "mo-ismcts"];

#[test]
fn number_guessing_is_worth_a_hundred_to_who_values_answers() {
    for kind in INFORMED {
        assert_eq!(goals(NUMBER_GUESSING, &[kind], 2), [100; 2], "{kind}");
    }
}

#[test]
fn number_guessing_is_worth_little_to_who_believes_to_know_later() {
    // Guessing at once is right one time in 32; a few careless questions make it a few times that.
    for kind in ["belief", "hyperplay"] {
        let mean = mean(&goals(NUMBER_GUESSING, &[kind], size(20, 60)));
        assert!(mean <= size(45.0, 30.0), "{kind}: {mean}");
    }
}

#[test]
fn the_bomb_of_the_catalogue_is_worth_ninety_to_who_asks() {
    for kind in INFORMED {
        assert_eq!(goals(EXPLODING_BOMB, &[kind], 10), [90; 10], "{kind}");
    }
    for kind in ["belief", "hyperplay"] {
        assert!(goals(EXPLODING_BOMB, &[kind], 10).iter().all(|goal| [0, 100].contains(goal)), "{kind}");
    }
}

/// What a plan says the first decision of the only player is worth; the values are those of the games' facts, which
/// `tests/games/value_of_information.rs` computes with another solver and a human by hand.
#[test]
fn plans_are_worth_what_the_games_are_known_to_be_worth() {
    let known = [
        (NUMBER_GUESSING, "guesser", 100.0),
        (EXPLODING_BOMB, "agent", 90.0),
        (MONTY_HALL, "candidate", 200.0 / 3.0),
    ];
    for (rules, name, value) in known {
        let game = game(rules);
        let seat = role(&game, name);
        let wait = game.move_id("noop").unwrap();
        let mut known = InformationSet::initial(seat);
        known.turns.push((wait, game.percepts_of([]).unwrap()));
        for kind in INFORMED {
            let decision = player(&game, name, kind, 1).choose(&known, &mut Budget::Own).unwrap();
            assert_eq!(decision.stop, StopReason::Planned);
            let worth = |found: &Estimate| found.mean_goal.unwrap_or(0.0);
            let best = decision.estimates.iter().map(worth).fold(0.0, f64::max);
            assert!((best - value).abs() < 1e-6, "{name}: {best}");
            let chosen = decision.estimates.iter().find(|found| found.chosen == decision.chosen).unwrap();
            assert!((worth(chosen) - best).abs() < 1e-6, "{name}");
        }
    }
}

/// Nine codes and three guesses: the second and the third guess can be right for what the answers leave.
#[test]
fn mastermind_is_solved_in_three_guesses() {
    for kind in INFORMED {
        assert_eq!(goals(MASTERMIND, &[kind], 9), [100; 9], "{kind}");
    }
}

#[test]
fn a_plan_without_time_leaves_a_legal_move() {
    let game = game(NUMBER_GUESSING);
    let seat = role(&game, "guesser");
    let mut known = InformationSet::initial(seat);
    known.turns.push((game.move_id("noop").unwrap(), game.percepts_of([]).unwrap()));
    for kind in INFORMED {
        let mut asked = 0;
        let mut is_over = || {
            asked += 1;
            asked > 3
        };
        let decision = player(&game, "guesser", kind, 1).choose(&known, &mut Budget::Until(&mut is_over));
        assert_eq!(decision.unwrap().stop, StopReason::Deadline, "{kind}");
    }
}

/// A banker who pays everything into the bank with the broken alarm tells where that is, and a thief who robs the
/// richest bank leaves nothing. Forty is the most that is left by such a thief, 25 what is safe from any
/// (`games-ii/banker-and-thief`).
#[test]
fn whoever_imagines_what_the_thief_sees_keeps_the_secret() {
    for kind in ["belief", "hyperplay"] {
        assert_eq!(goals(BANKER_AND_THIEF, &[kind, "belief"], 4), [0; 4], "{kind}");
    }
    let mean = mean(&goals(BANKER_AND_THIEF, &["hyperplay-ii", "belief"], 20));
    assert!((25.0..=40.0).contains(&mean), "{mean}");
}

/// Against random play sixteen samples are enough for nine points of ten.
#[test]
fn kriegspiel_is_won_against_random_play_with_sixteen_particles() {
    for kind in ["hyperplay:particles=16", "ismcts:particles=16"] {
        let mean = mean(&goals(KRIEGSPIEL, &[kind, "random"], size(10, 30)));
        // Of ten matches one may be lost and one drawn.
        assert!(mean >= size(85.0, 90.0), "{kind}: {mean}");
    }
}

/// A single row of four that two particles hold possible is no end of the match: whoever is asked for a move knows that.
#[test]
fn two_particles_in_which_the_match_is_over_are_not_believed() {
    let game = game(KRIEGSPIEL);
    for seed in 0..size(15, 60) {
        play(&game, &["belief:iterations=4,particles=2,playouts=1", "random"], seed, |_, _| ());
    }
}
