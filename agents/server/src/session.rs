//! The player of a match in memory: takes in what its role was told, and chooses moves.

use std::sync::Arc;

use croupier_engine::{Game, InformationSet, MoveId};
use croupier_players::{Budget, FirstLegalPlayer, Player as _, PlayerError, PlayerKind};
use croupier_seat::{Knowledge, PlayerSeat};

use crate::{
    answer::{Turn, Word},
    guess::likely_legal,
    no_move::NoMove,
    repair::{MISSING_TURNS_MAX, fill_in},
    seat::ServedSeat,
    told::{Evidence, evidence},
};

/// A player, and the fork of the game with which it computes.
///
/// It is created from the seat's transcript and can be dropped after any turn.
#[derive(Debug)]
pub(crate) struct Session {
    player: PlayerSeat,
    /// The move to play if the player does not finish.
    simple: FirstLegalPlayer,
    seed: [u8; 32],
}

/// The interpretation of a message.
#[derive(Debug)]
pub(crate) enum Basis {
    /// The match continues: the legal move that was found first.
    Known(MoveId),
    /// The message repeats the last one.
    Repeated,
    /// The message contradicts earlier ones: alternative knowledge with a move that is legal in it, or only a move that is
    /// probably legal.
    Guess(Option<InformationSet>, MoveId),
}

/// The turns since the last message that was processed.
struct Since {
    /// Assuming the moves that were sent, where no others are known.
    likely: Vec<Evidence>,
    /// Only what was told.
    sure: Vec<Evidence>,
}

/// Why a message is not processed.
enum Unfit {
    /// It repeats the last one.
    Repeated,
    /// It says why.
    Because(NoMove),
}

impl Session {
    /// A player that knows what the seat was told so far.
    ///
    /// # Errors
    /// [`NoMove`]: why the match cannot be played.
    pub(crate) fn new(seat: &ServedSeat, kind: &PlayerKind, game: &Game) -> Result<Self, NoMove> {
        let game = Arc::new(game.fork());
        let role = game.roles().find(&seat.role).ok_or(NoMove::UnknownRole)?;
        let known = seat.transcript().information_set(&game, role).map_err(|_| NoMove::TooManyTerms)?;
        let knowledge = Knowledge { game: Arc::clone(&game), known };
        let unplayable = |error: PlayerError| match error {
            PlayerError::Brought { .. } | PlayerError::Blueprint { .. } | PlayerError::Policy(_) => {
                NoMove::from(&error)
            }
            _ => NoMove::UnplayableRole,
        };
        let player = PlayerSeat::new(kind, knowledge, seat.seed).map_err(unplayable)?;
        let simple = FirstLegalPlayer::new(game, role, seat.seed).map_err(unplayable)?;
        Ok(Self { player, simple, seed: seat.seed })
    }

    /// Processes a message, and finds a legal move at once.
    ///
    /// # Errors
    /// [`NoMove`]: why there is none.
    pub(crate) fn take_in(
        &mut self,
        seat: &ServedSeat,
        turn: &Turn,
        is_over: &dyn Fn() -> bool,
    ) -> Result<Basis, NoMove> {
        let learned = seat.transcript().learned();
        match self.learn(seat, learned, turn, is_over) {
            Ok((known, legal)) => {
                let taken = seat.transcript().extend(self.game(), &known, turn.turn);
                taken.map_err(|_| NoMove::TooMuchTold)?;
                self.player.set_known(known);
                Ok(Basis::Known(legal))
            }
            Err(Unfit::Repeated) => Ok(Basis::Repeated),
            Err(Unfit::Because(why)) => {
                tracing::warn!(
                    code = why.code(),
                    turn = turn.turn,
                    "the message contradicts earlier ones: the move is a guess"
                );
                self.guess(seat, learned, turn, is_over).ok_or(why)
            }
        }
    }

    /// The player's choice after a message was processed.
    ///
    /// # Errors
    /// [`NoMove`]: why it chooses nothing.
    pub(crate) fn choose(
        &mut self,
        guessed: Option<&InformationSet>,
        is_over: &mut (dyn FnMut() -> bool + Send),
    ) -> Result<MoveId, NoMove> {
        self.player.choose(guessed, &mut Budget::Offered(is_over)).map_err(|error| NoMove::from(&error))
    }

    /// Frees data that the next decision recomputes.
    pub(crate) fn release(&mut self) {
        self.player.release();
    }

    /// The move in the notation of the match.
    pub(crate) fn text(&self, seat: &ServedSeat, chosen: MoveId) -> Arc<str> {
        seat.notation.print_term(&self.game().move_text(chosen), self.game().limits()).into()
    }

    fn game(&self) -> &Arc<Game> {
        &self.player.knowledge().game
    }

    /// Everything that the role did and was told.
    fn known(&self) -> &InformationSet {
        &self.player.knowledge().known
    }

    /// The knowledge after this message, and a legal move.
    fn learn(
        &mut self,
        seat: &ServedSeat,
        learned: u32,
        turn: &Turn,
        is_over: &dyn Fn() -> bool,
    ) -> Result<(InformationSet, MoveId), Unfit> {
        let since = self.evidence(seat, learned, turn)?;
        let legal_in = |simple: &mut FirstLegalPlayer, known: &InformationSet| {
            simple.choose(known, &mut Budget::Own).map(|decision| decision.chosen)
        };
        let complete: Option<Vec<_>> = since
            .likely
            .iter()
            .map(|evidence| Some((evidence.own_move?, evidence.percepts.clone()?)))
            .collect();
        if let Some(turns) = complete {
            let mut known = self.known().clone();
            known.turns.extend(turns);
            match legal_in(&mut self.simple, &known) {
                Ok(legal) => return Ok((known, legal)),
                Err(PlayerError::Belief(_) | PlayerError::NothingToPlay { .. }) if turn.may_repeat => {
                    return Err(Unfit::Repeated);
                }
                // What was told does not fit together: a message was missed, or another move was played than was sent.
                Err(PlayerError::Belief(_)) => {}
                Err(error) => return Err(Unfit::Because(NoMove::from(&error))),
            }
        }
        tracing::info!(turn = turn.turn, "messages were missed: filling in turns consistent with the others");
        let known = self.repaired(since, turn.is_numbered, is_over);
        let known = known.ok_or(Unfit::Because(NoMove::InconsistentMessages))?;
        let legal = legal_in(&mut self.simple, &known);
        legal.map(|legal| (known, legal)).map_err(|error| Unfit::Because(NoMove::from(&error)))
    }

    /// The turns since the last message, including those that were missed.
    fn evidence(&self, seat: &ServedSeat, learned: u32, turn: &Turn) -> Result<Since, Unfit> {
        let passed = turn.turn.checked_sub(learned).ok_or(Unfit::Because(NoMove::EarlierTurn))?;
        if passed == 0 {
            return Ok(Since { likely: Vec::new(), sure: Vec::new() });
        }
        let told = match &turn.word {
            Word::Told(told) => told,
            Word::First => return Err(Unfit::Because(NoMove::NothingTold)),
            Word::Unreadable => return Err(Unfit::Because(NoMove::UnreadablePart)),
        };
        if passed as usize > MISSING_TURNS_MAX + 1 {
            return Err(Unfit::Because(NoMove::TooManyMissed));
        }
        let told = evidence(self.game(), self.known().role, told)
            .map_err(|_| Unfit::Because(NoMove::UnfitMessage))?;
        if let Some((executed, sent)) = told.own_move.zip(self.sent(seat, turn.turn - 1))
            && executed != sent
        {
            if turn.may_repeat {
                return Err(Unfit::Repeated);
            }
            tracing::warn!(
                turn = turn.turn - 1,
                "the referee played another move: the reply was late or not accepted"
            );
            seat.book().margin_mut().note_late();
        }
        let mut sure = vec![Evidence::missing(); passed as usize - 1];
        sure.push(told);
        Ok(Since { likely: self.as_sent(seat, learned, &sure), sure })
    }

    /// The same with the moves that were sent where others are not known.
    fn as_sent(&self, seat: &ServedSeat, learned: u32, turns: &[Evidence]) -> Vec<Evidence> {
        let likely = |(of, turn): (u32, &Evidence)| Evidence {
            own_move: turn.own_move.or_else(|| self.sent(seat, of)),
            percepts: turn.percepts.clone(),
        };
        (learned..).zip(turns).map(likely).collect()
    }

    /// The move that was sent in a turn.
    fn sent(&self, seat: &ServedSeat, turn: u32) -> Option<MoveId> {
        let text = Arc::clone(seat.book().reply(turn)?);
        let canonical = seat.notation.read_term(&text, self.game().limits())?;
        self.game().move_id(&canonical).ok()
    }

    /// What the role may know: assuming the moves that were sent; or others; or, if turns are not numbered,
    /// one turn more than there were messages.
    fn repaired(
        &self,
        since: Since,
        is_numbered: bool,
        is_over: &dyn Fn() -> bool,
    ) -> Option<InformationSet> {
        let Since { likely, sure } = since;
        let one_more: Vec<Evidence> = [Evidence::missing()].into_iter().chain(sure.iter().cloned()).collect();
        let mut attempts = vec![likely, sure];
        if !is_numbered && one_more.len() > 1 {
            attempts.push(one_more);
        }
        attempts.iter().find_map(|turns| fill_in(self.game(), self.known(), turns, is_over))
    }

    /// The move to play if a message is impossible: as if it had said nothing, and the turns since had gone
    /// the most likely way. The knowledge is not changed, so that the next message can still fit.
    fn guess(
        &mut self,
        seat: &ServedSeat,
        learned: u32,
        turn: &Turn,
        is_over: &dyn Fn() -> bool,
    ) -> Option<Basis> {
        let passed = turn.turn.saturating_sub(learned);
        if passed as usize <= MISSING_TURNS_MAX + 1 {
            let missing = vec![Evidence::missing(); passed as usize];
            let as_sent = self.as_sent(seat, learned, &missing);
            for turns in [as_sent, missing] {
                let known = fill_in(self.game(), self.known(), &turns, is_over);
                let Some(known) = known else { continue };
                if let Ok(decision) = self.simple.choose(&known, &mut Budget::Own) {
                    return Some(Basis::Guess(Some(known), decision.chosen));
                }
            }
        }
        let legal = likely_legal(self.game(), self.known(), passed, self.seed);
        let last = || {
            let text = seat.book().last_reply().cloned()?;
            self.game().move_id(&seat.notation.read_term(&text, self.game().limits())?).ok()
        };
        legal.or_else(last).map(|legal| Basis::Guess(None, legal))
    }
}

/// Logs how much a strategy in a file knew of what its player met: counts alone, which reveal nothing of the match.
impl Drop for Session {
    fn drop(&mut self) {
        let Some(coverage) = self.player.coverage().filter(|coverage| coverage.met > 0) else { return };
        let (met, known) = (coverage.met, coverage.known);
        match coverage.is_few() {
            true => tracing::warn!(met, known, "the strategy in the file knows few information sets"),
            false => tracing::info!(met, known, "information sets of the strategy in the file"),
        }
    }
}
