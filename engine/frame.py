"""Builds a game's frame graph: skeleton, engine nodes, plugins."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from renderwright.engine.frame_base import begin_graph
from renderwright.engine.game import Game
from renderwright.engine.game_class import skeleton_file
from renderwright.engine.games import check_attributes, check_plugins
from renderwright.engine.options import PluginChoice
from renderwright.engine.plugins import PluginHost
from renderwright.engine.plugins.discovery import FoundPlugin, report_misspelt
from renderwright.engine.renderer.frame_input import FrameInput
from renderwright.engine.skeleton import Skeleton, load_skeleton
from renderwright.render.backend.interop import Interop
from renderwright.render.graph.frame_graph import FrameGraph
from renderwright.render.runtime.plans.trial import Trial
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
    trial: Trial | None = None,
    found: Sequence[FoundPlugin] | None = None,
) -> GameFrame:
    """The frame graph of a game at an output size, with its plugins started and their settings applied.

    ``interops`` are the results of ``renderwright.engine.plugins.find_interops`` from before the device was opened.
    ``trial`` holds edits that are taken back if a hook fails. ``found`` are the installed plugins (None: looked for).
    """
    graph = FrameGraph()
    skeleton = load_skeleton(skeleton_file(game))
    begin_graph(graph, skeleton, extent, frame)
    plugins = PluginHost(
        graph,
        backend=backend,
        strict=strict,
        found=found,
        interops=interops,
        remembered=choice.remembered,
        trial=trial,
    )
    names = [plugin.name for plugin in plugins.plugins()]
    if found is None:  # else who has looked for them has reported it
        report_misspelt(names, os.environ)
    check_attributes(game)
    check_plugins(game, names)
    plugins.start(game.plugins, enable=choice.enable, disable=choice.disable)
    for change in choice.settings:
        plugins.set(change.plugin, change.key, change.value)
    return GameFrame(graph, plugins, skeleton)
