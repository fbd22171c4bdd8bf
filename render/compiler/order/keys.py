"""The last resort of every tie between nodes."""

from __future__ import annotations

from renderwright.render.compiler.values.instances import NodeInstance

Key = tuple[bool, int, int, tuple[int, ...], str]


def declared_key(node: NodeInstance) -> Key:
    """Smaller comes first: nodes that execute, larger priority, earlier declaration, smaller index, smaller name."""
    declaration = node.declaration
    return (
        not declaration.executes,
        -declaration.priority,
        declaration.index,
        tuple(number for _, number in node.index),
        node.id,
    )
