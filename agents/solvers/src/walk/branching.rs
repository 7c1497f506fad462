//! From information sets to those of a turn later.

use std::{ops::Range, rc::Rc};

use croupier_engine::{
    Game, MoveId, RoleId,
    game::{RowLooker, RowStatus, RowStatuses},
};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::{WalkError, Worth, piece::WalkPiece, strategy::Strategies};
use crate::{
    lanes::{ByRow, Lookers, ones, percepts, position},
    tree::knowledge::{KnowledgeId, PerceptsId},
};

/// Joint moves that are played together.
const BRANCHES: usize = 32_768;

/// The continuations of a piece.
pub(super) struct Branches {
    /// For each information set the value of its histories that are over.
    pub(super) ended: Vec<Worth>,
    /// For each information set how probable the strategy makes the player's moves there; none where all is over.
    pub(super) own: Vec<Rc<[f64]>>,
    /// All information sets of the next turn.
    pub(super) next: WalkPiece,
    /// For each of them its parent.
    pub(super) above: Vec<Above>,
}

/// An information set and the move of the player there.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Above {
    /// The place of the information set in its piece.
    pub(super) set: usize,
    /// The place of the move among the legal ones.
    pub(super) place: usize,
}

/// A list of legal moves, and the position of their network indices.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Menu {
    first: u32,
    count: u32,
}

/// A walk's way from one turn to the next, for one player.
pub(super) struct Branching<'w, 's, 'g> {
    lookers: &'w Lookers<'g>,
    role: RoleId,
    /// The position of the player among the players.
    player: usize,
    /// By role its position among the players other than this one.
    other_of: Vec<Option<usize>>,
    /// The others, with their positions among all players.
    others: Vec<(RoleId, usize)>,
    strategies: &'w mut Strategies<'s, 'g>,
    /// By role, the meanings of rows of legal moves.
    menus: Vec<ByRow<Menu>>,
    numbers: Vec<u32>,
    /// The moves of the same places.
    moves: Vec<MoveId>,
    /// By player, the meanings of rows of percepts.
    told: Vec<ByRow<PerceptsId>>,
}

/// Joint moves that are to be played.
#[derive(Default)]
struct Joint {
    sources: Vec<u32>,
    moves: Vec<u32>,
    weights: Vec<f64>,
    above: Vec<Above>,
}

/// Histories of the next turn in the order in which they came up.
struct Fresh {
    /// The information set of each.
    sets: Vec<u32>,
    histories: WalkPiece,
    known_sets: FxHashMap<(Above, PerceptsId), u32>,
    above: Vec<Above>,
    own: Vec<KnowledgeId>,
}

impl<'w, 's, 'g> Branching<'w, 's, 'g> {
    /// For `role`, a player.
    pub(super) fn new(
        game: &'g Game,
        lookers: &'w Lookers<'g>,
        role: RoleId,
        strategies: &'w mut Strategies<'s, 'g>,
    ) -> Self {
        let players: Vec<RoleId> = game.roles().players().collect();
        let mut others = players.iter().copied().zip(0..).collect::<Vec<_>>();
        others.retain(|&(other, _)| other != role);
        let other_of = |all: RoleId| others.iter().position(|&(other, _)| other == all);
        Self {
            lookers,
            role,
            player: players.iter().position(|&player| player == role).expect("a player"),
            other_of: game.roles().all().map(other_of).collect(),
            menus: game.roles().all().map(|role| lookers.by_legal(role)).collect(),
            told: players.iter().map(|&role| lookers.by_told(role)).collect(),
            others,
            strategies,
            numbers: Vec::new(),
            moves: Vec::new(),
        }
    }

    /// The one history before the first turn.
    pub(super) fn first(&self) -> WalkPiece {
        let game = self.strategies.game();
        let state =
            self.lookers.network().row(game.initial_state()).expect("the network has its initial state");
        let mut piece = WalkPiece::new(self.lookers.words(), self.others_kept());
        piece.states = state;
        piece.weights.push(1.0);
        piece.ends.push(1);
        let initial = self.strategies.initial();
        if self.strategies.looks_at_knowledge() {
            piece.known = self.others.iter().map(|&(_, player)| initial[player]).collect();
            piece.own.push(initial[self.player]);
        }
        piece
    }

    fn others_kept(&self) -> usize {
        if self.strategies.looks_at_knowledge() { self.others.len() } else { 0 }
    }

    /// The continuations of several information sets.
    pub(super) fn branch(&mut self, piece: &WalkPiece) -> Result<Branches, WalkError> {
        let statuses = self.lookers.look(&piece.states, piece.len())?;
        let mut ended = vec![Worth::default(); piece.sets()];
        let mut own: Vec<Rc<[f64]>> = Vec::with_capacity(piece.sets());
        let (mut joint, mut fresh) = (Joint::default(), Fresh::new(piece));
        for (set, ended) in ended.iter_mut().enumerate() {
            let mut own_menu = None;
            for history in piece.histories(set) {
                let (block, lane) = (&statuses[history / RowLooker::BLOCK], history % RowLooker::BLOCK);
                if block.kinds[lane] == RowStatus::Terminal {
                    let goals = &block.goals[lane * self.told.len()..(lane + 1) * self.told.len()];
                    let goal = f64::from(goals[self.player].value());
                    ended.add(Worth { value: goal, best: goal }, piece.weights[history]);
                    continue;
                }
                let menus = self.menus_of(block, lane);
                let menu = menus[self.role.index()];
                if *own_menu.get_or_insert(menu) != menu {
                    return Err(self.strategies.unknown_moves(self.role));
                }
                self.join(piece, set, history, &menus, &mut joint)?;
                if joint.sources.len() >= BRANCHES {
                    self.play(piece, &mut joint, &mut fresh);
                }
            }
            own.push(match own_menu {
                Some(menu) => self.own_strategy(piece, set, menu)?,
                None => Rc::default(),
            });
        }
        self.play(piece, &mut joint, &mut fresh);
        let above = std::mem::take(&mut fresh.above);
        Ok(Branches { ended, own, above, next: fresh.sorted() })
    }

    fn own_strategy(&mut self, piece: &WalkPiece, set: usize, menu: Menu) -> Result<Rc<[f64]>, WalkError> {
        let moves = &self.moves[menu.first as usize..(menu.first + menu.count) as usize];
        match piece.own.get(set) {
            Some(&known) => self.strategies.of(self.role, known, moves),
            None => Ok(self.strategies.uniform(moves.len())),
        }
    }

    /// The legal moves of every role in a history.
    fn menus_of(&mut self, block: &RowStatuses, lane: usize) -> Vec<Menu> {
        let Self { menus, numbers, moves, lookers, .. } = self;
        let roles = lookers.roles().zip(menus);
        let menu = |(role, menus): (RoleId, &mut ByRow<Menu>)| {
            let of_role = lookers.network().moves(role);
            menus.get(&block.legal[role.index()], lane, |row| {
                let first = numbers.len();
                numbers.extend(ones(row));
                moves.extend(numbers[first..].iter().map(|&number| of_role[number as usize]));
                Menu { first: position(first), count: position(numbers.len() - first) }
            })
        };
        roles.map(menu).collect()
    }

    /// Adds the joint moves of a history that the others and chance may make.
    fn join(
        &mut self,
        piece: &WalkPiece,
        set: usize,
        history: usize,
        menus: &[Menu],
        joint: &mut Joint,
    ) -> Result<(), WalkError> {
        let begin = joint.sources.len();
        joint.sources.push(position(history));
        joint.weights.push(piece.weights[history]);
        joint.above.push(Above { set, place: 0 });
        let roles = menus.len();
        joint.moves.resize((begin + 1) * roles, 0);
        for role in self.lookers.roles() {
            let menu = menus[role.index()];
            let places = menu.first as usize..(menu.first + menu.count) as usize;
            let shares = match self.other_of[role.index()] {
                Some(other) if piece.others > 0 => {
                    let known = piece.known(history)[other];
                    Some(self.strategies.of(role, known, &self.moves[places.clone()])?)
                }
                _ if role == self.role => None,
                _ => Some(self.strategies.uniform(places.len())),
            };
            joint.multiply(begin, role, &self.numbers[places], shares.as_deref());
        }
        Ok(())
    }

    /// Plays the joint moves that are waiting.
    fn play(&mut self, piece: &WalkPiece, joint: &mut Joint, fresh: &mut Fresh) {
        let roles = self.menus.len();
        let blocks = self.lookers.play(&piece.states, &joint.sources, &joint.moves, roles);
        for (block, played) in blocks.iter().enumerate() {
            fresh.histories.states.extend_from_slice(&played.states);
            let first = block * RowLooker::BLOCK;
            for lane in 0..joint.sources.len().min(first + RowLooker::BLOCK) - first {
                let (branch, source) = (first + lane, joint.sources[first + lane] as usize);
                let moves = &joint.moves[branch * roles..(branch + 1) * roles];
                let above = joint.above[branch];
                let told = self.told(self.role, self.player, &played.told[self.player], lane);
                let next = position(fresh.above.len());
                let set = *fresh.known_sets.entry((above, told)).or_insert_with(|| {
                    fresh.above.push(above);
                    next
                });
                if set == next
                    && let Some(&before) = piece.own.get(above.set)
                {
                    let own_move = self.move_of(self.role, moves);
                    fresh.own.push(self.strategies.learn(before, own_move, told));
                }
                fresh.sets.push(set);
                fresh.histories.weights.push(joint.weights[branch]);
                for other in 0..piece.others {
                    let (role, player) = self.others[other];
                    let told = self.told(role, player, &played.told[player], lane);
                    let (before, own_move) = (piece.known(source)[other], self.move_of(role, moves));
                    fresh.histories.known.push(self.strategies.learn(before, own_move, told));
                }
            }
        }
        joint.clear();
    }

    fn move_of(&self, role: RoleId, moves: &[u32]) -> MoveId {
        self.lookers.network().moves(role)[moves[role.index()] as usize]
    }

    fn told(&mut self, role: RoleId, player: usize, rows: &[u64], lane: usize) -> PerceptsId {
        let Self { told, strategies, lookers, .. } = self;
        told[player].get(rows, lane, |row| strategies.percepts(&percepts(lookers.network(), role, row)))
    }
}

impl Joint {
    /// Gives the joint moves from `begin` on each of the moves of a role, as probable as `shares` has them; without shares
    /// the player itself moves, and all its moves are tried.
    fn multiply(&mut self, begin: usize, role: RoleId, numbers: &[u32], shares: Option<&[f64]>) {
        let (count, roles) = (self.sources.len() - begin, self.moves.len() / self.sources.len());
        let share = |place: usize| shares.map_or(1.0, |shares| shares[place]);
        let possible = || (0..numbers.len()).filter(|&place| share(place) > 0.0);
        for place in possible().skip(1) {
            let copy = self.sources.len();
            self.sources.extend_from_within(begin..begin + count);
            self.moves.extend_from_within(begin * roles..(begin + count) * roles);
            self.weights.extend_from_within(begin..begin + count);
            self.above.extend_from_within(begin..begin + count);
            self.set(copy..copy + count, role, numbers[place], share(place));
            if shares.is_none() {
                self.above[copy..].iter_mut().for_each(|above| above.place = place);
            }
        }
        // The first is made of the joint moves themselves, when all copies are made.
        if let Some(place) = possible().next() {
            self.set(begin..begin + count, role, numbers[place], share(place));
        }
    }

    /// Sets the move of a role in some joint moves.
    fn set(&mut self, branches: Range<usize>, role: RoleId, number: u32, share: f64) {
        let roles = self.moves.len() / self.sources.len();
        for branch in branches {
            self.moves[branch * roles + role.index()] = number;
            self.weights[branch] *= share;
        }
    }

    fn clear(&mut self) {
        self.sources.clear();
        self.moves.clear();
        self.weights.clear();
        self.above.clear();
    }
}

impl Fresh {
    fn new(before: &WalkPiece) -> Self {
        Self {
            sets: Vec::new(),
            histories: WalkPiece::new(before.words, before.others),
            known_sets: FxHashMap::default(),
            above: Vec::new(),
            own: Vec::new(),
        }
    }

    /// The histories by information set, those that have the same future as one.
    fn sorted(self) -> WalkPiece {
        let Self { sets, histories, own, .. } = self;
        let mut order: Vec<u32> = (0..position(sets.len())).collect();
        let key = |&place: &u32| {
            let place = place as usize;
            (sets[place], histories.state(place), histories.known(place))
        };
        // The sort is stable, so weights are added in the same order on any number of threads.
        order.par_sort_by(|left, right| key(left).cmp(&key(right)));
        let mut sorted = WalkPiece { own, ..WalkPiece::new(histories.words, histories.others) };
        for (place, history) in order.iter().enumerate() {
            let weight = histories.weights[*history as usize];
            let before = place.checked_sub(1).map(|before| &order[before]);
            if before.is_some_and(|before| key(before) == key(history)) {
                *sorted.weights.last_mut().expect("one before it") += weight;
                continue;
            }
            if before.is_some_and(|before| key(before).0 != key(history).0) {
                sorted.ends.push(sorted.len());
            }
            sorted.weights.push(weight);
            sorted.states.extend_from_slice(key(history).1);
            sorted.known.extend_from_slice(key(history).2);
        }
        if sorted.len() > 0 {
            sorted.ends.push(sorted.len());
        }
        sorted
    }
}
