"""Requests and commands shared by all nodes that draw the scene's meshes, including plugins'."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from renderwright.engine.renderer.gpu_scene import GpuDraw, GpuScene
from renderwright.engine.renderer.material_images import MATERIAL_SET
from renderwright.engine.scene.mesh import VERTEX_FLOATS
from renderwright.render.graph.commands import Commands
from renderwright.render.graph.handles import PipelineHandle
from renderwright.render.graph.registry import Registry, VertexLayout
from renderwright.render.graph.request_builder import RequestBuilder
from renderwright.render.types.resources import Buffer

MESH_LAYOUT = VertexLayout(
    ((0, "rgb32_sfloat", 0), (1, "rgb32_sfloat", 12), (2, "rg32_sfloat", 24), (3, "rgba32_sfloat", 32)),
    VERTEX_FLOATS * 4,
)


@dataclass(frozen=True)
class DrawSet:
    """The blob ``draws``: the draws of this frame, and the images that are resident in it (``MaterialImages.shown``).

    The same object in frames with the same draws and images, so that their commands can be kept.
    """

    draws: tuple[GpuDraw, ...]
    scene: GpuScene
    shown: tuple[object, ...] = ()


@dataclass(frozen=True)
class SceneRequests:
    """A node's requests for the scene's buffers and draws."""

    vertices: RequestBuilder
    indices: RequestBuilder
    draws: RequestBuilder


def declare_scene_buffers(reg: Registry) -> None:
    """Declare the scene's buffers as external resources. The application provides them."""
    reg.external("scene_vertices", Buffer(0)).vertex()
    reg.external("scene_indices", Buffer(0)).index()
    reg.external("scene_instances", Buffer(0)).storage_read(stage="vertex")
    reg.external("scene_materials", Buffer(0)).storage_read(stage="fragment")
    reg.priority(1)  # run early, so that it does not split render passes


def request_scene(reg: Registry, *, materials: bool = True) -> SceneRequests:
    """Request all resources for drawing the scene. ``materials=False`` is for depth-only passes."""
    reg.read("scene_instances").storage_read(stage="vertex")
    if materials:
        reg.read("scene_materials").storage_read(stage="fragment")
    return SceneRequests(
        reg.read("scene_vertices").vertex(), reg.read("scene_indices").index(), reg.read("draws", DrawSet)
    )


@dataclass(frozen=True)
class MeshPipelines:
    """A pipeline with back-face culling and one for double-sided materials."""

    single_sided: PipelineHandle
    double_sided: PipelineHandle

    @classmethod
    def declare(cls, reg: Registry, fragment: str, vertex: str = "mesh.vert", **state: Any) -> MeshPipelines:
        """Declare both pipelines."""
        return cls(
            reg.graphics(fragment, vertex, vertex_layout=MESH_LAYOUT, cull="back", **state),
            reg.graphics(fragment, vertex, vertex_layout=MESH_LAYOUT, cull="none", **state),
        )


def draw_scene(
    cmd: Commands,
    scene: SceneRequests,
    pipelines: MeshPipelines,
    *,
    materials: bool = True,
    shadow_casters_only: bool = False,
    moved_only: bool = False,
    **push: Any,
) -> None:
    """Draw all batches. With ``materials``, ``MATERIAL_SET`` is bound to each material's images.

    ``moved_only`` skips batches without motion since the previous frame.
    """
    draws: DrawSet = scene.draws.value
    previous = draws.scene.previous
    cmd.vertices(scene.vertices.buffer)
    cmd.indices(scene.indices.buffer)
    for handle, double_sided in ((pipelines.single_sided, False), (pipelines.double_sided, True)):
        chosen = [
            draw
            for draw in draws.draws
            if draw.batch.material.double_sided is double_sided
            and (draw.batch.casts_shadow or not shadow_casters_only)
            and (not moved_only or previous.has_moved(draw.batch))
        ]
        if chosen:
            cmd.bind(handle, **push)
            _draw(cmd, handle, chosen, draws.scene if materials else None)


def _draw(cmd: Commands, handle: PipelineHandle, draws: Iterable[GpuDraw], scene: GpuScene | None) -> None:
    bindings_of = scene.images.bindings_for(cmd.pipeline(handle)) if scene is not None else None
    bound = None
    for draw in draws:
        if bindings_of is not None and draw.images != bound:
            bound = draw.images
            cmd.bind_set(handle, MATERIAL_SET, bindings_of(bound))
        cmd.draw_indexed(
            draw.mesh.index_count, draw.batch.count, draw.mesh.first_index, draw.mesh.vertex_offset, draw.batch.first
        )
