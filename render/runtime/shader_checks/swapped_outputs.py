"""Finds outputs that have the names of one another's targets: locations are in another order than requests."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from renderwright.render.compiler.values.instances import NodeInstance
from renderwright.render.compiler.values.plan import Plan
from renderwright.render.compiler.values.uses import Use
from renderwright.render.graph.requests import last_part
from renderwright.render.runtime.failures import node_in_words
from renderwright.render.runtime.fullscreen import targets_of
from renderwright.render.runtime.shader_checks.unwritten_targets import Pipelines, UnwrittenTarget, fragments_of
from renderwright.render.shaders.declared import output_at
from renderwright.render.shaders.module import ShaderModule
from renderwright.render.shaders.outputs import outputs_of

_PREFIX = "out_"
"""What outputs are often named with."""


def swapped_outputs(plan: Plan, pipelines: Pipelines) -> Iterator[UnwrittenTarget | None]:
    """The outputs of plugins' shaders that have one another's names, those of a node once; None behind each shader,
    whose text may have to be read. ``where`` is the declaration of the first one, or else the request.

    One output with the name of another target may be a coincidence.
    """
    told: set[str] = set()
    for node in plan.graph.nodes:
        targets = targets_of(node) if node.declaration.plugin else ()
        if len(targets) < 2 or node.declaration.name in told:
            continue
        for module in fragments_of(node, pipelines):
            swapped = _swapped(module, targets)
            if swapped:
                told.add(node.declaration.name)
                yield _told(node, targets, swapped, module)
                break
            yield None


def _swapped(module: ShaderModule, targets: Sequence[Use]) -> Sequence[int]:
    """The locations of outputs with the names of one another's targets, in order."""
    locations = {last_part(target.request.name): location for location, target in enumerate(targets)}
    known = {location: output for location, output in outputs_of(module).items() if not output.may_be_another}
    outputs = {location: output.name.removeprefix(_PREFIX) for location, output in known.items()}
    meant = {location: locations[name] for location, name in outputs.items() if name in locations}
    wrong = {location: other for location, other in meant.items() if other != location}
    return [location for location in sorted(wrong) if wrong[location] in wrong]


def _told(node: NodeInstance, targets: Sequence[Use], swapped: Sequence[int], module: ShaderModule) -> UnwrittenTarget:
    declaration, outputs = node.declaration, outputs_of(module)
    requested = " and ".join(f"{targets[location].request.words} as color target {location}" for location in swapped)
    declared = " and ".join(f"`{outputs[location].name}` at location {location}" for location in swapped)
    place = output_at(module.file, swapped[0], module.included)
    return UnwrittenTarget(
        node,
        f"{node_in_words(declaration.name, declaration.plugin)} requests {requested}, but `{Path(module.file).name}` "
        f"declares {declared}",
        "locations count from 0, in the order of the requests with .color(): change one order, or rename the outputs",
        place if place.line else targets[swapped[0]].request.source,
    )
