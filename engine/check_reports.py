"""Reports the findings of ``play --check``, and notices of nodes."""

from __future__ import annotations

import logging

from renderwright.engine.plugins import PluginHost
from renderwright.render.runtime.failures import NodeFailure

_log = logging.getLogger("renderwright.check")


class CheckReports:
    """Logs and counts findings. If ``strict``, a finding about a plugin quarantines it, which ends the game, and any
    other one is raised."""

    def __init__(self, plugins: PluginHost, *, strict: bool) -> None:
        self._plugins = plugins
        self._strict = strict
        self.count = 0

    def report(self, finding: NodeFailure) -> None:
        """Report a finding. Raises ``PluginError`` or ``CheckError`` if strict."""
        self.count += 1
        if not self._strict:
            _log.warning("%s", finding.error)
        elif finding.plugin:
            self._plugins.quarantine(finding.plugin, finding.error)
        else:
            raise finding.error
