"""The capture of a plan that is not played: a game's first frame, or a skeleton."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from renderwright.engine.options import PlanOptions, PluginChoice
from renderwright.engine.planning import players_of
from renderwright.render.compiler.values.plan import Plan
from renderwright.render.inspect.capture import capture_of
from renderwright.render.inspect.capture.hiding import Hiding


def planned_capture(plan: Plan, options: PlanOptions) -> dict[str, Any]:
    """The document of a plan that was made with these options."""
    document = capture_of(plan, title_of(options.source))
    document["options"] = {
        "size": list(options.size),
        "views": players_of(options),
        "order": options.order,
        "queues": list(options.queues),
        "backend": options.backend.value,
        **plugin_options(options.plugins),
    }
    hidden: dict[str, Any] = Hiding(files=[Path(options.source)]).document(document)
    return hidden


def title_of(source: str) -> str:
    """A game or a file without the folders that it lies in."""
    return Path(source).name


def plugin_options(choice: PluginChoice) -> dict[str, Any]:
    """The choice of plugins and settings, as far as there is one."""
    settings = {f"{one.plugin}.{one.key}": one.value for one in (*choice.remembered, *choice.settings)}
    found = {"enable": list(choice.enable), "disable": list(choice.disable), "set": settings}
    return {key: value for key, value in found.items() if value}
