//! The choices of a step, one row for each: what networks are shown, and moves that are drawn from their answers.

use rand_core::Rng;

use crate::TrainingError;

/// The choices of a step: which players of which lanes have one, and the legal moves. Rows are in the order of lanes, then of players.
///
/// ```
/// use croupier_training::{ShownFeatures, StepChoices};
/// use rand_chacha::{ChaCha8Rng, rand_core::SeedableRng};
///
/// // Two lanes of two players with three moves; the first player has a choice in both, the second in one.
/// let choices = StepChoices { acting: &[1, 0, 1, 1], mask: &[1, 1, 0, 0, 0, 0, 1, 1, 1, 0, 1, 1], players: 2, moves: 3 };
/// assert_eq!(choices.count(), 3);
/// let mut inputs = [0.0; 9];
/// choices.write_inputs(ShownFeatures::Bits(&[7, 8, 9, 6]), &mut inputs)?;
/// assert_eq!(inputs, [1.0, 0.0, 7.0, 1.0, 0.0, 9.0, 0.0, 1.0, 6.0]);
/// // The illegal move is not drawn, however much speaks for it; nor is what is worth nothing.
/// let (mut columns, mut logs) = ([0; 4], [0.0; 3]);
/// let none = f32::NEG_INFINITY;
/// let logits = [0.0, none, 99.0, none, none, 5.0, 99.0, none, 0.0];
/// choices.draw(&logits, &mut ChaCha8Rng::from_seed([0; 32]), &mut columns, &mut logs)?;
/// assert_eq!((columns, logs), ([0, 0, 2, 2], [0.0; 3]));
/// # Ok::<(), croupier_training::TrainingError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct StepChoices<'a> {
    /// `[lanes, players]`: 1 if a player in an open seat has a choice.
    pub acting: &'a [u8],
    /// `[lanes, players, moves]`: 1 for legal moves.
    pub mask: &'a [u8],
    /// Players of a lane.
    pub players: usize,
    /// Columns of the mask.
    pub moves: usize,
}

/// The features of all lanes and players, in their type: `[lanes, players, features]`.
#[derive(Clone, Copy, Debug)]
pub enum ShownFeatures<'a> {
    /// 0 or 1.
    Bits(&'a [u8]),
    /// From 0 to 1.
    Probabilities(&'a [f32]),
}

impl StepChoices<'_> {
    /// How many there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.acting.iter().filter(|&&acts| acts != 0).count()
    }

    /// By row, the lane times the number of players, plus the player.
    pub fn seats(&self) -> impl Iterator<Item = usize> + '_ {
        self.acting.iter().enumerate().filter(|(_, acts)| **acts != 0).map(|(seat, _)| seat)
    }

    /// Writes what networks are shown: the player, one-hot, and its features, which are `[lanes, players, features]`.
    ///
    /// # Errors
    /// [`TrainingError::Size`] if there is no room for all.
    pub fn write_inputs(&self, features: ShownFeatures<'_>, inputs: &mut [f32]) -> Result<(), TrainingError> {
        match features {
            ShownFeatures::Bits(bits) => self.write_widened(bits, inputs),
            ShownFeatures::Probabilities(shares) => self.write_widened(shares, inputs),
        }
    }

    fn write_widened<F: Copy + Into<f32>>(
        &self,
        features: &[F],
        inputs: &mut [f32],
    ) -> Result<(), TrainingError> {
        let width = features.len() / self.acting.len().max(1);
        let row = self.players + width;
        check("inputs", inputs.len(), self.count() * row)?;
        for (row, seat) in inputs.chunks_exact_mut(row.max(1)).zip(self.seats()) {
            let (players, known) = row.split_at_mut(self.players);
            players.fill(0.0);
            players[seat % self.players] = 1.0;
            let features = &features[seat * width..(seat + 1) * width];
            known.iter_mut().zip(features).for_each(|(place, &feature)| *place = feature.into());
        }
        Ok(())
    }

    /// Writes the legal moves of each row.
    ///
    /// # Errors
    /// [`TrainingError::Size`] if there is no room for all.
    pub fn write_masks(&self, masks: &mut [bool]) -> Result<(), TrainingError> {
        check("masks", masks.len(), self.count() * self.moves)?;
        for (row, seat) in masks.chunks_exact_mut(self.moves.max(1)).zip(self.seats()) {
            let legal = &self.mask[seat * self.moves..(seat + 1) * self.moves];
            row.iter_mut().zip(legal).for_each(|(place, &legal)| *place = legal != 0);
        }
        Ok(())
    }

    /// Draws a move for each row from the softmax of its logits over the legal moves: the column, by lane and player, and the logarithm
    /// of its probability, by row. A row takes one draw, so the moves follow from the logits and the generator alone.
    ///
    /// # Errors
    /// [`TrainingError::Size`] if an array has the wrong size; [`TrainingError::Logits`] if a legal move has a logit that is no number or
    /// endlessly high, or all have one that is endlessly low.
    pub fn draw(
        &self,
        logits: &[f32],
        generator: &mut dyn Rng,
        columns: &mut [i32],
        logs: &mut [f32],
    ) -> Result<(), TrainingError> {
        let count = self.count();
        check("logits", logits.len(), count * self.moves)?;
        check("log-probabilities", logs.len(), count)?;
        check("columns", columns.len(), self.acting.len())?;
        columns.fill(0);
        let mut weights = vec![0.0; self.moves];
        for (row, (seat, log)) in self.seats().zip(logs).enumerate() {
            let logits = &logits[row * self.moves..(row + 1) * self.moves];
            let legal = &self.mask[seat * self.moves..(seat + 1) * self.moves];
            // The 53 bits that a float has.
            let drawn = (generator.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
            let (column, found) =
                drawn_move(logits, legal, drawn, &mut weights).ok_or(TrainingError::Logits { row })?;
            columns[seat] = i32::try_from(column).expect("moves are fewer than 2^31");
            *log = found;
        }
        Ok(())
    }
}

/// The move at which the sum of probabilities passes `drawn`, and the logarithm of its probability; `None` if the logits are none.
fn drawn_move(logits: &[f32], legal: &[u8], drawn: f64, weights: &mut [f64]) -> Option<(usize, f32)> {
    let is_legal = |place: usize| legal[place] != 0;
    let most =
        (0..logits.len()).filter(|&place| is_legal(place)).try_fold(f32::NEG_INFINITY, |most, place| {
            (!logits[place].is_nan()).then(|| most.max(logits[place]))
        });
    let most = f64::from(most.filter(|most| most.is_finite())?);
    let mut sum = 0.0;
    for (place, weight) in weights.iter_mut().enumerate() {
        let below = f64::from(logits[place]) - most;
        // Of the likeliest that is 1, which takes no exponential.
        *weight = match is_legal(place) {
            true if below == 0.0 => 1.0,
            true => libm::exp(below),
            false => 0.0,
        };
        sum += *weight;
    }
    let mut rest = drawn * sum;
    let mut chosen = None;
    for (place, &weight) in weights.iter().enumerate().filter(|(_, weight)| **weight > 0.0) {
        // Rounding does not leave a draw without a move: the last one takes it.
        chosen = Some(place);
        rest -= weight;
        if rest < 0.0 {
            break;
        }
    }
    let chosen = chosen?;
    Some((chosen, (f64::from(logits[chosen]) - most - libm::log(sum)) as f32))
}

fn check(name: &'static str, found: usize, wanted: usize) -> Result<(), TrainingError> {
    if found == wanted { Ok(()) } else { Err(TrainingError::Size { name, found, wanted }) }
}
