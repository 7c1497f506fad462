//! Cards and pieces by what words say of them: `10♥`, `the king`, `red 5`, `♞`, `w`.

use crate::element::{BoardPiece, CardFace, PieceColour, PieceShape, Suit};

/// The longest text on a card or piece, in characters; longer ones are cut.
const TEXT_LENGTH_MAX: usize = 24;

/// The face of a card with rank and suit, such as `10♥`; `None` for other words.
pub(crate) fn suited(words: &str) -> Option<CardFace> {
    let suit = words.chars().next_back().and_then(Suit::of_sign)?;
    let rank = words.strip_suffix(suit.sign())?;
    let is_rank = (1..=3).contains(&rank.chars().count()) && rank.chars().all(char::is_alphanumeric);
    is_rank.then(|| CardFace::Suited { rank: rank.to_owned(), suit })
}

/// The face of whatever words name that are known to name a card.
pub(crate) fn face(words: &str) -> CardFace {
    if let Some(face) = suited(words) {
        return face;
    }
    let (mut colour, mut suit, mut texts) = (None, None, Vec::new());
    for word in words.split_whitespace() {
        match (PieceColour::of_word(word), Suit::of_word(word)) {
            (Some(known), _) if colour.is_none() => colour = Some(known),
            (None, Some(known)) if suit.is_none() => suit = Some(known),
            _ if ["the", "a", "an", "of"].contains(&word) => {}
            _ => texts.push(rank(word).unwrap_or(word)),
        }
    }
    let text = short(&texts.join(" "));
    match suit {
        Some(suit) if !text.is_empty() && text.chars().count() <= 3 => CardFace::Suited { rank: text, suit },
        _ => CardFace::Words { text, colour: colour.unwrap_or_default() },
    }
}

/// How a rank that is written out stands in the corner of a card.
fn rank(word: &str) -> Option<&'static str> {
    Some(match word {
        "ace" => "A",
        "king" => "K",
        "queen" => "Q",
        "jack" => "J",
        "ten" => "10",
        _ => return None,
    })
}

/// Text cut to what fits.
pub(crate) fn short(text: &str) -> String {
    match text.chars().count() > TEXT_LENGTH_MAX {
        true => text.chars().take(TEXT_LENGTH_MAX - 1).chain(['…']).collect(),
        false => text.to_owned(),
    }
}

/// The longest line of words that is drawn, in characters.
const LINE_LENGTH_MAX: usize = 90;

/// A line of words cut to what fits on a table.
pub(crate) fn short_line(text: &str) -> String {
    match text.chars().count() > LINE_LENGTH_MAX {
        true => text.chars().take(LINE_LENGTH_MAX - 1).chain(['…']).collect(),
        false => text.to_owned(),
    }
}

impl Suit {
    /// The suit of a sign.
    fn of_sign(sign: char) -> Option<Self> {
        [Self::Spades, Self::Hearts, Self::Diamonds, Self::Clubs].into_iter().find(|suit| suit.sign() == sign)
    }

    fn of_word(word: &str) -> Option<Self> {
        let all = [Self::Spades, Self::Hearts, Self::Diamonds, Self::Clubs];
        all.into_iter().find(|suit| suit.name() == word || suit.sign().to_string() == word)
    }

    /// Its sign.
    #[must_use]
    pub fn sign(self) -> char {
        match self {
            Self::Spades => '♠',
            Self::Hearts => '♥',
            Self::Diamonds => '♦',
            Self::Clubs => '♣',
        }
    }

    /// Its name in the plural.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Spades => "spades",
            Self::Hearts => "hearts",
            Self::Diamonds => "diamonds",
            Self::Clubs => "clubs",
        }
    }
}

impl PieceColour {
    /// All of them, each with its name.
    const NAMES: [(&'static str, Self); 11] = [
        ("white", Self::White),
        ("black", Self::Black),
        ("red", Self::Red),
        ("yellow", Self::Yellow),
        ("green", Self::Green),
        ("blue", Self::Blue),
        ("orange", Self::Orange),
        ("purple", Self::Purple),
        ("grey", Self::Grey),
        ("gray", Self::Grey),
        ("brown", Self::Brown),
    ];

    /// The colour of this name.
    pub(crate) fn of_word(word: &str) -> Option<Self> {
        let is_it = |name: &str| name.eq_ignore_ascii_case(word);
        Self::NAMES.iter().find(|(name, _)| is_it(name)).map(|&(_, colour)| colour)
    }

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::NAMES.iter().find(|(_, colour)| *colour == self).map_or("", |&(name, _)| name)
    }

    /// Colours that tell players without colours apart.
    pub(crate) fn of_player(number: usize) -> Self {
        const COLOURS: [PieceColour; 6] = [
            PieceColour::Blue,
            PieceColour::Red,
            PieceColour::Green,
            PieceColour::Orange,
            PieceColour::Purple,
            PieceColour::Brown,
        ];
        COLOURS[number % COLOURS.len()]
    }
}

/// Signs of chess and of other boards, with the piece that each is.
const SIGNS: [(&str, PieceShape, Option<PieceColour>); 22] = [
    ("♔", PieceShape::King, Some(PieceColour::White)),
    ("♕", PieceShape::Queen, Some(PieceColour::White)),
    ("♖", PieceShape::Rook, Some(PieceColour::White)),
    ("♗", PieceShape::Bishop, Some(PieceColour::White)),
    ("♘", PieceShape::Knight, Some(PieceColour::White)),
    ("♙", PieceShape::Pawn, Some(PieceColour::White)),
    ("♚", PieceShape::King, Some(PieceColour::Black)),
    ("♛", PieceShape::Queen, Some(PieceColour::Black)),
    ("♜", PieceShape::Rook, Some(PieceColour::Black)),
    ("♝", PieceShape::Bishop, Some(PieceColour::Black)),
    ("♞", PieceShape::Knight, Some(PieceColour::Black)),
    ("♟", PieceShape::Pawn, Some(PieceColour::Black)),
    ("●", PieceShape::Disc, None),
    ("○", PieceShape::Disc, None),
    ("⚫", PieceShape::Disc, Some(PieceColour::Black)),
    ("⚪", PieceShape::Disc, Some(PieceColour::White)),
    ("X", PieceShape::Cross, Some(PieceColour::Blue)),
    ("x", PieceShape::Cross, Some(PieceColour::Blue)),
    ("O", PieceShape::Ring, Some(PieceColour::Red)),
    ("o", PieceShape::Ring, Some(PieceColour::Red)),
    ("×", PieceShape::Shot, Some(PieceColour::Black)),
    ("■", PieceShape::Stone, Some(PieceColour::Grey)),
];

/// The piece that a mark on a board is; `colour` is that of the fluent, if it names one.
pub(crate) fn piece_of_mark(mark: &str, colour: Option<PieceColour>) -> BoardPiece {
    if let Some((sign, shape, own)) = SIGNS.iter().find(|(sign, _, _)| *sign == mark) {
        let plain = if *sign == "○" { PieceColour::White } else { PieceColour::Black };
        let colour = own.or(colour).unwrap_or(plain);
        return BoardPiece { shape: *shape, colour, text: String::new(), count: 1 };
    }
    let text = mark.trim_start_matches(['▲', '▼', '△', '▽']);
    let shape = match text.chars().count() {
        _ if text.len() < mark.len() => PieceShape::Tile,
        0..=2 => PieceShape::Disc,
        _ => PieceShape::Mark,
    };
    BoardPiece { shape, colour: colour.unwrap_or_default(), text: short(text), count: 1 }
}

/// The piece that the words of `[scene]` name: a shape, a colour, and what is written on it.
pub(crate) fn piece_of_words(words: &str, colour: Option<PieceColour>) -> BoardPiece {
    let mut piece = BoardPiece {
        shape: PieceShape::Disc,
        colour: colour.unwrap_or_default(),
        text: String::new(),
        count: 1,
    };
    let (mut has_shape, mut has_colour) = (false, false);
    for word in words.split_whitespace() {
        match (PieceShape::of_word(word), PieceColour::of_word(word)) {
            (Some(shape), _) if !has_shape => (piece.shape, has_shape) = (shape, true),
            (None, Some(colour)) if !has_colour => (piece.colour, has_colour) = (colour, true),
            _ => piece.text = short(format!("{} {word}", piece.text).trim_start()),
        }
    }
    piece
}

impl PieceShape {
    fn of_word(word: &str) -> Option<Self> {
        Some(match word {
            "disc" => Self::Disc,
            "crowned" => Self::Crowned,
            "tile" => Self::Tile,
            "ship" => Self::Ship,
            "cross" => Self::Cross,
            "ring" => Self::Ring,
            "stone" => Self::Stone,
            "shot" => Self::Shot,
            "mark" => Self::Mark,
            "pawn" => Self::Pawn,
            "knight" => Self::Knight,
            "bishop" => Self::Bishop,
            "rook" => Self::Rook,
            "queen" => Self::Queen,
            "king" => Self::King,
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{face, piece_of_mark, piece_of_words, suited};
    use crate::element::{CardFace, PieceColour, PieceShape, Suit};

    #[test]
    fn cards_are_recognised_by_rank_and_suit() {
        let card = |rank: &str, suit| CardFace::Suited { rank: rank.to_owned(), suit };
        assert_eq!(suited("10♥"), Some(card("10", Suit::Hearts)));
        assert_eq!(suited("A♠"), Some(card("A", Suit::Spades)));
        assert_eq!(face("queen of clubs"), card("Q", Suit::Clubs));
        for words in ["♠", "NT", "the king", "<b>♥", "a♠b"] {
            assert_eq!(suited(words), None, "{words}");
        }
    }

    #[test]
    fn other_cards_have_a_text_and_a_colour() {
        let card = |text: &str, colour| CardFace::Words { text: text.to_owned(), colour };
        assert_eq!(face("the king"), card("K", PieceColour::Black));
        assert_eq!(face("red 5"), card("5", PieceColour::Red));
        assert_eq!(face("tempura"), card("tempura", PieceColour::Black));
        assert_eq!(face("13"), card("13", PieceColour::Black));
    }

    #[test]
    fn pieces_are_recognised_by_sign_and_by_words() {
        let knight = piece_of_mark("♘", Some(PieceColour::Red));
        assert_eq!((knight.shape, knight.colour), (PieceShape::Knight, PieceColour::White));
        let disc = piece_of_mark("○", Some(PieceColour::Yellow));
        assert_eq!((disc.shape, disc.colour), (PieceShape::Disc, PieceColour::Yellow));
        let marshal = piece_of_mark("▲M", Some(PieceColour::Blue));
        assert_eq!((marshal.shape, marshal.text.as_str()), (PieceShape::Tile, "M"));
        let ship = piece_of_words("ship Blue D", None);
        assert_eq!((ship.shape, ship.colour, ship.text.as_str()), (PieceShape::Ship, PieceColour::Blue, "D"));
    }
}
