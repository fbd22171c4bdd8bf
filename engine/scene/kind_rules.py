"""Rules for the kinds of what a description has, such as images. Another kind is refused at the game's line."""

from __future__ import annotations

from collections.abc import Iterable

from renderwright.engine.scene.entity_values import shortened
from renderwright.engine.scene.image import Image
from renderwright.render.errors import SourceLocation, UsageError


def check_kinds(owner: object, kind: type, fields: Iterable[str], hint: str, where: SourceLocation | None) -> None:
    """Raise ``UsageError`` for a field of ``owner`` that is neither None nor of a kind; ``hint`` says what to give."""
    for field in fields:
        value = getattr(owner, field)
        if value is not None and not isinstance(value, kind):
            raise UsageError(f"{type(owner).__name__}.{field} cannot be {shortened(value)}", hint=hint, where=where)


def check_images(owner: object, fields: Iterable[str], where: SourceLocation | None) -> None:
    """Raise ``UsageError`` for a field that is neither None nor an image."""
    check_kinds(owner, Image, fields, "give an Image, such as that of load_image(path), or None", where)
