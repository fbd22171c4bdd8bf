"""What poison may do and must do, node by node, on the circle of two frames: the plainest model."""

from __future__ import annotations

from collections.abc import Iterator

from renderwright.render.compiler.values.operations import BeginPassOp, EndPassOp, NodeOp
from renderwright.render.compiler.values.plan import Plan
from renderwright.render.runtime.checks.poison import Fill, Poison, PoisonOp, poisoned
from renderwright.render.types.physical import TextureInfo


def ending_copies(plan: Plan) -> list[tuple[str, int]]:
    """The copies whose lives end and that leave something."""
    count = len(plan.graph.nodes)
    return [
        (placed.id, number)
        for placed in plan.placement.resources
        for number, copy in enumerate(placed.copies)
        if copy.live_range[1] - copy.live_range[0] < 2 * count
        and not (isinstance(placed.info, TextureInfo) and placed.info.transient)
        and not (placed.id in plan.graph.sinks and copy.live_range[1] % count == 0)
    ]


def wrong_poison(plan: Plan, whole: Plan) -> Iterator[str]:
    """Fills that hit what lives, and lives that end without one, in two frames of the plan, a part of the whole."""
    count = len(whole.graph.nodes)
    numbers = {node.id: number for number, node in enumerate(whole.graph.nodes)}
    running = [numbers[node.id] for node in plan.graph.nodes]
    filled: dict[tuple[str, int], int] = {}
    for parity, ops in enumerate((plan.program.even, plan.program.odd)):
        done, left, in_pass = -1, list(running), False
        for op in poisoned(ops, plan, whole, parity, Poison.MIXED):
            in_pass = (in_pass or isinstance(op, BeginPassOp)) and not isinstance(op, EndPassOp)
            if isinstance(op, NodeOp):
                done = left.pop(0)
            if isinstance(op, PoisonOp):
                if in_pass:
                    yield f"a fill within a pass, behind node {done}"
                # Between two nodes that run: whatever is used by both sides is alive.
                before, after = parity * count + done, parity * count + (left[0] if left else count)
                for fill in op.fills:
                    yield from _hits(fill, before, after, whole, running, parity, filled)
    for copy in ending_copies(whole):
        if filled.get(copy, 0) < 1:
            yield f"{copy} ends and is not filled"


def _hits(
    fill: Fill,
    before: int,
    after: int,
    whole: Plan,
    running: list[int],
    parity: int,
    filled: dict[tuple[str, int], int],
) -> Iterator[str]:
    count = len(whole.graph.nodes)
    for placed in whole.placement.resources:
        for number, copy in enumerate(placed.copies):
            if copy.heap != fill.heap or copy.offset >= fill.end or fill.start >= copy.offset + placed.size:
                continue
            lives = {moment % (2 * count) for moment in range(*copy.live_range)}
            if (
                before % (2 * count) in lives
                and after % (2 * count) in lives
                and _spans(copy.live_range, before, after, count)
            ):
                yield f"{placed.id} ({number}) is filled between slots {before} and {after}"
            elif (copy.offset, copy.offset + placed.size) == (fill.start, fill.end):
                filled[placed.id, number] = filled.get((placed.id, number), 0) + 1


def _spans(live_range: tuple[int, int], before: int, after: int, count: int) -> bool:
    """Whether one turn of the live range goes from before the one moment to behind the other."""
    return any(live_range[0] + turn <= before and after < live_range[1] + turn for turn in (-2 * count, 0, 2 * count))
