"""Rates that a node has from what it draws, for functions that request on behalf of a node."""

from __future__ import annotations

from renderwright.render.errors import GraphError
from renderwright.render.graph.node_requests import requested
from renderwright.render.graph.registry import Registry
from renderwright.render.graph.requests import EVERY_FRAME
from renderwright.render.graph.source import caller_location


def give_rate(reg: Registry, what: str, when: str) -> None:
    """Let the node run in the frames in which ``what`` is drawn: when the blob ``when`` changes, '' if in every frame.

    Raises ``GraphError`` if the node has a rate already; from now on ``reg.every`` and ``reg.when`` do.
    """
    requests = requested(reg)
    if requests.rate_of:
        raise GraphError(
            f'"{requests.name}" has the rate of {requests.rate_of}, and cannot have that of {what}',
            hint="add a node for each",
            where=caller_location(),
        )
    if requests.rate != EVERY_FRAME:
        raise GraphError(
            f'"{requests.name}" already runs {requests.rate}, and {what} gives it its rate',
            hint=f"leave out the rate of {requests.rate_source}: the node runs in the frames in which {what} is drawn",
            where=caller_location(),
        )
    if when:
        reg.when(when)
    requests.rate_of = what
