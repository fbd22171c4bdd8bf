"""Requests and commands shared by all nodes that draw the scene's meshes, including plugins'."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from operator import attrgetter
from typing import Any

import numpy as np
from pyglm import glm

from renderwright.engine.renderer.arriving_casters import ArrivingCasters
from renderwright.engine.renderer.blended_order import SortedDraws
from renderwright.engine.renderer.draw_commands import CommandRange, CommandRanges, DrawTable, with_any_images
from renderwright.engine.renderer.drawn_surfaces import KINDS, DrawKind
from renderwright.engine.renderer.gpu_scene import GpuScene
from renderwright.engine.renderer.image_table import ImageTable
from renderwright.engine.renderer.set_layouts import MATERIAL_SET
from renderwright.engine.renderer.surface_kinds import SURFACE_KINDS, SurfaceKind
from renderwright.engine.renderer.surface_requests import request_variants
from renderwright.engine.renderer.surface_variants import SurfaceVariant
from renderwright.engine.scene.material import AlphaMode
from renderwright.engine.scene.mesh import VERTEX_FLOATS
from renderwright.render.backend.protocol import INDIRECT_BYTES
from renderwright.render.errors import UsageError
from renderwright.render.graph.commands import Commands
from renderwright.render.graph.handles import PipelineHandle
from renderwright.render.graph.pipeline_requests import VertexLayout
from renderwright.render.graph.registry import Registry
from renderwright.render.graph.request_builder import RequestBuilder
from renderwright.render.types.resources import Buffer
from renderwright.render.types.shader_parts import ShaderPart

IMAGES = "scene_images"
"""The blob of all material images; there is none on a device without arrays of textures that shaders index freely."""

DRAWS_OF: Mapping[AlphaMode, str] = {"opaque": "draws", "mask": "masked_draws", "blend": "blended_draws"}
"""The blob of the draws of each alpha mode. Those of masks and of blended surfaces exist while a scene has such."""

MESH_LAYOUT = VertexLayout(
    ((0, "rgb32_sfloat", 0), (1, "rgb32_sfloat", 12), (2, "rg32_sfloat", 24), (3, "rgba32_sfloat", 32)),
    VERTEX_FLOATS * 4,
)


@dataclass(frozen=True)
class DrawSet:
    """The blobs of ``DRAWS_OF``: where this frame's draw commands are, and the images that are resident in it.

    It is equal in frames whose draws are the same calls, so that these can be kept. ``shown`` is empty on a device with
    a table of images. ``direct`` has the commands for a device that cannot read them from a buffer, and is another
    object in each frame. ``draw_scene`` draws the surfaces of one ``alpha`` mode. ``arriving`` are the shadow casters
    that are not drawn yet, or without their holes.
    """

    ranges: CommandRanges
    scene: GpuScene
    shown: tuple[object, ...] = ()
    direct: DrawTable | None = None
    alpha: AlphaMode = "opaque"
    arriving: ArrivingCasters = field(default_factory=ArrivingCasters)

    @classmethod
    def of(cls, scene: GpuScene) -> DrawSet:
        """The draws of the scene in this frame."""
        table = scene.draws.table
        direct = replace(table) if scene.draws.direct else None
        return cls(table.ranges, scene, scene.images.shown, direct, arriving=scene.arriving)

    @classmethod
    def sorted_of(cls, scene: GpuScene) -> tuple[DrawSet, ...]:
        """The blended draws of each player from back to front, all as if their materials had two sides."""
        return tuple(cls._sorted(scene, draws) for draws in scene.blended.draws)

    @classmethod
    def _sorted(cls, scene: GpuScene, draws: SortedDraws) -> DrawSet:
        ranges = dict.fromkeys(KINDS, ()) | {DrawKind(True, False, "blend"): draws.ranges}
        table = DrawTable(ranges, draws.commands, np.zeros(0)) if scene.draws.direct else None
        return cls(ranges, scene, scene.images.shown, table, "blend")

    def seen_of(self, player: int, matrices: Sequence[glm.mat4]) -> DrawSet:
        """A set of ``sorted_of`` without the instances that none of the world-to-clip matrices shows; without matrices,
        with all. It is what the buffers have from now on."""
        return self._sorted(self.scene, self.scene.blended.cull(player, matrices))

    def without_draws(self) -> DrawSet:
        """The set without any draws."""
        return replace(self, ranges=dict.fromkeys(KINDS, ()))


@dataclass(frozen=True)
class SceneRequests:
    """A node's requests for the scene's buffers and draws, and the variants for surface functions among these."""

    vertices: RequestBuilder
    indices: RequestBuilder
    commands: RequestBuilder
    draws: RequestBuilder
    images: RequestBuilder | None
    culled: RequestBuilder | None
    moved_only: bool = False
    surfaces: Sequence[SurfaceKind] = SURFACE_KINDS
    variants: tuple[SurfaceVariant, ...] = ()


def declare_scene_buffers(reg: Registry) -> None:
    """Declare the scene's buffers as external resources. The application provides them."""
    reg.external("scene_vertices", Buffer(0)).vertex()
    reg.external("scene_indices", Buffer(0)).index()
    reg.external("scene_draws", Buffer(0)).indirect()
    reg.external("scene_instances", Buffer(0)).storage_read(stage="vertex")
    reg.external("scene_materials", Buffer(0)).storage_read(stage="fragment")
    reg.priority(1)  # run early, so that it does not split render passes


def request_scene(
    reg: Registry,
    *,
    materials: bool = True,
    moved_only: bool = False,
    visible: str = "",
    alpha: AlphaMode = "opaque",
    surfaces: Sequence[SurfaceKind] = SURFACE_KINDS,
    draws: str = "",
) -> SceneRequests:
    """Request all resources for drawing the scene's surfaces of one alpha mode and of these kinds.

    While the scene has no surfaces of a mode, nodes that request them are left out of the frame, unless the mode is
    ``"opaque"``. ``materials=False`` is for depth-only passes. With ``moved_only``, draws of meshes none of which has
    moved since the previous frame are left out. ``visible`` is the name given to ``cull_scene``: only those instances
    are drawn, where there are so many that they are culled. Vertex shaders find them by ``INSTANCE`` of
    ``instances.glsl``. ``draws`` is the name of a blob of other draws than those of the mode.
    """
    __tracebackhide__ = True
    reg.read("scene_instances").storage_read(stage="vertex")
    culled = None
    if visible:
        culled = reg.read(f"{visible}_draws").indirect().bind("visible_draws").optional()
        reg.read(f"{visible}_instances").storage_read(stage="vertex").bind("visible_instances").optional()
    variants: tuple[SurfaceVariant, ...] = ()
    if materials:
        reg.read("scene_materials").storage_read(stage="fragment")
        variants = request_variants(reg, alpha, surfaces)
    return SceneRequests(
        reg.read("scene_vertices").vertex(),
        reg.read("scene_indices").index(),
        reg.read("scene_moved_draws" if moved_only else "scene_draws").indirect(),
        reg.read(draws or DRAWS_OF[alpha], DrawSet),
        reg.read(IMAGES, ImageTable).optional() if materials else None,
        culled,
        moved_only,
        surfaces,
        variants,
    )


@dataclass(frozen=True)
class MeshPipelines:
    """A pipeline with back-face culling and one for double-sided materials; the same for each surface function."""

    single_sided: PipelineHandle
    double_sided: PipelineHandle
    variants: Mapping[SurfaceVariant, MeshPipelines] = field(default_factory=dict)

    @classmethod
    def declare(
        cls,
        reg: Registry,
        fragment: str,
        vertex: str = "mesh.vert",
        *,
        scene: SceneRequests | None = None,
        culls: bool = True,
        **state: Any,
    ) -> MeshPipelines:
        """Declare both pipelines.

        With the requests of a ``scene``, materials with surface functions are drawn with these: the fragment shader
        ends with ``#include OWN_SURFACE``. Otherwise they are drawn as if they had none. Without ``culls`` one pipeline
        draws all materials, whose shader leaves out back faces.
        """

        def pair(parts: Sequence[ShaderPart] = ()) -> MeshPipelines:
            sides = ("back", "none") if culls else ("none",)
            handles = [
                reg.graphics(fragment, vertex, vertex_layout=MESH_LAYOUT, cull=side, parts=parts, **state)
                for side in sides
            ]
            return cls(handles[0], handles[-1])

        plain = pair()
        variants = {variant: pair([variant.part]) for variant in (scene.variants if scene is not None else ())}
        return replace(plain, variants=variants)

    def handle(self, variant: SurfaceVariant | None, *, double_sided: bool) -> PipelineHandle:
        """The pipeline of a variant; the one without surface function if there is none of it."""
        chosen = self if variant is None else self.variants.get(variant, self)
        return chosen.double_sided if double_sided else chosen.single_sided


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
    """Draw all batches. With ``materials``, ``MATERIAL_SET`` is bound to each material's images, or to all images.

    ``moved_only`` leaves out meshes none of which has moved since the previous frame. A node that is stable says so in
    its request instead.
    """
    draws: DrawSet = scene.draws.value
    if moved_only and scene.culled is not None:
        raise UsageError(
            "a node that requests what is visible cannot draw what has moved",
            hint="leave out visible=... in request_scene",
        )
    cmd.vertices(scene.vertices.buffer)
    cmd.indices(scene.indices.buffer)
    for double_sided in (False, True):
        kind = DrawKind(double_sided, shadow_casters_only, draws.alpha)
        ranges = [each for surface in scene.surfaces for each in draws.ranges.get(kind._replace(surface=surface), ())]
        if not ranges:
            continue
        if not materials:
            cmd.bind(pipelines.handle(None, double_sided=double_sided), **push)
            _draw(cmd, scene, with_any_images(ranges), moved_only=moved_only)
            continue
        for variant, drawn in groupby(ranges, key=attrgetter("variant")):
            handle = pipelines.handle(variant, double_sided=double_sided)
            cmd.bind(handle, **push)
            _draw_materials(cmd, scene, handle, list(drawn), moved_only=moved_only)


def _draw_materials(
    cmd: Commands, scene: SceneRequests, handle: PipelineHandle, ranges: Sequence[CommandRange], *, moved_only: bool
) -> None:
    if scene.images is not None and scene.images.present:
        table: ImageTable = scene.images.value
        cmd.bind_set(handle, MATERIAL_SET, table.bindings_for(cmd.pipeline(handle)))
        _draw(cmd, scene, ranges, moved_only=moved_only)
        return
    draws: DrawSet = scene.draws.value
    bindings_of = draws.scene.images.bindings_for(cmd.pipeline(handle))
    for each in ranges:
        cmd.bind_set(handle, MATERIAL_SET, bindings_of(each.images))
        _draw(cmd, scene, [each], moved_only=moved_only)


def _draw(cmd: Commands, scene: SceneRequests, ranges: Sequence[CommandRange], *, moved_only: bool) -> None:
    draws: DrawSet = scene.draws.value
    culled = scene.culled is not None and scene.culled.present
    commands = (scene.culled if scene.culled is not None and culled else scene.commands).buffer
    for each in ranges:
        if draws.direct is not None or (moved_only and not scene.moved_only):
            buffers = draws.scene.draws
            table = buffers.moved_table if moved_only or scene.moved_only else draws.direct or buffers.table
            for command in table.used(each):
                cmd.draw_indexed(*command)
            continue
        # The plan of the frame may be made for fewer draws.
        room = min(each.room, max(0, commands.info.size - each.offset) // INDIRECT_BYTES) if culled else each.room
        if each.counted and room == each.room:
            cmd.draw_indexed_indirect_count(commands, commands, room, each.offset, each.count_at)
        elif room:
            cmd.draw_indexed_indirect(commands, room, each.offset)
