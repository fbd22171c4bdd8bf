"""Files are written beside their name: a failure leaves the old file, and nothing else."""

from __future__ import annotations

import os
import resource
import signal
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from renderwright.render.files.writing import NewFile, replacing


@contextmanager
def room_for(count: int) -> Iterator[None]:
    """Files may have ``count`` bytes in this process, as on a disk that is full then."""
    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (count, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, before)


def write(path: Path, data: bytes) -> None:
    with replacing(path) as file:
        file.write(data)


def test_a_file_has_its_name_when_it_is_complete(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old")
    with replacing(path) as file:
        file.write(b"new")
        file.flush()
        assert path.read_bytes() == b"old"
    assert path.read_bytes() == b"new"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("count", [100, 100_000])
def test_a_full_disk_leaves_the_old_file(tmp_path: Path, count: int) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old")
    with room_for(50), pytest.raises(OSError, match="File too large"):
        write(path, bytes(count))
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_an_interrupt_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old")

    def interrupted() -> None:
        with replacing(path) as file:
            file.write(b"new")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_folder_in_the_way_is_an_error_and_nothing_stays(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(IsADirectoryError):
        write(tmp_path / "folder", b"new")
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]


def test_permissions_are_those_of_the_old_file_or_of_any_new_one(tmp_path: Path) -> None:
    old, new, plain = (tmp_path / name for name in ("old", "new", "plain"))
    old.write_bytes(b"")
    old.chmod(0o640)
    plain.write_bytes(b"")
    write(old, b"1")
    write(new, b"1")
    assert stat.S_IMODE(old.stat().st_mode) == 0o640
    assert new.stat().st_mode == plain.stat().st_mode


def test_a_link_keeps_pointing_to_the_file(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("real")
    for data in (b"first", b"second"):
        write(tmp_path / "link", data)
        assert (tmp_path / "link").readlink() == Path("real")
        assert (tmp_path / "real").read_bytes() == data


def test_a_device_is_written_and_never_replaced(tmp_path: Path) -> None:
    write(Path("/dev/null"), b"gone")
    assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)
    with pytest.raises(OSError, match="No space left"):
        write(Path("/dev/full"), b"too much")
    assert stat.S_ISCHR(Path("/dev/full").stat().st_mode)


def test_a_long_name_has_room_for_its_unfinished_file(tmp_path: Path) -> None:
    path = tmp_path / ("ä" * 120)
    write(path, b"new")
    assert path.read_bytes() == b"new"


def test_commit_and_discard_may_be_called_again(tmp_path: Path) -> None:
    path = tmp_path / "file"
    new = NewFile(path)
    new.file.write(b"new")
    new.commit()
    new.commit()
    new.discard()
    assert path.read_bytes() == b"new"
    assert os.listdir(tmp_path) == ["file"]
