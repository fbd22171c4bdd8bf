"""Nodes that draw sprites in the world and over the picture."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from renderwright.engine.hud.layout import hud_scale
from renderwright.engine.renderer.blobs import CameraView
from renderwright.engine.renderer.set_layouts import MATERIAL_SET
from renderwright.engine.renderer.sprites.gpu_sprites import GpuSprites
from renderwright.engine.sprites.drawn import Run
from renderwright.engine.views import Rectangle, View, ViewSet
from renderwright.engine.views.view_set import EYE, VIEW_PLACES
from renderwright.render.graph.commands import Commands
from renderwright.render.graph.declare import Declare, Execute
from renderwright.render.graph.handles import PipelineHandle
from renderwright.render.graph.registry import Registry
from renderwright.render.graph.revision import Revision
from renderwright.render.types.resources import Buffer, Extent

ROWS = "sprite_rows"
"""The rows of all sprites, which the application provides."""

RUNS = "sprites"
"""The blob ``SpriteRuns``."""

_CORNERS = 6
"""Vertices of a rectangle: two triangles."""


@dataclass(frozen=True)
class SpriteRuns:
    """What is drawn of ``ROWS``, in this order. Equal in frames in which sprites only move."""

    runs: tuple[Run, ...]
    gpu: GpuSprites = field(compare=False)


def provide_sprites(runs: Callable[[], SpriteRuns], revision: Revision) -> Declare:
    """Declare function of the node that brings the sprites into the graph."""

    def declare(reg: Registry) -> Execute:
        reg.external(ROWS, Buffer(0)).storage_read(stage="vertex")
        shown = reg.create(RUNS, SpriteRuns)
        reg.priority(1)  # run early, so that it does not split render passes
        reg.stable(revision)

        def execute(cmd: Commands) -> None:
            shown.value = runs()

        return execute

    return declare


def world_sprites(*, depth: bool) -> Declare:
    """Declare function of the node that draws the sprites in the world, behind what is nearer by the ``depth``."""

    def declare(reg: Registry) -> Execute:
        reg.multiview(EYE)
        reg.modify("hdr").color()
        if depth:
            reg.read("depth").depth_read()
        reg.read("camera", CameraView)
        reg.read(ROWS).storage_read(stage="vertex")
        shown = reg.read(RUNS, SpriteRuns)
        reg.after("blended", "blended_layers")
        reg.stable()
        test = "greater_equal" if depth else "none"
        pipeline = reg.graphics("sprites.frag", "sprites.vert", blend="transparent", depth_test=test)

        def execute(cmd: Commands) -> None:
            sprites: SpriteRuns = shown.value
            for run in sprites.runs:
                if not run.kind.screen:
                    draw_run(cmd, pipeline, sprites, run, facing=int(run.kind.facing))

        return execute

    return declare


def screen_sprites(players: tuple[str, ...]) -> Declare:
    """Declare function of the node that draws each player's sprites over the finished picture, below the HUD."""

    def declare(reg: Registry) -> Execute:
        reg.multiplex(*players)
        reg.modify("image").color()
        reg.read(ROWS).storage_read(stage="vertex")
        shown = reg.read(RUNS, SpriteRuns)
        views = reg.read(VIEW_PLACES, ViewSet)
        reg.after("compose")
        reg.before("hud")
        reg.stable()
        pipeline = reg.graphics("sprites.frag", "screen_sprites.vert", blend="premultiplied")

        def execute(cmd: Commands) -> None:
            every: ViewSet = views.value
            view: View = every.whole(cmd.index)
            whole = view.hud_panel or view.rectangle.extent
            if view.hud_panel is None:
                for place, origin in every.places(cmd.index):
                    _draw_to(cmd, place)
                    _draw_screen(cmd, pipeline, shown.value, view.player, whole, place.extent, origin)

        return execute

    return declare


def draw_run(cmd: Commands, pipeline: PipelineHandle, sprites: SpriteRuns, run: Run, **push: Any) -> None:
    """Draw the rows of a run with a pipeline of ``sprites.frag``."""
    glyphs = int(run.source.image is None)
    cmd.bind(pipeline, first=run.first, glyphs=glyphs, **push)
    cmd.bind_set(pipeline, MATERIAL_SET, sprites.gpu.textures.bindings_for(cmd.pipeline(pipeline))(run.source))
    cmd.recorder.draw(_CORNERS, run.count)


def _draw_screen(
    cmd: Commands,
    pipeline: PipelineHandle,
    sprites: SpriteRuns,
    player: int,
    whole: Extent,
    extent: Extent,
    origin: tuple[int, int],
) -> None:
    scale = hud_scale(whole[1])
    for run in sprites.runs:
        if run.kind.screen and run.kind.player in (None, player):
            draw_run(cmd, pipeline, sprites, run, origin=origin, extent=extent, scale=scale)


def _draw_to(cmd: Commands, rectangle: Rectangle) -> None:
    if rectangle.extent != cmd.extent:
        cmd.viewport(rectangle.x, rectangle.y, rectangle.width, rectangle.height)
