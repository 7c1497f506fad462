//! What a role can work out from what it did and was told, for a person in its place.

use std::sync::Arc;

use croupier_belief::{Basis, Believer, Detail, ExactOptions, Methods, Opponents, Outlook};
use croupier_engine::{FluentId, Game, InformationSet, MoveId, RoleId, Scratch, Status, game::TermError};
use croupier_referee::{Insight, PossibleMoves, ProvedFacts};

/// States that are asked for the legal moves: these are the same in all, unless the rules leave the role in the dark.
const STATES_ASKED_MAX: usize = 500;

/// States that are asked who has to choose: all of them, or nothing is proved.
const STATES_PROVED_MAX: usize = 3_000;

/// States and joint moves of a turn that are looked at, one by one: a hand of two at a table of cards is within these. What they prove is
/// proved without a network.
const EXACT: ExactOptions =
    ExactOptions { detail: Detail::States, histories_max: 20_000, joint_moves_max: 500_000 };

/// [`Insight`] by the belief of the role: all histories where they are few, otherwise some, and proofs about all.
///
/// ```
/// use std::sync::Arc;
/// use croupier_engine::{Game, Options};
/// use croupier_referee::Insight as _;
/// use croupier_seat::RoleInsight;
///
/// let kuhn = croupier_games::find("kuhn").ok_or("the catalogue has it")?;
/// let game = Arc::new(Game::compile(kuhn.rules, &Options::PLAY)?.game);
/// let bob = game.roles().find("bob").ok_or("a role")?;
/// let mut insight = RoleInsight::new(Arc::clone(&game), bob);
/// insight.take("noop", &["(dealt alice)"])?;
/// insight.take("noop", &["(hole jack)"])?;
/// let facts = insight.facts(&|_| None, &|_| true);
/// assert!(facts.certain.iter().any(|fact| **fact == *"(hand bob jack)"));
/// assert!(facts.open.iter().any(|fact| **fact == *"(hand alice king)"));
/// // It is proved that alice is to move, whatever she holds.
/// assert_eq!(insight.to_move(), game.roles().find("alice").map(|alice| vec![alice]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct RoleInsight {
    game: Arc<Game>,
    known: InformationSet,
    scratch: Scratch,
    /// `None` once there is no belief: the rules are beyond every method, or contradict what was told.
    believer: Option<Believer>,
    /// What is believed after the turns taken in, once somebody asked.
    outlook: Option<Outlook>,
}

impl RoleInsight {
    /// What `role` knows before the first move.
    #[must_use]
    pub fn new(game: Arc<Game>, role: RoleId) -> Self {
        // The same tables every time: what is drawn for them is no part of the match, and two who know the same see the same.
        let methods = Methods { exact: Some(EXACT), ..Methods::brief([0; 32]) };
        let believer = Believer::new(Arc::clone(&game), role, methods, &Opponents::uniform()).ok();
        let (known, scratch) = (InformationSet::initial(role), game.scratch());
        Self { game, known, scratch, believer, outlook: None }
    }

    /// What is believed now.
    fn look(&mut self) -> Option<&Outlook> {
        if self.outlook.is_none() {
            self.outlook = self.believer.as_mut()?.follow(&self.known).ok();
            if self.outlook.is_none() {
                self.believer = None;
            }
        }
        self.outlook.as_ref()
    }

    /// The legal moves of a role in some states that it holds possible and in which the match goes on.
    fn in_states<T>(&mut self, count: usize, of: impl Fn(&Game, &Status) -> Option<T>) -> Vec<T> {
        let (game, mut scratch) = (Arc::clone(&self.game), self.game.scratch());
        std::mem::swap(&mut scratch, &mut self.scratch);
        let states = self.look().map(|outlook| &outlook.distribution);
        let states = states.into_iter().flat_map(|states| states.iter().take(count));
        let found = states
            .filter_map(|(state, _)| game.status(state, &mut scratch).ok())
            .filter_map(|status| of(&game, &status))
            .collect();
        self.scratch = scratch;
        found
    }
}

impl Insight for RoleInsight {
    fn turns(&self) -> usize {
        self.known.turns.len()
    }

    fn take(&mut self, own_move: &str, percepts: &[&str]) -> Result<(), TermError> {
        self.known.turns.push(self.game.own_turn(own_move, percepts.iter().copied())?);
        self.outlook = None;
        Ok(())
    }

    fn facts(&mut self, look: &dyn Fn(&str) -> Option<String>, asked: &dyn Fn(&str) -> bool) -> ProvedFacts {
        if self.look().is_none() {
            return ProvedFacts { is_vague: true, ..ProvedFacts::default() };
        }
        let certainty = self.believer.as_ref().map(|believer| believer.certainty_about(look, asked));
        let certainty = certainty.unwrap_or_default();
        let texts = |fluents: &[FluentId]| -> Vec<Arc<str>> {
            fluents.iter().map(|&fluent| self.game.fluent_text(fluent)).collect()
        };
        ProvedFacts {
            certain: texts(&certainty.proved),
            open: texts(&certainty.open),
            alike: texts(&certainty.alike),
            copies: texts(&certainty.copies),
            is_vague: !certainty.is_closed,
        }
    }

    fn moves(&mut self) -> PossibleMoves {
        let role = self.known.role;
        let found: Vec<Vec<MoveId>> = self.in_states(STATES_ASKED_MAX, |_, status| match status {
            Status::Running { legal } => Some(legal[role].clone()),
            Status::Terminal { .. } => None,
        });
        let are_alike = found.windows(2).all(|pair| pair[0] == pair[1]);
        let mut texts: Vec<Arc<str>> = Vec::new();
        let lists = if are_alike { found.get(..1).unwrap_or_default() } else { &found };
        texts.extend(lists.iter().flatten().map(|&id| self.game.move_text(id)));
        texts.sort();
        texts.dedup();
        PossibleMoves { texts, are_alike }
    }

    fn to_move(&mut self) -> Option<Vec<RoleId>> {
        // A sample proves nothing.
        let Basis::Histories(_) = self.look()?.basis else { return None };
        if self.look()?.distribution.iter().count() > STATES_PROVED_MAX {
            return None;
        }
        let found = self.in_states(STATES_PROVED_MAX, |game, status| match status {
            Status::Running { legal } => {
                Some(game.roles().players().filter(|&role| legal[role].len() > 1).collect::<Vec<_>>())
            }
            Status::Terminal { .. } => Some(Vec::new()),
        });
        let first = found.first()?.clone();
        found.iter().all(|others| *others == first).then_some(first)
    }
}
