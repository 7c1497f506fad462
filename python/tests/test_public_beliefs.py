"""Public beliefs: what everybody knows of a match, against the beliefs of single players."""

from __future__ import annotations

import copy
import pickle
import random
from collections.abc import Iterator
from functools import cache

import croupier
import numpy as np
import pytest
from croupier import Belief, Game, Match, Policy, PublicBelief

# Games, and the turns of a match after which public beliefs are looked at.
GAMES = [("kuhn", 3), ("leduc", 5), ("liars-dice", 4), ("goofspiel-4", 2), ("tiny-hanabi", 3), ("monty-hall", 2), ("kuhn-3", 4)]


@cache
def information_sets(game: Game) -> list[tuple[croupier.View, list[str]]]:
    return croupier.information_sets(game)


def drawn_policy(game: Game, seed: int) -> Policy:
    """Any probabilities of moves in each information set."""
    drawn = random.Random(seed)
    entries = {}
    for view, moves in information_sets(game):
        weights = [drawn.random() + 0.01 for _ in moves]
        entries[view] = {move: weight / sum(weights) for move, weight in zip(moves, weights, strict=True)}
    return Policy.from_dict(entries)


def played(game: Game, turns: int, seed: int) -> Match:
    """A match after some random turns."""
    match, drawn = Match(game, seed=seed), random.Random(seed)
    for _ in range(turns):
        if not match.is_over:
            match.step({role: drawn.choice(match.legal(role)) for role in match.acting})
    return match


def marginals(public: PublicBelief, place: int, own: int) -> dict[str, float]:
    """How likely each fact is for a player that has one of its private states."""
    private, probabilities = public.joint()
    kept = private[:, place] == own
    weights = np.where(kept, probabilities, 0.0) / probabilities[kept].sum()
    found: dict[str, float] = {}
    for facts, weight in zip(public.states(), weights, strict=True):
        for fact in facts:
            found[fact] = found.get(fact, 0.0) + float(weight)
    return {fact: share for fact, share in found.items() if share > 0}


def matches() -> Iterator[tuple[Game, Policy, PublicBelief]]:
    for name, turns in GAMES:
        game = croupier.load(name)
        for seed in range(2):
            policy = drawn_policy(game, seed)
            yield game, policy, PublicBelief(game, policy).of(played(game, turns, seed))


def test_a_player_believes_what_the_public_belief_says_of_its_private_state() -> None:
    for game, policy, public in matches():
        assert public.exact and public.effective_particles is None
        for place, role in enumerate(game.roles):
            for own, view in enumerate(public.views(role)):
                belief = Belief(game, role, view, policy, method="exact").marginals()
                found = marginals(public, place, own)
                assert found.keys() == belief.keys(), (game.name, view.text)
                for fact, share in belief.items():
                    assert found[fact] == pytest.approx(share, abs=1e-9), (game.name, view.text, fact)


def test_shares_are_the_marginals_of_the_joint_probabilities() -> None:
    for game, _, public in matches():
        private, probabilities = public.joint()
        assert private.shape == (public.histories, len(game.roles)) and probabilities.sum() == pytest.approx(1)
        for place, role in enumerate(game.roles):
            shares, count = public.probabilities(role), len(public.private[role])
            np.testing.assert_allclose(shares, np.bincount(private[:, place], probabilities, count), atol=1e-12)
            assert public.range(role).shape == (count,) and public.range(role).max() == 1.0
            assert [view.text for view in public.views(role)] == public.private[role]
            assert len(public.moves(role)) == count


def test_ranges_are_the_players_own_moves() -> None:
    game = croupier.load("kuhn")
    policy = drawn_policy(game, 11)
    public = PublicBelief(game, policy, [[], [], ["(did alice bet)"]])
    bets = []
    for view in public.views("alice"):
        before = croupier.View(game, "alice", view.turns[:-1])
        # A policy that beliefs assume is mixed with a tenth of uniform play.
        bets.append(0.9 * policy[before]["bet"] + 0.1 * 0.5)
    np.testing.assert_allclose(public.range("alice"), np.array(bets) / max(bets))
    np.testing.assert_array_equal(public.range("bob"), 1.0)


def test_turns_are_added_one_by_one_and_what_can_follow_is_told() -> None:
    game = croupier.load("leduc")
    match = played(game, 6, 4)
    public, whole = PublicBelief(game), PublicBelief(game).of(match)
    for told in whole.told:
        assert told in public.outcomes()
        public = public.advance(told)
    assert public.told == whole.told and len(public) == 6
    for role in game.roles:
        assert public.private[role] == whole.private[role]
        np.testing.assert_allclose(public.probabilities(role), whole.probabilities(role))
    # A public belief goes on in more than one way.
    start = PublicBelief(game).advance([]).advance([])
    one, other = start.advance(["(did alice check)"]), start.advance(["(did alice raise)"])
    assert one.told != other.told and len(one) == len(other) == 3
    with pytest.raises(croupier.CroupierError, match="no match can lead"):
        start.advance(["(did bob bet)"])


def test_it_is_of_a_match_of_any_view_and_of_a_record_and_tells_no_secret() -> None:
    game = croupier.load("leduc")
    match = played(game, 4, 8)
    public = PublicBelief(game)
    of_match = public.of(match)
    for source in (match.view("alice"), match.view("bob"), match.record()):
        assert public.of(source).told == of_match.told
    assert public.of(match, 2).told == of_match.told[:2]
    with pytest.raises(croupier.CroupierError, match="there are 4 turns"):
        public.of(match, 5)
    with pytest.raises(croupier.RecordError):
        public.of("no record")
    with pytest.raises(croupier.CroupierError, match="rules differ"):
        public.of(Match(croupier.load("kuhn"), seed=1))
    with pytest.raises(TypeError):
        public.of(3)  # type: ignore[arg-type]


def test_samples_say_that_they_are_and_come_near_the_exact_belief() -> None:
    game = croupier.load("phantom-tic-tac-toe")
    match = played(game, 4, 3)
    exact = PublicBelief(game, method="exact").of(match)
    sampled = PublicBelief(game, method="particle", particles=2000, seed=5).of(match)
    assert exact.exact and not sampled.exact
    assert sampled.effective_particles is not None and 0 < sampled.effective_particles <= 2000.001
    for role in game.roles:
        shares = dict(zip(exact.private[role], exact.probabilities(role), strict=True))
        found = dict(zip(sampled.private[role], sampled.probabilities(role), strict=True))
        assert found.keys() <= shares.keys()
        assert sum(abs(share - found.get(key, 0.0)) for key, share in shares.items()) / 2 < 0.2
    with pytest.raises(croupier.CroupierError, match="sample"):
        sampled.outcomes()
    again = PublicBelief(game, method="particle", particles=2000, seed=5).of(match)
    np.testing.assert_array_equal(again.probabilities("x"), sampled.probabilities("x"))


def test_what_does_not_fit_is_refused_with_its_count_or_sampled() -> None:
    game = croupier.load("holdem")
    told: list[list[str]] = [[] for _ in range(4)]
    with pytest.raises(croupier.CroupierError, match="more than 500000 histories"):
        PublicBelief(game, None, told, method="exact")
    public = PublicBelief(game, None, told, particles=300)
    assert not public.exact and public.histories <= 300
    assert public.probabilities("alice").sum() == pytest.approx(1)
    with pytest.raises(croupier.CroupierError, match="particles must be"):
        PublicBelief(game, particles=0)
    with pytest.raises(croupier.CroupierError, match="the method must be"):
        PublicBelief(game, method="all")  # type: ignore[arg-type]
    with pytest.raises(croupier.RoleError):
        public.range("carol")


def test_copies_and_pickles_are_the_same() -> None:
    game = croupier.load("kuhn")
    public = PublicBelief(game, drawn_policy(game, 2)).advance([]).advance([])
    assert copy.copy(public) is public and copy.deepcopy(public) is public
    other = pickle.loads(pickle.dumps(public))
    assert other.told == public.told and repr(other) == repr(public)
    np.testing.assert_array_equal(other.range("alice"), public.range("alice"))
    assert "6 histories" in repr(public) and "private state" in public._repr_html_()
