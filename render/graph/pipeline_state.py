"""Checks the fixed-function state that declare functions give."""

from __future__ import annotations

import reprlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from renderwright.render.errors import GraphError, SourceLocation
from renderwright.render.graph.arguments import ATTRIBUTES, BOOL, PAIR, WHOLE_NUMBER, Kind, check_argument, check_word
from renderwright.render.graph.requests import PipelineRequest, Request
from renderwright.render.graph.source import caller_location
from renderwright.render.suggest import did_you_mean
from renderwright.render.types.pipeline_state import CHANNELS, CHOICES, STATE_KEYS, VERTEX_FORMATS
from renderwright.render.types.usages import Usage

_SOME_CHANNELS = Kind(
    "choice of channels",
    f'give some of "{CHANNELS}"',
    lambda value: isinstance(value, str) and set(value) <= set(CHANNELS),
)

_DEPTH_USAGES = frozenset({Usage.DEPTH, Usage.DEPTH_READ})
_KINDS = {
    "depth_write": BOOL,
    "depth_bias": PAIR,
    "depth_clamp": BOOL,
    "color_write": _SOME_CHANNELS,
    "vertex": ATTRIBUTES,
    "vertex_stride": WHOLE_NUMBER,
}


def check_state(node: str, state: Mapping[str, Any]) -> None:
    """Raise ``GraphError`` at the caller's line for an unknown key, and for a value that is invalid or can change."""
    for key, value in state.items():
        if key not in STATE_KEYS:
            raise GraphError(
                f'"{node}" sets the unknown state "{key}"', hint=did_you_mean(key, STATE_KEYS), where=caller_location()
            )
        try:
            hash(value)
        except TypeError:
            raise GraphError(
                f'"{node}" sets the state "{key}" to {reprlib.repr(value)}, which can change',
                hint="give a tuple instead of a list",
                where=caller_location(),
            ) from None
        if key in CHOICES:
            check_word(f'{key} of "{node}"', value, CHOICES[key])
        else:
            check_argument(f'{key} of "{node}"', value, _KINDS[key])
        if key == "vertex":
            for _, name, _ in value:
                check_word(f'the format of a vertex attribute of "{node}"', name, VERTEX_FORMATS)


def state_of_fullscreen(node: str, state: Iterable[str], where: SourceLocation) -> GraphError:
    """The error for ``state`` of a full-screen pipeline, set at the line ``where``."""
    return GraphError(
        f'"{node}" sets {", ".join(state)} of a full-screen pipeline, which has no state',
        hint="use reg.graphics for blending and depth tests",
        where=where,
    )


def check_reach(node: str, state: Iterable[str], where: SourceLocation, pipelines: Sequence[PipelineRequest]) -> None:
    """Raise ``GraphError`` for ``state`` of a node, set at the line ``where``, whose only pipelines to draw with are
    full-screen ones."""
    drawing = [pipeline for pipeline in pipelines if pipeline.kind == "graphics"]
    if drawing and all(pipeline.fullscreen for pipeline in drawing):
        raise state_of_fullscreen(node, state, where)


def check_depth(
    node: str,
    pipelines: Iterable[PipelineRequest],
    requests: Iterable[Request],
    of_node: Mapping[str, Any],
    where: SourceLocation,
) -> None:
    """Raise ``GraphError`` for a pipeline that tests or writes depth that the node does not request so: at its line, or
    at ``where`` if the state is that ``of_node``."""
    depth = next((request for request in requests if request.usage in _DEPTH_USAGES), None)
    if depth is not None and depth.usage is Usage.DEPTH:
        return
    for pipeline in pipelines:
        if pipeline.kind != "graphics" or pipeline.fullscreen:
            continue
        own = dict(pipeline.state)
        state = {**of_node, **own}
        tests, writes = state.get("depth_test", "none") != "none", state.get("depth_write", False)
        key = "depth_test" if tests and depth is None else "depth_write"
        whose, line = ("a pipeline", pipeline.source) if key in own else ("its pipelines", where)
        if depth is not None and writes:
            raise GraphError(
                f'"{node}" sets depth_write=True for {whose}, but requests "{depth.name}" for reading only',
                hint=f'request it with reg.modify("{depth.name}").depth(), or leave depth_write out',
                where=line,
            )
        if depth is None and (tests or writes):
            reads = 'add .depth() or .depth_read() to a request, such as reg.read("depth").depth_read()'
            raise GraphError(
                f'"{node}" sets {key}={state[key]!r} for {whose}, but requests no depth',
                hint='add .depth() to a request, such as reg.modify("depth").depth()' if writes else reads,
                where=line,
            )
