"""Uniform blocks of several nodes with the values of the same blobs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from typing import Any

import pytest

from renderwright.render.backend.null.backend import NullBackend
from renderwright.render.graph.blob_cell import BlobCell
from renderwright.render.runtime.lowering.uniforms import BlockSource, UniformMemory
from renderwright.render.shaders.module import BindingKind, BlockMember, ShaderBinding

SCALE = BlockMember("scale", 0, "float")
BLOCK = ShaderBinding(0, 0, "block", BindingKind.UNIFORM_BUFFER, size=16, members=(SCALE,))
OTHER_LAYOUT = ShaderBinding(0, 0, "block", BindingKind.UNIFORM_BUFFER, size=32, members=(SCALE,))


@dataclass(frozen=True)
class Values:
    """A value of a blob."""

    scale: float


@dataclass
class Blob:
    """A blob, whose values are counted when they are packed."""

    cell: BlobCell
    packed: int = 0

    def give(self) -> Any:
        self.packed += 1
        return self.cell.value

    @property
    def source(self) -> BlockSource:
        return BlockSource(self.give, (self.cell,))


@pytest.fixture
def memory() -> Iterator[UniformMemory]:
    with closing(NullBackend()) as backend:
        memory = UniformMemory(backend)
        yield memory
        memory.destroy()


@pytest.fixture
def blob() -> Blob:
    blob = Blob(BlobCell())
    blob.cell.value = Values(1.0)
    return blob


def test_a_value_is_packed_once_for_all_nodes_that_have_it_in_a_block(memory: UniformMemory, blob: Blob) -> None:
    writers = [memory.block(node, BLOCK, node, 0, blob.source)[1] for node in ("one", "two", "three")]
    for value in (1.0, 2.0, 3.0):
        blob.cell.value = Values(value)
        for writer in writers:
            writer.write()
        assert len({bytes(writer.target) for writer in writers}) == 1
        assert writers[0].packer.pack(Values(value)) == writers[-1].target
    assert blob.packed == 3


def test_what_has_to_be_forgotten_is_packed_again(memory: UniformMemory, blob: Blob) -> None:
    writer = memory.block("one", BLOCK, "one", 0, blob.source)[1]
    writer.write()
    object.__setattr__(blob.cell.value, "scale", 2.0)  # in place: the cell does not know
    writer.forget()
    writer.write()
    assert writer.target == writer.packer.pack(Values(2.0))


def test_a_value_that_is_set_between_two_nodes_is_that_of_the_second(memory: UniformMemory, blob: Blob) -> None:
    first, second = (memory.block(node, BLOCK, node, 0, blob.source)[1] for node in ("one", "two"))
    for value in (2.0, 3.0):
        blob.cell.value = Values(value)
        first.write()
        blob.cell.value = Values(-value)
        second.write()
        assert first.target == first.packer.pack(Values(value))
        assert second.target == second.packer.pack(Values(-value))


def test_blocks_of_other_layouts_and_blobs_are_packed_apart(memory: UniformMemory, blob: Blob) -> None:
    other = Blob(BlobCell())
    other.cell.value = Values(5.0)
    shapes = ((BLOCK, blob), (OTHER_LAYOUT, blob), (BLOCK, other))
    writers = [memory.block(str(n), binding, "", 0, each.source)[1] for n, (binding, each) in enumerate(shapes)]
    for writer in writers:
        writer.write()
    assert [bytes(writer.target[:4]) for writer in writers] == [
        bytes(writer.packer.pack(each.cell.value)[:4]) for writer, (_, each) in zip(writers, shapes, strict=True)
    ]


def test_values_that_may_be_others_in_each_frame_are_packed_in_each(memory: UniformMemory, blob: Blob) -> None:
    writers = [memory.block(node, BLOCK, node, 0, BlockSource(blob.give))[1] for node in ("one", "two")]
    for _ in range(3):
        for writer in writers:
            writer.write()
    assert blob.packed == 6
