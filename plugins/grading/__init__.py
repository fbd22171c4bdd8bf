"""Colour grading by lookup tables (``.cube`` files)."""

from __future__ import annotations

from renderwright.engine.plugins import PluginGraph, PluginInfo, hookimpl
from renderwright.plugins.grading.looks import Look, look_of
from renderwright.plugins.grading.settings import GradingSettings
from renderwright.render import Execute, Registry, Texture

__all__ = ["GradingSettings", "renderwright_info", "renderwright_nodes", "renderwright_settings"]


def table(reg: Registry, look: Look) -> None:
    """The look's table, one for all views."""
    reg.multiplex()
    rows, width = look.texels.shape[:2]
    reg.external("grading/table", Texture("rgba32_sfloat", (width, rows)), lambda context: look.texels).sampled()


def grade(reg: Registry, look: Look, strength: float) -> Execute:
    """Replace display colours by the table's: after the tone mapper, before edges are smoothed."""
    reg.chain("tone", format="rgba8_srgb", size=reg.resolution("picture"), priority=-50)
    reg.read("table").sampled(filter="nearest")
    domains = {key: getattr(look, f"{key}") for key in _DOMAINS}
    reg.uniform("settings", {"strength": strength, **domains})
    reg.stable()
    pipeline = reg.fullscreen("grade.frag")
    return lambda cmd: cmd.draw(pipeline)


_DOMAINS = ("curve_size", "curve_low", "curve_high", "cube_size", "cube_low", "cube_high")


@hookimpl
def renderwright_info() -> PluginInfo:
    """Name, version, summary."""
    return PluginInfo("grading", "0.1.0", "Grades the picture by the lookup table of a .cube file.")


@hookimpl
def renderwright_settings() -> type[GradingSettings]:
    """The settings' model."""
    return GradingSettings


@hookimpl
def renderwright_nodes(graph: PluginGraph, settings: GradingSettings) -> None:
    """Add one member of the chain ``tone``, and the table that it reads; nothing at a strength of 0."""
    if settings.strength > 0.0:
        look = look_of(settings.look)
        graph.add_node("table", lambda reg: table(reg, look))
        graph.add_node("grade", lambda reg: grade(reg, look, settings.strength))
