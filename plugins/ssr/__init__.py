"""SSR: screen-space reflections. Surfaces reflect what the picture shows of this frame's opaque light.

Each texel sends one ray, from the distribution of GGX facets, through a pyramid of the picture's depth. Accumulation
over frames takes the mean. Where rays hit, the light replaces the share of the environment's or probes' reflection in
the lit picture; where they leave the picture or find nothing, that reflection stays.

- Needs ``albedo``, ``normal``, ``material``, ``depth`` and ``motion_vectors``: a deferred skeleton. In a forward one it
  adds nothing.
- Changes surfaces of metal and roughness. Those with further layers (coat, sheen, unlit) keep their light.

After Uludag 2014 ("Hi-Z Screen-Space Cone-Traced Reflections"), Stachowiak 2015 ("Stochastic Screen-Space Reflections")
and Dupuy and Benyoub 2023 ("Sampling Visible GGX Normals with Spherical Caps").
"""

from renderwright.engine.plugins import PluginGraph, PluginInfo, hookimpl
from renderwright.plugins.ssr.nodes import accumulate, follow_eye, measure_depth, reflect, trace
from renderwright.plugins.ssr.settings import SsrSettings

__all__ = ["SsrSettings", "renderwright_info", "renderwright_nodes", "renderwright_settings"]


@hookimpl
def renderwright_info() -> PluginInfo:
    """Name, version, summary."""
    return PluginInfo("ssr", "0.1.0", "Reflections of what the picture shows, sharp or blurred by roughness.")


@hookimpl
def renderwright_settings() -> type[SsrSettings]:
    """The settings' model."""
    return SsrSettings


@hookimpl
def renderwright_nodes(graph: PluginGraph, settings: SsrSettings) -> None:
    """Add the depth pyramid, the rays, their mean over frames and one member of the chain ``post_opaque``."""
    graph.add_node("follow_eye", follow_eye)
    graph.add_node("measure_depth", measure_depth)
    graph.add_node("trace", lambda reg: trace(reg, settings))
    graph.add_node("accumulate", lambda reg: accumulate(reg, settings))
    graph.add_node("reflect", lambda reg: reflect(reg, settings))
