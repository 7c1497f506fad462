"""Card games that are built: the catalogue's games come out of them, and rules of any other agree with a second account of them in Python."""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Callable, Generator
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import croupier
import pytest
from croupier.cards import Auction, Bet, Bid, Choose, Claim, Closest, Deal, Deck, Showdown, build

Turn = Generator[dict[str, list[str]], dict[str, str], dict[str, Fraction]]
GUIDE = Path(__file__).parents[2] / "docs" / "build-a-game.md"
SEATS = ("alice", "bob", "carol", "dave")


def kuhn() -> croupier.Game:
    return build("Kuhn poker", Deal(hand=1), Bet(1), deck=Deck(["jack", "queen", "king"]))


def leduc(**deck: Any) -> croupier.Game:
    steps = Deal(hand=1), Bet(2, raises=2), Deal(board=1), Bet(4, raises=2)
    return build("Leduc", *steps, deck=Deck("jqk", **deck), wins=Showdown("pair"))


def test_kuhn_is_that_of_the_catalogue(command: Callable[..., str], tmp_path: Path) -> None:
    game = kuhn()
    game.save(tmp_path / "built")
    assert croupier.load_file(tmp_path / "built" / "rules.gdl").rules == game.rules
    counts = [command("show", built, "--counts").splitlines()[-4:] for built in ("kuhn", tmp_path / "built")]
    assert counts[0] == counts[1]
    assert croupier.solve(game, iterations=3000).values["alice"] == pytest.approx(-1 / 18, abs=1e-4)
    assert game.payoff_scale == croupier.load("kuhn").payoff_scale


def test_leduc_is_that_of_the_catalogue() -> None:
    built, known = (croupier.solve(game, iterations=300) for game in (leduc(suits="sh"), croupier.load("leduc")))
    assert len(built.policy) == len(known.policy) == 936
    assert built.values["alice"] == pytest.approx(known.values["alice"], abs=1e-9)
    assert built.exploitability == pytest.approx(known.exploitability, abs=1e-9)


def test_copies_are_not_told_apart() -> None:
    solved = croupier.solve(leduc(copies=2), iterations=1000)
    assert len(solved.policy) == 288
    assert solved.values["alice"] == pytest.approx(-0.085606, abs=2e-3)


def test_kuhn_for_three_has_the_tree_of_the_catalogue() -> None:
    built = build("Kuhn for three", Deal(1), Bet(1), deck=Deck(["jack", "queen", "king", "ace"]), players=3)
    assert len(croupier.information_sets(built)) == len(croupier.information_sets(croupier.load("kuhn-3")))


def test_claims_are_liars_dice(command: Callable[..., str], tmp_path: Path) -> None:
    command("new", tmp_path / "dice", "--from", "liars-dice", "--faces", 4)
    known = croupier.load_file(tmp_path / "dice" / "rules.gdl")
    built = build("Dice", Deal(1), Claim(wild=4), deck=Deck(4, returned=True))
    one, other = (croupier.solve(game, iterations=100) for game in (known, built))
    assert len(one.policy) == len(other.policy) == 512
    assert one.values["alice"] == pytest.approx(other.values["alice"], abs=1e-9)
    assert one.exploitability == pytest.approx(other.exploitability, abs=1e-9)


@pytest.mark.parametrize("line", re.findall(r"`(build\(.*\))` \|$", GUIDE.read_text(encoding="utf-8"), re.MULTILINE))
def test_games_of_the_guide_are_games(line: str) -> None:
    game = eval(line)
    assert game.warnings == [] and croupier.information_sets(game)


def test_the_guide_has_games() -> None:
    assert GUIDE.read_text(encoding="utf-8").count("| `build(") == 6


def told(steps: tuple[Any, ...], deck: Deck, seats: tuple[str, ...], ante: int, wins: Any) -> Turn:
    """The game once more, in Python: yields who may do what, is sent what they do, and returns payoffs."""
    hands: dict[str, list[str]] = {seat: [] for seat in seats}
    board: list[str] = []
    paid, chosen, bidder = dict.fromkeys(seats, ante), dict.fromkeys(seats, 0), ""
    inside = list(seats)
    for step in steps:
        if isinstance(step, Deal):
            for seat in [seat for seat in seats for _ in range(step.hand)] + [""] * step.board:
                out = {card for hand in [*hands.values(), board] for card in hand if not deck.returned}
                free = [f"(deal {card.name})" for card in deck.cards if card.name not in out]
                dealt = (yield {"random": free} if seat in ("", *inside) else {})
                if dealt:
                    (hands[seat] if seat else board).append(dealt["random"][6:-1])
        elif isinstance(step, Bet):
            waiting, raises = list(inside), 0
            while waiting and len(inside) > 1:
                seat = waiting.pop(0)
                owes = paid[seat] < max(paid.values())
                moves = (["call", "fold"] if owes else ["check"]) + ["raise"] * (raises < step.raises)
                move = (yield {seat: moves})[seat]
                if move == "fold":
                    inside.remove(seat)
                elif move == "call":
                    paid[seat] = max(paid.values())
                elif move == "raise":
                    paid[seat], raises = max(paid.values()) + step.size, raises + 1
                    place = inside.index(seat)
                    waiting = inside[place + 1 :] + inside[:place]
        elif isinstance(step, Choose):
            moves = yield {seat: [f"(choose {number})" for number in step.numbers] for seat in inside}
            chosen |= {seat: int(move[8:-1]) for seat, move in moves.items()}
        elif isinstance(step, Bid):
            waiting, highest = list(seats), -1
            while waiting:
                seat = waiting.pop(0)
                bids = [f"(bid {number})" for number in step.numbers if number > highest]
                move = (yield {seat: ["pass", *bids]})[seat]
                if move == "pass":
                    inside.remove(seat)
                else:
                    highest, bidder = int(move[5:-1]), seat
                    place = inside.index(seat)
                    waiting = inside[place + 1 :] + inside[:place]
            chosen = {bidder: highest}
        else:
            return (yield from doubted(step, deck, hands, seats))
        if len(inside) == 1 and not isinstance(step, Bid):
            break
    if isinstance(wins, Auction):
        return auctioned(wins, {seat: summed(deck, hands[seat]) for seat in seats}, chosen, bidder)
    target = summed(deck, board if wins == Closest("board") else [card for hand in hands.values() for card in hand])
    scores = {seat: (0, -abs(chosen[seat] - target)) for seat in inside}
    if isinstance(wins, Showdown):
        scores = {seat: score(wins.best, deck, hands[seat], board) for seat in inside} if len(inside) > 1 else dict.fromkeys(inside, (0, 0))
    best = [seat for seat in inside if scores[seat] == max(scores.values())]
    share = Fraction(sum(paid.values()), len(best))
    return {seat: share * (seat in best) - paid[seat] for seat in seats}


def ranks(deck: Deck, cards: list[str]) -> list[str]:
    return [next(card.rank for card in deck.cards if card.name == name) for name in cards]


def summed(deck: Deck, cards: list[str]) -> int:
    return sum(deck.values[rank] for rank in ranks(deck, cards))


def score(best: str, deck: Deck, hand: list[str], board: list[str]) -> tuple[int, int]:
    places = [deck.ranks.index(rank) for rank in ranks(deck, hand)]
    if best == "total":
        return 0, summed(deck, hand)
    if best == "low":
        return 0, -min(places)
    counts = Counter(ranks(deck, [*hand, *board]))
    pairs = [place for place in places if counts[deck.ranks[place]] > 1]
    return (1, max(pairs)) if pairs and best == "pair" else (0, max(places))


def auctioned(wins: Auction, worth: dict[str, int], chosen: dict[str, int], bidder: str) -> dict[str, Fraction]:
    if "" in chosen:
        return dict.fromkeys(worth, Fraction(0))
    highest = max(chosen.values())
    buyers = [bidder] if bidder else [seat for seat in worth if chosen[seat] == highest]
    found = {}
    for seat in worth:
        value = sum(worth.values()) if wins.prize == "hands" else worth[seat]
        price = highest
        if wins.price == "second":
            price = max(number for other, number in chosen.items() if other != buyers[0])
        won = Fraction(value - (0 if wins.price == "all" else price), len(buyers)) if seat in buyers else Fraction(0)
        found[seat] = won - (chosen[seat] if wins.price == "all" else 0)
    return found


def doubted(step: Claim, deck: Deck, hands: dict[str, list[str]], seats: tuple[str, ...]) -> Turn:
    shown = Counter(ranks(deck, [card for hand in hands.values() for card in hand]))
    wild = str(step.wild)
    cards = sum(shown.values())
    most = cards if deck.returned else min(cards, deck.of_a_rank * (1 if step.wild is None else 2))
    claims = [(count, rank) for count in range(1, most + 1) for rank in deck.ranks]
    turn, last = 0, -1
    while True:
        seat = seats[turn % len(seats)]
        higher = {f"(claim {count} {rank})": place for place, (count, rank) in enumerate(claims) if place > last}
        move = (yield {seat: [*higher, *(["liar"] if last >= 0 else [])]})[seat]
        if move == "liar":
            break
        turn, last = turn + 1, higher[move]
    count, rank = claims[last]
    true = shown[rank] + (shown[wild] if rank != wild else 0) >= count
    claimer, doubter = seats[(turn - 1) % len(seats)], seats[turn % len(seats)]
    return {**dict.fromkeys(seats, Fraction(0)), claimer: Fraction(step.stake if true else -step.stake), doubter: Fraction(-step.stake if true else step.stake)}


def drawn(draws: Random) -> dict[str, Any]:
    """Arguments of `build`, of all kinds; not all of them fit together."""

    def of(*choices: Any) -> Any:
        return draws.choice(choices)

    deck = Deck(
        of(2, 3, 4, 6, "jqk", [2, 3, 5], ["low", "high"]),
        suits=of("", "sh", "shdc", ["red", "black"]),
        copies=of(1, 1, 2),
        returned=draws.random() < 0.15,
    )
    deal, board = Deal(of(1, 1, 2), of(0, 0, 1)), Deal(board=1)
    choose = Choose(of(2, 4, [0, 2], [1, 3, 5]))
    bet = Bet(of(1, 2, 3), of(1, 2, 3))
    steps, wins = of(
        ((deal, bet), Showdown(of("high", "low", "pair", "total"))),
        ((deal, bet, of(deal, board, choose), Bet(2)), Showdown(of("high", "low", "pair", "total"))),
        ((bet, deal, bet), Showdown(of("high", "total"))),
        ((choose, deal, Bet(1, 2), deal, bet), Showdown("pair")),
        ((choose, board), Closest("board")),
        ((deal, choose, of(bet, board)), Closest(of("hands", "board"))),
        ((deal, choose), Auction(of("first", "second", "all"), of("hand", "hands"))),
        ((deal, Bid(of(3, [1, 4, 6]))), Auction("first", of("hand", "hands"))),
        ((deal, Claim(of(1, 2), of(None, 2))), None),
    )
    return {"steps": steps, "deck": deck, "players": of(2, 2, 3, 4), "wins": wins}


@pytest.mark.parametrize("seed", range(int(os.environ.get("CROUPIER_PROGRAMS", "48"))))
def test_rules_are_the_game_that_was_meant(seed: int, command: Callable[..., str], tmp_path: Path) -> None:
    draws = Random(seed)
    while True:
        parts = drawn(draws)
        try:
            game = build("game", *parts["steps"], **{key: parts[key] for key in ("deck", "players", "wins")})
            break
        except croupier.ArgumentError:
            continue
    assert game.warnings == []
    assert game.payoff_scale is not None
    _, offset, scale = game.payoff_scale
    seats = SEATS[: parts["players"]]
    for _ in range(6):
        state = croupier.State(game)
        reference = told(parts["steps"], parts["deck"], seats, 1, parts["wins"])
        asked = next(reference)
        while True:
            choices = {role: asked.get(role, ["noop"]) for role in (*seats, "random")}
            assert {role: sorted(state.legal(role)) for role in choices} == {role: sorted(moves) for role, moves in choices.items()}
            moves = {role: draws.choice(moves) for role, moves in choices.items()}
            state = state.step(moves)
            try:
                asked = reference.send({role: move for role, move in moves.items() if role in asked})
            except StopIteration as end:
                expected = end.value
                break
            assert not state.is_over
        assert state.is_over and state.goals is not None
        assert state.goals == {role: offset + scale * payoff for role, payoff in expected.items()}
        assert isinstance(parts["wins"], Auction) or sum(expected.values()) == 0
    if seed % 8 == 0:
        game.save(tmp_path)
        checked = json.loads(command("check", tmp_path, "--strict", "--playouts", 10, "--json"))
        assert {found["code"] for found in checked["diagnostics"]} <= {"never-fired"}


@pytest.mark.parametrize(
    "make",
    [
        kuhn,
        lambda: build("Auction", Deal(1), Choose(3), deck=Deck(4), wins=Auction("second")),
        lambda: build("Dice for three", Deal(1), Claim(), deck=Deck(2, returned=True), players=3),
        lambda: build("Guess", Deal(1), Choose([2, 4, 6]), Bet(1), deck=Deck(4), wins=Closest("hands")),
        lambda: build("Outcry", Deal(1), Bid(3), deck=Deck(3), players=3, wins=Auction("first", "hands")),
    ],
)
def test_small_games_are_proved_well_formed(
    make: Callable[[], croupier.Game], command: Callable[..., str], tmp_path: Path
) -> None:
    make().save(tmp_path)
    assert "no errors, no warnings" in command("check", tmp_path, "--strict")
    assert "1 proved, 0 refuted" in command("analyze", tmp_path, "--question", "well-formed")


def test_words_are_those_of_a_game() -> None:
    rules = kuhn().rules
    assert croupier.load_text(rules, "mine", 'title = "Mine"\nsummary = "A game."').title == "Mine"
    with pytest.raises(croupier.CroupierError, match="the facts beside the rules are refused"):
        croupier.load_text(rules, facts="title =")


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: build("game", Bet(1), deck=Deck(3)), "no card is dealt"),
        (lambda: build("game", Deal(1), deck=Deck(3)), "nobody has a choice"),
        (lambda: build("game", Deal(1), Bet(1), deck=Deck(3), players=4), "4 cards are dealt, and the deck has 3"),
        (lambda: build("game", Deal(1), Bet(1), deck=Deck(3), players=5), "players must be from 2 to 4"),
        (lambda: build("game", Deal(1), Bet(1), Deal(1), deck=Deck(6)), "nothing comes of it"),
        (lambda: build("game", Deal(1), Claim(), Bet(1), deck=Deck(6)), "Claim ends the game, and is step 2 of 3"),
        (lambda: build("game", Deal(1), Bid(3), deck=Deck(6)), 'say what'),
        (lambda: build("game", Deal(1), Bet(1), deck=Deck(6), wins=Auction()), "leave out Bet"),
        (lambda: build("game", Deal(1), Bid(3), deck=Deck(6), wins=Auction("second")), "use Auction"),
        (lambda: build("game", Deal(1), Claim(), deck=Deck(6), ante=1), "leave out ante"),
        (lambda: build("game", Deal(1), Claim(wild=9), deck=Deck(6)), "the wild rank 9 is none of the deck"),
        (lambda: build("game", Deal(1), Bet(1), deck=Deck(6), wins=Showdown("pair")), "nobody can have a pair"),
        (lambda: build("game", Deal(1), Bet(50, raises=3), deck=Deck(6)), "payoffs go from -151 to 151 chips"),
        (lambda: Deck(["king", "king"]), "ranks must differ"),
        (lambda: Deck([5, 3]), "from the lowest to the highest"),
        (lambda: Deck(["Ace of spades", 3]), "words of letters and digits"),
        (lambda: Deal(), "deals nothing"),
        (lambda: Choose(range(5, 6)), "two numbers or more"),
        (lambda: Bet(0), "Bet.size. must be a whole number from 1 to 50, and is 0"),
        (lambda: Showdown("highest"), "must be 'high' or 'low'"),  # type: ignore[arg-type]
    ],
)
def test_what_is_no_game_says_what_to_change(make: Callable[[], object], message: str) -> None:
    with pytest.raises(croupier.ArgumentError, match=message) as caught:
        make()
    assert isinstance(caught.value, ValueError)
