"""Dumps of a game's frames: the right moment, the right instance, and a frame that stays as it is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import PIL.Image
import pytest
from numpy.typing import NDArray
from pyglm import glm

from renderwright.engine.dumps.dump import dump_from
from renderwright.engine.dumps.dumper import Dumper
from renderwright.engine.game import Game, GameContext
from renderwright.engine.options import PluginChoice
from renderwright.engine.scene.camera import Camera
from renderwright.engine.scene.material import Material
from renderwright.engine.scene.primitives import box, plane
from renderwright.engine.session import Session
from renderwright.render.backend.vulkan.backend import VulkanBackend
from renderwright.render.errors import UsageError
from renderwright.render.types.resources import Texture

pytestmark = pytest.mark.vulkan

EXTENT = (48, 32)


class Turning(Game):
    """A box on a ground; the camera sinks."""

    title = "Turning"
    max_players = 2

    def setup(self, context: GameContext) -> None:
        scene = context.scene
        scene.cameras = [Camera() for _ in range(context.players)]
        for number, camera in enumerate(scene.cameras):
            camera.position = glm.vec3(2.0 + number, 2.5, 2.5)
        scene.spawn(plane(20, 20), Material(base_color=(0.5, 0.5, 0.5, 1)))
        scene.spawn(box(1.0), Material(base_color=(0.8, 0.2, 0.1, 1)))

    def update(self, dt: float) -> None:
        for camera in self.context.scene.cameras:
            camera.position.y -= 0.1


Dumping = Callable[..., list[NDArray[Any]]]


@pytest.fixture
def pictures(backend: VulkanBackend, tmp_path: Path) -> Dumping:
    """Plays frames with dumps; returns the pictures."""

    def play(
        dumps: Sequence[str] = (),
        frames: int = 3,
        plugins: tuple[str, ...] = (),
        edit: Callable[[Session, int], None] = lambda session, frame: None,
        **keywords: Any,
    ) -> list[NDArray[Any]]:
        dumper = Dumper([dump_from(text.replace(":", f":{tmp_path}/")) for text in dumps])
        choice = PluginChoice(enable=("tonemap", *plugins))
        shown = []
        session = Session(Turning, backend, EXTENT, choice=choice, strict=True, verify=True, **keywords)
        with closing(session), closing(backend.create_target(EXTENT)) as target:
            for number in range(frames):
                edit(session, number)
                session.step(1.0 / 60.0)
                if not number:
                    dumper.begin(session, target)
                report = session.render(target)
                assert report is not None
                shown.append(session.picture())
                dumper.see(session, report)
            dumper.finish(session)
            backend.wait_idle()
        return shown

    return play


def test_a_dump_does_not_change_the_frames(pictures: Dumping) -> None:
    plain = pictures()
    with_dumps = pictures(["depth:a.npy", "hdr_lit@after=lighting:b.npy", "motion_vectors:c.npy"])
    assert all(np.array_equal(one, other) for one, other in zip(plain, with_dumps, strict=True))


def test_the_picture_itself_is_what_was_shown(pictures: Dumping, tmp_path: Path) -> None:
    shown = pictures(["image@frame=1:one.npy", "image:last.png"])
    assert not np.array_equal(shown[1], shown[2])
    assert np.array_equal(np.load(tmp_path / "one.npy"), shown[1])
    assert np.array_equal(PIL.Image.open(tmp_path / "last.png"), shown[2][..., :3])


def test_a_texture_between_two_that_write_to_it(pictures: Dumping, tmp_path: Path) -> None:
    pictures(["hdr_lit@after=lighting:clear.npy", "hdr_lit@after=deferred_lighting:lit.npy", "hdr_lit:last.npy"])
    clear, lit, last = (np.load(tmp_path / f"{name}.npy") for name in ("clear", "lit", "last"))
    assert np.array_equal(clear, np.broadcast_to(np.float16([0, 0, 0, 1]), (*EXTENT[::-1], 4)))
    assert lit[..., :3].max() > 0.01
    assert np.array_equal(lit, last)


def test_a_node_that_leaves_the_texture_alone(pictures: Dumping, tmp_path: Path) -> None:
    pictures(["depth@after=gbuffer:clear.npy", "depth@after=deferred_lighting:drawn.npy"])
    assert not np.load(tmp_path / "clear.npy").any()
    assert np.load(tmp_path / "drawn.npy").any()


def test_one_mip_of_a_chain_of_them(pictures: Dumping, tmp_path: Path) -> None:
    pictures(["bloom/light@mip=1,after=bloom/down2:mip.npy"], plugins=("bloom",))
    assert np.load(tmp_path / "mip.npy").shape == (EXTENT[1] // 4, EXTENT[0] // 4, 4)


def test_layers(pictures: Dumping, tmp_path: Path) -> None:
    dumps = ["sun_maps_0:all.npy", "sun_maps_0@layer=1:one.npy", "sun_maps_0@layer=1:one.png", "sun_maps_0:first.exr"]
    pictures(dumps, plugins=("shadows",))
    every, one = np.load(tmp_path / "all.npy"), np.load(tmp_path / "one.npy")
    assert every.shape == (4, *one.shape)
    assert np.array_equal(every[1], one)
    import OpenEXR

    channels = OpenEXR.File(str(tmp_path / "first.exr")).channels()
    assert np.array_equal(channels["Y"].pixels, every[0, ..., 0])


def test_a_buffer_is_bytes(pictures: Dumping, tmp_path: Path) -> None:
    pictures(["scene_instances:rows.npy"])
    rows = np.load(tmp_path / "rows.npy")
    assert (rows.dtype, rows.ndim) == (np.uint8, 1)
    assert rows.any()


def test_each_kind_of_view_has_its_own(pictures: Dumping, tmp_path: Path) -> None:
    names = [f"depth@view={view},eye={eye}:{view}{eye}.npy" for view in (0, 1) for eye in (0, 1)]
    pictures([*names, "depth@view=1:first.npy"], plugins=("split_screen", "vr"), players=2)
    depths = [np.load(tmp_path / f"{view}{eye}.npy") for view in (0, 1) for eye in (0, 1)]
    assert len({depth.tobytes() for depth in depths}) == 4
    assert np.array_equal(depths[2], np.load(tmp_path / "first.npy"))


def test_a_resource_that_some_frames_make(pictures: Dumping, tmp_path: Path) -> None:
    """What was there after the last run of its creator, not after the last frame's modifiers alone."""

    def rare(session: Session, frame: int) -> None:
        if frame:
            return

        def create(reg: Any) -> Any:
            texture = reg.create("rare", Texture("r32_sfloat", (2, 2))).copy_dst()
            reg.every(3)
            return lambda cmd: cmd.recorder.clear_texture(texture.texture, texture.layout, (cmd.frame, 0, 0, 0))

        def modify(reg: Any) -> Any:
            texture = reg.modify("rare").copy_dst()
            reg.every(3)
            return lambda cmd: cmd.recorder.clear_texture(texture.texture, texture.layout, (100, 0, 0, 0))

        session.graph.add_node("create_rare", create)
        session.graph.add_node("modify_rare", modify)

    pictures(["rare@frame=5,after=create_rare:early.npy", "rare@frame=5:late.npy"], frames=7, edit=rare)
    assert np.all(np.load(tmp_path / "early.npy") == 3.0)
    assert np.all(np.load(tmp_path / "late.npy") == 100.0)


def test_a_dump_stays_in_front_of_writers_that_come_later(pictures: Dumping, tmp_path: Path) -> None:
    def fill(session: Session, frame: int) -> None:
        def declare(reg: Any) -> Any:
            light = reg.modify("hdr_lit").copy_dst()
            reg.priority(1)
            reg.before("deferred_lighting")
            return lambda cmd: cmd.recorder.clear_texture(light.texture, light.layout, (0.5, 0.5, 0.5, 1.0))

        if frame == 1:
            session.graph.add_node("fill", declare)

    pictures(["hdr_lit@after=lighting:early.npy"], frames=4, edit=fill)
    assert not np.load(tmp_path / "early.npy")[..., :3].any()


def test_a_plugin_that_is_switched_off_leaves_its_last_texture(pictures: Dumping, tmp_path: Path) -> None:
    def switch(session: Session, frame: int) -> None:
        if frame == 2:
            session.plugins.disable("bloom")

    pictures(["bloom/light@after=bloom/down1:light.npy"], frames=4, plugins=("bloom",), edit=switch)
    assert np.load(tmp_path / "light.npy").any()


@pytest.mark.parametrize(
    ("dump", "message", "hint"),
    [
        ("deptj:a.png", 'no resource "deptj"', 'did you mean "depth"?'),
        ("light:a.png", 'no resource "light"', 'did you mean "bloom/light"?'),
        ("opaque:a.png", '"opaque" is a node, not a resource', "dump what it writes: albedo, depth"),
        ("bloom/combine:a.png", '"bloom/combine" is a node, not a resource', "writes: post_hdr/bloom/combine"),
        ("whole_views:a.png", '"whole_views" is a node, not a resource', "no texture and no buffer"),
        ("depth@after=opaqe:a.png", 'no node "opaqe"', 'did you mean "opaque"?'),
        ("hdr_lit@after=opaque:a.png", "does not exist yet", "after=lighting"),
        ("hdr_lit@after=compose:a.png", '"transparent" renames it', "by that name"),
        ("lights:a.npy", "a LightSet, and cannot be dumped", "texture or a buffer"),
        ("scene_draws:a.png", "has no picture", ".npy"),
        ("depth@mip=2:a.png", "has 1 mip, so no mip 2", "from 0"),
        ("depth@layer=1:a.png", "has 1 layer, so no layer 1", "from 0"),
        ("depth@view=3:a.png", "has no view 3", "it has 1"),
        ("depth@frame=9:a.png", "the game ended after 3 frames", "from 0"),
    ],
)
def test_what_is_not_there_is_named(pictures: Dumping, tmp_path: Path, dump: str, message: str, hint: str) -> None:
    with pytest.raises(UsageError) as caught:
        pictures([dump])
    assert message in caught.value.message
    assert hint in caught.value.hint
    assert list(tmp_path.iterdir()) == []


def test_openexr_may_be_missing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(__import__("sys").modules, "OpenEXR", None)
    with pytest.raises(UsageError) as caught:
        Dumper([dump_from(f"depth:{tmp_path}/a.exr")])
    assert "OpenEXR" in caught.value.message
    assert "renderwright[exr]" in caught.value.hint
