"""Nodes of particles: they move once a frame and are drawn in each view."""

from __future__ import annotations

from renderwright.engine.plugins import PluginGraph
from renderwright.engine.renderer.blobs import CameraView
from renderwright.engine.renderer.environment import request_environment
from renderwright.engine.renderer.lights.clusters import request_lights
from renderwright.engine.views.view_set import EYE
from renderwright.plugins.particles.order import ORDER, add_order
from renderwright.plugins.particles.settings import ParticleSettings
from renderwright.plugins.particles.state import PARTICLE_BYTES, STATE
from renderwright.plugins.particles.table import LIT, NAME
from renderwright.render import Buffer, Commands, Execute, Registry

VERTICES = 6
"""Of a particle: two triangles."""


def add_particles(graph: PluginGraph, settings: ParticleSettings) -> None:
    """Register all nodes."""
    graph.add_node("move", move)
    add_order(graph)
    graph.add_node("draw", lambda reg: draw(reg, settings))


def move(reg: Registry) -> Execute:
    """Let particles be born, move and die in the steps since the last frame.

    Each place for a particle knows its own step, so that it does not matter which steps were drawn.
    """
    reg.multiplex()
    reg.queue("graphics", "compute")
    reg.read(NAME).storage_read("compute").bind("emitters")
    reg.history(STATE).first("clear").storage_read("compute").bind("before")
    reg.create(STATE, Buffer(PARTICLE_BYTES, reg.resolution(NAME))).storage_write("compute")
    pipeline = reg.compute("particles_move.comp")
    reg.stable()

    def execute(cmd: Commands) -> None:
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
    request_lights(reg)
    request_environment(reg)
    reg.uniform("settings", settings)
    reg.after("blended")
    pipeline = reg.graphics("particles.frag", "particles.vert", blend="transparent")
    reg.stable()

    def execute(cmd: Commands) -> None:
        cmd.draw(pipeline, vertices=VERTICES * cmd.resolution(NAME)[0])

    return execute
