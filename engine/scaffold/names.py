"""Names of new packages."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import keyword
import re

from renderwright.render.errors import UsageError

_PATTERN = re.compile(r"[a-z](?:_?[a-z0-9])*")
_MOST_LETTERS = 32


def check_name(name: str) -> None:
    """Raise ``UsageError`` unless ``name`` can be part of the names of modules, distributions and settings."""
    if _PATTERN.fullmatch(name) and len(name) <= _MOST_LETTERS and not keyword.iskeyword(name):
        return
    near = _nearest(name)
    rule = (
        "a name has lower-case letters, digits, and single underscores between them, begins with a letter,\n"
        f"has at most {_MOST_LETTERS} letters, and is no keyword of Python"
    )
    raise UsageError(
        f'"{name}" cannot be the name of a package', hint=f'did you mean "{near}"?\n{rule}' if near else rule
    )


def check_not_installed(distribution: str, module: str) -> None:
    """Raise ``UsageError`` if installing a new package would replace an installed one, or hide its module."""
    try:
        version = importlib.metadata.version(distribution)
    except importlib.metadata.PackageNotFoundError:
        pass
    else:
        raise UsageError(
            f'the package "{distribution}" {version} is installed, and the new one would replace it',
            hint="choose another name",
        )
    if importlib.util.find_spec(module) is not None:
        raise UsageError(f'a module "{module}" is installed already', hint="choose another name")


def distribution_name(name: str) -> str:
    """The distribution of a package of that name."""
    return name.replace("_", "-")


def class_name(name: str) -> str:
    """``board_game`` as ``BoardGame``."""
    return "".join(part[0].upper() + part[1:] for part in name.split("_"))


def _nearest(name: str) -> str:
    """A valid name that looks like ``name``, or ''."""
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()
    near = re.sub(r"[^a-z0-9]+", "_", spaced).strip("_").lstrip("0123456789_")[:_MOST_LETTERS].rstrip("_")
    return "" if keyword.iskeyword(near) else near
