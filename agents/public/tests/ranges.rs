//! Public beliefs are those that the enumeration of every history gives, in all games of the catalogue, as far as there are few enough,
//! and in copies of their rules with other names in another order.

mod whim;

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use croupier_belief::Policy;
use croupier_engine::{
    ByPlayer, Game, InformationSet, MoveId, Options, Percepts, PublicSight, SightError, State, Status,
    game::Looker,
};
use croupier_public::{PublicBelief, PublicEyes, PublicLimits};
use croupier_tests::renamed::renamed;
use proptest::prelude::*;
use rustc_hash::FxHashMap;
use whim::Whim;

/// Histories of a turn that are enumerated.
const HISTORIES_MAX: usize = 8_000;

/// The same where nothing is hidden, so that each public state has one.
const OPEN_MAX: usize = 200;

/// Games with more histories, and the turns up to which they are compared: what follows has more than [`HISTORIES_MAX`], or [`OPEN_MAX`]
/// where nothing is hidden.
const COMPARED_IN_PART: &[(&str, usize)] = &[
    ("amazons", 2),
    ("backgammon", 3),
    ("banker-and-thief", 8),
    ("battleship-4x4", 1),
    ("battleships-in-fog", 3),
    ("blackjack", 2),
    ("blind-breakthrough-5x5", 4),
    ("blind-breakthrough-6x6", 4),
    ("breakthrough", 1),
    ("checkers", 2),
    ("chess", 1),
    ("connect-four", 2),
    ("dark-hex-3x3", 4),
    ("deck-building", 5),
    ("gin-rummy-small", 3),
    ("goofspiel-13", 2),
    ("guess-six", 2),
    ("hanabi-small", 3),
    ("hearts-small", 3),
    ("holdem", 2),
    ("krieg-tic-tac-toe-4x4", 1),
    ("krieg-tic-tac-toe-5x5", 1),
    ("latent-tic-tac-toe", 4),
    ("liars-dice", 4),
    ("liars-dice-2", 4),
    ("mastermind-4x6", 1),
    ("meier", 3),
    ("nim", 1),
    ("no-limit-holdem", 2),
    ("no-limit-holdem-3", 2),
    ("no-limit-holdem-4", 2),
    ("no-limit-holdem-6", 2),
    ("number-guessing", 2),
    ("oh-hell-small", 3),
    ("phantom-tic-tac-toe", 4),
    ("pig", 9),
    ("prisoners", 9),
    ("reversi", 3),
    ("royal-holdem", 3),
    ("stratego-small", 2),
    ("sushi-draft", 3),
    ("tic-tac-toe", 2),
    ("tiny-bridge", 3),
    ("transit", 6),
    ("yacht-small", 2),
];

/// Everybody plays every move as often as any other.
#[derive(Debug)]
struct Even;

impl Policy for Even {
    fn probabilities(&self, _: &InformationSet, legal: &[MoveId]) -> Vec<f64> {
        vec![1.0 / legal.len() as f64; legal.len()]
    }
}

/// A history of the enumeration, with what each player knows.
#[derive(Clone)]
struct Line {
    state: State,
    known: Vec<InformationSet>,
    /// By player, the probability of its own moves.
    reach: Vec<f64>,
    /// Of everybody's moves, and those of chance.
    probability: f64,
}

/// A public state: its belief, and its histories one by one.
struct Met {
    belief: PublicBelief,
    lines: Vec<Line>,
}

/// What was compared.
struct Compared {
    /// Whether that is the whole game.
    is_whole: bool,
    /// By turn: public states, histories, and the shares of all private states of all players, in order.
    turns: Vec<(usize, usize, Vec<f64>)>,
}

struct Comparison<'p> {
    game: Arc<Game>,
    /// `None` where nothing is hidden.
    sight: Option<PublicSight>,
    policy: &'p dyn Policy,
    eyes: PublicEyes,
    looker: Looker,
}

impl<'p> Comparison<'p> {
    fn of(rules: &str, policy: &'p dyn Policy) -> Self {
        let game = Arc::new(Game::compile(rules, &Options::PLAY).expect("a game").game);
        let sight = match PublicSight::of(rules, game.limits()) {
            Ok(sight) => Some(sight),
            Err(SightError::NothingIsHidden) => None,
            Err(SightError::NotUnderstood) => panic!("what is public is understood"),
        };
        let eyes = PublicEyes::new(Arc::clone(&game)).expect("what is public is understood");
        let looker = Looker::new(&game);
        Self { game, sight, policy, eyes, looker }
    }

    /// What is public in a turn, by the texts of anybody's percepts.
    fn public(&self, percepts: &ByPlayer<Percepts>) -> Percepts {
        let of_player = |percepts: &Percepts| {
            let texts = self.game.percept_terms(percepts);
            let texts: Vec<&str> = texts.iter().map(|text| &**text).collect();
            let public = self.sight.as_ref().map_or_else(|| texts.clone(), |sight| sight.told(&texts));
            self.game.percepts_of(public).expect("percepts of the game")
        };
        let told: Vec<Percepts> = percepts.iter().map(|(_, percepts)| of_player(percepts)).collect();
        assert!(self.sight.is_none() || told.iter().all(|other| *other == told[0]), "public to all");
        told[0].clone()
    }

    /// Every way in which a history goes on, and what it makes public.
    fn following(&mut self, line: &Line) -> Vec<(Percepts, Line)> {
        let game = Arc::clone(&self.game);
        let scratch = self.looker.scratch();
        let Status::Running { legal } = game.status(&line.state, scratch).expect("rules that work") else {
            return Vec::new();
        };
        let mut found = Vec::new();
        for joint_move in game.joint_moves(&legal) {
            let mut next = line.clone();
            if let Some(chance) = game.roles().random() {
                next.probability /= legal[chance].len() as f64;
            }
            for (known, reach) in line.known.iter().zip(&mut next.reach) {
                let legal = &legal[known.role];
                let made = legal.iter().position(|&own| own == joint_move.of(known.role));
                let chosen = self.policy.probabilities(known, legal)[made.expect("a legal move")];
                *reach *= chosen;
                next.probability *= chosen;
            }
            let turn = game.turn(&line.state, &joint_move, self.looker.scratch()).expect("rules that work");
            for known in &mut next.known {
                known.turns.push((joint_move.of(known.role), turn.percepts[known.role].clone()));
            }
            next.state = turn.successor;
            found.push((self.public(&turn.percepts), next));
        }
        found
    }

    /// Compares a public belief with the histories that lead to it.
    fn check(&self, Met { belief, lines }: &Met) {
        let total: f64 = lines.iter().map(|line| line.probability).sum();
        let mut expected: FxHashMap<(&State, Vec<&InformationSet>), f64> = FxHashMap::default();
        for line in lines {
            let key = (&line.state, line.known.iter().collect());
            *expected.entry(key).or_default() += line.probability / total;
        }
        let node = belief.node();
        assert_eq!(node.histories().len(), expected.len(), "all histories, and no other");
        for (history, probability) in node.histories().iter().zip(belief.probabilities()) {
            let known = (0..node.players().len())
                .map(|player| &node.private(player)[history.private[player] as usize].known);
            let expected = expected[&(&history.state, known.collect())];
            assert!((expected - probability).abs() < 1e-9, "{expected} and {probability}");
        }
        for player in 0..node.players().len() {
            let sets: BTreeSet<&InformationSet> = lines.iter().map(|line| &line.known[player]).collect();
            let found: BTreeSet<&InformationSet> =
                node.private(player).iter().map(|state| &state.known).collect();
            assert_eq!((found.len(), sets), (node.private(player).len(), found), "private states");
        }
    }

    /// The public beliefs of the next turn, each with its histories. The first and the last are those that the belief before leads to; for
    /// the others ranges are made of what was enumerated, since that looks at the whole turn again.
    fn children(&mut self, belief: &PublicBelief, mut by_told: BTreeMap<Percepts, Vec<Line>>) -> Vec<Met> {
        let limits = PublicLimits::STANDARD;
        let nodes = belief.node().expand(&mut self.eyes, &mut self.looker, &limits).expect("few histories");
        let count = nodes.len();
        assert_eq!(count, by_told.len(), "public states");
        let mut found = Vec::new();
        for (place, node) in nodes.into_iter().enumerate() {
            let told = node.told().last().expect("a turn").clone();
            let lines = by_told.remove(&told).expect("what is public");
            let belief = if place == 0 || place == count - 1 {
                let mut policy = self.policy;
                let (eyes, looker) = (&mut self.eyes, &mut self.looker);
                belief.advance(&told, &mut policy, eyes, looker, &limits).expect("a public state")
            } else {
                let players = 0..node.players().len();
                let reach = |player: usize| {
                    let reach: FxHashMap<&InformationSet, f64> =
                        lines.iter().map(|line| (&line.known[player], line.reach[player])).collect();
                    node.private(player).iter().map(|state| reach[&state.known]).collect()
                };
                let ranges = players.map(reach).collect();
                PublicBelief::of(node, ranges)
            };
            found.push(Met { belief, lines });
        }
        found
    }

    /// Compares all public beliefs of a game, turn by turn.
    fn run(mut self) -> Compared {
        let most = if self.sight.is_some() { HISTORIES_MAX } else { OPEN_MAX };
        let belief = PublicBelief::initial(&self.game, &mut self.looker).expect("rules that work");
        let known = self.game.roles().players().map(InformationSet::initial).collect();
        let reach = vec![1.0; self.game.roles().players().count()];
        let first = Line { state: self.game.initial_state().clone(), known, reach, probability: 1.0 };
        let mut met = vec![Met { belief, lines: vec![first] }];
        let mut compared = Compared { is_whole: true, turns: Vec::new() };
        loop {
            let mut next = Vec::new();
            let mut count = 0;
            for Met { belief, lines } in &met {
                let mut by_told: BTreeMap<Percepts, Vec<Line>> = BTreeMap::new();
                for line in lines {
                    for (told, line) in self.following(line) {
                        by_told.entry(told).or_default().push(line);
                        count += 1;
                    }
                    if count > most {
                        compared.is_whole = false;
                        return compared;
                    }
                }
                next.extend(self.children(belief, by_told));
            }
            if next.is_empty() {
                return compared;
            }
            next.iter().for_each(|met| self.check(met));
            let players = 0..self.game.roles().players().count();
            let mut shares: Vec<f64> = next
                .iter()
                .flat_map(|met| players.clone().flat_map(|player| met.belief.private_probabilities(player)))
                .collect();
            shares.sort_by(f64::total_cmp);
            compared.turns.push((next.len(), count, shares));
            met = next;
        }
    }
}

#[test]
fn public_beliefs_of_all_games_are_those_of_the_enumeration() {
    let mut in_part = Vec::new();
    for entry in croupier_games::catalogue() {
        let compared = Comparison::of(entry.rules, &Whim(1)).run();
        if !compared.is_whole {
            in_part.push((entry.name, compared.turns.len()));
        }
    }
    assert_eq!(in_part, COMPARED_IN_PART, "games that are compared in part");
}

#[test]
fn names_and_order_of_the_rules_mean_nothing_to_a_public_belief() {
    for entry in croupier_games::catalogue() {
        let copy = renamed(entry.rules, 5);
        let [one, other] = [entry.rules, &copy].map(|rules| Comparison::of(rules, &Even).run());
        assert_eq!((one.is_whole, one.turns.len()), (other.is_whole, other.turns.len()), "{}", entry.name);
        for ((public, histories, shares), copy) in one.turns.iter().zip(&other.turns) {
            assert_eq!((public, histories, shares.len()), (&copy.0, &copy.1, copy.2.len()), "{}", entry.name);
            let mut pairs = shares.iter().zip(&copy.2);
            assert!(pairs.all(|(one, other)| (one - other).abs() < 1e-9), "{}", entry.name);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4, ..ProptestConfig::default() })]

    #[test]
    fn public_beliefs_are_those_of_the_enumeration_under_any_policy(number: u64) {
        for name in ["kuhn", "kuhn-3", "leduc", "liars-dice", "prisoners", "goofspiel-4", "monty-hall", "tiny-hanabi"] {
            let entry = croupier_games::find(name).expect("the catalogue has it");
            Comparison::of(entry.rules, &Whim(number)).run();
        }
    }
}
