"""Findings of a compile: problems, and removals of nodes."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property

from renderwright.render.compiler.diagnostics.near_names import near_resource
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
    """A node (or node instance) that is not in the frame.

    ``why`` is a sentence without the names that the missing one may stand for, which are among ``known``: they are
    searched when somebody reads the message. ``where`` is the request that cannot be met, if that is the reason, and
    ``missing`` the resource that nobody creates.
    """

    node: str
    reason: RemovalReason
    why: str
    where: SourceLocation | None = None
    missing: str = ""
    known: tuple[str, ...] = field(default=(), repr=False)

    @cached_property
    def message(self) -> str:
        """The reason in words."""
        hint = near_resource(self.missing, self.node, self.known) if self.known else ""
        return f"{self.why}; {hint}" if hint else self.why
