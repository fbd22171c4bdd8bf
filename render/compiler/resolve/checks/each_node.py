"""Whether the nodes of a draft are without fault by themselves, which can be told of all of them at once."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import repeat

from renderwright.render.compiler.resolve.checks.kinds import kind_faults
from renderwright.render.compiler.resolve.checks.modes import mode_faults
from renderwright.render.compiler.resolve.checks.names import name_faults
from renderwright.render.compiler.resolve.checks.requests import request_faults
from renderwright.render.compiler.resolve.draft import Draft
from renderwright.render.compiler.resolve.names import Indirections
from renderwright.render.compiler.values.resolved import BoundNode, LogicalResource
from renderwright.render.graph.requests import Verb
from renderwright.render.incremental.lineup import Lookup


def all_faultless(draft: Draft) -> bool:
    """Whether no check that looks at one node and what it uses would find anything."""
    each = draft.parts.of(_faultless)
    used = Lookup(draft.resources, [node.roots for node in draft.nodes])
    return all(each.all(draft.names, draft.nodes, used, repeat(draft.words)))


def _faultless(node: BoundNode, used: Sequence[LogicalResource | None], words: Indirections) -> bool:
    described = all(
        resource is not None or bound.request.verb not in (Verb.CREATE, Verb.EXTERNAL)
        for bound, resource in zip(node.requests, used, strict=True)
    )
    return described and not (
        name_faults(node.declaration)
        or request_faults(node, words)
        or any(kind_faults(node, used))
        or mode_faults(node, used)
    )
