"""The names that a message suggests for a mistyped one."""

from __future__ import annotations

import pytest

from renderwright.render.suggest import did_you_mean, near_words, nearest_file, one_letter_apart, one_of, slipped

NAMES = ("depth", "fog/apply", "fog/scatter", "hdr", "ssao/visibility", "ssao/depth_pyramid")


@pytest.mark.parametrize(
    ("word", "suggestion"),
    [
        ("deptj", 'did you mean "depth"?'),
        ("ssao/visibilty", 'did you mean "ssao/visibility"?'),
        ("visibility", 'did you mean "ssao/visibility"?'),
        ("visibilty", 'did you mean "ssao/visibility"?'),
        ("fog", 'did you mean "fog/apply" or "fog/scatter"?'),
        ("fgo", 'did you mean "fog/apply" or "fog/scatter"?'),
        ("hdr_color", 'did you mean "hdr"?'),
        ("xyz", f"known: {', '.join(sorted(NAMES))}"),
    ],
)
def test_the_nearest_names_are_suggested(word: str, suggestion: str) -> None:
    assert did_you_mean(word, NAMES) == suggestion


def test_many_parts_are_too_many() -> None:
    assert did_you_mean("cascade", [f"{name}/cascade" for name in "abcdefg"]).count('"') == 2 * 4


def test_nothing_is_known() -> None:
    assert did_you_mean("x", ()) == "there are none"


@pytest.mark.parametrize(
    ("word", "hint"),
    [
        ("neares", 'did you mean "nearest"? known: linear, nearest'),
        ("cubic", "known: linear, nearest"),
        (3, "known: linear, nearest"),
    ],
)
def test_the_allowed_words_are_listed_behind_the_nearest(word: object, hint: str) -> None:
    assert one_of(word, ("linear", "nearest")) == hint


@pytest.mark.parametrize(
    ("word", "known", "near"),
    [
        ("hrd", ["depth", "hdr", "hud"], ["hdr"]),
        ("dhr", ["hdr", "depth"], ["hdr"]),
        ("uv", ["vu", "depth"], ["vu"]),
        ("rdh", ["hdr", "depth"], []),  # two swaps
        ("hdrr", ["hdr", "hdr_lit"], ["hdr"]),
    ],
)
def test_swapped_letters_are_near_in_short_names_too(word: str, known: list[str], near: list[str]) -> None:
    assert near_words(word, known, cutoff=0.75) == near


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("opps.frag", "oops.frag"),
        ("oops.comp", "oops.frag"),
        ("blur.frga", "blur.frag"),
        ("blur.cmp", "blur.comp"),
        ("camra.glsl", "camera.glsl"),
        ("x.glsl", ""),
        ("s.frag", ""),
    ],
)
def test_files_are_alike_by_their_names_without_endings(name: str, near: str) -> None:
    files = ["air.glsl", "blur.comp", "blur.frag", "camera.glsl", "oops.frag", "sprites.vert"]
    assert nearest_file(name, files) == near


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("norml", "normal"),
        ("noormal", "normal"),
        ("deth", "depth"),
        ("albeddo", "albedo"),
        ("normals", ""),  # a plural
        ("light", ""),
        ("unormal", ""),
        ("nomral", ""),  # a swap
        ("noral_", ""),
        ("hddr", ""),
        ("", ""),
        ("normal", ""),
    ],
)
def test_a_letter_too_few_or_too_many_within_a_word_is_a_slip(word: str, meant: str) -> None:
    assert slipped(word, ("normal", "depth", "albedo", "lights", "hdr", "")) == meant


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("dept", "depth"),
        ("depths", "depth"),
        ("epth", "depth"),
        ("adepth", "depth"),
        ("deptg", "depth"),
        ("norml", "normal"),
        ("mask_aa", "mask_a"),
        ("mask_b", ""),  # another one
        ("mask", ""),
        ("dpeth", ""),  # a swap
        ("dep", ""),
        ("ldr", ""),  # short words are others
        ("hd", ""),
        ("", ""),
        ("depth", ""),
    ],
)
def test_words_may_differ_by_a_letter_at_any_place(word: str, meant: str) -> None:
    assert one_letter_apart(word, ("normal", "depth", "mask_a", "hdr", "")) == meant
