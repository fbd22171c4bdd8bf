"""What is kept of a job, and what is rendered again."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from farm_works import Counted

from renderwright.engine.farm import store as store_module
from renderwright.engine.farm.store import JOURNAL, Store
from renderwright.engine.farm.work import Made, Piece
from renderwright.render.errors import UsageError
from renderwright.render.files import writing

WORK = Counted(4)


def piece(number: int) -> Piece:
    return Piece(number, Made(str(number).encode(), f"digest {number}"))


@pytest.fixture
def filled(tmp_path: Path) -> Path:
    store = Store(tmp_path, WORK)
    for number in (0, 2, 3):
        store.put(piece(number))
    return tmp_path


def test_what_is_whole_is_not_missing(filled: Path) -> None:
    store = Store(filled, WORK)
    assert store.missing(range(4)) == (1,)
    assert store.data(2) == b"2"
    assert store.digest(2) == "digest 2"


def test_a_file_that_was_cut_off_is_missing(filled: Path) -> None:
    (filled / "2.txt").write_bytes(b"")
    assert Store(filled, WORK).missing(range(4)) == (1, 2)


def test_a_file_that_is_gone_is_missing(filled: Path) -> None:
    (filled / "3.txt").unlink()
    assert Store(filled, WORK).missing(range(4)) == (1, 3)


def test_a_file_without_a_line_is_missing(filled: Path) -> None:
    (filled / "1.txt").write_bytes(b"1")
    assert Store(filled, WORK).missing(range(4)) == (1,)


def test_a_line_that_a_crash_has_cut_off_costs_its_piece(filled: Path) -> None:
    journal = filled / JOURNAL
    journal.write_text(journal.read_text()[:-20])
    assert Store(filled, WORK).missing(range(4)) == (1, 3)


def test_a_source_that_has_changed_costs_its_pieces(filled: Path) -> None:
    assert Store(filled, replace(WORK, source="edited")).missing(range(4)) == (0, 1, 2, 3)


def test_pieces_beyond_the_job_are_kept_for_a_longer_one(filled: Path) -> None:
    Store(filled, replace(WORK, count=1)).missing(range(1))
    assert Store(filled, WORK).missing(range(4)) == (1,)


def test_pieces_of_another_job_are_refused_with_what_differs(filled: Path) -> None:
    with pytest.raises(UsageError, match="another job: counted was 1, and is 2") as failure:
        Store(filled, replace(WORK, version="2"))
    assert "--anew" in failure.value.hint
    assert (filled / "2.txt").exists()


def test_anew_forgets_the_pieces_of_another_job(filled: Path) -> None:
    other = replace(WORK, version="2")
    assert Store(filled, other, anew=True).missing(range(4)) == (0, 1, 2, 3)
    assert Store(filled, other).missing(range(4)) == (0, 1, 2, 3)


def test_a_folder_that_cannot_be_written_is_one_message(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(UsageError, match="nothing can be written"):
        Store(tmp_path / "file", WORK)


def test_a_full_disk_names_what_is_whole(filled: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = Store(filled, WORK)
    store.missing(range(4))

    def full(*arguments: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(
        UsageError, match="No space left on device; what was rendered until then is whole: 3"
    ) as failure:
        store.put(piece(1))
    assert "goes on" in failure.value.hint
    monkeypatch.undo()
    assert Store(filled, WORK).missing(range(4)) == (1,)
    assert [file.name for file in sorted(filled.iterdir())] == ["0.txt", "2.txt", "3.txt", JOURNAL]


def interrupted_at(line: int, work: Callable[[], None]) -> bool:
    """Raise ``KeyboardInterrupt`` before the so many-th line of the store's and the writer's that some work runs.

    Returns whether the work has so many lines.
    """
    files, passed, before = {store_module.__file__, writing.__file__}, 0, sys.gettrace()

    def trace(frame: FrameType, event: str, argument: Any) -> Any:
        nonlocal passed
        if frame.f_code.co_filename not in files:
            return None
        if event == "line":
            passed += 1
            if passed == line:
                raise KeyboardInterrupt
        return trace

    sys.settrace(trace)
    try:
        work()
    except KeyboardInterrupt:
        return True
    finally:
        sys.settrace(before)
    return False


def test_an_interrupt_in_a_put_comes_when_the_piece_is_whole(tmp_path: Path) -> None:
    line = 2  # before the first line nothing has begun
    while True:
        folder = tmp_path / str(line)
        store = Store(folder, WORK)
        store.put(piece(0))
        if not interrupted_at(line, partial(store.put, piece(1))):
            break
        assert store.missing(range(4)) == (2, 3), f"an interrupt before line {line}"
        assert Store(folder, WORK).missing(range(4)) == (2, 3), f"an interrupt before line {line}"
        line += 1
    assert line > 10
