"""Plugins that have failed are tried again: by the host, by keys in a game, and by the command line."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from plugin_samples import Glow, Plain, RecordingGraph, host_of, nodes_plugin

from renderwright.engine.cli import main
from renderwright.engine.games import find_game
from renderwright.engine.plugin_keys import switch_plugins
from renderwright.engine.plugins import FoundPlugin, PluginGraph, PluginState, discovery, host
from renderwright.engine.session import Session
from renderwright.render.backend.null.backend import NullBackend
from renderwright.render.errors import UsageError
from renderwright.render.types.resources import Texture


class Moody:
    """Makes a node whose execute function raises until ``well``."""

    def __init__(self) -> None:
        self.well = False

    def add(self, graph: PluginGraph) -> None:
        def declare(reg: Any) -> Any:
            reg.create("mood", Texture("r8_unorm", (4, 4))).copy_dst()
            reg.side_effects()
            return self._execute

        graph.add_node("node", declare)

    def _execute(self, cmd: Any) -> None:
        if not self.well:
            raise ValueError("not today")


@pytest.fixture
def moody() -> Moody:
    return Moody()


@pytest.fixture
def session(moody: Moody, monkeypatch: pytest.MonkeyPatch) -> Iterator[Session]:
    found = (*discovery.find_plugins(), FoundPlugin("moody", lambda: nodes_plugin(moody.add)))
    monkeypatch.setattr(host, "find_plugins", lambda: found)
    with closing(Session(find_game("marbles"), NullBackend(), (64, 36))) as session:
        yield session


def frame(session: Session) -> set[str]:
    """Render a frame; the names of the nodes that the next one has."""
    session.step()
    assert session.render(session.backend.create_target((64, 36))) is not None
    return {node.declaration.name for node in session.runtime.plan.graph.nodes}


def test_a_quarantined_plugin_has_its_nodes_and_settings_again() -> None:
    graph = RecordingGraph()
    plugins = host_of({"glow": Glow()}, graph)
    plugins.enable("glow")
    settings = plugins.set("glow", "amount", 0.125).settings
    plugins.quarantine("glow", ZeroDivisionError("in execute"))
    assert graph.nodes == {}
    status = plugins.retry("glow")
    assert (status.state, status.reason, status.traceback) == (PluginState.ENABLED, "", "")
    assert status.settings == settings
    assert list(graph.nodes) == ["glow/extract", "glow/blur0"]


def test_a_plugin_that_could_not_be_imported_is_imported_again() -> None:
    outcomes: list[Any] = [ImportError("no fogmath"), Plain()]

    def load() -> object:
        outcome = outcomes.pop(0)
        if isinstance(outcome, BaseException):
            raise outcome
        return outcome

    plugins = host.PluginHost(RecordingGraph(), found=[FoundPlugin("fog", load)], environment={})
    assert plugins.enable("fog").state is PluginState.BROKEN
    assert plugins.retry("fog").state is PluginState.ENABLED


@pytest.mark.parametrize("enabled", [False, True])
def test_a_plugin_that_has_not_failed_is_refused(enabled: bool) -> None:
    plugins = host_of({"plain": Plain()})
    if enabled:
        plugins.enable("plain")
    with pytest.raises(UsageError, match="has not failed: it is " + ("enabled" if enabled else "available")):
        plugins.retry("plain")
    with pytest.raises(UsageError, match="unknown plugin"):
        plugins.retry("plane")


def test_a_game_goes_on_with_it_once_its_mistake_is_gone(session: Session, moody: Moody) -> None:
    session.plugins.enable("moody")
    assert "moody/node" not in frame(session)
    assert session.plugins.status("moody").state is PluginState.QUARANTINED
    session.plugins.retry("moody")
    assert "moody/node" not in frame(session)
    status = session.plugins.status("moody")
    assert (status.state, "not today" in status.reason) == (PluginState.QUARANTINED, True)
    moody.well = True
    session.plugins.retry("moody")
    assert "moody/node" in frame(session)
    assert session.plugins.status("moody").state is PluginState.ENABLED


def test_its_key_tries_it_again(session: Session, moody: Moody, capsys: pytest.CaptureFixture[str]) -> None:
    session.plugins.enable("moody")
    frame(session)
    session.context.plugin_keys["f9"] = "moody"
    moody.well = True
    switch_plugins(session, ["f9"])
    assert capsys.readouterr().err.splitlines()[-2:] == ["moody is tried again", "moody is on"]
    assert "moody/node" in frame(session)


DECLARES_BADLY = """
from renderwright.engine.plugins import PluginInfo, hookimpl

def squeeze(reg):
    raise RuntimeError("no lemon")

@hookimpl
def renderwright_info():
    return PluginInfo("sour", "1.0")

@hookimpl
def renderwright_nodes(graph):
    graph.add_node("squeeze", squeeze)
"""


def _write_again(folder: Path, text: str) -> None:
    """Another text of the module, which is imported again."""
    (folder / "sour_plugin_of_retry.py").write_text(text)
    importlib.invalidate_caches()
    sys.modules.pop("sour_plugin_of_retry", None)


def test_the_command_says_what_keeps_a_plugin_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["plugins", "retry", "bloom"]) == 0
    assert "lasts as long as the game" in capsys.readouterr().out
    info = tmp_path / "sour-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: sour\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[renderwright]\nsour = sour_plugin_of_retry\n")
    (tmp_path / "sour_plugin_of_retry.py").write_text("raise RuntimeError('too sour')\n")
    monkeypatch.syspath_prepend(tmp_path)
    assert main(["plugins", "retry", "sour"]) == 1
    told = capsys.readouterr().out
    assert "sour 1.0 of sour, broken" in told
    assert "Traceback" in told
    assert "too sour" in told
    _write_again(tmp_path, DECLARES_BADLY)
    assert main(["plugins", "retry", "sour"]) == 1
    told = capsys.readouterr().out
    assert 'node "sour/squeeze" fails in declare: RuntimeError: no lemon' in " ".join(told.split())
    assert "Traceback" in told
    assert "in squeeze\n" in told
    assert main(["plugins", "retry", "sure"]) == 2
    assert 'did you mean "sour"?' in capsys.readouterr().err
