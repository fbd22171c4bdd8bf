"""What the processes of a test run share is made once."""

from __future__ import annotations

import multiprocessing
from pathlib import Path

import pytest
from wheels import made_once

CONTEXT = multiprocessing.get_context("spawn")


def _fill(folder: Path) -> None:
    with (folder.parent / "calls").open("a") as calls:
        calls.write("x")
    assert list(folder.iterdir()) == []
    (folder / "file").write_text("filled")


def _fail(folder: Path) -> None:
    (folder / "file").write_text("half")
    raise RuntimeError("no room")


def test_one_of_several_processes_makes_it(tmp_path: Path) -> None:
    with CONTEXT.Pool(3) as pool:
        folders = pool.starmap(made_once, [(tmp_path / "common", _fill)] * 9)
    assert len(set(folders)) == 1
    assert (folders[0] / "file").read_text() == "filled"
    assert (tmp_path / "common" / "calls").read_text() == "x"


def test_after_a_failure_the_next_one_tries(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="no room"):
        made_once(tmp_path / "common", _fail)
    assert (made_once(tmp_path / "common", _fill) / "file").read_text() == "filled"
