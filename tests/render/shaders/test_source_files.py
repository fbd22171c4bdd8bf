"""Texts of shaders that are held until others are taken."""

from __future__ import annotations

from pathlib import Path

import pytest

from renderwright.render.shaders.includes import expand
from renderwright.render.shaders.source_files import HeldFiles, SourceFiles


def test_a_held_text_stays_until_it_is_taken(tmp_path: Path) -> None:
    files, path = HeldFiles(), tmp_path / "fog.glsl"
    path.write_text("one", encoding="utf-8")
    assert files.read(path) == "one"
    before = files.stamp(path)
    path.write_text("two", encoding="utf-8")
    assert (files.read(path), files.stamp(path)) == ("one", before)
    taken = files.take([path])
    assert files.read(path) == "two"
    assert files.stamp(path) != before
    files.put_back(taken)
    assert (files.read(path), files.stamp(path)) == ("one", before)


def test_the_same_text_and_unread_files_are_no_change(tmp_path: Path) -> None:
    files, path, other = HeldFiles(), tmp_path / "fog.glsl", tmp_path / "snow.glsl"
    path.write_text("one", encoding="utf-8")
    other.write_text("one", encoding="utf-8")
    files.read(path)
    before = files.stamp(path)
    path.write_text("one", encoding="utf-8")
    assert files.take([path, other]) == {}
    assert files.stamp(path) == before
    assert files.paths == {path.resolve()}


def test_a_file_that_is_gone(tmp_path: Path) -> None:
    files, path = HeldFiles(), tmp_path / "fog.glsl"
    path.write_text("one", encoding="utf-8")
    files.read(path)
    path.unlink()
    assert files.exists(path)
    taken = files.take([path])
    assert not files.exists(path)
    with pytest.raises(OSError, match=r"fog\.glsl"):
        files.read(path)
    files.put_back(taken)
    assert files.read(path) == "one"


def test_includes_are_read_from_the_held_texts(tmp_path: Path) -> None:
    files, root, part = HeldFiles(), tmp_path / "fog.frag", tmp_path / "part.glsl"
    root.write_text('#include "part.glsl"\n', encoding="utf-8")
    part.write_text("float one;\n", encoding="utf-8")
    first = expand(root, [], files=files).text
    part.write_text("float two;\n", encoding="utf-8")
    assert expand(root, [], files=files).text == first
    assert "two" in expand(root, [], files=SourceFiles()).text


@pytest.mark.parametrize("files", [SourceFiles(), HeldFiles()])
def test_a_name_that_no_file_can_have_is_that_of_no_file(files: SourceFiles, tmp_path: Path) -> None:
    loop = tmp_path / "loop.frag"
    loop.symlink_to(loop)
    for path in (tmp_path / ("x" * 5000), loop):
        assert not files.exists(path)
