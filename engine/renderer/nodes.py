"""The engine's nodes: scene data, opaque geometry, lighting, composition and HUD."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from engine.renderer.blobs import CameraView, LightSet
from engine.renderer.frame_input import FrameInput
from engine.renderer.geometry import DrawSet, MeshPipelines, declare_scene_buffers, draw_scene, request_scene
from engine.renderer.motion import MOTION_NODES
from render.compiler.declare import Declare, Execute
from render.graph.frame_graph import FrameGraph
from render.graph.registry import Registry, VertexLayout
from render.graph.resources import Buffer, Texture
from render.runtime.commands import Commands

GLSL = Path(__file__).parent / "glsl"
HUD_LAYOUT = VertexLayout(((0, "rg32_sfloat", 0), (1, "rg32_sfloat", 8), (2, "rgba32_sfloat", 16)), 32)


def add_engine_nodes(graph: FrameGraph, frame: FrameInput, skeleton_resources: Iterable[str]) -> None:
    """Register the nodes that fit a skeleton: deferred when it has a G-buffer, else forward."""
    nodes = EngineNodes(frame)
    resources = set(skeleton_resources)
    deferred = "albedo" in resources
    chosen: list[tuple[str, Declare]] = [("scene", nodes.scene), ("compose", nodes.compose), ("hud", nodes.hud)]
    if deferred:
        chosen += [("opaque", nodes.opaque), ("deferred_lighting", nodes.deferred_lighting)]
    else:
        chosen += [("depth_only", nodes.depth_only), ("sky", nodes.sky), ("forward_opaque", nodes.forward_opaque)]
    if "motion_vectors" in resources:
        chosen += MOTION_NODES
    for name, declare in chosen:
        graph.add_node(name, declare, shader_paths=(GLSL,))


class EngineNodes:
    """Declare functions of the engine's nodes, around the input that the application fills."""

    def __init__(self, frame: FrameInput) -> None:
        self._frame = frame

    def scene(self, reg: Registry) -> Execute:
        """Puts the frame's CPU values and buffers into the graph."""
        frame = self._frame
        camera = reg.create("camera", CameraView)
        lights = reg.create("lights", LightSet)
        draws = reg.create("draws", DrawSet)
        declare_scene_buffers(reg)

        def execute(cmd: Commands) -> None:
            camera.value = CameraView.of(frame.camera, cmd.resolution("main_view"), frame.time)
            lights.value = frame.lights
            draws.value = frame.draws

        return execute

    def opaque(self, reg: Registry) -> Execute:
        """Draws opaque surfaces into the G-buffer."""
        for target in ("albedo", "normal", "material", "emissive"):
            reg.modify(target).color()
        reg.modify("depth").depth()
        reg.read("camera", CameraView)
        scene = request_scene(reg)
        pipelines = MeshPipelines.declare(reg, "gbuffer.frag", depth_test="greater", depth_write=True)

        def execute(cmd: Commands) -> None:
            draw_scene(cmd, scene, pipelines)

        return execute

    def deferred_lighting(self, reg: Registry) -> Execute:
        """Lights the G-buffer, and paints the sky where there is none."""
        reg.modify("hdr").color()
        for source in ("albedo", "normal", "material", "emissive", "depth"):
            reg.read(source).sampled(filter="nearest")
        reg.read("sun_visibility").sampled(filter="nearest").optional()
        reg.read("ambient_occlusion").sampled(filter="nearest").optional()
        reg.read("camera", CameraView)
        reg.read("lights", LightSet)
        reg.stable()
        pipeline = reg.graphics("deferred_lighting.frag")

        def execute(cmd: Commands) -> None:
            cmd.draw(pipeline)

        return execute

    def depth_only(self, reg: Registry) -> Execute:
        """Draws depth before shading, so that each fragment is shaded once and effects can use it."""
        reg.modify("depth").depth()
        reg.read("camera", CameraView)
        scene = request_scene(reg, materials=False)
        pipelines = MeshPipelines.declare(reg, "", depth_test="greater", depth_write=True)

        def execute(cmd: Commands) -> None:
            draw_scene(cmd, scene, pipelines, materials=False)

        return execute

    def sky(self, reg: Registry) -> Execute:
        """Paints the sky behind everything."""
        reg.modify("hdr").color()
        reg.read("depth").depth_read()
        reg.read("camera", CameraView)
        reg.read("lights", LightSet)
        reg.before("forward_opaque")
        reg.stable()
        pipeline = reg.graphics("sky.frag", depth_test="equal")

        def execute(cmd: Commands) -> None:
            cmd.draw(pipeline)

        return execute

    def forward_opaque(self, reg: Registry) -> Execute:
        """Draws and lights opaque surfaces."""
        reg.modify("hdr").color()
        reg.read("depth").depth_read()
        reg.read("camera", CameraView)
        reg.read("lights", LightSet)
        reg.read("sun_visibility").sampled(filter="nearest").optional()
        reg.read("ambient_occlusion").sampled(filter="nearest").optional()
        scene = request_scene(reg)
        pipelines = MeshPipelines.declare(reg, "forward.frag", depth_test="equal")

        def execute(cmd: Commands) -> None:
            draw_scene(cmd, scene, pipelines)

        return execute

    def compose(self, reg: Registry) -> Execute:
        """Brings the finished picture to the output, at the output's size."""
        reg.modify("image").color()
        reg.read("ldr").sampled()
        reg.before("hud")
        reg.stable()
        pipeline = reg.graphics("compose.frag")

        def execute(cmd: Commands) -> None:
            cmd.draw(pipeline)

        return execute

    def hud(self, reg: Registry) -> Execute:
        """Draws text and panels over the finished picture."""
        frame = self._frame
        reg.modify("image").color()
        atlas = Texture("r8_unorm", (1, 1))
        reg.external("hud_atlas", atlas).sampled()
        vertices = reg.external("hud_vertices", Buffer(0)).vertex()
        pipeline = reg.graphics("hud.frag", "hud.vert", blend="alpha", vertex_layout=HUD_LAYOUT)

        def execute(cmd: Commands) -> None:
            if frame.hud_vertex_count and cmd.extent is not None:
                cmd.vertices(vertices.buffer)
                cmd.draw(pipeline, frame.hud_vertex_count, extent=cmd.extent)

        return execute
