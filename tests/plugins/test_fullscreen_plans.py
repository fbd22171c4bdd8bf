"""Plans of the sample game in which effects are compute nodes: sound barriers, and ambient occlusion beside shadows."""

from __future__ import annotations

import pytest

from renderwright.engine.options import PlanOptions, PluginChoice
from renderwright.engine.plan_review import require_sound_barriers
from renderwright.engine.planning import plan_of
from renderwright.render.compiler.values.plan import Plan
from renderwright.render.sync.queues import ALL_QUEUES, COMPUTE
from renderwright.render.types.fullscreen import Fullscreen

SOME = ("ssao",)
ALL = ("ssao", "taa", "fog", "depth_of_field", "motion_blur", "outline", "fxaa")


def plan(plugins: tuple[str, ...], *, unified: bool, order: str = "balanced", views: int = 1) -> Plan:
    return plan_of(
        PlanOptions(
            source="marbles",
            queues=ALL_QUEUES,
            unified_layouts=unified,
            order=order,
            fullscreen=Fullscreen.COMPUTE,
            plugins=PluginChoice(enable=plugins),
            counts=(("view", views),),
        )
    )


def on_compute_queue(found: Plan) -> set[str]:
    return {node.id for node, queue in zip(found.graph.nodes, found.queues.queues, strict=True) if queue == COMPUTE}


@pytest.mark.parametrize("order", ["balanced", "overlap"])
@pytest.mark.parametrize("unified", [False, True], ids=["layouts by usage", "general layout"])
@pytest.mark.parametrize("plugins", [SOME, ALL], ids=["some", "all"])
def test_barriers_are_sound(plugins: tuple[str, ...], unified: bool, order: str) -> None:
    found = plan(plugins, unified=unified, order=order, views=2)
    assert on_compute_queue(found)
    require_sound_barriers(found)


def test_ambient_occlusion_leaves_the_graphics_queue() -> None:
    found = plan(SOME, unified=False)
    assert on_compute_queue(found) == {"ssao/downsample", "ssao/search", "ssao/denoise", "ssao/upsample"}


def test_depth_that_is_also_tested_against_is_no_obstacle_in_the_general_layout() -> None:
    """The node ``object_motion`` tests against the depth that ambient occlusion samples."""
    apart, unified = (plan(ALL, unified=unified) for unified in (False, True))
    assert "ssao/search" not in on_compute_queue(apart)
    assert "ssao/search" in on_compute_queue(unified)
    assert any("in different layouts" in reason for reason in apart.queues.reasons)
