"""Plan values in words, shared by all reports."""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntFlag

from renderwright.render.compiler.values.placement import Copy
from renderwright.render.compiler.values.precedence import Edge
from renderwright.render.graph.requests import NodeDeclaration, Verb
from renderwright.render.sync.barriers import Barrier, Issued
from renderwright.render.sync.flags import Layout
from renderwright.render.types.attachments import Attachment
from renderwright.render.types.parts import WHOLE, Part
from renderwright.render.types.resources import ClearValue
from renderwright.render.types.usages import Usage

COPY_NAMES = ("even", "odd")
"""The two copies of a resource, which are also the two kinds of frames."""

DOING = {
    Verb.CREATE: "creates",
    Verb.EXTERNAL: "brings in",
    Verb.MODIFY: "modifies",
    Verb.READ: "reads",
    Verb.RENAME: "renames",
    Verb.HISTORY: "reads the history of",
    Verb.GATHER: "gathers",
}
"""What a node does to a resource, by the verb of its request."""


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
    """A copy in a word, or its number if there are more than two."""
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


def issued_text(issued: Issued) -> str:
    """A barrier as the device is told about it, on one line; of all memory with the resources that it is there for."""
    if isinstance(issued, Barrier):
        return barrier_text(issued)
    names = dict.fromkeys(f"{member.resource} {copy_name(member.copy)}" for member in issued.members)
    return f"all memory: {scopes_text(issued)}, for {', '.join(names)}"


def scopes_text(issued: Issued) -> str:
    """The stages and accesses on both sides of a barrier."""
    return (
        f"{flags_text(issued.src_stages)} ({flags_text(issued.src_access)}) -> "
        f"{flags_text(issued.dst_stages)} ({flags_text(issued.dst_access)})"
    )


def attachment_text(attachment: Attachment) -> str:
    """An attachment with what happens to it when its pass begins and ends."""
    load = attachment.load.value
    if load == "clear":
        load = f"clear {clear_text(attachment.clear, depth=attachment.usage is Usage.DEPTH)}"
    part = f", {attachment.part}" if attachment.part != WHOLE else ""
    return f"{attachment.resource}{part} {attachment.usage} {load} -> {attachment.store}"


def clear_text(value: ClearValue, *, depth: bool = False) -> str:
    """A clear value as ``(0, 0, 0, 1)``, or as ``0`` where only its first part, the depth, counts."""
    if depth:
        return f"{value[0]:g}"
    return f"({', '.join(f'{part:g}' for part in value)})"


def edge_reason(edge: Edge) -> str:
    """Why one node runs before another: the rule, and the resource where one is the cause."""
    return f"{edge.reason.value}: {edge.resource}" if edge.resource else edge.reason.value


def copy_text(copy: Copy) -> str:
    """Where a copy lies, and the slots in which it lives."""
    start, end = copy.arc
    return f"heap {copy.heap} + {copy.offset} [{start}, {end})"


def bytes_text(size: int) -> str:
    """The exact number, and from 1 KiB on the same in words: ``66048 bytes (64.5 KiB)``."""
    for unit, name in ((2**30, "GiB"), (2**20, "MiB"), (2**10, "KiB")):
        if size >= unit:
            return f"{size} bytes ({round(size / unit, 1):g} {name})"
    return f"{size} bytes"


def phrase(flags: IntFlag, nothing: str) -> str:
    """The bits as people read them: ``early fragment tests and late fragment tests``; ``nothing`` for none."""
    return " and ".join(word.replace("_", " ") for word in flag_words(flags)) or nothing


def owner_text(declaration: NodeDeclaration) -> str:
    """Who declared a node: the plugin, or whoever declares nodes without one."""
    return f"plugin `{declaration.plugin}`" if declaration.plugin else "the skeleton or the engine"


def some(words: Iterable[str], most: int = 6) -> str:
    """``a, b and 7 more``: at most ``most`` of the words."""
    items = list(words)
    if len(items) <= most:
        return ", ".join(items)
    return f"{', '.join(items[:most])} and {len(items) - most} more"
