"""Failures of single nodes: they are reported, and the frame continues without the node."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from renderwright.render.types.shader_parts import ShaderPart

log = logging.getLogger("renderwright.runtime")


class FailurePhase(StrEnum):
    """The phase in which the node failed."""

    DECLARE = "declare"
    COMPILE = "compile"
    PIPELINE = "pipeline"
    EXECUTE = "execute"
    CHECK = "check"


def node_in_words(node: str, plugin: str) -> str:
    """A node with its plugin, if it has one."""
    return f'node "{node}" of plugin "{plugin}"' if plugin else f'node "{node}"'


def notes_of(error: BaseException) -> list[str]:
    """What has been added to an error on its way (``BaseException.add_note``)."""
    return list(getattr(error, "__notes__", ()))


@dataclass(frozen=True)
class NodeFailure:
    """A node that raised, or a finding about it: its name, its plugin ('' for the engine's own), the phase, and the
    exception. ``part`` is the part of a shader at fault, which is not the node's own."""

    node: str
    plugin: str
    phase: FailurePhase
    error: BaseException
    part: ShaderPart | None = None

    def __str__(self) -> str:
        text = "\n  ".join([str(self.error), *notes_of(self.error)])
        return f"{node_in_words(self.node, self.plugin)} failed in {self.phase}: {text}"


class NodesFailedError(Exception):
    """Some nodes of a plan cannot run."""

    def __init__(self, failures: list[NodeFailure]) -> None:
        super().__init__("; ".join(str(failure) for failure in failures))
        self.failures = failures


FailureHandler = Callable[[NodeFailure], None]


def log_failure(failure: NodeFailure) -> None:
    """The handler of who has none."""
    log.error("%s", failure)
