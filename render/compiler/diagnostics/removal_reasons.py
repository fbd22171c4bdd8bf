"""Why nodes are removed, in words."""

from __future__ import annotations

from collections.abc import Iterable

from renderwright.render.compiler.diagnostics.faults import quoted
from renderwright.render.compiler.diagnostics.findings import Removal, RemovalReason
from renderwright.render.graph.requests import NodeDeclaration, Request, Verb, is_source_of


def is_required(request: Request) -> bool:
    """Whether the node needs another node to create the resource."""
    return not request.optional and request.verb not in (Verb.CREATE, Verb.EXTERNAL)


def broken(node: str, request: Request, missing: str, removed_makers: Iterable[str], known: tuple[str, ...]) -> Removal:
    """The removal of a node whose ``request`` cannot be met, because nothing makes the ``missing`` name.

    The request's own name may be an alias of that, such as the output of a chain whose input is missing.
    ``removed_makers`` are the removed nodes that would have created the resource, or the chain's member that got it.
    ``known`` are candidates for a hint.
    """
    wanted = f"the result before it in chain `{request.chain}`" if request.chain else f"`{request.name}`"
    makers = list(removed_makers)
    member = next((maker for maker in makers if is_source_of(request.name, maker)), "")
    if member:
        why = f"it needs {wanted}, the input of `{member}`, which was removed"
    elif makers:
        why = f"it needs {wanted}, whose creator {quoted(makers)} was removed"
    else:
        alias = "" if request.chain or request.name == missing else f": it stands for `{missing}`"
        why = f"it needs {wanted}, which nobody creates{alias}"
    message = f"`{node}` removed: {why}"
    if makers:
        return Removal(node, RemovalReason.BROKEN, message, request.source)
    return Removal(node, RemovalReason.BROKEN, message, request.source, request.name and missing, known)


def replaced(removed: str, by: NodeDeclaration) -> Removal:
    """The removal of a node that another one replaces."""
    return Removal(removed, RemovalReason.REPLACED, f"`{removed}` removed: `{by.name}` replaces it", by.source)


def dangling(node: str, results: Iterable[str], readers: Iterable[str]) -> Removal:
    """The removal of a node whose results reach neither a side effect nor a sink."""
    names, others = list(results), list(readers)
    if not names:
        why = "it makes nothing and declares no side effects"
    elif others:
        why = f"{quoted(names)} {'is' if len(names) == 1 else 'are'} read only by {quoted(others)}, which nothing needs"
    else:
        why = f"nothing reads {' or '.join(f'`{name}`' for name in names)}"
    return Removal(node, RemovalReason.DANGLING, f"`{node}` removed: {why}")
