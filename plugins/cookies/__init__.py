"""Light cookies: images that spot lights project, such as window panes, leaves and stained glass."""

from renderwright.engine.plugins import PluginGraph, PluginInfo, hookimpl
from renderwright.engine.renderer.lights.clusters import PATTERNS
from renderwright.plugins.cookies.cookie import Cookie
from renderwright.plugins.cookies.table import IMAGES
from renderwright.render import Registry

__all__ = ["Cookie", "renderwright_info", "renderwright_nodes"]


@hookimpl
def renderwright_info() -> PluginInfo:
    """Name, version, summary."""
    return PluginInfo("cookies", "0.1.0", "Images that spot lights project.", placed=(Cookie,))


@hookimpl
def renderwright_nodes(graph: PluginGraph) -> None:
    """Give the images of placed cookies to the lighting."""
    graph.add_node("project", project)


def project(reg: Registry) -> None:
    """Call the images of cookies the patterns of lights."""
    reg.multiplex()
    reg.rename(IMAGES, PATTERNS)
