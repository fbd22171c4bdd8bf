"""What interops of tests ask of an instance and a device: nothing."""

from __future__ import annotations

from collections.abc import Sequence, Set


class Undemanding:
    """The part of an interop that says what it requires."""

    def instance_extensions(self, present: Set[str]) -> Sequence[str]:
        return ()

    def physical_device(self, instance: int) -> int:
        return 0

    def device_extensions(self) -> Sequence[str]:
        return ()
