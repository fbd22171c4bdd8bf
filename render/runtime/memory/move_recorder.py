"""Records moves of contents: copies separated by full barriers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from renderwright.render.backend.protocol import Backend, BoundBarrier, Recorder
from renderwright.render.runtime.memory.moves import Hop, Move, in_order
from renderwright.render.runtime.memory.resources import CopyKey
from renderwright.render.runtime.memory.transitions import transition
from renderwright.render.sync.flags import Layout
from renderwright.render.types.parts import WHOLE, Part
from renderwright.render.types.physical import BufferInfo, Physical, TextureInfo
from renderwright.render.types.usages import Usage

_COPIED = frozenset({Usage.COPY_SRC, Usage.COPY_DST})


def record_moves(
    moves: Sequence[Move],
    recorder: Recorder,
    backend: Backend,
    old_layouts: Mapping[str, Layout],
    new_layouts: Mapping[str, Layout],
    written: Mapping[str, Sequence[Part]],
) -> None:
    """Record moves from the old plan's steady-state layouts (by resource id) to the new plan's.

    ``written`` are the parts of textures (by resource id) that have contents; only these are copied. A move that steps
    aside uses temporary memory, released once the GPU is done with it.
    """
    aside: dict[CopyKey, Physical] = {}
    try:
        for move, hop in in_order(moves):
            name = move.key[0]
            old, new = (layouts.get(name, Layout.UNDEFINED) for layouts in (old_layouts, new_layouts))
            source, target = move.source, move.target
            if hop is Hop.ASIDE:
                target = aside[move.key] = _aside(move, backend)
                new = Layout.TRANSFER_SRC
            elif hop is Hop.BACK:
                source = aside[move.key]
                old = Layout.TRANSFER_SRC
            # Other resources used the target's bytes; a barrier on the target does not cover their accesses.
            recorder.full_barrier()
            _copy(move.key, source, target, (old, new), written.get(name, (WHOLE,)), recorder)
    finally:
        for physical in aside.values():
            backend.destroy(physical)


def _aside(move: Move, backend: Backend) -> Physical:
    name = f"{move.source.name} (moving)"
    if isinstance(move.source.info, TextureInfo):
        return backend.create_texture(replace(move.source.info, usages=_COPIED, transient=False), name)
    return backend.create_buffer(replace(move.source.info, usages=_COPIED), name)


def _copy(
    key: CopyKey,
    source: Physical,
    target: Physical,
    layouts: tuple[Layout, Layout],
    written: Sequence[Part],
    recorder: Recorder,
) -> None:
    if isinstance(source.info, TextureInfo) and isinstance(target.info, TextureInfo):
        barriers = [BoundBarrier(transition(*key, Layout.UNDEFINED, Layout.TRANSFER_DST), target)]
        if layouts[0] != Layout.TRANSFER_SRC:
            barriers.append(BoundBarrier(transition(*key, layouts[0], Layout.TRANSFER_SRC), source))
        recorder.barriers(barriers)
        recorder.copy_texture(source, target, written)
        recorder.barriers([BoundBarrier(transition(*key, Layout.TRANSFER_DST, layouts[1]), target)])
    elif isinstance(source.info, BufferInfo) and isinstance(target.info, BufferInfo):
        recorder.copy_buffer(source, target)
