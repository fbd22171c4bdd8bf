"""Import of what an entry point names. A name that is not there is told as a mistake of the entry point."""

from __future__ import annotations

import importlib
import importlib.metadata
import pkgutil
from collections.abc import Iterable
from types import ModuleType

from renderwright.render.errors import RenderwrightError
from renderwright.render.suggest import nearest

GAMES = "renderwright.games"
"""The group of the entry points of games."""
HOOK_PREFIX = "renderwright_"
"""Where the name of each hook of plugins begins."""


def load_entry_point(point: importlib.metadata.EntryPoint, error_type: type[RenderwrightError]) -> object:
    """Import the object that an entry point names.

    Raises an ``error_type`` if the module or its attribute does not exist, and whatever the import raises.
    """
    try:
        module = importlib.import_module(point.module)
    except ModuleNotFoundError as error:
        if not _is_missing(point.module, error.name):
            raise
        near = _near_module(point.module)
        what = f'the module "{point.module}", which does not exist'
        raise _mistake(point, error_type, what, near) from error
    found: object = module
    for name in _names(point.attr):
        found = _attribute(found, name, point, module, error_type)
    return found


def _attribute(
    found: object,
    name: str,
    point: importlib.metadata.EntryPoint,
    module: ModuleType,
    error_type: type[RenderwrightError],
) -> object:
    try:
        return getattr(found, name)
    except AttributeError as error:
        near = nearest(name, [known for known in dir(found) if not known.startswith("_")])
        meant = f"{module.__name__}:{near}" if near else ""
        if any(known.startswith(HOOK_PREFIX) for known in dir(module)):
            meant = module.__name__  # a plugin whose hooks are functions of the module
        what = f'"{point.attr}" of {module.__name__}, which does not exist'
        raise _mistake(point, error_type, what, meant) from error


def _names(attribute: str) -> Iterable[str]:
    return attribute.split(".") if attribute else ()


def _is_missing(module: str, name: str | None) -> bool:
    """Whether a module or a package around it is the one that was not found, not one that it imports."""
    return name is not None and f"{module}.".startswith(f"{name}.")


def _near_module(module: str) -> str:
    """The module that is most alike in the same package, '' if none is."""
    package, _, last = module.rpartition(".")
    try:
        path = importlib.import_module(package).__path__ if package else None
    except (ImportError, AttributeError):
        return ""
    near = nearest(last, {found.name for found in pkgutil.iter_modules(path)})
    return f"{package}.{near}" if near and package else near


def _mistake(
    point: importlib.metadata.EntryPoint, error_type: type[RenderwrightError], what: str, near: str
) -> RenderwrightError:
    distribution = point.dist.metadata["Name"] if point.dist is not None else "an unknown distribution"
    return error_type(
        f'the entry point "{point.name}" of {distribution} in the group {point.group} names {what}',
        hint=(f'did you mean "{near}"? ' if near else "")
        + f'correct [project.entry-points."{point.group}"] in its pyproject.toml and install it again',
    )
