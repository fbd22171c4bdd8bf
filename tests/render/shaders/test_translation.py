"""Translation of SPIR-V to OpenGL's GLSL."""

from __future__ import annotations

from pathlib import Path

import pytest

from renderwright.render.errors import MissingToolError, ShaderError
from renderwright.render.shaders import ShaderCache, ShaderLibrary, ShaderModule, ShaderRequest
from renderwright.render.shaders.beyond_opengl import is_beyond_opengl
from renderwright.render.shaders.compiler import COMPILED_FOLDER
from renderwright.render.shaders.opengl_words import PUSH_PLACE, place_of
from renderwright.render.shaders.portable import remove_compiled
from renderwright.render.shaders.translation import (
    Translations,
    translate,
    with_units,
    write_translation,
)
from renderwright.render.types.usages import ShaderStage

TWO_SETS = """#version 450
layout(set = 0, binding = 0) uniform sampler2D first;
layout(set = 1, binding = 0) uniform sampler2D second[3];
layout(set = 1, binding = 1) uniform Block { vec4 floor; } block;
layout(push_constant) uniform Push { PUSHED } push;
layout(location = 0) out vec4 color;
void main() {
    color = texture(first, vec2(0.5)) + texture(second[2], vec2(0.5)) * block.floor + float(push.USED);
}
"""


def load(folder: Path, pushed: str, used: str) -> ShaderModule:
    path = folder / "two_sets.frag"
    path.write_text(TWO_SETS.replace("PUSHED", pushed).replace("USED", used))
    request = ShaderRequest(ShaderStage.FRAGMENT, str(path))
    module = ShaderLibrary(cache=ShaderCache(folder / "cache")).load([request])[request]
    assert isinstance(module, ShaderModule)
    return module


def test_bindings_have_a_number_of_their_own_through_all_sets(tmp_path: Path) -> None:
    text = translate(load(tmp_path, "float one;", "one"))
    units = {place_of(0, 0): 0, place_of(1, 0): 1, place_of(1, 1): 7, PUSH_PLACE: 8}
    given = with_units(text, units)
    assert "layout(binding = 0) uniform sampler2D first;" in given
    assert "layout(binding = 1) uniform sampler2D second[3];" in given
    assert "layout(binding = 7, std140) uniform Block" in given
    assert "layout(binding = 8, std140) uniform Push" in given


def test_push_constants_that_no_uniform_block_holds_are_a_storage_block(tmp_path: Path) -> None:
    text = translate(load(tmp_path, "float many[4]; mat2 turn;", "many[3] + push.turn[1].x"))
    assert f"layout(binding = {PUSH_PLACE}, std430) readonly buffer Push" in text


def test_a_translation_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module = load(tmp_path, "float one;", "one")
    text = Translations(tmp_path / "kept").get(module)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert Translations(tmp_path / "kept").get(module) == text
    with pytest.raises(MissingToolError, match="spirv-cross is not installed") as caught:
        Translations(tmp_path / "other").get(module)
    assert "apt install spirv-cross" in caught.value.hint


def test_a_translation_may_come_beside_the_shader(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module = load(tmp_path, "float one;", "one")
    (tmp_path / COMPILED_FOLDER).mkdir()
    write_translation(tmp_path, module)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert "uniform sampler2D first" in Translations(tmp_path / "empty").get(module)
    remove_compiled(tmp_path)
    with pytest.raises(MissingToolError):
        Translations(tmp_path / "empty").get(module)


BEYOND = {
    "views": """#version 450
#extension GL_EXT_multiview : require
layout(location = 0) out vec4 color;
void main() { color = vec4(gl_ViewIndex); }
""",
    "length": """#version 450
#extension GL_EXT_nonuniform_qualifier : require
layout(set = 1, binding = 0) uniform sampler2D many[];
layout(location = 0) flat in int which;
layout(location = 0) out vec4 color;
void main() { color = texture(many[nonuniformEXT(which)], vec2(0.5)); }
""",
    "subgroups": """#version 450
#extension GL_KHR_shader_subgroup_arithmetic : require
layout(location = 0) out vec4 color;
void main() {
    float own = gl_FragCoord.x;
    color = vec4(subgroupAdd(own));
}
""",
}


@pytest.mark.parametrize("name", BEYOND)
def test_what_no_pipeline_of_opengl_has_is_not_translated(tmp_path: Path, name: str) -> None:
    path = tmp_path / f"{name}.frag"
    path.write_text(BEYOND[name])
    request = ShaderRequest(ShaderStage.FRAGMENT, str(path))
    module = ShaderLibrary(cache=ShaderCache(tmp_path / "cache")).load([request])[request]
    assert isinstance(module, ShaderModule)
    assert is_beyond_opengl(module)
    assert not is_beyond_opengl(load(tmp_path, "float one;", "one"))


def test_a_feature_that_opengl_lacks_is_told_with_its_line_and_what_to_do(tmp_path: Path) -> None:
    path = tmp_path / "adding.frag"
    path.write_text(BEYOND["subgroups"])
    request = ShaderRequest(ShaderStage.FRAGMENT, str(path))
    module = ShaderLibrary(cache=ShaderCache(tmp_path / "cache")).load([request])[request]
    assert isinstance(module, ShaderModule)
    with pytest.raises(ShaderError) as caught:
        Translations(tmp_path).get(module)
    assert caught.value.message == "fragment shader uses subgroup operations, which OpenGL does not have"
    assert caught.value.hint == "exchange values through shared memory and barrier(), or play with --backend vulkan"
    assert caught.value.where is not None
    assert (Path(caught.value.where.file).name, caught.value.where.line) == ("adding.frag", 6)


def test_code_that_is_no_module_is_rejected_by_its_file(tmp_path: Path) -> None:
    module = ShaderModule(ShaderStage.COMPUTE, "broken.comp", "key", b"not SPIR-V at all, but words")
    with pytest.raises(ShaderError, match=r"broken\.comp cannot be translated"):
        Translations(tmp_path).get(module)
