"""A game whose scene needs all nodes of the engine, to play with plugins when no game is at hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from pyglm import glm

from renderwright.engine.game import Game, GameContext
from renderwright.engine.precompile.moved_model import moved_model
from renderwright.engine.renderer.lights.light_set import FEW_LIGHTS
from renderwright.engine.scene.camera import Camera
from renderwright.engine.scene.environment import Environment, Panorama
from renderwright.engine.scene.image import Image
from renderwright.engine.scene.light import PointLight
from renderwright.engine.scene.material import ALPHA_MODES, Material
from renderwright.engine.scene.mesh import Mesh
from renderwright.engine.scene.primitives import box
from renderwright.engine.scene.probe import Probe
from renderwright.engine.scene.scene import Scene
from renderwright.engine.scene.sky import Sky
from renderwright.engine.scene.surface_layers import Coat, Volume
from renderwright.engine.scene.surface_shader import SurfaceShader
from renderwright.engine.sprites import Sprite

MOST_PLAYERS = 4


def _coloured() -> Mesh:
    plain = box(1.0)
    return replace(plain, colors=np.ones((len(plain.vertices), 4), np.float32))


def spawn_surfaces(scene: Scene, surface: SurfaceShader | None = None) -> None:
    """Have a scene surfaces of every kind and alpha mode, perhaps all with a surface function."""
    for mode in ALPHA_MODES:
        scene.spawn(box(1.0), Material(alpha_mode=mode, surface=surface))
        scene.spawn(_coloured(), Material(alpha_mode=mode, surface=surface))
        scene.spawn(_coloured(), Material(alpha_mode=mode, coat=Coat(), surface=surface))
    scene.spawn(box(1.0), Material(transmission=1.0, surface=surface))
    scene.spawn(box(1.0), Material(transmission=1.0, volume=Volume(0.1), surface=surface))


def game_of_everything(skeleton_name: str, *, environment: bool) -> type[Game]:
    """A game for up to four players whose scene needs all nodes of the engine, on a skeleton.

    Without ``environment`` it has few lights and the plain sky.
    """

    class Stage(Game):
        """Surfaces of every kind and alpha mode, a mesh that the GPU moves, sprites, a probe."""

        title = "everything"
        skeleton = skeleton_name
        plugins = ()
        max_players = MOST_PLAYERS
        culling = 0
        occlusion = 0

        def setup(self, context: GameContext) -> None:
            moved_model().spawn(context.scene)
            context.scene.cameras = [Camera(glm.vec3(0, 2, 5), glm.vec3(0)) for _ in range(MOST_PLAYERS)]
            spawn_surfaces(context.scene)
            dot = Image("dot", np.full((1, 1, 4), 255, np.uint8))
            context.scene.sprites.add(Sprite(dot))
            context.scene.sprites.add(Sprite(dot, space="screen"))
            context.scene.add_light(PointLight(casts_shadow=True))
            context.scene.probes.add(Probe(glm.vec3(-1.0), glm.vec3(1.0)))
            if environment:
                context.scene.environment = Environment(Panorama.of_sky(Sky(), height=8))
                for _ in range(FEW_LIGHTS):  # all variants of lighting shaders follow from one scene of many lights
                    context.scene.add_light(PointLight(casts_shadow=True))

    return Stage
