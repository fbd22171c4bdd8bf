"""Graphs whose resources are texts, so that a test reads off who made what: run by the runtime, without a GPU.

A node is a sentence such as ``"create x, read y?, history z, after b, view"``. What it creates is called after the node
and the frame (``a0``), with what it read in brackets (``b0(a0)``); a modifier appends itself (``a0+m``). ``?`` makes a
request optional; ``sink`` gives side effects, as every node has that only reads.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from renderwright.render.backend.null import NullBackend
from renderwright.render.compiler.values.plan import Plan
from renderwright.render.graph.declare import Declare, Execute
from renderwright.render.graph.frame_graph import FrameGraph
from renderwright.render.graph.registry import Registry
from renderwright.render.runtime.failures import NodeFailure
from renderwright.render.runtime.runtime import Runtime
from renderwright.render.shaders.library import ShaderLibrary

MAKES = ("create", "modify", "rename")
DIMENSIONS = ("view", "eye", "sample", "tile")


class ValueGraph:
    """A frame graph with its runtime. ``seen`` has, by node instance, what it found in the last frame."""

    def __init__(self, backend: NullBackend) -> None:
        self.backend = backend
        self.graph = FrameGraph()
        self.failures: list[NodeFailure] = []
        self.runtime = Runtime(self.graph, backend, ShaderLibrary(), on_failure=self.failures.append)
        self.seen: dict[str, dict[str, Any]] = {}
        self.ran: list[str] = []
        self.declared: list[str] = []

    @property
    def plan(self) -> Plan:
        """The plan that runs."""
        return self.runtime.plan

    def set(self, **nodes: str | None) -> None:
        """Add or replace nodes by their sentences, remove those that are None; ``__`` in a name is a slash."""
        for key, sentence in nodes.items():
            name = key.replace("__", "/")
            if sentence is None:
                self.graph.remove_node(name)
            else:
                self.graph.add_node(name, self._declare(name, sentence), plugin=name.rpartition("/")[0])

    def frame(self) -> dict[str, dict[str, Any]]:
        """Run one frame; what each node instance found, by request (``history x`` for histories)."""
        self.seen, self.ran = {}, []
        assert self.runtime.render(None) is not None
        return self.seen

    def saw(self, node: str = "r", name: str = "x") -> Any:
        """What a node finds under a name in a new frame."""
        return self.frame()[node][name]

    def removed(self) -> dict[str, str]:
        """Why nodes are not in the frame, in words, without the nodes' names."""
        return {one.node: one.message.partition(" removed: ")[2] for one in self.plan.removed}

    def errors(self) -> list[str]:
        """The codes of the errors."""
        return [problem.code for problem in self.plan.problems if problem.severity == "error"]

    def _declare(self, name: str, sentence: str) -> Declare:
        def declare(reg: Registry) -> Execute:
            self.declared.append(name)
            handles = []
            words = [part.split() for part in sentence.split(",") if part.strip()]
            for verb, *arguments in words:
                if verb in DIMENSIONS or verb == "once":
                    reg.multiplex(*(() if verb == "once" else (verb, *arguments)))
                elif verb in ("before", "after"):
                    getattr(reg, verb)(*arguments)
                elif verb == "priority":
                    reg.priority(int(arguments[0]))
                elif verb != "sink":
                    first, *rest = [argument.rstrip("?") for argument in arguments]
                    handle = getattr(reg, verb)(first, *rest, str)
                    if arguments[0].endswith("?"):
                        handle.optional()
                    handles.append((verb, first, handle.first("invalid") if verb == "history" else handle))
            if ["sink"] in words or not any(verb in MAKES for verb, _, _ in handles):
                reg.side_effects()
            return lambda cmd: self._execute(cmd, name, handles)

        return declare

    def _execute(self, cmd: Any, name: str, handles: list[tuple[str, str, Any]]) -> None:
        index = ",".join(f"{key}{number}" for key, number in sorted(cmd.index.items()))
        key = f"{name}@{index}" if index else name
        found: dict[str, Any] = {}
        for verb, resource, handle in handles:
            if verb == "gather":
                found[resource] = handle.values
            elif verb == "history":
                found[f"history {resource}"] = handle.value if handle.present and handle.valid else None
            elif verb == "read":
                found[resource] = handle.value if handle.present else None
        self.seen[key] = found
        self.ran.append(key)
        inputs = [str(value) for value in found.values()]
        for verb, _, handle in handles:
            if verb == "create":
                handle.value = f"{key}.{cmd.frame}" + (f"({', '.join(inputs)})" if inputs else "")
            elif verb == "modify" and handle.present:
                handle.value += f"+{key}"


@contextmanager
def value_graph() -> Iterator[ValueGraph]:
    """A value graph that must leave nothing behind."""
    backend = NullBackend()
    made = ValueGraph(backend)
    yield made
    made.runtime.close()
    assert backend.alive == ()
    backend.close()


Step = tuple[dict[str, str | None], str | None]
"""Edits, and what the node ``r`` finds in the frame after them (None: it is not in the frame)."""


def told(found: dict[str, Any] | None) -> str | None:
    """What a node found, in words: ``x=a.0, history x=None``."""
    return None if found is None else ", ".join(f"{name}={value}" for name, value in found.items())


def play(graph: ValueGraph, steps: list[Step]) -> None:
    """Make the edits of each step, run a frame, and compare what ``r`` (or ``p/r``) finds."""
    for number, (edits, expected) in enumerate(steps):
        graph.set(**edits)
        seen = graph.frame()
        assert graph.failures == []
        assert told(seen.get("r", seen.get("p/r"))) == expected, f"step {number}"
