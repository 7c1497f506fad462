//! The belief by full enumeration: every history that a role cannot tell from the true one.

use std::sync::Arc;

use croupier_engine::{
    FluentId, Game, History, InformationSet, JointMove, MoveId, Percepts, RoleId, State,
    game::{Branch, Looker, ToldBranch, ToldQuestion},
};
use rustc_hash::FxHashMap;

use crate::{
    BeliefError, Certainty, Distribution, Knowledge, Looks, Opponents, PolicyQuestion,
    continuation::{Candidates, Evidence, played_on},
    policy::{Modelled, distinct, preference},
};

/// The level of detail of an exact belief.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// States: histories that lead to the same state are merged, because only the state matters for
    /// the future.
    States,
    /// Histories, each with its joint moves.
    Histories,
}

/// Bounds and detail of an exact belief.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExactOptions {
    /// The level of detail.
    pub detail: Detail,
    /// Entries held after a turn: histories, or states where histories are merged.
    pub histories_max: usize,
    /// Maximum number of joint moves examined in one turn.
    pub joint_moves_max: u64,
}

impl ExactOptions {
    /// States, up to a million of them and a hundred million joint moves a turn.
    pub const STANDARD: Self =
        Self { detail: Detail::States, histories_max: 1_000_000, joint_moves_max: 100_000_000 };
}

/// The probability of every history consistent with what a role did and was told.
///
/// The weight of a history is the product, over its turns and the other roles, of one over the number of legal
/// moves; the weights are normalised. Terminal histories are treated like any other.
///
/// ```
/// use std::sync::Arc;
/// use croupier_belief::{ExactBelief, ExactOptions};
/// use croupier_engine::{Game, Options};
///
/// let rules = "
///     (role random) (role guesser)
///     (init hidden)
///     (<= (legal random (toss ?side)) (true hidden) (side ?side))
///     (<= (legal random rest) (true (lies ?side)))
///     (<= (legal guesser wait) (true hidden))
///     (<= (legal guesser (say ?side)) (true (lies ?shown)) (side ?side))
///     (side heads) (side tails)
///     (<= (next (lies ?side)) (does random (toss ?side)))
///     (<= (next done) (true (lies ?side)))
///     (<= terminal (true done))
///     (goal guesser 50)
///     (<= (sees guesser landed) (does random (toss ?side)))";
/// let game = Arc::new(Game::compile(rules, &Options::PLAY).expect("the rules are sound").game);
/// let guesser = game.roles().find("guesser").expect("a role of the game");
/// let mut belief = ExactBelief::new(Arc::clone(&game), guesser, ExactOptions::STANDARD)
///     .expect("the guesser is a player");
/// let wait = game.move_id("wait").expect("a term");
/// let landed = game.percepts_of(["landed"]).expect("a term");
/// belief.advance(wait, &landed).expect("both sides agree with that");
/// // The coin lies one way or the other, so there are two states and one bit is unknown.
/// assert_eq!(belief.distribution().states_count(), 2);
/// assert_eq!(belief.distribution().entropy_bits(), 1.0);
/// ```
#[derive(Debug)]
pub struct ExactBelief {
    game: Arc<Game>,
    looker: Looker,
    options: ExactOptions,
    known: InformationSet,
    /// The roles with a policy.
    modelled: Vec<Modelled>,
    /// Invariant: at least one; distinct states if histories are merged; weights of sum one.
    entries: Vec<BeliefEntry>,
    report: ExactReport,
}

/// A state held possible, beside what others know in it.
#[derive(Clone, Copy, Debug)]
pub struct Possibility<'b> {
    /// The state.
    pub state: &'b State,
    /// What the roles with a policy know, in their order.
    pub sets: &'b [InformationSet],
    /// How likely both are.
    pub probability: f64,
}

/// Statistics of an exact belief.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ExactReport {
    /// The most entries after a turn.
    pub entries_max: usize,
    /// Joint moves whose percepts were examined.
    pub joint_moves_looked_at: u64,
    /// Consistent histories that led to a state that another had led to in the same turn, and were merged with it.
    pub merged: u64,
    /// The natural logarithm of the probability of everything that the role was told, given its own moves.
    pub log_probability: f64,
}

#[derive(Clone, Debug)]
struct BeliefEntry {
    state: State,
    /// The information sets of roles with a policy: entries that differ in them are not merged.
    sets: Vec<InformationSet>,
    weight: f64,
    histories: u64,
    /// Empty where histories are merged.
    joint_moves: Vec<JointMove>,
}

impl ExactBelief {
    /// What `role` believes before the first move: the initial state.
    ///
    /// # Errors
    /// [`BeliefError::RandomRole`].
    pub fn new(game: Arc<Game>, role: RoleId, options: ExactOptions) -> Result<Self, BeliefError> {
        Self::with_opponents(game, role, &Opponents::uniform(), options)
    }

    /// The same, with policies for the other roles.
    ///
    /// Then equal states are merged only if the roles with a policy also have the same information sets.
    ///
    /// # Errors
    /// [`BeliefError::RandomRole`].
    pub fn with_opponents(
        game: Arc<Game>,
        role: RoleId,
        opponents: &Opponents,
        options: ExactOptions,
    ) -> Result<Self, BeliefError> {
        if game.roles().random() == Some(role) {
            return Err(BeliefError::RandomRole);
        }
        let state = game.initial_state().clone();
        let modelled = opponents.modelled(role, game.roles().random());
        let modelled: Vec<_> = modelled.map(|(role, policy)| (role, Arc::clone(policy))).collect();
        let sets = modelled.iter().map(|(role, _)| InformationSet::initial(*role)).collect();
        let entries = vec![BeliefEntry { state, sets, weight: 1.0, histories: 1, joint_moves: Vec::new() }];
        let looker = Looker::new(&game);
        let known = InformationSet::initial(role);
        let report = ExactReport { entries_max: 1, ..ExactReport::default() };
        Ok(Self { game, looker, options, known, modelled, entries, report })
    }

    /// The belief of a role that did and was told `known`.
    ///
    /// # Errors
    /// Those of [`new`](Self::new) and [`advance`](Self::advance).
    pub fn of(game: Arc<Game>, known: &InformationSet, options: ExactOptions) -> Result<Self, BeliefError> {
        let mut belief = Self::new(game, known.role, options)?;
        for (own_move, percepts) in &known.turns {
            belief.advance(*own_move, percepts)?;
        }
        Ok(belief)
    }

    /// Adds one turn: the role's executed move, and what it was told.
    ///
    /// # Errors
    /// [`BeliefError::Inconsistent`] if no history agrees with that, [`BeliefError::TooManyHistories`]
    /// and [`BeliefError::TooManyJointMoves`] beyond the limits, [`BeliefError::Game`] if the rules
    /// fail. The belief is then unchanged.
    ///
    /// # Complexity
    /// One evaluation of the percepts for each entry and each joint move of the others, hundreds at once if the
    /// game has a network: linear time, and memory for those that agree.
    pub fn advance(&mut self, own_move: MoveId, percepts: &Percepts) -> Result<(), BeliefError> {
        let turn = self.known.turns.len();
        let mut following = Following {
            game: &self.game,
            looker: &mut self.looker,
            modelled: &self.modelled,
            options: self.options,
            evidence: Evidence { role: self.known.role, own_move, percepts },
            turn,
            looked_at: 0,
            legal: Vec::new(),
            waiting: Vec::new(),
            collected: Collected { entries: Vec::new(), positions: FxHashMap::default(), merged: 0 },
        };
        following.follow(&self.entries)?;
        let Following { looked_at, collected: Collected { mut entries, merged, .. }, .. } = following;
        let total: f64 = entries.iter().map(|entry| entry.weight).sum();
        if total <= 0.0 {
            return Err(BeliefError::Inconsistent { turn });
        }
        for entry in &mut entries {
            entry.weight /= total;
        }
        self.report = ExactReport {
            entries_max: self.report.entries_max.max(entries.len()),
            joint_moves_looked_at: self.report.joint_moves_looked_at.saturating_add(looked_at),
            merged: self.report.merged + merged,
            log_probability: self.report.log_probability + total.ln(),
        };
        self.entries = entries;
        self.known.turns.push((own_move, percepts.clone()));
        Ok(())
    }

    /// The information set of the belief.
    #[must_use]
    pub fn known(&self) -> &InformationSet {
        &self.known
    }

    /// Statistics.
    #[must_use]
    pub fn report(&self) -> ExactReport {
        self.report
    }

    /// Whether `fluent` is true in every history that agrees with what the role knows.
    #[must_use]
    pub fn knows(&self, fluent: FluentId) -> Knowledge {
        Knowledge::proved(self.entries.iter().all(|entry| entry.state.contains(fluent)))
    }

    /// What is certain: all that is true in every history; `looks` says which fluents look alike.
    #[must_use]
    pub fn certainty(&self, looks: Looks<'_>) -> Certainty {
        Certainty::complete(&self.game, &self.distribution(), looks)
    }

    /// How many histories are consistent, merged or not; `u64::MAX` for that many or more.
    #[must_use]
    pub fn histories_count(&self) -> u64 {
        self.entries.iter().fold(0, |sum: u64, entry| sum.saturating_add(entry.histories))
    }

    /// The histories with their probabilities, or `None` where histories are merged.
    #[must_use]
    pub fn histories(&self) -> Option<Vec<(History, f64)>> {
        let history = |entry: &BeliefEntry| {
            let history = History { joint_moves: entry.joint_moves.clone(), state: entry.state.clone() };
            (history, entry.weight)
        };
        (self.options.detail == Detail::Histories).then(|| self.entries.iter().map(history).collect())
    }

    /// The states held possible, each as often as the roles with a policy may know different things in it. The probabilities add up to one.
    pub fn possibilities(&self) -> impl ExactSizeIterator<Item = Possibility<'_>> {
        self.entries.iter().map(|BeliefEntry { state, sets, weight, .. }| Possibility {
            state,
            sets,
            probability: *weight,
        })
    }

    /// The states held possible and their probabilities.
    #[must_use]
    pub fn distribution(&self) -> Distribution {
        Distribution::proportional(self.entries.iter().map(|entry| (&entry.state, entry.weight)))
            .expect("an exact belief has an entry of positive weight")
    }
}

/// The entries of the next turn, merged as they come.
struct Collected {
    entries: Vec<BeliefEntry>,
    /// The index of each state, if histories are merged.
    positions: FxHashMap<(State, Vec<InformationSet>), usize>,
    /// How many children were merged with another.
    merged: u64,
}

impl Collected {
    fn add(&mut self, child: BeliefEntry, detail: Detail) {
        if detail == Detail::Histories {
            self.entries.push(child);
            return;
        }
        let key = (child.state.clone(), child.sets.clone());
        if let Some(&position) = self.positions.get(&key) {
            self.merged += 1;
            let merged = &mut self.entries[position];
            merged.weight += child.weight;
            merged.histories = merged.histories.saturating_add(child.histories);
        } else {
            self.positions.insert(key, self.entries.len());
            self.entries.push(child);
        }
    }
}

/// Entries whose legal moves are computed at once.
const BLOCK: usize = 512;

/// Joint moves that are played before any of them is taken in.
const WAITING_MAX: usize = 8_192;

/// One turn of a belief on its way.
struct Following<'b> {
    game: &'b Game,
    looker: &'b mut Looker,
    modelled: &'b [Modelled],
    options: ExactOptions,
    evidence: Evidence<'b>,
    turn: usize,
    looked_at: u64,
    /// By entry of those that are evaluated together and by role with a policy, its legal moves.
    legal: Vec<Vec<Vec<MoveId>>>,
    /// Joint moves that are still to be played, in order.
    waiting: Vec<PendingEntry>,
    collected: Collected,
}

/// A joint move after an entry.
struct PendingEntry {
    /// The index of the entry among those that are evaluated together.
    entry: usize,
    joint_move: JointMove,
    /// The probability of both.
    weight: f64,
}

impl Following<'_> {
    fn follow(&mut self, entries: &[BeliefEntry]) -> Result<(), BeliefError> {
        for entries in entries.chunks(BLOCK) {
            let states: Vec<&State> = entries.iter().map(|entry| &entry.state).collect();
            let gathered = self.gather(entries, &states);
            // What was gathered before an error comes first, as it would one by one.
            self.play(entries, &states)?;
            gathered?;
        }
        Ok(())
    }

    /// Makes the joint moves with the executed own move wait, and plays them whenever there are many.
    fn gather(&mut self, entries: &[BeliefEntry], states: &[&State]) -> Result<(), BeliefError> {
        let legal = self.looker.playable_moves(self.game, states);
        self.legal.clear();
        self.legal.resize(entries.len(), Vec::new());
        for (number, (entry, legal)) in entries.iter().zip(legal).enumerate() {
            let Some(legal) = played_on(legal)? else { continue };
            self.legal[number] = self.modelled.iter().map(|(role, _)| legal[*role].clone()).collect();
            let Some(candidates) = Candidates::among(self.game, &entry.state, legal, self.evidence) else {
                continue;
            };
            self.looked_at = self.looked_at.saturating_add(candidates.count());
            let joint_moves_max = self.options.joint_moves_max;
            if self.looked_at > joint_moves_max {
                return Err(BeliefError::TooManyJointMoves { joint_moves_max, turn: self.turn });
            }
            let weight = entry.weight * candidates.probability();
            for joint_move in candidates.joint_moves() {
                self.waiting.push(PendingEntry { entry: number, joint_move, weight });
                if self.waiting.len() == WAITING_MAX {
                    self.play(entries, states)?;
                }
            }
        }
        Ok(())
    }

    /// Plays the joint moves that wait, and takes in those that agree with the evidence.
    fn play(&mut self, entries: &[BeliefEntry], states: &[&State]) -> Result<(), BeliefError> {
        let waiting = std::mem::take(&mut self.waiting);
        let Evidence { role, percepts, .. } = self.evidence;
        let branches: Vec<Branch<'_>> = waiting
            .iter()
            .map(|PendingEntry { entry, joint_move, .. }| Branch { state: *entry, joint_move })
            .collect();
        let others: Vec<RoleId> = self.modelled.iter().map(|(role, _)| *role).collect();
        let asked = ToldQuestion { role, percepts, others: &others };
        let found = self.looker.successors_told(self.game, states, &branches, asked)?;
        let told = waiting.iter().zip(&found).filter(|(_, branch)| branch.is_some());
        let mut told: Vec<usize> = told.map(|(waiting, _)| waiting.entry).collect();
        told.dedup();
        self.prepare(entries, &told);
        for (waiting, branch) in waiting.into_iter().zip(found) {
            let Some(branch) = branch else { continue };
            if let Some(child) = self.child(&entries[waiting.entry], waiting, branch) {
                self.collected.add(child, self.options.detail);
            }
            let histories_max = self.options.histories_max;
            if self.collected.entries.len() > histories_max {
                return Err(BeliefError::TooManyHistories { histories_max, turn: self.turn });
            }
        }
        Ok(())
    }

    /// Says to the policies that want to know it what they are about to be asked in some entries.
    fn prepare(&self, entries: &[BeliefEntry], told: &[usize]) {
        for (index, (_, policy)) in self.modelled.iter().enumerate() {
            if policy.asks_at_once() {
                policy.prepare(&distinct(told.iter().map(|&entry| PolicyQuestion {
                    known: &entries[entry].sets[index],
                    legal: &self.legal[entry][index],
                })));
            }
        }
    }

    /// The successor of an entry by a joint move; nothing if a policy never plays it.
    fn child(&self, entry: &BeliefEntry, waiting: PendingEntry, branch: ToldBranch) -> Option<BeliefEntry> {
        let PendingEntry { entry: number, joint_move, mut weight } = waiting;
        let ToldBranch { successor: state, percepts } = branch;
        let mut sets = entry.sets.clone();
        let roles = self.modelled.iter().zip(&self.legal[number]).zip(percepts);
        for ((((role, policy), legal), percepts), known) in roles.zip(&mut sets) {
            weight *= preference(&**policy, known, legal, joint_move.of(*role));
            known.turns.push((joint_move.of(*role), percepts));
        }
        if weight <= 0.0 {
            return None;
        }
        let mut joint_moves = Vec::new();
        if self.options.detail == Detail::Histories {
            joint_moves.clone_from(&entry.joint_moves);
            joint_moves.push(joint_move);
        }
        Some(BeliefEntry { state, sets, weight, histories: entry.histories, joint_moves })
    }
}
