"""Per-frame input of the engine's nodes from the application."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from renderwright.engine.renderer.blobs import LightSet
from renderwright.engine.renderer.geometry import DrawSet
from renderwright.engine.renderer.gpu_scene import GpuScene
from renderwright.engine.renderer.hud import HudVertices
from renderwright.engine.renderer.image_table import ImageTable
from renderwright.engine.renderer.lights.caster_moves import CasterMoves
from renderwright.engine.renderer.lights.shadow_places import SHADOW_CHANNELS, ShadowPlaces
from renderwright.engine.renderer.lights.shadowed_lights import SHADOW_SHARING, ShadowedLights
from renderwright.engine.renderer.placed_buffers import PlacedBuffers
from renderwright.engine.renderer.skinning.gpu_skinning import SkinningWork
from renderwright.engine.scene.draw_list import DrawList
from renderwright.engine.scene.placements import PlacedRows
from renderwright.engine.scene.probe import Probe
from renderwright.engine.scene.scene import Scene
from renderwright.engine.views import ViewSet
from renderwright.render.compiler.values.plan import Plan
from renderwright.render.graph.revision import Revision


@dataclass
class FrameInput:
    """The scene of the current frame. Mutable: the application replaces the values before each frame, and ``revision``
    advances where one is another object. ``sorted`` has the blended draws of each player from back to front,
    and ``sorted_places`` is another object when their instances may have moved."""

    revision: Revision = field(default_factory=Revision, init=False)
    _places: ShadowPlaces = field(default_factory=ShadowPlaces, init=False)
    _moves: CasterMoves = field(default_factory=CasterMoves, init=False)
    views: ViewSet
    lights: LightSet
    draws: DrawSet
    images: ImageTable
    hud: HudVertices
    placed_buffers: PlacedBuffers
    skinning: SkinningWork = field(default_factory=SkinningWork)
    sorted: tuple[DrawSet, ...] = ()
    sorted_places: object = None
    placed: Sequence[PlacedRows] = ()
    shadowed: ShadowedLights = field(default_factory=ShadowedLights)
    probes: tuple[Probe, ...] = ()

    def __setattr__(self, name: str, value: object) -> None:
        if getattr(self, name, None) is not value:
            super().__setattr__(name, value)
            self.revision.advance()

    @classmethod
    def of(cls, scene: Scene, gpu_scene: GpuScene) -> FrameInput:
        """The initial input, before the output is known."""
        views = ViewSet.of((scene.camera,), (1, 1))
        images = gpu_scene.images.table
        return cls(views, LightSet.of(scene), DrawSet.of(gpu_scene), images, HudVertices.of(()), gpu_scene.placed)

    def show(self, scene: Scene, alpha: float, shadowed: int | None = None) -> None:
        """Show the lights, probes and placed things of a scene between its last two steps (``alpha``, 0 to 1).

        At most ``shadowed`` local lights get shadows; None for as many as ``light_visibility`` has channels.
        """
        self.placed = scene.placed.drawn(alpha)  # first: placed things may change lights
        most = SHADOW_CHANNELS if shadowed is None else shadowed
        self.lights = LightSet.of(scene, self._places, most, before=self.lights)
        self.probes = scene.probes.all

    def hold(self, plan: Plan) -> None:
        """Show what a plan can that is behind: without shared channels, no light has the shadows of another."""
        if self.lights.sharers and all(node.declaration.name != SHADOW_SHARING for node in plan.graph.nodes):
            self.lights = self.lights.unshared()

    def follow_casters(self, draws: DrawList) -> None:
        """Look for shadow casters that have moved near the lights, among those that are drawn next."""
        lights, shadowed = self.lights.shadowed, ShadowedLights()
        if lights:
            shadowed = ShadowedLights(lights, self._moves.follow(draws, lights), self._moves.arrangement)
        if shadowed != self.shadowed:
            self.shadowed = shadowed

    def draw(self, scene: GpuScene) -> None:
        """Draw what is in the scene now."""
        draws = DrawSet.of(scene)
        if draws != self.draws:
            self.draws = draws
        self.images = scene.images.table
        self.placed_buffers = scene.placed
        self.skinning = scene.skinning.work
        sorted_draws = DrawSet.sorted_of(scene)
        if sorted_draws != self.sorted:
            self.sorted = sorted_draws
        self.sorted_places = scene.blended.places

    def overlay(self, huds: Sequence[NDArray[np.float32]]) -> None:
        """Show these HUDs, the triangles of each player; the same arrays as long as nothing changes."""
        if not self.hud.shows(huds):
            self.hud = HudVertices.of(huds)
