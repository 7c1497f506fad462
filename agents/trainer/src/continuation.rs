//! What moves are worth if everybody goes by a strategy afterwards.

use croupier_belief::{Histories, Policy};
use croupier_engine::{
    Game, JointMove, MoveId, RoleId, Scratch,
    draw::{unit_interval, weighted_place},
};
use croupier_games::ReviewGrounds;
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;

use crate::{
    TrainerError, TrainerOptions,
    line::{NextTurn, PlayLine},
};

/// Descents from which it is estimated how many histories follow.
const PROBES: u32 = 16;

/// What everybody does from a decision on.
pub(crate) struct Continuation<'c> {
    pub(crate) game: &'c Game,
    pub(crate) role: RoleId,
    pub(crate) policy: &'c dyn Policy,
    pub(crate) options: &'c TrainerOptions,
}

/// The values of the moves of a decision.
#[derive(Debug)]
pub(crate) struct MoveValues {
    /// By move, the mean goal; `None` if the move can be played in no history.
    pub(crate) goals: Vec<Option<f64>>,
    /// By move, the goal of each playout; empty if all histories were counted.
    samples: Vec<Vec<Option<f64>>>,
    pub(crate) grounds: ReviewGrounds,
}

impl MoveValues {
    /// What a move gives up against the best one, and the standard error of that if it rests on playouts.
    pub(crate) fn given_up(&self, place: usize) -> Option<(f64, Option<f64>)> {
        let own = self.goals[place]?;
        let (best, best_goal) = self
            .goals
            .iter()
            .enumerate()
            .filter_map(|(place, goal)| Some((place, (*goal)?)))
            .fold((place, own), |best, other| if other.1 > best.1 { other } else { best });
        let error = (!self.samples.is_empty()).then(|| self.error(best, place));
        Some((best_goal - own, error))
    }

    /// The standard error of the difference of two moves, whose playouts are paired.
    fn error(&self, one: usize, other: usize) -> f64 {
        let pairs = self.samples[one].iter().zip(&self.samples[other]);
        let differences: Vec<f64> = pairs.filter_map(|(one, other)| Some((*one)? - (*other)?)).collect();
        let count = differences.len() as f64;
        if count < 2.0 {
            return 0.0;
        }
        let mean = differences.iter().sum::<f64>() / count;
        let squares: f64 = differences.iter().map(|difference| (difference - mean).powi(2)).sum();
        (squares / (count - 1.0) / count).sqrt()
    }
}

impl Continuation<'_> {
    /// The values of moves in an information set with these histories.
    pub(crate) fn values(
        &self,
        histories: &Histories,
        moves: &[MoveId],
        is_over: &mut (dyn FnMut() -> bool + Send),
    ) -> Result<MoveValues, TrainerError> {
        let mut scratch = self.game.scratch();
        if self.histories_estimated(histories, moves, &mut scratch)? <= self.options.histories_max as f64
            && let Some(goals) = self.exactly(histories, moves, &mut scratch, is_over)?
        {
            let grounds = ReviewGrounds::Exact { histories: histories.histories_count() as u64 };
            return Ok(MoveValues { goals, samples: Vec::new(), grounds });
        }
        self.by_playouts(histories, moves, &mut scratch, is_over)
    }

    /// About how many turns follow, all moves together: the mean of the products of what there is to choose on random descents.
    ///
    /// # Sources
    /// D. E. Knuth: Estimating the efficiency of backtrack programs, Mathematics of Computation 29 (1975).
    fn histories_estimated(
        &self,
        histories: &Histories,
        moves: &[MoveId],
        scratch: &mut Scratch,
    ) -> Result<f64, TrainerError> {
        let mut sum = 0.0;
        for probe in 0..PROBES {
            let mut rng = self.rng(u64::from(probe));
            let mut line = PlayLine::of(self.game, histories.sample(&mut rng), scratch)?;
            let mut forced = moves.get(probe as usize % moves.len()).map(|&played| (self.role, played));
            let mut product = 1.0;
            while let NextTurn::Choices(choices) =
                line.next(self.game, self.policy, forced.take(), scratch)?
            {
                product *= choices.iter().map(|(_, moves)| moves.len() as f64).product::<f64>();
                sum += product;
                let Some(joint_move) = self.drawn(&choices, &mut rng) else { break };
                line = line.after(self.game, &joint_move, scratch)?;
            }
        }
        Ok(sum / f64::from(PROBES) * histories.histories_count() as f64 * moves.len() as f64)
    }

    /// The mean goals over all histories that follow; `None` if these are too many.
    fn exactly(
        &self,
        histories: &Histories,
        moves: &[MoveId],
        scratch: &mut Scratch,
        is_over: &mut (dyn FnMut() -> bool + Send),
    ) -> Result<Option<Vec<Option<f64>>>, TrainerError> {
        // An estimate may be low: what is really counted may be a few times as much.
        let mut left = self.options.histories_max.saturating_mul(4);
        let mut goals = Vec::with_capacity(moves.len());
        for &played in moves {
            let (mut sum, mut weight) = (0.0, 0.0);
            let mut open: Vec<(PlayLine, f64, bool)> = Vec::new();
            for (history, probability) in histories.iter() {
                open.push((PlayLine::of(self.game, history, scratch)?, probability, true));
                while let Some((line, share, is_first)) = open.pop() {
                    if is_over() {
                        return Err(TrainerError::Interrupted);
                    }
                    let forced = is_first.then_some((self.role, played));
                    let choices = match line.next(self.game, self.policy, forced, scratch)? {
                        NextTurn::Over(goals) => {
                            sum += share * f64::from(goals[self.role].value());
                            weight += share;
                            continue;
                        }
                        NextTurn::Choices(choices) => choices,
                    };
                    let lists = choices.map(|role| choices[role].iter().map(|&(id, _)| id).collect());
                    for joint_move in self.game.joint_moves(&lists) {
                        if left == 0 {
                            return Ok(None);
                        }
                        left -= 1;
                        let share = share * probability_of(&choices, &joint_move);
                        open.push((line.clone().after(self.game, &joint_move, scratch)?, share, false));
                    }
                }
            }
            goals.push((weight > 0.0).then(|| sum / weight));
        }
        Ok(Some(goals))
    }

    /// The mean goals of playouts from histories that are laid over the belief at equal distances; each move meets the same ones.
    fn by_playouts(
        &self,
        histories: &Histories,
        moves: &[MoveId],
        scratch: &mut Scratch,
        is_over: &mut (dyn FnMut() -> bool + Send),
    ) -> Result<MoveValues, TrainerError> {
        let playouts = self.options.playouts.max(1);
        let mut samples = vec![Vec::new(); moves.len()];
        let mut rest = histories.iter();
        let (mut current, mut reached) = (rest.next(), 0.0);
        for playout in 0..playouts {
            let point = (f64::from(playout) + 0.5) / f64::from(playouts);
            while let Some((_, probability)) = current
                && reached + probability < point
                && rest.len() > 0
            {
                reached += probability;
                current = rest.next();
            }
            let Some((history, _)) = current else { break };
            let line = PlayLine::of(self.game, history, scratch)?;
            for (&played, samples) in moves.iter().zip(&mut samples) {
                if is_over() {
                    return Err(TrainerError::Interrupted);
                }
                samples.push(self.playout(line.clone(), played, playout, scratch)?);
            }
        }
        let mean = |samples: &Vec<Option<f64>>| {
            let found: Vec<f64> = samples.iter().filter_map(|goal| *goal).collect();
            (!found.is_empty()).then(|| found.iter().sum::<f64>() / found.len() as f64)
        };
        let grounds = ReviewGrounds::Playouts { playouts, histories: histories.histories_count() as u64 };
        Ok(MoveValues { goals: samples.iter().map(mean).collect(), samples, grounds })
    }

    /// The goal that a playout comes to after a move; `None` if it is illegal there.
    fn playout(
        &self,
        mut line: PlayLine,
        played: MoveId,
        number: u32,
        scratch: &mut Scratch,
    ) -> Result<Option<f64>, TrainerError> {
        let mut rng = self.rng(u64::from(PROBES) + u64::from(number));
        let mut forced = Some((self.role, played));
        loop {
            let choices = match line.next(self.game, self.policy, forced.take(), scratch)? {
                NextTurn::Over(goals) => return Ok(Some(f64::from(goals[self.role].value()))),
                NextTurn::Choices(choices) => choices,
            };
            let Some(joint_move) = self.drawn(&choices, &mut rng) else { return Ok(None) };
            line = line.after(self.game, &joint_move, scratch)?;
        }
    }

    /// A joint move, each role's drawn by its shares; `None` if a role has none.
    fn drawn(
        &self,
        choices: &croupier_engine::ByRole<Vec<(MoveId, f64)>>,
        rng: &mut ChaCha8Rng,
    ) -> Option<JointMove> {
        let lists = choices.map(|role| {
            let shares = || choices[role].iter().map(|&(_, share)| share);
            // A draw for each role, whether it has a choice or not: the next turns of all moves meet the same numbers.
            let point = unit_interval(rng) * shares().sum::<f64>();
            let place = weighted_place(point, shares());
            place.map(|place| choices[role][place].0).into_iter().collect()
        });
        self.game.joint_moves(&lists).next()
    }

    fn rng(&self, stream: u64) -> ChaCha8Rng {
        let mut rng = ChaCha8Rng::from_seed(self.options.seed);
        rng.set_stream(stream);
        rng
    }
}

fn probability_of(choices: &croupier_engine::ByRole<Vec<(MoveId, f64)>>, joint_move: &JointMove) -> f64 {
    let share = |role: RoleId, moves: &[(MoveId, f64)]| {
        moves.iter().find(|(played, _)| *played == joint_move.of(role)).map_or(0.0, |&(_, share)| share)
    };
    choices.iter().map(|(role, moves)| share(role, moves)).product()
}
