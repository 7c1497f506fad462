//! Ground rules as an answer-set program in the language of gringo and clingo.
//!
//! # Sources
//! The ASP-Core-2 input language: F. Calimeri et al., "ASP-Core-2 input language format", TPLP 20(2), 2020;
//! `#external` and `#show` as in M. Gebser et al., "Potassco user guide" 2.2.0, 2019, chapter 3.

use std::{
    collections::BTreeSet,
    io::{self, Write},
};

use croupier_engine::stages::ground::{Atom, AtomName, GroundLiteral, Subject};

use super::grounding::Grounding;

/// What is worth showing of a stable model.
const ANSWERS: [&str; 5] = ["legal/2", "next/1", "terminal/0", "goal/2", "sees/2"];

/// Writes the ground program.
pub(super) fn write(grounding: &Grounding, out: &mut dyn Write) -> io::Result<()> {
    let Grounding { name, program, names, reasoner, .. } = grounding;
    write_head(name, out)?;
    let print = |of| term(&reasoner.vocabulary().print(of));
    for role in grounding.roles() {
        writeln!(out, "role({}).", term(&role))?;
    }
    for fluent in &program.fluents {
        writeln!(out, "#external true({}).", print(fluent.term))?;
    }
    for (role, moves) in grounding.roles().iter().zip(&program.moves) {
        for found in moves {
            writeln!(out, "#external does({},{}).", term(role), print(found.term))?;
        }
    }
    for fluent in program.fluents.iter().filter(|fluent| fluent.is_initial) {
        writeln!(out, "init({}).", print(fluent.term))?;
    }
    let mut shown = BTreeSet::new();
    for head in (0..program.atoms_count).filter_map(|atom| Atom::try_from(atom).ok()) {
        for (place, body) in program.bodies(head).enumerate() {
            if place == 0 {
                let name = names.name(head);
                if let Subject::Keyword(keyword) = name.subject {
                    shown.insert(format!("{}/{}", keyword.name(), keyword.arity()));
                }
            }
            let literal = |literal: &GroundLiteral| {
                let atom = atom(&names.name(literal.atom()));
                if literal.is_negative() { format!("not {atom}") } else { atom }
            };
            let body: Vec<String> = body.iter().map(literal).collect();
            let arrow = if body.is_empty() { "" } else { " :- " };
            writeln!(out, "{}{arrow}{}.", atom(&names.name(head)), body.join(", "))?;
        }
    }
    for (role, goals) in grounding.roles().iter().zip(&program.goals) {
        for &(value, by_rule) in goals {
            let by_rule = atom(&names.name(by_rule));
            writeln!(out, "goal({},{}) :- {by_rule}.", term(role), print(value))?;
            shown.insert("goal/2".to_owned());
        }
    }
    writeln!(out, "#show.")?;
    for answer in ANSWERS.iter().filter(|answer| shown.contains(**answer)) {
        writeln!(out, "#show {answer}.")?;
    }
    Ok(())
}

fn write_head(name: &str, out: &mut dyn Write) -> io::Result<()> {
    let name = name.replace(['\n', '\r'], " ");
    writeln!(
        out,
        "\
% {name}: one step of the game, without variables. For clingo 5.
%
% Add facts, in a file of their own or as assumptions on the externals:
%   true(F).    for each fluent F of a state; init(F) below are those of the first
%   does(R,M).  for each role R the move M that it plays, where next and sees are asked for
% There is one stable model. In it are
%   legal(R,M), goal(R,V), terminal  of the state, whether it is over or not
%   next(F), sees(R,P)               of the state and the joint move
% What the language or the rules give by two ways is there once; goal has every value that some rule gives.
%
% Terms are those of the rules. A name that clingo has no room for is a string, and a function of such a
% name a tuple that begins with it. holds(...) is a relation that the rules define, inner(...) one that
% grounding made: a part of a body, or the goals of one rule.
"
    )
}

/// An atom of the program.
fn atom(name: &AtomName) -> String {
    let arguments: Vec<String> = name.arguments.iter().map(|argument| term(argument)).collect();
    match &name.subject {
        Subject::Keyword(keyword) if arguments.is_empty() => keyword.name().to_owned(),
        Subject::Keyword(keyword) => format!("{}({})", keyword.name(), arguments.join(",")),
        Subject::Relation(relation) if arguments.is_empty() => format!("holds({})", constant(relation)),
        Subject::Relation(relation) => format!("holds({}{}))", function(relation), arguments.join(",")),
        Subject::Inner(inner) => {
            let all: Vec<String> = std::iter::once(quoted(inner)).chain(arguments).collect();
            format!("inner({})", all.join(","))
        }
    }
}

/// A term in prefix syntax, canonically printed, as clingo writes it. Different terms stay different.
fn term(prefix: &str) -> String {
    let mut text = String::new();
    let (mut is_function, mut is_behind) = (false, false);
    for token in tokens(prefix) {
        if is_behind && token != ")" {
            text.push(',');
        }
        match token {
            "(" => {}
            ")" => text.push(')'),
            name if is_function => text.push_str(&function(name)),
            name => text.push_str(&constant(name)),
        }
        is_behind = token != "(" && !is_function;
        is_function = token == "(";
    }
    text
}

/// Parentheses and names.
fn tokens(prefix: &str) -> impl Iterator<Item = &str> {
    let words = prefix.split(' ').flat_map(|word| word.split_inclusive(['(', ')']));
    let cut = words.flat_map(|piece| match piece.len().checked_sub(1).map(|end| piece.split_at(end)) {
        Some((name, parenthesis @ ("(" | ")"))) => [name, parenthesis],
        _ => [piece, ""],
    });
    cut.filter(|token| !token.is_empty())
}

fn constant(name: &str) -> String {
    let is_number = name.parse::<i32>().is_ok_and(|number| number >= 0 && number.to_string() == name);
    if is_number || is_identifier(name) { name.to_owned() } else { quoted(name) }
}

/// The beginning of a function's term, up to its first argument.
fn function(name: &str) -> String {
    if is_identifier(name) { format!("{name}(") } else { format!("({},", quoted(name)) }
}

/// Whether clingo reads a name as it is.
fn is_identifier(name: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    name.starts_with(|c: char| c.is_ascii_lowercase()) && name.chars().all(is_plain) && name != "not"
}

fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
}

#[cfg(test)]
mod tests {
    use super::term;

    #[test]
    fn names_that_clingo_cannot_read_are_strings_and_their_functions_tuples() {
        let cases = [
            ("b", "b"),
            ("(cell 1 2 b)", "cell(1,2,b)"),
            ("(cell (pair 1 02) (s (s 0)) -1)", "cell(pair(1,\"02\"),s(s(0)),\"-1\")"),
            ("(+ 1 (not not))", "(\"+\",1,(\"not\",\"not\"))"),
            ("a-b", "\"a-b\""),
            ("(f \\ \" é)", "f(\"\\\\\",\"\\\"\",\"é\")"),
            ("(1 2 3)", "(\"1\",2,3)"),
            ("99999999999", "\"99999999999\""),
            ("_x", "\"_x\""),
        ];
        for (prefix, clingo) in cases {
            assert_eq!(term(prefix), clingo);
        }
    }
}
