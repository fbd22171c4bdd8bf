"""Surfaces with alpha masks: nodes of their own, so that opaque surfaces keep pipelines without ``discard``.

They are drawn after the opaque ones. Depth tests reject what these cover before a fragment shader runs.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

from renderwright.engine.renderer.geometry import DRAWS_OF, DrawSet
from renderwright.engine.renderer.motion import object_motion
from renderwright.engine.renderer.nodes import EngineNodes
from renderwright.engine.scene.material import AlphaMode
from renderwright.render.graph.commands import Commands
from renderwright.render.graph.declare import Declare, Execute
from renderwright.render.graph.registry import Registry


def masked_nodes(others: Collection[str]) -> Mapping[str, Declare]:
    """The nodes by name, for a graph that has the ``others``."""
    nodes: dict[str, Declare] = {DRAWS_OF["mask"]: draws_of("mask")}
    if "opaque" in others:
        nodes["masked"] = _after("opaque", lambda reg: EngineNodes.opaque(reg, "mask"))
    else:
        nodes["masked_depth"] = _after("depth_only", lambda reg: EngineNodes.depth_only(reg, "mask"))
        nodes["masked_forward"] = _after("forward_opaque", lambda reg: EngineNodes.forward_opaque(reg, "mask"))
    if "object_motion" in others:
        nodes["masked_motion"] = _after("object_motion", lambda reg: object_motion(reg, "mask"))
    return nodes


def draws_of(alpha: AlphaMode) -> Declare:
    """Declare function of a node that creates the blob of the draws of an alpha mode."""

    def declare(reg: Registry) -> Execute:
        every = reg.read(DRAWS_OF["opaque"], DrawSet)
        draws = reg.create(DRAWS_OF[alpha], DrawSet)
        reg.stable()

        def execute(cmd: Commands) -> None:
            draws.value = replace(every.value, alpha=alpha)

        return execute

    return declare


def _after(node: str, declare: Declare) -> Declare:
    def declare_after(reg: Registry) -> Execute | None:
        reg.after(node)
        return declare(reg)

    return declare_after
