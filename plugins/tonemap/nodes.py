"""The tone mapper's node."""

from __future__ import annotations

from plugins.tonemap.settings import Operator, TonemapSettings
from render.compiler.declare import Execute
from render.graph.registry import Registry
from render.runtime.commands import Commands


def tonemap(reg: Registry, settings: TonemapSettings) -> Execute:
    """Maps the chain's HDR picture to display colour, stored in 8 bits."""
    reg.chain("tone", format="rgba8_srgb", size=reg.resolution("main_view"))
    values = {
        "operation": list(Operator).index(settings.operator),
        "scale": 2.0**settings.exposure,
        "dither": settings.dither,
    }
    reg.uniform("settings", lambda: values)
    reg.stable()
    pipeline = reg.graphics("tonemap.frag")

    def execute(cmd: Commands) -> None:
        cmd.draw(pipeline)

    return execute
