"""Nodes that draw decals into the G-buffer: one for each property of surfaces, while a decal changes it."""

from __future__ import annotations

from dataclasses import dataclass

from renderwright.engine.plugins import PluginGraph
from renderwright.engine.renderer.blobs import CameraView
from renderwright.engine.views.view_set import EYE
from renderwright.plugins.decals.settings import DecalSettings
from renderwright.plugins.decals.table import BENT, IMAGES, METALLIC, NAME, NORMALS, PAINTED, ROUGH
from renderwright.render import Commands, Declare, Execute, Registry, Texture

SURFACE_NORMALS = "decals/surface_normals"
"""The normals of surfaces without decals."""

_VERTICES = 36
"""Of a box: two triangles a side."""

_SURFACES = ("opaque", "masked", "attributes_opaque", "attributes_mask")
"""The engine's nodes that write the G-buffer."""


@dataclass(frozen=True)
class Property:
    """A property of surfaces: the texture and the channels that have it, and the bit of ``changes`` of a row."""

    node: str
    trait: str
    target: str
    channels: str
    bit: int
    after: tuple[str, ...] = ()


_PROPERTIES = (
    Property("paint", PAINTED, "albedo", "rgb", 0),
    Property("bend", BENT, "normal", "rgb", 1),
    Property("roughen", ROUGH, "material", "g", 2),
    Property("coat", METALLIC, "material", "r", 3, after=("roughen",)),
)


def property_of(node: str) -> Property:
    """The property that a node changes."""
    return next(prop for prop in _PROPERTIES if prop.node == node)


def add_decals(graph: PluginGraph, settings: DecalSettings) -> None:
    """Register all nodes."""
    graph.add_node("keep_normals", keep_normals)
    for prop in _PROPERTIES:
        graph.add_node(prop.node, draw(prop, settings))


def keep_normals(reg: Registry) -> Execute:
    """Copy the normals of surfaces, for decals with normals of their own, which are relative to these."""
    reg.read(f"{NAME}_{BENT}", bool)
    reg.modify("normal").sampled(filter="nearest")
    reg.read("depth").sampled(filter="nearest")
    reg.create(SURFACE_NORMALS, Texture("rgba16_sfloat", reg.resolution("main_view"))).color()
    reg.after(*_SURFACES)
    reg.stable()
    pipeline = reg.fullscreen("keep_normals.frag")
    return lambda cmd: cmd.draw(pipeline)


def draw(prop: Property, settings: DecalSettings) -> Declare:
    """Declare function of a node that draws the boxes of decals to a texture of the G-buffer.

    Only back faces are drawn, so that a box is there once, and also around the camera.
    """

    def declare(reg: Registry) -> Execute:
        reg.multiview(EYE)
        reg.modify(prop.target).color()  # first, so that a plan without a G-buffer names it as the reason
        reg.read(NAME).storage_read("vertex").bind("decals")
        reg.read(f"{NAME}_{prop.trait}", bool)
        reg.read("depth").sampled(filter="nearest")
        reg.read("camera", CameraView)
        reg.read(f"{NAME}_{IMAGES}").sampled().bind("images")
        defines = {"PROPERTY": prop.bit}
        if prop.trait == BENT:
            reg.read(SURFACE_NORMALS).sampled(filter="nearest").bind("surface_normals")
            reg.read(f"{NAME}_{NORMALS}").sampled().bind("normals")
        reg.uniform("settings", settings)
        reg.after(*_SURFACES, *prop.after)
        pipeline = reg.graphics(
            "decals.frag",
            "decals.vert",
            defines=defines,
            cull="front",
            blend="premultiplied",
            color_write=prop.channels,
        )
        reg.stable()

        def execute(cmd: Commands) -> None:
            cmd.draw(pipeline, vertices=_VERTICES, instances=cmd.resolution(NAME)[0])

        return execute

    return declare
