"""The nodes that take a mirror's picture, and the one that shows it.

The camera of a mirror stands where the eye's image is behind the glass and looks through it, with its near plane in the
glass (so nothing behind the mirror is in the picture). A picture is taken of the nearest mirror that an eye sees, each
``every`` frames. Between two of them it is shown by the matrix with which it was taken, from wherever the eye is.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from pyglm import glm

from renderwright.engine.plugins import PluginGraph
from renderwright.engine.renderer.blobs import CameraView, LightSet
from renderwright.engine.renderer.scene_pictures import SunBox, scene_picture
from renderwright.engine.views import ViewSet
from renderwright.plugins.mirrors.glass import NEAREST, Glass
from renderwright.plugins.mirrors.mirror import NAME
from renderwright.plugins.mirrors.settings import MirrorSettings
from renderwright.render import Commands, Execute, Registry

PICTURE, CAMERA, SUN, GLASS = "mirrors/picture", "mirrors/eye", "mirrors/sun", "mirrors/glass"
_TINT = glm.vec4(0.90, 0.92, 0.90, 1.0)
_REACH = 14.0
"""Metres in front of the glass in which the sun has shadows."""


@dataclass(frozen=True)
class GlassBlock:
    """The blob ``mirrors/glass``; it fills the uniform block of ``mirror.glsl``."""

    taken: glm.mat4
    middle: glm.vec4
    right: glm.vec4
    up: glm.vec4
    tint: glm.vec4


def add_mirrors(graph: PluginGraph, settings: MirrorSettings) -> None:
    """Add all of them."""
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
        seen = nearest.seen_by(whole) < math.inf and glm.dot(position - nearest.middle, nearest.out) > NEAREST
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
