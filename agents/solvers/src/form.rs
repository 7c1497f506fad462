//! The sequence form of a tree: all that an iteration needs, in the order in which it needs it.

use std::ops::Range;

use crate::{
    gadget::Gadget,
    tree::{GameTree, InformationSetId, Node, OutcomeId},
};

/// The value of a match for each player as a function of every player's probabilities of its sequences of moves.
///
/// A *sequence* is what a player must have played to reach a position: an information set and a move in it, or nothing.
/// Its *reach* is the product of the probabilities of the moves in it. A player's
/// counterfactual value of a sequence is a sum over the terminal nodes where that is the last thing it did, of their
/// values times chance times the reach of the others' sequences there: a sparse matrix by a vector. So an iteration
/// touches each terminal node once per player, and otherwise only information sets.
///
/// The sequences of a player are consecutive, first the empty one; so are the moves of an information set, and
/// the information sets that come next after a sequence.
///
/// # Sources
/// D. Koller, N. Megiddo, B. von Stengel: Fast algorithms for finding randomized strategies in game trees, STOC 1994.
///
/// ```
/// use croupier_solvers::{GameTree, SequenceForm, TreeLimits};
/// # use croupier_engine::{Game, Options};
///
/// # let kuhn = croupier_games::find("kuhn").ok_or("the catalogue has it")?;
/// # let game = Game::compile(kuhn.rules, &Options::PLAY)?.game;
/// let tree = GameTree::new(&game, &TreeLimits { histories_max: 1_000 }, &mut |_| {})?;
/// let form = SequenceForm::new(&tree);
/// // Each of two players has two moves in six information sets, and nothing done yet.
/// assert_eq!((form.sets_count(), form.sequences_count()), (12, 2 * (6 * 2 + 1)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct SequenceForm {
    pub(crate) players: Vec<PlayerForm>,
    /// Information sets, a player's in a row, shallow ones first.
    pub(crate) sets: Vec<SetForm>,
    /// For each sequence, and one more, the first information set that comes next after it.
    pub(crate) next_sets: Vec<u32>,
    /// For each sequence, and one more, its first entry in `weights`.
    rows: Vec<u32>,
    /// Chance times the goal of the sequence's owner, relative to the middle of its range.
    weights: Vec<f64>,
    /// The sequences of the others at each entry, as many as there are other players.
    others: Vec<u32>,
    /// For each information set of the tree its place in `sets`.
    places: Vec<u32>,
}

/// A player's part.
#[derive(Clone, Debug)]
pub(crate) struct PlayerForm {
    /// Its sequences, the first being the empty one.
    pub(crate) sequences: Range<usize>,
    /// Its information sets.
    pub(crate) sets: Range<usize>,
    /// The same cut by how many choices it has made before, ascending.
    pub(crate) levels: Vec<Range<usize>>,
    /// The middle between its least and its greatest goal. Regrets do not depend on it, and rounding is least with it.
    pub(crate) middle: f64,
}

/// An information set's part.
#[derive(Clone, Debug)]
pub(crate) struct SetForm {
    /// The sequence that leads there.
    pub(crate) parent: u32,
    /// The sequence that continues with the first move; the others follow it.
    pub(crate) first: u32,
    /// How many moves there are.
    pub(crate) moves: u32,
    /// Which it is in the tree.
    pub(crate) id: InformationSetId,
}

impl SetForm {
    /// The sequences that go on from it.
    pub(crate) fn sequences(&self) -> Range<usize> {
        self.first as usize..(self.first + self.moves) as usize
    }
}

impl SequenceForm {
    /// The sequence form of a tree.
    ///
    /// # Complexity
    /// Linear in the nodes. It has `8 + 4 (n - 1)` bytes for each terminal node and each of n players.
    #[must_use]
    pub fn new(tree: &GameTree) -> Self {
        Self::with_gadget(tree, None)
    }

    /// The sequence form of a gadget game, if there is a gadget.
    pub(crate) fn with_gadget(tree: &GameTree, gadget: Option<&Gadget>) -> Self {
        let parents = parents(tree, gadget);
        let (players, sets, next_sets) = order(tree, gadget, &parents);
        let mut places = vec![0; sets.len()];
        for (place, set) in (0..).zip(&sets) {
            places[set.id.index()] = place;
        }
        let mut form = Self {
            players,
            sets,
            next_sets,
            rows: Vec::new(),
            weights: Vec::new(),
            others: Vec::new(),
            places,
        };
        form.fill(tree, gadget);
        form
    }

    /// The sequences of following and of terminating in each information set of a gadget.
    pub(crate) fn of_gadget(&self, tree: &GameTree, gadget: &Gadget) -> Vec<[usize; 2]> {
        let first = |set| self.set(gadget.id(tree, set)).first as usize;
        (0..gadget.sets_count).map(|set| [first(set), first(set) + 1]).collect()
    }

    /// Makes terminating have this counterfactual value, which is relative to the middle of the opponent's goals.
    pub(crate) fn worth(&mut self, terminate: usize, value: f64) {
        let entry = self.rows[terminate] as usize;
        self.weights[entry] = value;
    }

    /// How many sequences there are of all players together, the empty ones included.
    #[must_use]
    pub fn sequences_count(&self) -> usize {
        self.next_sets.len() - 1
    }

    /// How many information sets there are.
    #[must_use]
    pub fn sets_count(&self) -> usize {
        self.sets.len()
    }

    /// Memory in bytes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        let bytes = size_of_val(self.sets.as_slice())
            + size_of_val(self.next_sets.as_slice())
            + size_of_val(self.rows.as_slice())
            + size_of_val(self.weights.as_slice())
            + size_of_val(self.others.as_slice())
            + size_of_val(self.places.as_slice());
        bytes as u64
    }

    /// An information set's part.
    pub(crate) fn set(&self, id: InformationSetId) -> &SetForm {
        &self.sets[self.places[id.index()] as usize]
    }

    /// The counterfactual value of ending with a sequence, relative to the middle of its owner's goals times the contribution of the
    /// others and chance.
    #[inline]
    pub(crate) fn value(&self, sequence: usize, reach: &[f64]) -> f64 {
        let row = self.rows[sequence] as usize..self.rows[sequence + 1] as usize;
        let weights = &self.weights[row.clone()];
        match self.players.len() {
            1 => weights.iter().sum(),
            2 => {
                let others = &self.others[row];
                weights
                    .iter()
                    .zip(others)
                    .fold(0.0, |sum, (weight, &other)| sum + weight * reach[other as usize])
            }
            players => {
                let others =
                    self.others[row.start * (players - 1)..row.end * (players - 1)].chunks_exact(players - 1);
                let product = |weight: f64, others: &[u32]| {
                    others.iter().fold(weight, |product, &other| product * reach[other as usize])
                };
                weights.iter().zip(others).fold(0.0, |sum, (&weight, others)| sum + product(weight, others))
            }
        }
    }

    /// The information sets that come next after a sequence.
    #[inline]
    pub(crate) fn next(&self, sequence: usize) -> Range<usize> {
        self.next_sets[sequence] as usize..self.next_sets[sequence + 1] as usize
    }

    /// Walks the tree and puts every terminal node into the row of each player's last sequence.
    fn fill(&mut self, tree: &GameTree, gadget: Option<&Gadget>) {
        let players = self.players.len();
        let middles: Vec<f64> = (0..players).map(|player| middle(tree, player)).collect();
        for (form, &middle) in self.players.iter_mut().zip(&middles) {
            form.middle = middle;
        }
        let terminals = self.terminals(tree, gadget);
        let mut counts = vec![0_u32; self.sequences_count() + 1];
        for &sequence in &terminals.sequences {
            counts[sequence as usize + 1] += 1;
        }
        for sequence in 1..counts.len() {
            counts[sequence] += counts[sequence - 1];
        }
        let mut free = counts.clone();
        self.rows = counts;
        self.weights = vec![0.0; terminals.sequences.len()];
        self.others = vec![0; terminals.sequences.len() * (players - 1)];
        for (last, (chance, outcome)) in terminals.sequences.chunks_exact(players).zip(terminals.worth) {
            let goals = outcome.map(|outcome| tree.goals(outcome));
            for (player, &sequence) in last.iter().enumerate() {
                let entry = free[sequence as usize] as usize;
                free[sequence as usize] += 1;
                let goal = goals.map_or(0.0, |goals| f64::from(goals[player].value()) - middles[player]);
                self.weights[entry] = chance * goal;
                let others = last.iter().enumerate().filter(|(other, _)| *other != player);
                for (place, (_, &other)) in others.enumerate() {
                    self.others[entry * (players - 1) + place] = other;
                }
            }
        }
    }

    fn terminals(&self, tree: &GameTree, gadget: Option<&Gadget>) -> Terminals {
        let players = self.players.len();
        let mut last = vec![0_u32; tree.nodes_count() * players];
        for root in 0..tree.root_probabilities().len() {
            for (player, form) in self.players.iter().enumerate() {
                let follow = gadget.and_then(|gadget| gadget.at(player, root, tree));
                let sequence = follow.map_or(position(form.sequences.start), |id| self.set(id).first);
                last[root * players + player] = sequence;
            }
        }
        let mut chance = vec![1.0; tree.nodes_count()];
        for (root, probability) in tree.root_probabilities().iter().enumerate() {
            chance[root] = gadget.map_or(*probability, |gadget| probability / gadget.reach[root]);
        }
        let mut terminals = Terminals { sequences: Vec::new(), worth: Vec::new() };
        for (id, node) in tree.nodes() {
            let at = id.index() * players;
            for (place, child) in (0..).zip(tree.children(node)) {
                last.copy_within(at..at + players, child.index() * players);
                chance[child.index()] = chance[id.index()];
                match node {
                    Node::Decision { information_set, .. } => {
                        let sequence = self.set(information_set).first + place;
                        last[child.index() * players + tree.player(information_set)] = sequence;
                    }
                    Node::Chance { menu, .. } => {
                        let [chances, all] = tree.chances(menu, place as usize);
                        chance[child.index()] = chance[child.index()] * chances / all;
                    }
                    Node::Terminal { .. } => {}
                }
            }
            if let Node::Terminal { outcome } = node {
                terminals.sequences.extend_from_slice(&last[at..at + players]);
                terminals.worth.push((chance[id.index()], Some(outcome)));
            }
        }
        for [_, terminate] in gadget.map(|gadget| self.of_gadget(tree, gadget)).unwrap_or_default() {
            let last = |form: &PlayerForm| {
                let is_own = form.sequences.contains(&terminate);
                position(if is_own { terminate } else { form.sequences.start })
            };
            terminals.sequences.extend(self.players.iter().map(last));
            terminals.worth.push((1.0, None));
        }
        terminals
    }
}

/// The terminal nodes of a tree.
struct Terminals {
    /// The last sequence of each player.
    sequences: Vec<u32>,
    /// The probability of chance's moves, and the outcome; none where a gadget terminates.
    worth: Vec<(f64, Option<OutcomeId>)>,
}

/// A player's last choice before an information set: the information set and the index of the move.
type Parent = Option<(InformationSetId, u32)>;

/// For each information set what its player did last before it.
fn parents(tree: &GameTree, gadget: Option<&Gadget>) -> Vec<Parent> {
    let players = tree.players().len();
    let mut last: Vec<Parent> = vec![None; tree.nodes_count() * players];
    for root in 0..tree.root_probabilities().len() {
        for player in 0..players {
            last[root * players + player] =
                gadget.and_then(|gadget| Some((gadget.at(player, root, tree)?, 0)));
        }
    }
    let mut parents =
        vec![None; tree.information_sets_count() + gadget.map_or(0, |gadget| gadget.sets_count)];
    for (id, node) in tree.nodes() {
        let at = id.index() * players;
        if let Node::Decision { information_set, .. } = node {
            parents[information_set.index()] = last[at + tree.player(information_set)];
        }
        for (place, child) in (0..).zip(tree.children(node)) {
            last.copy_within(at..at + players, child.index() * players);
            if let Node::Decision { information_set, .. } = node {
                last[child.index() * players + tree.player(information_set)] = Some((information_set, place));
            }
        }
    }
    parents
}

/// Numbers the sequences, and puts the information sets of each player in the order of their sequences.
fn order(
    tree: &GameTree,
    gadget: Option<&Gadget>,
    parents: &[Parent],
) -> (Vec<PlayerForm>, Vec<SetForm>, Vec<u32>) {
    let of_tree = tree.information_sets_count();
    let moves_count = |id: InformationSetId| if id.index() < of_tree { tree.moves(id).len() } else { 2 };
    let owner = |id: InformationSetId| match gadget {
        Some(gadget) if id.index() >= of_tree => gadget.opponent,
        _ => tree.player(id),
    };
    let ids = || (0..parents.len()).map(InformationSetId::new);
    // Information sets by what comes before them; those without anything before them first.
    let mut after: Vec<Vec<InformationSetId>> = Vec::new();
    let mut roots: Vec<Vec<InformationSetId>> = vec![Vec::new(); tree.players().len()];
    let mut slots = Vec::with_capacity(parents.len());
    for id in ids() {
        slots.push(after.len());
        after.extend((0..moves_count(id)).map(|_| Vec::new()));
    }
    for id in ids() {
        match parents[id.index()] {
            None => roots[owner(id)].push(id),
            Some((parent, place)) => after[slots[parent.index()] + place as usize].push(id),
        }
    }
    let (mut players, mut sets, mut next_sets) = (Vec::new(), Vec::<SetForm>::new(), Vec::new());
    for roots in roots {
        let (first_sequence, first_set) = (next_sets.len(), sets.len());
        next_sets.push(position(sets.len()));
        let add =
            |parent: usize, ids: &[InformationSetId], sets: &mut Vec<SetForm>, sequences: &mut usize| {
                for &id in ids {
                    let moves = position(moves_count(id));
                    sets.push(SetForm { parent: position(parent), first: position(*sequences), moves, id });
                    *sequences += moves as usize;
                }
            };
        let mut sequences = first_sequence + 1;
        add(first_sequence, &roots, &mut sets, &mut sequences);
        let mut levels = Vec::new();
        let mut level = first_set..sets.len();
        while !level.is_empty() {
            for set in level.clone() {
                let SetForm { id, first, moves, .. } = sets[set];
                for place in 0..moves as usize {
                    next_sets.push(position(sets.len()));
                    let ids = &after[slots[id.index()] + place];
                    add(first as usize + place, ids, &mut sets, &mut sequences);
                }
            }
            let next = level.end..sets.len();
            levels.push(std::mem::replace(&mut level, next));
        }
        debug_assert_eq!(next_sets.len(), sequences);
        players.push(PlayerForm {
            sequences: first_sequence..sequences,
            sets: first_set..sets.len(),
            levels,
            middle: 0.0,
        });
    }
    next_sets.push(position(sets.len()));
    (players, sets, next_sets)
}

/// Half of the sum of a player's lowest and highest goal.
fn middle(tree: &GameTree, player: usize) -> f64 {
    let outcomes = (0..tree.outcomes_count()).map(OutcomeId::new);
    let goals = outcomes.map(|outcome| tree.goals(outcome)[player].value());
    let (least, greatest) =
        goals.fold((i32::MAX, i32::MIN), |(least, greatest), goal| (least.min(goal), greatest.max(goal)));
    (f64::from(least) + f64::from(greatest)) / 2.0
}

fn position(index: usize) -> u32 {
    u32::try_from(index).expect("a count below 2^32")
}
