"""Searches on public beliefs: equilibria of whole games, what functions of values may do, and values that are learned."""

from __future__ import annotations

import json
from pathlib import Path

import croupier
import numpy as np
import pytest
from croupier import PublicSearch


def test_a_search_that_sees_to_the_end_finds_an_equilibrium() -> None:
    game = croupier.load("kuhn")
    found = croupier.evaluate(game, PublicSearch(game, choices=20, iterations=1000).policy())
    assert found.known == found.met == 12
    assert found.exploitability < 0.01
    # Kuhn (1950): the first player loses a chip in eighteen.
    assert found.values["alice"] == pytest.approx(-1 / 18, abs=0.01)


def test_numbers_of_public_beliefs_have_names_and_ranges_are_shares() -> None:
    game = croupier.load("leduc")
    search = PublicSearch(game, choices=1, iterations=8, seed=3)
    assert search.inputs == len(search.features) + search.outputs
    assert search.outputs == sum(len(names) for names in search.private.values())
    rows, values, weights = search.play()
    assert rows.shape == (len(values), search.inputs) and values.shape == weights.shape == (len(rows), search.outputs)
    first = len(search.features)
    assert set(np.unique(rows[:, :first])) <= {0.0, 1.0}
    for names in search.private.values():
        np.testing.assert_allclose(rows[:, first : first + len(names)].sum(axis=1), 1.0, atol=1e-5)
        first += len(names)
    assert np.all(np.abs(values) <= 1.0) and np.all(values[weights == 0] == 0)
    assert np.all(weights >= 0) and np.all(weights.max(axis=1) == 1)


def test_the_same_seed_plays_the_same_matches_and_goes_on_from_a_position() -> None:
    game = croupier.load("kuhn")
    one, other = (PublicSearch(game, choices=1, iterations=16, seed=5) for _ in range(2))
    for _ in range(3):
        for left, right in zip(one.play(), other.play(), strict=True):
            np.testing.assert_array_equal(left, right)
    later = PublicSearch(game, choices=1, iterations=16, seed=5)
    later.go_to(one.position)
    for left, right in zip(one.play(), later.play(), strict=True):
        np.testing.assert_array_equal(left, right)


def test_what_searches_ask_is_searched_from_as_well() -> None:
    game = croupier.load("kuhn")
    odd = np.random.default_rng(2)
    asked, queries, matches = 0, 6, 20
    search = PublicSearch(game, choices=2, iterations=400, queries=queries, seed=1)
    rows, values, weights = search.play(lambda rows: odd.uniform(-1, 1, (len(rows), search.outputs)), matches=matches)
    # In each match a search from the beginning, which has one leaf: alice passed, and bob bet. What follows from it has none.
    assert len(rows) == (1 + queries) * matches
    names = [name for of_role in search.private.values() for name in of_role]
    cards = [next((rank for rank, card in enumerate(("jack", "queen", "king")) if f"(hole {card})" in name), None) for name in names]
    first, half = len(search.features), search.outputs // 2
    for row, found, weight in zip(rows, values, weights, strict=True):
        if row[search.features.index("(passed alice)")]:
            asked += 1
            for place in np.flatnonzero(weight[:half]):
                # Alice folds and loses one chip of two, or calls and wins or loses two: whatever is better against bob's range.
                others = [(row[first + bob], cards[bob]) for bob in range(half, search.outputs) if cards[bob] not in (None, cards[place])]
                called = sum(share * (1 if cards[place] > card else -1) for share, card in others) / sum(share for share, _ in others)
                assert found[place] == pytest.approx(max(-0.5, called), abs=0.02)
    assert asked == queries * matches


def test_functions_of_values_are_asked_in_batches_and_their_errors_come_through() -> None:
    game = croupier.load("kuhn")
    search = PublicSearch(game, choices=1, iterations=4)
    asked: list[int] = []

    def counted(rows: np.ndarray) -> np.ndarray:
        asked.append(len(rows))
        assert rows.dtype == np.float32 and rows.shape[1] == search.inputs
        return np.zeros((len(rows), search.outputs), np.float32)

    search.policy(counted)
    assert max(asked) == 4, "after alice's choice there are two public states, in the search of each player"

    def broken(rows: np.ndarray) -> np.ndarray:
        raise ZeroDivisionError("mine")

    with pytest.raises(ZeroDivisionError, match="mine"):
        search.play(broken)
    with pytest.raises(croupier.CroupierError, match="shape"):
        search.play(lambda rows: np.zeros((1, 1)))
    for nothing in (np.nan, np.inf):
        with pytest.raises(croupier.CroupierError, match="values must be finite"):
            search.play(lambda rows, nothing=nothing: np.full((len(rows), search.outputs), nothing))
    with pytest.raises(croupier.CroupierError, match="at least 1"):
        PublicSearch(game, choices=0)
    with pytest.raises(croupier.CroupierError, match="as estimated by random descents, but the limit is 20000"):
        PublicSearch(croupier.load("phantom-tic-tac-toe"), histories_max=20_000)


def test_learned_values_are_better_than_none(tmp_path: Path) -> None:
    learn = pytest.importorskip("croupier.learn", reason="croupier.learn needs PyTorch: pip install 'croupier[learn]'")
    settings = learn.RebelSettings(choices=1, iterations=64, hidden=(64,), matches=4, steps=16, rows=128)
    run = learn.Rebel("kuhn", settings, seed=1)
    run.advance(400)
    found = run.exploitability(256)
    assert found["learned"] < 0.5 * found["zero"], found
    assert found["learned"] < 0.5 * found["untrained"], found
    run.save(tmp_path / "run")
    again = learn.Rebel.load(tmp_path / "run")
    for one in (run, again):
        one.advance(4)
    for one, other in ((run.net, again.net), (run.average, again.average)):
        for left, right in zip(one.parameters(), other.parameters(), strict=True):
            assert left.equal(right), "a checkpoint goes on to the bit"


def test_a_tree_that_grows_needs_values_less() -> None:
    game = croupier.load("kuhn")
    exploitable = [
        croupier.evaluate(game, PublicSearch(game, choices=1, iterations=200, growth=growth).policy()).exploitability
        for growth in (0, 2, 1000)
    ]
    assert exploitable[0] > 0.3 > exploitable[1] > exploitable[2] and exploitable[2] < 0.02, exploitable


def test_the_exported_network_says_what_its_numbers_are(tmp_path: Path) -> None:
    learn = pytest.importorskip("croupier.learn", reason="croupier.learn needs PyTorch: pip install 'croupier[learn]'")
    runtime = pytest.importorskip("onnxruntime")
    run = learn.Rebel("kuhn", learn.RebelSettings(choices=1, iterations=8), seed=2)
    run.export(tmp_path / "values.onnx")
    session = runtime.InferenceSession(str(tmp_path / "values.onnx"))
    rows, _, _ = run.search.play()
    (values,) = session.run(["values"], {"beliefs": rows})
    np.testing.assert_allclose(values, run.average.values(rows), atol=1e-5)
    said = json.loads(session.get_modelmeta().custom_metadata_map["croupier"])
    assert said["rules_sha256"] == run.game.sha256 and said["private"] == run.search.private


def test_the_command_learns_values_and_goes_on_from_its_checkpoint(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("croupier.learn", reason="croupier.learn needs PyTorch: pip install 'croupier[learn]'")
    pytest.importorskip("onnx")
    from croupier.learn.__main__ import main

    run, net = str(tmp_path / "run"), str(tmp_path / "values.onnx")
    options = ["kuhn", "--algorithm", "rebel", "--choices", "1", "--iterations", "8", "--hidden", "16", "-o", net, "--checkpoint", run]
    assert main([*options, "--updates", "4"]) == 0
    assert main([*options, "--updates", "8"]) == 0
    told = capsys.readouterr().out
    assert "kuhn after 4 matches" in told and "kuhn after 8 matches" in told
    assert told.count("what was learned: ") == told.count("leaves that are worth nothing: 0.458") == 2
    assert main([*options, "--seed", "1"]) == 1, "a checkpoint of another seed is refused"
    other = list(options)
    other[other.index("rebel")] = "sog"
    other[other.index(run)] = str(tmp_path / "grown")
    assert main([*other, "--updates", "4"]) == 0
    assert "kuhn after 4 matches" in capsys.readouterr().out
    assert main([*other, "--updates", "4", "--growth", "2"]) == 1, "a checkpoint keeps its options"
    assert "with --growth 4" in capsys.readouterr().err
    other[other.index("sog")] = "rebel"
    assert main([*other, "--updates", "4"]) == 1
    assert "a run of another algorithm than rebel" in capsys.readouterr().err


def test_strengths_of_hands_stand_for_private_states_where_histories_are_too_many() -> None:
    game = croupier.load("royal-holdem")
    search = PublicSearch(game, iterations=4, queries=2, boards=3, seed=1)
    assert not search.listed and [len(names) for names in search.private.values()] == [64, 64]
    assert search.symmetries.shape == (24, search.inputs), "four suits can be exchanged"
    assert search.beyond_shares and not PublicSearch(croupier.load("leduc")).beyond_shares
    rows, values, weights = search.play(matches=2)
    ranges = rows[:, search.inputs - search.outputs :].reshape(len(rows), 2, 64)
    np.testing.assert_allclose(ranges.sum(2), 1, atol=1e-4)
    assert np.isfinite(values).all() and ((weights >= 0) & (weights <= 1)).all()
    assert not (values[weights == 0]).any()
    # With five cards on the board hands are compared within the search, though its leaves are worth nothing: who is stronger wins more.
    cards = [place for place, name in enumerate(search.features) if name.startswith("(board ")]
    rivers = rows[:, cards].sum(1) == 5
    first, others = values[rivers][:, :64], weights[rivers][:, :64]
    strong, weak = (np.average(first[:, half], weights=others[:, half]) for half in (slice(32, 64), slice(32)))
    assert rivers.any() and strong > weak + 0.1, (strong, weak)
    with pytest.raises(croupier.CroupierError, match="play matches instead"):
        search.policy()


def test_searches_are_compared_in_matches(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    learn = pytest.importorskip("croupier.learn", reason="croupier.learn needs PyTorch: pip install 'croupier[learn]'")
    pytest.importorskip("onnx")
    from croupier.learn import __main__ as command

    run = learn.Rebel("kuhn", learn.RebelSettings(choices=1, iterations=16, hidden=(16,)), seed=1)
    found = run.compare(deals=3)
    assert set(found) == {"untrained", "zero"} and all(standing.matches == 6 for standing in found.values())
    with pytest.raises(croupier.CroupierError, match="'kuhn' has no leaves 'shares', only learned, untrained, zero"):
        run.export(tmp_path / "kuhn.onnx", "shares")
    assert not (tmp_path / "kuhn.onnx").exists()
    command._COMPARED_DEALS = 1
    options = ["royal-holdem", "--algorithm", "rebel", "--iterations", "2", "--queries", "1", "--boards", "2", "--hidden", "16", "--updates", "1"]
    assert command.main([*options, "-o", str(tmp_path / "royal.onnx")]) == 0
    told = capsys.readouterr().out
    assert "won by the search with it in 2 matches" in told and "leaves that are worth nothing: " in told and "without what hands win" in told
