"""Shadow maps of lamps stay as they are while nothing in their reach moves, and are never out of date."""

from __future__ import annotations

import numpy as np
import pytest
from pyglm import glm
from shadow_scenes import Lamp, Play, playing

from renderwright.engine.game import GameContext
from renderwright.engine.scene import Material, PointLight, Transform
from renderwright.engine.scene.primitives import box
from renderwright.render.backend.command_buffers import OpList
from renderwright.render.backend.vulkan.backend import VulkanBackend
from renderwright.render.runtime.checks.frame_check import FrameCheck
from renderwright.render.runtime.lowering.node_run import NodeRun

pytestmark = pytest.mark.vulkan


class TwoLamps(Lamp):
    """A second lamp far off, each with things around it, and some that are near neither."""

    def setup(self, context: GameContext) -> None:
        super().setup(context)
        scene = context.scene
        (near,) = scene.point_lights
        near.radius = 5.0
        scene.add_light(PointLight(glm.vec3(40.0, 3.0, 0.0), radius=5.0, casts_shadow=True))
        scene.spawn(box(0.5), Material(), Transform(glm.vec3(40.0, 1.0, 0.0)))
        for number in range(8):
            scene.spawn(box(0.5), Material(), Transform(glm.vec3(20.0, number, 0.0)))


def drawn(play: Play) -> set[int]:
    """The channels whose maps the next frame draws."""
    play.session.step()
    report = play.session.render(play.target)
    assert report is not None
    resting = {node.partition("[")[0] for node in report.resting}
    return {channel for channel in range(4) if f"shadows/draw_lamp_{channel}" not in resting}


def shift(play: Play, number: int, by: glm.vec3) -> None:
    entity = play.session.context.scene.entities[number]
    entity.transform.position += by
    entity.snap()


def test_a_still_scene_draws_no_map_of_a_lamp(backend: VulkanBackend) -> None:
    with playing(TwoLamps, backend) as play:
        assert drawn(play) == {0, 1, 2, 3}
        play.frames(2)
        assert [drawn(play) for _ in range(3)] == [set()] * 3
        play.session.context.scene.camera.position.x += 0.5
        assert drawn(play) == set(), "where the camera is does not matter"


def test_only_maps_around_what_moves_are_drawn(backend: VulkanBackend) -> None:
    with playing(TwoLamps, backend) as play:
        play.frames(2)
        shift(play, 3, glm.vec3(0, 0.1, 0))
        play.frames(2)
        for number, channels in ((1, {0}), (3, {1}), (4, set())):
            shift(play, number, glm.vec3(0, 0.1, 0))
            assert drawn(play) == channels, number
            assert drawn(play) == set()
        play.session.context.scene.point_lights[1].position.y += 0.2
        assert drawn(play) == {1}


def test_only_maps_around_what_appears_vanishes_or_changes_its_shape_are_drawn(backend: VulkanBackend) -> None:
    with playing(TwoLamps, backend) as play:
        play.frames(3)
        scene = play.session.context.scene
        new = scene.spawn(box(0.5), Material(), Transform(glm.vec3(41.0, 1.0, 0.0)))
        assert drawn(play) == {1}
        new.material = Material(base_color=(1.0, 0.0, 0.0, 1.0))
        assert drawn(play) == set(), "maps show no colours"
        new.mesh = box(0.6)
        assert drawn(play) == {1}
        scene.remove(new)
        assert drawn(play) == {1}
        scene.spawn(box(0.5), Material(), Transform(glm.vec3(20.0, 9.0, 0.0)))
        assert drawn(play) == set(), "it is near neither lamp"


def test_maps_after_changes_show_what_a_fresh_start_shows(backend: VulkanBackend) -> None:
    def change(play: Play) -> None:
        scene = play.session.context.scene
        scene.spawn(box(0.4), Material(), Transform(glm.vec3(0.5, 1.5, 0.2)))
        scene.remove(scene.entities[4])
        scene.entities[1].material = Material(base_color=(0.2, 0.3, 0.9, 1.0))

    with playing(TwoLamps, backend) as kept, playing(TwoLamps, backend) as fresh:
        kept.frames(3)
        for play in (kept, fresh):
            change(play)
        assert np.array_equal(kept.frames().local(), fresh.frames().local())


def test_maps_are_drawn_by_the_same_commands_while_only_casters_move(
    backend: VulkanBackend, monkeypatch: pytest.MonkeyPatch
) -> None:
    recorded: list[str] = []
    record = NodeRun.record

    def noted(run: NodeRun, frame: int, check: FrameCheck | None = None) -> OpList:
        recorded.append(run.instance.declaration.name)
        return record(run, frame, check)

    with playing(TwoLamps, backend) as play:
        play.frames(3)
        for _ in range(3):
            shift(play, 1, glm.vec3(0, 0.1, 0))
            play.frames()
        monkeypatch.setattr(NodeRun, "record", noted)
        for _ in range(3):
            shift(play, 1, glm.vec3(0, 0.1, 0))
            assert drawn(play) == {0}
        assert "shadows/lamps" in recorded
        assert not {name for name in recorded if "draw_lamp" in name or "fit_local" in name}
        play.session.context.scene.point_lights[0].position.y += 0.2
        assert drawn(play) == {0}
        assert {"shadows/draw_lamp_0", "shadows/fit_local"} <= set(recorded)


def test_kept_maps_show_what_a_fresh_start_shows(backend: VulkanBackend) -> None:
    moves = (
        (1, glm.vec3(0.3, 0, 0)),
        (2, glm.vec3(0.6, 0.2, 0)),
        (1, glm.vec3(-0.8, 0, 0.3)),
        (4, glm.vec3(-20, 0, 0)),
    )
    with playing(TwoLamps, backend) as kept:
        kept.frames(3)
        for count in range(1, len(moves) + 1):
            shift(kept, *moves[count - 1])
            seen = kept.frames().local().copy()
            with playing(TwoLamps, backend) as fresh:
                for number, by in moves[:count]:
                    shift(fresh, number, by)
                assert np.array_equal(fresh.frames().local(), seen)
            assert np.array_equal(kept.frames().local(), seen)


class Culled(TwoLamps):
    """The same scene with culling, which only large ones have by themselves."""

    culling = 1


def test_a_lamp_draws_the_casters_within_its_reach_alone(backend: VulkanBackend) -> None:
    """With the same picture: what lies beyond its radius shades nothing that it lights."""
    with playing(Culled, backend) as culled, playing(TwoLamps, backend) as whole:
        for play in (culled, whole):
            play.frames(2)
        assert "shadows/cull_lamp_0" in [node.id for node in culled.session.runtime.plan.graph.nodes]
        assert "shadows/cull_lamp_0" not in [node.id for node in whole.session.runtime.plan.graph.nodes]
        assert whole.local().min() < 0.5
        assert np.array_equal(culled.local(), whole.local())
        drawn_texels = [np.count_nonzero(depths(play)) for play in (culled, whole)]
        assert 0 < drawn_texels[0] < drawn_texels[1], "the boxes far off are not in the maps"


def depths(play: Play) -> np.ndarray:
    """The maps of the first lamp."""
    instance, runtime = play.instance("shadows/lamp_maps_0"), play.session.runtime
    layout = dict(runtime.plan.sync.layouts_left)[instance]
    return np.asarray(play.session.backend.read_texture(runtime.resource(instance), layout))


def test_a_list_of_casters_is_that_of_the_scene_when_maps_are_drawn_for_another_reason(backend: VulkanBackend) -> None:
    """The first mask anywhere brings a node that adds to the maps, and the others run with it."""
    with playing(Culled, backend) as play:
        play.frames(3)
        before, scene = depths(play).copy(), play.session.context.scene
        near = scene.entities[1]
        for number in range(5):  # in rows before those of what is near
            scene.spawn(near.mesh, near.material, Transform(glm.vec3(60.0, number, 0.0)))
        assert drawn(play) == set()
        scene.spawn(box(0.3), Material(alpha_mode="mask"), Transform(glm.vec3(60.0, 1.0, 0.0)))
        assert 0 in drawn(play)
        assert np.array_equal(depths(play), before)
