"""SSAO: ambient occlusion from the depth of the picture, by ground-truth ambient occlusion (GTAO).

For each texel the horizon is searched along a few directions over the picture, in view space; the visibility between
two horizons, weighted with the cosine, is known exactly. It dims light that comes from everywhere (the sky), never
sun or lamps.

- Needs ``depth``. Uses ``normal`` if there is one, else the normal of the depth; and ``albedo`` for bounces.
- Makes ``ambient_occlusion``, which the engine's lighting nodes take where it exists.
- Searches at half resolution; a 4 x 4 pattern of directions is smoothed along surfaces and brought to full size.
- Looks at one frame alone: no history, no ghosts, and the same picture with or without TAA.

After Jimenez, Wu, Pesce and Jarabo 2016 ("Practical Realtime Strategies for Accurate Indirect Occlusion").
"""

from renderwright.engine.plugins import PluginGraph, PluginInfo, hookimpl
from renderwright.plugins.ssao.nodes import denoise, downsample, search, upsample
from renderwright.plugins.ssao.settings import SsaoSettings

__all__ = ["SsaoSettings", "renderwright_info", "renderwright_nodes", "renderwright_settings"]


@hookimpl
def renderwright_info() -> PluginInfo:
    """Name, version, summary."""
    return PluginInfo("ssao", "0.1.0", "Ambient occlusion (GTAO): corners and contacts get less light from the sky.")


@hookimpl
def renderwright_settings() -> type[SsaoSettings]:
    """The settings' model."""
    return SsaoSettings


@hookimpl
def renderwright_nodes(graph: PluginGraph, settings: SsaoSettings) -> None:
    """Smaller depth, search, and two filters up to the resource ``ambient_occlusion``."""
    graph.add_node("downsample", lambda reg: downsample(reg, settings))
    graph.add_node("search", lambda reg: search(reg, settings))
    graph.add_node("denoise", lambda reg: denoise(reg, settings))
    graph.add_node("upsample", lambda reg: upsample(reg, settings))
