"""Files of lookup tables: what they mean, and which line is wrong."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from renderwright.plugins.grading.cube_file import read_cube_file
from renderwright.plugins.grading.looks import SHIPPED, WIDTH, look_of, packed
from renderwright.render import UsageError

CUBE = """TITLE "mirrored"
# a comment

LUT_3D_SIZE 2
DOMAIN_MIN 0 0 0
DOMAIN_MAX 2 2 2
0 0 0
.1 0 0
0 .2 0
.1 .2 0
0 0 .3
.1 0 .3
0 .2 .3
1e-1 2e-1 3e-1
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "look.cube"
    path.write_text(text, encoding="utf-8")
    return path


def test_red_is_the_fastest_axis_of_a_cube(tmp_path: Path) -> None:
    table = read_cube_file(written(tmp_path, CUBE))
    assert table.cube.shape == (2, 2, 2, 3)
    assert table.cube[0, 0, 1].tolist() == pytest.approx([0.1, 0.0, 0.0])
    assert table.cube[1, 0, 0].tolist() == pytest.approx([0.0, 0.0, 0.3])
    assert table.cube_domain == ((0.0, 0.0, 0.0), (2.0, 2.0, 2.0))
    assert table.curve.tolist() == [[0.0] * 3, [2.0] * 3], "a cube alone has a curve that changes nothing"
    assert table.curve_domain == table.cube_domain


def test_a_curve_alone_has_a_cube_that_changes_nothing(tmp_path: Path) -> None:
    table = read_cube_file(written(tmp_path, "\ufeffLUT_1D_SIZE 3\r\n0 0 0\r\n0.5 0.25 1.5\r\n1 1 1\r\n"))
    assert table.curve.tolist() == [[0, 0, 0], [0.5, 0.25, 1.5], [1, 1, 1]]
    assert table.cube_domain == ((0.0,) * 3, (1.5,) * 3), "the colours that the curve has"
    assert table.cube[0, 1, 0].tolist() == [0.0, 1.5, 0.0]


def test_a_file_may_have_a_curve_before_its_cube(tmp_path: Path) -> None:
    cube = "\n".join(f"{r} {g} {b}" for b in (0, 1) for g in (0, 1) for r in (0, 1))
    text = f"LUT_1D_SIZE 2\nLUT_1D_INPUT_RANGE -1 3\nLUT_3D_SIZE 2\n0 0 0\n1 1 1\n{cube}\n"
    table = read_cube_file(written(tmp_path, text))
    assert table.curve_domain == ((-1.0,) * 3, (3.0,) * 3)
    assert table.cube_domain == ((0.0,) * 3, (1.0,) * 3)
    assert table.cube[1, 0, 1].tolist() == [1, 0, 1]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (CUBE.replace(".1 0 .3", ".1 0"), 'look.cube:12: ".1 0" does not have 3 finite numbers'),
        (CUBE.replace(".1 0 .3", ".1 0 x"), "look.cube:12:"),
        (CUBE.replace(".1 0 .3", ".1 0 nan"), "look.cube:12:"),
        (CUBE.replace("LUT_3D_SIZE 2", "LUT_3D_SIZE 500"), 'look.cube:4: "LUT_3D_SIZE" needs a whole number from 2'),
        (CUBE.replace("LUT_3D_SIZE 2", "LUT_3D_SIZE"), "look.cube:4:"),
        (CUBE.replace("DOMAIN_MAX 2 2 2", "DOMAIN_MAX 2"), "look.cube:6:"),
        (CUBE.replace("DOMAIN_MAX 2 2 2", "DOMAIN_MAX 2 0 2"), "is empty"),
        (CUBE.replace("# a comment", "shaper 3"), 'look.cube:2: unknown keyword "shaper"'),
        (CUBE + "LUT_1D_SIZE 2\n", "look.cube:15:"),
        (CUBE + "1 1 1\n", "look.cube has 9 entries; its sizes need 8"),
        ("1 1 1\n", "neither LUT_1D_SIZE nor LUT_3D_SIZE"),
        ("", "neither LUT_1D_SIZE nor LUT_3D_SIZE"),
    ],
)
def test_what_is_wrong_is_named_with_file_and_line(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(UsageError) as error:
        read_cube_file(written(tmp_path, text))
    assert says in error.value.message
    assert error.value.hint


def test_a_file_that_is_no_text_and_a_missing_one_are_named(tmp_path: Path) -> None:
    (tmp_path / "picture.cube").write_bytes(b"\x89PNG\xff\xfe\x00")
    with pytest.raises(UsageError, match="is not text"):
        read_cube_file(tmp_path / "picture.cube")
    with pytest.raises(UsageError, match="cannot be read"):
        read_cube_file(tmp_path)
    with pytest.raises(UsageError, match="there is no look and no file") as error:
        look_of("wrm")
    assert "warm" in (error.value.hint or "")


def test_a_look_is_read_once_until_its_file_changes(tmp_path: Path) -> None:
    path = written(tmp_path, CUBE)
    first = look_of(str(path))
    assert look_of(str(path)).texels is first.texels
    written(tmp_path, CUBE.replace("1e-1 2e-1 3e-1", "0.75 0.5 0.25"))
    assert look_of(str(path)).texels[0, 9].tolist() == [0.75, 0.5, 0.25, 0.0]


def test_long_tables_take_several_rows(tmp_path: Path) -> None:
    entries = np.linspace(0.0, 1.0, WIDTH + 100)
    text = f"LUT_1D_SIZE {len(entries)}\n" + "".join(f"{value} {value} {value}\n" for value in entries)
    look = packed(read_cube_file(written(tmp_path, text)))
    assert look.texels.shape == (2, WIDTH, 4)
    assert look.texels[1, 99, 0] == 1.0
    assert look.texels[1, 100 + 7, :3].tolist() == [1.0, 1.0, 1.0], "the cube lies behind the curve"


@pytest.mark.parametrize("name", sorted(file.stem for file in SHIPPED.glob("*.cube")))
def test_shipped_looks_keep_black_and_white_apart(name: str) -> None:
    cube = read_cube_file(SHIPPED / f"{name}.cube").cube
    assert cube[0, 0, 0].max() < 0.1
    assert cube[-1, -1, -1].min() > 0.8
