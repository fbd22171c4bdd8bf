"""A plan as a picture: Graphviz DOT and Mermaid."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from renderwright.render.compiler.values.passes import Pass
from renderwright.render.compiler.values.plan import Plan
from renderwright.render.inspect.words import edge_reason


def plan_to_dot(plan: Plan) -> str:
    """The nodes in DOT: a box for each render pass, edges with their reasons, removed nodes dashed."""
    lines = ["digraph plan {", "  rankdir=LR;", '  node [shape=box, style=filled, fillcolor="#dde8f5"];']
    numbers = _numbers(plan)
    for number, item in enumerate(plan.pass_plan.passes):
        inner = [f'n{index} [label="{_dot(node)}"];' for index, node in _members(plan, item)]
        if item.attachments:
            label = _dot(_pass_label(number, plan))
            lines += [f"  subgraph cluster_{number} {{", f'    label="{label}";']
            lines += [f"    {line}" for line in inner] + ["  }"]
        else:
            lines += [f"  {line}" for line in inner]
    for before, after, label in _edges(plan, numbers):
        lines.append(f'  n{before} -> n{after} [label="{_dot(label)}"];')
    for number, removal in enumerate(plan.removed):
        label = _dot(f"{removal.node}\n{removal.reason}")
        tooltip = _dot(removal.message)
        lines.append(f'  r{number} [label="{label}", tooltip="{tooltip}", style=dashed, fontcolor=gray];')
    return "\n".join([*lines, "}"]) + "\n"


def plan_to_mermaid(plan: Plan) -> str:
    """The same picture as a Mermaid flow chart."""
    lines = ["flowchart LR"]
    numbers = _numbers(plan)
    for number, item in enumerate(plan.pass_plan.passes):
        inner = [f'n{index}["{_mermaid(node)}"]' for index, node in _members(plan, item)]
        if item.attachments:
            label = _mermaid(_pass_label(number, plan))
            lines += [f'  subgraph p{number}["{label}"]', *(f"    {line}" for line in inner), "  end"]
        else:
            lines += [f"  {line}" for line in inner]
    lines += [f'  n{before} -->|"{_mermaid(label)}"| n{after}' for before, after, label in _edges(plan, numbers)]
    for number, removal in enumerate(plan.removed):
        lines.append(f'  r{number}["{_mermaid(f"{removal.node}: {removal.reason}")}"]:::removed')
    if plan.removed:
        lines.append("  classDef removed stroke-dasharray: 4 4, color: gray")
    return "\n".join(lines) + "\n"


def _numbers(plan: Plan) -> Mapping[str, int]:
    return {node.id: number for number, node in enumerate(plan.graph.nodes)}


def _members(plan: Plan, item: Pass) -> Iterable[tuple[int, str]]:
    for index in range(item.first, item.last + 1):
        yield index, plan.graph.nodes[index].id


def _pass_label(number: int, plan: Plan) -> str:
    extent = plan.extents[number]
    size = f" {extent[0]}x{extent[1]}" if extent else ""
    views = plan.pass_plan.passes[number].views
    return f"pass {number}{size}" + (f", {views} views at once" if views > 1 else "")


def _edges(plan: Plan, numbers: Mapping[str, int]) -> Iterable[tuple[int, int, str]]:
    """One arrow for each pair of nodes, with all reasons."""
    reasons: dict[tuple[int, int], list[str]] = {}
    for edge in plan.graph.edges:
        if edge.before in numbers and edge.after in numbers:
            pair = numbers[edge.before], numbers[edge.after]
            reasons.setdefault(pair, []).append(edge.resource or edge_reason(edge))
    for (before, after), words in sorted(reasons.items()):
        yield before, after, ", ".join(dict.fromkeys(words))


def _dot(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


def _mermaid(text: str) -> str:
    text = " ".join(text.split())
    return text.replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;").replace(">", "&gt;")
