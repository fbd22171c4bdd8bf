"""A report on one node of a plan, in words."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from renderwright.render.compiler.diagnostics.findings import RemovalReason
from renderwright.render.compiler.values.instances import NodeInstance
from renderwright.render.compiler.values.precedence import Edge, edges_of
from renderwright.render.compiler.values.uses import Use
from renderwright.render.graph.requests import EVERY_FRAME, ChainMember, NodeDeclaration, PipelineRequest, Verb
from renderwright.render.inspect.explain_memory import sharing_lines
from renderwright.render.inspect.explain_pass import pass_lines
from renderwright.render.inspect.explain_waits import waits_of_pass
from renderwright.render.inspect.need import why_needed
from renderwright.render.inspect.plan_index import PlanIndex
from renderwright.render.inspect.words import DOING, edge_reason, move_text, owner_text, some
from renderwright.render.types.parts import WHOLE, has_any, wrong_part
from renderwright.render.types.physical import TextureInfo

_MOST = 8
"""The most edges of one direction, and the most aliasing resources, that are listed."""


def node_lines(index: PlanIndex, name: str, waiting: Collection[str] = ()) -> Iterator[str]:
    """Explains a node of the frame with all of its instances, or a removed node; ``waiting`` as in ``explain``."""
    declaration = index.declarations.get(name)
    yield f"node `{name}`"
    if declaration is not None:
        yield f"  declared by {owner_text(declaration)} in {declaration.source}"
        yield from (f"  {line}" for line in _absent_orders(index, declaration))
    if name in index.removals:
        yield from _removed(index, name, declaration.plugin if declaration is not None else "", waiting)
    ids = index.instances.get(name, [])
    if not ids:
        return
    yield f"  in the frame: {why_needed(index, name)}"
    rate = index.nodes[index.numbers[ids[0]]].declaration.rate
    if rate != EVERY_FRAME:
        yield f"  runs {rate}; the rest is about frames in which all nodes run"
    apart = next((one for one in index.plan.graph.apart if one.node == name), None)
    if apart is not None:
        yield f"  could be drawn for several views at once, but is not ({apart.reason}): {apart.message}"
    drawn = next((one for one in index.plan.resolved.drawn if one.node == name), None)
    if drawn is not None:
        yield f"  draws full screen, and cannot be a compute shader: {drawn.reason}"
    elif any(pipeline.fullscreen and pipeline.kind == "compute" for pipeline in _pipelines(index, ids)):
        yield "  runs full screen as a compute shader"
    if len(ids) > 1:
        yield f"  {len(ids)} instances: {some(f'`{node}`' for node in ids)}"
    for node in ids:
        yield from (f"  {line}" for line in instance_lines(index, node, titled=len(ids) > 1))


def _absent_orders(index: PlanIndex, declaration: NodeDeclaration) -> Iterator[str]:
    """The nodes of its before/after that do not exist."""
    orders: list[NodeDeclaration | ChainMember] = [declaration, *declaration.chains]
    for what, others in (
        ("before", [other for order in orders for other in order.before]),
        ("after", [other for order in orders for other in order.after]),
    ):
        absent = [f"`{other}`" for other in sorted(set(others)) if other not in index.declarations]
        if absent:
            yield f"would run {what} {some(absent)}: not in the graph"


def _pipelines(index: PlanIndex, ids: Sequence[str]) -> Sequence[PipelineRequest]:
    """The pipelines of a node's instances, which all have the same."""
    return index.nodes[index.numbers[ids[0]]].declaration.pipelines


def _removed(index: PlanIndex, name: str, plugin: str, waiting: Collection[str]) -> Iterator[str]:
    removal = index.removals[name]
    waits = removal.reason is RemovalReason.BROKEN and plugin in waiting
    yield f"  not in the frame ({'waiting' if waits else removal.reason}): {removal.message}"
    if waits:
        yield f"  plugin `{plugin}` waits for things that a scene may have; this one has none, and nothing is wrong"
    if removal.where is not None:
        yield f"  requested in {removal.where}"
    for problem in index.plan.problems:
        if removal.message.endswith(problem.message):
            if problem.hint:
                yield f"  what to do: {problem.hint}"
            if problem.where:
                yield f"  places: {', '.join(str(place) for place in problem.where)}"


def instance_lines(index: PlanIndex, node: str, *, titled: bool) -> Iterator[str]:
    """Explains one instance: uses, position in the order, pass, barriers, state changes, memory of created resources.

    With ``titled``, the id is the first line and the others are indented.
    """
    number = index.numbers[node]
    instance = index.nodes[number]
    before = "  " if titled else ""
    if titled:
        yield f"`{node}`"
    for line in _instance(index, number, instance):
        yield before + line


def _instance(index: PlanIndex, number: int, instance: NodeInstance) -> Iterator[str]:
    if instance.views is not None:
        views = instance.views
        yield f"drawn once for the {views.count} instances of `{views.dimension}`, each to a layer of its own"
    for use in instance.uses:
        yield f"{DOING[use.request.verb]} {_use_text(use)}, asked for in {use.request.source}"
    yield from _place(index, number, instance)
    for use in instance.uses:
        for name in use.resources:
            info = index.placed[name].info
            if isinstance(info, TextureInfo) and not has_any(use.request.part, info.mips):
                lacks = wrong_part(use.request.part, info.mips, info.layers)
                yield f"does nothing at this size: `{name}` has {lacks}"
    yield from pass_lines(index, number)
    resources = {name for use in instance.uses for name in use.resources}
    waits = list(waits_of_pass(index, index.passes[number], resources))
    yield "waits, before its pass:" if waits else "waits for nothing before its pass"
    yield from (f"  {line}" for line in waits)
    for change in index.plan.pass_plan.changes:
        if change.node == number:
            yield f"switches state: {', '.join(f'{key}={value}' for key, value in change.changes)}"
    for use in instance.uses:
        for name in use.resources if use.request.verb is Verb.CREATE else ():
            lines = list(sharing_lines(index, name)) if index.placed[name].copies else []
            yield from (f"`{name}` {line}" for line in lines[:_MOST])
            if len(lines) > _MOST:
                yield f"`{name}` shares memory with {len(lines) - _MOST} more"


def _use_text(use: Use) -> str:
    """A use after its verb: the requested name, the resolved name, chain, new name, usage, part and notes."""
    request = use.request
    requested = request.name or f"the chain `{request.chain}`"
    words = f"`{use.name}`" if request.name in (use.name, "") else f"`{requested}`, which stands for `{use.name}`,"
    if request.chain:
        words += f" of the chain `{request.chain}`"
    if use.to:
        words += f" to `{use.to}`"
    if request.usage:
        words += f" as {request.usage}"
    if use.request.part != WHOLE:
        words += f", {use.request.part}"
    if use.reads_history:
        words += f" (the first frame gets: {request.first})"
    if not use.present:
        instead = _instead(request.otherwise)
        words += f" (absent; {instead})"
    return words


def _instead(value: object) -> str:
    if value is None:
        return "the request is optional"
    if isinstance(value, (int, float)):
        return f"shaders read {value:g} instead"
    return f"shaders read a {type(value).__name__} of the node's own instead"


def _place(index: PlanIndex, number: int, instance: NodeInstance) -> Iterator[str]:
    """The position, the positions that the edges allow, the edges, and the other nodes that were ready."""
    befores, afters = _edges_of(index, instance.id)
    first = index.numbers[befores[0].before] + 1 if befores else 0
    last = index.numbers[afters[0].after] - 1 if afters else len(index.nodes) - 1
    free = "the edges leave it no other place" if first == last else f"the edges leave it {first} to {last}"
    yield f"number {number} of {len(index.nodes)} in the order (from 0); {free}"
    for word, some_edges, other in (("after", befores, "before"), ("before", afters, "after")):
        for edge in some_edges[:_MOST]:
            yield f"  {word} `{getattr(edge, other)}`: {edge_reason(edge)}"
        if len(some_edges) > _MOST:
            yield f"  and {word} {len(some_edges) - _MOST} more"
    rivals = _rivals(index, number)
    policy = f"the order policy `{index.plan.graph.policy}`"
    preferred = index.plan.graph.preferred
    if preferred is not None:
        policy = "the search for less memory"
        yield from [f"  {move_text(move)}" for move in preferred.moves if move.node == instance.id]
    if rivals:
        yield f"  {policy} chose it; these could have run then as well: {some(f'`{name}`' for name in rivals)}"
    else:
        yield f"  nothing else could have run then, so {policy} had no choice"


def _edges_of(index: PlanIndex, node: str) -> tuple[list[Edge], list[Edge]]:
    """The edges into and out of a node, the nearest in the order first."""
    befores, afters = [], []
    for group in index.plan.graph.precedences:
        if node in group.afters:
            befores.append(group._replace(afters=(node,)))
        elif node in group.befores:
            afters.append(group._replace(befores=(node,)))
    return (
        sorted(edges_of(befores), key=lambda edge: -index.numbers[edge.before]),
        sorted(edges_of(afters), key=lambda edge: index.numbers[edge.after]),
    )


def _rivals(index: PlanIndex, number: int) -> list[str]:
    """The later nodes that were ready at the node's position: all of their predecessors come before it."""
    last_before: dict[str, int] = {}
    for group in index.plan.graph.precedences:
        last = max(index.numbers[before] for before in group.befores)
        for after in group.afters:
            last_before[after] = max(last_before.get(after, -1), last)
    return [node.id for node in index.nodes[number + 1 :] if last_before.get(node.id, -1) < number]
