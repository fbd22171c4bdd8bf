"""Has a graph the blobs of the local lights that cast shadows."""

from __future__ import annotations

from renderwright.engine.renderer.frame_input import FrameInput
from renderwright.engine.renderer.lights.shadow_places import SHADOW_CHANNELS
from renderwright.engine.renderer.lights.shadowed_lights import (
    BANKS,
    SHADOW_SHARING,
    ShadowedLights,
    ShadowSharing,
    bank_blob,
)
from renderwright.engine.renderer.node_group import NodeGroup
from renderwright.render.graph.commands import Commands
from renderwright.render.graph.declare import Declare, Execute
from renderwright.render.graph.frame_graph import FrameGraph
from renderwright.render.graph.registry import Registry


class ShadowSwitch:
    """The blobs of a graph: one for each bank in use, and one while lights share channels."""

    def __init__(self, graph: FrameGraph, frame: FrameInput) -> None:
        self._frame = frame
        self._banks = [NodeGroup(graph, {bank_blob(bank): self._bank(bank)}) for bank in range(BANKS)]
        self._sharing = NodeGroup(graph, {SHADOW_SHARING: self._declare_sharing})

    def follow(self) -> None:
        """Have those that the lights of the frame need."""
        slots = len(self._frame.shadowed.lights)
        for bank, group in enumerate(self._banks):
            group.switch(on=slots > bank * SHADOW_CHANNELS)
        self._sharing.switch(on=slots > SHADOW_CHANNELS)

    def _bank(self, bank: int) -> Declare:
        """Declare function of a node that creates the blob of a bank."""

        def declare(reg: Registry) -> Execute:
            shadowed = reg.create(bank_blob(bank), ShadowedLights)
            reg.stable(self._frame.revision)

            def execute(cmd: Commands) -> None:
                shadowed.value = self._frame.shadowed.bank(bank)

            return execute

        return declare

    def _declare_sharing(self, reg: Registry) -> Execute:
        """Create the blob of the lights that share channels."""
        sharing = reg.create(SHADOW_SHARING, ShadowSharing)
        reg.stable(self._frame.revision)

        def execute(cmd: Commands) -> None:
            sharing.value = self._frame.lights.sharing

        return execute
