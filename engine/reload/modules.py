"""Modules of a plugin: which these are, and importing them again."""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import sys
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

OWN = "renderwright"
"""The package that no plugin's edit imports again as a whole."""


def code_of(module: str, game: str) -> str:
    """The name of what is imported again for a plugin in ``module``: the module with all below it if it is a package;
    else the package that it lies in, unless that is also the package of the module ``game``; else the module alone."""
    loaded = sys.modules.get(module)
    parent = module.rpartition(".")[0]
    if loaded is not None and hasattr(loaded, "__path__"):
        return module
    if not parent or parent.partition(".")[0] == OWN or f"{game}.".startswith(f"{parent}."):
        return module
    return parent


def modules_of(code: str) -> dict[str, ModuleType]:
    """The imported modules of that name and below it."""
    return {name: module for name, module in list(sys.modules.items()) if name == code or name.startswith(f"{code}.")}


def files_of(code: str) -> frozenset[Path]:
    """The Python files of the imported modules of that name and below it, resolved."""
    files = (getattr(module, "__file__", None) for module in modules_of(code).values())
    return frozenset(Path(file).resolve() for file in files if file is not None and file.endswith(".py"))


def unimported_file(code: str) -> Path | None:
    """The file that importing ``code`` would run, resolved; None if there is none. Imports the packages above it."""
    try:
        spec = importlib.util.find_spec(code)
    except (ImportError, ValueError, AttributeError):
        return None
    return Path(spec.origin).resolve() if spec is not None and spec.origin is not None else None


@dataclass(frozen=True)
class Dropped:
    """Modules of ``code`` that were imported before it was dropped."""

    code: str
    modules: dict[str, ModuleType]

    def put_back(self) -> None:
        """Have the modules imported again that were, and no others."""
        for name in modules_of(self.code):
            del sys.modules[name]
        sys.modules.update(self.modules)
        parent, _, last = self.code.rpartition(".")
        if self.code in self.modules and parent in sys.modules:
            setattr(sys.modules[parent], last, self.modules[self.code])


def drop(code: str) -> Dropped:
    """Forget the modules of ``code``, so that the next import runs their files as these are now."""
    modules = modules_of(code)
    for name in modules:
        del sys.modules[name]
    for file in _python_files(code, modules):
        # Bytecode is matched to its source by the second and the size, which two edits can share.
        with contextlib.suppress(OSError, NotImplementedError):
            Path(importlib.util.cache_from_source(str(file))).unlink()
    importlib.invalidate_caches()
    return Dropped(code, modules)


def _python_files(code: str, modules: dict[str, ModuleType]) -> set[Path]:
    """All Python files of ``code``, also those that are not imported."""
    files = {Path(file) for module in modules.values() if (file := getattr(module, "__file__", None)) is not None}
    top = modules.get(code)
    for folder in getattr(top, "__path__", ()):
        files.update(Path(folder).rglob("*.py"))
    if top is None and (file := unimported_file(code)) is not None:
        files.add(file)
    return {file for file in files if file.suffix == ".py"}
