//! Ids that are safe in HTML, stable, and unique in a picture.

use std::{collections::BTreeSet, fmt::Write as _};

/// Longer ids are cut: a rule file of a stranger may have names of any length.
const ID_LENGTH_MAX: usize = 80;

/// The ids that a picture has used so far.
#[derive(Debug, Default)]
pub(crate) struct Ids {
    used: BTreeSet<String>,
}

impl Ids {
    /// The id of what these parts name, or the next free one like it.
    pub(crate) fn take(&mut self, parts: &[&str]) -> String {
        let base = id(parts);
        let numbered = (2_u64..).map(|number| format!("{base}--{number}"));
        let mut candidates = [base.clone()].into_iter().chain(numbered);
        candidates.find(|id| self.used.insert(id.clone())).unwrap_or(base)
    }
}

/// Parts joined by hyphens; what is no ASCII letter or digit is spelled by its number.
pub(crate) fn id(parts: &[&str]) -> String {
    let mut id = String::new();
    for (index, part) in parts.iter().enumerate() {
        if index > 0 {
            id.push('-');
        }
        for char in part.chars() {
            if id.len() >= ID_LENGTH_MAX {
                return id;
            }
            match char {
                'a'..='z' | '0'..='9' => id.push(char),
                'A'..='Z' => id.push(char.to_ascii_lowercase()),
                ' ' | '_' | '(' | ')' => id.push('_'),
                other => {
                    // Writing to a string cannot fail.
                    let _ = write!(id, "_{:x}", u32::from(other));
                }
            }
        }
    }
    id
}

#[cfg(test)]
mod tests {
    use super::{ID_LENGTH_MAX, Ids, id};

    #[test]
    fn ids_have_nothing_that_html_could_read_otherwise() {
        let hostile = id(&["p", "\"><script>", &"x".repeat(70_000)]);
        assert!(hostile.len() <= ID_LENGTH_MAX + 8, "{hostile}");
        assert!(hostile.chars().all(|char| char.is_ascii_alphanumeric() || "-_".contains(char)), "{hostile}");
        assert_eq!(id(&["p", "Alice", "10♥"]), "p-alice-10_2665");
    }

    #[test]
    fn two_things_of_one_name_have_two_ids() {
        let mut ids = Ids::default();
        assert_eq!([ids.take(&["p", "a b"]), ids.take(&["p", "a_b"])], ["p-a_b", "p-a_b--2"]);
    }
}
