"""The plan of a game that is not played is that of its first frame."""

from __future__ import annotations

from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest

from renderwright.engine.cli import main
from renderwright.engine.clock import HEADLESS_FRAME, FixedStepClock
from renderwright.engine.games import find_game
from renderwright.engine.options import PlanOptions, PluginChoice
from renderwright.engine.planning import plan_of
from renderwright.engine.session import Session
from renderwright.render.backend.null.backend import NullBackend
from renderwright.render.compiler.values.plan import Plan
from renderwright.render.types.physical import TextureInfo
from renderwright.render.types.resources import Extent

SIZE = (256, 144)

GAMES = """from pathlib import Path

from renderwright.engine import Camera, Game
from renderwright.engine.precompile.game_of_everything import game_of_everything
from renderwright.plugins.particles import Emitter

Everything = game_of_everything("deferred", environment=True)


class Rain(Game):
    plugins = ("particles",)
    rains = False

    def update(self, dt):
        if not self.rains:
            self.rains = True
            self.context.scene.placed.add(Emitter())


class Still(Game):
    plugins = ("particles",)


class Broken(Game):
    def setup(self, context):
        (Path(__file__).parent / "no such file").read_bytes()


class Race(Game):
    max_players = 2

    def setup(self, context):
        context.scene.cameras = [Camera() for _ in range(context.players)]


class Closed(Game):
    def close(self):
        Path(__file__).with_suffix(".closed").touch()
"""


@pytest.fixture
def games(tmp_path: Path) -> Path:
    path = tmp_path / "first_frames.py"
    path.write_text(GAMES)
    return path


def nodes(plan: Plan) -> Counter[str]:
    return Counter(node.declaration.name for node in plan.graph.nodes)


def sizes(plan: Plan) -> dict[str, Extent]:
    """The extents of the textures in the frame's heaps."""
    infos = {item.id: item.info for item in plan.placement.resources if item.copies}
    return {name: info.extent for name, info in infos.items() if isinstance(info, TextureInfo)}


def played(game: str, choice: PluginChoice, players: int = 1) -> Plan:
    backend = NullBackend(backend="vulkan")
    kind = find_game(game)
    clock = FixedStepClock(kind.step, frame=HEADLESS_FRAME)
    with closing(Session(kind, backend, SIZE, choice=choice, clock=clock, players=players)) as session:
        session.step()
        report = session.render(backend.create_target(SIZE))
        assert report is not None
        return report.plan


@pytest.mark.parametrize(
    "enable", [(), ("ssao", "decals", "vr", "ssaa"), ("upscaling",)], ids=["plain", "views", "small"]
)
def test_the_nodes_are_those_of_the_first_frame(games: Path, enable: tuple[str, ...]) -> None:
    game, choice = f"{games}:Everything", PluginChoice(enable=enable)
    planned, shown = plan_of(PlanOptions(game, SIZE, plugins=choice)), played(game, choice)
    assert nodes(planned) == nodes(shown)
    assert sizes(planned) == sizes(shown)
    assert {"environment", "probe_faces", "blended", "skin"} <= set(nodes(planned))


def test_views_are_those_of_a_game_with_several_players(games: Path) -> None:
    game, choice = f"{games}:Race", PluginChoice(enable=("split_screen",))
    planned, shown = plan_of(PlanOptions(game, SIZE, plugins=choice, players=2)), played(game, choice, players=2)
    assert nodes(planned) == nodes(shown)
    assert sizes(planned) == sizes(shown)
    assert nodes(planned)["deferred_lighting"] == 2


@pytest.mark.parametrize("command", [["graph"], ["memory", "--no-device"]])
def test_views_are_an_option_of_both_commands(
    games: Path, command: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*command, f"{games}:Race", "--views", "2"]) == 0
    assert "@view=1" in capsys.readouterr().out
    assert main([*command, f"{games}:Still", "--views", "2"]) == 2
    assert "does not support 2 players" in capsys.readouterr().err
    assert main([*command, "deferred", "--views", "2"]) == 2
    assert "--count view=2" in capsys.readouterr().err


def test_what_a_game_places_in_its_first_step_is_planned(games: Path) -> None:
    rain, still = (nodes(plan_of(PlanOptions(f"{games}:{name}", SIZE))) for name in ("Rain", "Still"))
    assert any(name.startswith("particles/") for name in rain)
    assert not any(name.startswith("particles/") for name in still)


def test_the_game_is_closed(games: Path) -> None:
    plan_of(PlanOptions(f"{games}:Closed", SIZE))
    assert games.with_suffix(".closed").exists()


@pytest.mark.parametrize("command", [["graph"], ["memory", "--no-device"]])
def test_an_exception_of_setup_shows_the_line_of_the_game(
    games: Path, command: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("RENDERWRIGHT_DEBUG", raising=False)
    assert main([*command, f"{games}:Broken"]) == 1
    line = 1 + GAMES.splitlines().index('        (Path(__file__).parent / "no such file").read_bytes()')
    assert capsys.readouterr().err.startswith(f"error: {games}:{line}: FileNotFoundError: ")
