"""What is worth a look in a frame: the rules, in a row."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from renderwright.render.inspect.capture.finding import Finding, Looked, Of
from renderwright.render.inspect.capture.rules.idle_memory import idle_memory
from renderwright.render.inspect.capture.rules.passes import reloaded_attachments
from renderwright.render.inspect.capture.rules.same_pictures import same_pictures
from renderwright.render.inspect.capture.rules.slow_nodes import slow_nodes
from renderwright.render.inspect.capture.rules.traffic import heavy_plugins, wide_textures
from renderwright.render.inspect.capture.rules.unread import lonely_histories, unread_requests
from renderwright.render.inspect.capture.rules.waits import idle_queues

RULES: tuple[Callable[[Looked], Iterator[Finding]], ...] = (
    unread_requests,
    lonely_histories,
    same_pictures,
    idle_memory,
    heavy_plugins,
    wide_textures,
    reloaded_attachments,
    idle_queues,
    slow_nodes,
)


def findings_of(document: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The findings in a capture's document by what their share is of, and those of the largest share first.

    Findings with the same ``cause`` have one, as far as can be seen: they are of one rule and of one resource or
    plugin, or of one plugin and of one node or resource. What another finding explains comes right behind that one:
    a node that does not read what it asks for may make the same picture because of that. Causes count from 0.
    """
    looked = Looked(document)
    found = [finding for rule in RULES for finding in rule(looked)]
    order = {of: number for number, of in enumerate(Of)}
    found.sort(key=lambda one: (order[one.of], -one.share))  # of equal ones that of the first rule, which says most
    _put_behind_explanations(found)
    return [{**one.to_json(), "cause": cause} for one, cause in zip(found, _causes(found), strict=True)]


def _put_behind_explanations(findings: list[Finding]) -> None:
    """Move what is explained behind what explains it, or that before it if its own cost is not known."""
    for one in [one for one in findings if one.rule == "same-picture"]:
        why = next((other for other in findings if _explains(other, one)), None)
        if why is None:
            continue
        moved, anchor, step = (why, one, 0) if why.of is Of.NOTHING else (one, why, 1)
        del findings[_place(findings, moved)]
        findings.insert(_place(findings, anchor) + step, moved)


def _place(findings: Sequence[Finding], one: Finding) -> int:
    """Where a finding is; equal ones are told apart."""
    return next(at for at, other in enumerate(findings) if other is one)


def _explains(why: Finding, one: Finding) -> bool:
    """Whether a request that a node's shaders do not read may be why the node changes nothing."""
    return why.rule in ("unread-history", "unread") and one.rule == "same-picture" and one.nodes == why.nodes


def _causes(findings: Sequence[Finding]) -> list[int]:
    """The number of each finding's cause, that of the first one with which it has something in common."""
    causes: list[list[Finding]] = []
    found = []
    for one in findings:
        number = next(
            (at for at, members in enumerate(causes) if any(_same_cause(one, other) for other in members)), None
        )
        if number is None:
            number = len(causes)
            causes.append([])
        causes[number].append(one)
        found.append(number)
    return found


def _same_cause(one: Finding, other: Finding) -> bool:
    """Whether both have one cause, as ``findings_of`` says. Instances of a node or resource count as one."""
    if _explains(one, other) or _explains(other, one):
        return True
    if one.of != other.of:
        return False
    same_rule, same_plugin = one.rule == other.rule, one.plugin == other.plugin != ""
    same_resource = bool(_names(one.resources) & _names(other.resources))
    same_node = bool(_names(one.nodes) & _names(other.nodes))
    if same_rule:
        return same_plugin or same_resource
    return same_plugin and (same_node or same_resource)


def _names(ids: Sequence[str]) -> set[str]:
    """Names without the view that they are instances for."""
    return {one.partition("@")[0] for one in ids}
