//! What a picture consists of: players, zones, cards, boards, pieces, chips, dice, counters and texts.
//!
//! Everything has an id that stays the same from picture to picture, so that a page can move it instead of drawing it anew; a label for
//! people who hear the page; and a mark if it has just changed. Nothing here is a colour of the page or a place on it.

/// Something on a table that is drawn on its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Element {
    /// Unique in its picture, and safe as the value of an `id` attribute.
    pub id: String,
    /// What it is, in words.
    pub label: String,
    /// Whether it was not there, or was something else, in the picture before.
    pub changed: bool,
    /// The part of a move that means this element, as the rules have it: a card of a hand, or the place of one. Empty if there is none.
    pub term: String,
    /// What it is.
    pub kind: ElementKind,
}

/// What an element is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ElementKind {
    /// A playing card.
    Card(CardFace),
    /// A die; `None` if nobody who looks knows what it shows.
    Die(Option<String>),
    /// A stack of chips worth this much.
    Chips(i64),
    /// A piece that lies beside a board.
    Piece(BoardPiece),
    /// A number, and what it counts.
    Counter {
        /// What it counts, such as `cards in the stock`.
        title: String,
        /// How many.
        value: i64,
    },
    /// Words.
    Text(String),
}

/// What is seen of a card.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CardFace {
    /// Its back: whoever looks does not know it.
    Back,
    /// A card with rank and suit.
    Suited {
        /// As it stands in the corner: `A`, `K`, `10`.
        rank: String,
        /// Its suit.
        suit: Suit,
    },
    /// Any other card: words on a colour.
    Words {
        /// As in the corner, short: `K`, `5`, `maki`.
        text: String,
        /// The colour of its words.
        colour: PieceColour,
    },
}

/// The suits of the French deck.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Suit {
    /// `♠`
    Spades,
    /// `♥`
    Hearts,
    /// `♦`
    Diamonds,
    /// `♣`
    Clubs,
}

/// How many colours the suits have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SuitColours {
    /// Black, red, blue and green, as on screens.
    #[default]
    Four,
    /// Black and red, as on paper.
    Two,
}

/// Elements that lie together: a hand, the board of a card game, a pile, what somebody bets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Zone {
    /// Unique in its picture.
    pub id: String,
    /// What lies there, in words: `Alice's hand: A♠, K♠`.
    pub label: String,
    /// What it is called, such as `hand`; empty for what needs no name.
    pub title: String,
    /// Whether something in it has just changed, or has gone.
    pub changed: bool,
    /// How its elements lie.
    pub arrangement: Arrangement,
    /// In an order that means something: a hand is sorted, what was dealt is as it came.
    pub elements: Vec<Element>,
}

impl Zone {
    /// The title, where it is not plain from what lies there: cards before a player are a hand.
    pub(crate) fn shown_title(&self) -> &str {
        match self.title.as_str() {
            "card" | "cards" | "hand" | "bet" | "dice" | "die" | "board" => "",
            title => title,
        }
    }
}

/// How the elements of a zone lie.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Arrangement {
    /// Side by side.
    #[default]
    Row,
    /// One below the other.
    Column,
    /// One upon the other: the last is seen.
    Pile,
}

/// A player at the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayerElement {
    /// Unique in its picture.
    pub id: String,
    /// What there is to say of the player, in words.
    pub label: String,
    /// Whether it has just changed who is to act, who is out, what is said of the player, or the stack.
    pub changed: bool,
    /// The name of the role in the rules.
    pub role: String,
    /// What people call the role. A page may put a person's name here.
    pub name: String,
    /// Whether the player is known to be the one, or one of those, whose turn it is.
    pub is_to_act: bool,
    /// Whether the player takes no more part: has folded.
    pub is_out: bool,
    /// Whether the player has the dealer's button.
    pub has_button: bool,
    /// What the player holds in chips beside what lies on the table.
    pub stack: Option<i64>,
    /// The time left, as a page wants it to be read. A picture knows no clock: it is `None` until a page fills it in.
    pub clock: Option<String>,
    /// What else is said of the player: `big blind`, `points 3`.
    pub notes: Vec<Element>,
    /// What lies in front of the player: a hand, bets, tricks.
    pub zones: Vec<Zone>,
}

/// A board of squares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardElement {
    /// Unique in its picture.
    pub id: String,
    /// What it is, in words.
    pub label: String,
    /// What stands above it; empty if there is one board only.
    pub title: String,
    /// The names of its columns from left to right, in words.
    pub columns: Vec<String>,
    /// The names of its rows from top to bottom, in words.
    pub rows: Vec<String>,
    /// What its squares look like.
    pub shape: BoardShape,
    /// Whether it is seen from the other side: its rows and columns are in the opposite order.
    pub is_turned: bool,
    /// Row by row.
    pub squares: Vec<Vec<BoardSquare>>,
}

/// What the squares of a board look like.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BoardShape {
    /// Squares of one colour.
    #[default]
    Plain,
    /// Squares of two colours in turn.
    Chequered,
    /// Hexagons, each row half of one further to the right.
    Hexagons,
    /// The points of backgammon, from the upper edge.
    PointsDown,
    /// The points of backgammon, from the lower edge.
    PointsUp,
    /// Holes in a frame that stands upright.
    Holes,
}

/// One square of a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardSquare {
    /// Unique in its picture.
    pub id: String,
    /// Where it is and what stands there, in words: `e4, white knight`.
    pub label: String,
    /// Whether something else stood there in the picture before.
    pub changed: bool,
    /// What is known to stand there, the last upon the others.
    pub pieces: Vec<BoardPiece>,
    /// Whether something else may stand there, for all that is known.
    pub is_open: bool,
}

/// A piece of a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardPiece {
    /// What it looks like.
    pub shape: PieceShape,
    /// Its colour.
    pub colour: PieceColour,
    /// What is written on it; empty as a rule.
    pub text: String,
    /// How many of them stand there; one as a rule.
    pub count: u32,
}

/// What a piece looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PieceShape {
    /// A round, flat piece.
    Disc,
    /// A crowned disc of draughts.
    Crowned,
    /// A square piece with something written on it.
    Tile,
    /// Part of a ship.
    Ship,
    /// A cross of two strokes.
    Cross,
    /// A ring.
    Ring,
    /// An arrow, or whatever else blocks a square.
    Stone,
    /// The hole of a shot.
    Shot,
    /// Words without a piece.
    Mark,
    /// Of chess.
    Pawn,
    /// Of chess.
    Knight,
    /// Of chess.
    Bishop,
    /// Of chess.
    Rook,
    /// Of chess.
    Queen,
    /// Of chess.
    King,
}

/// The colour of a piece or card.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum PieceColour {
    /// White or ivory.
    White,
    /// Black, and what has no colour.
    #[default]
    Black,
    /// Red.
    Red,
    /// Yellow.
    Yellow,
    /// Green.
    Green,
    /// Blue.
    Blue,
    /// Orange.
    Orange,
    /// Purple.
    Purple,
    /// Grey.
    Grey,
    /// Brown.
    Brown,
}
