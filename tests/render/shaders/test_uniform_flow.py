"""Control flow that only uniforms decide is found, and no other."""

from __future__ import annotations

from pathlib import Path

import pytest

from renderwright.engine.options import PluginChoice, SettingChange
from renderwright.engine.renderer.blobs import CameraView
from renderwright.engine.renderer.lights.clusters import request_lights
from renderwright.engine.session import Session
from renderwright.games.marbles import Marbles
from renderwright.render.backend.null.backend import NullBackend
from renderwright.render.graph.declare import Execute
from renderwright.render.graph.registry import Registry
from renderwright.render.shaders.module import ShaderModule
from renderwright.render.shaders.spirv import SpirvError
from renderwright.render.shaders.uniform_flow import uniform_flow

BLOCK = """
layout(set = 0, binding = 0) uniform Block { int count; bool on; float limit; vec4 places[4]; } block;
layout(set = 0, binding = 1) uniform sampler2D source;
layout(push_constant) uniform Push { int mode; } push;
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 result;
int per_invocation(int value, int invocation) { return min(value, 65535 + invocation); }
bool per_invocation(bool condition, int invocation) { return (int(condition) | int(invocation == -1)) != 0; }
float lit(vec2 at) { return texture(source, at).r; }
"""

FOUND = [
    ("for (int i = 0; i < block.count; ++i) result += texture(source, uv * float(i));", ("block.count",)),
    ("for (int i = 0; i < min(block.count, 4) - 1; ++i) result += texture(source, uv * float(i));", ("block.count",)),
    ("if (block.on) result = texture(source, uv) * lit(uv.yx); else discard;", ("block.on",)),
    ("if (push.mode == 3) { for (int i = 0; i < 9; ++i) result += texture(source, uv * i); }", ("push.mode",)),
    ("switch (push.mode) { case 0: discard; case 1: result = texture(source, uv); }", ("push.mode",)),
    ("if (block.limit > 0.5 && lit(uv) > 0.5) discard;", ("block.limit",)),
    ("if (block.places[2].x > 1.0) discard;", ("block.places",)),
]
NOT_FOUND = [
    "for (int i = 0; i < 9; ++i) result += texture(source, uv * float(i));",
    "if (lit(uv) > block.limit) discard;",
    "float sum = 0.0; while (sum < block.limit) sum += lit(uv + sum); result += sum;",
    "for (int i = 0; i < per_invocation(block.count, int(gl_FragCoord.x)); ++i) result += lit(uv * i);",
    "if (per_invocation(block.on, int(gl_FragCoord.x))) discard;",
    "result *= block.limit * float(block.count);",
]


@pytest.mark.parametrize(("code", "members"), FOUND)
def test_found(compile_glsl, code: str, members: tuple[str, ...]) -> None:
    assert uniform_flow(_module(compile_glsl, code).spirv) == members


@pytest.mark.parametrize("code", NOT_FOUND)
def test_what_depends_on_the_invocation_is_not(compile_glsl, code: str) -> None:
    assert uniform_flow(_module(compile_glsl, code).spirv) == ()


def test_what_is_no_module() -> None:
    with pytest.raises(SpirvError):
        uniform_flow(b"no module")


@pytest.mark.parametrize(
    "settings",
    [(), (("tonemap", "auto_exposure", "true"), ("shadows", "edges", "pcss"), ("ssao", "quality", "full"))],
    ids=["as they come", "other variants"],
)
def test_no_shader_that_comes_with_us_does_so(settings: tuple[tuple[str, str, str], ...]) -> None:
    backend = NullBackend()
    changes = tuple(SettingChange(*change) for change in settings)
    effects = "ssao,taa,outline,fxaa,depth_of_field,motion_blur,fog,ssaa,vr,bloom,shadows,tonemap"
    choice = PluginChoice(enable=tuple(effects.split(",")), settings=changes)
    session = Session(Marbles, backend, (160, 90), choice=choice)
    session.runtime.update()
    modules = [loaded.module for loaded in session.runtime._library._loaded.values()]
    assert len(modules) > 30
    assert {module.file: uniform_flow(module.spirv) for module in modules if uniform_flow(module.spirv)} == {}
    session.close()


LIT_BY_A_NUMBER = """#version 450
#include "camera.glsl"
#include "lighting.glsl"
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 out_hdr;
layout(push_constant) uniform Push { float roughness; } push;
void main() {
    vec3 at = vec3(uv, 1.0), n = normalize(at);
    out_hdr = vec4(lit(at, n, towards_camera(at), vec3(1.0), 0.0, push.roughness, 1.0, 1.0, vec4(1.0), vec4(1.0)), 1.0);
}
"""


@pytest.mark.parametrize("skeleton", ["deferred", "forward"])
def test_light_on_a_surface_whose_roughness_is_a_number_of_a_plugin(tmp_path: Path, skeleton: str) -> None:
    (tmp_path / "smooth.frag").write_text(LIT_BY_A_NUMBER)

    def declare(reg: Registry) -> Execute:
        reg.modify("hdr_lit").color()
        reg.read("camera", CameraView)
        request_lights(reg)
        pipeline = reg.graphics("smooth.frag")
        return lambda cmd: cmd.draw(pipeline, roughness=0.5)

    class Lit(Marbles):
        """In that skeleton."""

    Lit.skeleton = skeleton
    session = Session(Lit, NullBackend(), (160, 90))
    session.graph.add_node("smooth", declare, shader_paths=[tmp_path])
    session.runtime.update()
    modules = [loaded.module for loaded in session.runtime._library._loaded.values()]
    assert [uniform_flow(module.spirv) for module in modules if module.file.endswith("smooth.frag")] == [()]
    session.close()


def _module(compile_glsl, code: str) -> ShaderModule:
    module = compile_glsl(f"{BLOCK}void main() {{ result = vec4(0.0); {code} }}")
    assert isinstance(module, ShaderModule)
    return module
