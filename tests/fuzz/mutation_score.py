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
from contextlib import closing
from itertools import count, islice, product

import paths  # noqa: F401  (finds the others)
from feature_checks import compiled
from feature_graphs import feature_graph
from plan_mutants import mutants
from test_queue_stage import random_plans

from renderwright.engine.options import PluginChoice
from renderwright.engine.plugins.discovery import find_plugins
from renderwright.engine.precompile.game_of_everything import game_of_everything
from renderwright.engine.session import Session
from renderwright.engine.skeleton import shipped_skeletons
from renderwright.render.backend.null.backend import NullBackend
from renderwright.render.compiler.values.options import CompileOptions
from renderwright.render.compiler.values.plan import Plan
from renderwright.render.graph.requests import EVERY_FRAME
from renderwright.render.inspect.plan_stream import judge
from renderwright.render.memory.policy import PackPolicy
from renderwright.render.sync.queues import ALL_QUEUES, GRAPHICS

EXTENT = (256, 144)
PLAYERS = 2
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


def plans_of_skeletons(*, several: bool, unified: bool) -> Iterator[Plan]:
    """Plans of the shipped skeletons with a scene that needs all of the engine's nodes, without and with effects."""
    queues = ALL_QUEUES if several else (GRAPHICS,)
    options = CompileOptions(queues=queues, split_above=0.0, unified_layouts=unified)
    names = [plugin.name for plugin in find_plugins() if plugin.name != "ssaa"]
    for skeleton, environment, effects in product(shipped_skeletons(), (False, True), ((), names)):
        game = game_of_everything(skeleton, environment=environment)
        choice = PluginChoice(enable=tuple(effects))
        backend = NullBackend(queues=queues)
        session = Session(game, backend, EXTENT, choice=choice, players=PLAYERS, options=options)
        with closing(session), closing(backend.create_target(EXTENT)) as target:
            for _ in range(2):
                session.step()
                session.prepare(target)
                session.plugins.end_frame(rendered=False)
            yield session.runtime.plan


def main() -> None:
    """Count, and print the survivors and the score."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--plans", type=int, default=100)
    parser.add_argument("--mutants", type=int, default=80, help="at most so many of each plan")
    parser.add_argument("--start", type=int, default=0, help="the first seed")
    parser.add_argument("--queues", action="store_true", help="plans on several queues")
    parser.add_argument("--unified-layouts", action="store_true", help="textures in the general layout")
    parser.add_argument("--skeletons", action="store_true", help="plans of shipped skeletons, not random ones")
    asked = parser.parse_args()
    tried = 0
    survivors: Counter[str] = Counter()
    layouts_and_queues = {"several": asked.queues, "unified": asked.unified_layouts}
    chosen = plans_of_skeletons(**layouts_and_queues) if asked.skeletons else plans(asked.start, **layouts_and_queues)
    number = -1
    for number, plan in enumerate(islice(chosen, asked.plans)):
        assert not judge([plan] * FRAMES).findings, "the plan itself is not sound"
        weaker = list(mutants(plan))
        for what, mutant in random.Random(number).sample(weaker, min(asked.mutants, len(weaker))):
            tried += 1
            if not judge([mutant] * FRAMES).findings:
                survivors[what.split("(", maxsplit=1)[0]] += 1
                print(f"plan {number}: {what}", flush=True)
    missed = survivors.total()
    print(f"{number + 1} plans, {tried} mutants, {missed} survivors, {100 * (1 - missed / tried):.2f} % objected to")
    for kind, times in survivors.most_common():
        print(f"{times:6} {kind}")


if __name__ == "__main__":
    main()
