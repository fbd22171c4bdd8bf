"""What a stereo frame does twice, and what once."""

from __future__ import annotations

from collections import Counter
from typing import ClassVar

import pytest

from renderwright.engine.frame import build_frame
from renderwright.engine.game import Game
from renderwright.engine.options import PluginChoice
from renderwright.engine.renderer.frame_input import FrameInput
from renderwright.engine.renderer.gpu_scene import GpuScene
from renderwright.engine.scene import Scene
from renderwright.render.backend.null import NullBackend
from renderwright.render.compiler.pipeline import compile_snapshot
from renderwright.render.compiler.values.options import CompileOptions
from renderwright.render.compiler.values.plan import Plan
from renderwright.render.memory.needs import RowMajorModel
from renderwright.render.types.resources import Texture


def plan_of(skeleton: str, **counts: int) -> Plan:
    class Scenery(Game):
        plugins: ClassVar[tuple[str, ...]] = ("shadows", "tonemap", "vr")

    Scenery.skeleton = skeleton
    frame = FrameInput.of(Scene(), GpuScene(NullBackend()))
    graph = build_frame(Scenery, PluginChoice(), (640, 360), frame, backend="vulkan", strict=True).graph
    for dimension, count in counts.items():
        graph.set_count(dimension, count)
    assert graph.declare() == ()
    return compile_snapshot(graph.snapshot(), graph.sizes(), CompileOptions(), RowMajorModel())


@pytest.mark.parametrize("skeleton", ["deferred", "forward"])
def test_shadow_maps_are_shared_by_the_eyes_of_a_view(skeleton: str) -> None:
    plan = plan_of(skeleton, view=2, eye=2)
    maps = [
        item
        for item in plan.graph.resources
        if isinstance(item.resource.desc, Texture)
        and item.resource.root.startswith(("shadows/", "sun_maps_"))
        and item.resource.desc.format == "d32_sfloat"
    ]
    assert maps
    assert all("eye" not in item.resource.mode for item in maps)
    assert len(maps) <= 2 * len({item.resource.root for item in maps}), "one for each player at most"
    makers = Counter(node.declaration.name for node in plan.graph.nodes)
    for item in maps:
        assert makers[item.resource.creator] <= 2
    assert makers["shadows/resolve"] == 4, "but each eye looks them up for itself"


def test_the_hud_is_drawn_once_for_both_eyes_and_the_lens_for_each() -> None:
    makers = Counter(node.declaration.name for node in plan_of("deferred", view=2, eye=2).graph.nodes)
    assert (makers["vr/hud"], makers["vr/lens"], makers["compose"], makers["scene"]) == (2, 4, 4, 1)
