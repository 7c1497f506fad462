//! What a view says in words.

use croupier_games::{
    BeliefGrounds, GameFacts, HandEquity, HeldStep, Payoff, Prospects, ReviewGrounds, SeatBelief,
};

/// A probability for people: `12 %`, `0.4 %`. Only what is certain is `100 %`, and only what is impossible `0 %`.
#[must_use]
pub fn percent(probability: f64) -> String {
    match 100.0 * probability {
        whole if whole <= 0.0 || whole >= 100.0 => format!("{whole:.0} %"),
        low if low < 0.05 => "< 0.1 %".to_owned(),
        high if high > 99.95 => "> 99.9 %".to_owned(),
        few if !(9.95..90.05).contains(&few) => format!("{few:.1} %"),
        some => format!("{some:.0} %"),
    }
}

/// An equity for people: `43 %`, or `43 % ± 1.2 %` with its standard error.
pub(super) fn equity(equity: HandEquity) -> String {
    match equity.error {
        // It is drawn, so it is certain of nothing.
        Some(error) => format!("{:.0} % ± {:.1} %", 100.0 * equity.share, 100.0 * error),
        None => format!("{}, exact", percent(equity.share)),
    }
}

/// How what is known of a hand became more: `What Bob holds, from turn to turn: 1,225 hands (10.3 bits) before turn 4, …`.
pub(super) fn steps(title: &str, steps: &[HeldStep]) -> Option<String> {
    let step = |step: &HeldStep| {
        let hands = grouped(step.hands as u64);
        format!("{hands} hands ({:.1} bits) before turn {}", step.entropy_bits, step.turn)
    };
    let shown: Vec<String> = steps.iter().map(step).collect();
    (shown.len() > 1).then(|| format!("{title}: {}", shown.join(", ")))
}

/// Digits in groups of three.
pub(super) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// What a belief rests on: `exact, 1,081 histories; the others play uniformly`.
pub(super) fn grounds(belief: &SeatBelief) -> String {
    let method = match belief.grounds {
        BeliefGrounds::Exact { histories: 1 } => "exact, the only history that agrees".to_owned(),
        BeliefGrounds::Exact { histories } => format!("exact, {} histories", grouped(histories)),
        BeliefGrounds::Sampled { particles, effective } => format!(
            "sampled, {} particles, as good as {effective:.0} equally heavy ones",
            grouped(particles as u64)
        ),
    };
    format!("{method}; model of the others: {}", belief.model)
}

/// What the values of a decision rest on.
pub(super) fn review_grounds(grounds: ReviewGrounds) -> String {
    match grounds {
        ReviewGrounds::Exact { histories } => {
            format!("exact, {} histories and all that may follow", grouped(histories))
        }
        ReviewGrounds::Playouts { playouts, histories } => {
            format!("{} playouts of {} histories", grouped(u64::from(playouts)), grouped(histories))
        }
        ReviewGrounds::Search { iterations } => {
            format!("estimated by a search of {} iterations", grouped(u64::from(iterations)))
        }
    }
}

/// A goal, or the mean of some, as people count it.
pub(super) fn worth(payoff: Option<&Payoff>, goal: f64) -> String {
    match payoff {
        Some(payoff) => signed(payoff.payoff(goal)),
        None => format!("{goal:.1}"),
    }
}

/// A difference of goals as people count it.
pub(super) fn difference(payoff: Option<&Payoff>, goals: f64) -> String {
    let units = payoff.map_or(goals, |payoff| (goals / payoff.scale).abs());
    format!("{units:.2}")
}

fn signed(number: f64) -> String {
    // No minus before what rounds to nothing.
    if number.abs() < 0.005 { "0.00".to_owned() } else { format!("{number:+.2}") }
}

/// How the match ends if everybody checks and calls.
pub(super) fn prospects(facts: &GameFacts, prospects: &Prospects) -> String {
    let mean: f64 = prospects.goals.iter().map(|of| of.share * f64::from(of.goal)).sum();
    let payoff = facts.payoff.as_ref();
    let ends = match payoff {
        Some(payoff) => {
            let share = |is_it: &dyn Fn(f64) -> bool| -> f64 {
                let goals = prospects.goals.iter().filter(|of| is_it(payoff.payoff(f64::from(of.goal))));
                goals.map(|of| of.share).sum()
            };
            let [wins, loses] = [share(&|units| units > 0.0), share(&|units| units < 0.0)];
            let ties = (1.0 - wins - loses).max(0.0);
            format!("wins {}, ties {}, loses {}; ", percent(wins), percent(ties), percent(loses))
        }
        None => String::new(),
    };
    let grounds = match prospects.is_exact {
        true => "exact".to_owned(),
        false => format!("{} playouts", grouped(prospects.playouts)),
    };
    format!(
        "If everybody checks and calls from here: {ends}on average {} {} ({grounds})",
        worth(payoff, mean),
        facts.unit(),
    )
}

#[cfg(test)]
mod tests {
    use super::{grouped, percent};

    #[test]
    fn only_what_is_certain_is_shown_as_certain() {
        let shown = [0.0, 1e-9, 0.004, 0.0949, 0.5, 0.9, 0.951, 0.999_999, 1.0].map(percent);
        let expected = ["0 %", "< 0.1 %", "0.4 %", "9.5 %", "50 %", "90 %", "95.1 %", "> 99.9 %", "100 %"];
        assert_eq!(shown, expected);
    }

    #[test]
    fn large_numbers_are_grouped() {
        assert_eq!([0, 999, 1_081, 1_234_567].map(grouped), ["0", "999", "1,081", "1,234,567"]);
    }
}
