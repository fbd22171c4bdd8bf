"""Fills textures from the host, at once or in slices."""

from __future__ import annotations

from renderwright.render.backend.opengl.api import ffi
from renderwright.render.backend.opengl.device import Device
from renderwright.render.backend.opengl.errors import check
from renderwright.render.backend.opengl.formats import TOP_24_BITS, pixel_format
from renderwright.render.backend.opengl.mips import make_mips, require_mips
from renderwright.render.backend.opengl.textures import GLTexture
from renderwright.render.errors import BackendError
from renderwright.render.formats import format_named


def upload_texture(device: Device, texture: GLTexture, data: memoryview) -> None:
    """Fill mip 0 and make the other mips from it."""
    require_mips(device, texture.info, texture.name)
    rows = texture.info.extent[1] * texture.info.layers
    upload_rows(device, texture, data, 0, rows)
    finish_upload(device, texture)


def upload_rows(device: Device, texture: GLTexture, data: memoryview, first: int, count: int) -> None:
    """Fill ``count`` rows of mip 0 from row ``first`` on; rows are numbered through all layers."""
    info, found = texture.info, pixel_format(texture.info.format)
    if format_named(info.format).name == TOP_24_BITS:
        raise BackendError(f"{texture.name!r} cannot be filled from the host", hint="use d32_sfloat")
    width, height = info.extent
    row_bytes = len(data) // (height * info.layers)
    while count > 0:
        layer, row = divmod(first, height)
        rows = min(count, height - row)
        pixels = ffi.from_buffer(data[first * row_bytes : (first + rows) * row_bytes])
        if texture.storage.kind.layers > 1:
            place = 0, 0, row, layer, width, rows, 1
            device.api.glTextureSubImage3D(texture.handle, *place, found.format, found.type, pixels)
        else:
            device.api.glTextureSubImage2D(texture.handle, 0, 0, row, width, rows, found.format, found.type, pixels)
        first, count = first + rows, count - rows
    check(device.api, f"fill {texture.name!r}")


def finish_upload(device: Device, texture: GLTexture) -> None:
    """Make the other mips from mip 0."""
    if texture.info.mips > 1:
        make_mips(device, texture)
