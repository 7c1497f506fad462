#!/usr/bin/env python3
"""Replay traced matches in OpenSpiel's own games and compare everything that both decide.

    openspiel.py GAME TRACE
    openspiel.py --games        the names that GAME can be
    openspiel.py --members      those of games of families, with their options, one in each line

TRACE is what `croupier simulate GAME --trace` writes. In every state the two must agree on who acts and on the
legal moves, and in the end on the payoffs. Exit status 1 if not.
"""
import re
import sys
from functools import partial

import backgammon
import pyspiel
from comparison import Comparison


def numbers(move):
    return [int(number) for number in re.findall(r"\d+", move)]


def cards(*names):
    return {f"(deal {name})": index for index, name in enumerate(names)}


def betting(*names):
    """Moves by name; OpenSpiel has the same number for checking and calling."""
    return {name: index for index, group in enumerate(names) for name in group.split("/")}


def of_cell(size):
    def action(move):
        column, row = numbers(move)
        return (row - 1) * size + column - 1

    return action


def of_amazon(move):
    column, row = numbers(move)
    return 10 * (10 - row) + column - 1


def of_checkers(move):
    from_column, from_row, column, row = numbers(move)
    directions = [(-1, 1), (1, 1), (1, -1), (-1, -1)]
    distance = abs(column - from_column)
    step = ((column - from_column) // distance, (row - from_row) // distance)
    square = 8 * (8 - from_row) + from_column - 1
    return 8 * square + 2 * directions.index(step) + distance - 1


def of_liar(dice):
    def action(move):
        if move == "liar":
            return 6 * dice
        # Rolls have one number, bids have a count and a face.
        *count, face = numbers(move)
        return 6 * (count[0] - 1) + face - 1 if count else face - 1

    return action


def of_take(move):
    _, heap, count = re.sub(r"[()]", "", move).split()
    # OpenSpiel numbers the heap first and the count after it.
    return 4 * (int(count) - 1) + "abcd".index(heap)


def poker(ranks, words):
    """Cards are numbered by rank, from the lowest, and then by suit."""

    def action(move):
        dealt = re.fullmatch(r"\(deal (.)(.)\)", move)
        if dealt:
            return 4 * ranks.index(dealt[1]) + "cdhs".index(dealt[2])
        return words[move]

    return action


def of_trick(move):
    if move.startswith("(bid "):
        return 12 + int(move[5:-1])
    card = re.sub(r"[()]", "", move).split()[1]
    return 3 * "jqka".index(card[0]) + "cds".index(card[1])


def universal_poker(betting, ranks):
    settings = f"numPlayers=2,numRounds=4,blind=1 2,firstPlayer=1 2 2 2,numSuits=4,numRanks={ranks}"
    return f"universal_poker(betting={betting},{settings},numHoleCards=2,numBoardCards=0 3 1 1)"


LIMIT = "limit,raiseSize=2 2 4 4,maxRaises=3 4 4 4"
NO_LIMIT = "nolimit,stack=40 40,bettingAbstraction=fchpa"
LIMIT_WORDS = betting("fold", "check/call", "bet/raise")
NO_LIMIT_WORDS = betting("fold", "check/call", "pot", "all_in", "half_pot")


def first_number(move):
    return numbers(move)[0] - 1


# Our name: OpenSpiel's, our roles in its order, its number of a move, the payoff of a goal.
GAMES = {
    "kuhn": ("kuhn_poker", "alice bob", cards("jack", "queen", "king") | betting("pass", "bet"), (50, 25)),
    "kuhn-3": (
        "kuhn_poker(players=3)",
        "alice bob carol",
        cards("jack", "queen", "king", "ace") | betting("pass", "bet"),
        (40, 15),
    ),
    "leduc": (
        "leduc_poker",
        "alice bob",
        cards("js", "jh", "qs", "qh", "ks", "kh") | betting("fold", "check/call", "raise"),
        (50, 3),
    ),
    "liars-dice": ("liars_dice", "alice bob", of_liar(2), (50, 50)),
    "liars-dice-2": ("liars_dice(numdice=2)", "alice bob", of_liar(4), (50, 50)),
    "tiny-hanabi": ("tiny_hanabi", "alice bob", first_number, (0, 10)),
    "goofspiel-4": (
        "goofspiel(imp_info=True,num_cards=4,points_order=descending)",
        "alice bob",
        first_number,
        (50, 50),
    ),
    "phantom-tic-tac-toe": ("phantom_ttt", "x o", of_cell(3), (50, 50)),
    "latent-tic-tac-toe": ("latent_ttt", "x o", of_cell(3), (50, 50)),
    "dark-hex-3x3": ("dark_hex(num_rows=3,num_cols=3)", "black white", of_cell(3), (50, 50)),
    "goofspiel-13": (
        "goofspiel(imp_info=True,num_cards=13,points_order=random)",
        "alice bob",
        first_number,
        (50, 50),
    ),
    "amazons": ("amazons", "white black", of_amazon, (50, 50)),
    "checkers": ("checkers", "white black", of_checkers, (50, 50)),
    "nim": ("nim(pile_sizes=1;3;5;7,is_misere=False)", "first second", of_take, (50, 50)),
    "oh-hell-small": (
        "oh_hell(players=3,num_suits=3,num_cards_per_suit=4,points_per_trick=1,num_tricks_fixed=3)",
        "alice bob carol",
        of_trick,
        (0, 7),
    ),
    "holdem": (universal_poker(LIMIT, 13), "alice bob", poker("23456789tjqka", LIMIT_WORDS), (50, 1)),
    "royal-holdem": (universal_poker(LIMIT, 5), "alice bob", poker("tjqka", LIMIT_WORDS), (50, 1)),
    "no-limit-holdem": (universal_poker(NO_LIMIT, 13), "alice bob", poker("23456789tjqka", NO_LIMIT_WORDS), (50, 1)),
}

# The same for games of a family, by its name and options.
MEMBERS = {
    f"dark-hex --size {size} --variant {variant}": (
        f"dark_hex(num_rows={size},num_cols={size},gameversion={version})",
        "black white",
        of_cell(size),
        (50, 50),
    )
    for variant, version in [("classical", "cdh"), ("abrupt", "adh")]
    for size in (2, 3, 4)
}


def replay(rows, name):
    """Yield (step, what, ours, theirs) for everything to compare in one match."""
    spiel, roles, move_number, (offset, scale) = (GAMES | MEMBERS)[name]
    action = move_number.__getitem__ if isinstance(move_number, dict) else move_number
    roles = roles.split()
    table = pyspiel.load_game(spiel).new_initial_state()
    if spiel.startswith("universal_poker"):
        # It deals both hole cards to the first player before the second player gets any; we take turns.
        holes = [row["joint"]["random"] for row in rows[:4]]
        for index in (0, 2, 1, 3):
            table.apply_action(action(holes[index]))
        rows = rows[4:]
    elif spiel.startswith("oh_hell"):
        # Three tricks, and carol has dealt.
        table.apply_action(3)
        table.apply_action(2)
    for row in rows[:-1]:
        step, joint = row["step"], row["joint"]
        if table.is_terminal():
            # OpenSpiel does not ask for moves without a choice at the end.
            yield step, "choices left", max(len(moves) for moves in row["legal"].values()), 1
            continue
        acting = {role: moves for role, moves in row["legal"].items() if moves != ["noop"]}
        if table.is_simultaneous_node():
            for player, role in enumerate(roles):
                ours = sorted(map(action, row["legal"][role]))
                yield step, f"moves of {role}", ours, table.legal_actions(player)
            table.apply_actions([action(joint[role]) for role in roles])
            continue
        actor = "random" if table.is_chance_node() else roles[table.current_player()]
        yield step, "who acts", list(acting), [actor]
        moves = set(map(action, row["legal"][actor]))
        if name == "no-limit-holdem" and actor != "random" and NO_LIMIT_WORDS["pot"] not in moves:
            # OpenSpiel offers half the pot only where it offers the pot; PokerKit agrees with us.
            moves.discard(NO_LIMIT_WORDS["half_pot"])
            if joint[actor] == "half_pot":
                return
        yield step, "moves", sorted(moves), table.legal_actions()
        table.apply_action(action(joint[actor]))
    last = rows[-1]
    yield last["step"], "end", last["terminal"], table.is_terminal()
    payoffs = [(last["goal"][role] - offset) / scale for role in roles]
    yield last["step"], "payoffs", payoffs, table.returns()


def main():
    games = {name: partial(replay, name=name) for name in GAMES | MEMBERS} | {"backgammon": backgammon.replay}
    if sys.argv[1:] == ["--games"]:
        print(*(name for name in games if name not in MEMBERS))
        return
    if sys.argv[1:] == ["--members"]:
        print(*MEMBERS, sep="\n")
        return
    if len(sys.argv) != 3 or sys.argv[1] not in games:
        sys.exit(__doc__.strip() + f"\n\nGAME is one of {', '.join(sorted(games))}.")
    name, path = sys.argv[1:]
    comparison = Comparison("OpenSpiel")
    comparison.replay(path, games[name])
    comparison.end(name)


if __name__ == "__main__":
    main()
