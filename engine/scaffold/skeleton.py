"""New skeletons: a copy of a shipped one, with a game that uses it."""

from __future__ import annotations

import re

from renderwright.engine.scaffold.names import check_name, class_name
from renderwright.engine.scaffold.package import Package, files_of
from renderwright.engine.skeleton import find_skeleton, shipped_skeletons
from renderwright.render.errors import UsageError

FLAT = "flat"
"""The shipped skeleton without surfaces."""


def new_skeleton(name: str, like: str) -> Package:
    """A skeleton, derived from the shipped one of the name ``like``, with a game and a test.

    Raises ``UsageError`` if the name cannot be used or is a shipped skeleton's, or if there is no skeleton ``like``.
    """
    check_name(name)
    if name in shipped_skeletons():
        raise UsageError(f'a skeleton "{name}" comes with renderwright', hint="choose another name")
    text = find_skeleton(like).read_text(encoding="utf-8")
    document = text[text.index("version: ") :]
    words = {
        "name": name,
        "like": like,
        "game_class": f"{class_name(name)}Game",
        "title": name.replace("_", " ").capitalize(),
        "document": re.sub("^name: .*$", f"name: {name}", document, count=1, flags=re.MULTILINE),
    }
    scene = "skeleton_flat" if like == FLAT else "skeleton_lit"
    commands = (
        f"renderwright graph {name}/{name}.yaml",
        f"renderwright play {name}/{name}_game.py",
        f"python -m pytest ./{name}",
    )
    return Package(name, files_of("skeleton", scene, words=words), commands)
