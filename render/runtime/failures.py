"""Failures of single nodes: they are reported, and the frame continues without the node."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum


class FailurePhase(StrEnum):
    """The phase in which the node failed."""

    DECLARE = "declare"
    COMPILE = "compile"
    PIPELINE = "pipeline"
    EXECUTE = "execute"


@dataclass(frozen=True)
class NodeFailure:
    """A node that raised: its name, its plugin ('' for the engine's own), the phase, and the exception."""

    node: str
    plugin: str
    phase: FailurePhase
    error: BaseException

    def __str__(self) -> str:
        owner = f' of plugin "{self.plugin}"' if self.plugin else ""
        return f'node "{self.node}"{owner} failed in {self.phase}: {self.error}'


class NodesFailedError(Exception):
    """Some nodes of a plan cannot run."""

    def __init__(self, failures: list[NodeFailure]) -> None:
        super().__init__("; ".join(str(failure) for failure in failures))
        self.failures = failures


FailureHandler = Callable[[NodeFailure], None]
