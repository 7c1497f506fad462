"""Seats of a vector environment that functions, policies and agents hold: against matches that are played one by one."""

from __future__ import annotations

import copy
import pickle

import croupier
import numpy as np
import numpy.typing as npt
import pytest
from croupier._native import Lanes
from croupier.steps import Wanted

Bits = npt.NDArray[np.uint8]


def first(_observation: Bits, mask: Bits, _rng: np.random.Generator) -> npt.NDArray[np.int64]:
    """Plays the first legal move."""
    return np.argmax(mask, axis=1)


def drawn(_observation: Bits, mask: Bits, rng: np.random.Generator) -> npt.NDArray[np.int64]:
    return np.argmax(rng.random(mask.shape) * mask, axis=1)


def nth_legal(mask: Bits, number: int) -> int:
    legal = np.flatnonzero(mask)
    return int(legal[number % len(legal)])


@pytest.mark.parametrize("name", ["phantom-tic-tac-toe", "krieg-tic-tac-toe-4x4", "goofspiel-4", "tic-tac-toe"])
@pytest.mark.parametrize("held", [0, 1])
@pytest.mark.parametrize(("observation", "seat"), [("percepts", first), ("turn", first), ("percepts", "first-legal"), ("turn", "first-legal")])
def test_every_lane_is_the_match_that_a_table_plays(name: str, held: int, observation: str, seat: croupier.seats.Seat) -> None:
    """In games without chance, where lanes come to their choices at different times."""
    lanes, steps = 530, 12
    role = croupier.load(name).roles[1 - held]
    other = croupier.load(name).roles[held]
    env = croupier.VectorEnv(name, lanes, seats={other: seat}, observation=observation, last=2)
    player = env.roles.index(role)
    shown = []
    for step in range(steps):
        now = env.last_step
        assert (now.acting[:, player] == 1).all() and not now.acting[:, 1 - player].any()
        columns = np.zeros((lanes, 2), int)
        columns[:, player] = [nth_legal(now.mask[lane, player], lane * 7 + step * lane) for lane in range(lanes)]
        before = now.observation[:, player].copy(), now.mask[:, player].copy(), now.turn.copy()
        env.step(columns)
        shown.append((*before, env.last_step.done.copy(), env.last_step.reward.copy()))
    for lane in [*range(0, lanes, 37), 511, 512, lanes - 1]:
        table = croupier.Table(name, observation=observation, last=2)

        def play_on(table: croupier.Table = table) -> None:
            while table.acting and role not in table.acting:
                table.play({other: nth_legal(table.mask(other), 0)})

        play_on()
        for step, (seen, mask, turn, done, reward) in enumerate(shown):
            own, legal = table.observe(role), table.mask(role)
            assert (seen[lane, : len(own)] == own).all() and not seen[lane, len(own) :].any()
            assert (mask[lane, : len(legal)] == legal).all() and turn[lane] == table.match.turn
            actions = {role: nth_legal(legal, lane * 7 + step * lane)}
            if other in table.acting:
                actions[other] = nth_legal(table.mask(other), 0)
            table.play(actions)
            play_on()
            assert bool(done[lane]) == (not table.acting)
            assert (reward[lane] == [table.rewards[role] for role in env.roles]).all()
            if done[lane]:
                table.begin()
                play_on()
    assert env.illegal_moves == 0


def mean_of(env: croupier.VectorEnv, steps: int, act: croupier.seats.SeatFunction, player: int) -> tuple[float, float]:
    """What matches are worth to a player who goes by a function, and the standard error."""
    rng = np.random.default_rng(1)
    total = squares = ended = 0.0
    for _ in range(steps):
        size = len(env.moves[env.roles[player]])
        columns = np.zeros((env.lanes, len(env.roles)), int)
        columns[:, player] = act(env.last_step.observation[:, player], env.last_step.mask[:, player, :size], rng)
        step = env.step(columns)
        got = step.reward[step.done == 1, player]
        total, squares, ended = total + got.sum(), squares + (got**2).sum(), ended + len(got)
    mean = total / ended
    return mean, float(np.sqrt((squares / ended - mean**2) / ended))


def test_uniform_play_of_kuhn_by_a_function_pays_what_openspiel_says() -> None:
    env = croupier.VectorEnv("kuhn", 4096, seed=2, seats={"bob": drawn}, units="payoff")
    mean, error = mean_of(env, 60, drawn, 0)
    # OpenSpiel: uniform play is worth 1/8 of a chip to the first player of kuhn_poker.
    assert abs(mean - 0.125) < 5 * error


def test_an_equilibrium_in_a_seat_is_worth_the_value_of_the_game(kuhn: croupier.Game) -> None:
    policy = croupier.solve(kuhn, iterations=5000).policy
    env = croupier.VectorEnv(kuhn, 2048, seed=3, seats={"bob": policy}, units="payoff")
    assert env.features == croupier.VectorEnv(kuhn, 1).features, "what is shown does not depend on who holds seats"
    king = env.features["alice"].index("saw (hole king), ever")

    def is_no_mistake(observation: Bits, mask: Bits, _rng: np.random.Generator) -> npt.NDArray[np.int64]:
        bet, wait = (env.moves["alice"].index(move) for move in ("bet", "pass"))
        return np.where(observation[:, king] == 1, bet, wait)

    # Kuhn (1950): the game is worth -1/18 of a chip, against an equilibrium also to whoever bets with a king alone.
    mean, error = mean_of(env, 100, is_no_mistake, 0)
    assert abs(mean + 1 / 18) < 5 * error + 0.002


def kept(step: croupier.Step) -> list[bytes]:
    return [array.tobytes() for array in step]


def after(env: croupier.VectorEnv, steps: int, seed: int = 0) -> list[bytes]:
    rng = np.random.default_rng(seed)
    for _ in range(steps):
        env.step(env.sample(rng))
    return kept(env.last_step)


@pytest.mark.parametrize("seat", ["policy", "function", "call", "ismcts:iterations=3"])
def test_seeds_copies_and_threads_with_held_seats(leduc: croupier.Game, seat: str) -> None:
    lanes, steps = (7, 6) if seat.startswith("ismcts") else (1030, 8)
    held = {"policy": croupier.solve(leduc, iterations=3).policy, "function": drawn}.get(seat, seat)

    def new(**options: bool) -> croupier.VectorEnv:
        return croupier.VectorEnv(leduc, lanes, seed=4, seats={"alice": held}, **options)

    env = new()
    first_part = after(env, steps)
    others = [copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
    expected = after(env, steps, seed=1)
    assert all(after(other, steps, seed=1) == expected for other in others)
    env.reset(4)
    assert after(env, steps) == first_part == after(new(parallel=False), steps)
    env.reset(5)
    assert after(env, steps) != first_part


@pytest.mark.parametrize("name", ["kuhn", "leduc", "goofspiel-4", "liars-dice", "phantom-tic-tac-toe", "monty-hall"])
def test_an_agent_is_told_what_its_seat_knows(name: str) -> None:
    game = croupier.load(name)
    lanes = Lanes(game, Wanted(70, "percepts", 20, [True] * len(game.roles), views=True))
    observer = croupier.Observer(game, last=20)
    step = croupier.VectorEnv(game, 70, last=20).last_step
    lanes.reset(3, step)
    rng = np.random.default_rng(1)
    for number in range(9):
        for player, role in enumerate(game.roles):
            for lane, view in zip(range(number, 70, 9), lanes.views(player, list(range(number, 70, 9))), strict=True):
                observed = observer.observe(view)
                assert view.role == role and len(view) == step.turn[lane]
                assert (step.observation[lane, player, : len(observed)] == observed).all()
        lanes.step(np.argmax(rng.random(step.mask.shape) * step.mask, axis=2).astype(np.int32), step)
    with pytest.raises(croupier.CroupierError, match="no views"):
        lanes.views(0, [70])
    with pytest.raises(croupier.CroupierError, match="no views"):
        Lanes(game, Wanted(1, "turn", 1, [True] * len(game.roles))).views(0, [0])


def test_wrong_seats_say_what_to_do(kuhn: croupier.Game) -> None:
    for seats, words, options in [
        ({"bob": "wizard"}, "known players are: random", {}),
        ({"bob": 7}, "a Policy or a function", {}),
        ({"alice": first, "bob": first}, "no player", {}),
        ({"bob": lambda seen, mask, rng: mask}, "a column of the mask for each row", {}),
        ({"bob": lambda seen, mask, rng: np.full(len(mask), 99)}, "legal moves are bet, pass", {}),
    ]:
        with pytest.raises(croupier.CroupierError) as refused:
            env = croupier.VectorEnv(kuhn, 50, seats=seats, **options)
            after(env, 10)
        assert words in str(refused.value), seats


def test_after_a_seat_has_failed_there_is_nothing_but_a_reset(kuhn: croupier.Game) -> None:
    def fails_once(_observation: Bits, mask: Bits, _rng: np.random.Generator) -> npt.NDArray[np.int64]:
        if not failed:
            failed.append(True)
            raise RuntimeError("once")
        return np.argmax(mask, axis=1)

    failed: list[bool] = [True]
    env = croupier.VectorEnv(kuhn, 10, seats={"bob": fails_once})
    failed.clear()
    with pytest.raises(RuntimeError, match="once"):
        env.step(env.sample())
    with pytest.raises(croupier.CroupierError, match="call reset"):
        env.step(env.sample())
    env.reset(1)
    env.step(env.sample())
