"""Nodes of particles: they move once a frame, and collide and are drawn in each view."""

from __future__ import annotations

from renderwright.engine.plugins import PluginGraph
from renderwright.engine.renderer.air import request_air
from renderwright.engine.renderer.blobs import CameraView, LightSet
from renderwright.engine.renderer.environment import request_environment
from renderwright.engine.renderer.lights.clusters import request_lights
from renderwright.engine.renderer.sun_maps import request_sun_maps
from renderwright.engine.views.view_set import EYE
from renderwright.plugins.particles.order import ORDER, add_order
from renderwright.plugins.particles.settings import ParticleSettings
from renderwright.plugins.particles.state import MOVING, STATE
from renderwright.plugins.particles.table import COLLIDING, IMAGES, LIT, NAME
from renderwright.render import Commands, Execute, Registry

VERTICES = 6
"""Of a particle: two triangles."""


def add_particles(graph: PluginGraph, settings: ParticleSettings) -> None:
    """Register all nodes."""
    graph.add_node("move", move)
    graph.add_node("collide", collide)
    add_order(graph)
    graph.add_node("draw", lambda reg: draw(reg, settings))


def move(reg: Registry) -> Execute:
    """Let particles be born, move and die in the steps since the last frame.

    Each place for a particle knows its own step, so that it does not matter which steps were drawn. While the game is
    at rest, nothing is dispatched.
    """
    reg.multiplex()
    reg.read(NAME).storage_read("compute").bind("emitters")
    reg.modify(STATE).storage("compute").bind("state")
    moving = reg.read(MOVING, bool)
    pipeline = reg.compute("particles_move.comp")
    reg.stable()

    def execute(cmd: Commands) -> None:
        if moving.value:
            cmd.dispatch(pipeline, cmd.resolution(NAME))

    return execute


def collide(reg: Registry) -> Execute:
    """Let particles collide with what a player's view shows in this frame, one view after another.

    Of several eyes and samples, which show the same surfaces, the first counts; of tiles all.
    """
    reg.read(COLLIDING, bool)
    reg.read(NAME).storage_read("compute").bind("emitters")
    reg.modify(STATE).storage("compute").bind("state")
    reg.read("depth").sampled(filter="nearest", stage="compute")
    reg.read("camera", CameraView)
    moving = reg.read(MOVING, bool)
    reg.after("move")
    pipeline = reg.compute("particles_collide.comp")
    reg.stable()

    def execute(cmd: Commands) -> None:
        is_first = not any(cmd.index.get(same) for same in (EYE, "sample"))
        if moving.value and is_first:
            cmd.dispatch(pipeline, cmd.resolution(NAME))

    return execute


def draw(reg: Registry, settings: ParticleSettings) -> Execute:
    """Draw a square for each particle, over opaque and blended surfaces."""
    reg.multiview(EYE)
    reg.modify("hdr").color()
    reg.read("depth").sampled(filter="nearest")
    reg.read("camera", CameraView)
    reg.read(NAME).storage_read("vertex").bind("emitters")
    reg.read(STATE).storage_read("vertex").bind("state")
    reg.read(ORDER).storage_read("vertex").optional()
    reg.read(LIT, bool).bind("lit").optional()
    reg.read(f"{NAME}_{IMAGES}").sampled().bind("images").optional(otherwise=1.0)
    if reg.fact(LIT):
        request_lights(reg)
        request_environment(reg)
        request_sun_maps(reg, "fragment")
    else:
        reg.read("lights", LightSet)  # of the air
    request_air(reg)
    reg.uniform("settings", settings)
    reg.after("blended")
    pipeline = reg.graphics("particles.frag", "particles.vert", blend="transparent")
    reg.stable()

    def execute(cmd: Commands) -> None:
        cmd.draw(pipeline, vertices=VERTICES * cmd.resolution(NAME)[0])

    return execute
