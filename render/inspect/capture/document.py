"""A capture as a JSON document: what a plan tells by itself (docs/capture.md describes every field)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from renderwright.render.compiler.values.plan import Plan
from renderwright.render.inspect.capture.accesses import accesses_of
from renderwright.render.inspect.capture.attribution import plugins_of
from renderwright.render.inspect.capture.findings import findings_of
from renderwright.render.inspect.capture.order_reasons import order_of
from renderwright.render.inspect.capture.queue_schedule import queues_of
from renderwright.render.inspect.coalesced import rows
from renderwright.render.inspect.explain_pass import load_text, store_text
from renderwright.render.inspect.explain_waits import awaited
from renderwright.render.inspect.frames import frame_plans
from renderwright.render.inspect.need import Needs
from renderwright.render.inspect.plan_index import PlanIndex
from renderwright.render.inspect.plan_json import plan_to_json

CAPTURE_SCHEMA = 1

MOST_STEPS = 6
"""Of the path from a node to what it is needed for."""

_FRAMES = 2
"""An even and an odd frame."""


def capture_of(plan: Plan, title: str, unread: Sequence[Mapping[str, Any]] | None = None) -> dict[str, Any]:
    """The capture of a plan. If it is played, ``unread`` are the requests that shaders do not read.

    ``title`` names the game or the file. ``Hiding`` takes the paths of this machine out of it, once it is complete.
    """
    index = PlanIndex(plan)
    accesses = list(accesses_of(index, unread or ()))
    document: dict[str, Any] = {
        "schema": CAPTURE_SCHEMA,
        "kind": "capture",
        "title": title,
        "versions": {"renderwright": _version()},
        "device": None,
        "frame": None,
        "options": {},
        "plan": plan_to_json(plan, _FRAMES),
        "resources": list(_resources(index)),
        "accesses": accesses,
        "needs": _needs(index),
        "order": order_of(index),
        "attachments": list(_attachments(index)),
        "queues": queues_of(index),
        "plugins": plugins_of(index, accesses),
        "times": None,
        "pictures": [],
        **({"unread": list(unread)} if unread is not None else {}),
    }
    for barrier, waits in zip(document["plan"]["barriers"], _awaited(plan), strict=True):
        barrier["awaits"] = waits
    document["findings"] = findings_of(document)
    return document


def _version() -> str:
    try:
        return version("renderwright")
    except PackageNotFoundError:
        return ""


def _resources(index: PlanIndex) -> Iterator[dict[str, Any]]:
    """What the plan's report does not say of the resources."""
    sinks = set(index.plan.graph.sinks)
    for item in index.plan.graph.resources:
        placed = index.placed[item.id]
        creator = index.declarations[item.resource.creator]
        yield {
            "id": item.id,
            "plugin": creator.plugin,
            "creator": item.creator,
            "source": str(item.resource.source),
            "external": item.resource.external,
            "sink": item.id in sinks,
            "history": placed.has_history,
            "first": placed.first.value if placed.has_history else None,
            "kept": placed.kept,
        }


def _needs(index: PlanIndex) -> dict[str, str]:
    """Why each node is in the frame, by its name."""
    needs = Needs(index)
    return {name: needs.why(name, MOST_STEPS) for name in dict.fromkeys(node.declaration.name for node in index.nodes)}


def _attachments(index: PlanIndex) -> Iterator[dict[str, Any]]:
    """Why attachments are loaded and stored, in the order of the plan's passes."""
    for number, item in enumerate(index.plan.pass_plan.passes):
        for attachment in item.attachments:
            yield {
                "pass": number,
                "resource": attachment.resource,
                "load": load_text(index, item, attachment),
                "store": store_text(index, item, attachment),
            }


def _awaited(plan: Plan) -> Iterator[list[str]]:
    """What each barrier of the plan's report waits for, in the same order."""
    for frame, part in enumerate(frame_plans(plan, _FRAMES)):
        index = PlanIndex(part)
        for batch, found in rows(part.sync, frame % 2):
            for barrier, _ in found:
                yield awaited(index, batch.number + batch.behind, barrier, barrier.copy == frame % 2)
