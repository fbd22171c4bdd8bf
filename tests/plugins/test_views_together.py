"""Plugins that arrange views compose, whatever their names are: bars in the views of players, eyes and samples."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing

import pytest

from renderwright.engine import Camera, Game, GameContext
from renderwright.engine.options import PluginChoice
from renderwright.engine.plugins import FoundPlugin, discovery, hookimpl, host
from renderwright.engine.session import Session
from renderwright.engine.views import Rectangle, View, ViewSet
from renderwright.render.backend.null.backend import NullBackend

OUTPUT = (400, 200)
EARLY, LATE = "aaa", "zzz"
TOGETHER = [(), ("ssaa",), ("vr",), ("ssaa", "vr")]


class Bars:
    """Leaves the upper and the lower quarter of each view free, as a plugin of ``renderwright new`` does."""

    @hookimpl
    def renderwright_views(self, views: ViewSet) -> ViewSet:
        return views.showing(
            tuple(View.of(view.camera, inner(view.rectangle), view.player) for view in views.views),
        )


def inner(place: Rectangle) -> Rectangle:
    return Rectangle(place.x, place.y + place.height // 4, place.width, place.height // 2)


class Duel(Game):
    plugins = ()
    max_players = 2

    def setup(self, context: GameContext) -> None:
        context.scene.cameras = [Camera() for _ in range(context.players)]


Arrange = Callable[[str, int, tuple[str, ...]], ViewSet]


@pytest.fixture
def arranged(monkeypatch: pytest.MonkeyPatch) -> Arrange:
    """The views of a game with ``Bars`` under a name ('' for none), a number of players, and these plugins."""

    def of(name: str, players: int, others: tuple[str, ...]) -> ViewSet:
        found = (*discovery.find_plugins(), *([FoundPlugin(name, Bars)] if name else []))
        choice = PluginChoice(enable=("split_screen", *others, *([name] if name else [])))
        with monkeypatch.context() as patch:
            patch.setattr(host, "find_plugins", lambda: found)
            with closing(Session(Duel, NullBackend(), OUTPUT, choice=choice, players=players, strict=True)) as session:
                session.step()
                return session.arrange(OUTPUT)

    return of


def places(views: ViewSet) -> list[Rectangle]:
    return [view.rectangle for view in views.views]


@pytest.mark.parametrize("others", TOGETHER, ids=["alone", "ssaa", "vr", "ssaa and vr"])
@pytest.mark.parametrize("players", [1, 2])
@pytest.mark.parametrize("name", [EARLY, LATE])
def test_a_plugin_changes_the_views_of_players(
    arranged: Arrange, name: str, players: int, others: tuple[str, ...]
) -> None:
    without, views = arranged("", players, others), arranged(name, players, others)
    assert len(without.views) == players
    assert places(views) == [inner(place) for place in places(without)]
    assert views.counts == without.counts
    assert [view.player for view in views.views] == list(range(players))


@pytest.mark.parametrize("players", [1, 2])
@pytest.mark.parametrize("name", [EARLY, LATE])
def test_eyes_are_within_the_changed_views(arranged: Arrange, name: str, players: int) -> None:
    views = arranged(name, players, ("vr",))
    for index, eye in views.instances():
        whole = views.whole(index)
        place = eye.rectangle
        moved = Rectangle(place.x - whole.rectangle.x, place.y - whole.rectangle.y, place.width, place.height)
        assert moved.within(whole.rectangle.extent)
        assert whole.hud_panel is not None, "a headset shows the HUD on a panel"


@pytest.mark.parametrize("others", TOGETHER, ids=["alone", "ssaa", "vr", "ssaa and vr"])
@pytest.mark.parametrize("players", [1, 2])
def test_the_name_makes_no_difference(arranged: Arrange, players: int, others: tuple[str, ...]) -> None:
    early, late = arranged(EARLY, players, others), arranged(LATE, players, others)
    assert [view for _, view in early.instances()] == [view for _, view in late.instances()]
