"""Compares an exported answer-set program with a trace: one stable model for each line, with what the line has.

Usage: judge.py PROGRAM TRACE. Needs the package clingo. Terms are built from the trace without the exporter's help.
"""

import json
import re
import sys

import clingo

ANSWERS = ("legal", "goal", "terminal", "next", "sees")


def constant(name):
    if re.fullmatch(r"0|[1-9][0-9]*", name) and int(name) < 2**31:
        return clingo.Number(int(name))
    if re.fullmatch(r"[a-z][a-z0-9_]*", name) and name != "not":
        return clingo.Function(name)
    return clingo.String(name)


def term(text):
    """The symbol for a term in prefix syntax."""
    stack = [[]]
    for token in re.findall(r"[()]|[^\s()]+", text):
        if token == "(":
            stack.append([])
        elif token == ")":
            name, *arguments = stack.pop()
            if name.type == clingo.SymbolType.Function:
                stack[-1].append(clingo.Function(name.name, arguments))
            else:
                name = name if name.type == clingo.SymbolType.String else clingo.String(str(name))
                stack[-1].append(clingo.Tuple_([name, *arguments]))
        else:
            stack[-1].append(constant(token))
    [[whole]] = stack
    return whole


def atoms(word, by_role):
    """Atoms of a relation from what the trace has for each role."""
    return {clingo.Function(word, [term(role), term(text)]) for role, texts in by_role.items() for text in texts}


def expected(line, following):
    """What the stable model must have, and of which words."""
    goals = {role: [] if value is None else [str(value)] for role, value in line["goal"].items()}
    answer = atoms("legal", line["legal"]) | atoms("goal", goals)
    words = {"legal", "goal", "terminal"}
    if line["terminal"]:
        answer.add(clingo.Function("terminal"))
    if "sees" in line:
        words.add("sees")
        answer |= atoms("sees", line["sees"])
    if following is not None and following["playout"] == line["playout"]:
        words.add("next")
        answer |= {clingo.Function("next", [term(fluent)]) for fluent in following["state"]}
    return answer, words


def main(program, trace):
    control = clingo.Control(["--models=0", "--warn=no-atom-undefined"])
    control.load(program)
    control.ground([("base", [])])
    externals = [atom.symbol for atom in control.symbolic_atoms if atom.is_external]
    with open(trace, encoding="utf-8") as file:
        lines = [json.loads(line) for line in file]
    for line, following in zip(lines, [*lines[1:], None]):
        given = {clingo.Function("true", [term(fluent)]) for fluent in line["state"]}
        given |= atoms("does", {role: [text] for role, text in line.get("joint", {}).items()})
        if not given <= set(externals):
            sys.exit(f"the program lacks {given - set(externals)}")
        for external in externals:
            control.assign_external(external, external in given)
        with control.solve(yield_=True) as handle:
            models = [set(model.symbols(shown=True)) for model in handle]
        if len(models) != 1:
            sys.exit(f"{len(models)} stable models for {line}")
        answer, words = expected(line, following)
        assert words <= set(ANSWERS)
        said = {
            symbol
            for symbol in models[0]
            if symbol.name in words
            and not (symbol.name in ("goal", "sees") and symbol.arguments[0] == clingo.Function("random"))
        }
        if said != answer:
            sys.exit(f"only clingo: {said - answer}\nonly the engine: {answer - said}\nin {line}")
    print(f"{len(lines)} states")


main(*sys.argv[1:])
