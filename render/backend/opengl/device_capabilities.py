"""The capabilities of a device."""

from __future__ import annotations

from renderwright.render.backend.capabilities import Aliasing, Capabilities
from renderwright.render.backend.few_graphics_units import faster_fullscreen
from renderwright.render.backend.opengl import enums as gl
from renderwright.render.backend.opengl.defects import copies_shaders
from renderwright.render.backend.opengl.device import Device
from renderwright.render.backend.opengl.formats import Values, pixel_format
from renderwright.render.formats import FORMATS, Aspect, without_encoding


def capabilities_of(device: Device) -> Capabilities:
    """The capabilities of a device."""
    return Capabilities(
        backend="opengl",
        device=device.name,
        api_version="4.5",
        driver=device.driver,
        timestamps=True,
        unified_layouts=True,
        copies_shaders=copies_shaders(device.name, device.driver),
        anisotropy=device.most_anisotropy,
        indirect_instances=True,
        fullscreen=faster_fullscreen(device.name),
        storage_formats=_storage_formats(device),
        aliasing=Aliasing.TEXTURES,
        events=False,
        most_samples=device.most_samples,
        most_colors=device.most_colors,
    )


def _storage_formats(device: Device) -> frozenset[str]:
    """The formats of textures that shaders can store to without naming the format; they encode sRGB themselves."""
    return frozenset(
        name
        for name, found in FORMATS.items()
        if found.aspect is Aspect.COLOR
        and pixel_format(name).values is not Values.DEPTH
        and not name.startswith("bgra")
        and device.supports(without_encoding(name), gl.SHADER_IMAGE_STORE)
    )
