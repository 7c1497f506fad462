//! How hands compare with a board: how strong each is, and what pairs of them win if nobody bets more.

use std::sync::Arc;

use croupier_solvers::{BoardForm, HandGame, HandTape};
use rustc_hash::FxHashMap;

use crate::{dealt::DealtState, pairs::PairNumbers};

/// How hands compare with a board, by their numbers among all.
#[derive(Debug)]
struct BoardComparison {
    /// By player and hand, in which of [`DealtState::STRENGTHS`] parts it is.
    strengths: [Vec<u8>; 2],
    /// By pair of hands, what share of what is at stake the first player gets if nobody does more than it takes to compare them, from -1
    /// to 1; the second gets the opposite.
    shares: Option<Vec<f32>>,
}

/// How hands compare, by board; of boards that are alike by a symmetry of the rules, one is kept.
///
/// A network reads ranges and says values by strength, as it is the strength of a hand that counts, and no network has to learn which cards
/// make it. And what hands win if nobody bets more follows from the rules: a network says what they are worth beyond that.
///
/// # Sources
/// M. Moravčík et al.: DeepStack, Science 356, 2017, where hands are put together by their strength too.
#[derive(Debug)]
pub(crate) struct BoardComparisons {
    game: Arc<HandGame>,
    tape: HandTape,
    known: FxHashMap<Vec<u32>, Arc<BoardComparison>>,
    /// By whole board, the shares of all pairs in [`UNITS`].
    whole: FxHashMap<Vec<u32>, Vec<i8>>,
}

/// What is known of the hands of a public state.
#[derive(Clone, Debug)]
pub(crate) struct ComparedHands {
    /// By player and hand, how strong it is, from 0 on.
    pub(crate) strengths: [Arc<Vec<usize>>; 2],
    /// By pair of hands, its share times how likely it is dealt.
    pub(crate) shares: Option<Arc<PairNumbers>>,
}

/// Pairs of hands of which all are compared: those of royal hold'em. In larger games some are.
const PAIRS_MAX: usize = 50_000;

/// Numbers that are kept of boards, and of whole ones: all of royal hold'em, and of hold'em all boards that are not whole.
const NUMBERS_MAX: usize = 50_000_000;

/// Parts of a share, from none to all that is at stake.
const UNITS: f32 = 120.0;

impl BoardComparisons {
    pub(crate) fn new(game: Arc<HandGame>) -> Self {
        let (known, whole) = (FxHashMap::default(), FxHashMap::default());
        Self { tape: game.tape(), known, whole, game }
    }

    /// Whether values are what hands are worth beyond their shares: all pairs are compared, and one player gets what the other does not.
    pub(crate) fn has_shares(game: &HandGame) -> bool {
        game.chances().len() <= PAIRS_MAX && game.sum_of_goals().is_some()
    }

    /// Of these hands with a board, which chance deals in pairs with these chances.
    pub(crate) fn of(
        &mut self,
        board: &[u32],
        hands: &[Arc<Vec<u32>>; 2],
        chances: &PairNumbers,
    ) -> ComparedHands {
        let game = Arc::clone(&self.game);
        let form = game.form(board);
        let known = self.comparison(&form);
        let place = |player: usize, hand: u32| form.hand(player, hand) as usize;
        let strengths = [0, 1].map(|player| {
            let of = |&hand: &u32| usize::from(known.strengths[player][place(player, hand)]);
            Arc::new(hands[player].iter().map(of).collect())
        });
        let columns = game.hands_count(1) as usize;
        let shares = known.shares.as_ref().map(|shares| {
            let others: Vec<usize> = hands[1].iter().map(|&other| place(1, other)).collect();
            let (mut found, mut row) = (Vec::with_capacity(chances.len()), vec![0.0; others.len()]);
            for (number, &hand) in hands[0].iter().enumerate() {
                chances.write_row(number, &mut row);
                let of_hand = &shares[place(0, hand) * columns..];
                found.extend(others.iter().zip(&row).map(|(&other, chance)| chance * of_hand[other]));
            }
            Arc::new(PairNumbers::of(hands[0].len(), others.len(), found))
        });
        ComparedHands { strengths, shares }
    }

    fn comparison(&mut self, form: &BoardForm<'_>) -> Arc<BoardComparison> {
        let key = form.key();
        if let Some(known) = self.known.get(&key) {
            return Arc::clone(known);
        }
        let has_shares = Self::has_shares(&self.game);
        let [first, second] = [0, 1].map(|player| self.game.hands_count(player) as usize);
        forget(&mut self.known, if has_shares { first * second } else { first + second });
        let found = Arc::new(match has_shares {
            true => self.of_all_pairs(&form.board),
            false => {
                let strengths = self.game.strengths(&mut self.tape, &form.board);
                BoardComparison { strengths: strengths.map(|strengths| ranked(&strengths)), shares: None }
            }
        });
        self.known.insert(key, Arc::clone(&found));
        found
    }

    /// With the shares of all pairs, the mean of whole boards.
    fn of_all_pairs(&mut self, board: &[u32]) -> BoardComparison {
        let game = Arc::clone(&self.game);
        let columns = game.hands_count(1) as usize;
        forget(&mut self.whole, game.chances().len());
        let (mut sums, mut counts) = (vec![0_i32; game.chances().len()], vec![0_i32; game.chances().len()]);
        for whole in game.whole_boards(&mut self.tape, board) {
            let form = game.form(&whole);
            let numbers = [0, 1].map(|player| {
                let hands = 0..game.hands_count(player);
                hands.map(|hand| form.hand(player, hand) as usize).collect::<Vec<usize>>()
            });
            let known =
                self.whole.entry(form.key()).or_insert_with(|| whole_shares(&game, &mut self.tape, &form));
            for (first, (sums, counts)) in
                sums.chunks_mut(columns).zip(counts.chunks_mut(columns)).enumerate()
            {
                let of_hand = &known[numbers[0][first] * columns..];
                for (second, &number) in numbers[1].iter().enumerate() {
                    if of_hand[number] != NONE {
                        sums[second] += i32::from(of_hand[number]);
                        counts[second] += 1;
                    }
                }
            }
        }
        let share = |(&sum, &count): (&i32, &i32)| (count > 0).then(|| sum as f32 / (count as f32 * UNITS));
        let shares: Vec<Option<f32>> = sums.iter().zip(&counts).map(share).collect();
        let rows = game.hands_count(0) as usize;
        let of_first = (0..rows).map(|row| mean(shares[row * columns..][..columns].iter()));
        let of_second =
            (0..columns).map(|column| mean(shares[column..].iter().step_by(columns)).map(|mean| -mean));
        let strengths = [of_first.collect::<Vec<_>>(), of_second.collect()].map(|means| ranked(&means));
        BoardComparison {
            strengths,
            shares: Some(shares.into_iter().map(Option::unwrap_or_default).collect()),
        }
    }
}

/// Forgets all boards if there are too many with so many numbers each.
fn forget<T>(boards: &mut FxHashMap<Vec<u32>, T>, numbers: usize) {
    if boards.len() * numbers > NUMBERS_MAX {
        boards.clear();
    }
}

/// Of a pair that cannot be dealt.
const NONE: i8 = i8::MIN;

/// The shares of all pairs with a whole board, in [`UNITS`].
fn whole_shares(game: &HandGame, tape: &mut HandTape, form: &BoardForm<'_>) -> Vec<i8> {
    let mut found = vec![NONE; game.chances().len()];
    for ([one, other], share) in game.shares(tape, &form.board) {
        found[one as usize * game.hands_count(1) as usize + other as usize] = (share * UNITS).round() as i8;
    }
    found
}

/// The mean of what is known.
fn mean<'n>(numbers: impl Iterator<Item = &'n Option<f32>>) -> Option<f32> {
    let (sum, count) = numbers.flatten().fold((0.0, 0), |(sum, count), number| (sum + number, count + 1));
    // What is the same but for the order of addition is the same.
    (count > 0).then(|| (sum / count as f32 * 8192.0).round() / 8192.0)
}

/// In which of [`DealtState::STRENGTHS`] parts each number is, as many in each; the same numbers in the same.
fn ranked(numbers: &[Option<f32>]) -> Vec<u8> {
    let mut sorted: Vec<f32> = numbers.iter().copied().flatten().collect();
    sorted.sort_unstable_by(f32::total_cmp);
    let rank = |number: f32| {
        let below = sorted.partition_point(|&other| other < number);
        let not_above = sorted.partition_point(|&other| other <= number);
        // The middle of those that are the same.
        (below + not_above) * DealtState::STRENGTHS / (2 * sorted.len())
    };
    numbers
        .iter()
        .map(|number| number.map_or(0, |number| rank(number).min(DealtState::STRENGTHS - 1) as u8))
        .collect()
}

#[cfg(test)]
mod tests {
    use croupier_engine::{Game, Options};
    use rustc_hash::FxHashSet;

    use super::*;
    use crate::PublicEyes;

    fn hands(name: &str) -> Arc<HandGame> {
        let rules = croupier_games::find(name).unwrap().rules;
        let game = Arc::new(Game::compile(rules, &Options::PLAY).unwrap().game);
        let mut eyes = PublicEyes::new(Arc::clone(&game)).unwrap();
        Arc::new(HandGame::new(&game, &mut |told| eyes.public(told)).unwrap())
    }

    /// All hands that are possible with a board, and that each pair of them is as likely.
    fn possible(game: &HandGame, board: &[u32]) -> ([Arc<Vec<u32>>; 2], PairNumbers) {
        let hands = [0, 1].map(|player| {
            let all = 0..game.hands_count(player);
            Arc::new(all.filter(|&hand| game.is_possible(player, hand, board)).collect::<Vec<u32>>())
        });
        let [rows, columns] = hands.each_ref().map(|hands| hands.len());
        (hands, PairNumbers::of(rows, columns, vec![1.0; rows * columns]))
    }

    /// By pair of hands, its shares as they are played, the mean of these whole boards.
    fn played(game: &HandGame, wholes: &[Vec<u32>]) -> FxHashMap<[u32; 2], f32> {
        let (mut tape, mut sums) = (game.tape(), FxHashMap::<[u32; 2], (f32, f32)>::default());
        for (hands, share) in wholes.iter().flat_map(|whole| game.shares(&mut tape, whole)) {
            let (sum, count) = sums.entry(hands).or_default();
            (*sum, *count) = (*sum + share, *count + 1.0);
        }
        sums.into_iter().map(|(hands, (sum, count))| (hands, sum / count)).collect()
    }

    #[test]
    fn shares_of_royal_boards_are_those_of_all_pairs_as_they_are_played_though_symmetries_are_used() {
        let game = hands("royal-holdem");
        let (mut known, mut tape) = (BoardComparisons::new(Arc::clone(&game)), game.tape());
        let wholes = game.whole_boards(&mut tape, &[]);
        let mut forms = FxHashSet::default();
        for (board, allowed) in wholes[..12].iter().flat_map(|whole| [(&whole[..], 0.0), (&whole[..3], 0.01)])
        {
            forms.insert(game.form(board).key());
            let (hands, chances) = possible(&game, board);
            let shares = known.of(board, &hands, &chances).shares.unwrap();
            let all = game.whole_boards(&mut tape, board);
            // C(17, 2) turns and rivers.
            assert_eq!(all.len(), if board.len() == 5 { 1 } else { 136 });
            let played = played(&game, &all);
            let mut row = vec![0.0; hands[1].len()];
            for (number, &hand) in hands[0].iter().enumerate() {
                shares.write_row(number, &mut row);
                for (&other, share) in hands[1].iter().zip(&row) {
                    let expected = played.get(&[hand, other]).copied().unwrap_or_default();
                    assert!((share - expected).abs() <= allowed, "{board:?}: {share} and {expected}");
                }
            }
        }
        let are_own = |board: &[u32]| game.form(board).board == board;
        assert!(wholes[..12].iter().any(|whole| !are_own(whole)), "no board is like another one");
        assert!(forms.len() > 12, "{}", forms.len());
    }

    #[test]
    fn in_kuhn_the_king_gets_all_and_the_jack_nothing() {
        let game = hands("kuhn");
        let (hands, chances) = possible(&game, &[]);
        let compared = BoardComparisons::new(Arc::clone(&game)).of(&[], &hands, &chances);
        let mut shares: Vec<f32> = Vec::new();
        for number in 0..3 {
            let mut row = vec![0.0; 3];
            compared.shares.as_ref().unwrap().write_row(number, &mut row);
            shares.push(row.iter().sum());
        }
        // Of two other cards: jack, king, queen, by name.
        assert_eq!(shares, [-2.0, 2.0, 0.0]);
        assert_eq!(compared.strengths.map(|strengths| strengths.to_vec()), [[10, 53, 32]; 2]);
    }

    #[test]
    fn parts_are_as_large_and_what_is_the_same_is_in_the_same() {
        let all: Vec<Option<f32>> = (0..640).map(|place| Some(place as f32)).collect();
        let found = ranked(&all);
        assert!(
            (0..DealtState::STRENGTHS).all(|part| found
                .iter()
                .filter(|&&of| usize::from(of) == part)
                .count()
                == 10)
        );
        let few = ranked(&[Some(2.0), Some(1.0), None, Some(1.0), Some(3.0)]);
        assert_eq!(few, [40, 16, 0, 16, 56]);
    }
}
