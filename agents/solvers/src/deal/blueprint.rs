//! A strategy for a game in which chance only deals, small enough for a file.

use croupier_engine::{Game, InformationSet, MoveId};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{
    abstraction::Abstraction,
    buckets::Buckets,
    move_tree::MoveTree,
    vocabulary::{shape, vocabulary},
    walk::TableLayout,
};

/// How a file with a blueprint begins.
pub const BLUEPRINT_MAGIC: &[u8] = b"croupier-blueprint/1\n";

/// A strategy by information sets of an abstraction: the probabilities in each bucket, quantised to 1/255.
///
/// As a file it is [`BLUEPRINT_MAGIC`], a line of JSON with the sizes and the buckets, and a byte for each move of each bucket.
#[derive(Clone, Debug, PartialEq)]
pub struct Blueprint {
    pub(super) abstraction: Abstraction,
    /// The result of [`vocabulary`] for the game.
    vocabulary: String,
    /// The rules that it was made for, in normal form, and their [`shape`]; older files have neither.
    rules: Option<String>,
    shape: Vec<(usize, usize)>,
    /// Deals that it was learnt from; 0 if an older file does not say.
    deals: u64,
    /// By information set, the position of its first bucket.
    first: Vec<usize>,
    /// By information set, bucket and move, the probability in parts of 255; all zero where nothing was ever played.
    parts: Vec<u8>,
}

/// What a blueprint has for an information set.
#[derive(Clone, Debug, PartialEq)]
pub struct BlueprintEntry {
    /// Its moves in canonical order with their probabilities.
    pub strategy: Vec<(MoveId, f64)>,
    /// Whether it was computed. Where the solver never played, each move is equally likely.
    pub is_computed: bool,
}

impl BlueprintEntry {
    /// The moves of an information set in proportion to weights, which are all zero where nothing was ever played.
    pub(super) fn weighted<W: Copy + Into<f64>>(tree: &MoveTree, set: u32, weights: &[W]) -> Self {
        let set = &tree.sets[set as usize];
        let moves = tree.network.moves(tree.players[set.player]);
        let numbers = set.moves.iter().map(|&number| moves[number as usize]);
        let (probabilities, is_computed) = in_proportion(weights);
        Self { strategy: numbers.zip(probabilities).collect(), is_computed }
    }
}

/// Probabilities in proportion to weights, and whether some weight is positive; uniform where none is.
fn in_proportion<W: Copy + Into<f64>>(weights: &[W]) -> (Vec<f64>, bool) {
    let sum: f64 = weights.iter().map(|&weight| weight.into()).sum();
    match sum > 0.0 {
        true => (weights.iter().map(|&weight| weight.into() / sum).collect(), true),
        false => (vec![1.0 / weights.len() as f64; weights.len()], false),
    }
}

/// Why bytes are not a blueprint of a game.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum BlueprintError {
    /// It does not begin as one, or its first line is another.
    #[error("not a blueprint file: {0}")]
    Head(String),
    /// Moves or percepts have other names.
    #[error("the blueprint is for another game: its roles, moves or percepts have different names")]
    Vocabulary,
    /// The rules differ in more than names and order.
    #[error("the blueprint is for another game: its rules differ in more than names and order")]
    Rules,
    /// It has other information sets, or other moves in them.
    #[error("the blueprint is for another game, or damaged: it has {found}, but the game needs {wanted}")]
    Other {
        /// Sets and numbers of the file.
        found: String,
        /// Sets and numbers of the game.
        wanted: String,
    },
}

#[derive(Serialize, Deserialize)]
struct Head {
    vocabulary: String,
    #[serde(default)]
    rules: Option<String>,
    #[serde(default)]
    shape: Vec<(usize, usize)>,
    #[serde(default)]
    deals: u64,
    sets: usize,
    numbers: usize,
    rounds: Vec<Round>,
}

#[derive(Serialize, Deserialize)]
struct Round {
    player: usize,
    chances: u32,
    centroids: Vec<Vec<f32>>,
}

impl Head {
    /// The first line, and the rest.
    fn read(bytes: &[u8]) -> Result<(Self, &[u8]), BlueprintError> {
        let error = |problem: &str| BlueprintError::Head(problem.to_owned());
        let rest = bytes.strip_prefix(BLUEPRINT_MAGIC).ok_or_else(|| error("it begins otherwise"))?;
        let end = rest.iter().position(|&byte| byte == b'\n').ok_or_else(|| error("it ends early"))?;
        let head = serde_json::from_slice(&rest[..end])
            .map_err(|problem| error(&format!("it is something else at column {}", problem.column())))?;
        Ok((head, &rest[end + 1..]))
    }
}

impl Blueprint {
    pub(super) fn new(
        tree: &MoveTree,
        abstraction: Abstraction,
        layout: &TableLayout,
        averages: &[f32],
        deals: u64,
    ) -> Self {
        let mut parts = vec![0; averages.len()];
        for (set, &first) in tree.sets.iter().zip(&layout.first) {
            let count = abstraction.buckets[abstraction.round(set.player, set.chances)].centroids.len();
            for bucket in 0..count {
                let start = first + bucket * set.moves.len();
                let range = start..start + set.moves.len();
                let sum: f32 = averages[range.clone()].iter().sum();
                if sum > 0.0 {
                    for (part, average) in parts[range.clone()].iter_mut().zip(&averages[range]) {
                        *part = (average / sum * 255.0).round() as u8;
                    }
                }
            }
        }
        let (vocabulary, rules) = (tree.vocabulary.clone(), Some(tree.rules.clone()));
        Self {
            abstraction,
            vocabulary,
            rules,
            shape: shape(&tree.network),
            deals,
            first: layout.first.clone(),
            parts,
        }
    }

    /// The blueprint as a file.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let round = |(&(player, chances), buckets): (&(usize, u32), &Buckets)| Round {
            player,
            chances,
            centroids: buckets.centroids.clone(),
        };
        let rounds = self.abstraction.rounds.iter().zip(&self.abstraction.buckets).map(round).collect();
        let head = Head {
            vocabulary: self.vocabulary.clone(),
            rules: self.rules.clone(),
            shape: self.shape.clone(),
            deals: self.deals,
            sets: self.first.len(),
            numbers: self.parts.len(),
            rounds,
        };
        let mut bytes = BLUEPRINT_MAGIC.to_vec();
        bytes.extend_from_slice(serde_json::to_string(&head).expect("numbers are JSON").as_bytes());
        bytes.push(b'\n');
        bytes.extend_from_slice(&self.parts);
        bytes
    }

    /// Whether bytes may be a blueprint of a game: a look that needs no tree. The rules of the file, with which the game has as many moves
    /// and percepts; `None` if an older file, which has no rules, has the same names of roles, moves and percepts.
    ///
    /// # Errors
    /// [`BlueprintError`] if they are not a blueprint, or cannot be of this game.
    pub fn check(bytes: &[u8], game: &Game) -> Result<Option<String>, BlueprintError> {
        let (head, _) = Head::read(bytes)?;
        let network = game.network().ok_or(BlueprintError::Rules)?;
        match head.rules {
            None if head.vocabulary == vocabulary(game, network) => Ok(None),
            None => Err(BlueprintError::Vocabulary),
            Some(rules) if head.shape == shape(network) => Ok(Some(rules)),
            Some(_) => Err(BlueprintError::Rules),
        }
    }

    /// Reads a blueprint for a game.
    ///
    /// # Errors
    /// [`BlueprintError`] if it is not a blueprint, or is for a game with different information sets.
    pub fn from_bytes(bytes: &[u8], tree: &MoveTree) -> Result<Self, BlueprintError> {
        let (head, rest) = Head::read(bytes)?;
        let parts = rest.to_vec();
        match &head.rules {
            Some(rules) if *rules != tree.rules => return Err(BlueprintError::Rules),
            None if head.vocabulary != tree.vocabulary => return Err(BlueprintError::Vocabulary),
            _ => {}
        }
        let rounds: Vec<(usize, u32)> =
            head.rounds.iter().map(|round| (round.player, round.chances)).collect();
        let is_whole = head.rounds.iter().all(|round| !round.centroids.is_empty());
        if rounds != tree.rounds() || head.sets != tree.sets.len() || !is_whole {
            return Err(BlueprintError::Other {
                found: format!("{} rounds with {} information sets", rounds.len(), head.sets),
                wanted: format!("{} with {}", tree.rounds().len(), tree.sets.len()),
            });
        }
        let Head { vocabulary, rules, shape, deals, numbers, rounds: read, .. } = head;
        let buckets = read.into_iter().map(|round| Buckets { centroids: round.centroids }).collect();
        let abstraction = Abstraction { rounds, buckets };
        let layout = TableLayout::new(tree, &abstraction);
        if layout.len != parts.len() || numbers != parts.len() {
            return Err(BlueprintError::Other {
                found: format!("{} numbers", parts.len()),
                wanted: format!("{}", layout.len),
            });
        }
        Ok(Self { abstraction, vocabulary, rules, shape, deals, first: layout.first, parts })
    }

    /// The strategy in an information set: its moves in canonical order with their probabilities. `None` if the player has
    /// no choice, or no match can reach it.
    #[must_use]
    pub fn strategy(&self, tree: &MoveTree, known: &InformationSet) -> Option<Vec<(MoveId, f64)>> {
        Some(self.entry(tree, known)?.strategy)
    }

    /// The same, and whether it was computed.
    #[must_use]
    pub fn entry(&self, tree: &MoveTree, known: &InformationSet) -> Option<BlueprintEntry> {
        let (place, bucket) = self.abstraction.placed(tree, known)?;
        Some(BlueprintEntry::weighted(tree, place, self.parts_of(tree, place, bucket)))
    }

    /// How many deals bytes that are a blueprint were learnt from: a look that needs no game. 0 if they do not say.
    #[must_use]
    pub fn deals_of(bytes: &[u8]) -> u64 {
        Head::read(bytes).map_or(0, |(head, _)| head.deals)
    }

    /// The rules that it was made for, in normal form.
    #[must_use]
    pub fn rules(&self) -> Option<&str> {
        self.rules.as_deref()
    }

    /// How many deals it was learnt from; 0 if an older file does not say.
    #[must_use]
    pub fn deals(&self) -> u64 {
        self.deals
    }

    /// How many buckets it has for a player and round: the most of any.
    #[must_use]
    pub fn buckets_each(&self) -> usize {
        self.abstraction.buckets.iter().map(|buckets| buckets.centroids.len()).max().unwrap_or_default()
    }

    /// Whether the solver ever played in a bucket of an information set.
    pub(super) fn is_computed(&self, tree: &MoveTree, set: u32, bucket: u32) -> bool {
        self.parts_of(tree, set, bucket).iter().any(|&part| part > 0)
    }

    fn parts_of(&self, tree: &MoveTree, set: u32, bucket: u32) -> &[u8] {
        let count = tree.sets[set as usize].moves.len();
        let start = self.first[set as usize] + bucket as usize * count;
        &self.parts[start..start + count]
    }

    /// How likely each move is in a bucket of an information set.
    pub(super) fn probabilities(&self, tree: &MoveTree, set: u32, bucket: u32) -> Vec<f64> {
        in_proportion(self.parts_of(tree, set, bucket)).0
    }
}
