//! Exported trees, read by a reader that was written for this test: against the facts of the catalogue, against
//! `croupier solve`, and against what the referee really sends.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    sync::Arc,
};

use croupier_engine::{ByPlayer, Strictness, game::PerceptReading};
use croupier_referee::{
    Clocks, Failure, Header, MatchSetup, Message, Nonces, Seat, SeatReply, Secrets, Seed, Substitution,
    read_records,
    record::{Entry, TurnLine},
    run_match,
};
use croupier_tests::{
    command::Program,
    corpus::{RuleFile, catalogue, catalogue_game},
};
use serde_json::Value;

use crate::program;

/// Games of the catalogue whose whole tree is counted beside their rules, by name.
fn small() -> Vec<String> {
    let is_small = |game: &RuleFile| {
        let counts = fs::read_to_string(game.path.with_file_name("counts.txt")).expect("counts");
        counts.ends_with("the whole tree\n")
    };
    let games: Vec<_> = catalogue().into_iter().filter(is_small).map(|game| game.name).collect();
    assert!(games.len() >= 10, "{games:?}");
    games
}

/// A node of a file.
#[derive(Clone, Debug, PartialEq)]
enum Node {
    Chance { moves: Vec<(String, i64)>, children: Vec<usize> },
    Decision { player: usize, number: usize, name: String, moves: Vec<String>, children: Vec<usize> },
    Terminal { payoffs: Vec<f64> },
}

/// A file in Gambit's format.
#[derive(Debug)]
struct Tree {
    players: Vec<String>,
    nodes: Vec<Node>,
}

/// Words, texts in quotation marks (without them), and braces.
fn tokens(text: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    for (place, part) in text.split('"').enumerate() {
        if place % 2 == 1 {
            tokens.push(part.to_owned());
        } else {
            tokens.extend(part.split([' ', '\n', ',']).filter(|word| !word.is_empty()).map(str::to_owned));
        }
    }
    tokens
}

fn fraction(text: &str) -> f64 {
    let number = |text: &str| text.parse::<f64>().expect("a number");
    text.split_once('/').map_or_else(|| number(text), |(over, under)| number(over) / number(under))
}

impl Tree {
    fn read(text: &str) -> Self {
        let mut lines = text.lines();
        let head = tokens(lines.next().expect("a first line"));
        assert_eq!(head[..3], ["EFG", "2", "R"]);
        let players = head[5..head.len() - 1].to_vec();
        let mut nodes = Vec::new();
        // Nodes that still wait for children, with how many.
        let mut open: Vec<(usize, usize)> = Vec::new();
        for line in lines.skip(1).filter(|line| !line.is_empty()) {
            let (node, children) = Self::node(&tokens(line));
            let id = nodes.len();
            nodes.push(node);
            if let Some((parent, left)) = open.last_mut() {
                *left -= 1;
                match &mut nodes[*parent] {
                    Node::Chance { children, .. } | Node::Decision { children, .. } => children.push(id),
                    Node::Terminal { .. } => panic!("{line}: a terminal node has no children"),
                }
            } else {
                assert_eq!(id, 0, "{line}: there is one root");
            }
            open.push((id, children));
            while open.last().is_some_and(|(_, left)| *left == 0) {
                open.pop();
            }
        }
        assert!(open.is_empty(), "every node has all its children");
        Self { players, nodes }
    }

    /// A node without its children, and how many it will have.
    fn node(tokens: &[String]) -> (Node, usize) {
        let braced = |from: usize| {
            assert_eq!(tokens[from], "{");
            let end = tokens.iter().rposition(|token| token == "}").expect("a closing brace");
            &tokens[from + 1..end]
        };
        let number = |place: usize| tokens[place].parse::<usize>().expect("a number");
        match tokens[0].as_str() {
            "c" => {
                let moves: Vec<(String, i64)> = braced(4)
                    .chunks(2)
                    .map(|pair| {
                        let (over, under) = pair[1].split_once('/').expect("a fraction");
                        assert_eq!(over, "1");
                        (pair[0].clone(), under.parse().expect("a number"))
                    })
                    .collect();
                let count = moves.len();
                (Node::Chance { moves, children: Vec::new() }, count)
            }
            "p" => {
                let moves = braced(5).to_vec();
                let (count, name) = (moves.len(), tokens[4].clone());
                let (player, number) = (number(2) - 1, number(3));
                (Node::Decision { player, number, name, moves, children: Vec::new() }, count)
            }
            "t" => {
                let payoffs = braced(4).iter().map(|text| fraction(text)).collect();
                (Node::Terminal { payoffs }, 0)
            }
            other => panic!("{other} is no node"),
        }
    }

    /// What a node is worth to each player if every move is as likely.
    fn uniform(&self, id: usize) -> Vec<f64> {
        let children = match &self.nodes[id] {
            Node::Terminal { payoffs } => return payoffs.clone(),
            Node::Chance { children, .. } | Node::Decision { children, .. } => children,
        };
        let mut sums = vec![0.0; self.players.len()];
        for &child in children {
            for (sum, worth) in sums.iter_mut().zip(self.uniform(child)) {
                *sum += worth;
            }
        }
        sums.iter().map(|sum| sum / children.len() as f64).collect()
    }
}

impl Tree {
    /// Chance, decision and terminal nodes.
    fn kinds(&self) -> [u64; 3] {
        let count =
            |is_kind: fn(&Node) -> bool| self.nodes.iter().filter(|node| is_kind(node)).count() as u64;
        [
            count(|node| matches!(node, Node::Chance { .. })),
            count(|node| matches!(node, Node::Decision { .. })),
            count(|node| matches!(node, Node::Terminal { .. })),
        ]
    }

    fn information_sets(&self) -> usize {
        let sets = self.nodes.iter().filter_map(|node| match node {
            Node::Decision { player, number, .. } => Some((*player, *number)),
            _ => None,
        });
        sets.collect::<BTreeSet<_>>().len()
    }
}

fn exported(program: &Program, game: &str) -> Tree {
    Tree::read(&program.output(&["export", game, "--format", "efg"]))
}

#[test]
fn an_exported_tree_is_whole_and_consistent() {
    let program = program("extensive-whole");
    for game in &small() {
        let tree = exported(&program, game);
        let mut sets: BTreeMap<(usize, usize), (&str, &[String])> = BTreeMap::new();
        let mut names = BTreeSet::new();
        for node in &tree.nodes {
            match node {
                Node::Chance { moves, .. } => {
                    let count = i64::try_from(moves.len()).expect("few moves");
                    assert!(moves.iter().all(|(_, under)| *under == count), "{game}: the sum is exactly one");
                    assert!(moves.iter().all(|(label, _)| label.starts_with("random:")));
                }
                Node::Decision { player, number, name, moves, .. } => {
                    let entry = sets.entry((*player, *number)).or_insert((name, moves));
                    assert_eq!(
                        *entry,
                        (name.as_str(), moves.as_slice()),
                        "{game}: an information set is one"
                    );
                    assert!(name.starts_with(&format!("({}", tree.players[*player])));
                    assert!(
                        moves.iter().all(|label| label.starts_with(&format!("{}:", tree.players[*player])))
                    );
                    assert_eq!(moves.iter().collect::<BTreeSet<_>>().len(), moves.len());
                    names.insert(name);
                }
                Node::Terminal { payoffs } => assert_eq!(payoffs.len(), tree.players.len()),
            }
        }
        assert_eq!(names.len(), sets.len(), "{game}: names tell information sets apart");
        for player in 0..tree.players.len() {
            let numbers: Vec<usize> =
                sets.keys().filter(|(of, _)| *of == player).map(|(_, number)| *number).collect();
            assert_eq!(numbers, (1..=numbers.len()).collect::<Vec<_>>(), "{game}: numbers begin at one");
        }
        let counted = program.output(&["show", game, "--counts", "--json"]);
        let counted: Value = serde_json::from_str(&counted).expect("JSON");
        assert_eq!(sum(&counted["all"]["information_sets"]), sets.len() as u64, "{game}");
        // Where roles choose at once, a file has them choose one after the other, in more nodes.
        let kinds = ["chance", "decision", "terminal"];
        let of_depth = |depth: &Value| kinds.iter().map(|kind| depth[kind].as_u64()).sum::<Option<u64>>();
        let mut depths = counted["by_depth"].as_array().expect("depths").iter();
        let one_at_a_time = depths.all(|depth| of_depth(depth) <= depth["histories"].as_u64());
        if one_at_a_time {
            let found = tree.kinds();
            assert_eq!(kinds.map(|kind| counted["all"][kind].as_u64()), found.map(Some), "{game}");
        }
    }
}

fn sum(counts: &Value) -> u64 {
    counts.as_object().expect("counts by role").values().filter_map(Value::as_u64).sum()
}

#[test]
fn uniform_play_of_an_exported_tree_is_worth_what_solve_says() {
    let program = program("extensive-uniform");
    for game in &small() {
        let tree = exported(&program, game);
        let solved = program.output(&["solve", game, "--iterations", "0", "--json"]);
        let solved: Value = serde_json::from_str(&solved).expect("JSON");
        for (role, worth) in tree.players.iter().zip(tree.uniform(0)) {
            let role = &solved["roles"][role];
            let said = role["payoff"]["value"].as_f64().or(role["value"].as_f64()).expect("a value");
            assert!((said - worth).abs() < 1e-9, "{game}: {said} and {worth}");
        }
    }
}

/// Says nothing, so that the referee moves for it.
struct Silent;

impl Seat for Silent {
    fn receive(&mut self, _message: &Message) -> SeatReply {
        SeatReply::failed(Failure::Timeout)
    }
}

/// A match as the referee played it.
struct Told {
    /// For each choice among several moves, in order: turn, role, and the move.
    choices: Vec<(u32, String, String)>,
    /// What each role had been sent when it was asked for its move in each turn.
    sent: BTreeMap<(String, u32), String>,
    goals: Vec<i32>,
}

fn header(game: &str) -> Arc<Header> {
    let rules = catalogue_game(game).text;
    let shown = croupier_engine::Game::compile(&rules, &croupier_engine::Options::PLAY).expect("a game").game;
    let players =
        shown.roles().players().map(|role| (shown.roles().name(role).to_owned(), "silent".to_owned()));
    let setup = MatchSetup {
        match_id: "m".to_owned(),
        series: None,
        session: None,
        players: players.collect(),
        rules,
        game_name: None,
        clocks: Clocks::of(1_000, 1_000),
        percepts: PerceptReading::OldState,
        strictness: Strictness::Compatible,
        substitution: Substitution::Drawn,
        turns_max: 1_000,
        nonces: Nonces::Clear,
    };
    Arc::new(Header::compile(setup).expect("a match"))
}

fn told(header: &Arc<Header>, seed: u64) -> Told {
    let mut seats = ByPlayer::from_fn(header.roles(), |_| Box::new(Silent));
    let secrets = Secrets::from_seed(Seed::from_text(&seed.to_string()).expect("a seed"));
    let (mut so_far, mut sent) = (BTreeMap::<String, String>::new(), BTreeMap::new());
    let played = run_match(header, secrets, &mut seats, |role, message| {
        let role = header.role_name(role).to_owned();
        let text = so_far.entry(role.clone()).or_default();
        text.push_str(&message.to_string());
        text.push('\n');
        if let Message::Play { turn, .. } = message {
            sent.insert((role, *turn), text.clone());
        }
    });
    let records = read_records(&played.record).expect("a record");
    let (mut chosen, mut choices) = (BTreeSet::new(), Vec::new());
    for line in records[0].lines() {
        match &line.entry {
            Entry::Draw { step, n, .. } if *n > 1 => {
                chosen.insert((*step, "random".to_owned()));
            }
            Entry::Own(TurnLine::Substitute { turn, role, n, .. }) if *n > 1 => {
                chosen.insert((*turn, role.clone()));
            }
            Entry::Own(TurnLine::Turn { turn, moves, .. }) => {
                let names = header.roles().all().map(|role| header.roles().name(role));
                let many = names.filter(|name| chosen.contains(&(*turn, (*name).to_owned())));
                choices.extend(many.map(|name| (*turn, name.to_owned(), moves[name].clone())));
            }
            _ => {}
        }
    }
    let goals = played.outcome.goals().expect("a match that ended");
    Told { choices, sent, goals: goals.iter().map(|(_, goal)| goal.value()).collect() }
}

/// Random matches come to every information set of a small game, and to most of a larger one.
const MATCHES_MAX: u64 = 2_000;

#[test]
fn what_the_referee_sends_tells_exactly_the_exported_information_sets_apart() {
    let program = program("extensive-referee");
    for game in &small() {
        let (tree, header) = (exported(&program, game), header(game));
        let sets = tree.information_sets();
        // What a role was sent, and the information set; each has to tell the other.
        let mut by_text: BTreeMap<(usize, String), usize> = BTreeMap::new();
        let mut by_number: BTreeMap<(usize, usize), String> = BTreeMap::new();
        let mut worth: BTreeMap<Vec<i32>, Vec<f64>> = BTreeMap::new();
        let mut seed = 0;
        while by_number.len() < sets && seed < MATCHES_MAX {
            seed += 1;
            let Told { choices, mut sent, goals } = told(&header, seed);
            let mut at = 0;
            for (turn, role, played) in choices {
                let label = format!("{role}:{played}");
                let (place, children) = match &tree.nodes[at] {
                    Node::Terminal { .. } => panic!("{game}, seed {seed}: the match goes on"),
                    Node::Chance { moves, children } => {
                        (moves.iter().position(|(known, _)| *known == label), children)
                    }
                    Node::Decision { player, number, moves, children, .. } => {
                        let text = sent.remove(&(role, turn)).expect("who moves was asked");
                        let known = by_text.entry((*player, text.clone())).or_insert(*number);
                        assert_eq!(known, number, "{game}, seed {seed}: the file tells more apart: {text}");
                        let known = by_number.entry((*player, *number)).or_insert_with(|| text.clone());
                        assert_eq!(*known, text, "{game}, seed {seed}: the referee tells more apart");
                        (moves.iter().position(|known| *known == label), children)
                    }
                };
                at = children[place.unwrap_or_else(|| panic!("{game}, seed {seed}: no {label}"))];
            }
            let Node::Terminal { payoffs } = &tree.nodes[at] else { panic!("{game}, seed {seed}: not over") };
            assert_eq!(worth.entry(goals).or_insert_with(|| payoffs.clone()), payoffs);
        }
        println!("{game}: {} of {sets} information sets came up in {seed} matches", by_number.len());
        let enough = if sets < 500 { 9 * sets / 10 } else { sets / 2 };
        assert!(by_number.len() >= enough, "{game}: {} of {sets}", by_number.len());
    }
}
