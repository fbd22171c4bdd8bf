from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from renderwright.render.disk_cache import cache_folder, prune, prune_at_times, read_checked, write_checked

MAGIC = b"TEST0001"


def entry(folder: Path, name: str, size: int, age: float) -> Path:
    path = folder / name
    path.write_bytes(b"x" * size)
    os.utime(path, (time.time() - age,) * 2)
    return path


def test_folders_are_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RENDERWRIGHT_CACHE_DIR", "/chosen")
    assert cache_folder("pipelines") == Path("/chosen/pipelines")


def test_round_trip(tmp_path: Path) -> None:
    path = tmp_path / "new" / "entry"
    assert read_checked(path, MAGIC) is None
    write_checked(path, MAGIC, b"first")
    write_checked(path, MAGIC, b"second")
    assert read_checked(path, MAGIC) == b"second"
    assert [each.name for each in path.parent.iterdir()] == ["entry"]


@pytest.mark.parametrize("position", [0, 9, -1])
def test_what_is_damaged_or_of_another_kind_is_not_there(tmp_path: Path, position: int) -> None:
    path = tmp_path / "entry"
    write_checked(path, MAGIC, b"content")
    assert read_checked(path, b"TEST0002") is None
    data = bytearray(path.read_bytes())
    data[position] ^= 1
    path.write_bytes(data)
    assert read_checked(path, MAGIC) is None


def test_what_was_not_used_for_longest_goes_first(tmp_path: Path) -> None:
    old, middle, new = (entry(tmp_path, name, 100, age) for name, age in (("b", 300), ("c", 200), ("a", 100)))
    prune(tmp_path, 300)
    assert old.exists()
    prune(tmp_path, 250)
    assert [path.exists() for path in (old, middle, new)] == [False, True, True]
    prune(tmp_path, 0)
    assert list(tmp_path.iterdir()) == []


def test_reading_is_a_use(tmp_path: Path) -> None:
    for name in ("a", "b"):
        write_checked(tmp_path / name, MAGIC, b"content")
        os.utime(tmp_path / name, (time.time() - 1000,) * 2)
    read_checked(tmp_path / "a", MAGIC)
    prune(tmp_path, (tmp_path / "a").stat().st_size)
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


def test_what_dead_writers_left_goes_and_what_is_being_written_stays(tmp_path: Path) -> None:
    dead, busy = entry(tmp_path, "x.tmp", 10, 7200), entry(tmp_path, "y.tmp", 10, 1)
    prune(tmp_path, 0)
    assert (dead.exists(), busy.exists()) == (False, True)


def test_a_folder_is_not_looked_through_again_soon(tmp_path: Path) -> None:
    def left(name: str) -> bool:
        path = entry(tmp_path, name, 100, 300)
        prune_at_times(tmp_path, 50)
        return path.exists()

    assert not left("first")
    assert left("soon")
    mark = tmp_path / "pruned"
    for age in (3600, -3600):  # long ago, or by a clock that was wrong
        os.utime(mark, (time.time() - age,) * 2)
        assert not left("later")
    prune_at_times(tmp_path / "nowhere", 0)
    assert list(tmp_path.iterdir()) == [mark]


def test_a_folder_that_is_not_there_needs_no_pruning(tmp_path: Path) -> None:
    prune(tmp_path / "nowhere", 0)
    assert not list(tmp_path.iterdir())


def test_an_entry_that_is_no_plain_file_is_not_read_and_is_replaced(tmp_path: Path) -> None:
    for name in ("fifo", "link"):
        path = tmp_path / name
        if name == "fifo":
            os.mkfifo(path)
        else:
            path.symlink_to(tmp_path / "fifo")
        assert read_checked(path, MAGIC) is None
    for path in sorted(tmp_path.iterdir(), reverse=True):
        write_checked(path, MAGIC, b"content")
        assert (path.is_symlink(), read_checked(path, MAGIC)) == (False, b"content")


def test_an_entry_beyond_the_limit_is_not_read_and_is_replaced(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "sparse"
    with path.open("wb") as file:
        file.truncate(1 << 40)
    assert read_checked(path, MAGIC, 7) is None
    assert "it is larger than" in caplog.text
    write_checked(path, MAGIC, b"content")
    assert read_checked(path, MAGIC, 7) == b"content"
    assert read_checked(path, MAGIC, 6) is None
