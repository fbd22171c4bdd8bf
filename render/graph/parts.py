"""Checks that a node's requests for one resource go together."""

from __future__ import annotations

from collections.abc import Sequence

from renderwright.render.errors import GraphError
from renderwright.render.graph.request_builder import RequestBuilder
from renderwright.render.types.parts import WHOLE


def check_parts(node: str, requests: Sequence[RequestBuilder]) -> None:
    """Raise ``GraphError`` for two requests with the same verb for parts of a texture that meet."""
    if all(request._part == WHOLE for request in requests):
        return
    for number, request in enumerate(requests):
        for earlier in requests[:number]:
            same = (earlier._verb, earlier._resource, earlier._chain) == (
                request._verb,
                request._resource,
                request._chain,
            )
            if same and earlier._part.meets(request._part):
                both = " and ".join(str(part) or "all of it" for part in (earlier._part, request._part))
                raise GraphError(
                    f'"{node}" has two {request._verb} requests for "{request._resource}": {both}',
                    hint="make the ranges disjoint, or use one request for both",
                    where=request._source,
                )
