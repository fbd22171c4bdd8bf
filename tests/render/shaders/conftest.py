from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from renderwright.render.shaders import ShaderCache, ShaderModule, ShaderSource, compile_batch, reflect
from renderwright.render.types.usages import ShaderStage

CompileGlsl = Callable[..., ShaderModule]


@pytest.fixture(scope="session")
def shader_cache(tmp_path_factory: pytest.TempPathFactory) -> ShaderCache:
    """A cache of this test run alone."""
    return ShaderCache(tmp_path_factory.mktemp("shader-cache"))


@pytest.fixture(scope="session")
def compile_glsl(shader_cache: ShaderCache) -> CompileGlsl:
    """``compile_glsl(body, stage="fragment", file=...)``: the reflected module of a GLSL text without ``#version``."""

    def compile_text(body: str, stage: str = "fragment", file: str = "test.glsl") -> ShaderModule:
        source = ShaderSource(ShaderStage(stage), file, f"#version 450\n{body}\n")
        shader = compile_batch([source], shader_cache)[0]
        if shader.error:
            raise shader.error
        return reflect(shader.spirv, source.stage, file, shader.key)

    return compile_text


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str, str], Path]:
    """``write("folder/name", text)``: a file below the test's folder."""

    def write_file(name: str, text: str) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    return write_file
