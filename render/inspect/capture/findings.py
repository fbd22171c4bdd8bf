"""What is worth a look in a frame: the rules, in a row."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from renderwright.render.inspect.capture.finding import Finding, Looked
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
    """The findings in a capture's document, those of the largest share first."""
    looked = Looked(document)
    found = [finding for rule in RULES for finding in rule(looked)]
    return [finding.to_json() for finding in sorted(found, key=lambda one: (-one.share, one.rule, one.message))]
