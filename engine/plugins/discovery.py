"""Discovery of installed plugins by their entry points, without importing them."""

from __future__ import annotations

import importlib.metadata
import logging
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from renderwright.engine.plugins.hookspecs import PROJECT

ALLOW_VARIABLE = "RENDERWRIGHT_PLUGINS"
BLOCK_VARIABLE = "RENDERWRIGHT_BLOCK_PLUGINS"

_log = logging.getLogger("renderwright.plugins")


@dataclass(frozen=True)
class FoundPlugin:
    """An entry point. ``load`` imports it. ``distribution`` and ``version`` describe the package that defines it."""

    name: str
    load: Callable[[], object]
    distribution: str = ""
    version: str = ""


def find_plugins() -> tuple[FoundPlugin, ...]:
    """Entry points of group ``renderwright``, sorted by name. For duplicate names, the first distribution's is used."""
    found: dict[str, FoundPlugin] = {}
    points = importlib.metadata.entry_points(group=PROJECT)
    for point in sorted(points, key=lambda point: (point.name, point.dist.name if point.dist else "")):
        plugin = FoundPlugin(
            point.name,
            point.load,
            point.dist.name if point.dist else "",
            point.dist.version if point.dist else "",
        )
        first = found.setdefault(point.name, plugin)
        if first is not plugin:
            _log.warning(
                'plugin "%s" comes from both %s and %s; uninstall one of them. %s is used.',
                point.name,
                first.distribution,
                plugin.distribution,
                first.distribution,
            )
    return tuple(found.values())


def unknown_names(found: Iterable[str], environment: Mapping[str, str]) -> tuple[str, ...]:
    """Names in the allow list that match no installed plugin. The block list may name missing plugins."""
    return tuple(sorted(_names(environment.get(ALLOW_VARIABLE, "")) - set(found)))


def refusal(name: str, environment: Mapping[str, str]) -> str:
    """Why the environment refuses a plugin, or ''. The block list takes precedence over the allow list."""
    if name in _names(environment.get(BLOCK_VARIABLE, "")):
        return f"blocked by {BLOCK_VARIABLE}"
    allowed = environment.get(ALLOW_VARIABLE)
    if allowed is not None and name not in _names(allowed):
        return f"not listed in {ALLOW_VARIABLE}"
    return ""


def _names(text: str) -> frozenset[str]:
    return frozenset(name.strip() for name in text.split(",") if name.strip())
