"""The part of a frame graph that a plugin sees, and the part that the plugin host needs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from renderwright.render.errors import GraphError
from renderwright.render.graph.declare import Declare


class NodeSink(Protocol):
    """Where nodes go: ``renderwright.render.graph.FrameGraph``, or a recorder in a test."""

    def add_node(self, name: str, declare: Declare, *, plugin: str = "", shader_paths: Sequence[Path] = ()) -> None:
        """Add a node, or replace the one of that name."""

    def remove_node(self, name: str) -> None:
        """Remove a node; ``GraphError`` if there is none of that name."""


@dataclass(frozen=True)
class PluginNode:
    """A node that a plugin wants, under its full name ``plugin/node``."""

    name: str
    declare: Declare


class PluginGraph:
    """Collects the nodes of one plugin. They reach the frame graph together, when the plugin's hook has returned.

    ``shader_path`` is the folder ``glsl`` beside the plugin's code, where its nodes' shader files are looked up.
    """

    def __init__(self, plugin: str, shader_path: Path) -> None:
        self.plugin = plugin
        self.shader_path = shader_path
        self._nodes: dict[str, PluginNode] = {}
        self._closed = False

    def add_node(self, name: str, declare: Declare) -> None:
        """Add a node; its full name is ``plugin/name``.

        ``GraphError`` if the name is empty, holds a ``/`` or is taken, and after the hook has returned.
        """
        if self._closed:
            raise GraphError(
                f'plugin "{self.plugin}" adds node "{name}" outside renderwright_nodes',
                hint="add every node inside the hook; to change the graph later, change a setting",
            )
        if not name or "/" in name:
            raise GraphError(
                f'plugin "{self.plugin}": "{name}" cannot be a node name',
                hint=f'give a name without "/"; the graph knows the node as "{self.plugin}/<name>"',
            )
        full = f"{self.plugin}/{name}"
        if full in self._nodes:
            raise GraphError(f'plugin "{self.plugin}" adds node "{name}" twice', hint="give each node its own name")
        self._nodes[full] = PluginNode(full, declare)

    def close(self) -> tuple[PluginNode, ...]:
        """The collected nodes; none can be added from now on."""
        self._closed = True
        return tuple(self._nodes.values())
