"""Entry points of installed distributions become plugins, without being imported."""

from __future__ import annotations

import logging
import sys
from pathlib import Path

import pytest

from renderwright.engine.cli.tried_plugins import TriedPlugins
from renderwright.engine.options import PluginChoice
from renderwright.engine.plugins import PluginHost, PluginState, find_interops, find_plugins
from renderwright.engine.plugins.discovery import refusal
from renderwright.render.errors import UsageError
from renderwright.render.graph.frame_graph import FrameGraph

MIST = '''
"""A plugin in a package of its own."""
from renderwright.engine.plugins import PluginGraph, PluginInfo, hookimpl


def declare(reg):
    reg.side_effects()


@hookimpl
def renderwright_info():
    return PluginInfo("mist", "3.1", "Mist over the water.")


@hookimpl
def renderwright_nodes(graph: PluginGraph):
    graph.add_node("draw", declare)
'''


def _install(folder: Path, distribution: str, version: str, entry_points: str) -> None:
    info = folder / f"{distribution}-{version}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {distribution}\nVersion: {version}\n")
    (info / "entry_points.txt").write_text(f"[renderwright]\n{entry_points}\n")


def test_an_installed_plugin_is_found_by_its_entry_point(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "mist_plugin"
    (package / "glsl").mkdir(parents=True)
    (package / "__init__.py").write_text(MIST)
    _install(tmp_path, "mist-for-renderwright", "3.1", "mist = mist_plugin\nabsent = no_such_module_anywhere")
    monkeypatch.syspath_prepend(tmp_path)

    found = {plugin.name: plugin for plugin in find_plugins()}
    assert (found["mist"].distribution, found["mist"].version) == ("mist-for-renderwright", "3.1")
    assert "mist_plugin" not in sys.modules

    graph = FrameGraph()
    host = PluginHost(graph, environment={"RENDERWRIGHT_PLUGINS": "mist,absent"})
    host.start()
    assert host.status("mist").nodes == ("mist/draw",)
    assert host.status("absent").state is PluginState.BROKEN
    assert "no_such_module_anywhere" in host.status("absent").reason
    assert graph.declare() == ()
    assert graph.declared("mist/draw").source.shader_paths == (package / "glsl",)


def test_the_folder_of_shaders_is_named_although_it_does_not_exist(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "brume_plugin"
    package.mkdir()
    (package / "__init__.py").write_text(MIST.replace("mist", "brume"))
    _install(tmp_path, "brume", "1.0", "brume = brume_plugin")
    monkeypatch.syspath_prepend(tmp_path)
    graph = FrameGraph()
    PluginHost(graph, environment={"RENDERWRIGHT_PLUGINS": "brume"}).start()
    graph.declare()
    assert graph.declared("brume/draw").source.shader_paths == (package / "glsl",)


@pytest.mark.parametrize(
    ("value", "names", "near"),
    [
        ("mist_plugn", 'the module "mist_plugn", which does not exist', "mist_plugin"),
        ("mist_plugin.fgo", 'the module "mist_plugin.fgo", which does not exist', "mist_plugin.fog"),
        ("mist_plugin:plugn", '"plugn" of mist_plugin, which does not exist', "mist_plugin:plugin"),
        ("nowhere_at_all.xyzzy", 'the module "nowhere_at_all.xyzzy", which does not exist', ""),
    ],
)
def test_an_entry_point_that_names_nothing_is_told_as_its_mistake(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, value: str, names: str, near: str
) -> None:
    package = tmp_path / "mist_plugin"
    package.mkdir()
    (package / "__init__.py").write_text("plugin = None\n")
    (package / "fog.py").write_text("")
    _install(tmp_path, "mist-for-renderwright", "3.1", f"mist = {value}")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "mist_plugin", raising=False)
    status = PluginHost(FrameGraph(), environment={"RENDERWRIGHT_PLUGINS": "mist"}).enable("mist")
    meant = f'did you mean "{near}"? ' if near else ""
    assert status.reason == (
        f'the entry point "mist" of mist-for-renderwright in the group renderwright names {names}\n'
        f'  {meant}correct [project.entry-points."renderwright"] in its pyproject.toml and install it again'
    )


def test_an_entry_point_of_a_class_that_a_plugin_lacks_gets_the_module_with_the_hooks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "smoke_plugin.py").write_text(MIST)
    _install(tmp_path, "smoke", "1.0", "mist = smoke_plugin:Plugin")
    monkeypatch.syspath_prepend(tmp_path)
    status = PluginHost(FrameGraph(), environment={"RENDERWRIGHT_PLUGINS": "mist"}).enable("mist")
    assert '"Plugin" of smoke_plugin, which does not exist\n  did you mean "smoke_plugin"? ' in status.reason


def test_a_module_that_a_plugin_imports_in_vain_is_no_mistake_of_the_entry_point(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "haze_plugin.py").write_text("import haze_math\n")
    _install(tmp_path, "haze", "1.0", "haze = haze_plugin")
    monkeypatch.syspath_prepend(tmp_path)
    status = PluginHost(FrameGraph(), environment={"RENDERWRIGHT_PLUGINS": "haze"}).enable("haze")
    assert "haze_plugin.py:1: ModuleNotFoundError: No module named 'haze_math'" in status.reason


def test_of_two_plugins_of_one_name_the_first_distributions_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    _install(tmp_path, "b-dist", "1.0", "twin = b")
    _install(tmp_path, "a-dist", "1.0", "twin = a")
    monkeypatch.syspath_prepend(tmp_path)
    with caplog.at_level(logging.WARNING, "renderwright.plugins"):
        find_interops((), PluginChoice())
        found = {plugin.name: plugin for plugin in find_plugins()}
        PluginHost(FrameGraph(), environment={})
    assert found["twin"].distribution == "a-dist"
    # A game looks for its plugins more than once, and reports them once.
    (record,) = caplog.records
    assert record.getMessage() == (
        'plugin "twin" comes from a-dist and b-dist; a-dist is used\n'
        "  uninstall all but one: pip uninstall b-dist; the author of a plugin renames it in its entry point and in "
        "renderwright_info"
    )
    with pytest.raises(UsageError, match=r"a-dist and b-dist(.|\n)*pip uninstall b-dist"):
        PluginHost(FrameGraph(), environment={}, strict=True)


def test_a_shipped_plugin_is_used_rather_than_another_one_of_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    _install(tmp_path, "a-dist", "1.0", "bloom = a")
    monkeypatch.syspath_prepend(tmp_path)
    PluginHost(FrameGraph(), environment={})
    found = {plugin.name: plugin for plugin in find_plugins()}
    assert (found["bloom"].distribution, found["bloom"].others) == ("renderwright", ("a-dist",))
    assert "pip uninstall a-dist" in caplog.text
    caplog.clear()
    tried = TriedPlugins("drift")
    assert tried.tried("bloom").fault == tried.tried("tonemap").fault == ""
    assert len(caplog.records) == 1


@pytest.mark.parametrize(
    ("environment", "words"),
    [
        ({}, ""),
        ({"RENDERWRIGHT_PLUGINS": "fog, mist"}, ""),
        ({"RENDERWRIGHT_PLUGINS": ""}, "not listed in RENDERWRIGHT_PLUGINS"),
        ({"RENDERWRIGHT_BLOCK_PLUGINS": "fog,mist"}, "blocked by RENDERWRIGHT_BLOCK_PLUGINS"),
        ({"RENDERWRIGHT_BLOCK_PLUGINS": "mistral"}, ""),
    ],
)
def test_the_environment_refuses_by_whole_names(environment: dict[str, str], words: str) -> None:
    assert refusal("mist", environment) == words
