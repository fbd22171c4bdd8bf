"""Parts of a texture: ranges of its mip levels and array layers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

Span = tuple[int, int]
"""(first, count)."""


class Part(NamedTuple):
    """A range of mips and layers of a texture; None means all of them."""

    mips: Span | None = None
    layers: Span | None = None

    def meets(self, other: Part) -> bool:
        """Whether the two parts have a subresource (one mip of one layer) in common."""
        return self is other or (_meet(self.mips, other.mips) and _meet(self.layers, other.layers))

    def __str__(self) -> str:
        return " of ".join(word for word in (_words("mip", self.mips), _words("layer", self.layers)) if word)


WHOLE = Part()


def _meet(one: Span | None, other: Span | None) -> bool:
    return one is None or other is None or (one[0] < other[0] + other[1] and other[0] < one[0] + one[1])


def _words(unit: str, span: Span | None) -> str:
    if span is None:
        return ""
    first, count = span
    return f"{unit} {first}" if count == 1 else f"{unit}s {first} to {first + count - 1}"


def clipped(span: Span | None, mips: int) -> Span | None:
    """A span clipped to a texture's number of mips; its count is 0 if the texture has none of them.

    A texture that follows a resolution has no more mips than its extent allows, which may be fewer than declared.
    """
    return None if span is None else (span[0], max(0, min(span[1], mips - span[0])))


def has_any(part: Part, mips: int) -> bool:
    """Whether a texture with this number of mips has at least one mip of the part."""
    span = clipped(part.mips, mips)
    return span is None or span[1] > 0


def wrong_part(part: Part, mips: int, layers: int) -> str:
    """The first range of a part that a texture lacks, in words: ``3 mips, so no mip 4``; '' if it has the whole part.

    ``mips`` and ``layers`` are the texture's counts.
    """
    for unit, span, count in (("mip", part.mips, mips), ("layer", part.layers, layers)):
        if span is not None and sum(span) > count:
            return f"{count} {unit}{'s' if count > 1 else ''}, so no {_words(unit, span)}"
    return ""


def cells(parts: Iterable[Part], mips: int, layers: int) -> tuple[Part, ...]:
    """The rectangles of mips and layers into which the parts' edges cut a texture; ``(WHOLE,)`` without cuts."""
    rows, columns = {0, mips}, {0, layers}
    for part in parts:
        for span, cuts, end in ((part.mips, rows, mips), (part.layers, columns, layers)):
            if span is not None:
                cuts.update(cut for cut in (span[0], sum(span)) if 0 < cut < end)
    if len(rows) == len(columns) == 2:
        return (WHOLE,)
    return tuple(
        Part((mip, mip_end - mip), (layer, layer_end - layer))
        for mip, mip_end in pairwise(sorted(rows))
        for layer, layer_end in pairwise(sorted(columns))
    )


def joined(parts: Iterable[Part], mips: int, layers: int) -> tuple[Part, ...]:
    """Merges cells of a texture into fewer, larger parts. Spans over all mips or all layers become None."""
    spans = [(part.mips or (0, mips), part.layers or (0, layers)) for part in parts]
    rows = [(mip, layer) for mip, own in _by(spans, 0) for layer in _merged([each[1] for each in own])]
    both = [(mip, layer) for layer, own in _by(rows, 1) for mip in _merged([each[0] for each in own])]
    return tuple(
        Part(mip if mip != (0, mips) else None, layer if layer != (0, layers) else None) for mip, layer in sorted(both)
    )


def _by(pairs: Sequence[tuple[Span, Span]], side: int) -> Iterable[tuple[Span, Sequence[tuple[Span, Span]]]]:
    found: dict[Span, list[tuple[Span, Span]]] = {}
    for pair in pairs:
        found.setdefault(pair[side], []).append(pair)
    return found.items()


def _merged(spans: Iterable[Span]) -> list[Span]:
    """The spans with adjacent ones merged."""
    result: list[Span] = []
    for first, count in sorted(spans):
        if result and sum(result[-1]) == first:
            result[-1] = (result[-1][0], result[-1][1] + count)
        else:
            result.append((first, count))
    return result
