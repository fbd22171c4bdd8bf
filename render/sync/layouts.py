"""In which layouts textures are used: one for each usage, or the general one for all of them.

The general layout is legal for every usage but presentation. Where a device has VK_KHR_unified_image_layouts it costs
nothing there, so barriers need not change layouts any more.
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass
from functools import cache

from renderwright.render.sync.flags import Layout
from renderwright.render.sync.scopes import Scope

_STAY = frozenset({Layout.UNDEFINED, Layout.GENERAL, Layout.PRESENT_SRC})


@dataclass(frozen=True)
class Layouts:
    """The layouts of a plan's textures.

    They are those of the usages (``scope_of``, ``merge_scopes``), or with ``unified`` GENERAL in place of each of
    these. Textures from ``outside`` (by id) keep those of the usages: whoever provides them counts on these.
    """

    unified: bool = False
    outside: Set[str] = frozenset()

    def general(self, resource: str) -> bool:
        """Whether GENERAL stands for the layouts of all usages of a texture (by id)."""
        return self.unified and resource not in self.outside

    def of(self, resource: str, layout: Layout) -> Layout:
        """What stands for the layout of a usage of a texture (by id)."""
        return layout if layout in _STAY or not self.general(resource) else Layout.GENERAL


SEPARATE = Layouts()
"""Each usage has its own layout."""


@cache
def in_general(scope: Scope) -> Scope:
    """The scope of a texture that is in GENERAL for all usages but presentation; a buffer's stays as it is."""
    return scope if scope.layout in _STAY else Scope(scope.stages, scope.access, Layout.GENERAL)
