"""An order of the nodes that was found to need less memory than the order policy's."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class OrderMove:
    """A node that runs earlier or later than in the policy's order, by so many ``places`` (less than 0 is earlier).

    ``resource`` is the largest one whose live range the move makes shorter at this node, with its bytes; '' where the
    node only makes room for others.
    """

    node: str
    places: int
    resource: str = ""
    size: int = 0


@dataclass(frozen=True)
class PreferredOrder:
    """Node instance ids in the order found, and its moves from the policy's order."""

    nodes: tuple[str, ...]
    moves: tuple[OrderMove, ...] = ()
