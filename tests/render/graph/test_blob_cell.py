"""Cells of CPU values tell their readers about other values."""

from __future__ import annotations

import gc
from dataclasses import dataclass

import numpy as np
import pytest

from renderwright.render.graph.blob_cell import BlobCell


class Reader:
    """Counts what it is told."""

    def __init__(self) -> None:
        self.touched = 0

    def touch(self) -> None:
        self.touched += 1


@dataclass(frozen=True)
class Value:
    """Compares for good."""

    number: int


@pytest.fixture
def cell() -> BlobCell:
    cell = BlobCell()
    cell.value = Value(1)
    return cell


def test_a_reader_is_told_once_of_each_other_value(cell: BlobCell) -> None:
    reader = Reader()
    for _ in range(3):
        cell.watch(reader)
    cell.value = Value(2)
    cell.value = Value(2)
    cell.value = Value(3)
    assert reader.touched == 2


def test_values_that_could_have_been_changed_in_place_count_each_time(cell: BlobCell) -> None:
    reader, array = Reader(), np.zeros(2)
    cell.watch(reader)
    before = cell.revision
    for _ in range(3):
        cell.value = array
    assert reader.touched == cell.revision - before == 3


def test_readers_are_not_kept_alive(cell: BlobCell) -> None:
    readers = [Reader() for _ in range(4)]
    for reader in readers:
        cell.watch(reader)
    first = readers[0]
    del reader, readers
    gc.collect()
    cell.value = Value(2)
    assert first.touched == 1
    assert len(cell._readers) == 1


def test_a_reader_may_go_while_others_are_told(cell: BlobCell) -> None:
    others = [Reader() for _ in range(4)]

    class Last(Reader):
        def touch(self) -> None:
            super().touch()
            others.clear()

    last = Last()
    for reader in (last, *others):
        cell.watch(reader)
    del reader
    cell.value = Value(2)
    cell.value = Value(3)
    assert last.touched == 2
