"""Checks that bindings fit their pipeline."""

from __future__ import annotations

from collections.abc import Mapping

from renderwright.render.backend.null.resources import NullBuffer, NullObject, NullPipeline, NullTexture, null_object
from renderwright.render.backend.protocol import Binding, BufferBinding, TextureBinding
from renderwright.render.errors import BackendError
from renderwright.render.shaders.module import UNSIZED, BindingKind, ShaderBinding
from renderwright.render.suggest import did_you_mean

_BUFFERS = frozenset({BindingKind.UNIFORM_BUFFER, BindingKind.STORAGE_BUFFER})


def checked_objects(pipeline: NullPipeline, number: int, bindings: Mapping[str, Binding]) -> list[NullObject]:
    """The textures and buffers in ``bindings``.

    Raises ``BackendError`` unless they are exactly the bindings of the pipeline's descriptor set ``number``, each of
    the right kind.
    """
    expected = pipeline.bindings_of(number)
    for name in bindings:
        if name not in expected:
            raise BackendError(f'{pipeline} has no binding "{name}" in set {number}', hint=did_you_mean(name, expected))
    missing = sorted(set(expected) - set(bindings))
    if missing:
        raise BackendError(
            f"set {number} of {pipeline} is not filled: {', '.join(missing)}", hint="give every binding of the set"
        )
    return [
        checked
        for name, binding in bindings.items()
        for checked in _checked(expected[name], binding, f'bind "{name}" of {pipeline}')
    ]


def _checked(expected: ShaderBinding, binding: Binding, doing: str) -> list[NullObject]:
    entries = binding if isinstance(binding, tuple) else (binding,)
    if not 1 <= len(entries) <= (expected.count if expected.count != UNSIZED else len(entries)):
        raise BackendError(f"cannot {doing}: {len(entries)} textures for an array of {expected.count}")
    return [_checked_one(expected, entry, doing) for entry in entries]


def _checked_one(expected: ShaderBinding, entry: TextureBinding | BufferBinding, doing: str) -> NullObject:
    if isinstance(entry, BufferBinding) != (expected.kind in _BUFFERS):
        given = "a buffer" if isinstance(entry, BufferBinding) else "a texture"
        raise BackendError(f"cannot {doing}: the shader has a {expected.kind}, and {given} is given")
    if isinstance(entry, TextureBinding):
        texture: NullTexture = null_object(entry.texture, NullTexture, doing)
        return texture
    buffer: NullBuffer = null_object(entry.buffer, NullBuffer, doing)
    end = entry.offset + (entry.size or buffer.info.size - entry.offset)
    if entry.offset < 0 or end > buffer.info.size:
        raise BackendError(
            f"cannot {doing}: bytes {entry.offset} to {end} lie beyond the {buffer.info.size} bytes of {buffer}"
        )
    if expected.kind is BindingKind.UNIFORM_BUFFER and end - entry.offset < expected.size:
        raise BackendError(f"cannot {doing}: {end - entry.offset} bytes for a block of {expected.size}")
    return buffer
