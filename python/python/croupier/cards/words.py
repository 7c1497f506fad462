"""How the terms of a card game read: its `game.toml`."""

from __future__ import annotations

import json

from .design import Design
from .parts import Bid, Choose, Claim, Showdown
from .payoffs import Payoffs
from .saying import summary

_SUITS = {"s": "♠", "h": "♥", "d": "♦", "c": "♣", "spades": "♠", "hearts": "♥", "diamonds": "♦", "clubs": "♣"}
_RANKS = {"a": "A", "ace": "A", "k": "K", "king": "K", "q": "Q", "queen": "Q", "j": "J", "jack": "J", "t": "10", "ten": "10"}


def words_of(design: Design, payoffs: Payoffs) -> str:
    """The text of the `game.toml`."""
    sections: dict[str, dict[str, str | int]] = {
        "payoff": {"unit": "chips", "offset": payoffs.offset, "scale": payoffs.scale},
        "symbols": _symbols(design),
        "moves": _moves(design),
        "percepts": _percepts(design),
        "values": {"(pot ?chips)": "sum ?n in (paid ?player ?n)"} if design.bets else {},
        "table": _table(design),
        "scene": _scene(design),
        "results": _results(design),
    }
    lines = [
        f"title = {_quoted(design.name)}",
        f"summary = {_quoted(summary(design))}",
        f"tags = {json.dumps(['cards', 'chance', 'hidden information'])}",
    ]
    for name, entries in sections.items():
        if entries:
            lines += ["", f"[{name}]", *(f"{_key(key)} = {_quoted(value)}" for key, value in entries.items())]
    return "\n".join([*lines, *_columns(design)]) + "\n"


def _quoted(value: str | int) -> str:
    return json.dumps(value, ensure_ascii=False)


def _key(name: str) -> str:
    return name if name.replace("_", "").isalnum() else _quoted(name)


def _symbols(design: Design) -> dict[str, str | int]:
    deck = design.deck
    names: dict[str, str | int] = {}
    for card in reversed(deck.cards):
        suit = card.face[len(card.rank) :].strip("_") if deck.suits else ""
        rank = _RANKS.get(card.rank, card.rank) if suit in _SUITS else card.rank
        said = f"{rank}{_SUITS[suit]}" if suit in _SUITS else f"{rank} {suit}".strip() if suit else card.rank
        names[card.name] = said
        names[card.face] = said
    if isinstance(design.ending, Claim):
        names |= {rank: rank for rank in deck.ranks if rank not in names}
    return {**names, **{player: player.capitalize() for player in design.players}, "random": "the dealer"}


def _moves(design: Design) -> dict[str, str | int]:
    found: dict[str, str | int] = {"(deal ?card)": "deal {card}"}
    if design.bets:
        found |= {move: move for move in ("fold", "check", "call", "raise")}
    if any(isinstance(step, Choose) for step in design.steps):
        found["(choose ?number)"] = "choose {number}"
    if isinstance(design.steps[-1], Bid):
        found |= {"(bid ?number)": "bid {number}", "pass": "pass"}
    if isinstance(design.ending, Claim):
        found |= {"(claim ?count ?rank)": "claim {count} × {rank}", "liar": "call liar"}
    return {**found, "noop": "wait"}


def _percepts(design: Design) -> dict[str, str | int]:
    found: dict[str, str | int] = {}
    if design.hand:
        found |= {"(hole ?card)": "you are dealt {card}", "(dealt ?player)": "{player} is dealt a card face down"}
    if design.board:
        found["(board ?card)"] = "{card} is turned up"
    if design.bets:
        found |= {f"(did ?player {move})": f"{{player}} {move}s" for move in ("fold", "check", "call", "raise")}
    if any(isinstance(step, Choose) for step in design.steps):
        found["(did ?player (choose ?number))"] = "{player} has chosen {number}"
    if isinstance(design.steps[-1], Bid):
        found |= {"(did ?player (bid ?number))": "{player} bids {number}", "(did ?player pass)": "{player} passes"}
    if isinstance(design.ending, Claim):
        found["(did ?player (claim ?count ?rank))"] = "{player} claims {count} × {rank}"
        found["(did ?player liar)"] = "{player} calls liar"
    if design.hand:
        found["(shows ?player ?card)"] = "{player} shows {card}"
    return found


def _table(design: Design) -> dict[str, str | int]:
    found: dict[str, str | int] = {}
    if design.hand:
        found["(hand ?player ?card)"] = "{player} holds {card*}"
    if design.board:
        found["(board ?card)"] = "board {card*}"
    if design.bets:
        found |= {"(pot ?chips)": "pot {chips}", "(raises 0)": "", "(raises 1)": "1 raise this round"}
        if max(bet.raises for bet in design.bets) > 1:
            found["(raises ?count)"] = "{count} raises this round"
        found["(folded ?player)"] = "{player} has folded"
    if design.choices_matter:
        found["(chosen ?player ?number)"] = "{player} has chosen {number}"
    if isinstance(design.steps[-1], Bid):
        found |= {"(bid ?number)": "the last bid: {number}", "(bidder ?player)": "{player} has made it"}
        found["(passed ?player)"] = "{player} has passed"
    if isinstance(design.ending, Claim):
        found |= {"(claimed ?count ?rank)": "the last claim: {count} × {rank}", "(claimer ?player)": "{player} has made it"}
        found["(doubter ?player)"] = "{player} has called liar"
    return found


def _scene(design: Design) -> dict[str, str | int]:
    found: dict[str, str | int] = {}
    if design.bets:
        found |= {"(pot ?chips)": "chips ?chips in pot", "(paid ?player ?chips)": "chips ?chips in bet of ?player"}
        found["(folded ?player)"] = "out of ?player"
    if isinstance(design.steps[-1], Bid):
        found["(passed ?player)"] = "out of ?player"
    if design.hand:
        found["(hand ?player ?card)"] = "card ?card in hand of ?player"
    if design.board:
        found["(board ?card)"] = "card ?card in board"
    return found


def _results(design: Design) -> dict[str, str | int]:
    found: dict[str, str | int] = {"(folded ?player)": "by folding"} if design.bets else {}
    if isinstance(design.ending, Showdown):
        found["(hand ?player ?card) if (stage over)"] = "with {card}" if design.hand == 1 else "with {card*}"
    return found


def _columns(design: Design) -> list[str]:
    columns: list[tuple[str, str, dict[str, str]]] = []
    if design.bets:
        columns.append(("in the pot", "", {"(paid ?player ?chips)": "{chips}"}))
    if design.hand:
        columns.append(("cards" if design.hand > 1 else "card", " ".join("?" * design.hand), {"(hand ?player ?card)": "{card*}"}))
    if design.bets:
        columns.append(("", "", {"(to_act ?player)": "to act", "(folded ?player)": "folded"}))
    elif isinstance(design.steps[-1], Bid | Claim):
        columns.append(("", "", {"(to_act ?player)": "to act"}))
    lines = []
    for title, unknown, words in columns:
        lines += ["", "[[column]]"]
        lines += [f"title = {_quoted(title)}"] if title else []
        lines += [f"unknown = {_quoted(unknown)}"] if unknown else []
        lines += ["[column.words]", *(f"{_key(key)} = {_quoted(text)}" for key, text in words.items())]
    return lines
