//! Why a seat has no move, or a match is not played: the codes of the log, which reveal nothing of a match.

use croupier_players::PlayerError;

macro_rules! reasons {
    ($($reason:ident $code:literal $meaning:literal;)*) => {
        /// Why a seat has no move, or a match is not played.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum NoMove {
            $(#[doc = $meaning] $reason,)*
        }

        impl NoMove {
            /// A stable word for logs.
            pub(crate) const fn code(self) -> &'static str {
                match self { $(Self::$reason => $code),* }
            }
        }
    };
}

reasons! {
    BadModel "bad-model" "A role is modelled that the player has itself.";
    BadPolicy "bad-policy" "The policy in the file names a move that is not legal.";
    EarlierTurn "earlier-turn" "The message is about a turn before the last one.";
    InconsistentMessages "inconsistent-messages" "No history of the game agrees with what was told.";
    NoTime "no-time" "The time was up before a legal move was found.";
    NothingToPlay "nothing-to-play" "The role has no legal move.";
    NothingTold "nothing-told" "A message behind the first turn says nothing of the last one.";
    Over "over" "The match is over.";
    Panicked "panicked" "The player panicked.";
    RulesFail "rules-fail" "The rules cannot be evaluated.";
    RulesRefused "rules-refused" "The rules give no game.";
    TooManyMissed "too-many-missed" "More messages were missed than can be filled in.";
    TooManyTerms "too-many-terms" "What was told has more terms than a game may.";
    TooManyTurns "too-many-turns" "More moves were requested at once than are kept.";
    TooMuchTold "too-much-told" "What was told of the match is longer than is kept.";
    UnfitBlueprint "unfit-blueprint" "The blueprint in the file is for another game.";
    UnfitMessage "unfit-message" "The message has terms that the game does not.";
    UnfitNet "unfit-net" "The net in the file is for another game.";
    UnfitPolicy "unfit-policy" "The policy in the file is for another game.";
    UnknownMatch "unknown-match" "No match has this id.";
    UnknownRole "unknown-role" "The game has no such role.";
    UnplayableRole "unplayable-role" "The role is not one that a player can have.";
    UnreadablePart "unreadable-part" "A part of the message is not a list of ground terms.";
    WrongRole "wrong-role" "The player is of another role.";
}

impl From<&PlayerError> for NoMove {
    fn from(error: &PlayerError) -> Self {
        match error {
            PlayerError::RandomRole | PlayerError::OtherRole => Self::WrongRole,
            PlayerError::NothingToPlay { .. } => Self::NothingToPlay,
            PlayerError::Blueprint { .. } => Self::UnfitBlueprint,
            PlayerError::Brought { .. } => Self::UnfitNet,
            PlayerError::Belief(_) => Self::InconsistentMessages,
            PlayerError::Policy(_) => Self::UnfitPolicy,
            PlayerError::PolicyMove { .. } => Self::BadPolicy,
            PlayerError::ModelledRole { .. } => Self::BadModel,
            PlayerError::Game(_) => Self::RulesFail,
        }
    }
}
