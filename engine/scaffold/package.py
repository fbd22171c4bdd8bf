"""The files of a new package, and how they are written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from string import Template

from renderwright.render.errors import UsageError

_TEMPLATES = Path(__file__).parent / "templates"
_ENDING = ".template"
_NAME = "NAME"


@dataclass(frozen=True)
class Package:
    """A package that can be written: texts by path relative to its folder, and the commands to go on with."""

    name: str
    files: Mapping[str, str]
    commands: tuple[str, ...]


def files_of(*folders: str, words: Mapping[str, str]) -> dict[str, str]:
    """The texts of the templates in these folders of ``templates/``, by path relative to the package's folder.

    ``words`` replace ``$word`` in texts; ``words["name"]`` replaces NAME in paths.
    """
    files = {}
    for folder in folders:
        root = _TEMPLATES / folder
        for template in sorted(root.rglob(f"*{_ENDING}")):
            path = template.relative_to(root).as_posix().removesuffix(_ENDING).replace(_NAME, words["name"])
            files[path] = Template(template.read_text(encoding="utf-8")).substitute(words)
    return files


def write_package(package: Package, folder: Path) -> Path:
    """Write the package into a new folder of its name in ``folder``, and return that folder.

    Raises ``UsageError`` if something of that name exists, which stays as it is, or if nothing can be written.
    """
    place = folder / package.name
    try:
        place.mkdir()
        for path, text in package.files.items():
            (place / path).parent.mkdir(parents=True, exist_ok=True)
            (place / path).write_text(text, encoding="utf-8")
    except FileExistsError as error:
        raise UsageError(
            f'"{place}" exists already, and nothing is overwritten', hint="choose another name, or another folder"
        ) from error
    except OSError as error:
        raise UsageError(
            f'"{place}" cannot be written: {error.strerror}', hint="change to a folder that you can write to"
        ) from error
    return place
