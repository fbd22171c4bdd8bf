"""The tie break between nodes of equal score: the order of their declarations."""

from __future__ import annotations

from renderwright.render.compiler.values.instances import NodeInstance

TieBreak = tuple[bool, int, int, tuple[int, ...], str]


def tie_break(node: NodeInstance) -> TieBreak:
    """The node's sort key: executing nodes first, then larger priority, earlier declaration, smaller multiplexing index
    (as numbers), smaller id."""
    declaration = node.declaration
    index = tuple(number for _, number in node.index)
    return not declaration.executes, -declaration.priority, declaration.index, index, node.id
