//! The tree of players' moves in a game in which chance only deals.
//!
//! In hold'em the cards decide who wins but never which bets are legal. So the tree of bets is the same for every deal, and is
//! built once, on lanes with a different deal in each; every lane checks that it *is* the same. A node is a turn. A player's
//! knowledge has two parts: what it did and was told in turns without chance, which is the same for all deals and
//! determines its place in this tree; and what it was told in turns of chance, which is its part of the deal.

use std::{cmp::Reverse, sync::Arc};

use croupier_engine::{Game, RoleId, batch::Plane, game::GameNetwork, stages::bits::Bits};
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;
use rustc_hash::FxHashMap;

use super::{
    DealError,
    likeness::Likeness,
    machine::{DealTape, Deals, LANES, States, W, id},
    vocabulary::vocabulary,
};

/// The tree of the players' moves.
#[derive(Debug)]
pub struct MoveTree {
    pub(super) network: Arc<GameNetwork>,
    /// The meaning of the network's indices.
    pub(super) vocabulary: String,
    /// The rules in normal form.
    pub(super) rules: String,
    pub(super) players: Vec<RoleId>,
    pub(super) random: Option<RoleId>,
    pub(super) nodes: Vec<MoveNode>,
    pub(super) sets: Vec<MoveSet>,
    /// By player, its possible knowledge about moves: by the previous knowledge, its move and what it was told.
    pub(super) steps: Vec<FxHashMap<(u32, u32, CommonPercepts), u32>>,
    /// By player and knowledge about moves, the information sets that differ only in the deal.
    pub(super) known_sets: Vec<FxHashMap<u32, u32>>,
    /// By chance turn and player, the part of the deal that each move of chance reveals.
    pub(super) hints: Vec<Vec<Hints>>,
    /// From the root to an end after the last chance turn that the deal decides, by as few choices as possible: the child at each node.
    pub(super) quiet: Vec<usize>,
    /// Which hands are the same but for names and order.
    pub(super) likeness: Likeness,
}

/// One turn.
#[derive(Clone, Debug, Default)]
pub(super) struct MoveNode {
    /// The number of this chance turn, counted from 0, if chance has a choice.
    pub(super) chance: Option<u32>,
    /// By role, its only move; 0 for those that choose.
    pub(super) fixed: Vec<u32>,
    /// Players with a choice, and their information sets but for the deal.
    pub(super) choosers: Vec<(usize, u32)>,
    /// The turns after each combination of moves, those of the last player fastest; none at the end.
    pub(super) children: Vec<u32>,
    /// By player, whether it has a choice here or later.
    pub(super) chooses: Vec<bool>,
    /// At an end, how far goals lie apart between deals: the greatest difference for any player.
    pub(super) spread: f32,
}

/// The information sets of a player that differ only in the deal.
#[derive(Debug)]
pub(super) struct MoveSet {
    pub(super) player: usize,
    /// Chance turns before.
    pub(super) chances: u32,
    /// Move numbers of the role.
    pub(super) moves: Vec<u32>,
}

/// The part of what a player was told in one turn that is the same for all deals.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum CommonPercepts {
    /// Something of the deal.
    Dealt,
    /// This.
    Percepts(Bits),
}

/// What the moves of one chance turn reveal to one player.
#[derive(Clone, Debug, Default)]
pub(super) struct Hints {
    /// The possible percepts.
    pub(super) told: Vec<Bits>,
    /// By index of a move, the index of what it reveals.
    pub(super) of: FxHashMap<u32, u32>,
    /// By index of a percept, the moves that reveal it.
    pub(super) moves: Vec<Vec<u32>>,
}

/// Turns of a match, at most.
const DEPTH_MAX: usize = 512;

/// Maximum number of sets of deals examined until every move of chance was seen.
const ROUNDS_MAX: usize = 64;

impl MoveTree {
    /// Builds the tree of a game, of at most `nodes_max` turns.
    ///
    /// # Errors
    /// [`DealError`] if the game has no network, or chance affects the legal moves or what is told about moves.
    pub fn new(game: &Game, nodes_max: usize) -> Result<Self, DealError> {
        Self::new_until(game, nodes_max, &mut || false)
    }

    /// The same, until `is_over` returns true, which is called for every turn.
    ///
    /// # Errors
    /// Those of [`new`](Self::new), and [`DealError::Interrupted`].
    pub fn new_until(
        game: &Game,
        nodes_max: usize,
        is_over: &mut dyn FnMut() -> bool,
    ) -> Result<Self, DealError> {
        let network = Arc::clone(game.network().ok_or(DealError::NoNetwork)?);
        let random = game.roles().random();
        let players: Vec<RoleId> = game.roles().players().collect();
        let machine = DealTape::new(&network, random);
        let tree = Self {
            steps: vec![FxHashMap::default(); players.len()],
            known_sets: vec![FxHashMap::default(); players.len()],
            vocabulary: vocabulary(game, &network),
            rules: game.rules().program().to_string(),
            network,
            players,
            random,
            nodes: Vec::new(),
            sets: Vec::new(),
            hints: Vec::new(),
            quiet: Vec::new(),
            likeness: Likeness::default(),
        };
        let rng = ChaCha8Rng::from_seed([0; 32]);
        let mut builder = MoveTreeBuilder { tree, machine, deals: Deals::default(), rng, nodes_max, is_over };
        let initial = builder.machine.initial();
        builder.grow(&initial, 0, 0)?;
        builder.tree.quiet = builder.quiet_line()?;
        builder.learn_hints()?;
        let known = vec![0; builder.tree.players.len()];
        let (mut sets, mut counts) = (Vec::new(), vec![1; builder.tree.players.len()]);
        builder.know(0, &initial, &known, &mut sets, &mut counts)?;
        builder.tree.sets = sets;
        let MoveTreeBuilder { mut tree, mut rng, is_over, .. } = builder;
        tree.likeness = Likeness::new(&tree, game, &mut rng, is_over).ok_or(DealError::Interrupted)?;
        Ok(tree)
    }

    /// How many turns it has.
    #[must_use]
    pub fn nodes_count(&self) -> usize {
        self.nodes.len()
    }

    /// How many information sets there are but for the deal.
    #[must_use]
    pub fn sets_count(&self) -> usize {
        self.sets.len()
    }

    /// The players: all roles but `random`.
    #[must_use]
    pub fn players(&self) -> &[RoleId] {
        &self.players
    }

    /// How many turns of chance a match has at most.
    #[must_use]
    pub fn chances_count(&self) -> usize {
        self.hints.len()
    }

    /// The pairs of a player and a number of chance turns after which it has choices, in order.
    pub(super) fn rounds(&self) -> Vec<(usize, u32)> {
        let mut rounds: Vec<(usize, u32)> = self.sets.iter().map(|set| (set.player, set.chances)).collect();
        rounds.sort_unstable();
        rounds.dedup();
        rounds
    }

    /// Chance turns before the first choice of a player.
    pub(super) fn first_round(&self, player: usize) -> usize {
        let of_player = self.sets.iter().filter(|set| set.player == player);
        of_player.map(|set| set.chances as usize).min().unwrap_or_default()
    }

    /// Makes the players' moves of a turn, and no other.
    pub(super) fn make_moves(&self, machine: &mut DealTape, node: &MoveNode, child: usize) {
        machine.clear_moves();
        for (role, number) in self.moves(node, child) {
            machine.make(role, number);
        }
    }

    /// The states after a turn in which chance plays the moves of the deals, after they were set.
    pub(super) fn after(
        &self,
        machine: &mut DealTape,
        deals: &Deals,
        node: &MoveNode,
        child: usize,
    ) -> States {
        self.make_moves(machine, node, child);
        if let Some(turn) = node.chance {
            machine.make_deal(deals, turn as usize);
        }
        machine.next()
    }

    /// The place of each chooser's move at a child.
    pub(super) fn digits(&self, node: &MoveNode, child: usize) -> Vec<usize> {
        let mut rest = child;
        let mut digits = vec![0; node.choosers.len()];
        for (digit, &(_, set)) in digits.iter_mut().zip(&node.choosers).rev() {
            let count = self.sets[set as usize].moves.len();
            *digit = rest % count;
            rest /= count;
        }
        digits
    }

    /// The moves of each role at a node where each player with a choice makes the move in this place.
    pub(super) fn moves<'n>(
        &'n self,
        node: &'n MoveNode,
        child: usize,
    ) -> impl Iterator<Item = (RoleId, u32)> + 'n {
        let chosen: Vec<(usize, u32)> = node
            .choosers
            .iter()
            .zip(self.digits(node, child))
            .map(|(&(player, set), digit)| (player, self.sets[set as usize].moves[digit]))
            .collect();
        let roles = self.network.tape().roles();
        let is_dealt = move |role: RoleId| node.chance.is_some() && Some(role) == self.random;
        roles.filter(move |&role| !is_dealt(role)).map(move |role| {
            let own = chosen.iter().find(|&&(player, _)| self.players[player] == role);
            (role, own.map_or(node.fixed[role.index()], |&(_, number)| number))
        })
    }
}

/// A tree that grows.
struct MoveTreeBuilder<'o> {
    tree: MoveTree,
    machine: DealTape,
    deals: Deals,
    rng: ChaCha8Rng,
    nodes_max: usize,
    is_over: &'o mut dyn FnMut() -> bool,
}

impl MoveTreeBuilder<'_> {
    /// Makes the node of a turn and all after it; information sets are one for each node at first.
    fn grow(&mut self, states: &States, chances: u32, depth: usize) -> Result<u32, DealError> {
        if self.tree.nodes.len() >= self.nodes_max || depth > DEPTH_MAX {
            return Err(DealError::TooLarge { nodes_max: self.nodes_max });
        }
        let place = self.tree.nodes.len();
        self.go_on()?;
        self.tree.nodes.push(MoveNode::default());
        self.machine.enter(states);
        let terminal = self.machine.terminal();
        if terminal == Plane::ALL {
            self.tree.nodes[place].chooses = vec![false; self.tree.players.len()];
            self.tree.nodes[place].spread = self.spread()?;
            return Ok(id(place));
        }
        if terminal.any() {
            return Err(DealError::Ends);
        }
        let mut node =
            MoveNode { fixed: vec![0; self.tree.network.tape().roles_count()], ..MoveNode::default() };
        node.chance = self.chance(chances, &mut node.fixed)?;
        node.chooses = vec![false; self.tree.players.len()];
        for player in 0..self.tree.players.len() {
            let role = self.tree.players[player];
            let moves = self.machine.common_legal(role)?;
            match moves[..] {
                [] => return Err(DealError::Stuck { role }),
                [only] => node.fixed[role.index()] = only,
                _ => {
                    node.chooses[player] = true;
                    node.choosers.push((player, id(self.tree.sets.len())));
                    self.tree.sets.push(MoveSet { player, chances, moves });
                }
            }
        }
        let of = |&(_, set): &(usize, u32)| self.tree.sets[set as usize].moves.len();
        let children: usize = node.choosers.iter().map(of).product();
        let chances = chances + u32::from(node.chance.is_some());
        for child in 0..children {
            let next = self.step(&node, child, states);
            let below = self.grow(&next, chances, depth + 1)?;
            let chooses = &self.tree.nodes[below as usize].chooses;
            node.chooses.iter_mut().zip(chooses).for_each(|(here, below)| *here |= below);
            node.children.push(below);
        }
        self.tree.nodes[place] = node;
        Ok(id(place))
    }

    fn go_on(&mut self) -> Result<(), DealError> {
        if (self.is_over)() { Err(DealError::Interrupted) } else { Ok(()) }
    }

    /// How far the goals of an end lie apart between deals: the greatest difference for any player, each of whom has a goal.
    fn spread(&mut self) -> Result<f32, DealError> {
        self.machine.count();
        let (mut values, mut spread) = (vec![0.0; LANES], 0.0_f32);
        for &role in &self.tree.players {
            self.machine.goals(role, &mut values);
            if values.iter().any(|value| value.is_nan()) {
                return Err(DealError::NoGoal { role });
            }
            let (least, most) = (f32::min, f32::max);
            let bound = |pick: fn(f32, f32) -> f32| values.iter().copied().reduce(pick).unwrap_or_default();
            spread = spread.max(bound(most) - bound(least));
        }
        Ok(spread)
    }

    /// The index of this turn of chance, if it is one; the lanes' moves in it were dealt before or are dealt now.
    fn chance(&mut self, chances: u32, fixed: &mut [u32]) -> Result<Option<u32>, DealError> {
        let Some(random) = self.tree.random else { return Ok(None) };
        if self.machine.chance_moves()? == 1 {
            fixed[random.index()] = match self.machine.common_legal(random)?[..] {
                [only] => only,
                _ => return Err(DealError::LegalMoves { role: random }),
            };
            return Ok(None);
        }
        if self.deals.turns() == chances as usize {
            self.deals.push(self.machine.deal(&mut self.rng));
        }
        if !self.machine.can_deal(&self.deals, chances as usize) {
            return Err(DealError::LegalMoves { role: random });
        }
        Ok(Some(chances))
    }

    /// The states after a turn.
    fn step(&mut self, node: &MoveNode, child: usize, states: &States) -> States {
        self.machine.enter(states);
        self.tree.after(&mut self.machine, &self.deals, node, child)
    }

    /// The way to an end after the last chance turn with the fewest choices; among equals the first to an end that the deal decides.
    /// Folding takes no more choices than calling, and says nothing of a hand.
    fn quiet_line(&self) -> Result<Vec<usize>, DealError> {
        let (line, way) = self.best_line(|way| (way.chances, Reverse(way.choices), way.spread > 0.0));
        if way.chances as usize == self.deals.turns() { Ok(line) } else { Err(DealError::Ends) }
    }

    /// The way on which players still have choices after as many chance turns as can be, with the fewest choices. The quiet line may
    /// leave nobody a choice early, as all in does.
    fn heard_line(&self) -> Vec<usize> {
        self.best_line(|way| (way.heard, way.chances, Reverse(way.choices))).0
    }

    /// The first of the ways to an end for which `key` is greatest: the children on it, and the way.
    fn best_line<K: PartialOrd>(&self, key: impl Fn(&PathToEnd) -> K) -> (Vec<usize>, PathToEnd) {
        let nodes = &self.tree.nodes;
        let mut best: Vec<PathToEnd> = vec![PathToEnd::default(); nodes.len()];
        for place in (0..nodes.len()).rev() {
            let node = &nodes[place];
            let ways = node.children.iter().enumerate().map(|(child, &below)| {
                let is_heard = node.chance.is_some() && nodes[below as usize].chooses.contains(&true);
                let below = &best[below as usize];
                PathToEnd {
                    heard: below.heard + u32::from(is_heard),
                    chances: below.chances + u32::from(node.chance.is_some()),
                    choices: below.choices + node.choosers.len(),
                    spread: below.spread,
                    child,
                }
            });
            best[place] = ways
                .reduce(|best, way| if key(&way) > key(&best) { way } else { best })
                .unwrap_or(PathToEnd { spread: node.spread, ..PathToEnd::default() });
        }
        let (mut place, mut line) = (0, Vec::new());
        while !nodes[place].children.is_empty() {
            let child = best[place].child;
            line.push(child);
            place = nodes[place].children[child] as usize;
        }
        (line, best.swap_remove(0))
    }

    /// Determines what each move of chance reveals to each player who has choices after it.
    fn learn_hints(&mut self) -> Result<(), DealError> {
        let (players, line) = (self.tree.players.len(), self.heard_line());
        self.tree.hints = vec![vec![Hints::default(); players]; self.deals.turns()];
        for _ in 0..ROUNDS_MAX {
            if self.learn_round(&line)? {
                for hints in self.tree.hints.iter_mut().flatten() {
                    let mut moves: Vec<(u32, u32)> =
                        hints.of.iter().map(|(&number, &place)| (place, number)).collect();
                    moves.sort_unstable();
                    hints.moves = vec![Vec::new(); hints.told.len()];
                    moves.into_iter().for_each(|(place, number)| hints.moves[place as usize].push(number));
                }
                return Ok(());
            }
        }
        Err(DealError::Rare)
    }

    /// Plays new deals down a line; whether every legal move of chance was seen by now.
    fn learn_round(&mut self, line: &[usize]) -> Result<bool, DealError> {
        let (mut states, mut place, mut is_whole) = (self.machine.initial(), 0, true);
        self.deals = Deals::default();
        for &child in line {
            let node = self.tree.nodes[place].clone();
            place = node.children[child] as usize;
            self.machine.enter(&states);
            let mut legal = Vec::new();
            if node.chance.is_some() {
                let random = self.tree.random.expect("chance has a choice");
                let moves = 0..id(self.tree.network.tape().moves_count(random));
                legal = moves.filter(|&number| self.machine.legal(random, number).any()).collect();
                self.deals.push(self.machine.deal(&mut self.rng));
            }
            states = self.tree.after(&mut self.machine, &self.deals, &node, child);
            let Some(turn) = node.chance else { continue };
            self.machine.listen();
            let chooses = &self.tree.nodes[place].chooses;
            for player in (0..chooses.len()).filter(|&player| chooses[player]) {
                let role = self.tree.players[player];
                let hints = &mut self.tree.hints[turn as usize][player];
                for &(number, lanes) in self.deals.planes(turn as usize) {
                    hints.hear(&self.machine, role, number, lanes)?;
                }
                is_whole &= legal.iter().all(|number| hints.of.contains_key(number));
            }
        }
        Ok(is_whole)
    }

    /// Gives players with choices their information sets, at a node and all after it. `known` is each player's knowledge about
    /// earlier moves, and `counts` the number of such values so far.
    fn know(
        &mut self,
        place: usize,
        states: &States,
        known: &[u32],
        sets: &mut Vec<MoveSet>,
        counts: &mut [u32],
    ) -> Result<(), DealError> {
        // Until all of its children are known, a node has the sets of the first pass: by these its moves are looked up.
        self.go_on()?;
        let node = self.tree.nodes[place].clone();
        let mut choosers = node.choosers.clone();
        for (player, set) in &mut choosers {
            *set = self.set(*player, *set, known[*player], sets)?;
        }
        for (child, &below) in node.children.iter().enumerate() {
            let next = self.step(&node, child, states);
            let chooses = self.tree.nodes[below as usize].chooses.clone();
            if !chooses.contains(&true) {
                continue;
            }
            self.machine.listen();
            let moves: Vec<(RoleId, u32)> = self.tree.moves(&node, child).collect();
            let mut after = known.to_vec();
            for player in (0..chooses.len()).filter(|&player| chooses[player]) {
                let role = self.tree.players[player];
                let told = self.told(player, node.chance)?;
                let own = moves.iter().find(|(mover, _)| *mover == role).map_or(0, |&(_, number)| number);
                let count = &mut counts[player];
                after[player] =
                    *self.tree.steps[player].entry((known[player], own, told)).or_insert_with(|| {
                        *count += 1;
                        *count - 1
                    });
            }
            self.know(below as usize, &next, &after, sets, counts)?;
        }
        self.tree.nodes[place].choosers = choosers;
        Ok(())
    }

    /// The information set of a player with this knowledge about moves, and the choices of a set of the first pass.
    fn set(
        &mut self,
        player: usize,
        first: u32,
        known: u32,
        sets: &mut Vec<MoveSet>,
    ) -> Result<u32, DealError> {
        let MoveSet { chances, moves, .. } = &self.tree.sets[first as usize];
        match self.tree.known_sets[player].get(&known) {
            Some(&set) if sets[set as usize].moves == *moves && sets[set as usize].chances == *chances => {
                Ok(set)
            }
            Some(_) => Err(DealError::UnknownMoves { role: self.tree.players[player] }),
            None => {
                let set = id(sets.len());
                sets.push(MoveSet { player, chances: *chances, moves: moves.clone() });
                self.tree.known_sets[player].insert(known, set);
                Ok(set)
            }
        }
    }

    /// What a player is told as a result of the moves, after they were played and observed.
    fn told(&self, player: usize, chance: Option<u32>) -> Result<CommonPercepts, DealError> {
        let role = self.tree.players[player];
        let Some(turn) = chance else {
            let percepts = self.machine.told(role, 0);
            return match self.machine.told_exactly(role, &percepts) == Plane::ALL {
                true => Ok(CommonPercepts::Percepts(percepts)),
                false => Err(DealError::Percepts { role }),
            };
        };
        let hints = &self.tree.hints[turn as usize][player];
        for &(number, lanes) in self.deals.planes(turn as usize) {
            let told = hints.of.get(&number).map(|&place| &hints.told[place as usize]);
            let told = told.ok_or(DealError::Percepts { role })?;
            if (self.machine.told_exactly(role, told) & lanes) != lanes {
                return Err(DealError::Percepts { role });
            }
        }
        Ok(CommonPercepts::Dealt)
    }
}

/// A way from a node to an end.
#[derive(Clone, Debug, Default)]
struct PathToEnd {
    /// Chance turns on it that somebody with choices after them hears of.
    heard: u32,
    /// Chance turns on it.
    chances: u32,
    /// Choices on it.
    choices: usize,
    /// The spread of its end.
    spread: f32,
    /// Where it begins.
    child: usize,
}

impl Hints {
    /// Records what a move of chance reveals in the lanes in which it was made.
    fn hear(
        &mut self,
        machine: &DealTape,
        role: RoleId,
        number: u32,
        lanes: Plane<W>,
    ) -> Result<(), DealError> {
        let Some(first) = lanes.lanes().next() else { return Ok(()) };
        let percepts = machine.told(role, first);
        if (machine.told_exactly(role, &percepts) & lanes) != lanes {
            return Err(DealError::Percepts { role });
        }
        let known = self.told.iter().position(|known| *known == percepts);
        let place = known.unwrap_or_else(|| {
            self.told.push(percepts);
            self.told.len() - 1
        });
        match self.of.insert(number, id(place)) {
            Some(before) if before as usize != place => Err(DealError::Percepts { role }),
            _ => Ok(()),
        }
    }
}
