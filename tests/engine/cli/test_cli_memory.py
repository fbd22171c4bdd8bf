"""``renderwright memory``: text, JSON and picture, and what it says of mistakes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PIL import Image

from renderwright.engine.cli import main
from renderwright.render.errors import BackendError

FRAME = """\
version: 1
sinks: [image]
resolutions:
  half: {of: output, scale: 0.5}
nodes:
  - name: draw
    create:
      hdr: {texture: rgba16_sfloat, resolution: output, usage: color}
  - name: blur
    read: {hdr: {usage: sampled}}
    create: {small: {texture: rgba16_sfloat, resolution: half, usage: color}}
    history: {small: {usage: sampled, first: clear}}
  - name: show
    read: {small: {usage: sampled}}
    create: {image: {texture: rgba8_unorm, resolution: output, usage: color}}
"""


@pytest.fixture
def frame(tmp_path: Path) -> str:
    path = tmp_path / "frame.yaml"
    path.write_text(FRAME)
    return str(path)


def test_text(frame: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["memory", frame, "--size", "512x256", "--no-device"]) == 0
    out = capsys.readouterr().out
    first, *rest = out.splitlines()
    assert first == f"{frame} at 512x256: 3 nodes, packing balanced, sizes from the documented model"
    assert rest[0] == "heap 0: textures, 3 resources"
    assert any(line.startswith("total: ") for line in rest)
    assert "compared" not in out


def test_json_with_comparison(frame: str, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["--size", "512x256", "--no-device", "--policy", "fast", "--compare", "--json"]
    assert main(["memory", frame, *arguments]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["source"], found["output"], found["policy"]) == (frame, [512, 256], "fast")
    assert found["sizes"] == "the documented model"
    assert found["nodes"] == ["draw", "blur", "show"]
    # hdr, both copies of its half and the picture.
    hdr, small, image = 512 * 256 * 8, 256 * 128 * 8, 512 * 256 * 4
    assert found["total"]["alone"] == hdr + 2 * small + image
    assert found["baselines"]["no_aliasing"]["size"] == found["total"]["alone"]
    assert found["total"]["bound"] <= found["total"]["size"] <= found["baselines"]["two_copies_each"]["size"]
    assert found["total"]["bound"] == hdr + 2 * small
    assert found["best_order"] == {"size": found["total"]["size"], "ratio": 1.0}


def test_the_best_order_found_is_a_row_of_the_comparison(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["memory", "marbles", "--no-device", "--enable", "ssao", "--enable", "taa"]
    assert main([*arguments, "--json"]) == 0
    alone = json.loads(capsys.readouterr().out)
    assert alone["best_order"] is None
    assert main([*arguments, "--compare", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert 0 < found["best_order"]["size"] <= found["total"]["size"] == alone["total"]["size"]
    assert main([*arguments, "--compare"]) == 0
    (row,) = [line.split() for line in capsys.readouterr().out.splitlines() if "best order found" in line]
    assert int(row[3].replace(",", "")) == found["best_order"]["size"]


def test_resolutions_are_fixed(frame: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["memory", frame, "--no-device", "--json", "--resolution", "half=128x128"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert {item["id"]: item["size"] for item in found["resources"]}["small"] == 128 * 128 * 8


def test_picture(frame: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "new" / "memory.png"
    assert main(["memory", frame, "--no-device", "--compare", "--png", str(path)]) == 0
    assert f"The picture is in {path}" in capsys.readouterr().out
    with Image.open(path) as picture:
        assert picture.width == 1600


def test_a_game_with_plugins_switched(capsys: pytest.CaptureFixture[str]) -> None:
    sizes = []
    for extra in ([], ["--disable", "bloom"]):
        assert main(["memory", "marbles", "--no-device", "--policy", "fast", "--json", *extra]) == 0
        found = json.loads(capsys.readouterr().out)
        sizes.append(found["total"]["alone"])
        assert {item["plugin"] for item in found["resources"]} >= {"", "shadows"}
    assert sizes[1] < sizes[0]


def test_without_a_gpu_the_model_answers_and_says_so(
    frame: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_backend(options: object) -> None:
        raise BackendError("there is no Vulkan driver", hint="install one")

    monkeypatch.setattr("renderwright.engine.backends.make_backend", no_backend)
    assert main(["memory", frame]) == 0
    assert "sizes from the documented model (no GPU: there is no Vulkan driver)" in capsys.readouterr().out
    assert main(["memory", frame, "--device", "some"]) == 2
    assert "there is no Vulkan driver" in capsys.readouterr().err


@pytest.mark.vulkan
def test_the_driver_is_asked(frame: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["memory", frame, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["sizes"].startswith("the driver of ")
    assert all(item["size"] > 0 for item in found["resources"])


def test_whole_textures_are_not_shown_as_bytes(
    frame: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RENDERWRIGHT_BACKEND", "opengl")
    assert main(["memory", frame]) == 0
    shown = capsys.readouterr().out
    assert "sizes from texels, on " in shown
    assert "aliasing: textures; resources share whole textures of one kind" in shown
    assert main(["memory", frame, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["aliasing"] == "textures"
    assert any(heap["class"].startswith("texture ") for heap in found["heaps"])


def test_the_model_of_opengl_is_what_its_devices_do(capsys: pytest.CaptureFixture[str]) -> None:
    reports = []
    for extra in (["--no-device"], []):
        assert main(["memory", "marbles", "--policy", "fast", "--backend", "opengl", "--json", *extra]) == 0
        reports.append(json.loads(capsys.readouterr().out))
    model, device = reports
    assert model["sizes"] == "the documented model"
    assert model["aliasing"] == device["aliasing"] == "textures"
    assert model["heaps"] == device["heaps"]
    assert len(model["heaps"]) > 1


def test_mistakes(frame: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for arguments, words in (
        (["memory", frame, "--device", "a", "--no-device"], "exclude each other"),
        (["memory", frame, "--no-device", "--png", str(tmp_path / "x.jpg")], "ends in .png"),
        (["memory", frame, "--no-device", "--policy", "best"], "policy"),
        (["memory", "nothing"], "unknown game"),
        (["memory", frame, "--no-device", "--disable", "bloom"], "no plugins"),
    ):
        assert main(arguments) == 2
        assert words in capsys.readouterr().err
