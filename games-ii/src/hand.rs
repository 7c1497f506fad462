//! Hands of two cards by class, as card players name them: `AA`, `AKs` for an ace and a king of one suit, `AKo` for two suits.

use std::fmt;

use crate::{
    phrase::{Phrase, PhrasePiece},
    scene::Scene,
    term::{Binding, PatternTerm},
    words::Words,
};

/// The signs that the words for a card end with.
const SUITS: [char; 4] = ['♠', '♥', '♦', '♣'];

/// What stands for the hand in what is said of its holder; words that can be printed have none.
const HAND: &str = "\0";

/// A card that somebody holds, as the words of a game say it: a fluent for which `[table]` has a line that gathers such cards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeldCard {
    /// The fluents of the same holder, with a variable for the card: `(hand bob ?card)`.
    pub of: String,
    /// The card, as the rules name it.
    pub term: String,
    line: String,
    rank: Rank,
    suit: char,
}

/// A rank, by the first name of `[symbols]` that has it: people list the strongest first.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Rank {
    place: usize,
    name: String,
}

/// What the suits make of two cards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum HandKind {
    /// Two of one rank.
    Pair,
    /// Two ranks of one suit.
    Suited,
    /// Two ranks of two suits.
    Offsuit,
}

/// Two cards by their ranks, and whether they are of one suit; the strongest comes first.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct HandClass {
    is_unpaired: bool,
    high: Rank,
    low: Rank,
    /// What the suits make of them.
    pub kind: HandKind,
}

impl HeldCard {
    /// The card, as card players write it: `A♠`, `T♥`.
    #[must_use]
    pub fn card(&self) -> String {
        format!("{}{}", self.rank.name, self.suit)
    }

    /// What is said of the holder who holds this: `Bob holds AKs`.
    #[must_use]
    pub fn line(&self, hand: &str) -> String {
        self.line.replace(HAND, hand)
    }
}

impl HandKind {
    /// What is said of somebody who holds such a hand.
    #[must_use]
    pub fn text(self) -> &'static str {
        match self {
            Self::Pair => "a pair",
            Self::Suited => "two ranks of one suit",
            Self::Offsuit => "two ranks of two suits",
        }
    }
}

impl HandClass {
    /// The class of two cards.
    #[must_use]
    pub fn of(one: &HeldCard, other: &HeldCard) -> Self {
        let (high, low) = if one.rank <= other.rank { (one, other) } else { (other, one) };
        let kind = match (one.rank == other.rank, one.suit == other.suit) {
            (true, _) => HandKind::Pair,
            (false, true) => HandKind::Suited,
            (false, false) => HandKind::Offsuit,
        };
        let is_unpaired = kind != HandKind::Pair;
        Self { is_unpaired, high: high.rank.clone(), low: low.rank.clone(), kind }
    }

    /// The two ranks, the higher first, as they are called in the class.
    #[must_use]
    pub fn ranks(&self) -> [&str; 2] {
        [&self.high.name, &self.low.name]
    }
}

impl fmt::Display for HandClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let suits = match self.kind {
            HandKind::Pair => "",
            HandKind::Suited => "s",
            HandKind::Offsuit => "o",
        };
        write!(f, "{}{}{suits}", self.high.name, self.low.name)
    }
}

impl Words {
    /// The card with rank and suit that a fluent says somebody to hold; `None` if it says something else.
    ///
    /// ```
    /// use croupier_games::HandClass;
    /// let words = croupier_games::find("holdem").ok_or("the catalogue has it")?.facts()?.words;
    /// let held = |fluent| words.held_card(fluent).ok_or("a card");
    /// let (ten, ace) = (held("(hand bob th)")?, held("(hand bob ah)")?);
    /// assert_eq!(ten.of, "(hand bob ?card)");
    /// assert_eq!(ten.line(&HandClass::of(&ten, &ace).to_string()), "Bob holds ATs");
    /// assert_eq!(words.held_card("(paid bob 2)"), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn held_card(&self, fluent: &str) -> Option<HeldCard> {
        let term = PatternTerm::parse(fluent).ok()?;
        let fits = |phrase: &&Phrase| phrase.conditions.is_empty() && phrase.pattern.matches(&term).is_some();
        let phrase = self.table.iter().find(fits)?;
        let mut binding = phrase.pattern.matches(&term)?;
        let mut gathered = phrase.template.iter().filter_map(|piece| match piece {
            PhrasePiece::Gathered(PatternTerm::Variable(name)) => Some(name),
            _ => None,
        });
        let (Some(name), None) = (gathered.next(), gathered.next()) else { return None };
        let line = self.line_of_holder(phrase, &binding);
        let place = binding.iter().position(|(variable, _)| variable == name)?;
        let (_, card) = binding.remove(place);
        let term = card.to_string();
        let (rank, suit) = rank_and_suit(&self.symbol_text(&term))?;
        Some(HeldCard {
            of: phrase.pattern.filled(&binding).to_string(),
            term,
            line,
            rank: Rank { place: self.rank_place(&rank), name: rank },
            suit,
        })
    }

    /// The ranks of the cards that `[symbols]` names, the strongest first: `A`, `K`, ... `2`.
    #[must_use]
    pub fn card_ranks(&self) -> Vec<String> {
        let mut ranks: Vec<String> = Vec::new();
        for phrase in &self.symbols {
            if let [PhrasePiece::Text(text)] = phrase.template.as_slice()
                && let Some((rank, _)) = rank_and_suit(text)
                && !ranks.contains(&rank)
            {
                ranks.push(rank);
            }
        }
        ranks
    }

    fn line_of_holder(&self, phrase: &Phrase, binding: &Binding<'_>) -> String {
        let nothing = Scene::nothing();
        let said = |piece: &PhrasePiece| match piece {
            PhrasePiece::Text(plain) => plain.clone(),
            PhrasePiece::Part(part) => self.part_text(&part.filled(binding), &nothing),
            PhrasePiece::Gathered(_) => HAND.to_owned(),
        };
        phrase.template.iter().map(said).collect()
    }

    /// Where the first card of a rank stands in `[symbols]`.
    fn rank_place(&self, rank: &str) -> usize {
        let has_rank = |phrase: &Phrase| match phrase.template.as_slice() {
            [PhrasePiece::Text(text)] => rank_and_suit(text).is_some_and(|(other, _)| other == rank),
            _ => false,
        };
        self.symbols.iter().position(has_rank).unwrap_or(usize::MAX)
    }
}

/// Rank and suit of a card in words, such as `10♥`; a ten is a `T` among other ranks.
fn rank_and_suit(words: &str) -> Option<(String, char)> {
    let suit = words.chars().next_back().filter(|sign| SUITS.contains(sign))?;
    let rank = words.strip_suffix(suit)?;
    let is_rank = !rank.is_empty() && rank.chars().all(char::is_alphanumeric);
    is_rank.then(|| (if rank == "10" { "T" } else { rank }.to_owned(), suit))
}

#[cfg(test)]
mod tests {
    use super::{HandClass, HeldCard};
    use crate::{facts::GameFacts, words::Words};

    const GAME: &str = "title = 'T'\nsummary = 'S'\n[symbols]\nas = 'A♠'\nah = 'A♥'\ntr = '10♥'\nts = '10♠'\nb = 'Bob'
        [table]\n'(hand ?player ?card)' = '{player} holds {card*}'\n'(dice ?player ?card)' = '{player} rolls {card}'";

    fn words() -> Words {
        GameFacts::parse(GAME).expect("sound facts").words
    }

    #[test]
    fn hands_are_named_as_card_players_do_and_the_strongest_comes_first() {
        let words = words();
        let card = |name: &str| words.held_card(&format!("(hand b {name})")).expect("a card");
        let class = |one: HeldCard, other: HeldCard| HandClass::of(&one, &other);
        let mut classes = [
            class(card("tr"), card("as")),
            class(card("ts"), card("tr")),
            class(card("ts"), card("as")),
            class(card("as"), card("ah")),
        ];
        classes.sort();
        let named: Vec<String> = classes.iter().map(ToString::to_string).collect();
        assert_eq!(named, ["AA", "TT", "ATs", "ATo"]);
    }

    #[test]
    fn only_a_line_that_gathers_cards_with_rank_and_suit_tells_of_a_hand() {
        let words = words();
        assert_eq!(words.held_card("(hand b king)"), None);
        assert_eq!(words.held_card("(dice b as)"), None);
        assert_eq!(words.held_card("(hand b as)").expect("a card").line("AA"), "Bob holds AA");
    }
}
