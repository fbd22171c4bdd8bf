"""Which plugin draws the things of a kind that games place."""

from __future__ import annotations

from renderwright.engine.plugins.host import PluginHost
from renderwright.engine.plugins.status import PluginState, PluginStatus


def unused_plugin_of(kind: type, host: PluginHost) -> str:
    """The plugin that would draw things of a kind and has not been enabled or disabled by anybody; '' if there is none.

    A plugin that was not enabled is not imported, so it is known by the module of its things.
    """
    statuses = host.plugins()
    if any(_draws(status, kind) for status in statuses):
        return ""
    owners = [status for status in statuses if _is_inside(kind.__module__, host.found(status.name).module)]
    owner = max(owners, key=lambda status: len(host.found(status.name).module), default=None)
    return owner.name if owner is not None and owner.state is PluginState.AVAILABLE else ""


def _draws(status: PluginStatus, kind: type) -> bool:
    return status.state is PluginState.ENABLED and status.info is not None and kind in status.info.placed


def _is_inside(module: str, package: str) -> bool:
    return bool(package) and f"{module}.".startswith(f"{package}.")
