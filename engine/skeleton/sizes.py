"""Checks of the resolutions of a skeleton by itself. In a game the application and plugins may add more of them."""

from __future__ import annotations

from collections.abc import Sequence

from renderwright.engine.skeleton.skeleton import Skeleton
from renderwright.render.errors import GraphError
from renderwright.render.graph.requests import Request
from renderwright.render.graph.resolutions import resolution_values
from renderwright.render.graph.snapshot import ResolutionRule
from renderwright.render.suggest import did_you_mean
from renderwright.render.types.resources import Buffer, Resolution, Texture


def check_sizes(skeleton: Skeleton, rules: Sequence[ResolutionRule]) -> None:
    """Raise ``GraphError`` for a resource whose resolution has no value by the ``rules``, also where nothing reads it:
    the compiler looks at those alone that are in the plan."""
    values = resolution_values(rules)
    for node in skeleton.nodes:
        for request in node.requests:
            name = _resolution(request)
            if not name or name in values.extents:
                continue
            failure = values.failures.get(name, "")
            more = "" if "did you mean" in failure else f"{did_you_mean(name, values.extents)}\n  or "
            assert request.desc is not None
            raise GraphError(
                f'{request.desc.kind} "{request.name}" of node "{node.name}" has no size: '
                + (failure or f'there is no resolution "{name}"'),
                hint=f"{more}--resolution {name}=WIDTHxHEIGHT gives it one",
                where=request.source,
            )


def requested_resolutions(skeleton: Skeleton) -> frozenset[str]:
    """The names of the resolutions of a skeleton's resources."""
    requests = [request for node in skeleton.nodes for request in node.requests]
    return frozenset(filter(None, map(_resolution, requests)))


def _resolution(request: Request) -> str:
    """The name of the resolution that a request gives its resource, '' if there is none."""
    desc = request.desc
    size = desc.size if isinstance(desc, Texture) else desc.each if isinstance(desc, Buffer) else None
    return size.name if isinstance(size, Resolution) else ""
