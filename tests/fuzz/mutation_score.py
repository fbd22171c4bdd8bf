"""How many barriers of random plans could be missing without a word of the oracle.

Each barrier, event, wait and hand-over of memory of a plan is dropped or weakened in turn, at most so many of a plan,
drawn at random. A mutant that the oracle finds nothing wrong with is a survivor: a barrier that need not be there, or
a gap in the oracle. docs/oracle.md has the score, and what the survivors are.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from collections.abc import Iterator
from itertools import count, islice

import paths  # noqa: F401  (finds the others)
from feature_checks import compiled
from feature_graphs import feature_graph
from plan_mutants import mutants
from test_queue_stage import random_plans

from renderwright.render.compiler.values.options import CompileOptions
from renderwright.render.compiler.values.plan import Plan
from renderwright.render.graph.requests import EVERY_FRAME
from renderwright.render.inspect.plan_stream import judge
from renderwright.render.memory.policy import PackPolicy

ORDERS = ("balanced", "memory", "overlap", "declared")
FRAMES = 5


def plans(start: int, *, several: bool, unified: bool) -> Iterator[Plan]:
    """Random plans of nodes that run in every frame, on several queues or all of them on one, with some barriers."""
    for seed in count(start):
        if several:
            ((_, plan),) = random_plans(range(seed, seed + 1), unified=unified)
        else:
            rng = random.Random(seed)
            packing = PackPolicy.BALANCED if unified else PackPolicy.FAST
            options = CompileOptions(
                rng.choice(ORDERS), rng.random() < 0.8, packing=packing, split_above=0.0, unified_layouts=unified
            )
            plan = compiled(feature_graph(seed, rng.randint(4, 24)), options)
        lasting = all(node.declaration.rate == EVERY_FRAME for node in plan.graph.nodes)
        if lasting and plan.queues.several == several and next(mutants(plan), None):
            yield plan


def main() -> None:
    """Count, and print the survivors and the score."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--plans", type=int, default=100)
    parser.add_argument("--mutants", type=int, default=80, help="at most so many of each plan")
    parser.add_argument("--start", type=int, default=0, help="the first seed")
    parser.add_argument("--queues", action="store_true", help="plans on several queues")
    parser.add_argument("--unified-layouts", action="store_true", help="textures in the general layout")
    asked = parser.parse_args()
    tried = 0
    survivors: Counter[str] = Counter()
    chosen = plans(asked.start, several=asked.queues, unified=asked.unified_layouts)
    for number, plan in enumerate(islice(chosen, asked.plans)):
        assert not judge([plan] * FRAMES).findings, "the plan itself is not sound"
        weaker = list(mutants(plan))
        for what, mutant in random.Random(number).sample(weaker, min(asked.mutants, len(weaker))):
            tried += 1
            if not judge([mutant] * FRAMES).findings:
                survivors[what.split("(", maxsplit=1)[0]] += 1
                print(f"plan {number}: {what}", flush=True)
    missed = survivors.total()
    print(f"{asked.plans} plans, {tried} mutants, {missed} survivors, {100 * (1 - missed / tried):.2f} % objected to")
    for kind, times in survivors.most_common():
        print(f"{times:6} {kind}")


if __name__ == "__main__":
    main()
