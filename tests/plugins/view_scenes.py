"""A game for several players, sessions that show it, and their frames."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from bending_bar import bending_model
from playing import SHADERS, Picture
from pyglm import glm

from renderwright.engine.clock import FixedStepClock
from renderwright.engine.game import Game, GameContext
from renderwright.engine.options import PluginChoice, SettingChange
from renderwright.engine.scene import Camera
from renderwright.engine.scene.light import PointLight
from renderwright.engine.scene.material import Material
from renderwright.engine.scene.primitives import box, plane, sphere
from renderwright.engine.scene.transform import Transform
from renderwright.engine.session import Session
from renderwright.engine.views import Rectangle, ViewSet
from renderwright.plugins.vr.headset import Pose
from renderwright.plugins.vr.stereo import EYE, Eyes
from renderwright.render.backend.vulkan.backend import VulkanBackend
from renderwright.render.runtime.plans.beside import Worker

EYES = {"vr.poses": "still", "vr.ipd": "0.15"}
"""Settings of VR that show depth in few texels, and no motion of the head."""
VISIBLE = {
    "depth_of_field.aperture": "1",
    "fog.density": "0.2",
    "motion_blur.shutter": "2",
    "ssr.roughness": "1",
    "volumetric_fog.density": "0.2",
}
"""Settings that a picture of few texels shows."""


class Company(Game):
    """A box and a lamp on a ground, seen by up to four players from as many sides; ``moves`` says whether they move."""

    title = "Company"
    max_players = 4
    plugins = ("tonemap",)
    moves = False

    def setup(self, context: GameContext) -> None:
        scene = context.scene
        scene.sun.direction = glm.vec3(0.6, -1.0, 0.3)
        scene.spawn(plane(20, 20), Material(base_color=(0.5, 0.5, 0.5, 1), roughness=0.8))
        red = Material(base_color=(0.8, 0.2, 0.1, 1))
        self.box = scene.spawn(box(1.0), red, Transform(glm.vec3(0, 0.5, 0)))
        scene.spawn(sphere(0.3), Material(emissive=(20, 10, 3)), Transform(glm.vec3(-1.2, 0.6, 0.5)))
        scene.add_light(PointLight(glm.vec3(1, 1, 1), (0.2, 0.4, 1.0), 5.0, 6.0, casts_shadow=True))
        self._seat(context)

    def update(self, dt: float) -> None:
        if len(self.context.scene.cameras) != self.context.players:
            self._seat(self.context)
        if self.moves:
            self.box.transform.position += glm.vec3(3.0 * dt, 0.0, 0.0)

    def draw(self, alpha: float) -> None:
        for player, hud in enumerate(self.context.huds):
            hud.text(6, 4, f"P{player + 1}", 40)

    def _seat(self, context: GameContext) -> None:
        places = (glm.vec3(2.0, 2.0, 2.5), glm.vec3(-2.5, 1.5, 2.0), glm.vec3(0.5, 3.0, -2.5), glm.vec3(3.0, 1.0, 0.0))
        context.scene.cameras[:] = [Camera(place, glm.vec3(0, 0.4, 0)) for place in places[: context.players]]
        context.scene.snap_cameras()


class MovingCompany(Company):
    """The same with a box that slides and a bar that bends."""

    moves = True

    def setup(self, context: GameContext) -> None:
        super().setup(context)
        bar = bending_model().spawn(context.scene, Transform(glm.vec3(0.9, 0.0, -0.6), scale=glm.vec3(0.6)))
        bar.play("Bend", speed=3.0)


def session_of(
    backend: VulkanBackend,
    extent: tuple[int, int],
    *,
    game: type[Game] = Company,
    players: int = 1,
    enable: Sequence[str] = (),
    disable: Sequence[str] = (),
    worker: Worker | None = None,
    **settings: str,
) -> Session:
    """A session in steps of a 60th of a second; ``settings`` are ``plugin.key`` to text."""
    changes = tuple(
        SettingChange(*name.split(".", 1), value)
        for name, value in settings.items()
        if name.split(".", 1)[0] in {*enable, *game.plugins}
    )
    choice = PluginChoice(enable=tuple(enable), disable=tuple(disable), settings=changes)
    clock = FixedStepClock(game.step, frame=1 / 60)
    return Session(
        game,
        backend,
        extent,
        choice=choice,
        clock=clock,
        players=players,
        strict=True,
        worker=worker,
        shaders=SHADERS,
    )


def change_settings(session: Session, settings: Mapping[str, str]) -> None:
    """``plugin.key`` to text, also of plugins that are not on yet."""
    for setting, value in settings.items():
        plugin, key = setting.split(".")
        session.plugins.load(plugin)
        session.plugins.set(plugin, key, value)


def cut(picture: Picture, place: Rectangle) -> Picture:
    """What a rectangle of the output shows."""
    return picture[place.y : place.y + place.height, place.x : place.x + place.width]


def show_only(session: Session, views: ViewSet) -> None:
    """Show these views in every frame, whatever the plugins would; their nodes stay."""
    session.plugins.arrange = lambda plain, dimensions: replace(views, time=plain.time)  # type: ignore[method-assign]


def single(views: ViewSet, index: Mapping[str, int], *, pair: bool) -> ViewSet:
    """One instance of the views by itself: an eye is a player's only one. With ``pair`` the other eye is beside it."""
    width, height = views.viewport
    place = Rectangle(0, 0, width, height)
    whole = views.whole(index)
    if EYE not in views.counts:
        return replace(views, output=(width, height), views=(replace(whole, rectangle=place),))
    split = dict(views.splits)[EYE]
    assert isinstance(split, Eyes)
    own, other = split.eyes[index[EYE]], split.eyes[1 - index[EYE]]
    eyes = replace(split, eyes=(own, other), displays=(place, replace(place, x=width)))
    if not pair:
        whole = split.part(whole, index[EYE])
        here = replace(own, pose=Pose(glm.vec3(0.0), own.pose.rotation))
        there = replace(other, pose=Pose(other.pose.position - own.pose.position, other.pose.rotation))
        eyes = replace(split, eyes=(here, there), displays=(place, place), count=1)
    output = (eyes.count * width, height)
    splits = tuple((name, eyes if name == EYE else split) for name, split in views.splits)
    return replace(views, output=output, views=(replace(whole, rectangle=place),), splits=splits)
