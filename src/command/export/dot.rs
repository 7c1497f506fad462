//! A network of gates as a drawing in the language of graphviz.

use std::io::{self, Write};

use croupier_engine::{
    stages::id::TermId,
    stages::propnet::{Gates, Network, Node, Wire},
};

use super::grounding::Grounding;

/// Writes the part of the network that some view needs.
pub(super) fn write(grounding: &Grounding, network: &Network, out: &mut dyn Write) -> io::Result<()> {
    let views = views(grounding, network);
    let drawing = Drawing::of(&network.gates, &views);
    writeln!(out, "digraph {} {{", quoted(&grounding.name))?;
    writeln!(out, "{LEGEND}")?;
    drawing.write_inputs(grounding, network, out)?;
    drawing.write_gates(out)?;
    drawing.write_views(&views, out)?;
    writeln!(out, "}}")
}

const LEGEND: &str = "  // From left to right: fluents of the state (filled if true at the beginning) and moves (rounded); gates, which
  // are `and` or `or` of two wires; and what follows. A dashed edge that ends in a circle is denied. Where atoms
  // depend on each other a `loop` holds what the wire that returns to it says: first false, then until it settles.
  rankdir=LR; ranksep=1.2; nodesep=0.15; node [fontname=\"sans-serif\", fontsize=11]; edge [arrowsize=0.6];";

/// Something that a network says, and the wire that says it.
struct View {
    label: String,
    wire: Wire,
}

/// Everything that a game is asked for.
fn views(grounding: &Grounding, network: &Network) -> Vec<View> {
    let program = &grounding.program;
    let print = |term: TermId| grounding.reasoner.vocabulary().print(term);
    let mut views = vec![View { label: "terminal".to_owned(), wire: network.terminal }];
    for (role, name) in grounding.roles().iter().enumerate() {
        let two = |word: &str, term, wire| View { label: format!("{word} {name} {}", print(term)), wire };
        let legal = program.moves[role].iter().zip(&network.legal[role]);
        views.extend(legal.map(|(found, &wire)| two("legal", found.term, wire)));
        let goals = program.goals[role].iter().zip(&network.goals[role]);
        views.extend(goals.map(|(&(value, _), &(_, wire))| two("goal", value, wire)));
        // Where everybody sees every move, drawing that says nothing.
        let sees = program.sees[role].iter().zip(&network.sees[role]).filter(|_| !grounding.has_full_sight);
        views.extend(sees.map(|(&(percept, _), &wire)| two("sees", percept, wire)));
    }
    let next = program.fluents.iter().zip(&network.next);
    views.extend(next.map(|(fluent, &wire)| View { label: format!("next {}", print(fluent.term)), wire }));
    views
}

/// Which nodes are drawn, and how.
struct Drawing<'g> {
    gates: &'g Gates,
    is_drawn: Vec<bool>,
    /// Gates of which only the opposite is used are drawn as `or` of the opposites.
    is_or: Vec<bool>,
}

impl<'g> Drawing<'g> {
    fn of(gates: &'g Gates, views: &[View]) -> Self {
        let count = gates.nodes().len();
        let mut drawing = Self { gates, is_drawn: vec![false; count], is_or: vec![false; count] };
        let mut is_used_plain = vec![false; count];
        let mut open: Vec<Wire> = views.iter().map(|view| view.wire).collect();
        while let Some(wire) = open.pop() {
            let node = wire.node();
            is_used_plain[node] |= !wire.is_inverted();
            if !std::mem::replace(&mut drawing.is_drawn[node], true) {
                open.extend(drawing.inputs(node));
            }
        }
        for (node, kind) in gates.nodes().iter().enumerate() {
            drawing.is_or[node] = matches!(kind, Node::And(..)) && !is_used_plain[node];
        }
        drawing
    }

    /// The wires that go into a node.
    fn inputs(&self, node: usize) -> Vec<Wire> {
        match self.gates.nodes()[node] {
            Node::False | Node::Input(_) => Vec::new(),
            Node::And(left, right) => vec![left, right],
            Node::Feedback(cycle) => {
                let cycle = &self.gates.cycles()[cycle as usize];
                let pairs = cycle.feedback.iter().zip(&cycle.next);
                pairs.filter(|(found, _)| **found as usize == node).map(|(_, &next)| next).collect()
            }
        }
    }

    fn write_inputs(&self, grounding: &Grounding, network: &Network, out: &mut dyn Write) -> io::Result<()> {
        let program = &grounding.program;
        let print = |term: TermId| grounding.reasoner.vocabulary().print(term);
        writeln!(out, "  {{ rank=source;")?;
        if self.is_drawn[Wire::FALSE.node()] {
            writeln!(out, "    n0 [label=\"false\", shape=plaintext];")?;
        }
        let mut number = 0;
        let mut write_input = |label: &str, style: &str| {
            let node = self.gates.input(number).node();
            number += 1;
            if self.is_drawn[node] {
                writeln!(out, "    n{node} [label={}, shape=box{style}];", quoted(label))?;
            }
            Ok::<(), io::Error>(())
        };
        for (fluent, &is_initial) in program.fluents.iter().zip(&network.initial) {
            let style = if is_initial { ", style=filled" } else { "" };
            write_input(&format!("true {}", print(fluent.term)), style)?;
        }
        for (role, moves) in grounding.roles().iter().zip(&program.moves) {
            for found in moves {
                write_input(&format!("does {role} {}", print(found.term)), ", style=rounded")?;
            }
        }
        writeln!(out, "  }}")
    }

    fn write_gates(&self, out: &mut dyn Write) -> io::Result<()> {
        for (node, kind) in self.gates.nodes().iter().enumerate().filter(|(node, _)| self.is_drawn[*node]) {
            let (label, shape) = match kind {
                Node::False | Node::Input(_) => continue,
                Node::And(..) if self.is_or[node] => ("or", "circle"),
                Node::And(..) => ("and", "circle"),
                Node::Feedback(_) => ("loop", "doublecircle"),
            };
            writeln!(out, "  n{node} [label=\"{label}\", shape={shape}];")?;
            for wire in self.inputs(node) {
                // The node says the opposite of what an `and` would say.
                let wire = if self.is_or[node] { !wire } else { wire };
                let style = if shape == "doublecircle" { ", constraint=false" } else { "" };
                self.write_edge(wire, &format!("n{node}"), style, out)?;
            }
        }
        Ok(())
    }

    fn write_views(&self, views: &[View], out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "  {{ rank=sink;")?;
        for (number, view) in views.iter().enumerate() {
            writeln!(out, "    v{number} [label={}, shape=cds];", quoted(&view.label))?;
        }
        writeln!(out, "  }}")?;
        for (number, view) in views.iter().enumerate() {
            self.write_edge(view.wire, &format!("v{number}"), "", out)?;
        }
        Ok(())
    }

    fn write_edge(&self, wire: Wire, to: &str, style: &str, out: &mut dyn Write) -> io::Result<()> {
        let from = wire.node();
        let inverted =
            if wire.is_inverted() == self.is_or[from] { "" } else { ", style=dashed, arrowhead=odot" };
        let attributes = format!("{style}{inverted}");
        match attributes.strip_prefix(", ") {
            Some(attributes) => writeln!(out, "  n{from} -> {to} [{attributes}];"),
            None => writeln!(out, "  n{from} -> {to};"),
        }
    }
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
