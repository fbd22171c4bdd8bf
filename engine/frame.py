"""Builds a game's frame graph: skeleton, engine nodes, plugins."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from renderwright.engine.game import Game
from renderwright.engine.games import game_folder
from renderwright.engine.options import PluginChoice
from renderwright.engine.plugins import PluginHost
from renderwright.engine.renderer.frame_input import FrameInput
from renderwright.engine.renderer.nodes import add_engine_nodes
from renderwright.engine.skeleton import PICTURE, VIEWPORT, Skeleton, find_skeleton, load_skeleton
from renderwright.render.backend.interop import Interop
from renderwright.render.graph.frame_graph import FrameGraph
from renderwright.render.types.resources import Extent


@dataclass(frozen=True)
class GameFrame:
    """A game's frame graph with its plugin host."""

    graph: FrameGraph
    plugins: PluginHost
    skeleton: Skeleton


def build_frame(
    game: type[Game],
    choice: PluginChoice,
    extent: Extent,
    frame: FrameInput,
    *,
    backend: str,
    strict: bool = False,
    interops: Mapping[str, Interop] | None = None,
) -> GameFrame:
    """The frame graph of a game at an output size, with its plugins started and their settings applied.

    ``interops`` are the results of ``renderwright.engine.plugins.find_interops`` from before the device was opened.
    """
    graph = FrameGraph()
    skeleton = load_skeleton(find_skeleton(game.skeleton, game_folder(game)))
    add_skeleton(graph, skeleton)
    graph.set_resolution("output", extent)
    created = [request.creates for node in skeleton.nodes for request in node.requests]
    add_engine_nodes(graph, frame, created, skeleton.repeated)
    plugins = PluginHost(graph, backend=backend, strict=strict, interops=interops, remembered=choice.remembered)
    plugins.start(game.plugins, enable=choice.enable, disable=choice.disable)
    for change in choice.settings:
        plugins.set(change.plugin, change.key, change.value)
    return GameFrame(graph, plugins, skeleton)


def add_skeleton(graph: FrameGraph, skeleton: Skeleton) -> None:
    """Add everything that a skeleton declares to a graph."""
    graph.set_dimensions(skeleton.dimensions)
    graph.define_resolution(VIEWPORT)
    graph.define_resolution(PICTURE)
    for rule in skeleton.resolutions:
        graph.define_resolution(rule)
    for slot, resource in skeleton.slots:
        graph.set_slot(slot, resource)
    for chain in skeleton.chains:
        graph.add_chain(chain)
    for sink in skeleton.sinks:
        graph.add_sink(sink)
    for node in skeleton.nodes:
        graph.add_declaration(node)
