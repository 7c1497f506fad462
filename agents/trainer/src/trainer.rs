//! A trainer: what a seat could believe, and what was worth doing.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use croupier_belief::{Asked, Basis, Believer, Looks, Opponents, Outlook};
use croupier_engine::{FluentId, Game, InformationSet, RoleId, game::TermError};
use croupier_games::{BeliefGrounds, HeldStep, LikelyFact, SeatBelief, SeatReview};
use croupier_players::{Budget, KnownStrategy, LuckMeter, ResolveOptions, Solutions, StateEnds};

use crate::{
    TrainerError, TrainerOptions,
    decision::Reviewer,
    held::{hands_with_ends, held_hands, prospects, steps},
    model::OthersModel,
};

/// Whose hand a fluent is about, if it says that somebody holds something: `(hand bob ?card)` for `(hand bob ace)`.
pub type Holders<'h> = &'h dyn Fn(&str) -> Option<String>;

/// Follows what a role did and was told, and works out what it could believe and what its moves were worth.
///
/// ```
/// use std::sync::Arc;
/// use croupier_games::BeliefGrounds;
/// use croupier_players::Solutions;
/// use croupier_trainer::{Trainer, TrainerOptions};
/// # use croupier_engine::{Game, Options};
///
/// # let kuhn = croupier_games::find("kuhn").ok_or("the catalogue has it")?;
/// # let game = Arc::new(Game::compile(kuhn.rules, &Options::PLAY)?.game);
/// # let bob = game.roles().find("bob").ok_or("a role")?;
/// let mut trainer = Trainer::new(game, bob, TrainerOptions::brief([0; 32]), Solutions::default());
/// trainer.take("noop", &["(dealt alice)"])?;
/// trainer.take("noop", &["(hole queen)"])?;
/// trainer.take("noop", &["(did alice bet)"])?;
/// let belief = trainer.belief(&|_| None, &|_| None, &|_| true, &mut || false)?;
/// assert_eq!(belief.grounds, BeliefGrounds::Exact { histories: 2 });
/// // In equilibrium the jack bets a third as often as the king.
/// let jack = belief.likely.iter().find(|likely| likely.fact == "(hand alice jack)").ok_or("a card")?;
/// assert!((0.2..0.4).contains(&jack.probability));
///
/// // Bob called, and an equilibrium does that a third of the time: neither move is better.
/// trainer.take("bet", &["(shows alice king)"])?;
/// let review = trainer.review(&mut || false)?;
/// assert_eq!(review.decisions.len(), 1);
/// assert!(review.decisions[0].given_up.ok_or("a value")? < 0.5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Trainer {
    game: Arc<Game>,
    role: RoleId,
    options: TrainerOptions,
    solutions: Solutions,
    known: InformationSet,
    /// How the others are taken to choose, once that was looked for.
    model: Option<OthersModel>,
    believer: Option<Believer>,
    /// By turn, the entropy of what was believed.
    entropy_bits: Vec<f64>,
    /// By holder, how much was not known of a hand before turns that changed that.
    steps: BTreeMap<String, Vec<HeldStep>>,
    /// What is believed after as many turns as there are entropies.
    outlook: Option<Outlook>,
}

impl Trainer {
    /// Nothing has happened yet. Players share `solutions` with it.
    #[must_use]
    pub fn new(game: Arc<Game>, role: RoleId, options: TrainerOptions, solutions: Solutions) -> Self {
        Self {
            known: InformationSet::initial(role),
            game,
            role,
            options,
            solutions,
            model: None,
            believer: None,
            entropy_bits: Vec::new(),
            steps: BTreeMap::new(),
            outlook: None,
        }
    }

    /// The same, but beliefs take the others to choose like this; otherwise they go by the strategy of the best player where it is
    /// known, and uniformly where it is not. Reviews are not affected.
    #[must_use]
    pub fn with_opponents(self, opponents: Opponents, words: &str) -> Self {
        let model = OthersModel { opponents, words: words.to_owned() };
        Self {
            model: Some(model),
            ..Self::new(self.game, self.role, self.options, self.solutions).knowing(self.known)
        }
    }

    fn knowing(self, known: InformationSet) -> Self {
        Self { known, ..self }
    }

    /// Turns that were taken in.
    #[must_use]
    pub fn turns(&self) -> usize {
        self.known.turns.len()
    }

    /// Takes in a turn: the executed move of the role, and what it was told.
    ///
    /// # Errors
    /// [`TermError`] if one of these is no term.
    pub fn take(&mut self, own_move: &str, percepts: &[&str]) -> Result<(), TermError> {
        self.known.turns.push(self.game.own_turn(own_move, percepts.iter().copied())?);
        Ok(())
    }

    /// Takes in what follows in an information set that begins with what is known already.
    pub fn take_all(&mut self, known: &InformationSet) {
        self.known.turns.extend(known.turns.iter().skip(self.turns()).cloned());
    }

    /// What the role could believe after the turns that were taken in. `looks` says which fluents look alike, `holders` whose hand a
    /// fluent is about, and `asked` of which fluents somebody asks whether they are proved.
    ///
    /// # Errors
    /// [`TrainerError`].
    pub fn belief(
        &mut self,
        looks: Looks<'_>,
        holders: Holders<'_>,
        asked: Asked<'_>,
        is_over: &mut (dyn FnMut() -> bool + Send),
    ) -> Result<SeatBelief, TrainerError> {
        let outlook = self.follow(holders, is_over)?;
        let certainty = self.believer.as_ref().map(|believer| believer.certainty_about(looks, asked));
        let certainty = certainty.unwrap_or_default();
        let distribution = &outlook.distribution;
        let marginals = distribution.marginals(&self.game);
        let ends = if self.steps.is_empty() { Vec::new() } else { self.ends(&outlook) };
        let mut held = hands_with_ends(&marginals, distribution, holders, &ends);
        for held in &mut held {
            held.steps = self.steps.get(&held.of).cloned().unwrap_or_default();
        }
        let states = distribution.iter().zip(&ends).map(|((_, probability), ends)| (probability, Some(ends)));
        let proved: BTreeSet<FluentId> = certainty.proved.iter().copied().collect();
        let likely = marginals.iter().map(|marginal| LikelyFact {
            fact: marginal.text.to_string(),
            probability: marginal.probability,
            is_proved: proved.contains(&marginal.fluent),
        });
        Ok(SeatBelief {
            turn: self.turns(),
            grounds: match outlook.basis {
                Basis::Histories(histories) => BeliefGrounds::Exact { histories },
                Basis::Particles { count, effective } => {
                    BeliefGrounds::Sampled { particles: count, effective }
                }
            },
            model: self.model.as_ref().map(|model| model.words.clone()).unwrap_or_default(),
            states: distribution.states_count(),
            entropy_bits: self.entropy_bits.clone(),
            likely: likely.collect(),
            held,
            prospects: prospects(&states.collect::<Vec<_>>()),
        })
    }

    /// The decisions of the role in the turns that were taken in, and how much it did not know before and after them.
    ///
    /// # Errors
    /// [`TrainerError`].
    pub fn review(&self, is_over: &mut (dyn FnMut() -> bool + Send)) -> Result<SeatReview, TrainerError> {
        let strategy = self.strategy(self.options.resolve, is_over);
        let mut reviewer = Reviewer::new(&self.game, self.role, &self.options, &self.solutions, strategy);
        let mut known = InformationSet::initial(self.role);
        let mut review = SeatReview { entropy_bits: self.entropies(is_over)?, ..SeatReview::default() };
        for (own_move, percepts) in &self.known.turns {
            if is_over() {
                return Err(TrainerError::Interrupted);
            }
            review.decisions.extend(reviewer.decision(&known, *own_move, is_over)?);
            known.turns.push((*own_move, percepts.clone()));
        }
        Ok(review)
    }

    /// The entropy before each turn and after the last, as far as there is a belief. Where nobody has asked for the beliefs themselves, it
    /// is worked out apart, since this does not know who holds what.
    fn entropies(&self, is_over: &mut (dyn FnMut() -> bool + Send)) -> Result<Vec<f64>, TrainerError> {
        if self.entropy_bits.len() > self.turns() {
            return Ok(self.entropy_bits.clone());
        }
        let (game, solutions) = (Arc::clone(&self.game), self.solutions.clone());
        let mut apart = Self::new(game, self.role, self.options, solutions).knowing(self.known.clone());
        apart.model = self.model.clone();
        match apart.follow(&|_| None, is_over) {
            Err(TrainerError::Interrupted) => Err(TrainerError::Interrupted),
            Ok(_) | Err(_) => Ok(apart.entropy_bits),
        }
    }

    /// The belief after all turns that were taken in, and its entropy after each of them.
    fn follow(
        &mut self,
        holders: Holders<'_>,
        is_over: &mut (dyn FnMut() -> bool + Send),
    ) -> Result<Outlook, TrainerError> {
        if self.model.is_none() {
            self.model = Some(self.usual_model(is_over));
        }
        let model = self.model.as_ref().expect("it was chosen");
        let mut believer = match self.believer.take() {
            Some(believer) => believer,
            None => {
                let game = Arc::clone(&self.game);
                Believer::new(game, self.role, self.options.methods, &model.opponents)?
            }
        };
        let mut known = InformationSet { role: self.role, turns: Vec::new() };
        known.turns.extend_from_slice(&self.known.turns[..self.entropy_bits.len().saturating_sub(1)]);
        while self.entropy_bits.len() <= self.known.turns.len() {
            if is_over() {
                self.believer = Some(believer);
                return Err(TrainerError::Interrupted);
            }
            let turns = self.entropy_bits.len();
            known.turns.extend(self.known.turns[known.turns.len()..turns].iter().cloned());
            let outlook = believer.follow(&known)?;
            self.entropy_bits.push(outlook.distribution.entropy_bits());
            self.note_hands(turns, &outlook, holders);
            self.outlook = Some(outlook);
        }
        self.believer = Some(believer);
        Ok(self.outlook.clone().expect("the belief before the first turn at least"))
    }

    /// The strategy of the best player where it is known soon, otherwise uniform play.
    fn usual_model(&self, is_over: &mut (dyn FnMut() -> bool + Send)) -> OthersModel {
        let options = ResolveOptions { deals: 0, ..self.options.resolve };
        match self.strategy(options, is_over) {
            Some(strategy) => OthersModel::of_strategy(&self.game, self.role, &strategy, true),
            None => OthersModel::uniform(),
        }
    }

    fn strategy(
        &self,
        options: ResolveOptions,
        is_over: &mut (dyn FnMut() -> bool + Send),
    ) -> Option<Arc<KnownStrategy>> {
        // Where every move is seen, nothing is hidden, and a search knows more than an equilibrium of the whole tree.
        if self.game.shows_every_move() {
            return None;
        }
        let mut budget = Budget::Interruptible(is_over);
        KnownStrategy::new(&self.game, options, &self.solutions, &mut budget).ok().map(Arc::new)
    }

    /// How the match ends from each state if everybody checks and calls; nothing if that cannot be played out.
    fn ends(&self, outlook: &Outlook) -> Vec<StateEnds> {
        let TrainerOptions { prospects, seed, .. } = self.options;
        let states = outlook.distribution.states_count() as u64;
        if prospects == 0 || states == 0 {
            return Vec::new();
        }
        let ends = LuckMeter::new(&self.game).and_then(|mut meter| {
            meter.ends(&outlook.distribution, self.role, prospects.div_ceil(states), seed)
        });
        ends.unwrap_or_default()
    }

    /// Notes how much is not known of hands before a turn, where that has changed.
    fn note_hands(&mut self, turn: usize, outlook: &Outlook, holders: Holders<'_>) {
        let distribution = &outlook.distribution;
        let mut first = distribution.iter().take(1).flat_map(|(state, _)| self.game.state_terms(state));
        if !first.any(|term| holders(&term).is_some()) {
            return;
        }
        let held = held_hands(&distribution.marginals(&self.game), distribution, holders);
        for (of, step) in steps(turn, &held) {
            let steps = self.steps.entry(of).or_default();
            let is_same = |last: &HeldStep| {
                last.hands == step.hands && (last.entropy_bits - step.entropy_bits).abs() < 1e-9
            };
            if !steps.last().is_some_and(is_same) {
                steps.push(step);
            }
        }
    }
}
