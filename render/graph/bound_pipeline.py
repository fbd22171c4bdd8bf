"""A node's pipeline with its resources bound."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from renderwright.render.backend.protocol import BindingSet, Pipeline
from renderwright.render.errors import SourceLocation
from renderwright.render.shaders.declared import Declarations
from renderwright.render.shaders.module import BindingKind
from renderwright.render.shaders.push import PushPacker
from renderwright.render.types.pipeline_state import bytes_of_a_vertex
from renderwright.render.types.resources import Extent
from renderwright.render.types.usages import ShaderStage

SetLayout = frozenset[tuple[int, str, BindingKind, int]]
"""The bindings of a descriptor set: number, name, kind and count."""


@dataclass(frozen=True)
class BoundPipeline:
    """A node's pipeline with its resources bound, and the packer of its push constants.

    ``requested`` is the line that requested it. ``unused`` collects the push constants that a call gave although no
    shader uses them, by name, with the call. ``covers`` is the extent of the node's render targets if the pipeline
    writes all of them, full screen.
    """

    requested: SourceLocation
    pipeline: Pipeline
    bindings: BindingSet | None
    push: PushPacker
    local_size: tuple[int, int, int]
    covers: Extent | None = None
    unused: dict[str, SourceLocation] = field(default_factory=dict, compare=False)

    @property
    def name(self) -> str:
        """The pipeline's name, which is the node's."""
        return self.pipeline.desc.name

    @cached_property
    def computes(self) -> bool:
        """Whether it is a compute pipeline."""
        return self.pipeline.desc.modules[0].stage is ShaderStage.COMPUTE

    @cached_property
    def has_vertices(self) -> bool:
        """Whether it reads a vertex buffer."""
        return any(key == "vertex" and value for key, value in self.pipeline.desc.state)

    @cached_property
    def vertex_bytes(self) -> tuple[int, int]:
        """The stride of its vertices and the bytes of one that its shaders read; (0, 0) without a vertex buffer."""
        state = dict(self.pipeline.desc.state)
        return state.get("vertex_stride", 0), bytes_of_a_vertex(state.get("vertex", ()))

    @cached_property
    def sets(self) -> Mapping[int, SetLayout]:
        """The layouts of the descriptor sets that its shaders use, by number."""
        every = [binding for module in self.pipeline.desc.modules for binding in module.bindings]
        return {
            number: frozenset((each.binding, each.name, each.kind, each.count) for each in every if each.set == number)
            for number in {each.set for each in every}
        }

    def first_binding(self, number: int) -> str:
        """The first binding of a descriptor set, and where the shaders declare it, in words."""
        place, name, *_ = min(self.sets[number])
        return f'its binding {place} is "{name}" at {Declarations.of(name, self.pipeline.desc.modules)}'

    @property
    def push_files(self) -> str:
        """The names of the shaders' files that have push constants."""
        return " and ".join(Path(module.file).name for module in self.pipeline.desc.modules if module.push_members)
