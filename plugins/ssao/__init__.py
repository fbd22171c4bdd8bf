"""SSAO: screen-space ambient occlusion by ground-truth ambient occlusion (GTAO).

For each texel, the search finds the hidden sectors of a few slices in view space. The cosine-weighted visibility
between two horizons has a closed form. Light passes behind things that are thin on the screen. The visibility dims
ambient light (the sky) and leaves sun and lamps alone.

- Needs ``depth``. Uses ``normal`` if it exists, else normals derived from depth. Uses ``albedo`` for bounces.
- Creates ``ambient_occlusion``, which the engine's lighting nodes read if it exists.
- Searches at half resolution with a 4 x 4 pattern of directions, denoises along surfaces and upsamples.
- Uses no history, so there is no ghosting, and the picture does not depend on TAA.

After Jimenez, Wu, Pesce and Jarabo 2016 ("Practical Realtime Strategies for Accurate Indirect Occlusion"),
and Therrien, Levesque and Gilet 2023 ("Screen Space Indirect Lighting with Visibility Bitmask").
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
    """Add the depth downsample, the search, the denoiser and the upsample to ``ambient_occlusion``."""
    graph.add_node("downsample", lambda reg: downsample(reg, settings))
    graph.add_node("search", lambda reg: search(reg, settings))
    graph.add_node("denoise", lambda reg: denoise(reg, settings))
    graph.add_node("upsample", lambda reg: upsample(reg, settings))
