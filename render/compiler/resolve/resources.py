"""Logical resources: one for each creation, with all names that renames give it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from renderwright.render.compiler.resolve.aliases import Aliases
from renderwright.render.compiler.resolve.origins import Origin, Origins
from renderwright.render.compiler.values.resolved import LogicalResource
from renderwright.render.graph.requests import Verb
from renderwright.render.types.resources import ResourceDesc, Texture


def logical_resources(
    origins: Origins, modes: Mapping[str, frozenset[str]], aliases: Aliases
) -> dict[str, LogicalResource]:
    """Logical resources by root, in order of root; ``modes`` are those of the nodes.

    A creation whose description is unknown gives none.
    """
    resources = {}
    for root in sorted(name for name, root in origins.roots.items() if root == name):
        creation = origins.creations[root][0]
        desc = creation.request.desc or _inherited_description(creation, origins, aliases)
        if desc is not None:
            resources[root] = LogicalResource(
                root,
                _names(root, origins),
                desc,
                creation.node.name,
                creation.request.verb is Verb.EXTERNAL,
                creation.request.clear,
                modes[creation.node.name],
                creation.request.source,
            )
    return resources


def _names(root: str, origins: Origins) -> tuple[str, ...]:
    """The root and the names that it is renamed to, one after the other."""
    names = [root]
    while names[-1] in origins.renames:
        to = origins.renames[names[-1]][0].to
        if to in names or origins.creations[to][0].name != names[-1]:
            break
        names.append(to)
    return tuple(names)


def _inherited_description(creation: Origin, origins: Origins, aliases: Aliases) -> ResourceDesc | None:
    """The description of a chain member's result that declares none: that of its source, with a single mip."""
    visited: set[str] = set()
    while creation.request.desc is None:
        source = aliases.chains.inputs.get((creation.node.name, creation.request.chain), "")
        root = origins.roots.get(aliases.target(source), "")
        if not root or root in visited:
            return None
        visited.add(root)
        creation = origins.creations[root][0]
    desc = creation.request.desc
    return replace(desc, mips=1) if isinstance(desc, Texture) and desc.mips > 1 else desc
