"""The plugin ``mirrors``: flat mirrors that a game places, which show the scene at a rate of their own.

The camera of a mirror stands where the eye's image is behind the glass and looks through it, with its near plane in the
glass (so nothing behind the mirror is in the picture). A picture is taken of the nearest mirror that an eye sees, each
``every`` frames. Between two of them it is shown by the matrix with which it was taken, from wherever the eye is.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from pydantic import BaseModel, Field
from pyglm import glm

from renderwright.engine.plugins import PluginGraph, PluginInfo, hookimpl
from renderwright.engine.renderer.blobs import CameraView, LightSet
from renderwright.engine.renderer.scene_pictures import SunBox, scene_picture
from renderwright.engine.scene import Camera
from renderwright.engine.scene.number_rules import Checked, NumberRule
from renderwright.engine.scene.placements import PlacedRows
from renderwright.engine.views import Frustum, View, ViewSet
from renderwright.render import Commands, Execute, Extent, Registry

NAME = "mirrors"
PICTURE, CAMERA, SUN, GLASS = "mirrors/picture", "mirrors/eye", "mirrors/sun", "mirrors/glass"
_NEAREST = 0.02
"""Metres before the glass that an eye has to be to see something."""
_TINT = glm.vec4(0.90, 0.92, 0.90, 1.0)
_REACH = 14.0
"""Metres in front of the glass in which the sun has shadows."""


class MirrorSettings(BaseModel):
    """User settings."""

    scale: float = Field(1.0, ge=0.1, le=2.0, description="size of a mirror's picture, as a share of the view's")
    every: int = Field(0, ge=0, le=60, description="frames from one picture to the next; 0: as the game says")


@dataclass(eq=False)
class Mirror(Checked):
    """A mirror of ``width`` x ``height`` metres around ``position`` that faces -Z, turned by ``turn`` around +Y.

    Its picture is taken each ``every`` frames, for eyes that are within ``reach`` metres of its middle.
    """

    number_rules: ClassVar[Mapping[str, NumberRule]] = {
        "position": NumberRule(3),
        "turn": NumberRule(angle=True),
        "width": NumberRule(positive=True),
        "height": NumberRule(positive=True),
        "every": NumberRule(least=1, whole=True),
        "reach": NumberRule(positive=True),
    }

    position: glm.vec3 = field(default_factory=lambda: glm.vec3(0.0))
    turn: float = 0.0
    width: float = 1.0
    height: float = 1.0
    every: int = 2
    reach: float = 20.0

    @classmethod
    def table(cls) -> MirrorTable:
        """An empty table of mirrors."""
        return MirrorTable()

    @classmethod
    def examples(cls) -> tuple[Mirror, ...]:
        """One needs everything."""
        return (cls(),)


@dataclass(frozen=True)
class Glass:
    """A mirror at one moment: its middle, the half of its sides, and the direction that it faces."""

    middle: glm.vec3
    right: glm.vec3
    up: glm.vec3
    out: glm.vec3
    every: int
    reach: float

    @classmethod
    def of(cls, mirror: Mirror) -> Glass:
        """That of a mirror. Its right is that of who looks at it."""
        turn = glm.angleAxis(mirror.turn, glm.vec3(0, 1, 0))
        right, up = glm.vec3(turn * glm.vec3(-0.5 * mirror.width, 0, 0)), glm.vec3(0, 0.5 * mirror.height, 0)
        out = glm.vec3(turn * glm.vec3(0, 0, -1))
        return cls(glm.vec3(mirror.position), right, up, out, mirror.every, mirror.reach)

    def camera(self, eye: glm.vec3, extent: Extent, time: float) -> CameraView:
        """The camera behind the glass, for an eye before it."""
        depth = glm.dot(eye - self.middle, self.out)
        image = eye - self.out * (2.0 * depth)
        camera = Camera(image, rotation=glm.quatLookAt(self.out, glm.normalize(self.up)), near=depth)
        # It looks the other way than the eye: its right is the glass's left.
        wide, high = glm.length(self.right), glm.length(self.up)
        aside = glm.dot(self.middle - image, -self.right) / wide
        above = glm.dot(self.middle - image, self.up) / high
        edges = (wide - aside, wide + aside, high - above, high + above)
        return CameraView.of(camera, extent, time, Frustum(*(edge / depth for edge in edges)))

    def seen_by(self, view: View) -> float:
        """Metres from the eye of a view; infinity if it does not see the glass, or is too far away."""
        place = view.camera.position
        way = place - self.middle
        if glm.dot(way, self.out) < _NEAREST or glm.length(way) > self.reach:
            return math.inf
        turned = glm.inverse(view.camera.orientation())
        corners = [glm.vec3(turned * (self.middle + x * self.right + y * self.up - place)) for x, y in _CORNERS]
        frustum = view.frustum
        if (
            all(corner.z >= 0.0 for corner in corners)
            or all(corner.x < corner.z * frustum.left for corner in corners)
            or all(-corner.x < corner.z * frustum.right for corner in corners)
            or all(corner.y < corner.z * frustum.down for corner in corners)
            or all(-corner.y < corner.z * frustum.up for corner in corners)
        ):
            return math.inf
        return float(glm.length(way))


_CORNERS = ((-1, -1), (1, -1), (-1, 1), (1, 1))


@dataclass(frozen=True)
class GlassBlock:
    """The blob ``mirrors/glass``; it fills the uniform block of ``mirror.glsl``."""

    taken: glm.mat4
    middle: glm.vec4
    right: glm.vec4
    up: glm.vec4
    tint: glm.vec4


class MirrorTable:
    """The mirrors of a scene. Nodes have them as the blob ``mirrors_value``."""

    def __init__(self) -> None:
        self._mirrors: list[Mirror] = []
        self._rows = self._made()

    def __len__(self) -> int:
        return len(self._mirrors)

    def __contains__(self, thing: object) -> bool:
        return any(mirror is thing for mirror in self._mirrors)

    def add(self, thing: Mirror) -> None:
        """Add a mirror."""
        self._mirrors.append(thing)

    def remove(self, thing: Mirror) -> None:
        """Remove a mirror."""
        self._mirrors.remove(thing)

    def clear(self) -> None:
        """Remove all mirrors."""
        self._mirrors.clear()

    def end_step(self, seconds: float) -> None:
        """Take over the mirrors' places."""

    def rows(self, alpha: float) -> PlacedRows:
        """The mirrors as they are."""
        made = self._made()
        if made.value != self._rows.value:
            self._rows = made
        return self._rows

    def _made(self) -> PlacedRows:
        return PlacedRows(NAME, np.zeros(4, np.float32), 1, value=tuple(Glass.of(mirror) for mirror in self._mirrors))


@hookimpl
def renderwright_info() -> PluginInfo:
    """Name, version, summary."""
    return PluginInfo("mirrors", "0.1.0", "Flat mirrors that a game places (of the game gallery).", placed=(Mirror,))


@hookimpl
def renderwright_settings() -> type[MirrorSettings]:
    """The settings' model."""
    return MirrorSettings


@hookimpl
def renderwright_nodes(graph: PluginGraph, settings: MirrorSettings) -> None:
    """Add the nodes that take a mirror's picture, and the one that shows it."""
    graph.add_node("choose", lambda reg: choose(reg, settings))
    for name, declare in scene_picture(PICTURE, camera=CAMERA, sun=SUN, scale=settings.scale).items():
        graph.add_node(name, declare)
    graph.add_node("show", show)


def choose(reg: Registry, settings: MirrorSettings) -> Execute:
    """Choose the mirror of each eye, and whether a picture is due."""
    reg.multiplex("view", "eye")
    views = reg.read("views", ViewSet)
    lights = reg.read("lights", LightSet)
    mirrors = reg.read(f"{NAME}_value", object)
    camera, sun, glass = reg.create(CAMERA, CameraView), reg.create(SUN, SunBox), reg.create(GLASS, GlassBlock)
    taken: dict[tuple[int, int], tuple[int, Glass, CameraView, SunBox]] = {}

    def execute(cmd: Commands) -> None:
        place = (cmd.index.get("view", 0), cmd.index.get("eye", 0))
        # Tiles and samples share a picture, so the whole view decides; the eye is where it is.
        views_of: ViewSet = views.value
        whole, position = views_of.whole(cmd.index), views_of.at({"view": place[0], "eye": place[1]}).camera.position
        every: tuple[Glass, ...] = mirrors.value
        nearest = min(every, key=lambda one: one.seen_by(whole))
        seen = nearest.seen_by(whole) < math.inf and glm.dot(position - nearest.middle, nearest.out) > _NEAREST
        last = taken.get(place)
        rate = settings.every or nearest.every
        if last is None or (seen and (nearest != last[1] or cmd.frame - last[0] >= rate)):
            eye = position if seen else nearest.middle + nearest.out
            shot = nearest.camera(eye, cmd.resolution("main_view"), views_of.time)
            box = SunBox.of(lights.value, nearest.middle + nearest.out * (0.5 * _REACH), 0.7 * _REACH)
            last = taken[place] = (cmd.frame, nearest, shot, box)
        _, shown, camera.value, sun.value = last
        sides = (_padded(shown.middle), _padded(shown.right), _padded(shown.up))
        glass.value = GlassBlock(camera.value.view_projection, *sides, _TINT)

    return execute


def show(reg: Registry) -> Execute:
    """Draw the glass with its picture, among lit surfaces: reflections, fog and lenses see it as one of them."""
    reg.modify("hdr_lit").color()
    reg.read("depth").depth_read()
    reg.read("camera", CameraView)
    reg.read(GLASS, GlassBlock).bind("glass")
    reg.read(PICTURE).sampled(stage="fragment").bind("picture")
    reg.after("deferred_lighting", "forward_opaque", "sky")
    reg.stable()
    pipeline = reg.graphics("mirror.frag", "mirror.vert", depth_test="greater_equal", cull="back")

    def execute(cmd: Commands) -> None:
        cmd.draw(pipeline, vertices=6)

    return execute


def _padded(vector: glm.vec3) -> glm.vec4:
    return glm.vec4(vector.x, vector.y, vector.z, 0.0)
