"""A compiled shader with its reflection."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property

from renderwright.render.formats import Numbers
from renderwright.render.shaders.dimensions import Dimension
from renderwright.render.shaders.image_formats import UNKNOWN
from renderwright.render.types.usages import ShaderStage

UNSIZED = 0
"""The count of an array of textures without length, which has as many as are bound."""


_PREFIXES = {Numbers.FLOATS: "", Numbers.INTEGERS: "i", Numbers.UNSIGNED: "u"}
"""Of the types of textures and images in GLSL, by their numbers."""


class BindingKind(StrEnum):
    """The kind of a shader binding."""

    SAMPLED = "sampled"
    STORAGE_TEXTURE = "storage_texture"
    UNIFORM_BUFFER = "uniform_buffer"
    STORAGE_BUFFER = "storage_buffer"


@dataclass(frozen=True)
class BlockMember:
    """A member of a uniform or push-constant block.

    ``type`` is a GLSL type name (``float``, ``vec3``, ``mat4``, ``int``, ``uvec2`` ...); ``count`` is 0 unless it is
    an array, whose elements are ``stride`` bytes apart. The columns of a matrix (its rows if ``row_major``) are
    ``matrix_stride`` bytes apart. Members of nested structs are listed by path (``sun.color``, ``lights[0].color``); an
    array of more than 64 structs stays one member, whose ``type`` is the struct's name.
    """

    name: str
    offset: int
    type: str
    count: int = 0
    stride: int = 0
    matrix_stride: int = 0
    row_major: bool = False


@dataclass(frozen=True)
class ShaderBinding:
    """One binding: ``name`` is the GLSL variable's name, or the block's name if a block has no variable name.

    ``count`` is the array length (1 if it is no array, ``UNSIZED`` if it has no length). ``shadow`` marks comparison
    samplers. ``members`` describe uniform blocks, ``dimension``, ``multisampled`` and ``numbers`` textures and images,
    ``format`` storage textures (GLSL's word, '' if the shader gives none). ``size`` is the bytes of a uniform block, or
    the fewest of a buffer under a storage block. ``writes`` is False for readonly storage, ``reads`` for writeonly
    storage.
    """

    set: int
    binding: int
    name: str
    kind: BindingKind
    count: int = 1
    shadow: bool = False
    writes: bool = False
    reads: bool = True
    size: int = 0
    members: tuple[BlockMember, ...] = ()
    dimension: Dimension = Dimension.D2
    format: str = UNKNOWN
    multisampled: bool = False
    numbers: Numbers = Numbers.FLOATS

    def texture_type(self, numbers: Numbers) -> str:
        """The type of a texture or an image of those ``numbers``, and otherwise like this one, as GLSL writes it."""
        kind = "sampler" if self.kind is BindingKind.SAMPLED else "image"
        dimension = self.dimension.replace("2D", "2DMS") if self.multisampled else self.dimension
        return f"{_PREFIXES[numbers]}{kind}{dimension}{'Shadow' if self.shadow else ''}"


@dataclass(frozen=True)
class StageVariable:
    """An input or output of a stage, ``locations`` from ``location`` on.

    ``type`` is a GLSL type name, '' if that is not numeric. ``count`` is 0 unless it is an array. A member of a struct
    or a block is named by its path (``surface.normal``).
    """

    location: int
    type: str
    name: str
    count: int = 0
    locations: int = 1

    @property
    def type_in_words(self) -> str:
        """The type as GLSL writes it."""
        return f"{self.type}[{self.count}]" if self.count else self.type

    @property
    def location_in_words(self) -> str:
        """The location, of a member of a struct with the member."""
        return f'{self.location} ("{self.name}")' if "." in self.name else str(self.location)


@dataclass(frozen=True)
class ShaderModule:
    """SPIR-V of one stage with its reflection.

    ``file`` is the GLSL source file and ``included`` those that it includes, for messages; ``key`` identifies the code.
    ``push_size`` is 0 if there are no push constants. ``reads`` and ``writes`` are the inputs and outputs with
    a location: a vertex shader's inputs are attributes, a fragment shader's outputs render targets. ``local_size`` is a
    compute shader's workgroup.
    """

    stage: ShaderStage
    file: str
    key: str
    spirv: bytes
    bindings: tuple[ShaderBinding, ...] = ()
    push_size: int = 0
    push_members: tuple[BlockMember, ...] = ()
    reads: tuple[StageVariable, ...] = ()
    writes: tuple[StageVariable, ...] = ()
    local_size: tuple[int, int, int] = (1, 1, 1)
    included: tuple[str, ...] = field(default=(), compare=False)

    def __hash__(self) -> int:
        """By the code alone, whose reflection is always the same: pipelines are looked up in each plan."""
        return hash((self.file, self.key))

    @cached_property
    def inputs(self) -> tuple[int, ...]:
        """The locations that it reads."""
        return _locations(self.reads)

    @cached_property
    def outputs(self) -> tuple[int, ...]:
        """The locations that it writes."""
        return _locations(self.writes)


def _locations(variables: tuple[StageVariable, ...]) -> tuple[int, ...]:
    taken = [range(variable.location, variable.location + variable.locations) for variable in variables]
    return tuple(sorted({location for locations in taken for location in locations}))
