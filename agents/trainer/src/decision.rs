//! One decision of a review: what the best player would have done, and what each move was worth.

use std::sync::Arc;

use croupier_belief::{Believer, Histories, Methods, Opponents};
use croupier_engine::{Game, InformationSet, MoveId, RoleId};
use croupier_games::{ReviewGrounds, ReviewedDecision, ReviewedMove};
use croupier_players::{
    Approach, Budget, Decision, KnownStrategy, Player, ResolvePlayer, SearchMethod, SearchOptions,
    SearchPlayer, Solutions,
};

use crate::{
    TrainerError, TrainerOptions,
    continuation::Continuation,
    model::{OthersModel, UNIFORM},
};

/// Goes through the decisions of a role, in the order of the match.
pub(crate) struct Reviewer<'r> {
    pub(crate) game: &'r Arc<Game>,
    pub(crate) role: RoleId,
    pub(crate) options: &'r TrainerOptions,
    pub(crate) solutions: &'r Solutions,
    /// The strategy of the best player, if there is one that answers without a search.
    strategy: Option<Arc<KnownStrategy>>,
    /// What the role believes if the others go by the strategy.
    model: OthersModel,
    believer: Option<Believer>,
    /// What the role is certain of, whatever the others choose.
    certainty: Option<Believer>,
    /// Who is asked where there is no strategy.
    player: Option<ResolvePlayer>,
}

impl<'r> Reviewer<'r> {
    pub(crate) fn new(
        game: &'r Arc<Game>,
        role: RoleId,
        options: &'r TrainerOptions,
        solutions: &'r Solutions,
        strategy: Option<Arc<KnownStrategy>>,
    ) -> Self {
        let model = match &strategy {
            Some(strategy) => OthersModel::of_strategy(game, role, strategy, false),
            None => OthersModel::uniform(),
        };
        Self {
            game,
            role,
            options,
            solutions,
            strategy,
            model,
            believer: None,
            certainty: None,
            player: None,
        }
    }

    /// The decision in an information set in which the role then played `played`; `None` if it had no choice.
    pub(crate) fn decision(
        &mut self,
        known: &InformationSet,
        played: MoveId,
        is_over: &mut (dyn FnMut() -> bool + Send),
    ) -> Result<Option<ReviewedDecision>, TrainerError> {
        let strategy = self.strategy.clone();
        match strategy.and_then(|strategy| Some((strategy.entry(known)?, strategy))) {
            Some((entry, _)) if entry.len() < 2 => Ok(None),
            Some((entry, strategy)) => self.by_strategy(known, played, (&strategy, entry), is_over).map(Some),
            None => self.by_search(known, played, is_over),
        }
    }

    fn by_strategy(
        &mut self,
        known: &InformationSet,
        played: MoveId,
        known_strategy: (&KnownStrategy, Vec<(MoveId, f64)>),
        is_over: &mut (dyn FnMut() -> bool + Send),
    ) -> Result<ReviewedDecision, TrainerError> {
        let (strategy, entry) = known_strategy;
        let histories = self.histories(known)?;
        let moves: Vec<MoveId> = entry.iter().map(|&(id, _)| id).collect();
        let continuation =
            Continuation { game: self.game, role: self.role, policy: strategy, options: self.options };
        let values = continuation.values(&histories, &moves, is_over)?;
        let given_up = moves.iter().position(|&id| id == played).and_then(|place| values.given_up(place));
        let reviewed = entry.iter().zip(&values.goals).map(|(&(id, share), &goal)| ReviewedMove {
            term: self.game.move_text(id).to_string(),
            share: Some(share),
            goal,
        });
        Ok(ReviewedDecision {
            turn: known.turns.len(),
            played: self.game.move_text(played).to_string(),
            certain: self.certain(known),
            approach: strategy.approach().name().to_owned(),
            grounds: values.grounds,
            model: self.model.words.clone(),
            moves: reviewed.collect(),
            given_up: given_up.map(|(given_up, _)| given_up),
            error: given_up.and_then(|(_, error)| error),
        })
    }

    /// The histories that agree with what the role knows, as likely as the others make them who go by the strategy. If these would
    /// never have played like that, they are taken to slip now and then.
    fn histories(&mut self, known: &InformationSet) -> Result<Histories, TrainerError> {
        if let Some(strategy) = self.strategy.clone()
            && self.follow(known).is_err()
        {
            self.model = OthersModel::of_strategy(self.game, self.role, &strategy, true);
            self.believer = None;
        }
        self.follow(known)?;
        let histories = self.believer.as_ref().and_then(Believer::histories);
        Ok(histories.expect("the options of a trainer keep histories"))
    }

    fn follow(&mut self, known: &InformationSet) -> Result<(), TrainerError> {
        let believer = match &mut self.believer {
            Some(believer) => believer,
            none => {
                let methods = self.options.methods;
                let believer =
                    Believer::new(Arc::clone(self.game), self.role, methods, &self.model.opponents)?;
                none.insert(believer)
            }
        };
        believer.follow(known)?;
        Ok(())
    }

    /// What the role is certain of; nothing if that cannot be worked out. A model of the others proves nothing.
    fn certain(&mut self, known: &InformationSet) -> Vec<String> {
        if self.certainty.is_none() {
            let methods = Methods::brief(self.options.seed);
            let uniform = Opponents::uniform();
            self.certainty = Believer::new(Arc::clone(self.game), self.role, methods, &uniform).ok();
        }
        let Some(believer) = &mut self.certainty else { return Vec::new() };
        if believer.follow(known).is_err() {
            return Vec::new();
        }
        let proved = believer.certainty(&|_| None).proved;
        proved.into_iter().map(|fluent| self.game.fluent_text(fluent).to_string()).collect()
    }

    fn by_search(
        &mut self,
        known: &InformationSet,
        played: MoveId,
        is_over: &mut (dyn FnMut() -> bool + Send),
    ) -> Result<Option<ReviewedDecision>, TrainerError> {
        let decision = self.player()?.choose(known, &mut Budget::Interruptible(is_over))?;
        if decision.moves.len() < 2 {
            return Ok(None);
        }
        let approach = self.player()?.approaches().and_then(|ways| ways.iter().last());
        let approach = approach.map_or("search", |(way, _)| Approach::name(&way));
        let estimates = match decision.estimates.is_empty() {
            true => self.search(known, is_over)?,
            false => decision.clone(),
        };
        if is_over() {
            return Err(TrainerError::Interrupted);
        }
        let goal_of = |id: MoveId| {
            let found = estimates.estimates.iter().find(|estimate| estimate.chosen == id);
            found.and_then(|estimate| estimate.mean_goal)
        };
        let best = decision.moves.iter().filter_map(|&id| goal_of(id)).fold(f64::NEG_INFINITY, f64::max);
        let share = |place: usize| decision.strategy.as_ref().map(|strategy| strategy[place]);
        let reviewed = decision.moves.iter().enumerate().map(|(place, &id)| ReviewedMove {
            term: self.game.move_text(id).to_string(),
            share: share(place),
            goal: goal_of(id),
        });
        Ok(Some(ReviewedDecision {
            turn: known.turns.len(),
            played: self.game.move_text(played).to_string(),
            certain: self.certain(known),
            approach: approach.to_owned(),
            grounds: ReviewGrounds::Search { iterations: estimates.iterations },
            model: UNIFORM.to_owned(),
            moves: reviewed.collect(),
            given_up: goal_of(played).map(|own| best - own),
            error: None,
        }))
    }

    fn player(&mut self) -> Result<&mut ResolvePlayer, TrainerError> {
        if self.player.is_none() {
            let (game, solutions) = (Arc::clone(self.game), self.solutions.clone());
            let options = self.options.resolve;
            self.player = Some(ResolvePlayer::new(game, self.role, options, solutions, self.options.seed)?);
        }
        Ok(self.player.as_mut().expect("it was made"))
    }

    /// What a search makes of an information set whose subgame is solved: that gives a mixture, and no values.
    fn search(
        &self,
        known: &InformationSet,
        is_over: &mut (dyn FnMut() -> bool + Send),
    ) -> Result<Decision, TrainerError> {
        let options = SearchOptions { iterations: self.options.resolve.descents, ..SearchOptions::STANDARD };
        let (game, method) = (Arc::clone(self.game), SearchMethod::PooledObserver);
        let mut player = SearchPlayer::new(game, self.role, method, options, self.options.seed)?;
        Ok(player.choose(known, &mut Budget::Interruptible(is_over))?)
    }
}
