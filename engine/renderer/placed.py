"""Placed things for plugins: nodes that provide their rows while a scene has such things."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from renderwright.engine.renderer.frame_input import FrameInput
from renderwright.engine.renderer.node_group import NodeGroup
from renderwright.engine.scene.placements import PlacedRows
from renderwright.render.graph.commands import Commands
from renderwright.render.graph.declare import Declare, Execute
from renderwright.render.graph.external import ExternalContext
from renderwright.render.graph.frame_graph import FrameGraph
from renderwright.render.graph.registry import Registry
from renderwright.render.types.physical import PhysicalBuffer
from renderwright.render.types.resources import Buffer

_NOTHING = np.zeros(64, np.uint32)
"""The rows of no things."""


class PlacedSwitch:
    """Has a graph the rows of placed things while a scene has such. Call ``follow`` before each frame."""

    def __init__(self, graph: FrameGraph, frame: FrameInput) -> None:
        self._graph = graph
        self._frame = frame
        self._groups: dict[str, NodeGroup] = {}

    def follow(self, placed: Sequence[PlacedRows]) -> None:
        """Provide these rows, and have room for them."""
        needed = {rows.name: _provide(self._frame, rows.name) for rows in placed}
        for rows in placed:
            needed |= {f"{rows.name}_{trait}": _mark(f"{rows.name}_{trait}") for trait in rows.traits}
            self._graph.set_resolution(rows.name, (rows.room, 1))
        for name, declare in needed.items():
            self._groups.setdefault(name, NodeGroup(self._graph, {name: declare}))
        for name, group in self._groups.items():
            group.switch(on=name in needed)


def _provide(frame: FrameInput, name: str) -> Declare:
    """Declare function of a node for the buffer of a kind of things."""

    def provide(context: ExternalContext) -> PhysicalBuffer:
        rows = [rows for rows in frame.placed if rows.name == name]
        # A plan that is behind the scene may have kinds of which all things were removed.
        return frame.placed_buffers.write(name, context.slot, rows[0].data if rows else _NOTHING)

    def declare(reg: Registry) -> None:
        reg.external(name, Buffer(0), provide).storage_read("compute")

    return declare


def _mark(name: str) -> Declare:
    """Declare function of a node for the blob that stands for a trait."""

    def declare(reg: Registry) -> Execute:
        blob = reg.create(name, bool)
        reg.stable()

        def execute(cmd: Commands) -> None:
            blob.value = True

        return execute

    return declare
