"""Refusals of textures and buffers that a device cannot have: what was asked for, what there is, and what to do."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from renderwright.render.errors import BackendError
from renderwright.render.formats import FORMATS, Aspect, format_named
from renderwright.render.types.physical import BufferInfo, TextureInfo
from renderwright.render.types.usages import Usage

_USES = {
    Usage.COLOR: "a color attachment",
    Usage.DEPTH: "a depth attachment",
    Usage.DEPTH_READ: "a depth attachment",
    Usage.SAMPLED: "a sampled texture",
    Usage.STORAGE: "storage that shaders read and write",
    Usage.STORAGE_READ: "storage that shaders read",
    Usage.STORAGE_WRITE: "storage that shaders write",
    Usage.RESOLVE: "the target of a resolve",
}
_SUGGESTED = 4
"""The most formats that a hint lists."""


@dataclass(frozen=True)
class TextureLimits:
    """The most of everything that a texture of one format and its usages can have; ``samples`` are all that it can
    have. ``bytes`` is None where the device does not tell."""

    width: int
    height: int
    layers: int
    mips: int
    samples: tuple[int, ...]
    bytes: int | None = None


def require_usable(device: str, info: TextureInfo, usable: Callable[[str, Usage], bool]) -> None:
    """Raise ``BackendError`` unless textures of the format are ``usable(format, usage)`` for each of their usages."""
    for usage in sorted(info.usages):
        if not usable(info.format, usage):
            found = _similar(info.format, [name for name in FORMATS if usable(name, usage)])
            raise BackendError(
                f'{device} cannot use a texture of format "{info.format}" as {_USES.get(usage, usage.value)}',
                hint=f"use another format, such as {', '.join(found)}" if found else "no format can be used so",
            )


def require_texture(device: str, info: TextureInfo, most: TextureLimits) -> None:
    """Raise ``BackendError`` for a texture beyond a limit."""
    width, height = info.extent
    size = width * height * format_named(info.format).texel_bytes * info.layers * info.samples
    mips = min(most.mips, max(width, height, 1).bit_length())
    for possible, what, hint in (
        (
            0 < width <= most.width and 0 < height <= most.height,
            f"{width} x {height} texels",
            f"at least 1 x 1 and at most {most.width} x {most.height} texels are possible",
        ),
        (1 <= info.mips <= mips, f"{info.mips} mips", f"at most {mips} mips are possible at {width} x {height} texels"),
        (1 <= info.layers <= most.layers, f"{info.layers} layers", f"at most {most.layers} layers are possible"),
        (info.samples in most.samples, f"{info.samples} samples", f"{_numbers(most.samples)} samples are possible"),
        (
            most.bytes is None or size <= most.bytes,
            f"{size} bytes",
            f"at most {most.bytes} bytes are possible; use fewer texels or layers",
        ),
    ):
        if not possible:
            raise BackendError(f'{device} cannot have a texture of {what} in format "{info.format}"', hint=hint)


def require_buffer(device: str, info: BufferInfo, limits: Mapping[Usage, int], most: int | None = None) -> None:
    """Raise ``BackendError`` for a buffer beyond the most bytes of one of its usages, or of any buffer."""
    if info.size < 1:
        raise BackendError(f"{device} cannot have a buffer of {info.size} bytes", hint="give it at least one byte")
    for usage, allowed in limits.items():
        if usage in info.usages and info.size > allowed:
            instead = "split it, or read it as storage" if usage is Usage.UNIFORM else "split it"
            raise BackendError(
                f"{device} cannot have a {usage.replace('_', ' ')} buffer of {info.size} bytes",
                hint=f"at most {allowed} bytes are possible; {instead}",
            )
    if most is not None and info.size > most:
        raise BackendError(
            f"{device} cannot have a buffer of {info.size} bytes", hint=f"at most {most} bytes are possible; split it"
        )


def _similar(name: str, usable: Sequence[str]) -> list[str]:
    """The usable formats that are most like one of that name: of its aspect, then its channels, then its size."""
    wanted = format_named(name)
    color = wanted.aspect is Aspect.COLOR

    def difference(other: str) -> tuple[bool, bool, int]:
        found = FORMATS[other]
        return (
            (found.aspect is Aspect.COLOR) is not color,
            _channels(other) != _channels(name),
            abs(found.texel_bytes - wanted.texel_bytes),
        )

    return sorted((other for other in usable if FORMATS[other].name == other), key=difference)[:_SUGGESTED]


def _channels(name: str) -> frozenset[str]:
    return frozenset(name.partition("_")[0]) & frozenset("rgba")


def _numbers(numbers: Sequence[int]) -> str:
    *first, last = map(str, sorted(numbers))
    return f"{', '.join(first)} or {last}" if first else last
