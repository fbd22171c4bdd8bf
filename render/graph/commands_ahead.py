"""The commands of a node that is executed ahead of its frame."""

from __future__ import annotations

from typing import Any

from renderwright.render.errors import GraphError
from renderwright.render.graph.commands import Commands
from renderwright.render.graph.source import caller_location


class CommandsAhead(Commands):
    """As ``Commands``, without a slot: the GPU may still read memory of the slot that the frame will have.

    A node that ``asks_for_slot`` gets a ``GraphError``, which it may catch.
    """

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.asks_for_slot = False
        del self.slot

    def __getattr__(self, name: str) -> Any:
        if name == "slot":
            self.asks_for_slot = True
            raise GraphError("the node has no slot ahead of its frame", where=caller_location())
        raise AttributeError(name)
