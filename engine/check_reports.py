"""Reports the findings of ``play --check``, and notices of nodes."""

from __future__ import annotations

import logging

from renderwright.engine.plan_review import require_sound_barriers
from renderwright.engine.plugins import PluginHost
from renderwright.render.compiler.values.plan import Plan
from renderwright.render.errors import CompileError, RenderwrightError, SourceLocation
from renderwright.render.runtime.failures import FailurePhase, NodeFailure

_log = logging.getLogger("renderwright.check")


class CheckReports:
    """Logs and counts findings, and counts plans whose barriers are refused.

    If ``strict``, a finding about a plugin quarantines it, which ends the game, and any other one is raised. ``lines``
    are those of findings: the review of a plan does not say the same of them again.
    """

    def __init__(self, plugins: PluginHost, *, strict: bool) -> None:
        self._plugins = plugins
        self._strict = strict
        self.findings = 0
        self.lines: set[SourceLocation] = set()
        self.unsound_plans = 0

    def report(self, finding: NodeFailure) -> None:
        """Report a finding. Raises ``PluginError`` or ``CheckError`` if strict."""
        if finding.phase is FailurePhase.CHECK:
            self.findings += 1
            if isinstance(finding.error, RenderwrightError) and finding.error.where is not None:
                self.lines.add(finding.error.where)
        if not self._strict:
            _log.warning("%s", finding.error)
        elif finding.plugin:
            self._plugins.quarantine(finding.plugin, finding.error)
        else:
            raise finding.error

    def judge(self, plan: Plan) -> None:
        """Raise ``CompileError`` if the oracle finds fault with a plan's barriers. A plan that is refused ends the game
        only if it is the first one."""
        try:
            require_sound_barriers(plan)
        except CompileError:
            self.unsound_plans += 1
            raise
