"""Light that passes through thin glass: a copy of what is opaque, and blurred ones for rough glass."""

from __future__ import annotations

from collections.abc import Mapping

from renderwright.render.graph.commands import Commands
from renderwright.render.graph.declare import Declare, Execute
from renderwright.render.graph.registry import Registry
from renderwright.render.types.resources import Texture

BEHIND_GLASS = "behind_glass"
"""The light of everything opaque. Each further mip is blurred more."""

MIPS = 5


def glass_nodes() -> Mapping[str, Declare]:
    """The nodes by name."""
    nodes: dict[str, Declare] = {BEHIND_GLASS: _copy}
    for mip in range(1, MIPS):
        nodes[f"{BEHIND_GLASS}_{mip}"] = _blurred(mip)
    return nodes


def _copy(reg: Registry) -> Execute:
    reg.read("hdr_opaque").sampled(filter="nearest")
    reg.create(BEHIND_GLASS, Texture("rgba16_sfloat", reg.resolution("main_view"), mips=MIPS)).mip(0).color()
    return _full_screen(reg, "opaque_color.frag")


def _blurred(mip: int) -> Declare:
    """Declare function of a node that makes a mip from the one before."""

    def declare(reg: Registry) -> Execute:
        reg.modify(BEHIND_GLASS).mip(mip - 1).sampled().bind("finer")
        reg.modify(BEHIND_GLASS).mip(mip).color()
        if mip > 1:
            reg.after(f"{BEHIND_GLASS}_{mip - 1}")
        return _full_screen(reg, "behind_glass.frag")

    return declare


def _full_screen(reg: Registry, fragment: str) -> Execute:
    reg.stable()
    pipeline = reg.fullscreen(fragment)

    def execute(cmd: Commands) -> None:
        cmd.draw(pipeline)

    return execute
