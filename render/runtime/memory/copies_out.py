"""Copies of a graph's textures that outlive it."""

from __future__ import annotations

from dataclasses import replace

from renderwright.render.backend.protocol import Backend, BoundBarrier, Recorder
from renderwright.render.compiler.values.plan import Plan
from renderwright.render.runtime.memory.contents import written_parts
from renderwright.render.runtime.memory.resources import CopyKey
from renderwright.render.runtime.memory.transitions import transition
from renderwright.render.sync.flags import Layout
from renderwright.render.types.physical import PhysicalTexture
from renderwright.render.types.usages import Usage

_USAGES = frozenset({Usage.SAMPLED, Usage.COPY_SRC, Usage.COPY_DST})


def copied_texture(
    key: CopyKey, source: PhysicalTexture, plan: Plan, name: str, recorder: Recorder, backend: Backend
) -> PhysicalTexture:
    """Record the copy of a plan's texture into a new texture with memory of its own.

    The new texture ends in SHADER_READ_ONLY; the source returns to its steady-state layout.
    """
    layout = dict(plan.sync.layouts_left)[key[0]]
    target = backend.create_texture(replace(source.info, usages=_USAGES), name)
    before = transition(*key, layout, Layout.TRANSFER_SRC)
    first = transition(*key, Layout.UNDEFINED, Layout.TRANSFER_DST)
    recorder.barriers([BoundBarrier(before, source), BoundBarrier(first, target)])
    recorder.copy_texture(source, target, written_parts(plan, {key[0]})[key[0]])
    after = transition(*key, Layout.TRANSFER_SRC, layout)
    last = transition(*key, Layout.TRANSFER_DST, Layout.SHADER_READ_ONLY)
    recorder.barriers([BoundBarrier(after, source), BoundBarrier(last, target)])
    return target
