"""The properties of a device that plans depend on."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from renderwright.render.sync.queues import GRAPHICS
from renderwright.render.types.fullscreen import Fullscreen


class Aliasing(StrEnum):
    """What resources whose live ranges do not overlap share: any bytes of a heap, or whole textures of one kind."""

    BYTES = "bytes"
    TEXTURES = "textures"
    NONE = "none"


@dataclass(frozen=True)
class Capabilities:
    """A device's properties.

    ``queues`` are its classes of queues, ``views`` the most views of a multiview pass. With ``unified_layouts``
    textures are as fast in the general layout as in any other. A driver that ``copies_shaders`` compiles them anew for
    the values of uniforms that alone decide their control flow, and keeps every copy. ``anisotropy`` is the most
    of ``Sampling.anisotropy``. With ``indirect_instances`` the commands of indirect draws may begin at any instance.
    ``indexed_textures`` is the most textures of an array without length in a shader, which each invocation indexes on
    its own; 0 if there are no such arrays. ``fullscreen`` is how full-screen shaders run faster, and
    ``storage_formats`` are the formats of textures that shaders can store to. ``aliasing`` is what placed resources
    share. With ``events`` split barriers wait for their first half alone. ``most_samples`` is the most samples of a
    texel of an attachment, ``most_colors`` the most color attachments of a pass.
    """

    backend: str
    device: str
    api_version: str
    driver: str = ""
    timestamps: bool = False
    queues: tuple[str, ...] = (GRAPHICS,)
    views: int = 1
    unified_layouts: bool = False
    copies_shaders: bool = False
    anisotropy: float = 1.0
    indirect_instances: bool = False
    indexed_textures: int = 0
    fullscreen: Fullscreen = Fullscreen.FRAGMENT
    storage_formats: frozenset[str] = frozenset()
    aliasing: Aliasing = Aliasing.BYTES
    events: bool = True
    most_samples: int = 4
    most_colors: int = 8
