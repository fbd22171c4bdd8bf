"""Arrays that are made once, kept in the cache folder, and made anew when their inputs change."""

from __future__ import annotations

import zlib
from pathlib import Path

import numpy as np
import pytest

from renderwright.render.disk_cache import MOST_ENTRY_BYTES, cache_folder, write_checked
from renderwright.render.kept_arrays import _MAGIC, Arrays, MadeBy, kept_arrays


class Maker:
    """Makes random arrays, which differ each time, and counts how often."""

    def __init__(self) -> None:
        self.calls = 0

    def __call__(self) -> Arrays:
        self.calls += 1
        random = np.random.default_rng(self.calls)
        table = np.zeros(2, [("x", np.int32), ("advance", np.float64)])
        table["advance"] = random.random(2)
        return {"noise": random.random((5, 7)), "bytes": random.integers(0, 256, (3, 4), np.uint8), "table": table}


def paint() -> None:
    """Stands for a function that makes arrays."""


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RENDERWRIGHT_CACHE_DIR", str(tmp_path))
    return cache_folder("things")


def kept(make: Maker, *arguments: object, versions: tuple[str, ...] = ()) -> Arrays:
    return kept_arrays("things", MadeBy(paint, arguments, versions), make)


def same(a: Arrays, b: Arrays) -> bool:
    return a.keys() == b.keys() and all(a[name].dtype == b[name].dtype and (a[name] == b[name]).all() for name in a)


def test_what_is_kept_is_what_was_made() -> None:
    make = Maker()
    made = kept(make, 1)
    assert same(kept(make, 1), made)
    assert make.calls == 1


def test_other_arguments_and_versions_are_other_arrays() -> None:
    make = Maker()
    for arguments, versions in (((1,), ()), ((2,), ()), ((1,), ("2.0",)), ((1,), ("2.1",))):
        kept(make, *arguments, versions=versions)
    assert make.calls == 4


def test_another_source_is_another_digest(tmp_path: Path) -> None:
    digests = []
    for text in ("def paint(): return 1", "def paint(): return 2"):
        file = tmp_path / "painter.py"
        file.write_text(text)
        names: dict[str, object] = {"__name__": "painter"}
        exec(compile(text, str(file), "exec"), names)
        function = names["paint"]
        assert callable(function)
        digests.append(MadeBy(function, ()).digest)
    assert len(set(digests)) == 2


def test_a_damaged_entry_is_made_anew_and_stored(cache: Path) -> None:
    make = Maker()
    kept(make)
    (entry,) = cache.iterdir()
    data = bytearray(entry.read_bytes())
    data[len(data) // 2] ^= 1
    entry.write_bytes(data)
    made = kept(make)
    assert make.calls == 2
    assert same(kept(make), made)
    assert make.calls == 2


CONTENTS = {
    "bytes": lambda: b"neither packed nor an array",
    "text": lambda: zlib.compress(b"packed, and no array"),
    "too large": lambda: zlib.compress(bytes(MOST_ENTRY_BYTES + 1)),
    "torn": lambda: zlib.compress(b"PK\x03\x04 a torn archive"),
}


@pytest.mark.parametrize("kind", CONTENTS)
def test_an_entry_with_other_content_is_made_anew(kind: str, cache: Path) -> None:
    content = CONTENTS[kind]()
    make = Maker()
    kept(make)
    (entry,) = cache.iterdir()
    write_checked(entry, _MAGIC, content)
    made = kept(make)
    assert make.calls == 2
    assert same(kept(make), made)


def test_without_a_folder_they_are_made_each_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "file"
    file.touch()
    monkeypatch.setenv("RENDERWRIGHT_CACHE_DIR", str(file))
    make = Maker()
    assert not same(kept(make), kept(make))
    assert make.calls == 2
