"""Findings of a compile: problems, and removals of nodes."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from renderwright.render.errors import SourceLocation


class Severity(StrEnum):
    """An error was repaired by removing something; a note only informs."""

    ERROR = "error"
    NOTE = "note"


@dataclass(frozen=True)
class Problem:
    """An error or a note about the graph, with every source location involved."""

    severity: Severity
    code: str
    message: str
    hint: str = ""
    where: tuple[SourceLocation, ...] = ()

    def __str__(self) -> str:
        places = ", ".join(str(place) for place in self.where)
        text = f"{places}: {self.message}" if places else self.message
        return f"{text}; {self.hint}" if self.hint else text


class RemovalReason(StrEnum):
    """Why a node is not in the frame."""

    BROKEN = "broken"
    DANGLING = "dangling"
    INVALID = "invalid"
    REPLACED = "replaced"


@dataclass(frozen=True)
class Rejection:
    """A node that is removed for a mistake of its own, which ``problem`` describes, rather than for lack of another."""

    node: str
    problem: Problem


@dataclass(frozen=True)
class Removal:
    """A node (or node instance) that is not in the frame, with the reason in words.

    ``where`` is the request that cannot be met, if that is the reason, and ``missing`` the resource that nobody
    creates.
    """

    node: str
    reason: RemovalReason
    message: str
    where: SourceLocation | None = None
    missing: str = ""
