"""Plan values in words, shared by all reports."""

from __future__ import annotations

from enum import IntFlag

from render.compiler.stages import Attachment, Barrier, Copy, Edge
from render.graph.requests import ClearValue
from render.sync.flags import Layout

COPY_NAMES = ("even", "odd")
"""The two copies of a resource, which are also the two kinds of frames."""


def flag_words(flags: IntFlag) -> list[str]:
    """The names of the bits that are set, lowest first; empty for none."""
    return [flag.name.lower() for flag in flags if flag.name]


def flags_text(flags: IntFlag) -> str:
    """The bits as ``early_fragment_tests|late_fragment_tests``, or ``none``."""
    return "|".join(flag_words(flags)) or "none"


def layout_word(layout: Layout) -> str:
    """A layout's name in lower case."""
    return layout.name.lower()


def barrier_text(barrier: Barrier) -> str:
    """One barrier on one line, without its reason."""
    text = (
        f"{barrier.resource} {COPY_NAMES[barrier.copy]}: "
        f"{flags_text(barrier.src_stages)} ({flags_text(barrier.src_access)}) -> "
        f"{flags_text(barrier.dst_stages)} ({flags_text(barrier.dst_access)})"
    )
    if barrier.old_layout is barrier.new_layout:
        return text
    return f"{text}, {layout_word(barrier.old_layout)} -> {layout_word(barrier.new_layout)}"


def attachment_text(attachment: Attachment) -> str:
    """An attachment with what happens to it when its pass begins and ends."""
    load = attachment.load.value
    if load == "clear":
        load = f"clear {clear_text(attachment.clear)}"
    return f"{attachment.resource} {attachment.usage} {load} -> {attachment.store}"


def clear_text(value: ClearValue) -> str:
    """A clear value as ``(0, 0, 0, 1)``."""
    return f"({', '.join(f'{part:g}' for part in value)})"


def edge_reason(edge: Edge) -> str:
    """Why one node runs before another: the rule, and the resource where one is the cause."""
    return f"{edge.reason.value}: {edge.resource}" if edge.resource else edge.reason.value


def copy_text(copy: Copy) -> str:
    """Where a copy lies, and the slots in which it lives."""
    start, end = copy.arc
    return f"heap {copy.heap} + {copy.offset} [{start}, {end})"
