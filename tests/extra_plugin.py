"""A plugin called ``extra``, installed for a test beside those that come along. Every test may import this."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from renderwright.engine.plugins import FoundPlugin, PluginGraph, discovery, hookimpl, host

Declare = Callable[[Any], object]


def install_extra(monkeypatch: pytest.MonkeyPatch, declares: Mapping[str, Declare]) -> None:
    """Install the plugin, whose nodes declare so; further ones count until it adds them."""

    class Extra:
        @hookimpl
        def renderwright_nodes(self, graph: PluginGraph) -> None:
            for name, declare in declares.items():
                graph.add_node(name, declare)  # type: ignore[arg-type]

    found = (*discovery.find_plugins(), FoundPlugin("extra", Extra))
    monkeypatch.setattr(host, "find_plugins", lambda: found)
