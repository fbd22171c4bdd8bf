"""Compiles a plan for inspection, of a game or of a skeleton file by itself."""

from __future__ import annotations

from engine.options import PlanOptions
from engine.skeleton import find_skeleton, load_skeleton, to_snapshot
from render.compiler.pipeline import compile_snapshot
from render.compiler.plan import Plan
from render.compiler.snapshot import CompileOptions, ResolutionRule, SizeInputs
from render.errors import UsageError
from render.memory.needs import RowMajorModel

YAML_SUFFIXES = (".yaml", ".yml")


def plan_of(options: PlanOptions) -> Plan:
    """The plan of a game, or of a skeleton if the source is a YAML file; needs no GPU.

    Sizes in memory follow ``RowMajorModel``.
    """
    if options.source.endswith(YAML_SUFFIXES):
        return _plan_of_skeleton(options)
    from engine import app

    return app.plan_of(options)


def _plan_of_skeleton(options: PlanOptions) -> Plan:
    choice = options.plugins
    if choice.enable or choice.disable or choice.settings:
        raise UsageError(
            "a skeleton by itself has no plugins", hint="leave --enable, --disable and --set out, or give a game"
        )
    fixed = {"output": options.size, **dict(options.resolutions)}
    skeleton = load_skeleton(find_skeleton(options.source))
    rules = {rule.name: rule for rule in skeleton.resolutions}
    rules |= {name: ResolutionRule(name, size=size) for name, size in fixed.items()}
    return compile_snapshot(
        to_snapshot(skeleton, dict(options.counts)),
        SizeInputs(resolutions=tuple(rules.values())),
        CompileOptions(order=options.order),
        RowMajorModel(),
    )
