"""Volumetric fog: height fog in which the sun casts shafts of light and shadow, and lamps have halos.

The view is divided into froxels, cells of some texels of the picture and one of 64 slices of distance. A compute node
finds the light at each, another one sums it along the rays, and a full-screen node veils the opaque picture by the sum
up to each texel's distance (Wronski 2014, "Volumetric Fog: Unified Compute Shader Based Solution to Atmospheric
Scattering"). Nodes of transparent surfaces read the same sums.
"""

from renderwright.engine.plugins import PluginGraph, PluginInfo, hookimpl
from renderwright.plugins.volumetric_fog.nodes import add_up, describe, light, look_back, veil
from renderwright.plugins.volumetric_fog.settings import VolumetricFogSettings

__all__ = ["VolumetricFogSettings", "renderwright_info", "renderwright_nodes", "renderwright_settings"]


@hookimpl
def renderwright_info() -> PluginInfo:
    """Name, version, summary."""
    return PluginInfo("volumetric_fog", "0.1.0", "Fog with shafts of sunlight between shadows, and halos of lamps.")


@hookimpl
def renderwright_settings() -> type[VolumetricFogSettings]:
    """The settings' model."""
    return VolumetricFogSettings


@hookimpl
def renderwright_nodes(graph: PluginGraph, settings: VolumetricFogSettings) -> None:
    """Add the froxels' light, its sum and one member of the chain ``post_opaque``; nothing at a density of 0."""
    if settings.density > 0.0:
        graph.add_node("air", lambda reg: describe(reg, settings))
        if settings.temporal:
            graph.add_node("past", look_back)
        graph.add_node("light", lambda reg: light(reg, settings))
        graph.add_node("sum", lambda reg: add_up(reg, settings))
        graph.add_node("veil", veil)
