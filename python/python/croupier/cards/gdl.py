"""How rules are laid out: a rule on a line for each condition, paragraphs, and sections with a heading."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence

#: Comments behind the head of a rule begin at this column.
_NOTE = 32

#: The longest line of a comment.
_WIDTH = 104

#: Rules and facts that stand together.
Paragraph = list[str]


def rule(head: str, *conditions: str, note: str = "") -> str:
    """The rule with these conditions, without those that are empty; a fact if none is left."""
    kept = [condition for condition in conditions if condition]
    lines = [f"(<= {head}", *(f"    {condition}" for condition in kept)] if kept else [head]
    if kept:
        lines[-1] += ")"
    if note:
        lines[0] = f"{lines[0]:<{_NOTE}}; {note}"
    return "\n".join(lines)


def facts(relation: str, rows: Iterable[Sequence[object]], across: int = 1) -> Paragraph:
    """A fact for each row, so many on a line."""
    found = [f"({' '.join([relation, *map(str, row)])})" for row in rows]
    return [" ".join(found[start : start + across]) for start in range(0, len(found), across)]


def comment(text: str) -> str:
    """Text as lines of a comment; an empty line stays one."""
    lines: list[str] = []
    for part in text.split("\n"):
        lines += textwrap.wrap(part, _WIDTH, subsequent_indent=_indent(part)) or [""]
    return "\n".join(f"; {line}".rstrip() for line in lines)


def _indent(part: str) -> str:
    """Items of a list hang behind their numbers."""
    number = part.split(" ", 1)[0]
    return " " * (len(number) + 1) if number.rstrip(".").isdigit() else ""


def section(heading: str, *paragraphs: Paragraph) -> str:
    """Paragraphs below a heading, without lines and paragraphs that are empty; nothing if none is left."""
    kept = ["\n".join(line for line in lines if line) for lines in paragraphs if any(lines)]
    return "\n\n".join([comment(heading)] * bool(heading) + kept) if kept else ""
