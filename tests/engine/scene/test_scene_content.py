"""Materials, shapes and figures as content: what their files become, and how mistakes are told."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from renderwright.engine.content import parse_content
from renderwright.engine.scene import Image, Scene, Transform
from renderwright.engine.scene.figure_content import load_figure
from renderwright.engine.scene.material import Material
from renderwright.engine.scene.material_content import load_palette
from renderwright.engine.scene.primitives import box, capsule, cylinder, ellipsoid, sphere, torus, turned
from renderwright.engine.scene.shape_content import Placed, Shape, shaped
from renderwright.engine.scene.surface_layers import Coat, Specular, Volume
from renderwright.render.errors import AssetError

GRAIN = Image("grain", np.full((2, 2, 4), 128, np.uint8))
GLOSS = Image("gloss", np.full((2, 2, 4), 90, np.uint8), srgb=False)
LOOKS = """
oak: {color: [0.5, 0.4, 0.3], roughness: 0.4, base_color_image: grain, metallic_roughness_image: gloss}
paint: {roughness: 0.2, coat: {roughness: 0.1}}
bottle: {color: [1, 1, 1], roughness: 0, transmission: 1, ior: 1.4, volume: {thickness: 0.2, distance: 3}}
lamp: {color: [0, 0, 0], emissive: [4, 3, 2]}
leaf: {alpha_mode: mask, double_sided: true, base_color_image: grain}
"""
FIGURE = """
joints:
  - {name: hip, at: [0, 1, 0]}
  - {name: knee, parent: hip, at: [0, -0.5, 0]}
  - {name: foot, parent: knee, at: [0, -0.4, 0]}
  - {name: head, parent: hip, at: [0, 0.6, 0]}
limbs:
  - {joints: [hip, knee], shapes: [{shape: sphere, radius: 0.2, segments: 8, rings: 6}]}
  - {joints: [head], shapes: [{shape: ellipsoid, radii: [0.1, 0.2, 0.1], at: [0, 0.1, 0]}]}
clips:
  nod: {seconds: 2, swings: {head: {rest: [0.2, 0, 0], far: [0.3, 0, 0]}}}
"""


def written(tmp_path: Path, text: str) -> Path:
    file = tmp_path / "content.yaml"
    file.write_text(text)
    return file


def test_a_palette_makes_the_materials_that_its_file_describes(tmp_path: Path) -> None:
    palette = load_palette(written(tmp_path, LOOKS), {"grain": GRAIN, "gloss": GLOSS})
    assert list(palette) == ["oak", "paint", "bottle", "lamp", "leaf"]
    oak = Material((0.5, 0.4, 0.3, 1.0), 0.0, 0.4, base_color_image=GRAIN, metallic_roughness_image=GLOSS)
    assert palette["oak"] == oak
    assert palette["oak"] is palette["oak"]
    assert palette["lamp"] == Material((0.0, 0.0, 0.0, 1.0), emissive=(4.0, 3.0, 2.0))
    assert (palette["leaf"].drawn_as, palette["leaf"].double_sided) == ("mask", True)


def test_a_tint_colours_what_a_file_leaves_open(tmp_path: Path) -> None:
    palette, red = load_palette(written(tmp_path, LOOKS), {"grain": GRAIN, "gloss": GLOSS}), (0.8, 0.1, 0.1)
    assert palette["paint"] == Material((1.0, 1.0, 1.0, 1.0), roughness=0.2, coat=Coat(1.0, 0.1))
    assert palette.tinted("paint", red) == Material((*red, 1.0), roughness=0.2, coat=Coat(1.0, 0.1))
    assert palette.tinted("oak", red) == palette["oak"]
    glass = Material(
        (1.0, 1.0, 1.0, 1.0), 0.0, 0.0, transmission=1.0, specular=Specular(1.4), volume=Volume(0.2, red, 3.0)
    )
    assert palette.tinted("bottle", red) == glass


@pytest.mark.parametrize(
    ("old", "new", "message", "hint"),
    [
        ("base_color_image: grain,", "base_color_image: grian,", 'unknown image "grian"', 'did you mean "grain"?'),
        ("roughness: 0.2", "roughness: 2", "paint.roughness: Input should be less", "2"),
        ("thickness", "thicknes", "bottle.volume.thicknes: unknown key", 'did you mean "thickness"?'),
        ("alpha_mode: mask", "alpha_mode: masked", "leaf.alpha_mode", "masked"),
    ],
)
def test_mistakes_in_a_palette_name_their_line(tmp_path: Path, old: str, new: str, message: str, hint: str) -> None:
    text = LOOKS.replace(old, new, 1)
    with pytest.raises(AssetError, match=message) as told:
        load_palette(written(tmp_path, text), {"grain": GRAIN, "gloss": GLOSS})
    assert told.value.where is not None
    assert new in text.splitlines()[told.value.where.line - 1]
    assert hint in (told.value.hint or "")


def shapes(text: str) -> tuple[Placed, ...]:
    return parse_content(text, "shapes.yaml", tuple[Shape, ...]).value


@pytest.mark.parametrize(
    ("text", "mesh"),
    [
        ("shape: box, size: [1, 2, 3], bevel: 0.1, bevel_segments: 2", box((1.0, 2.0, 3.0), 0.1, bevel_segments=2)),
        ("shape: sphere, radius: 2, segments: 12, rings: 8", sphere(2.0, segments=12, rings=8)),
        ("shape: ellipsoid, radii: [1, 2, 3], segments: 9", ellipsoid((1.0, 2.0, 3.0), segments=9)),
        ("shape: cylinder, radius: 0.3, height: 4", cylinder(0.3, 4.0)),
        ("shape: capsule, radius: 0.3, height: 4, rings: 3", capsule(0.3, 4.0, rings=3)),
        ("shape: torus, radius: 2, tube: 0.1", torus(2.0, 0.1)),
        ("shape: turned, profile: [[0, 0], [1, 0.5], [0, 2]]", turned([0.0, 1.0, 0.0], [0.0, 0.5, 2.0])),
    ],
    ids=lambda value: value.name if not isinstance(value, str) else "",
)
def test_a_shape_is_the_primitive_of_its_name(text: str, mesh: object) -> None:
    found = shaped("one", shapes(f"- {{{text}}}"))
    assert (found.vertices == mesh.vertices).all()  # type: ignore[attr-defined]
    assert (found.indices == mesh.indices).all()  # type: ignore[attr-defined]


def test_shapes_are_placed_turned_and_repeated() -> None:
    lying, posts = shapes("""
- {shape: cylinder, radius: 0.1, height: 2, at: [0, 3, 0], turn: [90, 0, 0]}
- {shape: box, size: [0.2, 0.2, 0.2], at: [1, 0.5, 0], around: 4}
""")
    pipe = shaped("pipe", [lying]).positions
    assert np.allclose([pipe.min(axis=0), pipe.max(axis=0)], [(-0.1, 2.9, -1.0), (0.1, 3.1, 1.0)], atol=1e-6)
    middles = np.array([place for _, place, _ in posts.parts()])
    assert np.allclose(middles, [(1, 0.5, 0), (0, 0.5, 1), (-1, 0.5, 0), (0, 0.5, -1)], atol=1e-12)
    both = shaped("both", [lying, posts])
    assert len(both.vertices) == len(pipe) + 4 * len(box(0.2).vertices)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("- {shape: bax, size: [1, 1, 1]}", "0: Input tag 'bax'"),
        ("- {shape: box, size: [1, 1, 1], bevl: 0.1}", "0.bevl: unknown key"),
        ("- {shape: box, size: [1, 0, 1]}", "0.size.1: Input should be greater than 0"),
        ("- {shape: box, size: [1, 1, 1], bevel: 0.7}", "0: box: bevel is 0.7; give 0 to 0.5"),
        ("- {shape: turned, profile: [[0, 1], [1, 0]]}", "0: turned: the profile does not rise"),
    ],
)
def test_shapes_that_cannot_be_made_are_told(text: str, message: str) -> None:
    with pytest.raises(AssetError, match=message):
        shapes(text)


def test_a_figure_has_its_joints_limbs_and_clips(tmp_path: Path) -> None:
    model = load_figure(written(tmp_path, FIGURE)).model("walker", Material())
    (part,) = model.parts
    assert part.deformation is not None
    assert [clip.name for clip in model.animations.clips] == ["nod"]
    assert model.animations.rig.names == ("hip", "knee", "head", "foot"), "by depth, whatever the order in the file"
    assert math.isclose(part.mesh.positions[:, 1].max(), 1.0 + 0.6 + 0.1 + 0.2, abs_tol=1e-6)
    assert math.isclose(part.mesh.positions[:, 1].min(), 0.3, abs_tol=1e-6)


def test_a_clip_moves_the_limb_of_its_joint_alone(tmp_path: Path) -> None:
    scene = Scene()
    character = load_figure(written(tmp_path, FIGURE)).model("walker", Material()).spawn(scene, Transform())
    character.play("nod")
    moved = []
    for _ in range(2):
        scene.begin_step(0.5)
        moved.append(character.entities[0].mesh.moved_positions(scene.draw_list(1.0).poses))
    far = np.abs(moved[1] - moved[0]).max(axis=1)
    head = character.entities[0].mesh.positions[:, 1] > 1.4
    assert far[head].max() > 0.03
    assert far[~head].max() < 1e-6


@pytest.mark.parametrize(
    ("old", "new", "message", "hint"),
    [
        ("parent: knee", "parent: nee", 'unknown joint "nee"', 'did you mean "knee"?'),
        ("parent: hip, at: [0, -0.5, 0]", "parent: foot, at: [0, -0.5, 0]", 'unknown joint "foot"', "hip"),
        ("name: knee", "name: hip", 'two joints "hip"', "a name of its own"),
        ("joints: [head]", "joints: [haed]", 'unknown joint "haed"', 'did you mean "head"?'),
        ("swings: {head:", "swings: {neck:", 'unknown joint "neck"', "head"),
        ("seconds: 2", "seconds: 0", "clips.nod.seconds", "0"),
    ],
)
def test_mistakes_in_a_figure_name_their_line(tmp_path: Path, old: str, new: str, message: str, hint: str) -> None:
    text = FIGURE.replace(old, new, 1)
    with pytest.raises(AssetError, match=message) as told:
        load_figure(written(tmp_path, text))
    assert told.value.where is not None
    assert new in text.splitlines()[told.value.where.line - 1]
    assert hint in (told.value.hint or "")
