//! Ranges: the histories that are connected through the information sets of all players, tracked from turn to turn.

use std::sync::Arc;

use croupier_belief::Policy;
use croupier_engine::{
    ByRole, Game, GameError, InformationSet, JointMove, MoveId, Percepts, RoleId, State,
    draw::unit_interval,
    game::{Branch, Looker},
};
use croupier_solvers::Root;
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;
use rustc_hash::FxHashMap;

/// Histories that the own information set hangs together with, and how probable they are if everybody plays by a policy.
///
/// A player who does not know what others hold has to consider everything that they may hold; they in turn consider everything that
/// the player may hold from their point of view, and so on. So a range contains the histories of the player's own information set, those
/// that other players cannot distinguish from one of these, those that someone cannot distinguish from one of those, and so on, if there
/// is room: this is their common knowledge. Otherwise information sets of each player are sampled in proportion to their reach
/// probability, and the histories in which every player's information set was sampled are kept, so every holding of one player
/// is combined with every holding of the others.
///
/// # Sources
/// Ranges and public states: M. Moravčík et al.: DeepStack, Science 356, 2017. Games without small public states, and
/// common knowledge limited to a number of steps: B. Zhang, T. Sandholm: Subgame solving without common knowledge,
/// NeurIPS 2021.
#[derive(Debug)]
pub(crate) struct Ranges {
    game: Arc<Game>,
    looker: Looker,
    players: Vec<RoleId>,
    /// The own position among the players.
    own: usize,
    known: InformationSet,
    histories: Vec<RangeHistory>,
    /// By player, its information sets; the own one comes first among the own ones.
    sets: Vec<Vec<InformationSet>>,
    /// By history the legal moves; `None` if the match is over.
    legal: Vec<Option<ByRole<Vec<MoveId>>>>,
    seed: [u8; 32],
}

/// A history, but for the moves that led there.
#[derive(Clone, Debug)]
struct RangeHistory {
    state: State,
    /// By player the number of its information set.
    sets: Vec<u32>,
    weight: f64,
    /// By player the factor of its choices in that, up to a common one: the greatest of a player is one.
    reach: Vec<f64>,
}

/// Nothing is followed any more: no history of the own information set is left, there would be too many, time is up, or the
/// rules fail somewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Lost;

impl From<GameError> for Lost {
    fn from(_: GameError) -> Self {
        Self
    }
}

/// Histories that are kept from turn to turn, at most.
const KEPT_MAX: usize = 2_048;

/// Joint moves that are played in a turn, at most: some milliseconds.
const PLAYED_MAX: usize = 8_192;

/// Marks the draws of ranges; beliefs and sights have other streams.
const RANGES: u64 = 3 << 61;

impl Ranges {
    /// Before the first move.
    pub(crate) fn new(game: Arc<Game>, role: RoleId, seed: [u8; 32]) -> Result<Self, Lost> {
        let players: Vec<RoleId> = game.roles().players().collect();
        let own = players.iter().position(|&player| player == role).ok_or(Lost)?;
        let initial = RangeHistory {
            state: game.initial_state().clone(),
            sets: vec![0; players.len()],
            weight: 1.0,
            reach: vec![1.0; players.len()],
        };
        let sets = players.iter().map(|&player| vec![InformationSet::initial(player)]).collect();
        let looker = Looker::new(&game);
        let known = InformationSet::initial(role);
        let (histories, legal) = (vec![initial], Vec::new());
        let mut ranges = Self { game, looker, players, own, known, histories, sets, legal, seed };
        ranges.look()?;
        Ok(ranges)
    }

    /// What the player itself knows.
    pub(crate) fn known(&self) -> &InformationSet {
        &self.known
    }

    /// Whether the player itself has a choice here.
    pub(crate) fn has_choice(&self) -> bool {
        let role = self.known.role;
        let own = self.histories.iter().zip(&self.legal).filter(|(range, _)| range.sets[self.own] == 0);
        own.filter_map(|(_, legal)| legal.as_ref()).any(|legal| legal[role].len() > 1)
    }

    /// The information sets in which a player has a choice, some more than once.
    pub(crate) fn choosing(&self) -> impl Iterator<Item = &InformationSet> {
        self.histories.iter().zip(&self.legal).flat_map(move |(range, legal)| {
            let has_choice = move |role: RoleId| legal.as_ref().is_some_and(|legal| legal[role].len() > 1);
            let sets = range.sets.iter().zip(&self.sets).map(|(&set, sets)| &sets[set as usize]);
            sets.filter(move |known| has_choice(known.role))
        })
    }

    /// The roots of a subgame, at most this many histories.
    pub(crate) fn roots(&self, most: usize) -> Vec<Root<'_>> {
        let thinned = self.thinned(most);
        let root = |range: RangeHistory| Root {
            known: range.sets.iter().zip(&self.sets).map(|(&set, sets)| &sets[set as usize]).collect(),
            state: range.state,
            weight: range.weight,
            reach: range.reach,
        };
        thinned.into_iter().map(root).collect()
    }

    /// Takes in a turn, in which everybody but chance chose by `policy`.
    pub(crate) fn advance(
        &mut self,
        own_move: MoveId,
        percepts: &Percepts,
        policy: &dyn Policy,
    ) -> Result<(), Lost> {
        self.make_room()?;
        let mut played: Vec<(usize, JointMove, f64, Vec<f64>)> = Vec::new();
        for (place, (range, legal)) in self.histories.iter().zip(&self.legal).enumerate() {
            let Some(legal) = legal else { continue };
            let choices = self.choices(range, legal, policy);
            for joint_move in self.game.joint_moves(legal) {
                let (mut weight, mut reach) = (range.weight, range.reach.clone());
                for choice in &choices {
                    let probability = choice.of(&joint_move);
                    weight *= probability;
                    if let Some(player) = self.players.iter().position(|&player| player == choice.role) {
                        reach[player] *= probability;
                    }
                }
                if weight > 0.0 {
                    played.push((place, joint_move, weight, reach));
                }
            }
        }
        let states: Vec<&State> = self.histories.iter().map(|range| &range.state).collect();
        let branches: Vec<Branch<'_>> =
            played.iter().map(|(state, joint_move, ..)| Branch { state: *state, joint_move }).collect();
        let turns = self.looker.turns(&self.game, &states, &branches)?;
        let mut next = NextHistories::new(self.players.len());
        next.own_first(self.own, (0, own_move, percepts.clone()));
        for ((place, joint_move, weight, reach), turn) in played.into_iter().zip(turns) {
            let before = &self.histories[place].sets;
            let told = self.players.iter().zip(before);
            let told = told.map(|(&role, &set)| (set, joint_move.of(role), turn.percepts[role].clone()));
            next.add(turn.successor, told, weight, reach);
        }
        self.known.turns.push((own_move, percepts.clone()));
        self.histories = next.histories;
        self.sets = self.sets.iter().zip(next.steps).map(|(sets, steps)| following(sets, steps)).collect();
        let total: f64 = self.histories.iter().map(|range| range.weight).sum();
        self.histories.iter_mut().for_each(|range| range.weight /= total);
        // What all have in common says nothing, and would vanish in a long match.
        for player in 0..self.players.len() {
            let most = self.histories.iter().map(|range| range.reach[player]).fold(0.0, f64::max);
            self.histories.iter_mut().for_each(|range| range.reach[player] /= most);
        }
        self.histories = self.thinned(KEPT_MAX);
        self.forget_sets();
        self.look()
    }

    /// The possible choices of every player and chance in a history that continues.
    fn choices(
        &self,
        range: &RangeHistory,
        legal: &ByRole<Vec<MoveId>>,
        policy: &dyn Policy,
    ) -> Vec<HistoryChoice> {
        let choosing = legal.iter().filter(|(_, moves)| moves.len() > 1);
        let choice = choosing.map(|(role, moves)| {
            let player = self.players.iter().position(|&player| player == role);
            let probabilities = match player {
                Some(player) => {
                    let known = &self.sets[player][range.sets[player] as usize];
                    policy.probabilities(known, moves)
                }
                None => vec![1.0 / moves.len() as f64; moves.len()],
            };
            HistoryChoice { role, moves: moves.clone(), probabilities }
        });
        choice.collect()
    }

    /// Keeps so few histories that their continuations can be played.
    fn make_room(&mut self) -> Result<(), Lost> {
        let count = |legal: &Option<ByRole<Vec<MoveId>>>| legal.as_ref().map_or(0, Game::joint_moves_count);
        loop {
            let joint_moves = self.legal.iter().map(count).fold(0, u64::saturating_add);
            if joint_moves <= PLAYED_MAX as u64 {
                return Ok(());
            }
            let most = self.histories.len() / 2;
            let thinned = self.thinned(most);
            if most == 0 || thinned.len() > most {
                return Err(Lost);
            }
            self.histories = thinned;
            self.look()?;
        }
    }

    /// Computes the legal moves. Histories for which that fails end here.
    fn look(&mut self) -> Result<(), Lost> {
        let states: Vec<&State> = self.histories.iter().map(|range| &range.state).collect();
        let playable = self.looker.playable_moves(&self.game, &states).into_iter();
        let legal = playable.map(|playable| match playable {
            Err(GameError::NoLegalMove { .. }) => Ok(None),
            playable => playable,
        });
        self.legal = legal.collect::<Result<_, GameError>>()?;
        match self.histories.iter().any(|range| range.sets[self.own] == 0) {
            true => Ok(()),
            false => Err(Lost),
        }
    }

    /// At most this many of the histories connected with the player's own information set, but all of at least one other information
    /// set of each player.
    fn thinned(&self, most: usize) -> Vec<RangeHistory> {
        let mut fan = usize::MAX;
        loop {
            let mut rng = ChaCha8Rng::from_seed(self.seed);
            rng.set_stream(RANGES | self.known.turns.len() as u64);
            let mut selection = Selection::new(&self.histories, &self.sets, self.own);
            selection.grow(fan, &mut rng);
            let kept = selection.kept();
            if kept.len() <= most || fan == 1 {
                return kept;
            }
            fan = (fan / 2).min(kept.len()).max(1);
        }
    }

    /// Removes the information sets without histories, and renumbers the others.
    fn forget_sets(&mut self) {
        for player in 0..self.players.len() {
            let mut numbers: Vec<Option<u32>> = vec![None; self.sets[player].len()];
            let mut kept = Vec::new();
            if player == self.own {
                numbers[0] = Some(0);
                kept.push(self.sets[player][0].clone());
            }
            for range in &mut self.histories {
                let set = range.sets[player] as usize;
                range.sets[player] = *numbers[set].get_or_insert_with(|| {
                    kept.push(self.sets[player][set].clone());
                    number(kept.len() - 1)
                });
            }
            self.sets[player] = kept;
        }
    }
}

/// The possible choices of a player in a history.
struct HistoryChoice {
    role: RoleId,
    moves: Vec<MoveId>,
    probabilities: Vec<f64>,
}

impl HistoryChoice {
    /// The probability of the choices in a joint move.
    fn of(&self, joint_move: &JointMove) -> f64 {
        let played = joint_move.of(self.role);
        self.moves.iter().position(|&legal| legal == played).map_or(0.0, |place| self.probabilities[place])
    }
}

/// One more turn of an information set: its number, the own move and the percepts.
type InformationSetTurn = (u32, MoveId, Percepts);

/// Histories of the next turn.
struct NextHistories {
    histories: Vec<RangeHistory>,
    places: FxHashMap<(State, Vec<u32>), usize>,
    /// By player, the steps in the order of their numbers.
    steps: Vec<FxHashMap<InformationSetTurn, u32>>,
}

impl NextHistories {
    fn new(players: usize) -> Self {
        let steps = vec![FxHashMap::default(); players];
        Self { histories: Vec::new(), places: FxHashMap::default(), steps }
    }

    /// Sets the player's own move and percepts.
    fn own_first(&mut self, own: usize, step: InformationSetTurn) {
        self.steps[own].insert(step, 0);
    }

    fn add(
        &mut self,
        state: State,
        steps: impl Iterator<Item = InformationSetTurn>,
        weight: f64,
        reach: Vec<f64>,
    ) {
        let sets: Vec<u32> = steps
            .zip(&mut self.steps)
            .map(|(step, known)| {
                let next = number(known.len());
                *known.entry(step).or_insert(next)
            })
            .collect();
        let key = (state, sets);
        if let Some(&place) = self.places.get(&key) {
            // The players' own factors follow from their information sets: they are those of the other history.
            self.histories[place].weight += weight;
            return;
        }
        self.histories.push(RangeHistory { state: key.0.clone(), sets: key.1.clone(), weight, reach });
        self.places.insert(key, self.histories.len() - 1);
    }
}

/// The information sets after these steps.
fn following(sets: &[InformationSet], steps: FxHashMap<InformationSetTurn, u32>) -> Vec<InformationSet> {
    let mut steps: Vec<(InformationSetTurn, u32)> = steps.into_iter().collect();
    steps.sort_unstable_by_key(|&(_, number)| number);
    let following = steps.into_iter().map(|((before, own_move, percepts), _)| {
        let mut known = sets[before as usize].clone();
        known.turns.push((own_move, percepts));
        known
    });
    following.collect()
}

/// Information sets that are chosen, with the probability with which each was.
struct Selection<'s> {
    histories: &'s [RangeHistory],
    own: usize,
    /// By player and information set; zero if it is not sampled.
    chosen: Vec<Vec<f64>>,
}

impl<'s> Selection<'s> {
    /// Only the player's own information set.
    fn new(histories: &'s [RangeHistory], sets: &[Vec<InformationSet>], own: usize) -> Self {
        let mut chosen: Vec<Vec<f64>> = sets.iter().map(|sets| vec![0.0; sets.len()]).collect();
        chosen[own][0] = 1.0;
        Self { histories, own, chosen }
    }

    /// Chooses information sets that meet chosen ones of the other side, of each player at most `fan` besides the first, until
    /// that gives no more.
    fn grow(&mut self, fan: usize, rng: &mut ChaCha8Rng) {
        let players = self.chosen.len();
        let others: Vec<usize> = (0..players).filter(|&player| player != self.own).collect();
        let mut is_growing = true;
        while is_growing {
            is_growing = false;
            for &player in &others {
                let own = self.own;
                is_growing |=
                    self.choose(player, fan, |chosen, sets| chosen[own][sets[own] as usize] > 0.0, rng);
            }
            let is_met = |chosen: &[Vec<f64>], sets: &[u32]| {
                others.iter().all(|&other| chosen[other][sets[other] as usize] > 0.0)
            };
            is_growing |= self.choose(self.own, fan, is_met, rng);
        }
    }

    /// Chooses among the information sets of a player in which there are histories that are met. Whether there were any new.
    fn choose(
        &mut self,
        player: usize,
        fan: usize,
        is_met: impl Fn(&[Vec<f64>], &[u32]) -> bool,
        rng: &mut ChaCha8Rng,
    ) -> bool {
        let chosen = self.chosen[player].iter().filter(|probability| **probability > 0.0).count();
        let room = fan.saturating_sub(chosen.saturating_sub(usize::from(player == self.own)));
        let mut weights = vec![0.0; self.chosen[player].len()];
        for range in self.histories {
            let set = range.sets[player] as usize;
            if self.chosen[player][set] == 0.0 && is_met(&self.chosen, &range.sets) {
                weights[set] += range.weight;
            }
        }
        let new: Vec<usize> = (0..weights.len()).filter(|&set| weights[set] > 0.0).collect();
        if new.is_empty() || room == 0 {
            return false;
        }
        let weights: Vec<f64> = new.iter().map(|&set| weights[set]).collect();
        for (&set, probability) in new.iter().zip(drawn(&weights, room, rng)) {
            self.chosen[player][set] = probability;
        }
        true
    }

    /// The histories in which every player's information set is sampled, weighted by the probability of that.
    fn kept(&self) -> Vec<RangeHistory> {
        let kept = self.histories.iter().filter_map(|range| {
            let chosen = range.sets.iter().zip(&self.chosen);
            let probability: f64 = chosen.map(|(&set, chosen)| chosen[set as usize]).product();
            (probability > 0.0).then(|| RangeHistory { weight: range.weight / probability, ..range.clone() })
        });
        kept.collect()
    }
}

/// Draws this many of some weights, or all if there are no more, large ones with certainty: for each the probability with which it was
/// drawn, or zero if it was not. The draw is systematic, in proportion to the weights where that is less than one.
fn drawn(weights: &[f64], count: usize, rng: &mut ChaCha8Rng) -> Vec<f64> {
    if weights.len() <= count {
        return vec![1.0; weights.len()];
    }
    let mut ascending: Vec<f64> = weights.to_vec();
    ascending.sort_unstable_by(f64::total_cmp);
    // The light ones share the places that the heavy ones leave: a weight is heavy if its share would be more than one.
    let mut light: f64 = ascending.iter().sum();
    let mut places = count;
    while places > 1 && ascending.last().is_some_and(|&heaviest| heaviest * places as f64 >= light) {
        light -= ascending.pop().unwrap_or_default();
        places -= 1;
    }
    let heaviest = ascending.last().copied().unwrap_or_default();
    let mut point = unit_interval(rng);
    let probabilities = weights.iter().map(|&weight| {
        if weight > heaviest {
            return 1.0;
        }
        let share = (weight / light * places as f64).min(1.0);
        point += share;
        if point >= 1.0 {
            point -= 1.0;
            return share;
        }
        0.0
    });
    probabilities.collect()
}

fn number(index: usize) -> u32 {
    u32::try_from(index).expect("a count below 2^32")
}

#[cfg(test)]
mod tests {
    use croupier_belief::{ExactBelief, ExactOptions, Opponents};
    use croupier_engine::{Options, game::Looker};

    use super::*;

    /// Likes every move a little more than the one before it, and the more the longer the match lasts.
    #[derive(Debug)]
    struct Climbing;

    impl Policy for Climbing {
        fn probabilities(&self, known: &InformationSet, legal: &[MoveId]) -> Vec<f64> {
            let weights = (0..legal.len()).map(|place| 1.0 + (place * known.turns.len()) as f64);
            let total: f64 = weights.clone().sum();
            weights.map(|weight| weight / total).collect()
        }
    }

    const LEDUC: &str = include_str!("../../../games-ii/leduc/rules.gdl");
    const LIARS_DICE: &str = include_str!("../../../games-ii/liars-dice/rules.gdl");
    const KUHN_3: &str = include_str!("../../../games-ii/kuhn-3/rules.gdl");

    fn game(rules: &str) -> Arc<Game> {
        Arc::new(Game::compile(rules, &Options::PLAY).unwrap().game)
    }

    /// Plays a match at random, and passes on what a role knows after each turn.
    fn match_of(game: &Arc<Game>, role: RoleId, seed: u8, mut show: impl FnMut(&InformationSet)) {
        let (mut rng, mut looker) = (ChaCha8Rng::from_seed([seed; 32]), Looker::new(game));
        let (mut state, mut known) = (game.initial_state().clone(), InformationSet::initial(role));
        while let Some(joint_move) = game.random_joint_move(&state, &mut rng, looker.scratch()).unwrap() {
            let turn = game.turn(&state, &joint_move, looker.scratch()).unwrap();
            known.turns.push((joint_move.of(role), turn.percepts[role].clone()));
            state = turn.successor;
            show(&known);
        }
    }

    #[test]
    fn own_histories_are_as_probable_as_the_exact_belief_says() {
        for rules in [LEDUC, LIARS_DICE, KUHN_3] {
            let game = game(rules);
            for (seed, role) in (0..).zip(game.roles().players()) {
                let mut opponents = Opponents::uniform();
                for other in game.roles().players() {
                    opponents = opponents.with(other, Arc::new(Climbing));
                }
                let mut belief =
                    ExactBelief::with_opponents(Arc::clone(&game), role, &opponents, ExactOptions::STANDARD)
                        .unwrap();
                let mut ranges = Ranges::new(Arc::clone(&game), role, [seed; 32]).unwrap();
                match_of(&game, role, seed, |known| {
                    let (own_move, percepts) = known.turns.last().unwrap();
                    belief.advance(*own_move, percepts).unwrap();
                    ranges.advance(*own_move, percepts, &Climbing).unwrap();
                    let own: Vec<&RangeHistory> =
                        ranges.histories.iter().filter(|range| range.sets[ranges.own] == 0).collect();
                    let total: f64 = own.iter().map(|range| range.weight).sum();
                    let distribution = belief.distribution();
                    for (state, probability) in distribution.iter() {
                        let here = own.iter().filter(|range| range.state == *state);
                        let weight: f64 = here.map(|range| range.weight).sum();
                        assert!(
                            (weight / total - probability).abs() < 1e-9,
                            "{weight} of {total}, not {probability}"
                        );
                    }
                });
            }
        }
    }

    #[test]
    fn what_is_left_is_a_fair_share_of_what_everybody_may_hold() {
        let game = game(LEDUC);
        let role = game.roles().find("alice").unwrap();
        let mut ranges = Ranges::new(Arc::clone(&game), role, [1; 32]).unwrap();
        match_of(&game, role, 1, |known| {
            if known.turns.len() <= 2 {
                let (own_move, percepts) = known.turns.last().unwrap();
                ranges.advance(*own_move, percepts, &Climbing).unwrap();
            }
        });
        // Thirty deals: five of the own card, and of each of the other's five cards four with another one of the own.
        assert_eq!(ranges.histories.len(), 30);
        assert_eq!(ranges.sets.iter().map(Vec::len).collect::<Vec<_>>(), [6, 6]);
        assert!(ranges.histories.iter().all(|range| range.reach == [1.0, 1.0]), "chance alone has dealt");
        let mut sums = [0.0; 2];
        const SEEDS: u16 = 2_000;
        for seed in 0..SEEDS {
            ranges.seed[..2].copy_from_slice(&seed.to_le_bytes());
            let roots = ranges.roots(12);
            assert!(roots.len() <= 12);
            let own = roots.iter().filter(|root| *root.known[0] == ranges.known);
            sums[0] += own.clone().map(|root| root.weight).sum::<f64>();
            sums[1] += roots.iter().map(|root| root.weight).sum::<f64>();
            assert!(own.count() > 0, "the own information set is always there");
        }
        // Each deal has a weight of 1/30, and what is drawn is weighted so that its mean is what it stands for. The other's
        // cards are drawn among those that go with the own one: five deals are of the other having that.
        assert!((sums[0] / f64::from(SEEDS) - 5.0 / 30.0).abs() < 0.01, "{sums:?}");
        assert!((sums[1] / f64::from(SEEDS) - 25.0 / 30.0).abs() < 0.05, "{sums:?}");
    }
}
