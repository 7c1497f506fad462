//! Answers where not all states fit: from random matches, and from what holds after every turn.

use croupier_engine::Game;

use crate::{
    answer::{Grounds, Line, RuleAnswer, RuleQuestion, RuleVerdict},
    by_graph::{again, turns},
    maximum::Maximum,
    walks::Walked,
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

/// What random matches show.
pub(crate) fn walk_answers(game: &Game, walked: &Walked, maxima: &[Maximum]) -> Vec<RuleAnswer> {
    let shown = |question, verdict, text, lines| {
        RuleAnswer::new(question, verdict, Grounds::Lines, text).shown_by(lines)
    };
    let count = |line: &Line| turns(line.moves.len());
    let mut answers = Vec::new();
    for (maximum, line) in maxima.iter().zip(&walked.wins) {
        let Some(line) = line else { continue };
        let text =
            format!("{} can win {}, after {}", game.roles().name(maximum.role), maximum.goal, count(line));
        let answer = shown(RuleQuestion::WeaklyWinnable, RuleVerdict::Proved, text, vec![line.clone()]);
        answers.push(answer.of(maximum.role).about(maximum.goal.to_string()));
    }
    if let Some(line) = &walked.again {
        let text = again(line.returns_to.unwrap_or(0), line.moves.len());
        answers.push(shown(RuleQuestion::Terminates, RuleVerdict::Refuted, text, vec![line.clone()]));
    }
    if let Some(line) = &walked.stuck {
        let text = format!("a role has no legal move after {}, and the match is not over", count(line));
        answers.push(shown(RuleQuestion::Playable, RuleVerdict::Refuted, text, vec![line.clone()]));
    }
    if let Some(line) = &walked.fault {
        let text =
            format!("a match ends after {} without one goal from 0 to 100 for each player", count(line));
        answers.push(shown(RuleQuestion::Goals, RuleVerdict::Refuted, text, vec![line.clone()]));
    }
    if let Some(line) = &walked.together {
        let text = format!("several roles choose at the same time after {}", count(line));
        answers.push(shown(RuleQuestion::Alternating, RuleVerdict::Refuted, text, vec![line.clone()]));
    }
    if let [(one, first), (other, second)] = &walked.sums[..] {
        let text = format!("the goals add up to {one} in one end and to {other} in another");
        answers.push(shown(
            RuleQuestion::ConstantSum,
            RuleVerdict::Refuted,
            text,
            vec![first.clone(), second.clone()],
        ));
    }
    answers
}

/// What follows if every match is over after so many turns.
pub(crate) fn bound_answer(bound: usize) -> RuleAnswer {
    let text = format!("every match ends, within {}", turns(bound));
    RuleAnswer::new(RuleQuestion::Terminates, RuleVerdict::Proved, Grounds::Bounds(bound), text)
}
