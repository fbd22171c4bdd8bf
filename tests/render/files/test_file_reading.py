"""Files that others made: plain ones are read, to a limit; nothing else is."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from renderwright.render.files.reading import read_file, read_start, read_text


def test_a_plain_file_is_read_whole_up_to_the_limit(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"12345")
    assert read_file(path, 5) == b"12345"
    with pytest.raises(OSError, match="larger than 4 bytes") as raised:
        read_file(path, 4)
    assert raised.value.strerror == "it is larger than 4 bytes"


def test_a_start_is_no_more_than_was_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(bytes(range(256)) * 8192)
    assert read_start(path, 3) == b"\0\1\2"
    assert read_start(path, 0) == b""
    assert read_start(path, 1 << 40) == path.read_bytes()


def test_a_sparse_file_takes_no_memory(tmp_path: Path) -> None:
    path = tmp_path / "sparse"
    with path.open("wb") as file:
        file.truncate(1 << 40)
    with pytest.raises(OSError, match="larger than 1 MiB"):
        read_file(path, 1 << 20)


def test_what_never_ends_is_not_begun(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "socket"))
        for path in (tmp_path / "fifo", tmp_path / "socket", tmp_path, Path("/dev/zero"), Path("/dev/tty")):
            with pytest.raises(OSError, match=r"not a plain file|is a folder|No such device"):
                read_start(path, 10)


def test_a_link_to_a_fifo_is_no_plain_file_either(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    (tmp_path / "link").symlink_to("fifo")
    with pytest.raises(OSError, match="not a plain file"):
        read_text(tmp_path / "link", 100)


def test_a_file_that_states_no_size_is_read_to_the_limit_only() -> None:
    kernel = Path("/proc/self/maps")
    assert kernel.stat().st_size == 0
    with pytest.raises(OSError, match="larger than 10 bytes"):
        read_file(kernel, 10)
    assert read_file(kernel, 1 << 24)


def test_text_is_utf_8_with_plain_line_ends(tmp_path: Path) -> None:
    path = tmp_path / "text"
    path.write_bytes("ä\r\nb\rc".encode())
    assert read_text(path, 100) == "ä\nb\nc" == path.read_text(encoding="utf-8")
    path.write_bytes(b"\xff")
    with pytest.raises(UnicodeDecodeError):
        read_text(path, 100)
