"""``explain``: a report on one name of a plan."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from renderwright.render.compiler.values.plan import Plan
from renderwright.render.compiler.values.resolved import LogicalResource
from renderwright.render.errors import UsageError
from renderwright.render.inspect.explain_node import instance_lines, node_lines
from renderwright.render.inspect.explain_resource import missing_lines, resource_lines
from renderwright.render.inspect.plan_index import PlanIndex
from renderwright.render.suggest import did_you_mean


def explain(plan: Plan, name: str, waiting: Collection[str] = ()) -> str:
    """Explains a node or a resource: declaration, culling, position, barriers, memory, loads and stores.

    ``name`` may be a node (also a removed one), any name of a resource, a slot or another indirect name, or the id of
    an instance of either. A name that is both a node and a resource is explained as both. Nodes of plugins that are
    ``waiting`` may lack what they request. ``UsageError`` for an unknown name.
    """
    index = PlanIndex(plan)
    sections = list(_sections(index, name, waiting))
    if not sections:
        raise UsageError(
            f'this graph has neither a node nor a resource "{name}"', hint=did_you_mean(name, _known_names(index))
        )
    return "\n\n".join("\n".join(section) for section in sections) + "\n"


def _sections(index: PlanIndex, name: str, waiting: Collection[str]) -> Iterator[Iterable[str]]:
    if name in index.instances or name in index.removals:
        yield node_lines(index, name, waiting)
    elif name in index.numbers:
        yield [f"node `{name}`", *(f"  {line}" for line in instance_lines(index, name, titled=False))]
    logical = _logical(index, name)
    alias_target = dict(index.plan.resolved.aliases).get(name)
    if logical is not None:
        yield resource_lines(index, logical, name if name in index.resources else "")
    elif alias_target is not None:
        target = _logical(index, alias_target)
        lines = resource_lines(index, target) if target is not None else missing_lines(index, alias_target)
        yield [f"`{name}` stands for `{alias_target}`", *lines]
    elif name in _requested_names(index):
        yield missing_lines(index, name)


def _logical(index: PlanIndex, name: str) -> LogicalResource | None:
    """The resource with this name or with an instance of this id."""
    if name in index.resources:
        return index.resources[name].resource
    return next((resource for resource in index.plan.resolved.resources if name in resource.names), None)


def _requested_names(index: PlanIndex) -> set[str]:
    """All resource names in all declarations, including those of removed nodes."""
    requests = [request for node in index.declarations.values() for request in node.requests]
    return {name for request in requests for name in (request.name, request.to) if name}


def _known_names(index: PlanIndex) -> set[str]:
    """All names that a hint may offer. What is only requested is no such name: it may be mistyped itself."""
    names = {*index.instances, *index.removals, *index.numbers, *index.resources}
    names |= {request.creates for node in index.declarations.values() for request in node.requests if request.creates}
    names |= {name for resource in index.plan.resolved.resources for name in resource.names}
    return names | {alias for alias, _ in index.plan.resolved.aliases}
