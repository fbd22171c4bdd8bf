"""Pictures of the models of a folder."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import PIL.Image
import pytest
from gltf_builder import GltfBuilder

from renderwright.engine.cli import main
from renderwright.engine.farm import Farm
from renderwright.engine.farm.store import Store
from renderwright.engine.farm.thumbnails import ThumbnailWork, models_in

pytestmark = pytest.mark.vulkan


@pytest.fixture
def models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A red sign, and a green one in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "models"
    for place, color in ((folder, (1, 0, 0, 1)), (folder / "signs", (0, 1, 0, 1))):
        place.mkdir()
        builder = GltfBuilder()
        builder.document["materials"] = [
            {"pbrMetallicRoughness": {"baseColorFactor": color, "metallicFactor": 0}, "doubleSided": True}
        ]
        builder.mesh(builder.quad(material=0))
        builder.save_glb(place)
    return folder


def middle(path: str) -> np.ndarray:
    picture = np.asarray(PIL.Image.open(path))
    assert picture.shape == (48, 64, 3)
    return picture[24, 32].astype(int)


def test_each_model_has_its_picture(models: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["thumbnails", str(models), "--size", "64x48"]
    assert main(arguments) == 0
    out = "out/models-thumbnails"
    red, green = middle(f"{out}/model.glb.png"), middle(f"{out}/signs/model.glb.png")
    assert red[0] > red[1] + 50
    assert green[1] > green[0] + 50
    assert capsys.readouterr().err.splitlines() == [f"2 of 2 pictures are in {out}"]
    assert main(arguments) == 0
    assert "2 of 2 models are there already" in capsys.readouterr().err


def test_a_model_that_cannot_be_shown_is_named_and_the_others_are(
    models: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (models / "broken.glb").write_bytes(b"no model")
    assert main(["thumbnails", str(models), "--size", "64x48", "--out", "pictures"]) == 3
    told = capsys.readouterr().err
    assert "broken.glb is missing: " in told
    assert told.splitlines()[-1] == "2 of 3 pictures are in pictures"
    assert Path("pictures/signs/model.glb.png").exists()


def test_a_picture_is_made_again_when_its_model_has_changed(models: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["thumbnails", str(models), "--size", "64x48", "--out", "pictures"]
    assert main(arguments) == 0
    (models / "model.glb").write_bytes((models / "signs" / "model.glb").read_bytes())
    (models / "another.glb").write_bytes((models / "signs" / "model.glb").read_bytes())
    capsys.readouterr()
    assert main(arguments) == 0
    assert capsys.readouterr().err.splitlines()[0] == "1 of 3 models are there already"
    color = middle("pictures/model.glb.png")
    assert color[1] > color[0] + 50


def test_a_model_that_goes_while_its_picture_is_made_costs_only_that_picture(models: Path, tmp_path: Path) -> None:
    work = ThumbnailWork(models, models_in(models), (64, 48))
    changed, gone = work.models
    store = Store(tmp_path / "pictures", work)
    with Farm() as farm:
        for piece in farm.run(work, range(2)):
            (models / work.models[piece.number]).unlink()
            store.put(piece)
    (models / changed).write_bytes(b"another model")
    assert Store(tmp_path / "pictures", work).missing(range(2)) == (0, 1)
    with Farm() as farm:
        assert list(farm.run(work, (1,))) == []
        assert gone in farm.report.given_up[1]


def test_a_folder_without_models_is_one_message(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["thumbnails", str(tmp_path / "none")]) == 2
    assert "there is no folder" in capsys.readouterr().err
    assert main(["thumbnails", str(tmp_path)]) == 2
    assert "has no models" in capsys.readouterr().err
