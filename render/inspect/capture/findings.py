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
    plugin, or of one plugin and of one node or resource. Causes count from 0.
    """
    looked = Looked(document)
    found = [finding for rule in RULES for finding in rule(looked)]
    order = {of: number for number, of in enumerate(Of)}
    found.sort(key=lambda one: (order[one.of], -one.share))  # of equal ones that of the first rule, which says most
    return [{**one.to_json(), "cause": cause} for one, cause in zip(found, _causes(found), strict=True)]


def _causes(findings: Sequence[Finding]) -> list[int]:
    """The number of each finding's cause, that of the first one with which it has something in common."""
    causes: list[list[Finding]] = []
    found = []
    for one in findings:
        number = next((at for at, members in enumerate(causes) if any(_alike(one, other) for other in members)), None)
        if number is None:
            number = len(causes)
            causes.append([])
        causes[number].append(one)
        found.append(number)
    return found


def _alike(one: Finding, other: Finding) -> bool:
    """Whether both have one cause, as ``findings_of`` says. Instances of a node or resource count as one."""
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
