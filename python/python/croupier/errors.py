"""The exceptions of this package: all of them are a `CroupierError`, and what they tell is in attributes too."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal


class CroupierError(Exception):
    """Something that was asked for cannot be done; the text says what, and what to do instead."""


@dataclass(frozen=True)
class Diagnostic:
    """One finding about a rules text.

    Attributes
    ----------
    code : str
        A stable word for the kind of finding; `croupier explain CODE` says more.
    severity : str
        `error`, `warning` or `note`.
    message : str
        What is wrong.
    line, column : int
        Where in the rules, both from 1; columns count characters.
    help : str or None
        What to do about it.
    """

    code: str
    severity: Literal["error", "warning", "note"]
    message: str
    line: int
    column: int
    help: str | None

    def __str__(self) -> str:
        cure = f" ({self.help})" if self.help else ""
        return f"{self.severity}[{self.code}] at line {self.line}, column {self.column}: {self.message}{cure}"


class _WithData(CroupierError):
    """An exception whose text is the first of its arguments; the others are kept, so that it can be pickled."""

    def __str__(self) -> str:
        return str(self.args[0])


class RulesError(_WithData):
    """Rules give no game.

    Attributes
    ----------
    diagnostics : list of Diagnostic
        Everything that was found, errors first.
    """

    diagnostics: list[Diagnostic]

    def __init__(
        self,
        message: str,
        diagnostics: Sequence[
            Diagnostic | tuple[str, Literal["error", "warning", "note"], str, int, int, str | None]
        ] = (),
    ) -> None:
        self.diagnostics = [found if isinstance(found, Diagnostic) else Diagnostic(*found) for found in diagnostics]
        super().__init__(message, self.diagnostics)


class UnknownGameError(_WithData):
    """There is no game of this name.

    Attributes
    ----------
    name : str
        What was asked for.
    suggestions : list of str
        Names that are like it, the likest first.
    """

    def __init__(self, message: str, name: str, suggestions: Sequence[str] = ()) -> None:
        self.name = name
        self.suggestions = list(suggestions)
        super().__init__(message, name, self.suggestions)


class RoleError(_WithData):
    """A game has no such player.

    Attributes
    ----------
    role : str
        What was written.
    roles : list of str
        The players that there are.
    """

    def __init__(self, message: str, role: str, roles: Sequence[str] = ()) -> None:
        self.role = role
        self.roles = list(roles)
        super().__init__(message, role, self.roles)

    @classmethod
    def of(cls, role: str, roles: Sequence[str]) -> RoleError:
        """What there is to say of a role that is none of these."""
        return cls(f"the game has no player {role!r}; there are {', '.join(roles)}", role, roles)


class IllegalMoveError(_WithData):
    """A move cannot be played; the match is as it was before.

    Attributes
    ----------
    role : str
        Whose move it was to be.
    move : str or None
        What was written; None if nothing was, and the role has a choice.
    legal : list of str
        The legal moves of the role, in canonical order.
    """

    def __init__(self, message: str, role: str, move: str | None, legal: Sequence[str] = ()) -> None:
        self.role = role
        self.move = move
        self.legal = list(legal)
        super().__init__(message, role, move, self.legal)

    @classmethod
    def of_column(
        cls, role: str, column: int, moves: Sequence[str], legal: Sequence[str], where: str = ""
    ) -> IllegalMoveError:
        """What there is to say of a column of a mask that has these moves."""
        move = moves[column] if 0 <= column < len(moves) else None
        text = f"column {column} ({move or 'no move'}) is no legal move of {role}{where}: legal are {', '.join(legal)}"
        return cls(text, role, move, legal)


class FinishedError(CroupierError):
    """The match is over."""


class RecordError(CroupierError):
    """A record is not what happened, or not complete, or not a record."""


class NoEntryError(CroupierError, KeyError):
    """A policy does not speak of this information set."""

    def __str__(self) -> str:
        return str(self.args[0])
