"""Barriers: OpenGL orders all accesses but those of shaders to storage images and storage buffers."""

from __future__ import annotations

from collections.abc import Iterable

from renderwright.render.backend.opengl import enums as gl
from renderwright.render.backend.protocol import BoundBarrier
from renderwright.render.sync.barriers import MemoryBarrier
from renderwright.render.sync.flags import Access

_STORED = Access.SHADER_STORAGE_WRITE | Access.MEMORY_WRITE
_COPIES = gl.TEXTURE_UPDATE_BARRIER | gl.BUFFER_UPDATE_BARRIER | gl.PIXEL_BUFFER_BARRIER | gl.FRAMEBUFFER_BARRIER
_BITS = {
    Access.INDIRECT_COMMAND_READ: gl.COMMAND_BARRIER,
    Access.INDEX_READ: gl.ELEMENT_ARRAY_BARRIER,
    Access.VERTEX_ATTRIBUTE_READ: gl.VERTEX_ATTRIB_ARRAY_BARRIER,
    Access.UNIFORM_READ: gl.UNIFORM_BARRIER,
    Access.COLOR_ATTACHMENT_READ: gl.FRAMEBUFFER_BARRIER,
    Access.COLOR_ATTACHMENT_WRITE: gl.FRAMEBUFFER_BARRIER,
    Access.DEPTH_STENCIL_ATTACHMENT_READ: gl.FRAMEBUFFER_BARRIER,
    Access.DEPTH_STENCIL_ATTACHMENT_WRITE: gl.FRAMEBUFFER_BARRIER,
    Access.TRANSFER_READ: _COPIES,
    Access.TRANSFER_WRITE: _COPIES,
    Access.HOST_READ: gl.CLIENT_MAPPED_BUFFER_BARRIER | gl.BUFFER_UPDATE_BARRIER,
    Access.MEMORY_READ: gl.ALL_BARRIERS,
    Access.MEMORY_WRITE: gl.ALL_BARRIERS,
    Access.SHADER_SAMPLED_READ: gl.TEXTURE_FETCH_BARRIER,
    Access.SHADER_STORAGE_READ: gl.SHADER_IMAGE_ACCESS_BARRIER | gl.SHADER_STORAGE_BARRIER,
    Access.SHADER_STORAGE_WRITE: gl.SHADER_IMAGE_ACCESS_BARRIER | gl.SHADER_STORAGE_BARRIER,
}


def barrier_bits(barriers: Iterable[BoundBarrier | MemoryBarrier]) -> int:
    """The bits of glMemoryBarrier for a batch; 0 if the driver orders all of it.

    Shaders that store come behind earlier shaders that read only through a barrier, too.
    """
    bits = 0
    for each in barriers:
        barrier = each if isinstance(each, MemoryBarrier) else each.barrier
        if _is_unordered(each):
            for access in barrier.dst_access:
                bits |= _BITS[access]
    return bits


def _is_unordered(barrier: BoundBarrier | MemoryBarrier) -> bool:
    """Whether the driver leaves the order to a barrier.

    Behind a store each kind of access needs a bit of its own. A barrier without a source access follows readers, and
    what they read may have been stored: its bits were those of the readers.
    """
    if isinstance(barrier, BoundBarrier):
        one = barrier.barrier
        return not one.src_access or bool((one.src_access | one.dst_access) & _STORED)
    follows_readers = any(not member.src_access for member in barrier.members)
    return follows_readers or bool((barrier.src_access | barrier.dst_access) & _STORED)
