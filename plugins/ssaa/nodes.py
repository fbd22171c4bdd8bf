"""The node of supersampling."""

from __future__ import annotations

from renderwright.plugins.ssaa.settings import SsaaSettings
from renderwright.render import Commands, Execute, Registry

LAST = -1000
"""Priority in the chain: what comes before works on each sample by itself."""


def resolve(reg: Registry, settings: SsaaSettings) -> Execute:
    """The mean of a view's samples; the last of the chain ``tone``."""
    reg.multiplex("view", "eye", "tile")
    reg.chain("tone", format="rgba8_srgb", size=reg.resolution("main_view"), priority=LAST, gather=True)
    reg.stable()
    pipeline = reg.graphics("ssaa_resolve.frag", defines={"SAMPLES": settings.samples})

    def execute(cmd: Commands) -> None:
        cmd.draw(pipeline)

    return execute
