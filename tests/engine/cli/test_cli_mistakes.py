"""A mistake on the command line: one message that says what to do, exit code 2, and nothing printed before it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from renderwright.engine.cli import main

REPOSITORY = Path(__file__).parents[3]
PLAY = ["play", "marbles", "--backend", "null", "--frames", "1", "--size", "64x64"]

NO_VULKAN = {"VK_DRIVER_FILES": "/no.json", "VK_ICD_FILENAMES": "/no.json"}
NO_OPENGL = {"__EGL_VENDOR_LIBRARY_FILENAMES": "/no.json", "__EGL_VENDOR_LIBRARY_DIRS": "/nonexistent"}
NO_VULKAN_HERE = "there is no Vulkan driver on this machine"
NO_OPENGL_HERE = "there is no OpenGL driver on this machine"

BROKEN_SKELETON = """\
version: 1
name: broken
sinks: [image]
nodes:
  - name: display
    external:
      image: {texture: rgba8_srgb, resolution: output, usage: color, cleer: [0, 0, 0, 1]}
"""
GAMES = """\
from renderwright.engine import Game

class Broken(Game):
    skeleton = "broken.yaml"

class Fine(Game):
    skeleton = "forward"

class Alone(Game):
    max_player = 2
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("RENDERWRIGHT_DEBUG", raising=False)
    monkeypatch.setenv("RENDERWRIGHT_CONFIG_DIR", str(tmp_path / "config"))
    (tmp_path / "broken.yaml").write_text(BROKEN_SKELETON)
    (tmp_path / "some_games.py").write_text(GAMES)
    (tmp_path / "list.yaml").write_text("[]\n")
    (tmp_path / "bytes.yaml").write_bytes(b"\xff\xfe\x00")
    (tmp_path / "file").write_text("")
    return tmp_path


@pytest.mark.parametrize(
    ("arguments", "message", "hint"),
    [
        ([*PLAY, "--enable", "shadwos"], 'unknown plugin "shadwos"', 'did you mean "shadows"?'),
        ([*PLAY, "--enable", "fog taa"], 'unknown plugin "fog taa"', "separate names by commas: fog,taa"),
        ([*PLAY, "--disable", "godrays"], 'unknown plugin "godrays"', "known: "),
        ([*PLAY, "--set", "godrays.density=1"], 'unknown plugin "godrays"', "known: "),
        ([*PLAY, "--set", "bloom.intensty=1"], 'no setting "intensty"', 'did you mean "intensity"?'),
        ([*PLAY, "--set", "bloom.intensity=much"], "bloom.intensity cannot be 'much'", "number, 0 to 1"),
        ([*PLAY, "--dynamic-resolution", "9"], "has no GPU timestamps", "leave out"),
        ([*PLAY, "--check", "nan"], "the null backend has none", "leave out --backend null"),
        ([*PLAY, "--dump", "depth:a.png"], "--dump looks at texels, and the null", "leave out --backend null"),
        ([*PLAY[:2], "--tiles", "2x2", "--dump", "a:a.png"], "--dump does not go with --tiles", "leave out --tiles"),
        ([*PLAY, "--dump", "depth:a.jpg"], 'a dump cannot be saved as "a.jpg"', "--help"),
        ([*PLAY, "--tiles", "99x1"], "64 x 64 cannot be divided into 99 x 1 tiles", "at most one per texel"),
        ([*PLAY, "--screenshot", "file/a.png"], 'a picture cannot be saved as "file/a.png"', "can be written"),
        ([*PLAY, "--screenshot", "a.txt"], 'a picture cannot be saved as "a.txt"', "ends in .png"),
        ([*PLAY, "--replay", "list.yaml"], "list.yaml:1:1: an input script is a mapping", "version: 1"),
        ([*PLAY, "--replay", "bytes.yaml"], "bytes.yaml: the input script cannot be read", "UTF-8"),
        (["play", "some_games.py:Broken", *PLAY[2:]], 'broken.yaml:7:70: nodes[0].external.image.cleer', ""),
        (["play", "some_games.py:Fin", *PLAY[2:]], 'there is no "Fin"', 'did you mean "Fine"?'),
        (["graph", "broken.yaml"], 'unknown key, did you mean "clear"?', ""),
        (["graph", "marbles", "--resolution", "outptu=4x4"], 'unknown resolution "outptu"', 'did you mean "output"?'),
        (["graph", "deferred", "--resolution", "outptu=4x4"], 'unknown resolution "outptu"', 'did you mean "output"?'),
        (["graph", "marbles", "--explain", "fit_local"], '"fit_local"', 'did you mean "shadows/fit_local"?'),
        (["graph", "marbles", "--explain", "fog/apply"], 'nor a resource "fog/apply"', "--enable fog adds its nodes"),
        (["graph", "marbles", "--explain", "fog"], 'nor a resource "fog"', "renderwright plugins info fog"),
        (["graph", "deferred", "--explain", "fog/apply"], 'nor a resource "fog/apply"', "known: "),
        (["plugins", "set", "blom.intensity=1"], 'unknown plugin "blom"', "renderwright plugins set bloom.intensity=1"),
        (["plugins", "set", "bloom.intensty=1"], "has no setting", "renderwright plugins set bloom.intensity=1"),
        (["plugins", "set", "godrays.density=1"], 'unknown plugin "godrays"', "known: "),
        (["plugins", "set", "bloom"], "(renderwright plugins info bloom lists its settings)", "--help"),
        (["plugins", "reset", "blom"], 'unknown plugin "blom"', "renderwright plugins reset bloom"),
        (["plugins", "reset", "bloom.intensity"], 'unknown plugin "bloom.intensity"', "plugins reset bloom"),
        ([*PLAY, "--players", "2"], "there is no option --players: --views N is the number of players", "--help"),
        ([*PLAY, "--set", "gain=3"], "(write PLUGIN.KEY=VALUE; renderwright plugins info PLUGIN lists the keys)", ""),
        (["play", "some_games.py:Alone", *PLAY[2:], "--views", "2"], "not support 2 players", "Alone.max_player is no"),
        ([*PLAY, "--views", "2", "--disable", "split_screen"], "--views 2 needs the plugin", "leave out"),
        ([*PLAY, "--ssaa", "4", "--disable", "fog,ssaa"], "--ssaa 4 needs the plugin \"ssaa\"", "leave out --ssaa 4"),
        ([*PLAY, "--vr", "--disable", "vr"], "--vr needs the plugin \"vr\", which --disable names", "vr of --disable"),
        ([*PLAY, "--enable", "fog", "taa"], "unexpected extra argument (taa)", "separate plugins by commas: fog,taa"),
        ([*PLAY, "taa"], "unexpected extra argument (taa)", "--help"),
        (["play", "bloom"], 'unknown game "bloom"', "bloom is a plugin: renderwright play GAME --enable bloom"),
        ([*PLAY, "--views", "two"], "'two' is not a whole number from 1 to 4", "--help"),
        ([*PLAY, "--frames", "few"], "'few' is not a whole number of 1 or more", "--help"),
        (["graph", "marbles", "--enable", "godrays"], 'unknown plugin "godrays"', "known: "),
    ],
)  # fmt: skip
def test_one_message(
    folder: Path, arguments: list[str], message: str, hint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    first, *rest = captured.err.splitlines()
    assert first.startswith("error: ")
    assert message in first
    assert hint in "\n".join(rest)
    assert all(line.startswith("  ") for line in rest)
    assert not (folder / "out" / "marbles.png").exists()


def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "renderwright.engine.cli", *arguments],
        cwd=REPOSITORY,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.vulkan
def test_a_missing_shader_compiler_is_nobodys_fault_but_the_machines(tmp_path: Path) -> None:
    picture = str(tmp_path / "picture.png")
    arguments = ("play", "marbles", "--headless", "--frames", "1", "--size", "64x64", "--screenshot", picture)
    done = run(*arguments, PATH="/nonexistent", XDG_CACHE_HOME=str(tmp_path))
    assert done.returncode == 2
    error, install, precompile = done.stderr.splitlines()[-3:]
    assert error.endswith("does not come compiled, and the compiler glslc is not installed")
    assert install == "  on Debian or Ubuntu: sudo apt install glslc"
    assert precompile.startswith("  or run `renderwright precompile` once where glslc is installed")
    assert "quarantined" not in done.stderr


@pytest.mark.vulkan
@pytest.mark.parametrize(
    ("arguments", "variables", "message", "hint"),
    [
        (["--device", "nothing"], {}, 'error: there is no Vulkan device "nothing"', "devices: 0 "),
        ([], {"RENDERWRIGHT_DEVICE": "nothing"}, 'error: there is no Vulkan device "nothing"', "devices: 0 "),
        (
            ["--backend", "opengl", "--device", "nothing"],
            {},
            'error: there is no OpenGL device "nothing"',
            "devices: 0 ",
        ),
        (["--backend", "vulkan"], NO_VULKAN, NO_VULKAN_HERE, "mesa-vulkan-drivers; or play with --backend opengl"),
        (["--backend", "opengl"], NO_OPENGL, NO_OPENGL_HERE, "libgl1-mesa-dri; or play with --backend vulkan"),
        ([], NO_VULKAN | NO_OPENGL, f"; and {NO_VULKAN_HERE}", "apt install libegl1 libgl1-mesa-dri"),
        (["--backend", "vulkan"], NO_VULKAN | NO_OPENGL, f"; and {NO_OPENGL_HERE}", "mesa-vulkan-drivers"),
        (["--validate"], {"VK_LAYER_PATH": "/nonexistent"}, "VK_LAYER_KHRONOS_validation", "apt install vulkan-val"),
    ],
)
def test_a_machine_that_lacks_something(
    arguments: list[str], variables: dict[str, str], message: str, hint: str
) -> None:
    done = run("play", "marbles", "--headless", "--frames", "1", *arguments, **variables)
    assert (done.returncode, done.stdout) == (2, "")
    first, second = done.stderr.splitlines()
    assert message in first
    assert hint in second


@pytest.mark.vulkan
def test_a_display_without_a_server() -> None:
    done = run("play", "marbles", "--frames", "1", DISPLAY=":4095")
    assert done.returncode == 2
    assert done.stderr.splitlines() == [
        'error: no window can be opened: no X server answers on display ":4095"',
        "  check that DISPLAY names a running X server, or play with --headless",
    ]
