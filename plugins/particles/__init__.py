"""Particles: sparks, smoke, rain, simulated on the GPU from the descriptions that a game places."""

from renderwright.engine.plugins import PluginGraph, PluginInfo, hookimpl
from renderwright.plugins.particles.collision import Collision
from renderwright.plugins.particles.emitter import Emitter, Particles
from renderwright.plugins.particles.nodes import add_particles
from renderwright.plugins.particles.settings import ParticleSettings

__all__ = [
    "Collision",
    "Emitter",
    "ParticleSettings",
    "Particles",
    "renderwright_info",
    "renderwright_nodes",
    "renderwright_settings",
]


@hookimpl
def renderwright_info() -> PluginInfo:
    """Name, version, summary."""
    summary = "Sparks, smoke and the like, which move on the GPU."
    return PluginInfo("particles", "0.1.0", summary, placed=(Emitter,))


@hookimpl
def renderwright_settings() -> type[ParticleSettings]:
    """The settings' model."""
    return ParticleSettings


@hookimpl
def renderwright_nodes(graph: PluginGraph, settings: ParticleSettings) -> None:
    """Add nodes that move particles and let them collide, and one that draws them before the chain ``post_hdr``."""
    add_particles(graph, settings)
