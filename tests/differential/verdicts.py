"""Compares what the oracle and the layer say of a stream, and explains where they differ.

An explanation is no guess: the stream is changed so that the one thing that the layer (or the oracle) treats otherwise
is gone, and judged again; only if that ends the difference does the explanation count.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations

from stream_changes import LAYER_SEES, ORACLE_SEES
from stream_player import Objection

from renderwright.render.sync.oracle import Finding, Kind, check
from renderwright.render.sync.oracle.stream import Stream

HAZARD, LAYOUT, EVENT, CONTENT = "hazard", "layout", "event", "content"
_FAMILIES = {
    Kind.READ_AFTER_WRITE: HAZARD,
    Kind.WRITE_AFTER_READ: HAZARD,
    Kind.WRITE_AFTER_WRITE: HAZARD,
    Kind.NOT_AVAILABLE: HAZARD,
    Kind.NOT_VISIBLE: HAZARD,
    Kind.WRONG_LAYOUT: LAYOUT,
    Kind.EVENT_MISUSE: EVENT,
    Kind.NEVER_SIGNALLED: EVENT,
    Kind.UNDEFINED_CONTENT: CONTENT,
}
_LAYOUT_RULES = re.compile(r"Layout|vkCmdDraw\w*-None-09600|vkCmdBeginRendering-pRenderingInfo-09\d+")

MOST_REASONS = 3

Play = Callable[[Stream], Sequence[Objection]]


@dataclass(frozen=True)
class Difference:
    """A family of mistakes that only one judge sees, ``oracle`` or ``layer``, and why ('' if nobody knows)."""

    side: str
    family: str
    reason: str


@dataclass(frozen=True)
class Verdict:
    """What both said. ``same_command`` tells whether some objection of both is about the same command."""

    findings: tuple[Finding, ...]
    objections: tuple[Objection, ...]
    differences: tuple[Difference, ...]

    @property
    def sound(self) -> bool:
        """Whether both are content (undefined contents, which no layer looks for, aside)."""
        return not self.differences and not self.objections

    @property
    def same_command(self) -> bool:
        lines = {one.at.line for one in self.findings}
        return any(one.line in lines for one in self.objections)


def family(rule: str) -> str:
    """What a rule of the layer is about; the rule itself where the oracle has none like it."""
    if rule.startswith("SYNC-HAZARD"):
        return HAZARD
    if "Event" in rule:
        return EVENT
    return LAYOUT if _LAYOUT_RULES.search(rule) else rule


def compare(stream: Stream, play: Play, *, explain: bool = True) -> Verdict:
    """Both judges on one stream; the reasons are those of the newest layer."""
    findings, objections = check(stream).findings, tuple(play(stream))
    oracle, layer = _families(findings), {family(one.rule) for one in objections}
    sides = [("oracle", name) for name in sorted(oracle - layer)] + [("layer", name) for name in sorted(layer - oracle)]
    differences = [
        Difference(side, name, _why(stream, side, name, play) if explain else "an older layer") for side, name in sides
    ]
    return Verdict(findings, objections, tuple(differences))


def _families(findings: Sequence[Finding]) -> set[str]:
    return {_FAMILIES.get(one.kind, str(one.kind)) for one in findings}


def _agree(stream: Stream, name: str, play: Play) -> bool:
    """Whether both judges say the same of such mistakes."""
    return (name in _families(check(stream).findings)) == (name in {family(one.rule) for one in play(stream)})


def _why(stream: Stream, side: str, name: str, play: Play) -> str:
    if name == CONTENT:
        return "undefined contents"
    changes = (ORACLE_SEES if side == "oracle" else LAYER_SEES).get(name, {})
    for count in range(1, MOST_REASONS + 1):
        for chosen in combinations(changes, count):
            changed = stream
            for reason in chosen:
                changed = changes[reason](changed)
            if changed != stream and _agree(changed, name, play):
                return " and ".join(chosen)
    return ""
