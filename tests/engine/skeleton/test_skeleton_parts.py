"""Mips and layers in skeleton files."""

from __future__ import annotations

from pathlib import Path

import pytest

from renderwright.engine.skeleton import load_skeleton
from renderwright.render.errors import RenderwrightError
from renderwright.render.types.parts import WHOLE, Part

FILE = """
version: 1
nodes:
  - name: first
    create: {{cube: {{texture: rgba8_unorm, size: [64, 64], mips: 4, layers: 6, usage: color, {create}}}}}
  - name: second
    read: {{cube: {{usage: sampled, {read}}}}}
    modify: {{cube: {{usage: color, {modify}}}}}
"""


def skeleton(tmp_path: Path, create: str = "layer: 0", read: str = "mip: 0", modify: str = "mip: 1"):
    path = tmp_path / "file.yaml"
    path.write_text(FILE.format(create=create, read=read, modify=modify))
    return load_skeleton(path)


def test_a_request_may_be_for_a_part(tmp_path: Path) -> None:
    first, second = skeleton(tmp_path, "mip: 2, layer: 5", "mips: [0, 2], layers: [1, 3]", "mip: 3").nodes
    assert [request.part for request in first.requests] == [Part((2, 1), (5, 1))]
    assert {request.verb.value: request.part for request in second.requests} == {
        "modify": Part((3, 1), None),
        "read": Part((0, 2), (1, 3)),
    }


def test_a_description_of_mips_is_no_part(tmp_path: Path) -> None:
    first, _ = skeleton(tmp_path, "stage: fragment").nodes
    assert first.requests[0].part == WHOLE
    assert first.requests[0].desc.mips == 4


@pytest.mark.parametrize(
    ("place", "text", "message"),
    [
        ("create", "layer: 6", '"layer" counts from 0 and must be less than 6; got 6'),
        ("create", "mip: 4", '"mip" counts from 0 and must be less than 4; got 4'),
        ("read", "mip: 0, mips: [0, 1]", 'either "mip" or "mips", not both'),
        ("read", "mips: [0, 0]", "greater than or equal to 1"),
        ("modify", "layer: -1", "greater than or equal to 0"),
        ("modify", "layr: 1", 'did you mean "layer"?'),
    ],
)
def test_wrong_parts(tmp_path: Path, place: str, text: str, message: str) -> None:
    with pytest.raises(RenderwrightError) as caught:
        skeleton(tmp_path, **{place: text})
    assert message in str(caught.value)


def test_layers_may_be_the_faces_of_a_cube(tmp_path: Path) -> None:
    first, _ = skeleton(tmp_path, "cube: true, layer: 0").nodes
    assert first.requests[0].desc.cube
    plain, _ = skeleton(tmp_path).nodes
    assert not plain.requests[0].desc.cube


@pytest.mark.parametrize(
    "texture", ["size: [64, 32], layers: 6", "size: [64, 64], layers: 5", "resolution: output, layers: 6"]
)
def test_a_cube_is_six_squares(tmp_path: Path, texture: str) -> None:
    path = tmp_path / "file.yaml"
    creates = f"{{cube: {{texture: rgba8_unorm, {texture}, usage: color, cube: true}}}}"
    path.write_text(f"version: 1\nnodes:\n  - name: first\n    create: {creates}\n")
    with pytest.raises(RenderwrightError, match="a multiple of 6 layers"):
        load_skeleton(path)
