"""Suggestions for names in exceptions of Python: of attributes, and of modules and keyword arguments of the API."""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import FunctionType

from renderwright import engine, render
from renderwright.render.suggest import did_you_mean, meant_attribute, nearest

_UNKNOWN = re.compile(r"(?P<function>[\w.]+)\(\) got an unexpected keyword argument '(?P<argument>\w+)'")
"""What Python says, of a function by its qualified name."""

_API = tuple(f"{package.__name__}." for package in (render, engine))


def meant_name(error: BaseException) -> str:
    """What may be meant by the attribute, or by the module or argument of the API, that does not exist; '' if nothing
    is."""
    if isinstance(error, ModuleNotFoundError):
        return _meant_module(error)
    if isinstance(error, AttributeError):
        return meant_attribute(error)
    return _meant_argument(error) if isinstance(error, TypeError) else ""


def _meant_module(error: ModuleNotFoundError) -> str:
    """The module of the API of the same name in another package, or the one that is most alike."""
    wanted = error.name or ""
    if not wanted.startswith(_API):
        return ""
    known = list(_modules_of_api())
    last = wanted.rpartition(".")[2]
    same = [name for name in known if name.rpartition(".")[2] == last]
    near = nearest(wanted, same or known)
    return f'did you mean "{near or same[0]}"?' if near or same else ""


def _modules_of_api() -> Iterator[str]:
    """The names of all modules of the API, from their files."""
    for package in (render, engine):
        folder = Path(package.__path__[0])
        for file in sorted(folder.rglob("*.py")):
            parts = file.relative_to(folder).with_suffix("").parts
            yield ".".join((package.__name__, *(part for part in parts if part != "__init__")))


def _meant_argument(error: TypeError) -> str:
    said = _UNKNOWN.fullmatch(str(error))
    function = _function_of_api(said["function"]) if said else None
    if said is None or function is None:
        return ""
    named = [each.name for each in inspect.signature(function).parameters.values() if each.kind is not each.VAR_KEYWORD]
    return did_you_mean(said["argument"], [name for name in named if name != "self"])


def _function_of_api(name: str) -> FunctionType | None:
    """The function of a qualified name, from the loaded modules of the API; None if none of them defines it."""
    for module_name, module in list(sys.modules.items()):
        if module_name.startswith(_API):
            found: object = module
            for part in name.split("."):
                found = getattr(found, part, None)
            if isinstance(found, FunctionType) and found.__qualname__ == name:
                return found
    return None
