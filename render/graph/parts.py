"""Checks that a node's requests for one resource go together."""

from __future__ import annotations

from collections.abc import Sequence

from renderwright.render.errors import GraphError
from renderwright.render.graph.request_builder import RequestBuilder
from renderwright.render.graph.requests import Verb
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


def check_own(node: str, requests: Sequence[RequestBuilder]) -> None:
    """Raise ``GraphError`` at the line of a read of what the node itself creates, whose contents are undefined."""
    created = {request._resource for request in requests if request._verb is Verb.CREATE and request._resource}
    for request in requests:
        if request._verb is Verb.READ and request._part == WHOLE and request._resource in created:
            name = request._resource
            raise GraphError(
                f'"{node}" reads "{name}", which it creates itself, and which has no contents before',
                hint=f'reg.history("{name}") is what it had in the frame before; a node that writes it may also read '
                "what it has written",
                where=request._source,
            )
