"""The table in words: what the terminal shows of the same match."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from pathlib import Path
from random import Random
from xml.etree import ElementTree

import croupier
import gymnasium
import pytest
from croupier.gymnasium import SeatEnv
from croupier.pettingzoo import TurnEnv

# What stands for suits where no terminal is.
LETTERS = str.maketrans("♣♦♥♠·", "cdhs.")

GAMES = ["kuhn", "leduc", "holdem", "tic-tac-toe", "blind-breakthrough-5x5", "hearts-small"]


@pytest.mark.parametrize("name", GAMES)
def test_a_match_renders_as_the_terminal_shows_it(
    name: str, command: Callable[..., str], tmp_path: Path
) -> None:
    match, draws = croupier.Match(croupier.load(name), seed=5), Random(5)
    role = match.game.roles[-1]
    whole, seen = [], []
    while not match.is_over:
        match.step({role: draws.choice(match.legal(role)) for role in match.acting})
        whole.append(match.render())
        seen.append(match.render(role))
    record = tmp_path / "match.jsonl"
    match.save(record)
    for texts, arguments in ((whole, ()), (seen, ("--role", role))):
        shown = command("replay", record, "--table", *arguments).translate(LETTERS)
        assert shown.count("\n") > len(texts)
        for text in texts:
            indented = textwrap.indent(text.translate(LETTERS), " " * 9, lambda line: True)
            assert not text or indented.rstrip() in shown, f"{text}\nis not in\n{shown}"


def test_a_seat_is_not_shown_what_its_player_cannot_know() -> None:
    env = SeatEnv("leduc", "alice", render_mode="ansi")
    env.reset(seed=1)
    own, whole = env.render(), env.table.match.render()
    assert own is not None and own != whole
    hidden = [line for line in own.splitlines() if line.startswith("Bob")]
    assert hidden[0].endswith("?") and not any(line.endswith("?") for line in whole.splitlines())


@pytest.mark.filterwarnings("error")
def test_gymnasium_knows_that_environments_are_rendered() -> None:
    env = gymnasium.make("croupier/leduc-v0", render_mode="ansi")
    env.reset(seed=1)
    assert "Alice" in str(env.render())


def test_without_a_mode_nothing_is_drawn() -> None:
    env = TurnEnv("tic-tac-toe")
    env.reset(seed=1)
    assert env.render() is None
    env = TurnEnv("tic-tac-toe", render_mode="ansi")
    env.reset(seed=1)
    assert (env.render() or "").count("·") == 9


def test_a_notebook_shows_the_board() -> None:
    match = croupier.Match(croupier.load("tic-tac-toe"), seed=1)
    assert match.svg() in match._repr_html_() and match._repr_svg_() == match.svg()
    squares = ElementTree.fromstring(match.svg()).findall(".//*[@data-element]")
    assert len(squares) == 9 and all("empty" in square.attrib["aria-label"] for square in squares)


def test_a_picture_of_a_player_hides_what_that_player_cannot_know() -> None:
    match = croupier.Match(croupier.load("leduc"), seed=1)
    while not match.acting:
        match.step()
    own, other = match.svg("alice"), match.svg("bob")
    assert own != other and own != match.svg()
    with pytest.raises(croupier.RoleError):
        match.svg("carol")
