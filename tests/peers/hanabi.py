#!/usr/bin/env python3
"""Replay traced matches of Hanabi in OpenSpiel's, which is the Hanabi Learning Environment, and compare.

    hanabi.py TRACE PLAYERS COLOURS RANKS HAND HINTS LIVES

TRACE is what `croupier simulate --trace` writes for the game that `croupier new --from hanabi` makes of these
numbers. In every state the two must agree on hands, tokens, fireworks and discards, on who acts and what is legal,
and on the chances of each card; after every move a player must have been told what follows from the two
observations of the same player in OpenSpiel, and no more; in the end they must agree on the payoffs. Exit status 1
if not.
"""
import re
import sys
from collections import Counter
from functools import partial
from itertools import takewhile

import pyspiel
from comparison import Comparison

NAMES = ["alice", "bob", "carol", "dave", "erin"]
COLOURS = ["red", "yellow", "green", "white", "blue"]
LETTERS = {colour[0].upper(): colour for colour in COLOURS}


def said(term):
    """The words of a term, with numbers as such."""
    return tuple(int(word) if word.isdigit() else word for word in re.findall(r"[^ ()]+", term))


def card(text):
    """(colour, rank) of a card as OpenSpiel writes it."""
    return LETTERS[text[0]], int(text[1])


def cards(texts):
    return Counter(map(card, texts))


class Seen:
    """What OpenSpiel writes of a state: all of it, or what one player observes."""

    def __init__(self, text, first, players):
        lines = text.splitlines()
        start = lines.index("Hands:") + 1
        fields = dict(line.split(":", 1) for line in lines if ":" in line and line != "Hands:")
        self.lives = int(fields["Life tokens"])
        self.hints = int(fields["Info tokens"])
        self.fireworks = dict(map(card, fields["Fireworks"].split()))
        self.deck = int(fields["Deck size"])
        self.discards = cards(fields["Discards"].split())
        rows = list(takewhile(lambda line: not line.startswith("Deck"), lines[start:]))
        hands = "\n".join(row for row in rows if row != "Cur player").split("-----")
        hands += [""] * (players - len(hands))
        # By player: cards, and what each has been told of them. An observer comes first.
        self.hands, self.told = {}, {}
        for place, hand in enumerate(hands):
            name = NAMES[(place + first) % players]
            split = [row.split(" || ") for row in hand.split("\n") if row]
            self.hands[name] = [None if shown == "XX" else card(shown) for shown, _ in split]
            self.told[name] = {
                (place, int(letter) if letter.isdigit() else LETTERS[letter])
                for place, (_, known) in enumerate(split, 1)
                for letter in known[:2]
                if letter != "X"
            }


def of_state(fluents, players):
    """The same of one of our states."""
    held = {name: {} for name in NAMES[:players]}
    told = {name: set() for name in NAMES[:players]}
    fireworks, piled, single = {}, Counter(), {}
    for name, *parts in map(said, fluents):
        if name == "hand":
            held[parts[0]][parts[1]] = tuple(parts[2:])
        elif name == "told":
            told[parts[0]].add(tuple(parts[1:]))
        elif name == "firework":
            fireworks[parts[0]] = parts[1]
        elif name == "discarded":
            piled[tuple(parts[:2])] += 1
        elif name != "deck":
            single[name] = parts[0]
    hands = {name: [hand[place] for place in sorted(hand)] for name, hand in held.items()}
    return hands, told, fireworks, piled, single


class Numbers:
    """OpenSpiel's numbers of our moves."""

    def __init__(self, players, colours, ranks, hand):
        self.players, self.colours, self.ranks, self.hand = players, colours, ranks, hand

    def __call__(self, move, actor):
        what, *rest = said(move)
        if what == "deal":
            return COLOURS.index(rest[0]) * self.ranks + rest[1] - 1
        if what in ("discard", "play"):
            return rest[0] - 1 + (self.hand if what == "play" else 0)
        target, property = rest
        offset = (NAMES.index(target) - NAMES.index(actor)) % self.players - 1
        if property in COLOURS:
            return 2 * self.hand + offset * self.colours + COLOURS.index(property)
        return 2 * self.hand + (self.players - 1) * self.colours + offset * self.ranks + property - 1


def told_by(before, after, player, actor, move):
    """What a player learns when its observation changes so, and the move of `actor` is public but for cards."""
    what, *rest = said(move)
    if what == "deal":
        (drawer,) = [name for name, hand in after.hands.items() if len(hand) > len(before.hands[name])]
        return {("draw",)} if drawer == player else {("draws", drawer, *after.hands[drawer][-1])}
    if what == "tell":
        target, property = rest
        return {("tells", actor, target, place, known) for place, known in after.told[target] if known == property}
    lost = after.discards - before.discards
    (gone,) = lost.elements() if lost else after.fireworks.items() - before.fireworks.items()
    percepts = {(what + "s", actor, rest[0], *gone)}
    return percepts | {("failure",)} if lost and what == "play" else percepts


def replay(rows, game, numbers):
    """Yield (step, what, ours, theirs) for everything to compare in one match."""
    players = numbers.players
    table = game.new_initial_state()
    for row in rows:
        step, everything = row["step"], Seen(str(table), 0, players)
        hands, told, fireworks, piled, single = of_state(row["state"], players)
        yield step, "hands", hands, everything.hands
        yield step, "what was told", told, everything.told
        yield step, "fireworks", fireworks, everything.fireworks
        yield step, "discards", piled, everything.discards
        tokens = [single[name] for name in ("lives", "hints", "cards_left")]
        yield step, "tokens", tokens, [everything.lives, everything.hints, everything.deck]
        yield step, "end", row["terminal"], table.is_terminal()
        if row["terminal"]:
            break
        acting = {role: moves for role, moves in row["legal"].items() if moves != ["noop"]}
        actor = "random" if table.is_chance_node() else NAMES[table.current_player()]
        yield step, "who acts", list(acting), [actor]
        moves = Counter(numbers(move, actor) for move in acting[actor])
        if table.is_chance_node():
            chances = {number: round(count / moves.total(), 9) for number, count in moves.items()}
            yield step, "chances", chances, {n: round(chance, 9) for n, chance in table.chance_outcomes()}
        else:
            yield step, "moves", sorted(moves.elements()), table.legal_actions()
        move = row["joint"][actor]
        before = observations(table, players)
        table.apply_action(numbers(move, actor))
        after = observations(table, players)
        for player in NAMES[:players]:
            percepts = set(map(said, row["sees"][player]))
            theirs = told_by(before[player], after[player], player, actor, move)
            yield step, f"percepts of {player}", percepts, theirs
    last = rows[-1]
    worth = 100 // (numbers.colours * numbers.ranks)
    goals = [last["goal"][name] for name in NAMES[:players]]
    yield last["step"], "goals", goals, [worth * points for points in table.returns()]
    if single["lives"]:
        yield last["step"], "points", [single["points"]] * players, table.returns()


def observations(table, players):
    return {
        name: Seen(table.observation_string(player), player, players)
        for player, name in enumerate(NAMES[:players])
    }


def main():
    try:
        path, (players, colours, ranks, hand, hints, lives) = sys.argv[1], map(int, sys.argv[2:])
    except (IndexError, ValueError):
        sys.exit(__doc__.strip())
    game = pyspiel.load_game(
        f"hanabi(players={players},colors={colours},ranks={ranks},hand_size={hand},"
        f"max_information_tokens={hints},max_life_tokens={lives})"
    )
    numbers = Numbers(players, colours, ranks, hand)
    payoffs = Counter()

    def look(match):
        payoffs[match[-1]["goal"]["alice"]] += 1

    comparison = Comparison("OpenSpiel")
    comparison.replay(path, partial(replay, game=game, numbers=numbers), look)
    ends = ", ".join(f"{goal} ({count})" for goal, count in sorted(payoffs.items()))
    comparison.end(f"hanabi {' '.join(sys.argv[2:])}", f"; goals {ends}")


if __name__ == "__main__":
    main()
