"""Anything at all as an argument: an answer or an exception, never the end of the process."""

from __future__ import annotations

import inspect
import sys
from random import Random

import croupier
import pytest

STRANGE = [
    None, True, -1, 0, 1, 2**63, 2**200, 1.5, float("nan"), float("inf"), 1j, "", "noop", "alice", "bob", "random",
    "(", ")", "(a ?x)", "(a b)", "\0", "\ud800", "é🂡", "(" * 5_000, "(a " * 5_000 + ")" * 5_000, "x" * 100_000,
    "policy:", "policy:\0", "rule:.", "resolve:iterations=0", "ismcts:model=(ismcts:model=quantal)", "http://localhost",
    b"", b"bytes", [], [None], ["a", 1], {}, {"alice": "bet"}, {"alice": None}, {1: 2}, set(), object(), int, len,
    [("noop", [])], [("noop", ["(hole king)"])], [("(", [])], [(1, 2)], range(3),
]  # fmt: skip


def values(kuhn: croupier.Game, leduc: croupier.Game) -> list[object]:
    match = croupier.Match(kuhn, seed=1)
    match.step()
    match.step()
    result = croupier.solve(kuhn, iterations=3)
    view, begun = match.view("bob"), croupier.State(leduc)
    return [
        kuhn, leduc, match, view, match.view("alice"), result, result.policy, croupier.Belief(kuhn, "bob", view),
        croupier.Agent("random", kuhn, "alice"), croupier.Agent("ismcts:iterations=3", leduc, "bob"),
        begun, begun.step({"random": begun.legal("random")[0]}), croupier.PublicBelief(kuhn).of(view),
    ]  # fmt: skip


def callables(values: list[object]) -> list[object]:
    """Every method of these values and every function and class, but for those that write files."""
    found: list[object] = []
    for value in values:
        for name in dir(value):
            if name in {"save", "__class__", "__init_subclass__", "__subclasshook__", "__new__", "__dir__", "__sizeof__"}:
                continue
            member = getattr(value, name)
            if callable(member):
                found.append(member)
    names = [name for name in croupier.__all__ if not name.endswith(("Error", "Warning")) and name != "Diagnostic"]
    found += [getattr(croupier, name) for name in names]
    native = sys.modules["croupier._native"]
    return found + [getattr(native, name) for name in ("_restore_game", "_restore_match", "_restore_policy", "_restore_state")]


@pytest.mark.parametrize("seed", range(4))
def test_strange_arguments_give_an_answer_or_an_exception(kuhn, leduc, seed):
    draws = Random(seed)
    ours = values(kuhn, leduc)
    candidates = STRANGE + ours
    calls = errors = 0
    for call in callables(ours):
        for _ in range(25):
            arguments = [draws.choice(candidates) for _ in range(draws.randint(0, 4))]
            calls += 1
            try:
                call(*arguments)
            except Exception as error:
                # A panic is no Exception, and so ends this test.
                assert str(error) is not None
                errors += 1
    assert calls > 1_000 and errors > calls / 4


def test_strange_attributes_are_refused(kuhn):
    for value in values(kuhn, kuhn):
        for name in ("name", "record", "anything"):
            with pytest.raises((AttributeError, TypeError)):
                setattr(value, name, 1)
        with pytest.raises((AttributeError, TypeError)):
            value.anything


def test_random_texts_are_moves_terms_and_rules_to_nobody(kuhn):
    draws = Random(1)
    letters = ["(", ")", " ", "?", "bet", "pass", "king", "true", "<=", "role", ";", "\n", "\t", '"', "|", "é", "0", ":-", "&"]
    match = croupier.Match(kuhn, seed=1)
    match.step()
    match.step()
    for _ in range(1_000):
        text = "".join(draws.choice(letters) for _ in range(draws.randint(0, 12)))
        if text.strip(" \n\t()").lower() not in match.legal("alice"):
            try:
                match.step({"alice": text})
            except croupier.IllegalMoveError:
                pass
            else:
                match = croupier.Match(kuhn, seed=1)
                match.step()
                match.step()
        for read in (croupier.load_text, croupier.verify, croupier.Policy.from_json, croupier.load):
            with pytest.raises(croupier.CroupierError):
                read(text)


def test_everything_public_has_a_type_and_words():
    import ast
    from pathlib import Path

    stubs = Path(croupier.__file__).with_name("_native.pyi").read_text(encoding="utf-8")
    typed = {
        node.name: {inner.name for inner in ast.walk(node) if isinstance(inner, ast.FunctionDef)} - {node.name}
        for node in ast.parse(stubs).body
        if isinstance(node, (ast.ClassDef, ast.FunctionDef))
    }
    native = sys.modules["croupier._native"]
    for name in dir(native):
        value = getattr(native, name)
        if name.startswith("__"):
            continue
        assert name in typed and inspect.getdoc(value), name
        if isinstance(value, type):
            public = {member for member in vars(value) if not member.startswith("_")}
            assert public <= typed[name], public - typed[name]
            assert all(inspect.getdoc(getattr(value, member)) for member in public if name not in {"Decision", "Evaluation", "Solution"})
