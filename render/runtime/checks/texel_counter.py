"""Counts NaN and infinite texels on the device."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from struct import Struct

import numpy as np
from numpy.typing import NDArray

from renderwright.render.backend.protocol import (
    Backend,
    BindingSet,
    BoundBarrier,
    BufferBinding,
    Pipeline,
    PipelineDesc,
    Recorder,
)
from renderwright.render.backend.texels import texel_layout
from renderwright.render.compiler.values.operations import Op
from renderwright.render.compiler.values.plan import Plan
from renderwright.render.errors import ShaderError
from renderwright.render.runtime.checks.cells import cells_of
from renderwright.render.runtime.checks.poison import PoisonOp
from renderwright.render.runtime.checks.texels import CAPACITY, CountOp, Encoding, Output, encoding, with_counts
from renderwright.render.shaders.library import ShaderLibrary, ShaderRequest
from renderwright.render.sync.barriers import Barrier, BarrierReason
from renderwright.render.sync.flags import Access, Layout, Stage
from renderwright.render.types.parts import clipped
from renderwright.render.types.physical import BufferInfo, PhysicalBuffer, PhysicalTexture
from renderwright.render.types.usages import ShaderStage, Usage

_KINDS = (
    *((Encoding.HALF, channels) for channels in (1, 2, 4)),
    *((Encoding.FLOAT, channels) for channels in (1, 2, 4)),
    (Encoding.PACKED, 1),
)
_PUSH = Struct("=III")
_GROUP = 64
_WIDEST = 65535
"""The workgroups in one dimension that every device can run."""

WORDS = 3
"""The words of an output in the buffer of counts."""

LARGEST = 1 << 27
"""The bytes of a storage buffer that every device can bind; a larger mip of one layer is not looked at."""


@dataclass(frozen=True)
class _Scratch:
    """A buffer that texels are copied to, with its bindings by the kind of texel."""

    buffer: PhysicalBuffer
    bindings: dict[tuple[Encoding, int], BindingSet]


class TexelCounter:
    """Copies textures, one mip of one layer at a time, to a buffer that a compute shader counts in.

    Raises ``ShaderError`` if that shader does not compile.
    """

    def __init__(self, backend: Backend, library: ShaderLibrary) -> None:
        self._backend = backend
        self._pipelines = _pipelines(backend, library)
        size = WORDS * CAPACITY * 4
        self._counts = backend.create_buffer(BufferInfo(size, frozenset({Usage.STORAGE})), "check counts", bytes(size))
        # Lowered frames use them, so they stay.
        self._scratches: dict[int, _Scratch] = {}

    def record(self, op: CountOp, textures: Sequence[PhysicalTexture], recorder: Recorder) -> None:
        """Record the operation; ``textures`` are those of its outputs."""
        if not op.outputs:
            self._reset(recorder)
        for output, texture in zip(op.outputs, textures, strict=True):
            self._count(output, texture, recorder)

    def _reset(self, recorder: Recorder) -> None:
        recorder.full_barrier()
        recorder.fill_buffer(self._counts)
        recorder.full_barrier()

    def _count(self, output: Output, texture: PhysicalTexture, recorder: Recorder) -> None:
        """Count the texels of an output, between full barriers."""
        kind = _kind(texture)
        cells = [cell for cell in cells_of(output.part, texture.info) if cell.bytes <= LARGEST]
        if not cells:
            return
        source = output.layout if output.layout is Layout.GENERAL else Layout.TRANSFER_SRC
        recorder.full_barrier()
        _change(output, texture, (output.layout, source), recorder)
        for cell in cells:
            scratch = self._scratch(cell.bytes)
            recorder.copy_texels(texture, source, cell.mip, cell.layer, scratch.buffer)
            recorder.full_barrier()
            pipeline = self._pipelines[kind]
            recorder.bind_pipeline(pipeline)
            recorder.bind_set(pipeline, 0, scratch.bindings[kind])
            recorder.push(pipeline, _PUSH.pack(cell.texels, output.number, cell.first))
            groups = -(-cell.texels // _GROUP)
            rows = -(-groups // _WIDEST)
            recorder.dispatch(-(-groups // rows), rows)
            recorder.full_barrier()
        _change(output, texture, (source, output.layout), recorder)

    def read(self) -> NDArray[np.uint32]:
        """The counts of the last frame by number of the output: texels with a NaN, other texels with an infinity, and
        the inverted number of the first of both, by ``cells_of`` (0 if there is none).

        Waits for the frame.
        """
        return np.frombuffer(self._backend.read_buffer(self._counts), np.uint32).reshape(CAPACITY, WORDS)

    def close(self) -> None:
        """Destroy everything."""
        for scratch in self._scratches.values():
            for bindings in scratch.bindings.values():
                self._backend.destroy(bindings)
            self._backend.destroy(scratch.buffer)
        for pipeline in self._pipelines.values():
            self._backend.destroy(pipeline)
        self._backend.destroy(self._counts)

    def _scratch(self, size: int) -> _Scratch:
        """A scratch buffer of at least that size, which is a power of two."""
        size = max(1 << 16, 1 << (size - 1).bit_length())
        if size not in self._scratches:
            buffer = self._backend.create_buffer(BufferInfo(size, frozenset({Usage.STORAGE})), "check texels")
            named = {"Texels": BufferBinding(buffer), "Counts": BufferBinding(self._counts)}
            bindings = {
                kind: self._backend.create_bindings(pipeline, 0, named, "check")
                for kind, pipeline in self._pipelines.items()
            }
            self._scratches[size] = _Scratch(buffer, bindings)
        return self._scratches[size]


@dataclass(frozen=True)
class PlanCounts:
    """The counts of one plan's frames; ``whole`` is the plan with all its nodes."""

    counter: TexelCounter
    whole: Plan

    def woven(self, ops: Sequence[Op | PoisonOp], plan: Plan, parity: int) -> Sequence[Op | PoisonOp | CountOp]:
        """The operations of an even (0) or odd (1) frame with counts; ``plan`` is ``whole`` or a partial plan of it."""
        return with_counts(ops, plan, self.whole, parity)


def _kind(texture: PhysicalTexture) -> tuple[Encoding, int]:
    """The encoding and the number of a texture's channels."""
    encoded = encoding(texture.info.format)
    assert encoded is not None
    return encoded, texel_layout(texture.info.format).channels


def _change(output: Output, texture: PhysicalTexture, layouts: tuple[Layout, Layout], recorder: Recorder) -> None:
    """Record a change of layout of the output, between everything before and everything after."""
    if layouts[0] is layouts[1]:
        return
    everything = (Stage.ALL_COMMANDS, Access.MEMORY_READ | Access.MEMORY_WRITE)
    mips, layers = clipped(output.part.mips, texture.info.mips), output.part.layers
    barrier = Barrier(
        output.resource, 0, *everything, *everything, *layouts, BarrierReason.LAYOUT, mips=mips, layers=layers
    )
    recorder.barriers([BoundBarrier(barrier, texture)])


def _pipelines(backend: Backend, library: ShaderLibrary) -> dict[tuple[Encoding, int], Pipeline]:
    requests = {
        kind: ShaderRequest(
            ShaderStage.COMPUTE,
            "count_nonfinite.comp",
            defines=tuple(sorted({kind[0].value: "1", "CHANNELS": f"{kind[1]}u"}.items())),
            node="check",
        )
        for kind in _KINDS
    }
    modules = library.load(requests.values())
    pipelines = {}
    for kind, request in requests.items():
        module = modules[request]
        if isinstance(module, ShaderError):
            raise module
        pipelines[kind] = backend.create_pipeline(PipelineDesc("check", (module,)))
    return pipelines
