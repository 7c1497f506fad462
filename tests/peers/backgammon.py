"""Backgammon beside OpenSpiel's, which takes two checkers with one action and so plays a double in two actions."""
import re
from collections import Counter
from fractions import Fraction

import pyspiel

ROLES = ["white", "black"]
PASS = "pass"
# Without a winner OpenSpiel ends the game after one turn more than it is told.
GAME = "backgammon(max_player_turns=499)"


def position(place):
    """OpenSpiel's number of a point, which counts in the direction of white."""
    return "bar" if place == "bar" else 24 - int(place)


def of_move(move):
    """A move as position and number of the die."""
    if move == PASS:
        return PASS
    _, place, die = re.sub(r"[()]", "", move).split()
    return position(place), int(die)


def of_checker(move):
    if move.num < 0:
        return PASS
    return ("bar" if move.pos not in range(24) else move.pos), move.num


def our_throws(row):
    """How probable it is that one begins, or goes on, with two numbers in any order."""
    throws = Counter()
    legal = row["legal"]["random"]
    for throw in legal:
        throws[of_throw(throw, "opening" in row["state"])] += Fraction(1, len(legal))
    return throws


def of_throw(throw, opening):
    first, second = (int(die) for die in re.findall(r"\d", throw))
    starter = ("X" if first > second else "O") if opening else ""
    return starter, min(first, second), max(first, second)


def their_throws(table):
    throws, actions = Counter(), {}
    for action, probability in table.chance_outcomes():
        said = table.action_to_string(action)
        starter = re.search(r"([XO]) starts", said)
        dice = sorted(int(die) for die in re.search(r"roll: (\d)(\d)", said).groups())
        key = (starter[1] if starter else "", *dice)
        throws[key] += Fraction(probability).limit_denominator(100)
        actions[key] = action
    return throws, actions


def their_moves(table):
    """The number of each action by the two moves that it stands for."""
    player = table.current_player()
    return {
        tuple(map(of_checker, table.spiel_move_to_checker_moves(player, action))): action
        for action in table.legal_actions()
    }


def our_position(state):
    found = re.findall(r"\(checkers (\w+) (?!off)(\w+) (\d+)\)", " ".join(state))
    return {(role, position(place)): int(count) for role, place, count in found}


def their_position(table):
    last_row = re.search(r"Bar:(.*)", str(table))[1]
    bar = {(role, "bar"): last_row.count(mark) for role, mark in zip(ROLES, "xo")}
    points = {(role, point): table.board(index, point) for index, role in enumerate(ROLES) for point in range(24)}
    return {place: count for place, count in (points | bar).items() if count}


def replay(rows):
    """Yield (step, what, ours, theirs) for everything to compare in one match."""
    table = pyspiel.load_game(GAME).new_initial_state()
    taken = []
    for row in rows[:-1]:
        step, joint = row["step"], row["joint"]
        acting = [role for role, moves in row["legal"].items() if moves != ["noop"]]
        if table.is_chance_node():
            yield step, "who acts", acting, ["random"]
            yield step, "checkers", our_position(row["state"]), their_position(table)
            throws, actions = their_throws(table)
            yield step, "throws", our_throws(row), throws
            table.apply_action(actions[of_throw(joint["random"], "opening" in row["state"])])
            continue
        actor = ROLES[table.current_player()]
        yield step, "who acts", acting, [actor]
        theirs = their_moves(table)
        follow = {moves[len(taken)] for moves in theirs if list(moves[: len(taken)]) == taken}
        yield step, "moves", set(map(of_move, row["legal"][actor])), follow
        taken.append(of_move(joint[actor]))
        over = rows[-1]["step"] == step + 1
        if over or taken[-1] == PASS:
            # We pass once and not with each die, and who has won passes no more.
            taken += [PASS] * (2 - len(taken))
        if len(taken) == 2:
            table.apply_action(theirs[tuple(taken)])
            taken = []
    last = rows[-1]
    yield last["step"], "end", last["terminal"], table.is_terminal()
    yield last["step"], "checkers", our_position(last["state"]), their_position(table)
    payoffs = [(last["goal"][role] - 50) / 50 for role in ROLES]
    yield last["step"], "payoffs", payoffs, table.returns()
