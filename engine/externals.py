"""The resources that the engine brings into the frame graph."""

from __future__ import annotations

from collections.abc import Callable

from renderwright.engine.renderer.gpu_scene import GpuScene
from renderwright.engine.renderer.hud_textures import HudTextures
from renderwright.engine.renderer.skinning.nodes import provide_skinning
from renderwright.engine.views.view_set import VIEW
from renderwright.render.graph.frame_graph import FrameGraph
from renderwright.render.types.physical import PhysicalTexture


def provide_externals(
    graph: FrameGraph,
    scene: Callable[[], GpuScene],
    huds: Callable[[], HudTextures],
    target: Callable[[], PhysicalTexture],
) -> None:
    """Set the providers of the graph's external resources; scene, HUDs and target may be others in each frame."""
    graph.set_external("image", lambda context: target())
    graph.set_external("scene_vertices", lambda context: scene().vertices)
    graph.set_external("scene_indices", lambda context: scene().indices)
    graph.set_external("scene_instances", lambda context: scene().instances)
    graph.set_external("scene_previous_models", lambda context: scene().previous.buffer)
    graph.set_external("scene_draws", lambda context: scene().draws.buffer)
    graph.set_external("scene_bounds", lambda context: scene().draws.bounds)
    graph.set_external("view_verdicts", lambda context: scene().verdicts(context.index.get(VIEW, 0)))
    graph.set_external("sorted_draws", lambda context: scene().blended.commands(context.index.get(VIEW, 0)))
    graph.set_external("sorted_instances", lambda context: scene().blended.instances(context.index.get(VIEW, 0)))
    graph.set_external("scene_moved_draws", lambda context: scene().draws.moved)
    provide_skinning(graph, lambda: scene().skinning)
    graph.set_external("scene_materials", lambda context: scene().materials)
    graph.set_external("area_light_table", lambda context: scene().area_table.texture)
    graph.set_external("scene_lights", lambda context: scene().lights)
    graph.set_external("scene_attributes", lambda context: scene().attributes)
    graph.set_external("scene_layers", lambda context: scene().layers)
    graph.set_external("scene_surfaces", lambda context: scene().surfaces)
    graph.set_external("hud_vertices", lambda context: scene().hud_vertices)
    graph.set_external("hud_atlas", lambda context: huds().atlas)
    graph.set_external("hud_images", lambda context: huds().images)
