from __future__ import annotations

import pytest

from renderwright.render.formats import FORMATS, Aspect
from renderwright.render.shaders.image_formats import UNKNOWN, fits, repair

WITHOUT = {"bgra8_unorm", "rgba8_srgb", "bgra8_srgb"}
"""Color formats that no SPIR-V image format matches."""


def image_of(compile_glsl, qualifier: str) -> str:
    """The format that reflection reads from a shader with that qualifier."""
    prefix = "u" if qualifier.endswith("ui") else "i" if qualifier.endswith("i") else ""
    declaration = f"layout(binding = 0{', ' if qualifier else ''}{qualifier}) uniform writeonly {prefix}image2D t;"
    body = f"layout(local_size_x = 1) in;\n{declaration}\nvoid main() {{ imageStore(t, ivec2(0), {prefix}vec4(1)); }}"
    (binding,) = compile_glsl(body, stage="compute").bindings
    return binding.format


COLOR = sorted(name for name, found in FORMATS.items() if found.aspect is Aspect.COLOR)


@pytest.mark.parametrize("texture", [name for name in COLOR if name not in WITHOUT])
def test_one_qualifier_fits_each_texture_format(compile_glsl, texture):
    qualifier = repair(UNKNOWN, texture).removeprefix("write layout(").removesuffix(") in the shader")
    assert image_of(compile_glsl, qualifier) == qualifier
    assert [other for other in COLOR if fits(qualifier, other)] == [texture]


def test_an_image_without_a_format_fits_every_texture(compile_glsl):
    assert image_of(compile_glsl, "") == UNKNOWN
    assert all(fits(UNKNOWN, texture) for texture in COLOR)


def test_the_repair_names_both_ways():
    assert repair("r32f", "r16_sfloat") == "write layout(r16f) in the shader, or make the texture r32_sfloat"
    assert repair("rgba8", "bgra8_unorm") == "make the texture rgba8_unorm"
