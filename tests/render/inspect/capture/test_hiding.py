"""What a capture must not tell: folders of the machine that made it, and its user."""

from __future__ import annotations

from pathlib import Path

import pytest

from renderwright.render.inspect.capture.hiding import Hiding

HIDING = Hiding([Path("/projects/game"), Path("/projects/game/site-packages")], home=Path("/home/ada"))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("/projects/game/plugins/fog.py:12:5", "plugins/fog.py:12:5"),
        ("/projects/game/site-packages/ssr/nodes.py:3", "ssr/nodes.py:3"),
        ("/home/ada/tables/night.cube", "night.cube"),
        ("look in /home/ada for it", "look in ~ for it"),
        ("in /opt/ada/tools/mine.py:7 and /opt/x.frag", "in mine.py:7 and x.frag"),
        (r"C:\Users\ada\game.py:7", "game.py:7"),
        ("ssao/blur@view=1,eye=0", "ssao/blur@view=1,eye=0"),
        ("created, then read: depth", "created, then read: depth"),
        ("a / b", "a / b"),
    ],
)
def test_paths_become_relative(text: str, shown: str) -> None:
    assert HIDING.text(text) == shown


def test_a_document_is_hidden_whole() -> None:
    document = {"/projects/game/a.py": [{"source": "/projects/game/b.py:1"}, 3, None, True]}
    assert HIDING.document(document) == {"a.py": [{"source": "b.py:1"}, 3, None, True]}


def test_files_of_the_package_are_relative_to_it() -> None:
    import renderwright.engine.session as module

    assert Hiding().text(f"{module.__file__}:1") == "engine/session.py:1"
    assert Hiding().text(f"{Path(module.__file__ or '').resolve()}:1") == "engine/session.py:1"


@pytest.mark.parametrize("file", [Path("/srv/tmp3f_a1/frame.yaml"), Path("../tmp3f_a1/frame.yaml")])
def test_of_a_file_that_is_shown_only_the_name_stays(file: Path) -> None:
    """Also where a folder above it is one that things are named relative to."""
    hiding = Hiding([Path("/srv")], files=[file])
    assert hiding.text(f"asked for in {file}:3:5") == "asked for in frame.yaml:3:5"
    assert hiding.text(f"{file.absolute()}:3:5") == "frame.yaml:3:5"
    assert hiding.text("/srv/plugins/fog.py:1") == "plugins/fog.py:1"
