from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from renderwright.engine.precompile.library import RecordingLibrary
from renderwright.engine.precompile.variants import completed
from renderwright.render.shaders import ShaderRequest
from renderwright.render.types.usages import ShaderStage


def request(*defines: tuple[str, str], file: str = "a.frag", node: str = "n") -> ShaderRequest:
    return ShaderRequest(ShaderStage.FRAGMENT, file, ("folder",), defines, node)


def defines_of(requests: list[ShaderRequest]) -> set[tuple[tuple[str, str], ...]]:
    assert len(set(requests)) == len(requests)
    return {request.defines for request in requests}


def test_settings_combine() -> None:
    found = completed(
        [request(("A", "1"), ("B", "1")), request(("A", "2"), ("B", "1")), request(("A", "1"), ("B", "2"))]
    )
    assert defines_of(found) == {(("A", a), ("B", b)) for a in "12" for b in "12"}


def test_optional_resources_stay_in_the_combinations_of_the_graph() -> None:
    shadows = (("HAS_LIGHT", "1"), ("HAS_SUN", "1"))
    nothing = (("HAS_LIGHT", "0"), ("HAS_SUN", "0"))
    found = completed([request(*shadows, ("STEP", "1")), request(*nothing, ("STEP", "2"))])
    assert defines_of(found) == {(*present, ("STEP", step)) for present in (shadows, nothing) for step in "12"}


def test_each_variant_draws_one_view_or_several() -> None:
    found = completed([request(("A", "1"), ("VIEWS", "2")), request(("A", "2"))])
    assert defines_of(found) == {(("A", a), *views) for a in "12" for views in ((), (("VIEWS", "2"),))}


def test_each_variant_has_a_table_of_images_or_none() -> None:
    found = completed([request(("A", "1"), ("HAS_SCENE_IMAGES", "0")), request(("A", "2"), ("HAS_SCENE_IMAGES", "0"))])
    assert defines_of(found) == {(("A", a), ("HAS_SCENE_IMAGES", table)) for a in "12" for table in "01"}


def test_a_value_counts_for_nodes_without_the_optional_resource() -> None:
    found = completed([request(("HAS_ALBEDO", "1"), ("STEP", "1")), request(("STEP", "2"))])
    assert defines_of(found) == {
        (*present, ("STEP", step)) for present in ((), (("HAS_ALBEDO", "1"),)) for step in "12"
    }


def test_nodes_with_other_defines_do_not_mix() -> None:
    found = completed([request(("A", "1")), request(("B", "1"), node="m"), request(file="b.frag")])
    assert {(one.file, one.defines) for one in found} == {
        ("a.frag", (("A", "1"),)),
        ("a.frag", (("B", "1"),)),
        ("b.frag", ()),
    }
    assert {one.node for one in found} == {""}


def test_a_full_screen_shader_is_compiled_both_ways() -> None:
    drawn = replace(request(("A", "1")), fullscreen=True, srgb=(0,))
    found = completed([drawn, replace(drawn, defines=(("A", "1"), ("VIEWS", "2"))), request(file="b.frag")])
    stages = {(one.file, one.stage, one.defines) for one in found}
    assert len(stages) == len(found)
    assert {one.srgb for one in found if one.file == "a.frag"} == {(0,)}
    assert stages == {
        ("a.frag", ShaderStage.FRAGMENT, (("A", "1"),)),
        ("a.frag", ShaderStage.FRAGMENT, (("A", "1"), ("VIEWS", "2"))),
        ("a.frag", ShaderStage.COMPUTE, (("A", "1"),)),
        ("b.frag", ShaderStage.FRAGMENT, ()),
    }


def test_a_node_that_does_not_ask_for_what_depends_on_the_scene_has_a_variant_without_it() -> None:
    asked, other = request(("HAS_VISIBLE_INSTANCES", "1")), request(("A", "1"))
    for requests in ([asked, other], [other, asked]):
        found = {one.defines for one in completed(requests)}
        assert {(("HAS_VISIBLE_INSTANCES", "0"),), (("HAS_VISIBLE_INSTANCES", "1"),), (("A", "1"),)} <= found


def test_resources_that_exist_together_are_missing_together() -> None:
    clusters = ("HAS_LIGHT_CLUSTERS", "HAS_SCENE_LIGHTS")
    found = completed([request(*((name, "0") for name in clusters), ("HAS_SUN", "1"))])
    assert defines_of(found) == {(*((name, value) for name in clusters), ("HAS_SUN", "1")) for value in "01"}


def test_defines_that_a_shader_never_mentions_make_no_variant(tmp_path: Path) -> None:
    (tmp_path / "a.frag").write_text('#include "used.glsl"\nvoid main() {}\n')
    (tmp_path / "used.glsl").write_text("#if USED\n#endif\n")
    library = RecordingLibrary()
    used = [(value, other) for value in "01" for other in "01"]
    requests = [
        ShaderRequest(ShaderStage.FRAGMENT, "a.frag", (str(tmp_path),), (("OTHER", other), ("USED", value)))
        for value, other in used
    ]
    assert library.distinct(requests) == [requests[0], requests[2]]
