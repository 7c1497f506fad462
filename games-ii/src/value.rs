//! Numbers that are worked out from what is true: the pot, the chips to call.

use thiserror::Error;

use crate::{
    condition::Condition,
    phrase::{PhraseError, PhraseLines, pattern},
    scene::Scene,
    term::{Binding, PatternTerm},
};

/// A line of `[values]`: `"(pot ?chips)" = "sum ?n in (paid ?player ?n)"`.
#[derive(Clone, Debug)]
pub(crate) struct Value {
    /// What it adds to the facts, once its number is known.
    pub(crate) head: PatternTerm,
    pub(crate) conditions: Vec<Condition>,
    /// The variable of the head that is the number.
    variable: String,
    parts: Vec<(Sign, Summand)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sign {
    Plus,
    Minus,
}

#[derive(Clone, Debug)]
enum Summand {
    Number(i64),
    /// A variable that a condition gives its value.
    Variable(String),
    /// A number over all facts of a form.
    Over(Fold, Option<String>, PatternTerm),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fold {
    Sum,
    Most,
    Least,
    Count,
}

/// Why a line of `[values]` was refused.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ValueError {
    /// The left side is no pattern.
    #[error(transparent)]
    Pattern(#[from] PhraseError),
    /// The left side does not say where the number goes.
    #[error("the value `{head}` needs one variable that no condition has: it is the number")]
    Variable {
        /// As written.
        head: String,
    },
    /// The right side is no sum.
    #[error(
        "the value `{head}` is `{text}`; write numbers, variables, `sum ?n in PATTERN`, `max ?n in PATTERN`, \
         `min ?n in PATTERN` or `count PATTERN`, with + or - between them"
    )]
    Expression {
        /// As written.
        head: String,
        /// As written.
        text: String,
    },
}

impl Value {
    /// All lines of the section.
    pub(crate) fn all(lines: &PhraseLines) -> Result<Vec<Self>, ValueError> {
        lines.iter().map(|(head, text)| Self::new(head, text)).collect()
    }

    fn new(head: &str, text: &str) -> Result<Self, ValueError> {
        let (term, conditions) = pattern(head)?;
        let is_bound = |variable: &str| conditions.iter().any(|condition| condition.binds(variable));
        let free: Vec<&str> = term.variables().into_iter().filter(|variable| !is_bound(variable)).collect();
        let [variable] = free[..] else { return Err(ValueError::Variable { head: head.to_owned() }) };
        let parts = PatternTerm::parse_all(text).ok().and_then(|terms| parts(&terms)).filter(|parts| {
            parts.iter().all(|(_, part)| match part {
                Summand::Variable(variable) => is_bound(variable),
                Summand::Over(_, variable, over) => {
                    variable.as_ref().is_none_or(|variable| over.mentions(variable))
                }
                Summand::Number(_) => true,
            })
        });
        let parts =
            parts.ok_or_else(|| ValueError::Expression { head: head.to_owned(), text: text.to_owned() })?;
        Ok(Self { variable: variable.to_owned(), head: term, conditions, parts })
    }

    /// The facts that it adds to a scene, one for each way in which its conditions hold.
    pub(crate) fn facts(&self, scene: &Scene) -> Vec<PatternTerm> {
        let solutions = scene.solutions(&self.conditions, Binding::new());
        let fact = |binding: Binding<'_>| {
            let mut total = 0_i64;
            for (sign, part) in &self.parts {
                let number = part.number(scene, &binding)?;
                total = match sign {
                    Sign::Plus => total.checked_add(number)?,
                    Sign::Minus => total.checked_sub(number)?,
                };
            }
            let number = PatternTerm::Symbol(total.to_string());
            let mut whole = binding;
            whole.push((self.variable.clone(), &number));
            Some(self.head.filled(&whole))
        };
        solutions.into_iter().filter_map(fact).collect()
    }
}

impl Summand {
    /// `None` where it is not known, or there is none.
    fn number(&self, scene: &Scene, binding: &Binding<'_>) -> Option<i64> {
        let (fold, variable, pattern) = match self {
            Self::Number(number) => return Some(*number),
            Self::Variable(name) => {
                let bound = binding.iter().find(|(known, _)| known == name)?;
                return number(bound.1);
            }
            Self::Over(fold, variable, pattern) => (fold, variable, pattern.filled(binding)),
        };
        // What may be true and may not leaves the number open.
        if scene.leaves_open(|fact| pattern.matches(fact).is_some()) {
            return None;
        }
        let fitting = scene.certain.iter().filter_map(|fact| pattern.matches(fact));
        let Some(variable) = variable else { return i64::try_from(fitting.count()).ok() };
        let numbers = fitting.map(|bound| number(bound.iter().find(|(name, _)| name == variable)?.1));
        let numbers: Vec<i64> = numbers.collect::<Option<_>>()?;
        match fold {
            Fold::Sum => numbers.iter().try_fold(0_i64, |sum, &number| sum.checked_add(number)),
            Fold::Most => numbers.into_iter().max(),
            Fold::Least => numbers.into_iter().min(),
            Fold::Count => i64::try_from(numbers.len()).ok(),
        }
    }
}

fn number(term: &PatternTerm) -> Option<i64> {
    match term {
        PatternTerm::Symbol(name) => name.parse().ok(),
        _ => None,
    }
}

/// The parts of a sum.
fn parts(terms: &[PatternTerm]) -> Option<Vec<(Sign, Summand)>> {
    let mut parts = Vec::new();
    let mut rest = terms;
    let mut sign = Sign::Plus;
    loop {
        let symbol = |term: &PatternTerm| match term {
            PatternTerm::Symbol(name) => Some(name.clone()),
            _ => None,
        };
        let (part, after) = match rest {
            [PatternTerm::Variable(name), after @ ..] => (Summand::Variable(name.clone()), after),
            [PatternTerm::Symbol(word), pattern, after @ ..] if word == "count" => {
                (Summand::Over(Fold::Count, None, pattern.clone()), after)
            }
            [
                PatternTerm::Symbol(word),
                PatternTerm::Variable(variable),
                PatternTerm::Symbol(within),
                pattern,
                after @ ..,
            ] if within == "in" => {
                let fold = match word.as_str() {
                    "sum" => Fold::Sum,
                    "max" => Fold::Most,
                    "min" => Fold::Least,
                    _ => return None,
                };
                (Summand::Over(fold, Some(variable.clone()), pattern.clone()), after)
            }
            [first, after @ ..] => (Summand::Number(number(first)?), after),
            [] => return None,
        };
        parts.push((sign, part));
        let [operator, after @ ..] = after else { return Some(parts) };
        sign = match symbol(operator)?.as_str() {
            "+" => Sign::Plus,
            "-" => Sign::Minus,
            _ => return None,
        };
        rest = after;
    }
}

#[cfg(test)]
mod tests {
    use crate::facts::GameFacts;

    fn lines(values: &str, certain: &[&str], open: &[&str]) -> Vec<String> {
        let table = "[table]\n'(pot ?n)' = 'pot {n}'\n'(call ?p ?n)' = '{p} calls {n}'";
        let facts = GameFacts::parse(&format!("title = 'T'\nsummary = 'S'\n[values]\n{values}\n{table}"));
        let facts = facts.expect("sound facts");
        facts.draw(&facts.scene(certain.iter().copied(), open.iter().copied()), &[]).lines
    }

    const VALUES: &str = "'(pot ?n)' = 'sum ?chips in (paid ?player ?chips)'
        '(call ?player ?n) if (acts ?player)' = 'max ?n in (paid ?any ?n) - sum ?n in (paid ?player ?n)'";

    #[test]
    fn chips_are_added_up_and_compared() {
        let certain = ["(paid a 2)", "(paid b 5)", "(paid c 0)", "(acts a)"];
        assert_eq!(lines(VALUES, &certain, &[]), ["pot 7", "a calls 3"]);
    }

    #[test]
    fn what_is_not_known_leaves_a_value_open() {
        assert_eq!(lines(VALUES, &["(paid a 2)"], &["(paid b 5)"]), [""; 0]);
        // There is no most of nothing.
        assert_eq!(lines(VALUES, &["(acts a)"], &[]), ["pot 0"]);
    }

    #[test]
    fn numbers_variables_and_counts_are_parts() {
        let values = "'(pot ?n) if (left ?k)' = '20 - ?k - count (gone ?x) + 1'";
        assert_eq!(lines(values, &["(left 3)", "(gone a)", "(gone b)"], &[]), ["pot 16"]);
    }

    #[test]
    fn what_is_no_value_is_refused() {
        for line in [
            "'(pot 3)' = '4'",
            "'(pot ?n ?m)' = '4'",
            "'(pot ?n)' = ''",
            "'(pot ?n)' = 'sum ?x in (paid ?p ?n)'",
            "'(pot ?n)' = '4 4'",
            "'(pot ?n)' = '4 -'",
            "'(pot ?n)' = '?other'",
            "'(pot ?n) (x)' = '4'",
        ] {
            let text = format!("title = 'T'\nsummary = 'S'\n[values]\n{line}");
            assert!(GameFacts::parse(&text).is_err(), "{line}");
        }
    }
}
