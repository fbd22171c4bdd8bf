"""Refusals of shaders that need more than a device has: what was asked for, what there is, and what to do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from renderwright.render.errors import BackendError, ShaderError, SourceLocation
from renderwright.render.shaders.module import BindingKind, ShaderModule
from renderwright.render.types.usages import ShaderStage

_KINDS = {
    BindingKind.SAMPLED: "sampled textures",
    BindingKind.STORAGE_TEXTURE: "storage textures",
    BindingKind.UNIFORM_BUFFER: "uniform blocks",
    BindingKind.STORAGE_BUFFER: "storage blocks",
}
FEWER_BINDINGS = "bind fewer in one node: put textures into layers of one, join buffers, or split the node"

Groups = tuple[int, int, int]


@dataclass(frozen=True)
class ShaderLimits:
    """What shaders of a device can have: ``bindings`` of each kind in one stage, descriptor ``sets``, bytes of push
    constants, ``invocations`` of a workgroup and its size along each axis, and ``groups`` of a dispatch."""

    device: str
    bindings: Mapping[ShaderStage, Mapping[BindingKind, int]]
    push_bytes: int
    invocations: int
    group_size: Groups
    groups: Groups
    sets: int | None = None


def require_shaders(
    limits: ShaderLimits, modules: Sequence[ShaderModule], name: str, push: BindingKind | None = None
) -> None:
    """Raise ``ShaderError`` if a shader of the pipeline ``name`` needs more than there is.

    ``push`` is the kind of block that holds push constants, if they are one.
    """
    for module in modules:
        _require_bindings(limits, module, name, push)
        _require_group(limits, module, name)
        if module.push_size > limits.push_bytes:
            raise _refused(
                module,
                f'"{name}" has {module.push_size} bytes of push constants, and {limits.device} takes '
                f"{limits.push_bytes}",
                "put the values into a uniform block, which reg.uniform fills",
            )
        highest = max((binding.set for binding in module.bindings), default=0)
        if limits.sets is not None and highest >= limits.sets:
            raise _refused(
                module,
                f'"{name}" uses descriptor set {highest}, and {limits.device} has 0 to {limits.sets - 1}',
                "use a lower set",
            )


def require_groups(limits: ShaderLimits, groups: Groups) -> None:
    """Raise ``BackendError`` for a dispatch of more workgroups than the device can run."""
    if any(count > most for count, most in zip(groups, limits.groups, strict=True)):
        raise BackendError(
            f"{limits.device} cannot run {_by(groups)} workgroups at once",
            hint=f"at most {_by(limits.groups)} are possible; use larger workgroups, or another axis",
        )


def array_without_length(name: str, array: str) -> ShaderError:
    """The error of a pipeline with an array of textures without length, where the device has none."""
    return ShaderError(
        f'"{name}" has the array "{array}" without length, and the device has no such arrays '
        "(Capabilities.indexed_textures is 0)",
        hint="give the array a length in GLSL, such as `sampler2D pictures[16]`",
    )


def _require_bindings(limits: ShaderLimits, module: ShaderModule, name: str, push: BindingKind | None) -> None:
    counts = Counter({push: 1} if push is not None and module.push_size else {})
    for binding in module.bindings:
        counts[binding.kind] += binding.count
    for kind, most in limits.bindings[module.stage].items():
        if counts[kind] > most:
            raise _refused(
                module,
                f'"{name}" binds {counts[kind]} {_KINDS[kind]}, and {limits.device} has {most} in a '
                f"{module.stage.value} shader",
                FEWER_BINDINGS,
            )


def _require_group(limits: ShaderLimits, module: ShaderModule, name: str) -> None:
    x, y, z = module.local_size
    if x * y * z > limits.invocations or any(
        size > most for size, most in zip(module.local_size, limits.group_size, strict=True)
    ):
        raise _refused(
            module,
            f'"{name}" has workgroups of {_by(module.local_size)} invocations, and {limits.device} runs at most '
            f"{limits.invocations} in one, {_by(limits.group_size)} along the axes",
            "make local_size smaller",
        )


def _refused(module: ShaderModule, message: str, hint: str) -> ShaderError:
    return ShaderError(message, hint=hint, where=SourceLocation(module.file))


def _by(sizes: Groups) -> str:
    return " x ".join(map(str, sizes))
