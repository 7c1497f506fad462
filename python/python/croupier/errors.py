"""The exceptions of this package: each is a `CroupierError` and has its details in attributes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal


class CroupierError(Exception):
    """Something cannot be done; the message says what, and what to do instead."""


@dataclass(frozen=True)
class Diagnostic:
    """One finding about the text of rules.

    Attributes
    ----------
    code : str
        A stable word for the kind of finding; `croupier explain CODE` explains it.
    severity : str
        `error`, `warning` or `note`.
    message : str
        The problem.
    line, column : int
        The location in the rules, both from 1; columns count characters.
    help : str or None
        How to fix it.
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
    """An exception whose message is its first argument; the others are kept so that it can be pickled."""

    def __str__(self) -> str:
        return str(self.args[0])


class ArgumentError(CroupierError, ValueError):
    """An argument has a value that it cannot have."""


class RecallWarning(UserWarning):
    """Observations may look the same although a player knows different things."""


class RulesError(_WithData):
    """The rules have errors.

    Attributes
    ----------
    diagnostics : list of Diagnostic
        All findings, errors first.
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
    """There is no game with this name.

    Attributes
    ----------
    name : str
        The given name.
    suggestions : list of str
        Similar names, the most similar first.
    """

    def __init__(self, message: str, name: str, suggestions: Sequence[str] = ()) -> None:
        self.name = name
        self.suggestions = list(suggestions)
        super().__init__(message, name, self.suggestions)


class RoleError(_WithData):
    """The game has no such player.

    Attributes
    ----------
    role : str
        The given name.
    roles : list of str
        The players of the game.
    """

    def __init__(self, message: str, role: str, roles: Sequence[str] = ()) -> None:
        self.role = role
        self.roles = list(roles)
        super().__init__(message, role, self.roles)

    @classmethod
    def of(cls, role: str, roles: Sequence[str]) -> RoleError:
        """The exception for a name that is not one of these roles."""
        return cls(f"the game has no player {role!r}; there are {', '.join(roles)}", role, roles)


class IllegalMoveError(_WithData):
    """A move is illegal; the match is unchanged.

    Attributes
    ----------
    role : str
        The role that was to move.
    move : str or None
        The given move; None if none was given although the role has a choice.
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
        """The exception for a column of a mask with these moves."""
        move = moves[column] if 0 <= column < len(moves) else None
        text = f"column {column} ({move or 'no move'}) is not a legal move of {role}{where}: legal moves are {', '.join(legal)}"
        return cls(text, role, move, legal)


class FinishedError(CroupierError):
    """The match is over."""


class RecordError(CroupierError):
    """A record does not match what it claims, or is incomplete, or is not a record."""


class NoEntryError(CroupierError, KeyError):
    """A policy has no entry for this information set."""

    def __str__(self) -> str:
        return str(self.args[0])
