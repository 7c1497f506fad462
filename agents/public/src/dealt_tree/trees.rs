//! Trees of public states whose histories are pairs of hands.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, PoisonError},
};

use croupier_engine::{Percepts, draw::draw_index};
use croupier_solvers::{HandGame, HandStates, HandTape};
use rand_chacha::ChaCha8Rng;

use crate::{
    PublicError, PublicState, PublicTree, TreeDepth,
    dealt::{BoardComparisons, ComparedHands, DealtNumbers, DealtState},
    dealt_tree::contests::Contests,
    pairs::PairNumbers,
    tree::{PairEnd, PairWorth, TreePrivate},
};

/// How chance goes on where a search starts from its turn.
pub(crate) enum NextBoard<'d> {
    /// In so many ways as a search looks at, drawn if there are more.
    Drawn(&'d mut ChaCha8Rng),
    /// As in a match in which this became public.
    Told(&'d [Percepts]),
}

/// Makes trees.
#[derive(Debug)]
pub(crate) struct DealtTrees {
    game: Arc<HandGame>,
    tape: HandTape,
    contests: Contests,
    comparisons: Arc<Mutex<BoardComparisons>>,
}

/// A public state that a tree may go on from, and the states of some pairs of hands there.
#[derive(Clone)]
struct Going {
    state: DealtState,
    states: HandStates,
    /// By how much what chance has dealt since makes pairs of hands less likely; until then hands are those of the public state before.
    share: f32,
}

/// A move of chance, and by how much it makes pairs of hands less likely, or more if it stands for others.
#[derive(Clone, Copy)]
struct DealtMove {
    number: u32,
    share: f32,
}

impl DealtTrees {
    pub(crate) fn new(numbers: &DealtNumbers) -> Self {
        let (game, comparisons) = (Arc::clone(numbers.game()), Arc::clone(numbers.comparisons()));
        Self { tape: game.tape(), contests: Contests::default(), comparisons, game }
    }

    fn compared(&self, board: &[u32], hands: &[Arc<Vec<u32>>; 2], chances: &PairNumbers) -> ComparedHands {
        self.comparisons.lock().unwrap_or_else(PoisonError::into_inner).of(board, hands, chances)
    }

    /// The public state in which everybody has its hand.
    pub(crate) fn first(&mut self) -> DealtState {
        let (place, way) = self.game.first();
        let hands = [0, 1].map(|player| Arc::new((0..self.game.hands_count(player)).collect::<Vec<u32>>()));
        let chances = Arc::new(PairNumbers::of(hands[0].len(), hands[1].len(), self.game.chances().to_vec()));
        let witnesses = self.game.witnesses(&[]);
        let states = self.game.states(&mut self.tape, way, &[], witnesses);
        DealtState {
            compared: self.compared(&[], &hands, &chances),
            place,
            way: way.to_vec(),
            board: Vec::new(),
            told: self.game.first_told().to_vec(),
            hands,
            chances,
            common: self.game.common(&states),
            game: Arc::clone(&self.game),
        }
    }

    /// The tree from a public state. From a turn of chance it ends where somebody has a choice, and has as many boards as allowed, or the
    /// one that is told; from any other turn it ends where chance deals next, or after so many choices.
    ///
    /// # Errors
    /// [`PublicError::Deal`] if chance cannot go on as expected, [`PublicError::TooMany`] for a tree that is too large, and
    /// [`PublicError::Impossible`] if no match leads to what is told.
    pub(crate) fn tree(
        &mut self,
        root: &DealtState,
        depth: TreeDepth,
        next: NextBoard<'_>,
    ) -> Result<PublicTree, PublicError> {
        if root.is_dealing() { self.after_chance(root, depth, next) } else { self.after_choices(root, depth) }
    }

    /// Some pairs of hands, followed to a public state.
    fn going(&mut self, state: DealtState) -> Going {
        let witnesses = self.game.witnesses(&state.board);
        let states = self.game.states(&mut self.tape, &state.way, &state.board, witnesses);
        Going { state, states, share: 1.0 }
    }

    fn after_choices(&mut self, root: &DealtState, depth: TreeDepth) -> Result<PublicTree, PublicError> {
        let mut tree = PublicTree::empty(root.hands.len());
        let own = [0, 1].map(|player| self.private(root, player, 0, None));
        let at = tree.add(PublicState::Dealt(root.clone()), None, own.into());
        self.extend(&mut tree, at, root, depth)?;
        Ok(tree)
    }

    /// Goes on where a tree ends because of its depth, by one choice.
    ///
    /// # Errors
    /// As [`tree`](Self::tree); the tree is then of no use.
    pub(crate) fn grow(
        &mut self,
        tree: &mut PublicTree,
        leaf: usize,
        state: &DealtState,
        depth: TreeDepth,
    ) -> Result<(), PublicError> {
        tree.reopen(leaf);
        self.extend(tree, leaf, state, TreeDepth { choices: 1, ..depth })
    }

    /// Goes on from a public state until chance deals, or after so many choices.
    fn extend(
        &mut self,
        tree: &mut PublicTree,
        from: usize,
        state: &DealtState,
        depth: TreeDepth,
    ) -> Result<(), PublicError> {
        // What is gone on from, with how many turns with a choice lie between.
        let mut waiting = VecDeque::from([(from, 0, self.going(state.clone()))]);
        while let Some((at, before, here)) = waiting.pop_front() {
            let children = self.game.children(here.state.place).len();
            let has_choice = children > 1;
            if children == 0 {
                self.end(tree, at, &here);
            } else if here.state.is_dealing() || has_choice && before >= depth.choices {
                tree.end_open(at);
            } else {
                for child in 0..children {
                    let next = self.child(&here, child, None)?;
                    let made = self.game.made(here.state.place, child);
                    let own = [0, 1]
                        .map(|player| self.private(&next.state, player, made[player], Some(&here.state)));
                    let child = tree.add(PublicState::Dealt(next.state.clone()), Some(at), own.into());
                    waiting.push_back((child, before + usize::from(has_choice), next));
                }
                if tree.histories_count() > depth.histories {
                    return Err(too_many(&here.state, depth));
                }
            }
        }
        Ok(())
    }

    /// The private states of a player; with the public state before, each comes from the same hand there.
    fn private(
        &self,
        state: &DealtState,
        player: usize,
        made: usize,
        before: Option<&DealtState>,
    ) -> Vec<TreePrivate> {
        let moves = match self.game.is_over(state.place) {
            true => 0,
            false => state.legal(player).len(),
        };
        let place = |hand: &u32| match before {
            Some(before) => before.place_of_hand(player, *hand).expect("the hand was possible before"),
            None => 0,
        };
        state.hands[player].iter().map(|hand| TreePrivate { parent: place(hand), made, moves }).collect()
    }

    /// A turn later.
    fn child(
        &mut self,
        Going { state, states, share: before }: &Going,
        child: usize,
        dealt: Option<DealtMove>,
    ) -> Result<Going, PublicError> {
        let game = Arc::clone(&self.game);
        let told = match dealt {
            Some(DealtMove { number, .. }) => game.told_by_chance(&state.board, number),
            None => game.told(state.place).get(child),
        };
        let mut next = state.clone();
        next.told.push(told.cloned().unwrap_or_default());
        next.way.push(u32::try_from(child).expect("few children"));
        next.place = game.children(state.place)[child];
        let share = before * dealt.map_or(1.0, |dealt| dealt.share);
        let states = match dealt {
            Some(DealtMove { number, .. }) => {
                next.board.push(number);
                let witnesses = game.witnesses(&next.board);
                // Pairs that the move excludes are followed no further.
                let possible = game.states(&mut self.tape, &state.way, &state.board, witnesses);
                game.after(&mut self.tape, &possible, state.place, child, Some(number))?
            }
            None => game.after(&mut self.tape, states, state.place, child, None)?,
        };
        next.common = game.common(&states);
        Ok(Going { state: next, states, share })
    }

    /// Takes in what the ends of a public state in which the match is over count.
    fn end(&mut self, tree: &mut PublicTree, at: usize, Going { state, states, .. }: &Going) {
        let first = [0, 1].map(|player| tree.sets(at, player).start);
        let some = self.game.goals(&mut self.tape, states);
        let same = some.first().map_or([0.0; 2], |(_, goals)| *goals);
        let is_contested =
            some.iter().any(|(_, goals)| *goals != same) || self.game.is_contested(state.place);
        let worth = match is_contested {
            true => self.contests.worth(&self.game, &mut self.tape, state, &some),
            false => {
                PairWorth { chances: Arc::clone(&state.chances), same: same.map(f64::from), contested: None }
            }
        };
        tree.pair_ends.push(PairEnd { first, worth });
    }

    fn after_chance(
        &mut self,
        root: &DealtState,
        depth: TreeDepth,
        next: NextBoard<'_>,
    ) -> Result<PublicTree, PublicError> {
        let going = self.going(root.clone());
        let mut ends = match next {
            NextBoard::Told(told) => vec![self.as_told(going, told)?],
            NextBoard::Drawn(rng) => match self.all_boards(&going, depth.boards)? {
                Some(all) => all,
                None => (0..depth.boards)
                    .map(|_| self.drawn(&going, depth.boards, rng))
                    .collect::<Result<_, _>>()?,
            },
        };
        for Going { state, share, .. } in &mut ends {
            state.deal(*share);
            state.compared = self.compared(&state.board, &state.hands, &state.chances);
        }
        let mut tree = PublicTree::empty(root.hands.len());
        let mixed = PublicState::Dealt(mixture(root, &ends));
        let own = [0, 1].map(|player| self.private(root, player, 0, None));
        tree.add(mixed, None, own.into());
        for end in ends {
            let own = [0, 1].map(|player| self.private(&end.state, player, 0, Some(root)));
            let at = tree.add(PublicState::Dealt(end.state.clone()), Some(0), own.into());
            match self.game.is_over(end.state.place) {
                true => self.end(&mut tree, at, &end),
                false => tree.end_open(at),
            }
        }
        Ok(tree)
    }

    /// Whether nothing but chance decides how a match goes on.
    fn goes_on(&self, state: &DealtState) -> bool {
        self.game.children(state.place).len() == 1
    }

    /// The moves of chance in a turn, each as likely as it is; none in particular if it does not deal.
    fn dealable(&mut self, going: &Going) -> Vec<Option<DealtMove>> {
        if !going.state.is_dealing() {
            return vec![None];
        }
        let (numbers, each) = self.game.dealable(&mut self.tape, &going.states);
        let share = 1.0 / each.max(1) as f32;
        numbers.into_iter().map(|number| Some(DealtMove { number, share })).collect()
    }

    /// All ways until somebody has a choice or the match is over, if there are at most so many.
    fn all_boards(&mut self, root: &Going, most: usize) -> Result<Option<Vec<Going>>, PublicError> {
        let mut all = vec![root.clone()];
        while all.iter().any(|going| self.goes_on(&going.state)) {
            let mut next = Vec::new();
            for going in all {
                if !self.goes_on(&going.state) {
                    next.push(going);
                    continue;
                }
                let dealable = self.dealable(&going);
                if next.len() + dealable.len() > most {
                    return Ok(None);
                }
                for dealt in dealable {
                    next.push(self.child(&going, 0, dealt)?);
                }
            }
            all = next;
        }
        Ok(Some(all))
    }

    /// One way of so many that are drawn: together they stand for all.
    fn drawn(&mut self, root: &Going, all: usize, rng: &mut ChaCha8Rng) -> Result<Going, PublicError> {
        let (mut going, mut share) = (root.clone(), 1.0 / all as f32);
        while self.goes_on(&going.state) {
            let dealable = self.dealable(&going);
            let mut dealt = dealable[draw_index(dealable.len(), rng)];
            if let Some(dealt) = &mut dealt {
                // What is drawn as one of so many stands for all of them.
                dealt.share *= dealable.len() as f32 * std::mem::replace(&mut share, 1.0);
            }
            going = self.child(&going, 0, dealt)?;
        }
        Ok(going)
    }

    /// The way on which this becomes public.
    fn as_told(&mut self, mut going: Going, told: &[Percepts]) -> Result<Going, PublicError> {
        while self.goes_on(&going.state) {
            let turn = going.state.told.len();
            let dealt = self.dealable(&going).into_iter().find(|dealt| {
                let public =
                    dealt.and_then(|dealt| self.game.told_by_chance(&going.state.board, dealt.number));
                dealt.is_none() || public == told.get(turn)
            });
            let dealt = dealt.ok_or(PublicError::Impossible { turn: turn + 1 })?;
            going = self.child(&going, 0, dealt)?;
        }
        Ok(going)
    }
}

/// The public state of a turn of chance with the boards that a tree has.
fn mixture(root: &DealtState, ends: &[Going]) -> DealtState {
    let (rows, columns) = (root.hands[0].len(), root.hands[1].len());
    let mut sums = vec![0.0_f32; rows * columns];
    for Going { state, .. } in ends {
        let place = |player: usize| {
            let of = |hand: &u32| root.place_of_hand(player, *hand).expect("the hand was possible before");
            state.hands[player].iter().map(of).collect::<Vec<usize>>()
        };
        let (of_rows, of_columns) = (place(0), place(1));
        let mut numbers = vec![0.0; of_columns.len()];
        for (row, &to) in of_rows.iter().enumerate() {
            state.chances.write_row(row, &mut numbers);
            let sums = &mut sums[to * columns..(to + 1) * columns];
            of_columns.iter().zip(&numbers).for_each(|(&column, number)| sums[column] += number);
        }
    }
    DealtState { chances: Arc::new(PairNumbers::of(rows, columns, sums)), ..root.clone() }
}

impl DealtState {
    /// Leaves out what cannot be dealt with the board any more, and makes the rest so many times as likely.
    fn deal(&mut self, share: f32) {
        let keep = |player: usize| -> Vec<usize> {
            let all = self.hands[player].iter().enumerate();
            let kept = all.filter(|&(_, &hand)| self.game.is_possible(player, hand, &self.board));
            kept.map(|(place, _)| place).collect()
        };
        let kept = [keep(0), keep(1)];
        self.chances = Arc::new(self.chances.part(&kept[0], &kept[1], share));
        for (hands, kept) in self.hands.iter_mut().zip(&kept) {
            *hands = Arc::new(kept.iter().map(|&place| hands[place]).collect());
        }
    }
}

fn too_many(state: &DealtState, depth: TreeDepth) -> PublicError {
    let private = state.hands.iter().map(|hands| hands.len()).sum();
    PublicError::TooMany { turns: state.told.len(), most: depth.histories, private }
}
