from __future__ import annotations

from pathlib import Path

import pytest

from renderwright.engine import precompile
from renderwright.engine.cli import main
from renderwright.engine.plugins.discovery import find_plugins
from renderwright.engine.plugins.loading import PluginLoader
from renderwright.engine.precompile import Precompiled
from renderwright.engine.precompile.library import RecordingLibrary
from renderwright.engine.precompile.sweep import _Change, _in_rounds, sweep
from renderwright.engine.precompile.variants import completed
from renderwright.games.duel.visor import Visor
from renderwright.render.errors import PluginError
from renderwright.render.shaders import ShaderRequest


def requests_of(plugin: str, library: RecordingLibrary) -> set[ShaderRequest]:
    """The requests for shaders in the folder of a plugin."""
    (found,) = [found for found in find_plugins() if found.name == plugin]
    folder = str(PluginLoader().load(found).shader_path)
    return {request for request in completed(library.requests) if folder in request.search}


@pytest.fixture(scope="module")
def of_effects() -> RecordingLibrary:
    """What a sweep of some effects requests."""
    library = RecordingLibrary()
    sweep(library, ["ssao", "vr"])
    return library


@pytest.fixture(scope="module")
def of_games() -> RecordingLibrary:
    """What a sweep of plugins of games requests, and of what games place."""
    library = RecordingLibrary()
    sweep(library, ["mirrors", "visor"])
    return library


def test_a_plugin_requests_the_same_shaders_in_a_sweep_of_its_own(
    of_effects: RecordingLibrary, caplog: pytest.LogCaptureFixture
) -> None:
    alone = RecordingLibrary()
    shares: list[float] = []
    sweep(alone, ["ssao"], ["ssao", "vr"], shares.append)
    assert caplog.messages == [], "the scene that is played is nobody's mistake"
    assert requests_of("ssao", alone) == requests_of("ssao", of_effects)
    assert shares == sorted(shares)
    assert (shares[0], shares[-1]) == (0.0, 1.0)


@pytest.mark.parametrize(
    ("shaders", "shipped", "words"),
    [
        (3, 0, "3 compiled shaders are in /glsl/compiled"),
        (0, 5, "nothing to do: all 5 shaders of /glsl come compiled with renderwright"),
        (3, 5, "3 compiled shaders are in /glsl/compiled; 5 more come compiled with renderwright"),
    ],
)
def test_the_command_tells_which_shaders_it_has_compiled(
    shaders: int, shipped: int, words: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    found = [Precompiled(Path("/glsl"), shaders, shipped)]
    monkeypatch.setattr(precompile, "precompile", lambda names, progress: found)
    assert main(["precompile", "lens"]) == 0
    assert capsys.readouterr().out == f"{words}\n"


def test_settings_of_several_plugins_change_at_once_and_those_of_one_by_themselves() -> None:
    shadows = [_Change("shadows", "lights", value, 1) for value in (0, 2, 4)]
    half, bent = _Change("ssao", "quality", "half", "full"), _Change("ssao", "bent", True, False)
    assert _in_rounds([*shadows, half, bent]) == [[shadows[0], half], [shadows[1], bent], [shadows[2]]]


def test_the_panel_of_a_window_is_part_of_a_sweep(of_effects: RecordingLibrary) -> None:
    assert len([one for one in of_effects.requests if one.file == "panel.frag"]) >= 2
    shown = {dict(one.defines)["ARRAY"] for one in of_effects.requests if one.file == "panel_picture.frag"}
    assert shown == {"0", "1"}


def test_a_plugin_in_the_package_of_a_game_is_played_on_the_skeleton_of_that(of_games: RecordingLibrary) -> None:
    assert "visor.frag" in {request.file for request in requests_of("visor", of_games)}


def test_pictures_of_mirrors_have_masked_surfaces(of_games: RecordingLibrary) -> None:
    mirrors = requests_of("mirrors", of_games)
    assert {"mirror.frag", "mirror.vert"} <= {request.file for request in mirrors}
    pictures = [dict(request.defines) for request in mirrors if request.file == "scene_picture.frag"]
    assert {"MASKED" in one for one in pictures} == {True, False}


RIVAL = """
from renderwright.engine.plugins import PluginInfo, hookimpl
from renderwright.render import Texture

def shade(reg):
    size = reg.resolution("main_view")
    reg.create("ambient_occlusion", Texture("r8_unorm", size)).color(clear=(1.0, 0.0, 0.0, 0.0))
    return lambda cmd: None

@hookimpl
def renderwright_info():
    return PluginInfo("rival", "1.0")

@hookimpl
def renderwright_nodes(graph):
    graph.add_node("shade", shade)
"""


def test_a_plugin_is_swept_without_those_that_create_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    info = tmp_path / "rival-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: rival\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[renderwright]\nrival = rival_plugin_of_sweep\n")
    (tmp_path / "rival_plugin_of_sweep.py").write_text(RIVAL)
    monkeypatch.syspath_prepend(tmp_path)
    beside = RecordingLibrary()
    sweep(beside, ["rival"], ["ssao", "bloom"])
    assert requests_of("bloom", beside)
    assert not requests_of("ssao", beside)
    with pytest.raises(PluginError, match="disable one of the plugins `rival` and `ssao`"):
        sweep(RecordingLibrary(), ["rival", "ssao"])


def test_a_kind_without_a_tuple_of_examples_is_named_with_its_plugin_and_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Visor, "examples", classmethod(lambda cls: None))
    with pytest.raises(
        PluginError, match=r'plugin "visor" cannot be played: Visor.examples\(\) returns None'
    ) as caught:
        sweep(RecordingLibrary(), ["visor"])
    assert caught.value.where is not None
    assert caught.value.where.file.endswith("visor.py")
