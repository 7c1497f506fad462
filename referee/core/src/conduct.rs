//! How a player replied in a match: the moves requested, and the substitutions.

use std::collections::BTreeMap;

use crate::event::{Failure, ReplyStatus};

/// How one player answered.
///
/// The referee derives it for every player from the replies as recorded, so every driver of the
/// match gets the same, and a replay reproduces it.
///
/// ```
/// use std::sync::Arc;
/// # use croupier_engine::ByPlayer;
/// use croupier_referee::{ReplyStatus, run_match};
///
/// # use croupier_referee::{Clocks, Header, MatchSetup, Message, Nonces, Seat, SeatReply, Secrets, Seed, Substitution};
/// # use croupier_engine::{Strictness, game::PerceptReading};
/// # let rules = "(role ann) (role ben) (init begun) (legal ann left) (legal ann right) (legal ben wait)
/// #     (<= (next (went ?side)) (does ann ?side)) (<= (sees ben moved) (true begun)) (<= terminal (not (true begun)))
/// #     (<= (goal ann 100) (true (went left))) (<= (goal ann 0) (not (true (went left)))) (goal ben 50)";
/// # let setup = MatchSetup {
/// #     match_id: "friday.1".to_owned(),
/// #     series: None,
/// #     session: None,
/// #     rules: rules.to_owned(),
/// #     game_name: None,
/// #     players: ["ann", "ben"].map(|role| (role.to_owned(), "a person".to_owned())).to_vec(),
/// #     clocks: Clocks::of(10_000, 5_000),
/// #     percepts: PerceptReading::OldState,
/// #     strictness: Strictness::Compatible,
/// #     substitution: Substitution::Drawn,
/// #     turns_max: 100,
/// #     nonces: Nonces::Clear,
/// # };
/// # struct Mumbler;
/// # impl Seat for Mumbler {
/// #     fn receive(&mut self, _: &Message) -> SeatReply {
/// #         SeatReply::text("mumble")
/// #     }
/// # }
/// # let header = Arc::new(Header::compile(setup)?);
/// # let mut seats = ByPlayer::from_fn(header.roles(), |_| Box::new(Mumbler));
/// # let secrets = Secrets::from_seed(Seed::from_text("42")?);
/// // Seats that answer everything by `mumble` have their moves drawn.
/// let played = run_match(&header, secrets, &mut seats, |_, _| ());
/// let conduct = &played.conducts[header.roles().find("ann").ok_or("a role of the game")?];
/// assert_eq!((conduct.moves, conduct.substituted()), (1, 1));
/// let first = conduct.first.as_ref().ok_or("there is one")?;
/// assert_eq!((first.status, first.said.as_deref()), (ReplyStatus::Illegal, Some("mumble")));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Conduct {
    /// Why it was not ready when the match began; `None` if it was, or has not answered yet.
    pub not_ready: Option<Failure>,
    /// How many moves it had to make, in turns that were played.
    pub moves: u64,
    /// How many of them were played for it, by what its reply was instead of a legal move.
    pub substitutes: BTreeMap<ReplyStatus, u64>,
    /// The first of them.
    pub first: Option<Slip>,
}

/// A reply that gave no legal move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slip {
    /// The turn, from 0.
    pub turn: u32,
    /// The kind of reply.
    pub status: ReplyStatus,
    /// The term that the player wrote, if it wrote one.
    pub said: Option<String>,
    /// If that is no legal move, the legal ones, in canonical order.
    pub legal: Vec<String>,
}

impl Conduct {
    /// How many moves were played for it.
    #[must_use]
    pub fn substituted(&self) -> u64 {
        self.substitutes.values().sum()
    }

    /// The same by the words of the record.
    #[must_use]
    pub fn reasons(&self) -> BTreeMap<&'static str, u64> {
        self.substitutes.iter().map(|(status, times)| (status.as_str(), *times)).collect()
    }

    /// The player made a move of its own.
    pub(crate) fn count_move(&mut self) {
        self.moves += 1;
    }

    /// A move was played for the player.
    pub(crate) fn count_slip(&mut self, slip: &Slip) {
        self.moves += 1;
        *self.substitutes.entry(slip.status).or_default() += 1;
        self.first.get_or_insert_with(|| slip.clone());
    }
}
