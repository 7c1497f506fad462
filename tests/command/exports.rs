//! What `croupier export` writes, judged by reading it: answer-set programs by clingo, and drawings by a
//! small evaluator of what is drawn, both against traces of the lifted reasoner.
//!
//! `CROUPIER_PYTHON` names a Python that can import clingo; without it, `python3` is tried. Where there is
//! none, the test with clingo says so and ends.

use std::{
    collections::{BTreeMap, BTreeSet},
    env, fs,
    process::Command,
};

use croupier_tests::{
    command::Program,
    corpus::{catalogue, shared, workspace},
    size,
};
use serde_json::Value;

use crate::program;

/// States of each game of the catalogue that clingo judges.
const JUDGED: usize = 40;

/// Games of the catalogue, and playouts of each, whose drawings are quick to evaluate.
const QUICK: &[(&str, &str)] = &[
    ("breakthrough", "1"),
    ("connect-four", "2"),
    ("kuhn", "30"),
    ("leduc", "20"),
    ("monty-hall", "30"),
    ("tic-tac-toe", "20"),
];

/// Other people's games, with names that clingo cannot read, functions in functions, and relations that feed
/// each other.
const OTHERS: &[(&str, &str, &str)] =
    &[("gdl2", "meier", "3"), ("gdl2", "transit", "2"), ("gdl", "2pttc", "1"), ("gdl", "connectFour", "1")];

/// Writes a trace of the lifted reasoner; its path.
fn trace(program: &Program, name: &str, game: &str, playouts: &str) -> String {
    let path = program.path(&format!("{name}.jsonl"));
    let seeded = ["simulate", game, "--playouts", playouts, "--seed", "5", "--engine", "datalog"];
    program.output(&[&seeded[..], &["--force", "--trace", &path]].concat());
    path
}

fn python() -> Option<String> {
    let python = env::var("CROUPIER_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let run = Command::new(&python).args(["-c", "import clingo"]).output();
    run.is_ok_and(|run| run.status.success()).then_some(python)
}

#[test]
fn the_stable_model_of_an_export_is_what_the_engine_says() {
    let Some(python) = python() else {
        croupier_tests::skipped("neither CROUPIER_PYTHON nor python3 can import clingo");
        return;
    };
    let program = program("export-clingo");
    let own = catalogue().into_iter().map(|game| (game.name.clone(), game.name, "10"));
    let others = OTHERS.iter().filter_map(|&(folder, name, playouts)| {
        let file = shared(folder).into_iter().find(|file| file.name == name)?;
        Some((file.name, file.path.to_str().expect("a path in UTF-8").to_owned(), playouts))
    });
    let mut failures = Vec::new();
    for (name, game, playouts) in own.chain(others) {
        let rules = program.path(&format!("{name}.lp"));
        program.output(&["export", &game, "--format", "clingo", "--force", "--output", &rules]);
        let trace = trace(&program, &name, &game, playouts);
        let whole = fs::read_to_string(&trace).expect("a trace");
        let judged: String = whole.split_inclusive('\n').take(JUDGED).collect();
        fs::write(&trace, judged).expect("a writable folder");
        let judge = workspace().join("tests/exports/judge.py");
        let run = Command::new(&python).arg(judge).args([&rules, &trace]).output().expect("Python");
        let said = [run.stdout, run.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        if run.status.success() {
            println!("{name}: {}", said.concat().trim());
        } else {
            failures.push(format!("{name}: {}", said.concat()));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// A drawing as it is read: labels, and for each node where its edges come from and whether they deny.
#[derive(Debug, Default)]
struct Drawing {
    labels: BTreeMap<String, String>,
    edges: BTreeMap<String, Vec<(String, bool)>>,
}

impl Drawing {
    fn read(text: &str) -> Self {
        let mut drawing = Self::default();
        for line in text.lines().map(|line| line.trim().trim_end_matches(';')) {
            let (head, attributes) = line.split_once(" [").unwrap_or((line, ""));
            if let Some((from, to)) = head.split_once(" -> ") {
                let is_denied = attributes.contains("style=dashed");
                assert_eq!(is_denied, attributes.contains("arrowhead=odot"), "{line}");
                drawing.edges.entry(to.to_owned()).or_default().push((from.to_owned(), is_denied));
            } else if let Some((label, _)) =
                attributes.strip_prefix("label=\"").and_then(|label| label.split_once('"'))
            {
                let is_new = drawing.labels.insert(head.to_owned(), label.to_owned()).is_none();
                assert!(is_new, "{head} is there twice");
            }
        }
        drawing
    }

    /// Gates have two edges, views and loops one, and everything else none; every end of an edge is there.
    fn assert_whole(&self) {
        for (node, label) in &self.labels {
            let edges = self.edges.get(node).map_or(0, Vec::len);
            let expected = match label.as_str() {
                "and" | "or" => 2,
                _ => usize::from(label == "loop" || node.starts_with('v')),
            };
            assert_eq!(edges, expected, "{node} {label}");
        }
        for (to, edges) in &self.edges {
            assert!(self.labels.contains_key(to), "{to}");
            for (from, _) in edges {
                assert!(self.labels.contains_key(from) && from.starts_with('n'), "{from} -> {to}");
            }
        }
    }

    /// The labels of the views that hold, for the labels of the inputs that do. Has no answer for loops.
    fn evaluate(&self, given: &BTreeSet<String>) -> BTreeSet<String> {
        let number = |node: &String| node[1..].parse::<usize>().expect("a node has a number");
        let mut nodes: Vec<&String> = self.labels.keys().filter(|node| node.starts_with('n')).collect();
        nodes.sort_by_key(|node| number(node));
        let mut values: BTreeMap<&str, bool> = BTreeMap::new();
        for node in nodes {
            let mut inputs =
                self.edges.get(node).into_iter().flatten().map(|(from, deny)| values[from.as_str()] != *deny);
            let value = match self.labels[node].as_str() {
                "false" => false,
                "and" => inputs.all(|input| input),
                "or" => inputs.any(|input| input),
                input => given.contains(input),
            };
            values.insert(node, value);
        }
        let views = self.labels.iter().filter(|(node, _)| node.starts_with('v'));
        let holds = views.filter(|(node, _)| {
            let (from, deny) = &self.edges[*node][0];
            values[from.as_str()] != *deny
        });
        holds.map(|(_, label)| label.clone()).collect()
    }
}

fn texts(value: &Value) -> impl Iterator<Item = String> {
    let texts = value.as_array().into_iter().flatten();
    texts.map(|text| text.as_str().expect("a term").to_owned())
}

/// What a line of a trace has of a word for each role.
fn of_roles<'l>(line: &'l Value, word: &'l str) -> impl Iterator<Item = String> + 'l {
    let roles = line[word].as_object().into_iter().flatten();
    roles.flat_map(move |(role, terms)| texts(terms).map(move |term| format!("{word} {role} {term}")))
}

/// What holds in a state and after it by a trace: all legal moves, goals, percepts and next fluents.
fn answers(line: &Value, following: &Value) -> BTreeSet<String> {
    let goals = line["goal"].as_object().expect("goals by role");
    let goals = goals.iter().filter(|(_, goal)| !goal.is_null());
    let mut answers: BTreeSet<String> = of_roles(line, "legal")
        .chain(of_roles(line, "sees"))
        .chain(goals.map(|(role, goal)| format!("goal {role} {goal}")))
        .chain(texts(&following["state"]).map(|fluent| format!("next {fluent}")))
        .collect();
    if line["terminal"] == Value::Bool(true) {
        answers.insert("terminal".to_owned());
    }
    answers
}

#[test]
fn what_is_drawn_computes_what_the_engine_says() {
    let program = program("export-dot");
    let mut turns = 0;
    for &(name, playouts) in QUICK {
        let drawing = Drawing::read(&program.output(&["export", name, "--format", "dot"]));
        drawing.assert_whole();
        let trace = trace(&program, name, name, playouts);
        let lines = fs::read_to_string(trace).expect("a trace");
        let lines: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        for pair in lines.windows(2).filter(|pair| pair[0]["playout"] == pair[1]["playout"]) {
            let joint = pair[0]["joint"].as_object().expect("a joint move");
            let does = joint
                .iter()
                .map(|(role, played)| format!("does {role} {}", played.as_str().expect("a move")));
            let given = texts(&pair[0]["state"]).map(|fluent| format!("true {fluent}")).chain(does).collect();
            let mut said = drawing.evaluate(&given);
            said.retain(|view| !view.starts_with("goal random") && !view.starts_with("sees random"));
            assert_eq!(said, answers(&pair[0], &pair[1]), "{name}: {}", pair[0]);
            turns += 1;
        }
    }
    println!("{turns} turns of {} games", QUICK.len());
}

#[test]
fn every_drawing_of_the_catalogue_is_whole() {
    let program = program("export-whole");
    // Megabytes of drawing take the reader of this test long.
    let large = ["chess", "goofspiel-13", "holdem", "mastermind-4x6"];
    let is_large = |name: &str| large.contains(&name) || name.starts_with("no-limit-holdem");
    for game in catalogue().into_iter().filter(|game| !is_large(&game.name)).step_by(size(3, 1)) {
        Drawing::read(&program.output(&["export", &game.name, "--format", "dot"])).assert_whole();
    }
}
