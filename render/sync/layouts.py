"""The layouts of textures: one for each usage, or the general one for all of them.

The general layout is legal for every usage but presentation. On devices with VK_KHR_unified_image_layouts it costs
nothing, and barriers need not change layouts.
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

    Each usage has its own (``scope_of``, ``merge_scopes``); with ``unified``, GENERAL replaces all of these. Textures
    from ``outside`` the frame (by id) keep the usages' layouts, which their providers rely on.
    """

    unified: bool = False
    outside: Set[str] = frozenset()

    def general(self, resource: str) -> bool:
        """Whether a texture (by id) is in GENERAL for all usages."""
        return self.unified and resource not in self.outside

    def of(self, resource: str, layout: Layout) -> Layout:
        """The layout of a texture (by id) for a usage that by itself has ``layout``."""
        return layout if layout in _STAY or not self.general(resource) else Layout.GENERAL


SEPARATE = Layouts()
"""Each usage has its own layout."""


@cache
def in_general(scope: Scope) -> Scope:
    """The scope of a texture that is in GENERAL for all usages but presentation; a buffer's scope stays as it is."""
    return scope if scope.layout in _STAY else Scope(scope.stages, scope.access, Layout.GENERAL)
