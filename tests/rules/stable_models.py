"""Judges courses of real-time games by stable models: a reading of rtGDL of its own, from the text on.

Usage: stable_models.py COURSES. Needs the package clingo. COURSES has one JSON object a line: the rules of a game in prefix
syntax, and positions, each with all that was said of it and of the update behind it.
"""

import json
import re
import sys
from decimal import Context, Decimal

import clingo

EXACT = Context(prec=200)
MICROSECOND = Decimal("0.000001")


def numeral(name):
    """A constant, as its shortest decimal where it is a numeral."""
    if not re.fullmatch(r"-?[0-9]+(\.[0-9]+)?", name):
        return name
    return format(EXACT.normalize(Decimal(name)), "f") if Decimal(name) else "0"


def forms(text):
    """S-expressions as nested lists."""
    stack = [[]]
    for token in re.findall(r"[()]|[^\s()]+", re.sub(r";[^\n]*", "", text).lower()):
        if token == "(":
            stack.append([])
        elif token == ")":
            done = stack.pop()
            stack[-1].append(done)
        else:
            stack[-1].append(token)
    [top] = stack
    return top


def printed(form):
    """A ground form in canonical print."""
    if isinstance(form, str):
        return numeral(form)
    return f"({' '.join([form[0], *map(printed, form[1:])])})"


def canonical(text):
    [form] = forms(text)
    return printed(form)


def term(form):
    """A term for clingo: a constant is a string, a function a tuple."""
    if isinstance(form, list):
        return f"({','.join([json.dumps(form[0]), *map(term, form[1:])])})"
    if form.startswith("?"):
        return "V" + form[1:].encode().hex()
    return json.dumps(numeral(form))


def atom(form):
    name, *arguments = [form] if isinstance(form, str) else form
    predicate = "p" + name.encode().hex()
    return f"{predicate}({','.join(map(term, arguments))})" if arguments else predicate


def bodies(form, is_positive):
    """A formula or its negation as a list of lists of literals."""
    word = form[0] if isinstance(form, list) else form
    if word == "not":
        return bodies(form[1], not is_positive)
    if word == "distinct":
        return [[f"{term(form[1])} {'!=' if is_positive else '='} {term(form[2])}"]]
    if word in ("and", "or"):
        parts = [bodies(part, is_positive) for part in form[1:]]
        return conjunction(parts) if (word == "and") == is_positive else sum(parts, [])
    return [[atom(form) if is_positive else f"not {atom(form)}"]]


def conjunction(parts):
    joined = [[]]
    for part in parts:
        joined = [before + one for before in joined for one in part]
    return joined


def program(text):
    lines = []
    for form in forms(text):
        if form[0] != "<=":
            lines.append(f"{atom(form)}.")
            continue
        for body in conjunction([bodies(part, True) for part in form[2:]]):
            lines.append(f"{atom(form[1])} :- {', '.join(body)}.")
    return "\n".join(lines)


def back(symbol):
    """A symbol in canonical print."""
    if symbol.type == clingo.SymbolType.String:
        return symbol.string
    name, *arguments = symbol.arguments
    return f"({' '.join([name.string, *map(back, arguments)])})"


class Model:
    """The one stable model of rules and facts."""

    def __init__(self, rules, facts):
        control = clingo.Control(["--models=0", "--warn=none"])
        control.add("base", [], "\n".join([rules, *(f"{atom(fact)}." for fact in facts)]))
        control.ground([("base", [])])
        with control.solve(yield_=True) as handle:
            models = [model.symbols(atoms=True) for model in handle]
        if len(models) != 1:
            raise SystemExit(f"{len(models)} stable models")
        self.symbols = models[0]

    def rows(self, word, arity):
        name = "p" + word.encode().hex()
        found = [symbol.arguments for symbol in self.symbols if symbol.name == name]
        return [tuple(map(back, row)) for row in found if len(row) == arity]

    def by_role(self, word, roles):
        rows = self.rows(word, 2)
        return {role: {value for of, value in rows if of == role} for role in roles}


def ground(text):
    [form] = forms(text)
    return form


def after(pairs, elapsed):
    """What lives longer, with what is left, and what has expired."""
    left, expired = set(), set()
    for lifetime, fluent in pairs:
        if lifetime == "infinity":
            left.add((lifetime, fluent))
        elif EXACT.compare(Decimal(lifetime), elapsed) > 0:
            left.add((numeral(format(EXACT.subtract(Decimal(lifetime), elapsed), "f")), fluent))
        else:
            expired.add(fluent)
    return left, expired


def is_lifetime(text):
    if not re.fullmatch(r"[0-9]+(\.[0-9]{1,6})?", text):
        return text == "infinity"
    return Decimal(text) > 0


def same(what, ours, theirs):
    if ours != theirs:
        raise SystemExit(f"{what}: stable models have {ours}, the course has {theirs}")


def state_facts(pairs):
    return [["true", lifetime, ground(fluent)] for lifetime, fluent in sorted(pairs)]


def judge(course):
    rules = program(course["rules"])
    first = Model(rules, [])
    roles = {role for (role,) in first.rows("role", 1)}
    state, expired = set(first.rows("init", 2)), set()
    for position in course["positions"]:
        same("state", state, {tuple(pair) for pair in position["state"]})
        same("expired", expired, set(position["expired"]))
        quiet = Model(rules, state_facts(state))
        behind = Model(rules, state_facts(state) + [["expired", ground(fluent)] for fluent in expired])
        sets = lambda by_role: {role: set(texts) for role, texts in by_role.items()}
        same("legal", quiet.by_role("legal", roles), sets(position["legal"]))
        same("goal", behind.by_role("goal", roles), sets(position["goals"]))
        same("terminal", bool(behind.rows("terminal", 0)), position["terminal"])
        update = position.get("update")
        if update is None:
            continue
        left, expired = after(state, EXACT.multiply(Decimal(update["elapsed"]), MICROSECOND))
        facts = state_facts(left) + [["expired", ground(fluent)] for fluent in expired]
        facts += [["does", role, ground(played)] for role, played in update["moves"].items()]
        if not expired and not update["moves"]:
            raise SystemExit("an update in which nothing happens")
        model = Model(rules, facts)
        following = set(model.rows("next", 2))
        wrong = any(not is_lifetime(lifetime) for lifetime, _ in following)
        same("whether a lifetime is wrong", wrong, "next" not in update)
        if wrong:
            continue
        same("next", following, {tuple(pair) for pair in update["next"]})
        same("sees", model.by_role("sees", roles), sets(update["sees"]))
        state = following
    return len(course["positions"])


def main(path):
    count = 0
    with open(path, encoding="utf-8") as file:
        courses = [json.loads(line) for line in file]
    for course in courses:
        try:
            count += judge(course)
        except SystemExit as found:
            sys.exit(f"{course['name']}: {found}")
    print(f"{len(courses)} courses, {count} positions")


main(*sys.argv[1:])
