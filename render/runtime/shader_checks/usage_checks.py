"""Checks that shaders use resources as their node requests them.

Barriers, layouts and the memory of a resource are for the usages of its requests.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from renderwright.render.errors import ShaderError
from renderwright.render.graph.requests import Request, Verb
from renderwright.render.shaders.declared import Declarations
from renderwright.render.shaders.module import BindingKind, ShaderBinding, ShaderModule
from renderwright.render.shaders.stores import stored_bindings
from renderwright.render.types.usages import Usage

_STORAGE = frozenset({Usage.STORAGE, Usage.STORAGE_READ, Usage.STORAGE_WRITE})
_USAGES: Mapping[BindingKind, frozenset[Usage]] = {
    BindingKind.SAMPLED: frozenset({Usage.SAMPLED}),
    BindingKind.STORAGE_TEXTURE: _STORAGE,
    BindingKind.UNIFORM_BUFFER: frozenset({Usage.UNIFORM}),
    BindingKind.STORAGE_BUFFER: _STORAGE,
}
_IN_WORDS: Mapping[BindingKind, str] = {
    BindingKind.SAMPLED: "a texture to sample",
    BindingKind.STORAGE_TEXTURE: "an image",
    BindingKind.UNIFORM_BUFFER: "a uniform block",
    BindingKind.STORAGE_BUFFER: "a storage block",
}
_WRITING = frozenset({Verb.CREATE, Verb.EXTERNAL, Verb.MODIFY, Verb.RENAME})
"""What requests a storage that shaders may write."""


def check_usage(binding: ShaderBinding, places: Declarations, node: str, request: Request) -> None:
    """Raise ``ShaderError`` if a shader declares a resource for another kind of use than the request's."""
    if request.usage is None or request.usage in _USAGES[binding.kind]:
        return
    raise ShaderError(
        f'{places}: "{binding.name}" of node "{node}" (set {binding.set} binding {binding.binding}) is '
        f"{_IN_WORDS[binding.kind]} in the shader, but {request.words} is requested by .{request.usage}()",
        hint=f"request it by .{_fitting(binding, request)}({_stages(request)}), or declare it otherwise in the shader",
        where=request.source,
    )


def check_stores(
    binding: ShaderBinding, places: Declarations, node: str, request: Request, modules: Iterable[ShaderModule]
) -> None:
    """Raise ``ShaderError`` if a shader stores to what is requested for reading: nothing would wait for that."""
    if request.usage is not Usage.STORAGE_READ or not binding.writes:
        return
    place = binding.set, binding.binding
    if any(place in stored_bindings(module) for module in modules):
        verb = "" if request.verb in _WRITING else f'reg.modify("{request.name}")'
        raise ShaderError(
            f'{places}: "{binding.name}" of node "{node}" is written by the shader, but {request.words} is requested '
            "for reading",
            hint=f"request it by {verb}.storage({_stages(request)}), or write to another resource",
            where=request.source,
        )


def _fitting(binding: ShaderBinding, request: Request) -> Usage:
    """The usage with which a request of the same verb fits the declaration."""
    if binding.kind is BindingKind.SAMPLED:
        return Usage.SAMPLED
    if binding.kind is BindingKind.UNIFORM_BUFFER:
        return Usage.UNIFORM
    if request.verb not in _WRITING or not binding.writes:
        return Usage.STORAGE_READ
    return Usage.STORAGE if binding.reads else Usage.STORAGE_WRITE


def _stages(request: Request) -> str:
    """The argument of the usage, '' for the default."""
    words = ", ".join(f'"{stage}"' for stage in request.stages)
    return f"({words})" if len(request.stages) > 1 else words
