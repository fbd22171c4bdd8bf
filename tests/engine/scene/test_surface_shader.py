"""Values for the surface functions of materials."""

from __future__ import annotations

import pickle
import sysconfig
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from renderwright.engine.scene import Image, Material, SurfaceShader
from renderwright.engine.scene.surface_shader import parameter_places
from renderwright.render.errors import UsageError

PICTURE = Image("picture", np.zeros((1, 1, 4), np.uint8))
OTHER = Image("other", np.zeros((1, 1, 4), np.uint8))


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "stripes.glsl"
    path.write_text("void own_surface(inout Surface surface, SurfacePoint at) {}")
    return str(path)


def test_it_is_a_value(file: str) -> None:
    one = SurfaceShader(file, {"width": 1, "tint": (1, 0, 0)}, {"b": OTHER, "a": PICTURE})
    same = SurfaceShader(file, {"width": 1.0, "tint": (1.0, 0.0, 0.0)}, {"a": PICTURE, "b": OTHER})
    assert one == same
    assert hash(one) == hash(same)
    assert list(one.images) == ["a", "b"]
    assert one != replace(one, parameters={"width": 2, "tint": (1, 0, 0)})
    assert one != replace(one, images={"a": PICTURE, "b": PICTURE})
    assert Material(surface=one) == Material(surface=same) != Material()
    with pytest.raises(TypeError):
        one.parameters["width"] = 2.0  # type: ignore[index]
    with pytest.raises(UsageError, match="never changes"):
        one.file = "other"  # type: ignore[misc]


def test_another_value_is_made_where_the_game_makes_it(file: str) -> None:
    other = replace(SurfaceShader(file), parameters={"width": 1.0})
    assert other.made_at is not None
    assert other.made_at.file == __file__


def test_it_can_be_pickled(file: str) -> None:
    one = SurfaceShader(file, {"width": 1.0})
    assert pickle.loads(pickle.dumps(one)) == one


def test_a_file_is_beside_the_python_file_or_in_its_folder_glsl() -> None:
    here = Path(__file__).parent
    assert SurfaceShader("own/beside.glsl").file == str(here / "own" / "beside.glsl")
    assert SurfaceShader("inside.glsl").file == str(here / "glsl" / "inside.glsl")
    with pytest.raises(UsageError, match=r"there is no file \"outside.glsl\"") as error:
        SurfaceShader("outside.glsl")
    assert error.value.where is not None
    assert error.value.where.file == __file__
    assert str(here) in error.value.hint


def test_a_file_that_a_wheel_lacks_is_told_where_to_name_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sysconfig, "get_path", lambda name: str(Path(__file__).parents[1]))
    with pytest.raises(UsageError) as error:
        SurfaceShader("outside.glsl")
    assert error.value.hint.endswith("a wheel has the files that package-data of its pyproject.toml names")


def test_the_file_of_a_plugin_is_found_later() -> None:
    assert SurfaceShader("rust.glsl", plugin="rust").file == "rust.glsl"


@pytest.mark.parametrize(
    ("parameters", "images", "message"),
    [
        ({"width": "1"}, {}, "parameters['width'] cannot be"),
        ({"width": ()}, {}, "parameters['width'] cannot be"),
        ({"width": (1.0,)}, {}, "parameters['width'] cannot be"),
        ({"width": (1.0,) * 5}, {}, "parameters['width'] cannot be"),
        ({"width": (1.0, float("nan"))}, {}, "parameters['width'] cannot be"),
        ({"line width": 1.0}, {}, "cannot be a name in the GLSL"),
        ({"gl_width": 1.0}, {}, "cannot be a name in the GLSL"),
        ({"line__width": 1.0}, {}, "cannot be a name in the GLSL"),
        ({"surface": 1.0}, {}, "cannot be a name in the GLSL"),
        ({}, {"at": PICTURE}, "cannot be a name in the GLSL"),
        ({}, {"pattern": "pattern.png"}, "images['pattern'] cannot be"),
        ({"pattern": 1.0}, {"pattern": PICTURE}, "images cannot be 'pattern'"),
        ({}, {f"image{number}": PICTURE for number in range(5)}, "images cannot be 5"),
        ({f"vector{number}": (1.0,) * 3 for number in range(9)}, {}, "parameters cannot be"),
        ([1.0], {}, "parameters cannot be [1.0]"),
    ],
)
def test_wrong_values_are_refused_at_the_line(parameters: object, images: object, message: str) -> None:
    with pytest.raises(UsageError) as error:
        SurfaceShader("rust.glsl", parameters, images, "rust")  # type: ignore[arg-type]
    assert message in error.value.message
    assert error.value.where is not None
    assert error.value.where.file == __file__


def test_another_surface_than_a_surface_shader_is_refused() -> None:
    with pytest.raises(UsageError, match=r"Material\.surface cannot be"):
        Material(surface="stripes.glsl")  # type: ignore[arg-type]


def test_parameters_share_vectors_and_none_is_in_two() -> None:
    widths = {"a": 1, "b": 2, "c": 2, "d": 3, "e": 1, "f": 4}
    assert parameter_places(widths) == ({"a": 0, "b": 1, "c": 4, "d": 8, "e": 11, "f": 12}, 4)
    assert parameter_places({}) == ({}, 0)


def test_the_images_of_a_material_have_those_of_its_surface() -> None:
    surface = SurfaceShader("rust.glsl", images={"a": OTHER, "b": PICTURE}, plugin="rust")
    assert Material(base_color_image=PICTURE, surface=surface).images() == (PICTURE, OTHER)
