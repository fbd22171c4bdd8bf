"""Passes that store what the next pass loads again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

from renderwright.render.inspect.capture.finding import Finding, Looked, Of, mebibytes

LEAST_SHARE = 0.01
"""Of the bytes that the frame moves."""


def reloaded_attachments(looked: Looked) -> Iterator[Finding]:
    """Render passes, one right after the other, with an attachment in common, that did not become one.

    Passes that draw to different mips or layers of a texture, as those of a chain of mips, have none in common.
    """
    moved: dict[tuple[str, str], int] = {}
    for access in looked.accesses:
        key = access["node"], access["resource"]
        moved[key] = moved.get(key, 0) + access["bytes_read"] + access["bytes_written"]
    renders = [item for item in looked.plan["passes"] if item["render"]]
    for before, after in pairwise(renders):
        stored = [_texels(one) for one in before["attachments"] if one["store"] == "store"]
        again = [one["resource"] for one in after["attachments"] if one["load"] == "load" and _texels(one) in stored]
        first, last = before["nodes"][-1], after["nodes"][0]
        size = sum(moved.get((last, name), 0) for name in again)
        share = size / max(1, looked.moved)
        if again and share >= LEAST_SHARE:
            yield Finding(
                "reloaded",
                f"`{last}` loads {', '.join(f'`{name}`' for name in again)} again, which the pass of `{first}` has "
                f"stored: they are not one pass ({after['alone']}); that moves about {mebibytes(size)}",
                "make both draw to the same attachments, one right after the other",
                (first, last),
                tuple(again),
                looked.owners[last],
                size,
                share,
                Of.MOVED,
            )


def _texels(attachment: Mapping[str, Any]) -> tuple[Any, ...]:
    """Which texels an attachment is: of a resource the mip and the layers; None for all layers of the largest mip."""
    return attachment["resource"], attachment.get("mips"), attachment.get("layers")
