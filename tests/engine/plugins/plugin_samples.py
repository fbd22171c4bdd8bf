"""Small plugins and a graph that records, for the tests of the host."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import BaseModel, Field

from renderwright.engine.plugins import FoundPlugin, PluginGraph, PluginHost, PluginInfo, hookimpl
from renderwright.render.errors import GraphError
from renderwright.render.graph.declare import Declare


class RecordingGraph:
    """A frame graph that only remembers; ``refuses`` are names that it will not add."""

    def __init__(self) -> None:
        self.nodes: dict[str, str] = {}
        self.declares: dict[str, Declare] = {}
        self.refuses: set[str] = set()

    def add_node(
        self,
        name: str,
        declare: Declare,
        *,
        plugin: str = "",
        shader_paths: Sequence[Path] = (),
        facts: Mapping[str, object] | None = None,
    ) -> None:
        if name in self.refuses:
            raise GraphError(f"{name} is refused")
        self.nodes[name] = plugin
        self.declares[name] = declare

    def remove_node(self, name: str) -> None:
        if name not in self.nodes:
            raise GraphError(f"there is no {name}")
        del self.nodes[name]


class GlowSettings(BaseModel):
    amount: float = Field(0.5, ge=0, le=1)
    blurs: int = Field(1, ge=0, le=4)


class Glow:
    """A correct plugin whose nodes depend on a setting."""

    @hookimpl
    def renderwright_info(self) -> PluginInfo:
        return PluginInfo("glow", "2.0", "Lets things glow.")

    @hookimpl
    def renderwright_settings(self) -> type[BaseModel]:
        return GlowSettings

    @hookimpl
    def renderwright_nodes(self, graph: PluginGraph, settings: GlowSettings) -> None:
        graph.add_node("extract", _nothing)
        for number in range(settings.blurs):
            graph.add_node(f"blur{number}", _nothing)


class Plain:
    """The least that a plugin can be."""

    @hookimpl
    def renderwright_nodes(self, graph: PluginGraph) -> None:
        graph.add_node("only", _nothing)


def nodes_plugin(add: Callable[[PluginGraph], None]) -> object:
    """A plugin that has only a renderwright_nodes hook, which calls ``add``."""

    class Sample:
        @hookimpl
        def renderwright_nodes(self, graph: PluginGraph) -> None:
            add(graph)

    return Sample()


def host_of(plugins: dict[str, Any], graph: RecordingGraph | None = None, **options: Any) -> PluginHost:
    """A host of plugins given as objects, or as exceptions that importing them raises."""
    options.setdefault("environment", {})
    found = [FoundPlugin(name, _importer(plugin), "samples", "1.0") for name, plugin in plugins.items()]
    return PluginHost(graph if graph is not None else RecordingGraph(), found=found, **options)


def _importer(plugin: Any) -> Callable[[], object]:
    def load() -> object:
        if isinstance(plugin, BaseException):
            raise plugin
        return plugin

    return load


def _nothing(_registry: Any) -> None:
    return None
