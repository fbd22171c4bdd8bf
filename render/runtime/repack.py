"""Better packings, looked for on a thread of its own while frames go on."""

from __future__ import annotations

import threading

from renderwright.render.compiler.pipeline import PackingProblem
from renderwright.render.compiler.values.placement import Placement


class _Search(threading.Thread):
    """Solves one problem."""

    def __init__(self, problem: PackingProblem) -> None:
        super().__init__(name="renderwright repacking")
        self.problem = problem
        self.placement: Placement | None = None
        self.error: Exception | None = None

    def run(self) -> None:
        try:
            self.placement = self.problem.solve()
        except Exception as error:  # raised again on the thread that asks for the result
            self.error = error


class Repacker:
    """Solves the packing problem that was last wanted, one at a time, and does nothing else."""

    def __init__(self) -> None:
        self._wanted: PackingProblem | None = None
        self._search: _Search | None = None

    def want(self, problem: PackingProblem | None) -> None:
        """Forget whatever was wanted before; None wants nothing."""
        self._wanted = problem
        self._go_on()

    def found(self) -> tuple[PackingProblem, Placement] | None:
        """The solution of the problem that is wanted, once; None as long as there is none.

        Raises what the search raised.
        """
        search = self._search
        if search is None or search.is_alive():
            return None
        self._search = None
        if search.problem is not self._wanted:
            self._go_on()
            return None
        self._wanted = None
        if search.error is not None:
            raise search.error
        assert search.placement is not None
        return search.problem, search.placement

    def wait(self) -> None:
        """Wait until the search for what is wanted has ended."""
        while self._search is not None:
            self._search.join()
            if self._search.problem is self._wanted:
                return
            self._search = None
            self._go_on()

    def close(self) -> None:
        """Want nothing, and leave no thread behind."""
        self._wanted = None
        self.wait()

    def _go_on(self) -> None:
        if self._search is None and self._wanted is not None:
            self._search = _Search(self._wanted)
            self._search.start()
