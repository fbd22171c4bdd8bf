"""The queue plan of a frame in which some nodes are skipped."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import replace
from typing import TypeVar

from renderwright.render.compiler.values.queue_plan import CrossFrameWork, QueuePlan
from renderwright.render.sync.queues import GRAPHICS

T = TypeVar("T")


def without_skipped(plan: QueuePlan, runs: Sequence[bool], silent: Set[int] = frozenset()) -> QueuePlan:
    """The plan of a frame in which only some nodes run (``runs``, by number).

    Whatever waits for a skipped node waits for its waits instead, and for the node before it on its queue. What a
    skipped node waits for, the next node of its queue waits for. ``silent`` nodes record nothing: they stand inside
    passes of any queue, so they neither wait nor are waited for.
    """
    if all(runs):
        return plan

    def running(values: Sequence[T]) -> tuple[T, ...]:
        return tuple([value for value, stays in zip(values, runs, strict=True) if stays])

    numbers = {node: number for number, node in enumerate(running(range(len(runs))))}
    return replace(
        plan,
        queues=running(plan.queues),
        waits=running(_waits(plan, runs, silent, numbers)),
        execution_intervals=running(plan.execution_intervals),
        reasons=running(plan.reasons),
        cross_frame_work=tuple([_renumbered(work, plan.queues, numbers, silent) for work in plan.cross_frame_work]),
    )


def _waits(
    plan: QueuePlan, runs: Sequence[bool], silent: Set[int], numbers: Mapping[int, int]
) -> list[tuple[int, ...]]:
    """The waits of each node; those of a skipped or silent one are empty."""
    substitutes: list[set[int]] = []  # for each node, the nodes to wait for instead
    inherited: dict[str, set[int]] = {}  # by queue, what its next node waits for besides its own waits
    last: dict[str, int] = {}  # by queue, the last node that can be waited for
    waits: list[tuple[int, ...]] = []
    for node, queue in enumerate(plan.queues):
        needed = inherited.pop(queue, set()).union(*[substitutes[other] for other in plan.waits[node]])
        if runs[node] and node not in silent:
            waits.append(tuple(sorted([numbers[other] for other in needed if plan.queues[other] != queue])))
            substitutes.append({node})
            last[queue] = node
        else:
            waits.append(())
            substitutes.append(needed | ({last[queue]} if queue in last else set()))
            inherited[queue] = needed
    return waits


def _renumbered(
    work: CrossFrameWork, queues: Sequence[str], numbers: Mapping[int, int], silent: Set[int]
) -> CrossFrameWork:
    """The cross-frame work, which runs in every frame, by the ``numbers`` of the nodes that run.

    If its wait point is skipped, the next node on the graphics queue waits instead.
    """
    behind = [node for node in range(work.wait_point, len(queues)) if node in numbers and node not in silent]
    wait_point = next((numbers[node] for node in behind if queues[node] == GRAPHICS), len(numbers))
    return replace(work, nodes=tuple([numbers[node] for node in work.nodes]), wait_point=wait_point)
