"""Plugins that arrange views: who comes after whom, and what becomes of those that go wrong."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import pytest
from plugin_samples import Plain, host_of

from renderwright.engine.plugins import PluginState, hookimpl
from renderwright.engine.scene import Camera
from renderwright.engine.views import Rectangle, View, ViewSet
from renderwright.render.errors import PluginError

VIEWS = ViewSet.of((Camera(), Camera()), (64, 36))
DIMENSIONS = ("view", "eye")


@dataclass(frozen=True)
class Twice:
    """A split that repeats a view as it is."""

    count: int = 2

    def part(self, view: View, number: int) -> View:
        return view


def arranging(arrange: Callable[[ViewSet], object]) -> object:
    """A plugin that does this with views."""

    class Arranging:
        @hookimpl
        def renderwright_views(self, views: ViewSet) -> object:
            return arrange(views)

    return Arranging()


def both(views: ViewSet) -> ViewSet:
    return views.showing(tuple(View.of(camera, Rectangle(0, 0, 32, 36)) for camera in views.cameras))


def test_plugins_arrange_views_in_the_order_of_their_names() -> None:
    shown: list[int] = []

    def count(views: ViewSet) -> ViewSet:
        shown.append(len(views.views))
        return views.split("eye", Twice())

    host = host_of({"zebra": arranging(count), "ape": arranging(both), "plain": Plain()})
    host.start()
    assert host.arrange(VIEWS, DIMENSIONS).counts == {"view": 2, "eye": 2}
    assert shown == [2]
    host.disable("ape")
    assert host.arrange(VIEWS, DIMENSIONS).counts == {"view": 1, "eye": 2}


def noting(name: str, notes: list[str], **marks: bool) -> object:
    """A plugin that notes its name when it arranges views."""

    class Noting:
        @hookimpl(**marks)
        def renderwright_views(self, views: ViewSet) -> ViewSet:
            notes.append(name)
            return views

    return Noting()


def test_some_come_before_and_some_behind_those_of_other_names() -> None:
    notes: list[str] = []
    marks = {"d": {"trylast": True}, "e": {}, "z": {"tryfirst": True}, "c": {"trylast": True}, "f": {}}
    host = host_of({name: noting(name, notes, **marked) for name, marked in marks.items()})
    host.start()
    host.arrange(VIEWS, DIMENSIONS)
    assert notes == ["z", "e", "f", "c", "d"]
    notes.clear()
    host.arrange_shown(VIEWS)
    assert notes == ["z", "e", "f", "c", "d"]


def fail(views: ViewSet) -> ViewSet:
    raise RuntimeError("no idea")


@pytest.mark.parametrize(
    ("arrange", "reason"),
    [
        (fail, "no idea"),
        (lambda views: None, "returns None"),
        (lambda views: views.showing(()), "needs a view"),
        (lambda views: views.showing((replace(views.views[0], rectangle=Rectangle(60, 0, 8, 8)),)), "not within"),
        (lambda views: views.split("sample", Twice()), "sample"),
        (lambda views: views.split("view", Twice()), "already split"),
    ],
)
def test_one_that_goes_wrong_is_quarantined_and_the_others_go_on(
    arrange: Callable[[ViewSet], object], reason: str
) -> None:
    host = host_of({"bad": arranging(arrange), "good": arranging(both)})
    host.start()
    assert host.arrange(VIEWS, DIMENSIONS).counts == {"view": 2}
    assert host.status("bad").state is PluginState.QUARANTINED
    assert reason in host.status("bad").reason
    assert host.arrange(VIEWS, DIMENSIONS).counts == {"view": 2}


def test_strict_makes_it_fatal() -> None:
    host = host_of({"bad": arranging(fail)}, strict=True)
    host.start()
    with pytest.raises(PluginError, match="no idea"):
        host.arrange(VIEWS, DIMENSIONS)


def test_a_hook_that_returns_no_views_is_named_with_its_line() -> None:
    class Forgetful:
        @hookimpl
        def renderwright_views(self, views: ViewSet) -> None:
            """Without return."""

    host = host_of({"forgetful": Forgetful()})
    host.start()
    host.arrange(VIEWS, DIMENSIONS)
    line = Forgetful.renderwright_views.__code__.co_firstlineno
    assert f"test_plugin_views.py:{line}: renderwright_views returns None" in host.status("forgetful").reason
