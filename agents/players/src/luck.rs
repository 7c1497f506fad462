//! How far chance favoured the players of a match.

use std::sync::Arc;

use croupier_engine::{
    ByPlayer, Game, JointMove, RoleId, Roles,
    batch::{Generator, Lanes, Plane},
    game::GameNetwork,
    stages::propnet::Phase,
};
use thiserror::Error;

use crate::Baseline;

/// Words of a plane.
pub(crate) const W: usize = 8;

/// How often the lanes are filled to estimate the value of one moment of a match.
const PASSES: u64 = 4;

/// How far chance favoured a player, in goal values: by its moves before any player had a choice, and by all later ones.
pub type Luck = [f64; 2];

/// Says how far chance favoured the players of a match that is over.
///
/// The rest of the match is played out 2,048 times before a move of chance and after it. The difference of the means is the luck
/// of that move. It is zero on average whatever the playouts are like, because the value before the move is the mean over all
/// possible moves of chance. So luck, times any constant, can be subtracted from a result without changing its expectation; the
/// adjusted result varies less, because the cards no longer count.
///
/// Playouts follow the line on which luck decides most: a player who can call or check does so, and other players choose
/// uniformly.
///
/// # Sources
/// D. Billings, M. Kan: A Tool for the Direct Assessment of Poker Decisions, ICGA Journal 29(3), 2006. For any game: M. White,
/// M. Bowling: Learning a Value Analysis Tool for Agent Evaluation, IJCAI 2009. AIVAT (N. Burch et al., AAAI 2018) does the same
/// for choices of a player with a known strategy; that part is omitted, because a record has moves but no strategies.
///
/// ```
/// use croupier_engine::{Game, Options, Status};
/// use croupier_players::LuckMeter;
///
/// // A coin that somebody else tosses.
/// let rules = "(role me) (role random) (init begun) (legal me wait) (legal random heads) (legal random tails)
///     (<= (next won) (does random heads)) (<= (next lost) (does random tails)) (<= terminal (not (true begun)))
///     (<= (goal me 100) (true won)) (<= (goal me 0) (true lost))";
/// let game = Game::compile(rules, &Options::PLAY)?.game;
/// let Status::Running { legal } = game.status(game.initial_state(), &mut game.scratch())? else { return Ok(()) };
/// let tossed = game.joint_moves(&legal).next().ok_or("heads come first")?;
/// let luck = LuckMeter::new(&game)?.measure(&[tossed], [7; 32])?;
/// let me = game.roles().find("me").ok_or("a role of the game")?;
/// // Half of a hundred was to be expected.
/// assert!((luck[me][0] - 50.0).abs() < 6.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct LuckMeter {
    roles: Roles,
    pub(crate) network: Arc<GameNetwork>,
    pub(crate) lanes: Lanes<W>,
    /// By role, the values of its goals by the index that the tape assigns to them.
    goals: Vec<Vec<Option<f64>>>,
    /// By role, the moves that it prefers, the first preference first.
    preferred: Vec<Vec<usize>>,
    turns_max: usize,
}

/// Why luck cannot be told.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum LuckError {
    /// Thousands of playouts a match are only cheap on a tape.
    #[error("the rules cannot be compiled to a network, so measuring luck would take too long")]
    NoNetwork,
    /// A playout cannot be counted.
    #[error("a playout ended without a goal for every role, had no legal move for a role, or did not end")]
    OpenEnd,
    /// It is of another game.
    #[error("a move does not belong to this game")]
    Unknown,
}

/// A state of the match, and the players who have a choice in it.
#[derive(Debug)]
struct ChoiceState {
    bases: Vec<bool>,
    chance: bool,
    players: bool,
}

impl LuckMeter {
    /// For matches of a game.
    ///
    /// # Errors
    /// [`LuckError::NoNetwork`].
    pub fn new(game: &Game) -> Result<Self, LuckError> {
        let network = Arc::clone(game.network().ok_or(LuckError::NoNetwork)?);
        let rules = Baseline::Call.rules();
        let preferences = |role: RoleId| {
            let texts: Vec<_> = network.moves(role).iter().map(|&played| game.move_text(played)).collect();
            rules.fitting(&texts.iter().map(|text| &**text).collect::<Vec<&str>>())
        };
        let value_of = |role| network.goal_values(role).map(|goal| goal.map(|goal| f64::from(goal.value())));
        Ok(Self {
            roles: game.roles().clone(),
            lanes: Lanes::new(Arc::clone(network.tape())),
            goals: network.tape().roles().map(|role| value_of(role).collect()).collect(),
            preferred: network.tape().roles().map(preferences).collect(),
            turns_max: game.limits().turns,
            network,
        })
    }

    /// The luck of each player in a match with these joint moves, from start to end. Draws follow from the
    /// seed, which must be different for each match.
    ///
    /// # Errors
    /// [`LuckError`] if playouts cannot be counted, or the moves are of another game.
    pub fn measure(
        &mut self,
        match_moves: &[JointMove],
        seed: [u8; 32],
    ) -> Result<ByPlayer<Luck>, LuckError> {
        let moments = self.walk(match_moves)?;
        let mut luck = vec![[0.0; 2]; self.goals.len()];
        let (mut turn, mut is_later, mut stream) = (0, false, 0);
        while turn < match_moves.len() {
            let ChoiceState { chance, players, .. } = moments[turn];
            let first = turn;
            turn += 1;
            if chance {
                // Moves of chance that follow each other are one.
                while moments[turn].chance && !moments[turn].players {
                    turn += 1;
                }
                let before =
                    self.worth(&moments[first].bases, Some(&match_moves[first]), seed, &mut stream)?;
                let after = self.worth(&moments[turn].bases, None, seed, &mut stream)?;
                for (luck, (before, after)) in luck.iter_mut().zip(before.into_iter().zip(after)) {
                    luck[usize::from(is_later)] += after - before;
                }
            }
            is_later |= players;
        }
        Ok(ByPlayer::from_fn(&self.roles, |role| luck[role.index()]))
    }

    /// The moments before every turn, and after the last.
    fn walk(&mut self, match_moves: &[JointMove]) -> Result<Vec<ChoiceState>, LuckError> {
        let network = Arc::clone(&self.network);
        let tape = network.tape();
        let mut moments = Vec::with_capacity(match_moves.len() + 1);
        let mut bases = tape.initial().to_vec();
        for joint_move in match_moves {
            self.lanes.set_states(Plane::ALL, &bases);
            self.lanes.evaluate(Phase::State);
            let [mut chance, mut players] = [false; 2];
            for role in tape.roles() {
                let numbers = 0..tape.moves_count(role);
                let choices = numbers.filter(|&number| self.lanes.legal(role, number).get(0)).count();
                *(if self.roles.random() == Some(role) { &mut chance } else { &mut players }) |= choices > 1;
                let number = network.move_number(role, joint_move.of(role)).ok_or(LuckError::Unknown)?;
                self.lanes.make(role, number, Plane::ALL);
            }
            self.lanes.evaluate(Phase::Next);
            let next = (0..tape.bases_count()).map(|base| self.lanes.next(base).get(0)).collect();
            moments.push(ChoiceState { bases: std::mem::replace(&mut bases, next), chance, players });
        }
        moments.push(ChoiceState { bases, chance: false, players: false });
        Ok(moments)
    }

    /// By role, the mean value of a state if the players first make these moves in it.
    fn worth(
        &mut self,
        bases: &[bool],
        made: Option<&JointMove>,
        seed: [u8; 32],
        stream: &mut u64,
    ) -> Result<Vec<f64>, LuckError> {
        let mut sums = vec![0.0; self.goals.len()];
        for _ in 0..PASSES {
            let mut random = Generator::new(seed, *stream);
            *stream += 1;
            self.lanes.set_states(Plane::ALL, bases);
            self.play_out(made, &mut random)?;
            self.count(&mut sums)?;
        }
        let playouts = (PASSES * Plane::<W>::LANES as u64) as f64;
        Ok(sums.into_iter().map(|sum| sum / playouts).collect())
    }

    /// Plays the states of all lanes out; the players first make these moves.
    pub(crate) fn play_out(
        &mut self,
        mut made: Option<&JointMove>,
        random: &mut Generator<W>,
    ) -> Result<(), LuckError> {
        for _ in 0..=self.turns_max {
            self.lanes.evaluate(Phase::State);
            let running = !self.lanes.terminal();
            if !running.any() {
                return Ok(());
            }
            self.play_turn(running, made.take(), random)?;
        }
        Err(LuckError::OpenEnd)
    }

    /// Plays the states of all lanes out. Returns the lanes in which a move was drawn among several.
    pub(crate) fn play_out_watched(&mut self, random: &mut Generator<W>) -> Result<Plane<W>, LuckError> {
        let mut drawn = Plane::NONE;
        for _ in 0..=self.turns_max {
            self.lanes.evaluate(Phase::State);
            let running = !self.lanes.terminal();
            if !running.any() {
                return Ok(drawn);
            }
            drawn |= self.open(running);
            self.play_turn(running, None, random)?;
        }
        Err(LuckError::OpenEnd)
    }

    /// Plays a turn in these lanes, whose states are evaluated.
    fn play_turn(
        &mut self,
        running: Plane<W>,
        made: Option<&JointMove>,
        random: &mut Generator<W>,
    ) -> Result<(), LuckError> {
        if self.lanes.choose(running, random).any() {
            return Err(LuckError::OpenEnd);
        }
        match made {
            Some(joint_move) => self.make(joint_move)?,
            None => self.prefer(running),
        }
        self.lanes.evaluate(Phase::Next);
        self.lanes.advance_in(running);
        Ok(())
    }

    /// The lanes in which some role has several moves and prefers none of them.
    fn open(&self, running: Plane<W>) -> Plane<W> {
        let mut open = Plane::NONE;
        for role in self.network.tape().roles() {
            let (mut some, mut several) = (Plane::NONE, Plane::NONE);
            for number in 0..self.network.tape().moves_count(role) {
                let here = self.lanes.legal(role, number) & running;
                several |= some & here;
                some |= here;
            }
            if self.roles.random() != Some(role) {
                let preferred = self.preferred[role.index()].iter();
                several = preferred.fold(several, |left, &number| left & !self.lanes.legal(role, number));
            }
            open |= several;
        }
        open
    }

    /// Has the players make moves that are given.
    fn make(&mut self, joint_move: &JointMove) -> Result<(), LuckError> {
        for role in self.roles.players() {
            let number = self.network.move_number(role, joint_move.of(role)).ok_or(LuckError::Unknown)?;
            self.lanes.make(role, number, Plane::ALL);
        }
        Ok(())
    }

    /// Replaces drawn moves by the moves that the players prefer, where they can make them.
    fn prefer(&mut self, running: Plane<W>) {
        for role in self.roles.players() {
            let mut open = running;
            for &number in &self.preferred[role.index()] {
                let here = self.lanes.legal(role, number) & open;
                if here.any() {
                    self.lanes.make(role, number, here);
                    open &= !here;
                }
            }
        }
    }

    /// Adds up the goals of every role.
    fn count(&mut self, sums: &mut [f64]) -> Result<(), LuckError> {
        self.lanes.evaluate(Phase::Goal);
        for role in self.roles.players() {
            let mut without = Plane::<W>::ALL;
            for (index, has) in self.lanes.goals(role) {
                let Some(value) = self.goals[role.index()][index as usize] else { continue };
                sums[role.index()] += value * f64::from(has.count());
                without &= !has;
            }
            if without.any() {
                return Err(LuckError::OpenEnd);
            }
        }
        Ok(())
    }
}
