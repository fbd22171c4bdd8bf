"""Which surface functions a game's materials are drawn with: those of games, and of plugins that are on."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import replace

from renderwright.engine.notices import Notice, Notices
from renderwright.engine.plugins.host import PluginHost
from renderwright.engine.plugins.status import PluginState, PluginStatus
from renderwright.engine.renderer.surface_kinds import surface_kind
from renderwright.engine.renderer.surface_variants import (
    NO_SURFACES,
    SURFACE_FACT,
    ChosenSurface,
    ChosenSurfaces,
    SurfaceVariant,
    UsedSurfaces,
    variant_of,
)
from renderwright.engine.scene.draw_list import DrawBatch
from renderwright.engine.scene.surface_shader import SurfaceShader, width_of
from renderwright.render.errors import MissingToolError, RenderwrightError, UsageError
from renderwright.render.graph.frame_graph import FrameGraph
from renderwright.render.runtime.failures import NodeFailure
from renderwright.render.suggest import did_you_mean, one_of

_log = logging.getLogger("renderwright.scene")


class SurfaceFunctions:
    """The surface functions of one session. ``follow`` tells its graph those of the scene before each frame.

    ``chosen`` is the same object as long as nothing changes. A material whose function cannot be drawn is drawn without
    it, which is told once; with ``strict`` that raises ``UsageError``.
    """

    def __init__(self, graph: FrameGraph, plugins: PluginHost, *, strict: bool = False) -> None:
        self._graph = graph
        self._plugins = plugins
        self._notices = Notices(_log, strict=strict)
        self._failed: dict[SurfaceVariant, int] = {}
        self._batches: tuple[DrawBatch, ...] = ()
        self._wanted: Mapping[SurfaceShader, None] = {}
        self._state: object = None
        self.chosen: ChosenSurfaces = NO_SURFACES

    def follow(self, batches: tuple[DrawBatch, ...]) -> None:
        """Choose for the materials of these draws."""
        arranged_anew = batches is not self._batches
        if arranged_anew:
            self._batches = batches
            surfaces = (batch.material.surface for batch in batches)
            self._wanted = dict.fromkeys([surface for surface in surfaces if surface is not None])
        if not self._wanted and not self.chosen:
            return
        brought = [self._status(surface) for surface in self._wanted if surface.plugin]
        shaders = self._graph.shaders
        state = (shaders, tuple([(status.state, status.info) for status in brought if status is not None]))
        if not arranged_anew and state == self._state:
            return
        self._state = state
        # A shader that is loaded again may be right now.
        self._failed = {variant: known for variant, known in self._failed.items() if known == shaders}
        self._choose()

    def leave_out(self, failure: NodeFailure) -> None:
        """Draw without the surface function with whose GLSL a node's shader does not compile: until shaders are loaded
        again, or its plugin, which has been quarantined, is on again."""
        for surface, chosen in self.chosen.items():
            if chosen.variant.part == failure.part and not surface.plugin:
                self._failed[chosen.variant] = self._graph.shaders
                self._tell_failed(surface, failure.error)
        self._choose()

    def _choose(self) -> None:
        found = ((surface, self._chosen(surface)) for surface in self._wanted)
        chosen = {surface: one for surface, one in found if one is not None and one.variant not in self._failed}
        if chosen != self.chosen:
            self.chosen = chosen
        used = set()
        for batch in self._batches if chosen else ():
            variant = variant_of(batch.material, chosen)
            if variant is not None:
                used.add((variant, batch.material.drawn_as, surface_kind(batch.mesh, batch.material)))
        self._graph.set_fact(SURFACE_FACT, UsedSurfaces(frozenset(used)) if used else None)

    def _chosen(self, surface: SurfaceShader) -> ChosenSurface | None:
        if not surface.plugin:
            return ChosenSurface.of(surface, surface.file)
        status, loaded = self._status(surface), self._plugins.loaded(surface.plugin)
        if status is None:
            names = [each.name for each in self._plugins.plugins()]
            self._tell(surface, "there is no such plugin", did_you_mean(surface.plugin, names))
        elif status.failed:
            return None  # the host has told it
        elif status.state is not PluginState.ENABLED or status.info is None or loaded is None:
            hint = f'add "{surface.plugin}" to the plugins of the game, or play with --enable {surface.plugin}'
            self._tell(surface, f"its plugin is {status.reason or 'not enabled'}", hint)
        else:
            declared = {one.file: one for one in status.info.surfaces}
            if surface.file not in declared:
                self._tell(surface, "the plugin brings no such file", one_of(surface.file, tuple(declared)))
                return None
            whole = self._completed(surface, declared[surface.file])
            if whole is not None:
                return ChosenSurface.of(whole, str(loaded.shader_path / surface.file))
        return None

    def _completed(self, surface: SurfaceShader, declared: SurfaceShader) -> SurfaceShader | None:
        """The surface function of a plugin with what is left out as the plugin says; None for what it does not have."""
        for what in ("parameters", "images"):
            given, known = getattr(surface, what), getattr(declared, what)
            unknown = next((name for name in given if name not in known), None)
            if unknown is not None:
                self._tell(surface, f'the plugin has no "{unknown}" among its {what}', one_of(unknown, known))
                return None
        for name, value in surface.parameters.items():
            width = width_of(declared.parameters[name])
            if width_of(value) != width:
                self._tell(surface, f'its parameter "{name}" has {width_of(value)} components', f"give {width}")
                return None
        return replace(
            surface,
            parameters={**declared.parameters, **surface.parameters},
            images={**declared.images, **surface.images},
        )

    def _status(self, surface: SurfaceShader) -> PluginStatus | None:
        try:
            return self._plugins.status(surface.plugin)
        except UsageError:
            return None

    def _tell(self, surface: SurfaceShader, reason: str, hint: str) -> None:
        self._notices.give(
            Notice(
                (surface.file, surface.plugin, reason),
                f'materials with the surface function "{surface.file}" of plugin "{surface.plugin}" are drawn without '
                f"it: {reason}",
                hint,
                surface.made_at,
            )
        )

    def _tell_failed(self, surface: SurfaceShader, error: BaseException) -> None:
        told = error if isinstance(error, RenderwrightError) else RenderwrightError(str(error))
        # Nothing is wrong at the line of a node whose shader lacks a compiler.
        where = (None if isinstance(error, MissingToolError) else told.where) or surface.made_at
        made_at = f" (made at {surface.made_at})" if surface.made_at not in (None, where) else ""
        self._notices.give(
            Notice(
                (surface.file, str(error)),
                f"materials with the surface function of {surface.file}{made_at} are drawn without it: {told.message}",
                told.hint or "correct the GLSL",
                where,
            )
        )
