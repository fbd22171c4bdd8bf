"""Logical resources: one for each creation, with all names that renames give it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from renderwright.render.compiler.resolve.aliases import Aliases
from renderwright.render.compiler.resolve.origins import Origins
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
    roots = sorted(name for name, root in origins.roots.items() if root == name)
    descriptions = _descriptions(roots, origins, aliases)
    for root in roots:
        creation = origins.creations[root][0]
        desc = descriptions[root]
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


def _descriptions(roots: Iterable[str], origins: Origins, aliases: Aliases) -> dict[str, ResourceDesc | None]:
    """The description of each root, None if it is unknown.

    A chain member's result that declares none has that of its source, with a single mip.
    """
    descriptions: dict[str, ResourceDesc | None] = {"": None}
    for start in roots:
        results = []
        root = start
        while root not in descriptions:
            creation = origins.creations[root][0]
            descriptions[root] = creation.request.desc  # None is found again if the sources form a loop
            if descriptions[root] is None:
                results.append(root)
                source = aliases.chains.inputs.get((creation.node.name, creation.request.chain), "")
                root = origins.roots.get(aliases.target(source), "")
        for result in results:
            descriptions[result] = _single_mip(descriptions[root])
    return descriptions


def _single_mip(desc: ResourceDesc | None) -> ResourceDesc | None:
    return replace(desc, mips=1) if isinstance(desc, Texture) and desc.mips > 1 else desc
