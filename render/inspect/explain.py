"""``explain``: everything that a plan knows about one name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from renderwright.render.compiler.values.plan import Plan
from renderwright.render.compiler.values.resolved import LogicalResource
from renderwright.render.errors import UsageError
from renderwright.render.inspect.explain_node import instance_lines, node_lines
from renderwright.render.inspect.explain_resource import missing_lines, resource_lines
from renderwright.render.inspect.plan_index import PlanIndex
from renderwright.render.suggest import did_you_mean


def explain(plan: Plan, name: str) -> str:
    """Why a node or a resource is as it is: declared where, in or out, place, waits, memory, loads and stores.

    ``name`` may be a node, a removed one as well, any name of a resource, a slot or another indirect name, or the id
    of an instance of either. A name that is both a node and a resource is explained as both. ``UsageError`` for a name
    that the plan knows nothing about.
    """
    index = PlanIndex(plan)
    sections = list(_sections(index, name))
    if not sections:
        raise UsageError(
            f'this graph has neither a node nor a resource "{name}"', hint=did_you_mean(name, _known_names(index))
        )
    return "\n\n".join("\n".join(section) for section in sections) + "\n"


def _sections(index: PlanIndex, name: str) -> Iterator[Iterable[str]]:
    if name in index.instances or name in index.removals:
        yield node_lines(index, name)
    elif name in index.numbers:
        yield [f"node `{name}`", *(f"  {line}" for line in instance_lines(index, name, titled=False))]
    logical = _logical(index, name)
    meant = dict(index.plan.resolved.aliases).get(name)
    if logical is not None:
        yield resource_lines(index, logical, name if name in index.resources else "")
    elif meant is not None:
        target = _logical(index, meant)
        lines = resource_lines(index, target) if target is not None else missing_lines(index, meant)
        yield [f"`{name}` stands for `{meant}`", *lines]
    elif name in _asked_names(index):
        yield missing_lines(index, name)


def _logical(index: PlanIndex, name: str) -> LogicalResource | None:
    """The resource with that name or that id of an instance."""
    if name in index.resources:
        return index.resources[name].resource
    return next((resource for resource in index.plan.resolved.resources if name in resource.names), None)


def _asked_names(index: PlanIndex) -> set[str]:
    """Every name of a resource in any declaration, of removed nodes as well."""
    requests = [request for node in index.declarations.values() for request in node.requests]
    return {name for request in requests for name in (request.name, request.to) if name}


def _known_names(index: PlanIndex) -> set[str]:
    names = {*index.instances, *index.removals, *index.numbers, *index.resources, *_asked_names(index)}
    names |= {name for resource in index.plan.resolved.resources for name in resource.names}
    return names | {alias for alias, _ in index.plan.resolved.aliases}
