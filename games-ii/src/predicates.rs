//! The predicates that a `game.toml` names: nothing that is shown depends on any other.

use std::collections::BTreeSet;

use toml::Value;

/// Sections that are about no fluents.
const OTHER: [&str; 7] = ["title", "summary", "source", "tags", "payoff", "counts", "session"];

/// Everything that a file names where a predicate may stand: that and perhaps more.
pub(crate) fn told(file: &toml::Table) -> BTreeSet<String> {
    let mut told = BTreeSet::new();
    for (section, value) in file.iter().filter(|(section, _)| !OTHER.contains(&section.as_str())) {
        names(section, &mut told);
        names_in(value, &mut told);
    }
    told
}

/// The predicate of a term.
pub(crate) fn first(term: &str) -> Option<String> {
    let name = term.trim_start_matches('(').split(|char: char| is_end(char)).next()?;
    (!name.is_empty()).then(|| name.to_lowercase())
}

fn names_in(value: &Value, told: &mut BTreeSet<String>) {
    match value {
        Value::String(text) => names(text, told),
        Value::Array(values) => values.iter().for_each(|value| names_in(value, told)),
        Value::Table(table) => {
            for (key, value) in table {
                names(key, told);
                names_in(value, told);
            }
        }
        _ => {}
    }
}

/// What stands at the beginning of a text, and behind each parenthesis.
fn names(text: &str, told: &mut BTreeSet<String>) {
    told.extend(text.split('(').filter_map(|part| first(part.trim_start())));
}

fn is_end(char: char) -> bool {
    char.is_whitespace() || char == '(' || char == ')'
}

#[cfg(test)]
mod tests {
    use super::{first, told};

    #[test]
    fn patterns_their_conditions_and_what_values_count_are_told() {
        let text = "title = '(other a)'\n[table]\n'(hand ?p ?c) if (to ?p) (distinct ?p b)' = '{p} holds {c}'\nover = 'it is over'\n\
                    [values]\n'(held ?n)' = 'count (pile ?c)'\n[[board]]\nsquares = { '( cell ?x)' = 'x' }\n[session]\ntotal = 'payoff'\n";
        let told = told(&toml::from_str(text).expect("sound"));
        for name in ["hand", "to", "over", "held", "pile", "cell"] {
            assert!(told.contains(name), "{name}: {told:?}");
        }
        assert!(!told.contains("other") && !told.contains("total"), "{told:?}");
        assert_eq!(first("(Hand bob 3s)").as_deref(), Some("hand"));
        assert_eq!(first("over").as_deref(), Some("over"));
    }
}
