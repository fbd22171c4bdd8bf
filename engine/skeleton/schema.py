"""The description format of skeletons, version 1, as pydantic models.

The models check shapes and single values. ``references.py`` checks references between parts of a file.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Discriminator, Field, Tag, field_validator, model_validator

from renderwright.engine.skeleton.problems import shown
from renderwright.engine.skeleton.words import (
    Clear,
    FirstAndCount,
    FirstWord,
    FormatName,
    Name,
    Number,
    QueueWord,
    Scale,
    StageWord,
    StateValue,
    Texels,
    UsageWord,
    wrong,
)
from renderwright.render.formats import Aspect, format_named
from renderwright.render.graph.requests import OLDEST, FirstFrame
from renderwright.render.suggest import near_words
from renderwright.render.types.usages import READ_ONLY_USAGES, Usage

VERSION = 1
DIMENSIONS = ("view", "eye", "sample", "tile")

_BUFFER_ONLY = frozenset({Usage.UNIFORM, Usage.VERTEX, Usage.INDEX, Usage.INDIRECT})
_TEXTURE_ONLY = frozenset({Usage.COLOR, Usage.DEPTH, Usage.DEPTH_READ, Usage.SAMPLED, Usage.RESOLVE, Usage.PRESENT})


_MIP = "The mip level that is used; 0 is the largest. Default: all."
_MIPS = "The first mip level that is used, and the number of levels. Default: all."
_LAYER = "The layer that is used. Default: all."
_CUBE = "Whether each six layers are the faces of a cube, which shaders sample by direction."
_LAYERS = "The first layer that is used, and the number of layers. Default: all."


class Entry(BaseModel):
    """A mapping of the format: known keys only, no conversions."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


# resolutions and chains ---------------------------------------------------------------------------------------------


class SizedResolution(Entry):
    """A resolution with a fixed size, in texels (width, height)."""

    size: tuple[Texels, Texels]


class ScaledResolution(Entry):
    """A resolution derived from another one by the factor ``scale``."""

    of: Name
    scale: Scale = 1.0


class ChainEntry(Entry):
    """A chain of image effects between two resource names."""

    input: Name
    output: Name


class ChainMemberEntry(Entry):
    """A node's place in a chain."""

    before: tuple[Name, ...] = ()
    after: tuple[Name, ...] = ()
    priority: int = Field(default=0, ge=-1_000_000, le=1_000_000)


# created resources --------------------------------------------------------------------------------------------------


class ExternalTexture(Entry):
    """A texture that the application owns. ``usage`` is how the node itself uses it, if it does."""

    texture: FormatName
    resolution: Name | None = None
    scale: Scale = 1.0
    size: tuple[Texels, Texels] | None = None
    mips: int = Field(default=1, ge=1, le=15)
    layers: int = Field(default=1, ge=1, le=2048)
    samples: Literal[1, 2, 4, 8, 16, 32, 64] = 1
    cube: bool = Field(default=False, description=_CUBE)
    mip: Number | None = Field(default=None, description=_MIP)
    layer: Number | None = Field(default=None, description=_LAYER)
    usage: UsageWord | None = None
    stage: StageWord | None = None
    clear: Clear | None = None

    @model_validator(mode="after")
    def _consistent(self) -> ExternalTexture:
        if (self.resolution is None) == (self.size is None):
            raise wrong('a texture needs either "resolution" or "size"')
        for what, number, count in (("mip", self.mip, self.mips), ("layer", self.layer, self.layers)):
            if number is not None and number >= count:
                raise wrong(f'"{what}" counts from 0 and must be less than {count}; got {number}')
        if self.size is not None and self.scale != 1.0:
            raise wrong('"scale" needs "resolution", not "size"')
        if self.cube and (self.size is None or self.size[0] != self.size[1] or self.layers % 6 or self.samples != 1):
            raise wrong('a cube needs a square "size", a multiple of 6 layers, and one sample')
        depth = format_named(self.texture).aspect is not Aspect.COLOR
        if self.usage in _BUFFER_ONLY:
            raise wrong(f"a texture cannot be used as {self.usage}")
        if depth and self.usage in (Usage.COLOR, Usage.RESOLVE):
            raise wrong(f"{self.texture} is a depth format; its usage cannot be {self.usage}")
        if not depth and self.usage in (Usage.DEPTH, Usage.DEPTH_READ):
            raise wrong(f"{self.texture} is a color format; its usage cannot be {self.usage}")
        if depth and isinstance(self.clear, tuple):
            raise wrong("a depth texture is cleared to one number, such as 0.0 for infinitely far")
        if not depth and isinstance(self.clear, float):
            raise wrong("a color texture is cleared to [red, green, blue, alpha]")
        return self


class CreatedTexture(ExternalTexture):
    """A texture of the graph."""

    usage: UsageWord


class ExternalBuffer(Entry):
    """A buffer that the application owns, in bytes."""

    buffer: int = Field(ge=1, le=1 << 40)
    usage: UsageWord | None = None
    stage: StageWord | None = None

    @field_validator("usage")
    @classmethod
    def _fits_buffers(cls, usage: Usage | None) -> Usage | None:
        if usage in _TEXTURE_ONLY:
            raise wrong(f"a buffer cannot be used as {usage}")
        return usage


class CreatedBuffer(ExternalBuffer):
    """A buffer of the graph, in bytes."""

    usage: UsageWord


class BlobEntry(Entry):
    """A CPU value, by the name of its type."""

    blob: Name


# uses of resources --------------------------------------------------------------------------------------------------


class ModifyUse(Entry):
    """A texture or buffer, or a part of a texture, that the node writes to."""

    usage: UsageWord
    stage: StageWord | None = None
    optional: bool = False
    mip: Number | None = Field(default=None, description=_MIP)
    mips: FirstAndCount | None = Field(default=None, description=_MIPS)
    layer: Number | None = Field(default=None, description=_LAYER)
    layers: FirstAndCount | None = Field(default=None, description=_LAYERS)

    @model_validator(mode="after")
    def _one_part(self) -> Self:
        for one, several in (("mip", "mips"), ("layer", "layers")):
            if getattr(self, one) is not None and getattr(self, several) is not None:
                raise wrong(f'either "{one}" or "{several}", not both')
        return self


class ReadUse(ModifyUse):
    """A texture or buffer that the node reads."""

    @field_validator("usage")
    @classmethod
    def _only_reads(cls, usage: Usage) -> Usage:
        if usage not in READ_ONLY_USAGES:
            raise wrong(f"{usage} is a write under read; move it to modify, or use {_reading()}")
        return usage


class HistoryUse(ReadUse):
    """A texture or buffer of the previous frame, or of ``frames`` frames ago. ``first`` is its content at the start."""

    first: FirstWord = FirstFrame.CLEAR
    frames: int = Field(1, ge=1, le=OLDEST)


class RenameUse(Entry):
    """A texture or buffer that gets a new name."""

    to: Name
    usage: UsageWord | None = None
    stage: StageWord | None = None
    optional: bool = False


class BlobUse(BlobEntry):
    """A CPU value that the node uses."""

    optional: bool = False


class BlobHistory(BlobUse):
    """A CPU value of the previous frame."""

    first: FirstWord = FirstFrame.CLEAR


class BlobRename(BlobUse):
    """A CPU value that gets a new name."""

    to: Name


def _reading() -> str:
    return ", ".join(usage for usage in Usage if usage in READ_ONLY_USAGES)


# unions -------------------------------------------------------------------------------------------------------------

TAGGED: dict[str, type[Entry]] = {
    "<size>": SizedResolution,
    "<of>": ScaledResolution,
    "<create texture>": CreatedTexture,
    "<create buffer>": CreatedBuffer,
    "<external texture>": ExternalTexture,
    "<external buffer>": ExternalBuffer,
    "<blob>": BlobEntry,
    "<modify usage>": ModifyUse,
    "<read usage>": ReadUse,
    "<history usage>": HistoryUse,
    "<rename usage>": RenameUse,
    "<use blob>": BlobUse,
    "<history blob>": BlobHistory,
    "<rename blob>": BlobRename,
}
"""Alternatives of the unions below, by their tags in the locations of validation errors."""


def _by_key(tags: dict[str, str], fallback: str = "") -> Discriminator:
    """Choose the alternative by its key. A misspelt key counts, so that it is reported as misspelt."""

    def choose(value: Any) -> str | None:
        if not isinstance(value, dict):
            return next(iter(tags.values()))
        for key, tag in tags.items():
            if key in value:
                return tag
        for word in value:
            near = near_words(word, tuple(tags))
            if near:
                return tags[near[0]]
        return tags.get(fallback)

    keys = ", ".join(tags)
    return Discriminator(choose, custom_error_type="wrong", custom_error_message=f"needs one of the keys {keys}")


Created = Annotated[
    Annotated[CreatedTexture, Tag("<create texture>")]
    | Annotated[CreatedBuffer, Tag("<create buffer>")]
    | Annotated[BlobEntry, Tag("<blob>")],
    _by_key({"texture": "<create texture>", "buffer": "<create buffer>", "blob": "<blob>"}),
]
External = Annotated[
    Annotated[ExternalTexture, Tag("<external texture>")]
    | Annotated[ExternalBuffer, Tag("<external buffer>")]
    | Annotated[BlobEntry, Tag("<blob>")],
    _by_key({"texture": "<external texture>", "buffer": "<external buffer>", "blob": "<blob>"}),
]
Modify = Annotated[
    Annotated[ModifyUse, Tag("<modify usage>")] | Annotated[BlobUse, Tag("<use blob>")],
    _by_key({"usage": "<modify usage>", "blob": "<use blob>"}),
]
Read = Annotated[
    Annotated[ReadUse, Tag("<read usage>")] | Annotated[BlobUse, Tag("<use blob>")],
    _by_key({"usage": "<read usage>", "blob": "<use blob>"}),
]
History = Annotated[
    Annotated[HistoryUse, Tag("<history usage>")] | Annotated[BlobHistory, Tag("<history blob>")],
    _by_key({"usage": "<history usage>", "blob": "<history blob>"}),
]
Rename = Annotated[
    Annotated[RenameUse, Tag("<rename usage>")] | Annotated[BlobRename, Tag("<rename blob>")],
    _by_key({"blob": "<rename blob>", "usage": "<rename usage>"}, fallback="usage"),
]
ResolutionEntry = Annotated[
    Annotated[SizedResolution, Tag("<size>")] | Annotated[ScaledResolution, Tag("<of>")],
    _by_key({"size": "<size>", "of": "<of>"}),
]


# nodes and the file -------------------------------------------------------------------------------------------------


_MULTIPLEX = "Dimensions that the node repeats over. Default: those of all its resources except gathered ones."
_MULTIVIEW = "Dimension over which the node may be drawn with multiview, if the device supports it."
_EVERY = "Interval in frames at which the node runs. Its results keep their contents in between."
_PHASE = 'The node runs in frames whose number modulo "every" is this.'
_WHEN = "The node runs in frames in which this blob differs from its value at the node's last run."


def _without_default(schema: dict[str, Any]) -> None:
    """Drop the default from the schema: an absent key is not the same as an empty list."""
    schema.pop("default", None)


class NodeEntry(Entry):
    """A node: its resources and its position in the frame."""

    name: Name
    multiplex: tuple[Name, ...] = Field(default=(), description=_MULTIPLEX, json_schema_extra=_without_default)
    multiview: Name | None = Field(default=None, description=_MULTIVIEW)
    priority: int = Field(default=0, ge=-1_000_000, le=1_000_000)
    queue: tuple[QueueWord, ...] = Field(default=("graphics",), min_length=1, validate_default=True)
    cost: float = Field(default=1.0, ge=0, le=1e9, allow_inf_nan=False)
    before: tuple[Name, ...] = ()
    after: tuple[Name, ...] = ()
    side_effects: bool = False
    every: int | None = Field(default=None, ge=1, le=1_000_000, description=_EVERY)
    phase: int = Field(default=0, ge=0, le=1_000_000, description=_PHASE)
    when: Name | None = Field(default=None, description=_WHEN)
    state: dict[Name, StateValue] = {}
    create: dict[Name, Created] = {}
    external: dict[Name, External] = {}
    modify: dict[Name, Modify] = {}
    read: dict[Name, Read] = {}
    history: dict[Name, History] = {}
    rename: dict[Name, Rename] = {}
    gather: dict[Name, Read] = {}
    chain: dict[Name, ChainMemberEntry] = {}

    @model_validator(mode="after")
    def _one_rate(self) -> NodeEntry:
        if self.every is not None and self.when is not None:
            raise wrong('a node has one rate: either "every" or "when"')
        if self.phase >= (self.every or 1) and self.phase:
            raise wrong(f'"phase" needs "every" and must be less than it; got {self.phase}')
        return self


class SkeletonEntry(Entry):
    """A skeleton frame graph."""

    version: int
    name: Name | None = None
    dimensions: tuple[Name, ...] = DIMENSIONS
    resolutions: dict[Name, ResolutionEntry] = {}
    slots: dict[Name, Name] = {}
    chains: dict[Name, ChainEntry] = {}
    sinks: tuple[Name, ...] = ()
    nodes: tuple[NodeEntry, ...] = ()

    @field_validator("version")
    @classmethod
    def _known_version(cls, version: int) -> int:
        if version != VERSION:
            raise wrong(f"unknown version {shown(version)}; this program reads version {VERSION}")
        return version


def entry_at(path: tuple[str | int, ...]) -> type[Entry]:
    """Model of the mapping at a validation error's location."""
    if path and path[-1] in TAGGED:
        return TAGGED[str(path[-1])]
    if not path:
        return SkeletonEntry
    if path[0] == "chains":
        return ChainEntry
    return ChainMemberEntry if len(path) == 4 else NodeEntry
