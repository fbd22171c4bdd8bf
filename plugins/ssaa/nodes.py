"""The node of supersampling."""

from __future__ import annotations

from renderwright.plugins.ssaa.settings import SsaaSettings
from renderwright.render import Commands, Execute, Registry

LAST = -1000
"""Priority in the chain. Members with a higher priority run once for each sample."""


def resolve(reg: Registry, settings: SsaaSettings) -> Execute:
    """Average a view's samples, late in the chain ``tone``."""
    reg.multiplex("view", "eye", "tile")
    reg.chain("tone", format="rgba8_srgb", size=reg.resolution("picture"), priority=LAST, gather=True)
    reg.stable()
    pipeline = reg.fullscreen("ssaa_resolve.frag", defines={"SAMPLES": settings.samples})

    def execute(cmd: Commands) -> None:
        cmd.draw(pipeline)

    return execute
