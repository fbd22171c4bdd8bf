"""What a device is and can do, as far as plans depend on it."""

from __future__ import annotations

from dataclasses import dataclass

from renderwright.render.sync.queues import GRAPHICS


@dataclass(frozen=True)
class Capabilities:
    """What the device is and can do; ``queues`` are the classes of queues that it has, ``views`` how many views it can
    draw at once, and ``unified_layouts`` that textures are as fast in the general layout as in any other."""

    backend: str
    device: str
    api_version: str
    driver: str = ""
    timestamps: bool = False
    queues: tuple[str, ...] = (GRAPHICS,)
    views: int = 1
    unified_layouts: bool = False
