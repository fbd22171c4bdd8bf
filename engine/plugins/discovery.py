"""Discovery of installed plugins by their entry points, without importing them."""

from __future__ import annotations

import importlib.metadata
import logging
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial

from renderwright.engine.entry_points import load_entry_point
from renderwright.engine.plugins.hookspecs import PROJECT
from renderwright.render.errors import PluginError, UsageError
from renderwright.render.suggest import nearest

ALLOW_VARIABLE = "RENDERWRIGHT_PLUGINS"
BLOCK_VARIABLE = "RENDERWRIGHT_BLOCK_PLUGINS"

_log = logging.getLogger("renderwright.plugins")


@dataclass(frozen=True)
class FoundPlugin:
    """An entry point. ``load`` imports it. ``distribution`` and ``version`` describe the package that defines it.

    ``others`` are further distributions that define a plugin of this name, and are not used. ``module`` is the name of
    the module that ``load`` imports.
    """

    name: str
    load: Callable[[], object]
    distribution: str = ""
    version: str = ""
    others: tuple[str, ...] = ()
    module: str = ""


def find_plugins() -> tuple[FoundPlugin, ...]:
    """Entry points of group ``renderwright``, sorted by name.

    Of several of one name, that of renderwright itself is used, or else that of the first distribution by name.
    """
    points = importlib.metadata.entry_points(group=PROJECT)
    packages = {distribution: _package(distribution) for distribution in {point.dist for point in points}}
    found: dict[str, FoundPlugin] = {}

    def rank(point: importlib.metadata.EntryPoint) -> tuple[str, bool, str]:
        package = packages[point.dist].name
        return point.name, package != PROJECT, package

    for point in sorted(points, key=rank):
        package = packages[point.dist]
        first = found.get(point.name)
        if first is not None:
            found[point.name] = replace(first, others=(*first.others, package.name))
            continue
        found[point.name] = FoundPlugin(
            point.name,
            partial(load_entry_point, point, PluginError),
            package.name,
            package.version,
            module=point.module,
        )
    return tuple(found.values())


@dataclass(frozen=True)
class _Package:
    name: str = ""
    version: str = ""


def _package(distribution: importlib.metadata.Distribution | None) -> _Package:
    """Name and version of a distribution, for which its metadata is parsed."""
    if distribution is None:
        return _Package()
    metadata = distribution.metadata
    return _Package(metadata["Name"], metadata["Version"])


def report_duplicates(found: Iterable[FoundPlugin], *, strict: bool) -> None:
    """Log a warning for each name that several distributions define. Raises ``UsageError`` if strict."""
    for plugin in found:
        if not plugin.others:
            continue
        names = " and ".join((plugin.distribution, *plugin.others))
        error = UsageError(
            f'plugin "{plugin.name}" comes from {names}; {plugin.distribution} is used',
            hint=f"uninstall all but one: pip uninstall {' '.join(plugin.others)}; "
            "the author of a plugin renames it in its entry point and in renderwright_info",
        )
        if strict:
            raise error
        _log.warning("%s", error)


def unknown_names(found: Iterable[str], environment: Mapping[str, str]) -> tuple[str, ...]:
    """Names in the allow list that match no installed plugin. The block list may name missing plugins."""
    return tuple(sorted(_names(environment.get(ALLOW_VARIABLE, "")) - set(found)))


def report_misspelt(found: Iterable[str], environment: Mapping[str, str]) -> None:
    """Log a warning for each name in the block list that no installed plugin has, but one has that is like it.

    Another name is no mistake: the list may be for several machines.
    """
    blocked, installed = _names(environment.get(BLOCK_VARIABLE, "")), set(found)
    for name in sorted(blocked - installed):
        near = nearest(name, installed - blocked)
        if near:
            message = f'{BLOCK_VARIABLE} names a plugin that is not installed: "{name}"'
            _log.warning("%s", UsageError(message, hint=f'did you mean "{near}"?'))


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
