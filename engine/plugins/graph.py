"""The interfaces of a frame graph for plugins and for the plugin host."""

from __future__ import annotations

import re
import reprlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from renderwright.render.errors import GraphError
from renderwright.render.graph.callables import check_one_argument
from renderwright.render.graph.declare import Declare

_NODE_NAME = re.compile(r"[\w.-]+")
"""Names are parts of the ids of instances and of dumps, where other characters have a meaning."""


class NodeSink(Protocol):
    """Receives nodes: ``renderwright.render.graph.FrameGraph``, or a recorder in a test."""

    def add_node(
        self,
        name: str,
        declare: Declare,
        *,
        plugin: str = "",
        shader_paths: Sequence[Path] = (),
        facts: Mapping[str, object] | None = None,
    ) -> None:
        """Add a node, or replace the one of that name."""

    def remove_node(self, name: str) -> None:
        """Remove a node. Raises ``GraphError`` if no node has that name."""


@dataclass(frozen=True)
class PluginNode:
    """A node of a plugin, with its full name ``plugin/node`` and the facts that it states."""

    name: str
    declare: Declare
    facts: Mapping[str, object] = field(default_factory=dict)


class PluginGraph:
    """Collects the nodes of one plugin. They are added to the frame graph together, after the plugin's hook returns.

    ``shader_path`` is the folder ``glsl`` beside the plugin's code. Its nodes' shader files are loaded from there.
    ``shadowed_lights`` is for plugins that create ``light_visibility``: the largest number of local lights that their
    nodes make shadows of. None leaves it to the engine, which gives them the lights of one texture.
    """

    def __init__(self, plugin: str, shader_path: Path) -> None:
        self.plugin = plugin
        self.shader_path = shader_path
        self.shadowed_lights: int | None = None
        self._nodes: dict[str, PluginNode] = {}
        self._closed = False

    def add_node(self, name: str, declare: Declare, *, facts: Mapping[str, object] | None = None) -> None:
        """Add a node. Its full name is ``plugin/name``.

        ``facts`` are values by name. Declare functions of all plugins may ask for them by ``reg.fact(name)`` while the
        node is in the graph. They compare by ``==``. A second node that states a fact is refused.

        Raises ``GraphError`` if the name is taken or has other characters than letters, digits, ``_``, ``-`` and ``.``,
        if ``declare`` cannot be called with one argument, if ``facts`` has keys that are no names, or if the hook has
        returned.
        """
        if self._closed:
            raise GraphError(
                f'plugin "{self.plugin}" adds node "{name}" outside renderwright_nodes',
                hint="add every node inside the hook; to change the graph later, change a setting",
            )
        if not (isinstance(name, str) and _NODE_NAME.fullmatch(name)):
            given = f'"{name}"' if isinstance(name, str) else reprlib.repr(name)
            raise GraphError(
                f'plugin "{self.plugin}": {given} cannot be a node name',
                hint='give a name of letters, digits, "_", "-" and "."; '
                f'the graph knows the node as "{self.plugin}/<name>"',
            )
        if not callable(declare):
            raise GraphError(
                f'plugin "{self.plugin}": node "{name}" is declared by {reprlib.repr(declare)}, which cannot be called',
                hint="give a function of one argument, reg, that states the node's requests",
            )
        check_one_argument(f'plugin "{self.plugin}": the declare function of node "{name}"', declare, "reg")
        if facts is not None and not (
            isinstance(facts, Mapping) and all(isinstance(fact, str) and fact for fact in facts)
        ):
            raise GraphError(
                f'plugin "{self.plugin}": node "{name}" cannot state the facts {reprlib.repr(facts)}',
                hint="give a dict of values by name",
            )
        full = f"{self.plugin}/{name}"
        if full in self._nodes:
            raise GraphError(f'plugin "{self.plugin}" adds node "{name}" twice', hint="give each node its own name")
        self._nodes[full] = PluginNode(full, declare, dict(facts or {}))

    def close(self) -> tuple[PluginNode, ...]:
        """The collected nodes. No node can be added afterwards."""
        self._closed = True
        return tuple(self._nodes.values())
