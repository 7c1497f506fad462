//! Deliberate information leaks of a referee, each switched on by a test that must detect it.
//!
//! This module is compiled only with the feature `mutants`, which only the tests of the workspace enable; without it every call of
//! [`is_on`] is compiled out. Nothing is on until a test calls [`switch`].

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

/// One information leak.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "each is named after what it does, and described in `Mutant::ALL`")]
pub enum Mutant {
    UnsortedPercepts = 1,
    StopWithJointMove,
    PerceptsOfNeighbour,
    DateHeader,
    CounterHeader,
    DurationHeader,
    ErrorsOfOthers,
    StaleBytes,
    LengthOfNeighbour,
    SpacesByStateSize,
    OrderOfHashes,
    SharedSubstitutes,
    GlobalDraws,
    IdFromSeed,
    TimerAfterSlowest,
    RepeatedPercepts,
    PerceptsOfSuccessor,
    LettersSeenFirst,
    ChunkedWhenLarge,
    RetryWhenOthersAreSlow,
    PooledConnection,
    TextOfFailure,
    EntityTag,
    LastModified,
    HiddenMetrics,
    StateHashInFeed,
    TermsInLog,
    Compression,
    TwoWrites,
    OrderOfReplies,
    GoalsInStop,
    LegalCountInFeed,
    PageOfAnotherSeat,
    FeedAheadOfTurn,
    SeedInLog,
    UnseenEvents,
    EventPerceptsOfAll,
    ReceiptsOfOthers,
    InstantsCountUpdates,
    LegalMovesOfState,
}

impl Mutant {
    /// Every mutant in numerical order, with a description.
    pub const ALL: [(Self, &'static str); 40] = [
        (Self::UnsortedPercepts, "percepts in an order of their own"),
        (Self::StopWithJointMove, "STOP carries the moves of all roles"),
        (Self::PerceptsOfNeighbour, "a role is told what its neighbour perceives"),
        (Self::DateHeader, "a Date header in messages"),
        (Self::CounterHeader, "a counter over all messages in a header"),
        (Self::DurationHeader, "how long the turn took in a header"),
        (Self::ErrorsOfOthers, "what others did wrong in a message"),
        (Self::StaleBytes, "bytes of the message before, from a buffer that is used again"),
        (Self::LengthOfNeighbour, "the length of another role's message"),
        (Self::SpacesByStateSize, "as many spaces as the state has fluents"),
        (Self::OrderOfHashes, "percepts in the order of a hash table"),
        (Self::SharedSubstitutes, "substitutes of all roles from one stream"),
        (Self::GlobalDraws, "draws from a generator of the process"),
        (Self::IdFromSeed, "the id of a match is made from its seed"),
        (Self::TimerAfterSlowest, "a player's clock starts again when another replies"),
        (Self::RepeatedPercepts, "a percept as often as rules give it"),
        (Self::PerceptsOfSuccessor, "percepts of the state after the turn"),
        (Self::LettersSeenFirst, "symbols in the letters in which any match wrote them first"),
        (Self::ChunkedWhenLarge, "long messages in chunks"),
        (Self::RetryWhenOthersAreSlow, "a message again while another role is slow"),
        (Self::PooledConnection, "one connection for two roles"),
        (Self::TextOfFailure, "a refusal quotes what it failed on"),
        (Self::EntityTag, "an ETag over the whole match"),
        (Self::LastModified, "Last-Modified of the step that nobody sees"),
        (Self::HiddenMetrics, "counts of the hidden state in the metrics"),
        (Self::StateHashInFeed, "the digest of the state for spectators"),
        (Self::TermsInLog, "percepts in the log at INFO"),
        (Self::Compression, "compressed messages"),
        (Self::TwoWrites, "a long message in two writes"),
        (Self::OrderOfReplies, "roles are told in the order of their replies"),
        (Self::GoalsInStop, "STOP carries the goals of all roles"),
        (Self::LegalCountInFeed, "how many moves were legal, for spectators"),
        (Self::PageOfAnotherSeat, "a page of a seat from a cache without the role"),
        (Self::FeedAheadOfTurn, "the feed counts from the beginning of a turn, not from its end"),
        (Self::SeedInLog, "the seed in the debug print of a setup"),
        (Self::UnseenEvents, "in real time, an event for updates that a role is not told of"),
        (Self::EventPerceptsOfAll, "in real time, events carry the percepts of all roles"),
        (Self::ReceiptsOfOthers, "in real time, everybody is told that a move was received"),
        (Self::InstantsCountUpdates, "in real time, instants grow with the number of updates"),
        (Self::LegalMovesOfState, "a seat that asks is told the legal moves of the true state"),
    ];
}

/// The number of the mutant that is on, 0 for none.
static ON: AtomicUsize = AtomicUsize::new(0);

/// Draws of the process so far.
static DRAWS: AtomicU64 = AtomicU64::new(0);

/// A draw of `random` in a match of any kind, from a generator that all matches share.
pub(crate) fn draw(index: u64, n: u64) -> u64 {
    if !is_on(Mutant::GlobalDraws) {
        return index;
    }
    (index + DRAWS.fetch_add(1, Ordering::Relaxed) + 1) % n
}

/// Whether a mutant is on.
#[must_use]
pub fn is_on(mutant: Mutant) -> bool {
    ON.load(Ordering::Relaxed) == mutant as usize
}

/// Switches one mutant on and all others off, for the whole process.
pub fn switch(to: Option<Mutant>) {
    ON.store(to.map_or(0, |mutant| mutant as usize), Ordering::SeqCst);
}
