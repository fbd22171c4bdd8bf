from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from renderwright.render.errors import MissingToolError
from renderwright.render.shaders import ShaderCache, ShaderLibrary, ShaderModule, ShaderRequest, ShaderSource, expand
from renderwright.render.shaders.compiler import compile_batch
from renderwright.render.shaders.glslc import validate
from renderwright.render.shaders.portable import (
    COMPILED_FOLDER,
    count_compiled,
    find_compiled,
    portable_key,
    portable_text,
    write_compiled,
)
from renderwright.render.shaders.reflect import reflect
from renderwright.render.shaders.spirv import without_source
from renderwright.render.types.usages import ShaderStage

TINT = "#version 450\nvec3 tint() { return vec3(AMOUNT); }\n"
SHADER = """#version 450
#include "tint.glsl"
layout(location = 0) out vec4 color;
void main() { color = vec4(tint(), 1.0); }
"""
REQUEST = ShaderRequest(ShaderStage.FRAGMENT, "a.frag", defines=(("AMOUNT", "0.5"), ("HAS_DEPTH", "1")), node="a/b")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder of GLSL with one shader, which comes compiled."""
    folder = tmp_path / "here" / "glsl"
    folder.mkdir(parents=True)
    (folder / "a.frag").write_text(SHADER)
    (folder / "tint.glsl").write_text(TINT)
    source = ShaderLibrary([folder]).source(REQUEST)
    text = portable_text(source.text)
    (compiled,) = compile_batch([ShaderSource(source.stage, "a.frag", text)], ShaderCache(tmp_path / "author"))
    write_compiled(folder, {portable_key(source): compiled.spirv})
    return folder


def test_a_module_without_the_text_of_its_source_is_the_same_module(folder: Path) -> None:
    (compiled,) = compile_batch([ShaderLibrary([folder]).source(REQUEST)], ShaderCache(folder.parent / "whole"))
    less = without_source(compiled.spirv)
    assert b"vec4(tint(), 1.0)" in compiled.spirv
    assert b"vec4(tint(), 1.0)" not in less
    assert not validate(less)
    whole, same = (reflect(code, ShaderStage.FRAGMENT, "a.frag", "key") for code in (compiled.spirv, less))
    assert replace(same, spirv=whole.spirv) == whole


@pytest.fixture
def no_glslc(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")


def load(folder: Path, request: ShaderRequest = REQUEST) -> object:
    library = ShaderLibrary([folder], ShaderCache(folder.parent / "cache"))
    return library.load([request])[request]


def text_of(tmp_path: Path, name: str, body: str, *defines: tuple[str, str]) -> str:
    file = tmp_path / name / "a.frag"
    file.parent.mkdir()
    file.write_text(body)
    return portable_text(expand(file, (), defines).text)


def test_a_compiled_shader_needs_no_compiler_and_no_cache(folder: Path, no_glslc: None) -> None:
    module = load(folder)
    assert isinstance(module, ShaderModule)
    assert module.stage is ShaderStage.FRAGMENT
    assert not (folder.parent / "cache").exists()


def test_a_compiled_shader_is_found_wherever_it_is_installed(folder: Path, no_glslc: None, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere" / "glsl"
    shutil.copytree(folder, elsewhere)
    shutil.rmtree(folder)
    assert isinstance(load(elsewhere), ShaderModule)


@pytest.mark.parametrize("changed", ["a.frag", "tint.glsl"])
def test_a_changed_shader_needs_the_compiler(folder: Path, monkeypatch: pytest.MonkeyPatch, changed: str) -> None:
    path = folder / changed
    path.write_text(path.read_text().replace("AMOUNT", "2.0 * AMOUNT").replace("1.0)", "0.5)"))
    assert isinstance(load(folder), ShaderModule)
    shutil.rmtree(folder.parent / "cache")
    monkeypatch.setenv("PATH", "/nonexistent")
    error = load(folder)
    assert isinstance(error, MissingToolError)
    assert error.message == (
        'shader a.frag of node "a/b" is none of the shaders that come compiled, and the compiler glslc is not installed'
    )
    assert error.hint.startswith("run `renderwright precompile` again where glslc is installed")
    assert error.hint.endswith(": a.frag, a file that it includes or a define has changed since")


def test_another_value_of_a_define_needs_the_compiler(folder: Path, no_glslc: None) -> None:
    other = ShaderRequest(ShaderStage.FRAGMENT, "a.frag", defines=(("AMOUNT", "0.25"),))
    assert isinstance(load(folder, other), MissingToolError)


def test_a_define_that_the_shader_never_mentions_does_not_count(folder: Path, no_glslc: None) -> None:
    other = ShaderRequest(ShaderStage.FRAGMENT, "a.frag", defines=(("AMOUNT", "0.5"), ("HAS_FOG", "0")))
    assert isinstance(load(folder, other), ShaderModule)


def test_a_damaged_file_is_compiled_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (file,) = (folder / COMPILED_FOLDER).iterdir()
    file.write_bytes(file.read_bytes()[:-8])
    assert isinstance(load(folder), ShaderModule)
    assert len(list((folder.parent / "cache").glob("*.spv"))) == 1


def test_reading_does_not_touch_an_installed_file(folder: Path, no_glslc: None) -> None:
    (file,) = (folder / COMPILED_FOLDER).iterdir()
    before = file.stat().st_mtime_ns
    load(folder)
    assert file.stat().st_mtime_ns == before


def test_files_of_an_older_run_are_replaced(folder: Path) -> None:
    write_compiled(folder, {"0" * 40: b"code"})
    assert [path.name for path in (folder / COMPILED_FOLDER).iterdir()] == ["0" * 40 + ".spv"]
    assert count_compiled(folder) == 1
    write_compiled(folder, {})
    assert count_compiled(folder) == 0


def test_the_text_names_no_folder(tmp_path: Path) -> None:
    texts = {text_of(tmp_path, name, "void main() {}\n", ("UNUSED", "1")) for name in ("one", "two")}
    assert len(texts) == 1
    assert str(tmp_path) not in texts.pop()


def test_defines_stay_that_may_matter(tmp_path: Path) -> None:
    body = "#define VALUE A\nfloat x = VALUE;\nvoid main() {}\n"
    text = text_of(tmp_path, "used", body, ("A", "B"), ("B", "1.0"), ("C", "2.0"))
    assert "#define A B" in text
    assert "#define B 1.0" in text
    assert "#define C" not in text
    pasting = "#define JOIN(x, y) x##y\nfloat x = JOIN(L, EFT);\nvoid main() {}\n"
    assert "#define LEFT 1.0" in text_of(tmp_path, "pasted", pasting, ("LEFT", "1.0"))


def test_a_define_in_the_shader_is_no_define_of_the_request(tmp_path: Path) -> None:
    assert "#define MINE 1" in text_of(tmp_path, "own", "#define MINE 1\nvoid main() {}\n")


def test_nothing_is_found_without_a_folder(tmp_path: Path) -> None:
    assert find_compiled(ShaderSource(ShaderStage.COMPUTE, "a.comp", "void main() {}\n"), [tmp_path]) is None
