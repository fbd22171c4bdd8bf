from __future__ import annotations

from pathlib import Path

import pytest

from renderwright.render.shaders import ShaderCache, ShaderSource, compile_batch
from renderwright.render.shaders.cache import default_cache_folder
from renderwright.render.types.usages import ShaderStage


def test_folder(monkeypatch):
    monkeypatch.setenv("RENDERWRIGHT_CACHE_DIR", "/chosen")
    assert default_cache_folder() == Path("/chosen/shaders")
    monkeypatch.delenv("RENDERWRIGHT_CACHE_DIR")
    monkeypatch.setenv("XDG_CACHE_HOME", "/xdg")
    assert default_cache_folder() == Path("/xdg/renderwright/shaders")
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", "/home/someone")
    assert default_cache_folder() == Path("/home/someone/.cache/renderwright/shaders")


def test_round_trip_leaves_one_file(tmp_path):
    cache = ShaderCache(tmp_path / "new")
    assert cache.get("k") is None
    cache.put("k", b"first")
    cache.put("k", b"second")
    assert cache.get("k") == b"second"
    assert [path.name for path in cache.folder.iterdir()] == ["k.spv"]


@pytest.mark.parametrize("damage", ["flip", "cut", "empty"])
def test_a_damaged_entry_is_compiled_again(tmp_path, damage):
    cache = ShaderCache(tmp_path)
    source = ShaderSource(ShaderStage.COMPUTE, "a.comp", "#version 450\nlayout(local_size_x = 1) in; void main() {}\n")
    first = compile_batch([source], cache)[0]
    path = cache.path(first.key)
    data = bytearray(path.read_bytes())
    data[-10] ^= 1
    path.write_bytes({"flip": bytes(data), "cut": bytes(data[:-4]), "empty": b""}[damage])
    again = compile_batch([source], cache)[0]
    assert not again.cached
    assert again.spirv == first.spirv
    assert compile_batch([source], cache)[0].cached


def test_an_unwritable_folder_is_no_error(tmp_path, caplog):
    (tmp_path / "file").write_text("")
    cache = ShaderCache(tmp_path / "file")
    cache.put("k", b"data")
    assert cache.get("k") is None
    assert "cannot write" in caplog.text
