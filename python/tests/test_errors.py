"""Wrong use: the right exception, with a text that helps."""

from __future__ import annotations

import pickle

import croupier
import pytest

RULES = """
(role ann)
(init begun)
(legal ann (go ?side))
(<= terminal (not (true begun)))
(goal ann 50)
"""


def test_rules_that_give_no_game_say_where_and_why():
    with pytest.raises(croupier.RulesError) as caught:
        croupier.load_text("(role ann)\n  (init (f ?x)")
    found = caught.value.diagnostics
    assert found and found[0].severity == "error" and found[0].code and found[0].message
    assert (found[0].line, found[0].column) == (2, 3)
    assert "line 2, column 3" in str(caught.value)
    assert pickle.loads(pickle.dumps(caught.value)).diagnostics == found
    with pytest.raises(croupier.RulesError):
        croupier.load_text("")
    with pytest.raises(croupier.RulesError):
        croupier.load_text("(role ann)")


def test_warnings_are_kept():
    game = croupier.load_text(RULES.replace("(go ?side)", "go"))
    assert all(isinstance(found, croupier.Diagnostic) for found in game.warnings)
    with pytest.raises(croupier.RulesError):
        croupier.load_text(RULES)


def test_unknown_games_have_neighbours():
    with pytest.raises(croupier.UnknownGameError, match="did you mean kuhn") as caught:
        croupier.load("khun")
    assert caught.value.suggestions[0] == "kuhn" and caught.value.name == "khun"
    with pytest.raises(croupier.UnknownGameError, match="games()"):
        croupier.load("no-such-thing")


def test_roles_have_neighbours(leduc):
    match = croupier.Match(leduc)
    with pytest.raises(croupier.RoleError, match="did you mean 'alice'") as caught:
        match.legal("alcie")
    assert (caught.value.role, caught.value.roles) == ("alcie", ["alice", "bob"])
    assert pickle.loads(pickle.dumps(caught.value)).roles == ["alice", "bob"]
    for act in (match.view, match.legal, lambda role: match.step({role: "noop"})):
        with pytest.raises(croupier.RoleError, match="chance"):
            act("random")


def test_an_illegal_move_changes_nothing(leduc):
    match = croupier.Match(leduc, seed=7)
    match.step()
    match.step()
    before = match.record()
    with pytest.raises(croupier.IllegalMoveError, match="has a choice") as caught:
        match.step()
    assert (caught.value.role, caught.value.move) == ("alice", None)
    assert caught.value.legal == match.legal("alice")
    for move in ("fold me", "(raise 3)", "", "((", "?x", "check check", "\0", "é"):
        with pytest.raises(croupier.IllegalMoveError, match="check"):
            match.step({"alice": move, "bob": "noop"})
    with pytest.raises(croupier.IllegalMoveError, match="bob"):
        match.step({"alice": "check", "bob": "check"})
    with pytest.raises(croupier.RoleError, match="two moves"):
        match.step({"alice": "check", "ALICE": "raise"})
    assert match.record() == before


def test_a_match_that_is_over_is_not_played_on(kuhn):
    match = croupier.Match(kuhn, seed=1)
    while not match.is_over:
        match.step({role: match.legal(role)[0] for role in match.acting})
    with pytest.raises(croupier.FinishedError):
        match.step()
    with pytest.raises(croupier.FinishedError):
        match.step({"alice": "bet"})


def test_rules_that_fail_in_play_end_the_match():
    rules = """(role ann) (init begun) (<= (legal ann go) (true begun)) (<= terminal (true never))
        (<= (next after) (true begun)) (goal ann 50) (<= (legal ann x) (true never))"""
    match = croupier.Match(croupier.load_text(rules), seed=1)
    match.step()
    assert match.is_over and match.outcome == "game_error" and "no legal move" in match.error
    assert match.goals is None and match.payoffs is None
    croupier.verify(match.record())


@pytest.mark.parametrize("seed", [-1, 2**128, "", "xyz", 64 * "x", "-3", 1.5, b"7", [], object()])
def test_what_is_no_seed_is_refused(kuhn, seed):
    with pytest.raises((croupier.CroupierError, TypeError), match="seed"):
        croupier.Match(kuhn, seed=seed)


def test_notebooks_show_tables_without_markup_of_others():
    rules = RULES.replace("(go ?side)", "go")
    game = croupier.load_text(rules, name='<b>&"')
    match = croupier.Match(game, seed=1)
    belief = croupier.Belief(game, "ann", match.view("ann"))
    for value in (game, match, belief):
        html = value._repr_html_()
        assert html.startswith("<table>") and html.endswith(("</table>", "</pre>", "</svg>")) and "<b>" not in html
    assert "&lt;b&gt;&amp;&quot;" in game._repr_html_() and "go" in match._repr_html_()


def test_all_exceptions_have_one_base():
    for name in croupier.__all__:
        value = getattr(croupier, name)
        if isinstance(value, type) and issubclass(value, Exception) and not issubclass(value, Warning):
            assert issubclass(value, croupier.CroupierError) and value.__doc__
        assert getattr(value, "__doc__", None), f"{name} has no documentation"
