"""Whether the names of a draft make sense: requests on their own, creations, renames, histories, chain members."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, repeat

from renderwright.render.compiler.cull.broken import NOTHING_MISSING, Needs, shortage
from renderwright.render.compiler.diagnostics.faults import Fault, error, invalid, quoted
from renderwright.render.compiler.diagnostics.findings import Removal, RemovalReason
from renderwright.render.compiler.diagnostics.removal_reasons import broken, is_required
from renderwright.render.compiler.resolve.draft import Ask, Draft
from renderwright.render.compiler.resolve.names import Indirections
from renderwright.render.compiler.values.resolved import BoundNode, BoundRequest
from renderwright.render.graph.requests import Verb
from renderwright.render.suggest import did_you_mean


def check_requests(draft: Draft) -> list[Fault]:
    """Each request is complete on its own."""
    found = draft.parts.of(request_faults).all(draft.names, draft.nodes, repeat(draft.words))
    return list(dict.fromkeys(chain.from_iterable(found)))  # both requests of a chain member miss their chain


def request_faults(node: BoundNode, words: Indirections) -> tuple[Fault, ...]:
    """Requests that are incomplete or mean nothing, whatever the other nodes do."""
    return tuple([fault for bound in node.requests if (fault := _check_request(words, node, bound))])


def _check_request(words: Indirections, asker: BoundNode, bound: BoundRequest) -> Fault | None:
    declaration, request = asker.declaration, bound.request
    node = declaration.name
    if request.chain and request.chain not in words.chains:
        if request.optional and request.verb is not Verb.CREATE:
            return None
        hint = did_you_mean(request.chain, words.chains)
        message = f"`{node}` wants to join the chain `{request.chain}`, which this graph does not have"
        where = [other.source for other in declaration.requests if other.chain == request.chain]
        problem = error("unknown-chain", message, hint, where)
        return Fault(problem, Removal(node, RemovalReason.BROKEN, f"`{node}` removed: {message}"))
    if request.verb is Verb.RENAME and _comes_back(asker, bound):
        message = f"`{node}` renames `{bound.name}` to itself"
        hint = "give the new name"
        if "/" in bound.name:
            hint += "; a slash in front of the old one, as in `/depth`, means the one outside of all namespaces"
        return invalid(node, error("rename", message, hint, [request.source]))
    if request.creates and not request.chain:
        thread = words.outputs.get(words.follow_slots(request.creates))
        if thread is not None:
            message = f"`{node}` creates `{request.creates}`, which is the output of the chain `{thread}`"
            hint = f"join the chain, or create `{words.chains[thread].input}`, its input"
            return invalid(node, error("chain-output", message, hint, [request.source]))
    return None


def _comes_back(asker: BoundNode, rename: BoundRequest) -> bool:
    """Whether the node's own renames lead from the name back to it."""
    renames = {bound.name: bound.to for bound in asker.requests if bound.request.verb is Verb.RENAME}
    name = rename.to
    for _ in renames:
        if name == rename.name:
            return True
        name = renames.get(name, name)
    return False


def check_descriptions(draft: Draft) -> list[Fault]:
    """It is known of every creation what is created.

    A chain member without a description has its input's, so it is at fault only when all other creations are described.
    """
    faults: dict[bool, list[Fault]] = {False: [], True: []}
    for node, used in zip(draft.nodes, draft.used, strict=True):
        if all(used):
            continue
        for bound in node.requests:
            if bound.request.verb in (Verb.CREATE, Verb.EXTERNAL) and bound.root not in draft.resources:
                name = node.declaration.name
                message = f"`{name}` creates `{bound.name}` without saying what it is"
                problem = error("no-description", message, "describe it", [bound.request.source])
                faults[bool(bound.request.chain)].append(invalid(name, problem))
    return faults[False] or faults[True]


def check_makers(draft: Draft) -> list[Fault]:
    """Every name is made once and renamed at most once."""
    created = _only_one(draft.makers, "two-creators", "is created", "rename one of them")
    return created + _only_one(draft.renamers, "renamed-twice", "is renamed", "rename the first one's new name instead")


def _only_one(table: Mapping[str, Sequence[Ask]], code: str, what: str, hint: str) -> list[Fault]:
    faults = []
    for name in sorted(name for name, asks in table.items() if len(asks) > 1 and name):
        asks = table[name]
        where = [bound.request.source for _, bound in asks]
        nodes = list(dict.fromkeys(declaration.name for declaration, _ in asks))
        if len(nodes) == 1:
            message = f"`{name}` {what} {len(asks)} times by `{nodes[0]}`"
            faults.append(invalid(nodes[0], error(code, message, hint, where)))
            continue
        message = f"`{name}` {what} by {quoted(nodes)}; `{nodes[0]}` stays (larger priority, then name)"
        first, *rest = (invalid(node, error(code, message, hint, where)) for node in nodes[1:])
        faults += [first, *(Fault(None, fault.removal) for fault in rest)]
    return faults


def check_history(draft: Draft) -> list[Fault]:
    """No history is asked of a name that is renamed away in the frame."""
    if not draft.renamers:
        return []
    faults = []
    for node in draft.nodes:
        for bound in node.requests:
            if bound.request.verb is not Verb.HISTORY or bound.name not in draft.renamers:
                continue
            renamer, rename = draft.renamers[bound.name][0]
            name = node.declaration.name
            message = (
                f"`{name}` asks for the history of `{bound.name}`, which `{renamer.name}` renames to `{rename.to}`"
            )
            hint = f"ask for the history of `{rename.to}`"
            faults.append(invalid(name, error("history", message, hint, [bound.request.source, rename.request.source])))
    return faults


def check_chains(draft: Draft) -> list[Fault]:
    """Chain members that cannot get what they need leave here, so that the chain closes over the gap."""
    members = set(chain.from_iterable(draft.threads.members.values()))
    if not members:
        return []
    lack = NOTHING_MISSING
    if not draft.complete:
        needs = draft.parts.of(_needs).all(draft.names, draft.nodes)
        lack = shortage(dict(zip(draft.names, needs, strict=True)), members)
    faults = []
    for name in sorted(lack.broken.keys() & members):
        missing = lack.broken[name]
        request = next(b.request for b in draft.named[name].requests if b.name == missing and is_required(b.request))
        makers = [declaration.name for declaration, _ in draft.makers.get(missing, ())] or draft.lost.get(missing, ())
        faults.append(Fault(None, broken(name, request, makers, () if makers else draft.makers)))
    for thread, names in sorted(draft.threads.members.items()):
        given = draft.final(draft.words.chains[thread].input)
        has_input = given in draft.makers and given not in lack.dead
        if not has_input:
            faults += _without_input(draft, thread, [draft.named[name] for name in names if name not in lack.broken])
    return faults


def _without_input(draft: Draft, thread: str, members: Iterable[BoundNode]) -> list[Fault]:
    """The members that fail when nobody creates the chain's input: those up to the first that can do without."""
    faults = []
    begun = False
    for node in members:
        name = node.declaration.name
        requests = [bound.request for bound in node.requests if bound.request.chain == thread]
        copies = any(r.verb is Verb.CREATE and r.desc is None for r in requests)
        if copies or (not begun and any(is_required(r) for r in requests)):
            given = draft.words.chains[thread].input
            why = f"it needs `{given}`, the input of chain `{thread}`, which nobody creates"
            faults.append(Fault(None, Removal(name, RemovalReason.BROKEN, f"`{name}` removed: {why}")))
        else:
            begun = begun or any(r.verb is Verb.CREATE for r in requests)
    return faults


def _needs(node: BoundNode) -> Needs:
    """A node's needs beside those that a chain fills."""
    return Needs(
        tuple(b.name for b in node.requests if is_required(b.request) and not b.request.chain),
        tuple(b.name for b in node.requests if b.request.verb in (Verb.CREATE, Verb.EXTERNAL)),
        tuple((b.name, b.to) for b in node.requests if b.request.verb is Verb.RENAME),
    )
