"""The capture of a frame that was played."""

from __future__ import annotations

import platform
from typing import Any

from renderwright.engine.capture.measured import MeasuredTimes
from renderwright.engine.capture.pictures import PIXELS, pictures_of
from renderwright.engine.machine import package_versions
from renderwright.engine.plugins.settings import changed_from_defaults, default_of, describe_settings
from renderwright.engine.plugins.status import PluginStatus
from renderwright.engine.session import Session
from renderwright.render.backend.target import Target
from renderwright.render.errors import BackendError
from renderwright.render.inspect.capture import capture_of
from renderwright.render.inspect.capture.findings import findings_of
from renderwright.render.inspect.capture.hiding import Hiding
from renderwright.render.inspect.words import COPY_NAMES
from renderwright.render.runtime.frame_capture import CapturedFrame, Unread


def played_capture(
    session: Session,
    captured: CapturedFrame,
    resting: frozenset[str],
    times: MeasuredTimes,
    *,
    title: str,
    options: dict[str, Any],
    pixels: int = PIXELS,
) -> dict[str, Any]:
    """The document of a captured frame, whose ``resting`` nodes (by id) were skipped."""
    document = capture_of(captured.plan, title, [_unread(one) for one in captured.unread])
    document["versions"] |= {"python": platform.python_version(), **{k: v for k, v in package_versions() if v}}
    document["device"] = _device(session)
    document["frame"] = {
        "number": captured.frame,
        "copy": COPY_NAMES[captured.frame % 2],
        "resting": sorted(resting),
        "pictures_left_out": captured.left_out,
    }
    document["options"] = {"size": list(session.extent), **options}
    document["times"] = times.to_json(captured.plan)
    document["pictures"] = pictures_of(captured.copies, captured.plan.graph.sinks, pixels)
    _add_plugins(document, session)
    document["findings"] = findings_of(document)
    hidden: dict[str, Any] = Hiding().document(document)
    return hidden


def capture_frame(session: Session, target: Target) -> dict[str, Any]:
    """Render a frame and return its capture. Raises ``BackendError`` if no frame could be rendered."""
    found: list[CapturedFrame] = []
    session.runtime.capture.ask(found.append)
    report = session.render(target)
    if report is None or not found:
        raise BackendError("no frame could be captured: there was nothing to render to", hint="try it again")
    title = session.runner.game.title
    return played_capture(session, found[0], report.resting, MeasuredTimes(), title=title, options={})


def _unread(one: Unread) -> dict[str, Any]:
    return {
        "node": one.node,
        "resource": one.resource,
        "binding": one.binding,
        "verb": one.verb.value,
        "source": str(one.source),
        "optional": one.optional,
    }


def _device(session: Session) -> dict[str, Any]:
    able = session.backend.capabilities
    return {
        "backend": able.backend,
        "device": able.device,
        "driver": able.driver,
        "api_version": able.api_version,
        "queues": list(able.queues),
        "timestamps": able.timestamps,
    }


def _add_plugins(document: dict[str, Any], session: Session) -> None:
    """What only the running game knows of its plugins: states, settings, and times of their nodes."""
    rows = {row["plugin"]: row for row in document["plugins"]}
    taken = {row["node"]: row for row in document["times"]["nodes"]}
    for row in rows.values():
        own = [taken[node["id"]] for node in document["plan"]["nodes"] if node["plugin"] == row["plugin"]]
        for key in ("gpu_ms", "cpu_ms"):
            known = [one[key] for one in own if one[key] is not None]
            row[key] = round(sum(known), 6) if known else None
    for status in session.plugins.plugins():
        if status.name in rows:
            rows[status.name] |= _status(status)


def _status(status: PluginStatus) -> dict[str, Any]:
    return {
        "state": status.state.value,
        "reason": status.reason,
        "distribution": status.distribution,
        "version": status.version,
        "settings": _settings(status),
    }


def _settings(status: PluginStatus) -> list[dict[str, Any]]:
    if status.settings is None:
        return []
    model = type(status.settings)
    values = status.settings.model_dump(mode="json")
    defaults = model.model_construct().model_dump(mode="json", warnings=False)
    changed = changed_from_defaults(status.settings)
    return [
        {
            "key": one.key,
            "value": values[one.key],
            "default": defaults.get(one.key, str(default_of(model, one.key))),
            "changed": one.key in changed,
            "description": one.description,
        }
        for one in describe_settings(model)
    ]
