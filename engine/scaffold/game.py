"""New games."""

from __future__ import annotations

from renderwright.engine.games import game_names
from renderwright.engine.scaffold.names import check_name, check_not_installed, class_name, distribution_name
from renderwright.engine.scaffold.package import Package, files_of
from renderwright.render.errors import UsageError


def new_game(name: str) -> Package:
    """The package of a game. Raises ``UsageError`` if the name cannot be used or is taken."""
    check_name(name)
    if name in game_names():
        raise UsageError(f'a game "{name}" is installed already', hint="choose another name")
    distribution, module = distribution_name(name), f"{name}_game"
    check_not_installed(distribution, module)
    words = {
        "name": name,
        "distribution": distribution,
        "module": module,
        "game_class": f"{class_name(name)}Game",
        "title": name.replace("_", " ").capitalize(),
    }
    commands = (f"pip install -e ./{name}", f"renderwright play {name}", f"python -m pytest ./{name}")
    return Package(name, files_of("game", words=words), commands)
