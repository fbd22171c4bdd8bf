"""What history readers want: the contents in the first frame, and how many frames later they read."""

from __future__ import annotations

from collections.abc import Mapping

from renderwright.render.compiler.values.instances import InstanceGraph, NodeInstance
from renderwright.render.compiler.values.uses import Use
from renderwright.render.errors import CompileError
from renderwright.render.graph.requests import FirstFrame
from renderwright.render.types.resources import Blob

_STRICTEST_FIRST = (FirstFrame.CLEAR, FirstFrame.INVALID, FirstFrame.DISCARD)


def first_frames(graph: InstanceGraph) -> Mapping[str, FirstFrame]:
    """The strictest first-frame policy among the history readers of each resource (by id) that has any.

    It holds for all of them: cleared contents also serve readers that accept undefined ones (INVALID and DISCARD).
    """
    wanted: dict[str, set[FirstFrame]] = {}
    for node in graph.nodes:
        for name, first in node.past:
            wanted.setdefault(name, set()).add(first)
    return {name: next(policy for policy in _STRICTEST_FIRST if policy in wanted[name]) for name in wanted}


def history_ages(graph: InstanceGraph) -> Mapping[str, int]:
    """By resource id, how many frames later its history is read, where that is more than one frame.

    Raises ``CompileError`` for a history that is read at two different ages, and for a value older than one frame.
    """
    blobs = {item.id for item in graph.resources if isinstance(item.resource.desc, Blob)}
    ages: dict[str, int] = {}
    reads = [(node, use) for node in graph.nodes if node.past for use in node.uses if use.reads_history]
    for node, use in reads:
        age = use.request.frames
        for name in use.resources:
            known = ages.setdefault(name, age)
            if age > 1 and name in blobs:
                raise _wrong_age(node, use, name, "values are kept for one frame")
            if known != age:
                raise _wrong_age(node, use, name, f"another node reads it {known} later")
    return {name: age for name, age in ages.items() if age > 1}


def _wrong_age(node: NodeInstance, use: Use, name: str, why: str) -> CompileError:
    return CompileError(
        f'node "{node.id}" reads the history of "{name}" {use.request.frames} frames later, and {why}',
        hint="let all read it equally late; copy what another node needs at another time",
        where=use.request.source,
        node=node.declaration.name,
    )
