"""The names that messages of the compiler suggest for mistyped ones."""

from __future__ import annotations

import pytest

from renderwright.render.compiler.diagnostics.near_names import near_miss, near_resource

KNOWN = ("bloom/bright", "depth", "hdr", "hud")


@pytest.mark.parametrize(
    ("word", "hint"),
    [
        ("hrd", "did you mean `hdr`?"),
        ("hdrr", "did you mean `hdr`?"),
        ("dpeth", "did you mean `depth`?"),
        ("hot", ""),
    ],
)
def test_a_swap_of_letters_and_one_letter_more_are_near(word: str, hint: str) -> None:
    assert near_miss(word, KNOWN) == near_resource(word, "oops/tint", KNOWN) == hint


def test_names_of_a_namespace_may_be_short() -> None:
    assert near_resource("birght", "bloom/combine", KNOWN) == "did you mean `bright` (`bloom/bright`)?"


@pytest.mark.parametrize(
    ("word", "hint"),
    [
        ("post_hrd/oops/tint.source", "there is no chain `post_hrd`, did you mean `post_hdr`?"),
        ("pots_hdr/bloom/combin.source", "there is no chain `pots_hdr`, did you mean `post_hdr`?"),
        ("tone/oops/tint.source", ""),
        ("post_hdr/bloom/combin.source", "did you mean `post_hdr/bloom/combine.source`?"),
    ],
)
def test_a_mistyped_chain_is_told_of_the_input_of_a_member(word: str, hint: str) -> None:
    assert near_resource(word, "oops/look", (*KNOWN, "post_hdr/bloom/combine.source")) == hint
