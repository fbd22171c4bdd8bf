"""The glyph atlas."""

from pathlib import Path

import numpy as np
import pytest

from renderwright.engine.hud.font import CHARACTERS, MISSING, SIZES, Atlas, Glyph, build_atlas, default_atlas
from renderwright.engine.hud.symbols import SYMBOLS


@pytest.fixture(scope="module")
def atlas() -> Atlas:
    return default_atlas()


def texels(atlas: Atlas, glyph: Glyph) -> tuple[slice, slice]:
    height, width = atlas.coverage.shape
    u0, v0, u1, v1 = glyph.uv
    return slice(round(v0 * height), round(v1 * height)), slice(round(u0 * width), round(u1 * width))


def test_it_has_all_characters_at_all_sizes(atlas: Atlas) -> None:
    assert tuple(face.size for face in atlas.faces) == SIZES
    for face in atlas.faces:
        assert set(face.glyphs) == set(CHARACTERS) | set(SYMBOLS)


def test_every_visible_glyph_has_ink_of_its_own(atlas: Atlas) -> None:
    owners = np.zeros(atlas.coverage.shape, np.uint8)
    for face in atlas.faces:
        for character, glyph in face.glyphs.items():
            rows, columns = texels(atlas, glyph)
            picture = atlas.coverage[rows, columns]
            assert picture.shape == (glyph.height, glyph.width)
            if character != " ":
                assert picture.max() > 60, f"{character} at {face.size}"
            owners[rows, columns] += 1
    assert owners.max() == 1, "no two glyphs overlap"
    assert (atlas.coverage[owners == 0] > 0).sum() == 16, "but for the solid square, ink belongs to glyphs"


def test_the_solid_texel_is_fully_covered(atlas: Atlas) -> None:
    height, width = atlas.coverage.shape
    x, y = int(atlas.solid[0] * width), int(atlas.solid[1] * height)
    assert (atlas.coverage[y - 1 : y + 1, x - 1 : x + 1] == 255).all()


def test_glyphs_stay_within_their_line(atlas: Atlas) -> None:
    for face in atlas.faces:
        for character in "AbgjyQ|[0♥→★":
            glyph = face.glyph(character)
            assert -glyph.top <= face.ascent + 1
            assert glyph.top + glyph.height <= face.descent + 1


def test_widths_follow_size_and_shape(atlas: Atlas) -> None:
    small, large = atlas.face(12), atlas.face(96)
    for face in (small, large):
        assert face.glyph("i").advance < face.glyph("n").advance < face.glyph("W").advance
        assert face.width("ab") == face.glyph("a").advance + face.glyph("b").advance
    assert large.width("Marbles") / small.width("Marbles") == pytest.approx(8.0, rel=0.05)


def test_a_space_parts_words_at_every_size(atlas: Atlas) -> None:
    for face in atlas.faces:
        space = face.glyph(" ").advance
        assert space == round(space), "words begin at the same part of a pixel"
        assert 0.25 * face.size <= space < 0.25 * face.size + 1


def test_the_nearest_size_is_never_far(atlas: Atlas) -> None:
    for pixels in np.linspace(9.0, 96.0, 200):
        assert abs(atlas.face(float(pixels)).size / pixels - 1.0) < 0.08
    assert atlas.face(2.0).size == SIZES[0]
    assert atlas.face(500.0).size == SIZES[-1]


def test_an_unknown_character_is_shown_as_missing(atlas: Atlas) -> None:
    face = atlas.faces[0]
    assert face.glyph("語") is face.glyph(MISSING)


def test_a_small_atlas_fits_its_width() -> None:
    atlas = build_atlas((10, 20), 128)
    assert atlas.coverage.shape[1] == 128
    assert all(glyph.uv[2] <= 1.0 and glyph.uv[3] <= 1.0 for face in atlas.faces for glyph in face.glyphs.values())
    assert not atlas.coverage.flags.writeable


def test_the_kept_atlas_is_the_one_that_was_rasterised(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RENDERWRIGHT_CACHE_DIR", str(tmp_path))
    rasterised = build_atlas(SIZES, default_atlas().coverage.shape[1])
    for _ in ("rasterised", "kept"):
        default_atlas.cache_clear()
        kept = default_atlas()
        assert (kept.faces, kept.solid) == (rasterised.faces, rasterised.solid)
        assert kept.coverage.tobytes() == rasterised.coverage.tobytes()
