//! Answers where not all states fit: from random matches, and from what holds after every turn.

use croupier_engine::Game;

use crate::{
    answer::{Grounds, RuleAnswer, RuleQuestion, RuleVerdict},
    by_graph::{again, turns},
    maximum::Maximum,
    shown::{Shown, Way},
};

/// Puts settled answers in the place of open ones to the same question.
pub(crate) fn settle(answers: &mut Vec<RuleAnswer>, settled: Vec<RuleAnswer>) {
    for new in settled {
        match answers.iter_mut().find(|known| known.asks_the_same(&new)) {
            Some(known) if known.verdict == RuleVerdict::Open => *known = new,
            Some(_) => {}
            None => answers.push(new),
        }
    }
}

/// Says of open answers how many random matches were played besides.
pub(crate) fn count_playouts(answers: &mut [RuleAnswer], playouts: usize) {
    for answer in answers.iter_mut().filter(|answer| answer.verdict == RuleVerdict::Open) {
        if let Grounds::Search(searched) = &mut answer.grounds {
            searched.playouts = playouts;
        }
    }
}

/// What matches show.
pub(crate) fn shown_answers(game: &Game, known: &Shown, maxima: &[Maximum]) -> Vec<RuleAnswer> {
    let Some(network) = game.network() else { return Vec::new() };
    let shown = |question, verdict, text, ways: &[&Way]| {
        let lines = ways.iter().map(|way| way.line(network)).collect();
        RuleAnswer::new(question, verdict, Grounds::Lines, text).shown_by(lines)
    };
    let count = |way: &Way| turns(way.turns);
    let mut answers = Vec::new();
    for (maximum, way) in maxima.iter().zip(&known.wins) {
        let Some(way) = way else { continue };
        let text =
            format!("{} can win {}, after {}", game.roles().name(maximum.role), maximum.goal, count(way));
        let answer = shown(RuleQuestion::WeaklyWinnable, RuleVerdict::Proved, text, &[way]);
        answers.push(answer.of(maximum.role).about(maximum.goal.to_string()));
    }
    if let Some(way) = &known.again {
        let text = again(way.returns_to.unwrap_or(0), way.turns);
        answers.push(shown(RuleQuestion::Terminates, RuleVerdict::Refuted, text, &[way]));
    }
    if let Some(way) = &known.stuck {
        let text = format!("a role has no legal move after {}, and the match is not over", count(way));
        answers.push(shown(RuleQuestion::Playable, RuleVerdict::Refuted, text, &[way]));
    }
    if let Some(way) = &known.fault {
        let text =
            format!("a match ends after {} without one goal from 0 to 100 for each player", count(way));
        answers.push(shown(RuleQuestion::Goals, RuleVerdict::Refuted, text, &[way]));
    }
    if let Some(way) = &known.together {
        let text = format!("several roles choose at the same time after {}", count(way));
        answers.push(shown(RuleQuestion::Alternating, RuleVerdict::Refuted, text, &[way]));
    }
    if let [(one, first), (other, second)] = &known.sums[..] {
        let text = format!("the goals add up to {one} in one end and to {other} in another");
        answers.push(shown(RuleQuestion::ConstantSum, RuleVerdict::Refuted, text, &[first, second]));
    }
    answers
}

/// What follows if every match is over after so many turns.
pub(crate) fn bound_answer(bound: usize) -> RuleAnswer {
    let text = format!("every match ends, within {}", turns(bound));
    RuleAnswer::new(RuleQuestion::Terminates, RuleVerdict::Proved, Grounds::Bounds(bound), text)
}
