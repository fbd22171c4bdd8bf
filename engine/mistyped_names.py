"""Finds nodes that a plan lacks because their plugin mistypes one of its own names, and orders without effect.

Plugins may have nodes for what only some skeletons and scenes have, so most names that nobody creates mean nothing.
These do: a name of the plugin's own namespace that is like another one of it, a node that is no member of a chain, and
a name that no shipped skeleton has and that differs by a letter from one of the frame, or is very much like it.
Optional requests remove no node: they are looked at by themselves.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from renderwright.engine.plugins.discovery import find_plugins
from renderwright.engine.skeleton import loaded_skeletons
from renderwright.render.compiler.diagnostics.findings import Removal, RemovalReason
from renderwright.render.compiler.values.plan import Plan
from renderwright.render.errors import SourceLocation
from renderwright.render.graph.requests import NodeDeclaration, chain_source_name, last_part
from renderwright.render.suggest import did_you_mean, near_words, one_letter_apart, slipped

_ALIKE = 0.75
"""The least ratio of difflib of two names that are near, that of the compiler's near misses."""
_ALIKE_NODES = 0.85
"""The least ratio of two names of nodes: a frame may lack the one that is named, and have the other one."""

_ALIKE_NAMESPACES = 0.85
"""The least ratio of two namespaces that have the same name: a frame may lack the plugin that is named."""

_ALIKE_ELSEWHERE = 0.93
"""The least ratio of two names of resources of any plugins, such as a letter too many or too few."""


@dataclass(frozen=True)
class MistypedName:
    """A removed ``node`` of a plugin, why in words, and its request."""

    plugin: str
    node: str
    why: str
    where: SourceLocation | None


def mistyped_names(plan: Plan) -> Iterator[MistypedName]:
    """Each node that is removed because of a mistyped name, once."""
    declared = (*plan.resolved.left_out, *(node.declaration for node in plan.resolved.nodes))
    nodes = {node.name: node for node in declared}
    plugins: dict[str, _PluginNames] = {}
    found: dict[str, MistypedName] = {}
    for removal in plan.removed:
        node = nodes.get(removal.node.partition("@")[0])
        if node is None or not node.plugin or not removal.missing or removal.reason is not RemovalReason.BROKEN:
            continue
        if node.plugin not in plugins:
            plugins[node.plugin] = _names_of(node.plugin, declared)
        own = plugins[node.plugin]
        why = _unknown_member(removal, node, own.nodes, plan.resolved.chains)
        if not why and (hint := _hint_on(removal, own, plan)):
            why = f"it needs `{removal.missing}`, which nobody creates; {hint}"
        if why:
            found.setdefault(node.name, MistypedName(node.plugin, node.name, why, removal.where))
    yield from found.values()


def _hint_on(removal: Removal, own: _PluginNames, plan: Plan) -> str:
    """What is meant by a name that nobody creates, in words; '' if nothing is like it."""
    missing = removal.missing
    if meant := _near_miss(missing, own):
        return f"did you mean `{meant}`?"
    if meant := _near_elsewhere(missing, removal.known):
        return created_by_another(plan, own.plugin, missing) or f"did you mean `{meant}`?"
    beside = _created_beside(missing, own)
    return f"did you mean {beside}?" if beside else ""


@dataclass(frozen=True)
class _PluginNames:
    """The nodes of a plugin, and what they create: each name without a leading slash, with its first creator."""

    plugin: str
    nodes: Sequence[NodeDeclaration]
    created: Mapping[str, str]


def _names_of(plugin: str, declared: Iterable[NodeDeclaration]) -> _PluginNames:
    nodes = [node for node in declared if node.plugin == plugin]
    created: dict[str, str] = {}
    for node in nodes:
        for request in node.requests:
            if name := request.creates.removeprefix("/"):
                created.setdefault(name, node.name)
    return _PluginNames(plugin, nodes, created)


def mistyped_optionals(plan: Plan) -> Iterator[MistypedName | None]:
    """Each optional request of a plugin's node for a name that nobody creates and that is like one of the frame, once
    whatever the node's instances are. None behind each name that has been compared with all others."""
    absent = {
        (node.declaration.name, use.name): (node.declaration, use)
        for node in plan.graph.nodes
        for use in (node.uses if node.declaration.plugin else ())
        if use.request.optional and not use.present
    }
    if not absent:
        return
    created = {name for item in plan.graph.resources for name in item.resource.names}
    known = tuple(sorted(created | {alias for alias, _ in plan.resolved.aliases}))
    meant: dict[tuple[str, str], str] = {}
    for (name, wanted), (node, use) in absent.items():
        key = node.plugin, wanted
        if key not in meant:
            meant[key] = _meant(*key, known)
            yield None
        if near := meant[key]:
            why = f"requests `{use.request.name}` as optional, which nobody creates; did you mean `{near}`?"
            yield MistypedName(node.plugin, name, why, use.request.source)


def _meant(plugin: str, wanted: str, known: Sequence[str]) -> str:
    """The one of the ``known`` names that a plugin means, within its namespace or not; '' if none is near."""
    by_short = {name.removeprefix(f"{plugin}/"): name for name in known}
    short = _near_elsewhere(wanted.removeprefix(f"{plugin}/"), tuple(by_short), required=False)
    return by_short.get(short, "")


def created_by_another(plan: Plan, plugin: str, missing: str) -> str:
    """What another plugin creates by the short name that a plugin misses, in words; '' if none does."""
    short = missing.removeprefix(f"{plugin}/")
    for node in (each.declaration for each in plan.graph.nodes):
        for name in (request.creates for request in node.requests):
            if "/" not in short and node.plugin != plugin and name == f"{node.plugin}/{short}":
                return f'the plugin "{node.plugin}" creates `{name}`, which has to be requested by its full name'
    return ""


def mistyped_orders(plan: Plan) -> Iterator[MistypedName]:
    """Each "before", "after" and "replaces" of a plugin's node, also in a chain, with a name that no node has and that
    is like one of its namespace.

    They may be meant for another skeleton, or for a plugin that is not there, so that few names count. A node that
    names two namespaces means both.
    """
    names = {node.name for node in (*plan.resolved.left_out, *(one.declaration for one in plan.resolved.nodes))}
    for node in (one.declaration for one in plan.resolved.nodes):
        if not node.plugin:
            continue
        before = {*node.before, *(name for member in node.chains for name in member.before)}
        after = {*node.after, *(name for member in node.chains for name in member.after)}
        named = {*before, *after, *node.replaces}
        for other in sorted(named - names):
            replaces = other in node.replaces
            near = _meant_node(node, other, names - {node.name}, full_names=replaces)
            means_both = near in named and near.rpartition("/")[0] != other.rpartition("/")[0] != ""
            if near and not means_both and other not in _nodes_of_skeletons():
                what = "replace" if replaces else "run before" if other in before else "run after"
                why = f"is declared to {what} `{other}`, which is no node; did you mean `{near}`?"
                yield MistypedName(node.plugin, node.name, why, node.ordered_at(other))


def _meant_node(node: NodeDeclaration, other: str, names: Collection[str], *, full_names: bool) -> str:
    """The node that is meant by a name that none has; '' if there is none. Orders take short names of the own namespace
    as well."""
    own = f"{node.name.rpartition('/')[0]}/{other}"
    if own in names:
        return own if full_names else ""
    return _near_node(other, names) or _in_near_namespace(other, names) or _near_node(own, names)


def _near_node(wanted: str, names: Iterable[str]) -> str:
    """The node of the same namespace that is most alike, but for digits; '' if none is near."""
    namespace = wanted.rpartition("/")[0]
    known = [name for name in names if name.rpartition("/")[0] == namespace]
    others = [name for name in known if _without_digits(name) != _without_digits(wanted)]
    return next(iter(near_words(wanted, others, cutoff=_ALIKE_NODES)), "")


def _in_near_namespace(wanted: str, names: Collection[str]) -> str:
    """The name with the same last part in a namespace that is like the one of ``wanted``, which has no names itself; ''
    if there is none. The namespace of an installed plugin is no mistake."""
    namespace, _, last = wanted.rpartition("/")
    namespaces = {name.rpartition("/")[0] for name in names}
    if not namespace or namespace in namespaces:
        return ""
    having = {name.rpartition("/")[0] for name in names if last_part(name) == last}
    others = sorted(one for one in having if one and _without_digits(one) != _without_digits(namespace))
    near = near_words(namespace, others, cutoff=_ALIKE_NAMESPACES)
    return f"{near[0]}/{last}" if near and not _is_of_absent_plugin(wanted, names) else ""


def _is_of_absent_plugin(wanted: str, names: Iterable[str]) -> bool:
    """Whether a name is in the namespace of an installed plugin that has none of the ``names``: it may be off."""
    namespace = wanted.rpartition("/")[0]
    absent = namespace and namespace not in {name.rpartition("/")[0] for name in names}
    return bool(absent) and last_part(namespace) in {found.name for found in find_plugins()}


def _nodes_of_skeletons() -> frozenset[str]:
    """The names of the nodes of all skeletons that come with the engine."""
    return frozenset(node.name for skeleton in loaded_skeletons() for node in skeleton.nodes)


def _unknown_member(
    removal: Removal, node: NodeDeclaration, own: Iterable[NodeDeclaration], chains: Iterable[str]
) -> str:
    """The reason if the node needs the input of a node that is no member of a chain of the plan, else ''."""
    for chain in chains:
        member = removal.missing.removeprefix(f"{chain}/{node.plugin}/").removesuffix(".source")
        if removal.missing == chain_source_name(chain, f"{node.plugin}/{member}"):
            joined = [last_part(other.name) for other in own if any(one.chain == chain for one in other.requests)]
            return (
                f"it needs the input of `{member}` in the chain `{chain}`, which has no such member; "
                f"{did_you_mean(member, joined)}"
            )
    return ""


def _near_miss(missing: str, own: _PluginNames) -> str:
    """The name that is meant if a plugin needs one of its namespace that is like one which it creates, perhaps outside
    of it, else ''.

    Names that differ in digits alone are levels of one thing, which there may be fewer of.
    """
    namespace = f"{own.plugin}/"
    if not missing.startswith(namespace):
        return ""
    wanted = missing.removeprefix(namespace)
    if wanted in own.created:
        return wanted
    names = sorted(name.removeprefix(namespace) for name in own.created if name.startswith(namespace))
    others = [name for name in names if _without_digits(name) != _without_digits(wanted)]
    near = near_words(wanted, others, cutoff=_ALIKE)
    return f"{namespace}{near[0]}" if near else ""


def _created_beside(missing: str, own: _PluginNames) -> str:
    """What a node of the plugin creates by the same short name, in a namespace that is almost the plugin's, in words;
    '' if none does."""
    wanted = last_part(missing)
    for name, node in own.created.items():
        namespace, _, last = name.rpartition("/")
        if last == wanted and namespace != own.plugin and near_words(namespace, [own.plugin]):
            return f"`{name}`, which `{node}` creates"
    return ""


@lru_cache(maxsize=64)  # the instances of a removed node lack the same name of the same frame
def _near_elsewhere(wanted: str, known: tuple[str, ...], *, required: bool = True) -> str:
    """The name that is meant if a node needs one that is like another one of the frame, and that no shipped skeleton
    has, else ''.

    A ``required`` name may differ in any letter, also in its first or last one: the node is removed. An optional one
    may be for what another frame has, such as a plural. Of a required result of a chain's member,
    ``CHAIN/PLUGIN/NODE``, the middle may be missing.
    """
    if any(wanted in skeleton.created or wanted in dict(skeleton.slots) for skeleton in loaded_skeletons()):
        return ""
    others = [name for name in known if _without_digits(name) != _without_digits(wanted)]
    apart = one_letter_apart if required else slipped
    near = next(iter(near_words(wanted, others, cutoff=_ALIKE_ELSEWHERE)), "") or apart(wanted, others)
    if near and not _is_of_absent_plugin(wanted, known):
        return near
    if meant := _in_near_namespace(wanted, known):
        return meant
    if required and wanted.count("/") == 1:
        ends = wanted.partition("/")[0], last_part(wanted)
        return next((name for name in known if (name.partition("/")[0], last_part(name)) == ends), "")
    return ""


@lru_cache(maxsize=4096)  # each missing name is compared with all names of the frame
def _without_digits(name: str) -> str:
    return re.sub(r"_?\d+", "", name)
