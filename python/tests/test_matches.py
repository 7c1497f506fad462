"""Matches: played to the end, verified, repeated, copied and pickled."""

from __future__ import annotations

import copy
import pickle

import croupier
import pytest
from conftest import play


@pytest.mark.parametrize("name", ["kuhn", "leduc", "liars-dice", "phantom-tic-tac-toe", "tic-tac-toe", "monty-hall"])
def test_a_match_is_played_to_its_end_and_its_record_verifies(name, command_or_none, tmp_path):
    match = play(croupier.Match(croupier.load(name), seed=7))
    assert match.outcome == "terminal" and match.error is None
    assert match.acting == [] and all(match.legal(role) == [] for role in match.game.roles)
    assert set(match.goals) == set(match.game.roles) == set(match.payoffs)
    croupier.verify(match.record())
    match.save(tmp_path / "match.jsonl")
    assert (tmp_path / "match.jsonl").read_text() == match.record()
    if command_or_none:
        assert "OK" in command_or_none("replay", tmp_path / "match.jsonl", "--verify")


@pytest.fixture
def command_or_none(request):
    try:
        return request.getfixturevalue("command")
    except pytest.skip.Exception:
        return None


def test_poker_is_zero_sum_in_the_unit_of_the_literature(kuhn, leduc):
    for game in (kuhn, leduc):
        assert game.unit == "chips"
        for seed in range(20):
            assert sum(play(croupier.Match(game, seed=seed), seed).payoffs.values()) == 0


def test_the_same_seed_gives_the_same_record(leduc):
    records = [play(croupier.Match(leduc, seed=seed)).record() for seed in (7, 7, "7", 8)]
    assert records[0] == records[1] == records[2] != records[3]
    digits = "07" + 62 * "0"
    assert play(croupier.Match(leduc, seed=digits)).record() == records[0]
    drawn = [play(croupier.Match(leduc)) for _ in range(2)]
    assert drawn[0].seed != drawn[1].seed


def test_agents_play_the_match_that_the_command_line_plays(leduc, command, tmp_path):
    path = tmp_path / "series.jsonl"
    seats = {"alice": "random", "bob": "ismcts:iterations=50"}
    options = [part for role, agent in seats.items() for part in ("--seat", f"{role}={agent}")]
    command("play", "leduc", *options, "--seed", 7, "--record", path)
    match = croupier.Match(leduc, seed=7)
    agents = {role: croupier.Agent(agent, leduc, role, seed=7) for role, agent in seats.items()}
    while not match.is_over:
        match.step({role: agents[role].choose(match.view(role)) for role in match.acting})

    def turns(record: str) -> list[str]:
        lines = (line for line in record.splitlines() if '"event":"turn"' in line)
        return [line.split('"prev"')[0] for line in lines]

    assert turns(match.record()) == turns(path.read_text()) != []


def test_the_seed_is_told_only_at_the_end(leduc):
    match = croupier.Match(leduc, seed=12345)
    secret = f"{12345:08x}"
    digits = (12345).to_bytes(32, "little").hex()
    assert match.seed is None
    for told in (repr(match), str(match), match.match_id, match.record()):
        assert digits not in told and secret not in told and "12345" not in told
    play(match)
    assert match.seed == digits and digits in match.record()


def test_a_player_with_one_legal_move_may_be_left_out(leduc):
    match = croupier.Match(leduc, seed=7)
    assert match.acting == [] and match.legal("alice") == ["noop"]
    match.step()
    match.step({"alice": " NOOP ", "BOB": "(noop)"})
    assert (match.turn, match.acting) == (2, ["alice"])
    assert match.goals is None and match.payoffs is None and match.outcome is None


@pytest.mark.parametrize("name", ["leduc", "phantom-tic-tac-toe"])
@pytest.mark.parametrize("how", [copy.copy, copy.deepcopy, lambda match: pickle.loads(pickle.dumps(match))])
def test_a_copy_in_the_middle_goes_on_as_the_match_does(name, how):
    whole = play(croupier.Match(croupier.load(name), seed=3, players={}), 5)
    for cut in range(whole.turn + 1):
        match = croupier.Match(croupier.load(name), seed=3)
        while match.turn < cut:
            match.step({role: match.legal(role)[-1] for role in match.acting})
        other = how(match)
        assert other.record() == match.record() and other.turn == match.turn
        assert [other.view(role) for role in other.game.roles] == [match.view(role) for role in match.game.roles]
        if not match.is_over:
            match.step({role: match.legal(role)[0] for role in match.acting})
            # What happens in one is not seen in the other.
            assert other.turn == cut
            other.step({role: other.legal(role)[0] for role in other.acting})
        assert play(other, 9).record() == play(match, 9).record()
        croupier.verify(other.record())


def test_players_have_names_in_the_record(kuhn):
    match = play(croupier.Match(kuhn, seed=1, players={"alice": "Ada", "BOB": 'a "b"'}))
    genesis = match.record().splitlines()[0]
    assert '"alice":"Ada"' in genesis and r"a \"b\"" in genesis
    with pytest.raises(croupier.RoleError):
        croupier.Match(kuhn, players={"carol": "x"})


def test_games_are_values(kuhn, leduc):
    assert kuhn == croupier.load("kuhn") != leduc
    assert len({kuhn, croupier.load("kuhn"), leduc}) == 2
    for other in (copy.copy(kuhn), copy.deepcopy(kuhn), pickle.loads(pickle.dumps(kuhn))):
        assert other == kuhn and other.unit == "chips" and other.title == "Kuhn poker"
    own = croupier.load_text(kuhn.rules, name="mine")
    assert own != kuhn and own.unit == "goals" and pickle.loads(pickle.dumps(own)) == own
    assert own.sha256 == kuhn.sha256


def test_rules_are_read_from_files_with_their_facts(kuhn, tmp_path):
    path = tmp_path / "rules.gdl"
    path.write_text(kuhn.rules)
    assert croupier.load_file(path).unit == "goals"
    (tmp_path / "game.toml").write_text(
        "title = 'Mine'\nsummary = 'S'\n[payoff]\nunit = 'coins'\noffset = 50\nscale = 25\n"
    )
    game = croupier.load_file(str(path))
    assert (game.name, game.title, game.unit) == (tmp_path.name, "Mine", "coins")
    (tmp_path / "game.toml").write_text("nonsense")
    with pytest.raises(croupier.CroupierError, match="facts"):
        croupier.load_file(path)
    with pytest.raises(FileNotFoundError, match="none.gdl"):
        croupier.load_file(tmp_path / "none.gdl")


def test_the_catalogue_is_listed():
    names = croupier.games()
    assert names == sorted(names) and {"kuhn", "leduc", "holdem"} <= set(names)


def played_record(game, seed):
    match = croupier.Match(game, seed=seed)
    while not match.is_over:
        match.step({role: match.legal(role)[0] for role in match.acting})
    return match.record()


def test_whole_matches_before_a_torn_line_are_verified_and_the_tear_is_named(leduc):
    whole = "".join(played_record(leduc, seed) for seed in (1, 2))
    line, torn = whole.count("\n") + 1, whole + played_record(leduc, 3)[:143]
    agrees = f"line {line} is torn: 143 bytes stand behind the last whole match; the 2 whole matches agree"
    with pytest.raises(croupier.RecordError, match=agrees):
        croupier.verify(torn)
    # A match that differs is worse than a torn line behind it.
    with pytest.raises(croupier.RecordError, match="match 1 differs"):
        croupier.verify(torn.replace('"check"', '"raise"', 1))


def test_an_unfinished_or_altered_record_does_not_verify(leduc):
    match = croupier.Match(leduc, seed=7)
    match.step()
    with pytest.raises(croupier.RecordError, match="incomplete"):
        croupier.verify(match.record())
    while not match.is_over:
        match.step({role: match.legal(role)[0] for role in match.acting})
    record = match.record()
    assert '"check"' in record
    with pytest.raises(croupier.RecordError):
        croupier.verify(record.replace('"check"', '"raise"'))
    for text in ("", "nonsense", "{}\n", record + "x"):
        with pytest.raises(croupier.RecordError):
            croupier.verify(text)
