"""``renderwright plugins`` and ``graph`` with an installed plugin that is wrong in a way that no rule foresees."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

import pytest
from pydantic import BaseModel

from renderwright.engine.cli import main
from renderwright.engine.plugins import FoundPlugin, PluginGraph, discovery, hookimpl, host
from renderwright.render.graph.node_requests import requested


class Costly:
    """Its node has a cost that its verb would have refused."""

    @hookimpl
    def renderwright_nodes(self, graph: PluginGraph) -> None:
        def declare(reg: Any) -> Callable[[Any], None]:
            reg.side_effects()
            requested(reg).cost = "high"
            return lambda cmd: None

        graph.add_node("mix", declare)


class Undescribed:
    """Its settings have no schema."""

    @hookimpl
    def renderwright_settings(self) -> type[BaseModel]:
        class Settings(BaseModel):
            curve: Callable[[float], float] = abs

        return Settings

    @hookimpl
    def renderwright_nodes(self, graph: PluginGraph) -> None:
        """Nothing."""


@pytest.fixture
def install(monkeypatch: pytest.MonkeyPatch) -> Callable[[str, type], None]:
    def install(name: str, plugin: type) -> None:
        found = tuple(one for one in discovery.find_plugins() if one.name == "tonemap")
        found += (FoundPlugin(name, plugin),)
        monkeypatch.setattr(host, "find_plugins", lambda: found)

    return install


@pytest.fixture
def game(tmp_path: Any) -> str:
    file = tmp_path / "plain.py"
    file.write_text("from renderwright.engine.game import Game\nclass Plain(Game):\n    plugins = ('tonemap',)\n")
    return str(file)


@pytest.mark.parametrize(
    "command", [["list"], ["list", "--all"], ["list", "--json"], ["info", "bad"], ["retry", "bad"]]
)
def test_what_the_compiler_does_not_foresee_is_said_of_its_plugin(
    command: list[str], install: Callable[[str, type], None], game: str, capsys: pytest.CaptureFixture[str]
) -> None:
    install("bad", Costly)
    assert main(["plugins", *command, "--game", game]) == (command[0] == "retry")
    shown = capsys.readouterr().out
    assert "the compiler fails with" in shown
    assert "test_cli_wrong_plugins.py" in shown
    assert "tonemap" in shown or command[0] != "list"


@pytest.mark.parametrize(
    "command", [["list"], ["list", "--all"], ["list", "--json"], ["info", "bad"], ["info", "bad", "--json"]]
)
def test_settings_without_a_schema_are_said_of_their_plugin(
    command: list[str], install: Callable[[str, type], None], game: str, capsys: pytest.CaptureFixture[str]
) -> None:
    install("bad", Undescribed)
    assert main(["plugins", *command, "--game", game]) == 0
    shown = " ".join(capsys.readouterr().out.split())  # lines break where the path's length has them break
    assert "bad" in shown
    assert "its settings cannot be described" in shown
    assert "tonemap" in shown or command[0] != "list"


def test_graph_names_the_plugin(
    install: Callable[[str, type], None], game: str, capsys: pytest.CaptureFixture[str]
) -> None:
    install("bad", Costly)
    assert main(["graph", game, "--enable", "bad"]) == 2
    shown = capsys.readouterr().err
    assert 'node "bad/mix" of plugin "bad" failed in compile' in shown
    assert "--disable bad" in shown


class Misspelt:
    """Its hook has another name."""

    @hookimpl
    def renderwright_nods(self, graph: PluginGraph) -> None:
        """Nothing."""


@pytest.mark.parametrize("command", [["list"], ["info", "bad"], ["retry", "bad"]])
def test_a_broken_plugin_is_told_once(
    command: list[str],
    install: Callable[[str, type], None],
    game: str,
    capsys: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> None:
    install("bad", Misspelt)
    main(["plugins", *command, "--game", game])
    shown = " ".join(capsys.readouterr().out.partition("Traceback")[0].split())
    assert shown.count("implements an unknown hook, renderwright_nods") == 1
    assert [record for record in caplog.records if record.levelno >= logging.WARNING] == []


class Lacking:
    """One of its nodes reads what nobody creates."""

    name = "depth_of_nothing"

    @hookimpl
    def renderwright_nodes(self, graph: PluginGraph) -> None:
        def declare(reg: Any, read: str) -> Callable[[Any], None]:
            reg.read(read).sampled()
            reg.side_effects()
            return lambda cmd: None

        graph.add_node("mix", lambda reg: declare(reg, self.name))
        graph.add_node("look", lambda reg: declare(reg, "depth"))


@pytest.mark.parametrize("name", ["depth_of_nothing", "dpth", "dept", "norm"])
def test_info_and_retry_give_the_reason_of_a_node_that_graph_gives(
    name: str,
    install: Callable[[str, type], None],
    game: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    install("bad", Lacking)
    monkeypatch.setattr(Lacking, "name", name)
    main(["graph", game, "--enable", "bad"])
    (said,) = [line for line in capsys.readouterr().out.splitlines() if "`bad/mix` removed" in line]
    reason = said.partition("removed: ")[2]
    for command in ("info", "retry"):
        main(["plugins", command, "bad", "--game", game])
        assert reason in " ".join(capsys.readouterr().out.split())
