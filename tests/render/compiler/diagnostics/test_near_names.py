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
