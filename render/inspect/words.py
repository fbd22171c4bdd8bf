"""Plan values in words, shared by all reports."""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntFlag

from renderwright.render.compiler.values.placement import Copy
from renderwright.render.compiler.values.precedence import Edge
from renderwright.render.compiler.values.preferred_order import OrderMove
from renderwright.render.graph.requests import NodeDeclaration, Verb
from renderwright.render.sync.barriers import Barrier, Issued
from renderwright.render.sync.flags import Layout
from renderwright.render.types.attachments import Attachment
from renderwright.render.types.parts import WHOLE, Part
from renderwright.render.types.resources import ClearValue
from renderwright.render.types.usages import Usage

COPY_NAMES = ("even", "odd")
"""The names of the two copies of a resource, and of the two kinds of frames."""

DOING = {
    Verb.CREATE: "creates",
    Verb.EXTERNAL: "brings in",
    Verb.MODIFY: "modifies",
    Verb.READ: "reads",
    Verb.RENAME: "renames",
    Verb.HISTORY: "reads the history of",
    Verb.GATHER: "gathers",
}
"""The verb phrases of requests."""


def flag_words(flags: IntFlag) -> list[str]:
    """The names of the bits that are set, lowest first; empty for none."""
    return [flag.name.lower() for flag in flags if flag.name]


def flags_text(flags: IntFlag) -> str:
    """The bits as ``early_fragment_tests|late_fragment_tests``, or ``none``."""
    return "|".join(flag_words(flags)) or "none"


def layout_word(layout: Layout) -> str:
    """A layout's name in lower case."""
    return layout.name.lower()


def copy_name(copy: int) -> str:
    """The name of a copy, or its number beyond the first two."""
    return COPY_NAMES[copy] if copy < len(COPY_NAMES) else f"copy {copy}"


def barrier_text(barrier: Barrier) -> str:
    """One barrier on one line, without its reason."""
    part = Part(barrier.mips, barrier.layers)
    of = f", {part}" if part != WHOLE else ""
    text = f"{barrier.resource} {copy_name(barrier.copy)}{of}: {scopes_text(barrier)}"
    if barrier.owners is not None:
        text += f", from the {barrier.owners[0]} to the {barrier.owners[1]} queue"
    if barrier.old_layout is barrier.new_layout:
        return text
    return f"{text}, {layout_word(barrier.old_layout)} -> {layout_word(barrier.new_layout)}"


def place_text(number: int, *, behind: bool) -> str:
    """Where barriers stand: before or behind a pass."""
    return f"{'behind' if behind else 'before'} pass {number}"


def issued_text(issued: Issued) -> str:
    """An issued barrier on one line; a global memory barrier with the resources of its members."""
    if isinstance(issued, Barrier):
        return barrier_text(issued)
    names = dict.fromkeys(f"{member.resource} {copy_name(member.copy)}" for member in issued.members)
    return f"all memory: {scopes_text(issued)}, for {', '.join(names)}"


def scopes_text(issued: Issued) -> str:
    """The source and destination scopes of a barrier."""
    return (
        f"{flags_text(issued.src_stages)} ({flags_text(issued.src_access)}) -> "
        f"{flags_text(issued.dst_stages)} ({flags_text(issued.dst_access)})"
    )


def attachment_text(attachment: Attachment) -> str:
    """An attachment with its load and store operations."""
    load = attachment.load.value
    if load == "clear":
        load = f"clear {clear_text(attachment.clear, depth=attachment.usage is Usage.DEPTH)}"
    part = f", {attachment.part}" if attachment.part != WHOLE else ""
    return f"{attachment.resource}{part} {attachment.usage} {load} -> {attachment.store}"


def clear_text(value: ClearValue, *, depth: bool = False) -> str:
    """A clear value as ``(0, 0, 0, 1)``; a depth value as ``0``."""
    if depth:
        return f"{value[0]:g}"
    return f"({', '.join(f'{part:g}' for part in value)})"


def edge_reason(edge: Edge) -> str:
    """Why one node runs before another: the rule, and the resource where one is the cause."""
    return f"{edge.reason.value}: {edge.resource}" if edge.resource else edge.reason.value


def copy_text(copy: Copy) -> str:
    """The heap, offset and live range of a copy."""
    start, end = copy.live_range
    return f"heap {copy.heap} + {copy.offset} [{start}, {end})"


def bytes_text(size: int) -> str:
    """The exact number of bytes, from 1 KiB on also in a larger unit: ``66048 bytes (64.5 KiB)``."""
    for unit, name in ((2**30, "GiB"), (2**20, "MiB"), (2**10, "KiB")):
        if size >= unit:
            return f"{size} bytes ({round(size / unit, 1):g} {name})"
    return f"{size} bytes"


def move_text(move: OrderMove) -> str:
    """Why a node is not at its place in the policy's order: ``moved 3 places earlier to free `hdr`, 512 bytes``."""
    count = abs(move.places)
    earlier = move.places < 0
    words = f"moved {count} place{'s' if count > 1 else ''} {'earlier' if earlier else 'later'}"
    if not move.resource:
        return f"{words}, which makes room for other nodes"
    purpose = "to free" if earlier else "to delay the begin of"
    return f"{words} {purpose} `{move.resource}`, {bytes_text(move.size)}"


def phrase(flags: IntFlag, nothing: str) -> str:
    """The bits as a phrase: ``early fragment tests and late fragment tests``; ``nothing`` for none."""
    return " and ".join(word.replace("_", " ") for word in flag_words(flags)) or nothing


def owner_text(declaration: NodeDeclaration) -> str:
    """The declarer of a node: its plugin, or the skeleton or the engine."""
    return f"plugin `{declaration.plugin}`" if declaration.plugin else "the skeleton or the engine"


def some(words: Iterable[str], most: int = 6) -> str:
    """``a, b and 7 more``: at most ``most`` of the words."""
    items = list(words)
    if len(items) <= most:
        return ", ".join(items)
    return f"{', '.join(items[:most])} and {len(items) - most} more"
