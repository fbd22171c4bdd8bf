"""A plan does not depend on the order in which Python walks a set, which differs from process to process."""

from __future__ import annotations

import json
import os
import subprocess
import sys

from declare_helpers import create, graph, node, read
from feature_checks import compiled

from renderwright.render.compiler.values.options import CompileOptions
from renderwright.render.inspect.plan_json import plan_to_json
from renderwright.render.types.usages import Usage


def print_plan() -> None:
    """The plan of textures that differ in nothing but the set of their usages."""
    usages = (Usage.SAMPLED, Usage.STORAGE_READ, Usage.COPY_SRC)
    made = node("make", *(create(f"t{number}", usage=Usage.COLOR) for number in range(3)))
    used = node("use", *(read(f"t{number}", usage=usage) for number, usage in enumerate(usages)), sink=True)
    plan = compiled(graph(made, used), CompileOptions(unified_layouts=True))
    print(json.dumps(plan_to_json(plan)["resources"]))


def test_every_process_makes_the_same_plan() -> None:
    plans = set()
    for seed in range(3):
        environment = os.environ | {"PYTHONHASHSEED": str(seed), "PYTHONPATH": os.pathsep.join(sys.path)}
        code = "import test_hash_seeds; test_hash_seeds.print_plan()"
        ran = subprocess.run(
            [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True, timeout=60
        )
        plans.add(ran.stdout)
    assert ['"t2"' in plan for plan in plans] == [True]
