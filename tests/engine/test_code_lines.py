"""Mistakes that raise in a library are told at the line of the plugin or game, wherever that is installed."""

from __future__ import annotations

import json
import sysconfig
from collections.abc import Callable
from importlib.metadata import EntryPoint
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from pydantic import BaseModel, Field

from renderwright.engine.cli.failures import described
from renderwright.engine.entry_points import GAMES
from renderwright.engine.game import Game, GameContext, GameRunner
from renderwright.engine.plugins import FoundPlugin, PluginHost, hookimpl
from renderwright.engine.plugins.reasons import reason_of
from renderwright.render import FrameGraph

PACKAGES = Path(sysconfig.get_path("purelib"))
PLUGIN = """
import json

def helper(text):
    return json.loads(text)

@hookimpl
def renderwright_nodes(graph):
    helper("{")
"""
GAME = """
import json

class Installed(Game):
    def setup(self, context):
        {mistake}
"""


class Settings(BaseModel):
    gain: float = Field(1.0, ge=0.0)


def unannotated() -> object:
    return type("Wrong", (BaseModel,), {"__module__": __name__, "amount": Field(1.0)})


@pytest.mark.parametrize(
    "mistake",
    [
        lambda: Settings().gian,  # type: ignore[attr-defined]
        lambda: Settings(gain=-1.0),
        unannotated,
        lambda: np.linalg.inv(np.zeros((2, 2))),
        lambda: json.loads("{"),
    ],
)
def test_a_mistake_that_a_library_finds_is_told_at_the_line_that_calls_it(mistake: Callable[[], object]) -> None:
    with pytest.raises(Exception) as caught:  # noqa: PT011
        mistake()
    reason = reason_of(caught.value, "fx/node", "execute")
    assert reason.startswith(f"{__file__}:")
    assert ': node "fx/node" fails in execute: ' in reason


def module_in(name: str, source: str, **names: Any) -> Any:
    """A module of that source, as if it were installed among the libraries."""
    module = ModuleType(name)
    module.__file__ = str(PACKAGES / name / "__init__.py")
    vars(module).update(names)
    exec(compile(source, module.__file__, "exec"), vars(module))
    return module


def test_a_plugin_among_the_libraries_has_its_own_lines() -> None:
    plugin = module_in("installed_fx", PLUGIN, hookimpl=hookimpl)
    host = PluginHost(FrameGraph(), found=[FoundPlugin("fx", lambda: plugin, module="installed_fx")], environment={})
    reason = host.enable("fx").reason
    assert reason.startswith(f"{plugin.__file__}:5: renderwright_nodes fails: JSONDecodeError")


@pytest.fixture
def installed_game(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Exception]:
    """Plays a game among the libraries whose setup has a mistake; returns what it raises."""
    point = EntryPoint("installed", "installed_game:Installed", GAMES)
    monkeypatch.setattr("importlib.metadata.entry_points", lambda group: [point] if group == GAMES else [])

    def play(mistake: str) -> Exception:
        game = module_in("installed_game", GAME.format(mistake=mistake), Game=Game).Installed()
        with pytest.raises(Exception) as caught:  # noqa: PT011
            GameRunner(game, GameContext()).start()
        return caught.value

    return play


FILE = PACKAGES / "installed_game" / "__init__.py"


def test_a_game_among_the_libraries_has_its_own_lines(installed_game: Callable[[str], Exception]) -> None:
    told = described(installed_game("context.scene.spwan(3)"))
    assert told is not None
    assert told[0] == f"{FILE}:6: AttributeError: 'Scene' object has no attribute 'spwan'"
    assert told[1].startswith('did you mean "spawn"?')
    assert (described(installed_game('json.loads("{")')) or ("",))[0].startswith(f"{FILE}:6: JSONDecodeError")


def test_a_file_that_an_installed_game_lacks_hints_at_package_data(installed_game: Callable[[str], Exception]) -> None:
    told = described(installed_game(f'open("{FILE.parent}/levels/one.yaml")'))
    assert told is not None
    assert told[1].startswith('add "levels/one.yaml" to the package-data of installed_game')
    elsewhere = described(installed_game('open("/nowhere/one.yaml")'))
    assert elsewhere is not None
    assert "package-data" not in elsewhere[1]
