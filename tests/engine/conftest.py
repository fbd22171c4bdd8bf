"""Lets the tests of whole games find the faults that the tests of the Vulkan backend inject, and install a plugin."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from renderwright.engine.plugins import FoundPlugin, PluginGraph, discovery, hookimpl, host

sys.path.append(str(Path(__file__).resolve().parents[1] / "render" / "backend" / "vulkan"))


@pytest.fixture
def install(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[Any], object]], None]:
    """Installs a plugin called ``extra`` whose only node declares so."""

    def installed(declare: Callable[[Any], object]) -> None:
        class Extra:
            @hookimpl
            def renderwright_nodes(self, graph: PluginGraph) -> None:
                graph.add_node("node", declare)  # type: ignore[arg-type]

        found = (*discovery.find_plugins(), FoundPlugin("extra", Extra))
        monkeypatch.setattr(host, "find_plugins", lambda: found)

    return installed
