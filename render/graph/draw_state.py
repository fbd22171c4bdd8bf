"""What a node has bound while it records, and whether a draw or a dispatch can run with it."""

from __future__ import annotations

from typing import NoReturn

from renderwright.render.errors import GraphError
from renderwright.render.graph.bound_pipeline import BoundPipeline, SetLayout
from renderwright.render.graph.command_checks import refuse_range
from renderwright.render.graph.source import caller_location
from renderwright.render.types.physical import PhysicalBuffer

INDEX_BYTES = 4


class DrawState:
    """The pipeline, descriptor sets and buffers that a node has bound; ``in_pass`` if it has render targets.

    ``viewport_changed``: the next node of the pass expects the full one again. Every check raises ``GraphError`` at the
    caller's line.
    """

    def __init__(self, *, in_pass: bool) -> None:
        self.in_pass = in_pass
        self.pipeline: BoundPipeline | None = None
        self.sets: dict[int, SetLayout] = {}
        self.vertices: tuple[PhysicalBuffer, int] | None = None
        self.indices: tuple[PhysicalBuffer, int] | None = None
        self.viewport_changed = False

    def reset(self) -> None:
        """Forget everything, at the start of a frame."""
        self.pipeline = self.vertices = self.indices = None
        self.sets.clear()
        self.viewport_changed = False

    def bind_set(self, bound: BoundPipeline, number: int) -> None:
        """Descriptor set ``number`` of a pipeline is bound; its shaders have to use it."""
        layout = bound.sets.get(number)
        if layout is None:
            raise GraphError(
                f'node "{bound.name}" binds descriptor set {number}, which the shaders of its pipeline do not use',
                hint=f"they use {', '.join(map(str, sorted(bound.sets))) or 'none'}",
                where=caller_location(),
            )
        self.sets[number] = layout

    def require_drawable(self, *, indexed: bool = False) -> None:
        """Require all that a draw needs except push constants."""
        bound, wrong = self.pipeline, ""
        if bound is None:
            wrong, hint = "without a pipeline", "call cmd.bind(pipeline) before it"
        elif bound.computes:
            wrong, hint = "with a compute pipeline", "cmd.dispatch runs it"
        elif not self.in_pass:
            wrong, hint = "without render targets", "request a texture by .color() or .depth()"
        elif self.vertices is None and bound.has_vertices:
            wrong, hint = "without a vertex buffer", "call cmd.vertices(handle.buffer) before it"
        elif indexed and self.indices is None:
            wrong, hint = "without an index buffer", "call cmd.indices(handle.buffer) before it"
        if wrong:
            raise GraphError(f"a node draws {wrong}", hint=hint, where=caller_location())
        if bound is not None:
            self._require_sets(bound)

    def require_vertices(self, vertices: int) -> None:
        """Require that the vertex buffer has that many vertices, if the pipeline reads one."""
        bound = self.pipeline
        if bound is None or self.vertices is None or not vertices:
            return
        (stride, read), (buffer, offset) = bound.vertex_bytes, self.vertices
        room = max(0, buffer.info.size - offset)
        if not read or (vertices - 1) * stride + read <= room:
            return
        present = (room - read) // stride + 1 if room >= read else 0
        drawn = f"{vertices} {'vertex' if vertices == 1 else 'vertices'}"
        behind = f" from byte {offset} on" if offset else ""
        raise GraphError(
            f'node "{bound.name}" draws {drawn} with {bound.pipeline.desc.modules[0].file}, but the '
            f'vertex buffer "{buffer.name}" has {present}: {room} bytes{behind} with a stride of {stride}',
            hint=f"draw at most {present}, or make the buffer {offset + vertices * stride} bytes large",
            where=caller_location(),
        )

    def require_indices(self, first: int, count: int) -> None:
        """Require that the index buffer has ``count`` indices from ``first`` on."""
        if self.indices is not None and count:
            buffer, offset = self.indices
            start, end = offset + first * INDEX_BYTES, offset + (first + count) * INDEX_BYTES
            if end > buffer.info.size:
                refuse_range("an indexed draw reads", buffer, start, end)

    def require_computing(self) -> None:
        """Require all that a dispatch needs except push constants."""
        bound = self.pipeline
        name, wrong = "a node" if bound is None else f'node "{bound.name}"', ""
        if bound is None:
            wrong, hint = "without a pipeline", "call cmd.bind(pipeline) before it"
        elif not bound.computes:
            wrong, hint = "a graphics pipeline", "cmd.draw runs it"
        elif self.in_pass and bound.covers is None:
            wrong, hint = "in a node with render targets", "add a node of its own for it"
        if wrong:
            raise GraphError(f"{name} dispatches {wrong}", hint=hint, where=caller_location())
        if bound is not None:
            self._require_sets(bound)

    def require_transfer(self, verb: str) -> None:
        """Require that a node that ``verb``s (fills, clears, copies) is in no pass."""
        if self.in_pass:
            raise GraphError(
                f"a node with render targets {verb} by cmd.recorder, which no render pass can",
                hint="add a node of its own for it",
                where=caller_location(),
            )

    def _require_sets(self, bound: BoundPipeline) -> None:
        for number, layout in bound.sets.items():
            given = self.sets.get(number)
            if given is not layout and given != layout:
                _refuse_set(bound, number, lacking=given is None)


def _refuse_set(bound: BoundPipeline, number: int, *, lacking: bool) -> NoReturn:
    """Raise ``GraphError`` at the caller's line: a descriptor set is not bound, or that of another pipeline is."""
    runs = f'node "{bound.name}" runs its pipeline'
    wrong = f"{runs} with descriptor set {number} of another one"
    hint = f"call cmd.bind_set(pipeline, {number}, bindings) before it"
    if number == 0:
        hint = "call cmd.bind(pipeline) before it"
    if lacking:
        wrong = f"{runs} without descriptor set {number}: {bound.first_binding(number)}"
    if lacking and number:
        hint += ", or declare its bindings in set 0 and request them"
    raise GraphError(wrong, hint=hint, where=caller_location())
