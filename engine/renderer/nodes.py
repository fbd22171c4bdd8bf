"""The engine's nodes: scene data, opaque geometry, lighting, composition and HUD."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from renderwright.engine.renderer.blobs import CameraView, LightSet
from renderwright.engine.renderer.culling import VISIBLE
from renderwright.engine.renderer.environment import request_environment, request_panorama
from renderwright.engine.renderer.frame_input import FrameInput
from renderwright.engine.renderer.geometry import (
    IMAGES,
    DrawSet,
    MeshPipelines,
    declare_scene_buffers,
    draw_scene,
    request_scene,
)
from renderwright.engine.renderer.hud import HudVertices, declare_hud_data, draw_hud, has_hud, request_huds
from renderwright.engine.renderer.image_table import ImageTable
from renderwright.engine.renderer.lights.clusters import request_lights
from renderwright.engine.renderer.motion import MOTION_NODES
from renderwright.engine.renderer.surface_requests import PLAIN, Surfaces, request_surfaces
from renderwright.engine.scene.material import AlphaMode
from renderwright.engine.views import Rectangle, View, ViewSet
from renderwright.engine.views.view_set import EYE, VIEW, VIEW_PLACES
from renderwright.render.graph.commands import Commands
from renderwright.render.graph.declare import Declare, Execute
from renderwright.render.graph.frame_graph import FrameGraph
from renderwright.render.graph.registry import Registry
from renderwright.render.types.resources import Texture

GLSL = Path(__file__).parent / "glsl"


def add_engine_nodes(
    graph: FrameGraph, frame: FrameInput, skeleton_resources: Iterable[str], dimensions: Iterable[str]
) -> None:
    """Register the nodes for a skeleton: deferred if it has a G-buffer, forward if it has depth, else without surfaces.

    ``dimensions`` are the multiplexing dimensions of the skeleton's resources.
    """
    nodes = EngineNodes(frame, tuple(dimensions))
    resources = set(skeleton_resources)
    chosen: list[tuple[str, Declare]] = [
        ("scene", nodes.scene),
        ("scene_buffers", declare_scene_buffers),
        ("whole_views", nodes.whole_views),
        ("views", nodes.views),
        ("compose", nodes.compose),
        ("hud_data", declare_hud_data),
        ("hud", nodes.hud),
    ]
    if "albedo" in resources:
        chosen += [("opaque", nodes.opaque), ("deferred_lighting", nodes.deferred_lighting)]
    elif "depth" in resources:
        chosen += [("depth_only", nodes.depth_only), ("sky", nodes.sky), ("forward_opaque", nodes.forward_opaque)]
    if "motion_vectors" in resources:
        chosen += MOTION_NODES
    if "hdr_lit" not in resources:
        graph.set_slot("hdr_lit", "hdr")  # a skeleton without a place for transparent surfaces
    chosen.append(("opaque_color", nodes.opaque_color))
    for name, declare in chosen:
        graph.add_node(name, declare, shader_paths=(GLSL,))
    follow_image_table(graph, frame)


def follow_image_table(graph: FrameGraph, frame: FrameInput) -> None:
    """Have the graph a table of all material images if the scene's device has one; call it again for another device."""

    def scene_images(reg: Registry) -> Execute:
        table = reg.create(IMAGES, ImageTable)
        reg.stable(frame.revision)

        def execute(cmd: Commands) -> None:
            table.value = frame.images

        return execute

    indexed = frame.draws.scene.images.indexed
    if indexed and IMAGES not in graph.node_names:
        graph.add_node(IMAGES, scene_images)
    elif not indexed and IMAGES in graph.node_names:
        graph.remove_node(IMAGES)


class EngineNodes:
    """Declare functions of the engine's nodes. They share the per-frame input from the application."""

    def __init__(self, frame: FrameInput, dimensions: tuple[str, ...]) -> None:
        self._frame = frame
        self._dimensions = dimensions
        self._players = tuple(dimension for dimension in dimensions if dimension == VIEW)

    def scene(self, reg: Registry) -> Execute:
        """Create the blobs of the frame."""
        frame = self._frame
        views = reg.create("views", ViewSet)
        places = reg.create(VIEW_PLACES, ViewSet)
        lights = reg.create("lights", LightSet)
        draws = reg.create("draws", DrawSet)
        huds = reg.create("huds", HudVertices)
        reg.stable(frame.revision)

        def execute(cmd: Commands) -> None:
            views.value = frame.views
            places.value = frame.views.without_cameras()
            lights.value = frame.lights
            draws.value = frame.draws
            huds.value = frame.hud

        return execute

    def whole_views(self, reg: Registry) -> Execute:
        """Create the camera of each player's whole view, for nodes that its eyes, samples and tiles share."""
        reg.multiplex(*self._players)
        views = reg.read("views", ViewSet)
        camera = reg.create("view_camera", CameraView)
        reg.stable()

        def execute(cmd: Commands) -> None:
            every: ViewSet = views.value
            camera.value = CameraView.of_view(every.whole(cmd.index), cmd.resolution("main_view"), every.time)

        return execute

    def views(self, reg: Registry) -> Execute:
        """Create the view and the camera of each instance."""
        reg.multiplex(*self._dimensions)
        views = reg.read("views", ViewSet)
        view = reg.create("view", View)
        camera = reg.create("camera", CameraView)
        reg.stable()

        def execute(cmd: Commands) -> None:
            every: ViewSet = views.value
            view.value = every.at(cmd.index)
            rendered, picture = cmd.resolution("main_view"), cmd.resolution("picture")
            camera.value = CameraView.of_view(view.value, rendered, every.time, picture)

        return execute

    @staticmethod
    def opaque(reg: Registry, alpha: AlphaMode = "opaque", surfaces: Surfaces = PLAIN) -> Execute:
        """Draw opaque surfaces to the G-buffer, or those with alpha masks: only these discard fragments."""
        reg.multiview(EYE)
        for target in ("albedo", "normal", "material", "emissive"):
            reg.modify(target).color()
        reg.modify("depth").depth()
        reg.read("camera", CameraView)
        scene = request_scene(reg, visible=VISIBLE, alpha=alpha, surfaces=surfaces)
        defines = request_surfaces(reg, surfaces) | ({"MASKED": 1} if alpha == "mask" else {})
        pipelines = MeshPipelines.declare(
            reg, "gbuffer.frag", scene=scene, defines=defines, depth_test="greater_equal", depth_write=True
        )
        reg.stable()

        def execute(cmd: Commands) -> None:
            draw_scene(cmd, scene, pipelines)

        return execute

    def deferred_lighting(self, reg: Registry) -> Execute:
        """Light the G-buffer, and draw the sky where it is empty."""
        reg.modify("hdr_lit").color()
        for source in ("albedo", "normal", "material", "emissive", "depth"):
            reg.read(source).sampled(filter="nearest")
        reg.read("sun_visibility").sampled(filter="nearest").optional(otherwise=1.0)
        reg.read("contact_visibility").sampled(filter="nearest").optional(otherwise=1.0)
        reg.read("light_visibility").sampled(filter="nearest").optional(otherwise=1.0)
        reg.read("ambient_occlusion").sampled(filter="nearest").optional(otherwise=1.0)
        request_environment(reg)
        reg.read("camera", CameraView)
        request_lights(reg)
        reg.stable()
        pipeline = reg.fullscreen("deferred_lighting.frag")

        def execute(cmd: Commands) -> None:
            cmd.draw(pipeline)

        return execute

    @staticmethod
    def depth_only(reg: Registry, alpha: AlphaMode = "opaque") -> Execute:
        """Depth prepass: each fragment is shaded once, and effects can read depth.

        That of surfaces with alpha masks discards fragments.
        """
        masked = alpha == "mask"
        reg.multiview(EYE)
        reg.modify("depth").depth()
        reg.read("camera", CameraView)
        scene = request_scene(reg, materials=masked, visible=VISIBLE, alpha=alpha)
        fragment, defines = ("masked_depth.frag", {"MASKED": 1, "OF_CAMERA": 1}) if masked else ("", None)
        pipelines = MeshPipelines.declare(
            reg, fragment, scene=scene, defines=defines, depth_test="greater", depth_write=True
        )
        reg.stable()

        def execute(cmd: Commands) -> None:
            draw_scene(cmd, scene, pipelines, materials=masked)

        return execute

    def sky(self, reg: Registry) -> Execute:
        """Draw the sky behind all surfaces."""
        reg.multiview(EYE)
        reg.modify("hdr_lit").color()
        request_panorama(reg)
        reg.read("depth").depth_read()
        reg.read("camera", CameraView)
        reg.read("lights", LightSet)
        reg.before("forward_opaque")
        reg.stable()
        pipeline = reg.graphics("sky.frag", depth_test="equal")

        def execute(cmd: Commands) -> None:
            cmd.draw(pipeline)

        return execute

    @staticmethod
    def forward_opaque(reg: Registry, alpha: AlphaMode = "opaque", surfaces: Surfaces = PLAIN) -> Execute:
        """Draw and light opaque surfaces, or those with alpha masks: where the depth is theirs, they have no holes.

        In the deferred skeleton surfaces with layers are drawn so over the lit G-buffer, which has no room for layers.
        """
        reg.multiview(EYE)
        reg.modify("hdr_lit").color()
        reg.read("depth").depth_read()
        reg.read("camera", CameraView)
        request_lights(reg)
        reg.read("sun_visibility").sampled(filter="nearest").optional(otherwise=1.0)
        reg.read("contact_visibility").sampled(filter="nearest").optional(otherwise=1.0)
        reg.read("light_visibility").sampled(filter="nearest").optional(otherwise=1.0)
        reg.read("ambient_occlusion").sampled(filter="nearest").optional(otherwise=1.0)
        request_environment(reg)
        scene = request_scene(reg, visible=VISIBLE, alpha=alpha, surfaces=surfaces)
        defines = request_surfaces(reg, surfaces, layers="layers" in surfaces)
        pipelines = MeshPipelines.declare(reg, "forward.frag", scene=scene, defines=defines, depth_test="equal")
        reg.stable()

        def execute(cmd: Commands) -> None:
            draw_scene(cmd, scene, pipelines)

        return execute

    def opaque_color(self, reg: Registry) -> Execute:
        """Copy the light of everything opaque, for nodes that draw transparent surfaces and read what is behind."""
        reg.read("hdr_opaque").sampled(filter="nearest")
        reg.create("opaque_color", Texture("rgba16_sfloat", reg.resolution("main_view"))).color()
        reg.stable()
        pipeline = reg.fullscreen("opaque_color.frag")

        def execute(cmd: Commands) -> None:
            cmd.draw(pipeline)

        return execute

    def compose(self, reg: Registry) -> Execute:
        """Draw each finished picture to its rectangle of the output."""
        reg.modify("image").color()
        reg.read("ldr").sampled()
        # The view set and not the blob "view" of each instance: samples may have been resolved to one picture.
        views = reg.read(VIEW_PLACES, ViewSet)
        reg.before("hud")
        pipeline = reg.graphics("compose.frag")
        reg.stable()

        def execute(cmd: Commands) -> None:
            _draw_to(cmd, views.value.at(cmd.index).rectangle)
            cmd.draw(pipeline)

        return execute

    def hud(self, reg: Registry) -> Execute:
        """Draw each player's HUD over the finished picture."""
        reg.multiplex(*self._players)
        reg.modify("image").color()
        views = reg.read(VIEW_PLACES, ViewSet)
        huds = request_huds(reg)
        reg.stable()

        def execute(cmd: Commands) -> None:
            view: View = views.value.whole(cmd.index)
            if view.hud_panel is None and has_hud(huds, view.player):
                for place, origin in views.value.places(cmd.index):
                    _draw_to(cmd, place)
                    draw_hud(cmd, huds, view.player, place.extent, origin)

        return execute


def _draw_to(cmd: Commands, rectangle: Rectangle) -> None:
    if rectangle.extent != cmd.extent:
        cmd.viewport(rectangle.x, rectangle.y, rectangle.width, rectangle.height)
