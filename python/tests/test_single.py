"""One match by columns: the same as at the referee, and as many times faster as not keeping a record allows."""

from __future__ import annotations

import copy
import warnings
from random import Random

import croupier
import numpy as np
import pytest

GAMES = ["kuhn", "leduc", "tic-tac-toe", "goofspiel-4", "liars-dice", "monty-hall", "battleship-4x4"]


@pytest.mark.parametrize("name", GAMES)
def test_a_table_plays_the_match_that_the_referee_plays(name: str) -> None:
    table, draws = croupier.Table(name, last=1), Random(1)
    for seed in range(20):
        table.begin(seed)
        match = croupier.Match(table.game, seed=seed)
        while True:
            while not match.is_over and not match.acting:
                match.step()
            assert table.acting == ([] if match.is_over else match.acting)
            for role in table.game.roles:
                view = match.view(role)
                assert table.view(role) == view
                assert (table.observe(role) == table.observer.observe(view)).all()
                assert (table.mask(role) == table.observer.mask(role, match.legal(role))).all()
            if match.is_over:
                break
            chosen = {role: draws.choice(match.legal(role)) for role in match.acting}
            table.play({role: table.observer.column(role, move) for role, move in chosen.items()})
            match.step(chosen)
        assert table.rewards == match.payoffs
        assert table.match.record() == match.record()
        croupier.verify(table.match.record())


def test_the_record_of_a_table_grows_with_its_match() -> None:
    table = croupier.Table("leduc")
    table.begin(3)
    before = table.match.record()
    table.play(dict.fromkeys(table.acting, table.mask(table.acting[0]).argmax()))
    assert table.match.record().startswith(before) and table.match.record() != before


def test_the_state_of_a_table_is_the_state_of_its_match() -> None:
    table, state = croupier.Table("kuhn"), croupier.State(croupier.load("kuhn"))
    for moves in table.match.game.roles and table._play.played():
        dealt = state.legal("random")
        # Her card tells the first move of chance, his the second.
        for move in dealt:
            after = state.step({"random": move} | dict(zip(table.game.roles, moves, strict=True)))
            if all(after.view(role).turns == table.view(role).turns[: after.turn] for role in table.game.roles):
                state = after
                break
    assert {fact for fact, is_true in zip(table.facts, table.state, strict=True) if is_true} == set(state.facts)


def test_sampled_actions_follow_from_the_seed() -> None:
    def course(seed: int, lanes: int = 600) -> list[bytes]:
        env = croupier.VectorEnv("leduc", lanes=lanes, seed=seed)
        found = []
        for _ in range(8):
            actions = env.sample()
            found.append(actions.tobytes())
            env.step(actions)
        assert env.illegal_moves == 0
        return found

    assert course(1) == course(1) != course(2)
    env = croupier.VectorEnv("leduc", lanes=600, seed=1)
    first = env.sample()
    assert (first != env.sample()).any(), "each call draws anew"
    env.reset(1)
    assert (env.sample() == first).all()
    other = copy.deepcopy(env)
    assert (other.sample() == env.sample()).all()


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"lanes": 10**12}, MemoryError), ({"last": 2**40}, MemoryError), ({"lanes": 10**30}, ValueError),
        ({"lanes": 0}, ValueError), ({"lanes": -1}, ValueError), ({"last": -1}, ValueError), ({"turns_max": 0}, ValueError),
        ({"lanes": 1.5}, TypeError), ({"last": "x"}, TypeError), ({"turns_max": 2**40}, ValueError), ({"particles": 0}, ValueError),
    ],
)  # fmt: skip
def test_impossible_sizes_are_errors_that_name_the_argument(options: dict[str, object], error: type[Exception]) -> None:
    with pytest.raises(error) as raised:
        croupier.VectorEnv("kuhn", **options)
    assert "Wanted" not in str(raised.value)
    assert next(iter(options)) in str(raised.value) or "memory" in str(raised.value)
    with pytest.raises(MemoryError):
        croupier.Observer(croupier.load("kuhn"), last=2**40)


def test_observations_tell_all_information_sets_apart_by_default_or_warn() -> None:
    leduc = croupier.load("leduc")
    observer = croupier.Observer(leduc)
    views = [view for view, _ in croupier.information_sets(leduc)]
    assert len({(view.role, observer.observe(view).tobytes()) for view in views}) == len(views) == 936
    shorter = croupier.Observer(leduc, last=observer.last - 1)
    assert len({(view.role, shorter.observe(view).tobytes()) for view in views}) < 936
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert croupier.VectorEnv("leduc").last == croupier.Table("leduc").observer.last == observer.last
        croupier.VectorEnv("holdem", last=1)
    with pytest.warns(croupier.RecallWarning, match="last=N"):
        croupier.VectorEnv("holdem")


def test_rewards_are_payoffs_everywhere() -> None:
    env = croupier.VectorEnv("kuhn", lanes=64, seed=1)
    found = set()
    for _ in range(20):
        step = env.step(env.sample())
        found |= set(np.unique(step.reward).tolist())
    assert found == {-2.0, -1.0, 0.0, 1.0, 2.0}
