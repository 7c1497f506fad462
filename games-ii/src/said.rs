//! What words say of facts, in pieces: so that what stands for a card can be drawn as one.

/// A line of words for one or more facts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SaidLine {
    /// What it says something of, as fluents; several where a part is gathered.
    pub facts: Vec<String>,
    /// The line from left to right.
    pub pieces: Vec<SaidPiece>,
}

/// A part of a line of words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SaidPiece {
    /// Said as it is.
    Text(String),
    /// What a variable stands for.
    Part(NamedTerm),
    /// All that a variable stands for in facts that differ in it alone.
    Gathered(Vec<NamedTerm>),
}

/// A part of a term, and its words.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct NamedTerm {
    /// As it is printed.
    pub term: String,
    /// What people call it.
    pub words: String,
}

impl SaidLine {
    /// The line as text.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = String::new();
        for piece in &self.pieces {
            match piece {
                SaidPiece::Text(plain) => text.push_str(plain),
                SaidPiece::Part(part) => text.push_str(&part.words),
                SaidPiece::Gathered(parts) => {
                    // Parts of several words need commas between them.
                    let mark = if parts.iter().any(|part| part.words.contains(' ')) { ", " } else { " " };
                    let words: Vec<&str> = parts.iter().map(|part| part.words.as_str()).collect();
                    text.push_str(&words.join(mark));
                }
            }
        }
        text
    }

    /// Whether it gathers something.
    fn gathers(&self) -> bool {
        self.pieces.iter().any(|piece| matches!(piece, SaidPiece::Gathered(_)))
    }

    /// Takes what another line gathers into this one, if the two say the same of it.
    pub(crate) fn gather(&mut self, other: &Self) -> bool {
        let is_alike = |(one, other): (&SaidPiece, &SaidPiece)| match (one, other) {
            (SaidPiece::Gathered(_), SaidPiece::Gathered(_)) => true,
            (one, other) => one == other,
        };
        let pairs = || self.pieces.iter().zip(&other.pieces);
        if !self.gathers() || self.pieces.len() != other.pieces.len() || !pairs().all(is_alike) {
            return false;
        }
        for (own, new) in self.pieces.iter_mut().zip(&other.pieces) {
            if let (SaidPiece::Gathered(own), SaidPiece::Gathered(new)) = (own, new) {
                own.extend(new.iter().cloned());
            }
        }
        self.facts.extend(other.facts.iter().cloned());
        true
    }
}

#[cfg(test)]
mod tests {
    use super::{NamedTerm, SaidLine, SaidPiece};

    fn holds(player: &str, card: &str, words: &str) -> SaidLine {
        let named = |term: &str, words: &str| NamedTerm { term: term.to_owned(), words: words.to_owned() };
        SaidLine {
            facts: vec![format!("(hand {player} {card})")],
            pieces: vec![
                SaidPiece::Part(named(player, player)),
                SaidPiece::Text(" holds ".to_owned()),
                SaidPiece::Gathered(vec![named(card, words)]),
            ],
        }
    }

    #[test]
    fn lines_that_differ_in_what_they_gather_become_one() {
        let mut line = holds("bob", "as", "A♠");
        assert!(!line.gather(&holds("ann", "ks", "K♠")));
        assert!(line.gather(&holds("bob", "ks", "K♠")));
        assert_eq!(line.text(), "bob holds A♠ K♠");
        assert_eq!(line.facts, ["(hand bob as)", "(hand bob ks)"]);
        assert!(line.gather(&holds("bob", "j", "the joker")));
        assert_eq!(line.text(), "bob holds A♠, K♠, the joker");
    }
}
