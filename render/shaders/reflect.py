"""Reflection: the interface of a shader, read from its SPIR-V."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from renderwright.render.errors import ShaderError, SourceLocation
from renderwright.render.shaders.blocks import block_members, block_size, numeric_type
from renderwright.render.shaders.declared import declared_at
from renderwright.render.shaders.dimensions import Dimension
from renderwright.render.shaders.image_formats import image_format
from renderwright.render.shaders.module import (
    UNSIZED,
    BindingKind,
    BlockMember,
    ShaderBinding,
    ShaderModule,
)
from renderwright.render.shaders.spirv import Declarations, Decoration, Op, SpirvError, StorageClass, Variable, parse
from renderwright.render.shaders.stage_variables import element_of, stage_variables
from renderwright.render.shaders.storage_blocks import storage_block_size
from renderwright.render.types.usages import ShaderStage

_MODELS = {ShaderStage.VERTEX: 0, ShaderStage.FRAGMENT: 4, ShaderStage.COMPUTE: 5}
_LOCAL_SIZE, _LOCAL_SIZE_ID = 17, 38
_UNBOUND_DIMENSIONS = {0: "a 1D texture", 2: "a 3D texture", 5: "a texel buffer", 6: "a subpass input"}
_DIMENSIONS = {  # by SPIR-V's number and whether it is an array
    (1, 0): Dimension.D2,
    (1, 1): Dimension.D2_ARRAY,
    (3, 0): Dimension.CUBE,
    (3, 1): Dimension.CUBE_ARRAY,
}
_UNBINDABLE: dict[int, str] = {
    Op.TYPE_SAMPLER: "a separate sampler",
    Op.TYPE_ACCELERATION_STRUCTURE: "an acceleration structure",
}
_RESOURCES = (StorageClass.UNIFORM_CONSTANT, StorageClass.UNIFORM, StorageClass.STORAGE_BUFFER)
_UNIFORM_ALIGNMENT = 16
_PUSH_ALIGNMENT = 4
_REMEMBERED = 512
"""How many modules are read once for every game, device and plan of the process."""


class _UnsupportedError(Exception):
    """A valid shader uses a binding that the renderer does not support."""

    def __init__(self, name: str, message: str, hint: str) -> None:
        super().__init__(message)
        self.name = name
        self.message = message
        self.hint = hint


@lru_cache(_REMEMBERED)
def reflect(spirv: bytes, stage: ShaderStage, file: str, key: str, included: tuple[str, ...] = ()) -> ShaderModule:
    """The module of that code, with its bindings, push constants, inputs, outputs and workgroup size.

    ``file``, ``key`` and ``included`` are passed to the module. A binding is named by its variable; a block without a
    variable name by the block.

    Raises:
        ShaderError: the code is malformed, is not of that stage, or binds something that the renderer does not support.
    """
    where = SourceLocation(file)
    try:
        return replace(_module(parse(spirv), spirv, stage, file, key), included=included)
    except _UnsupportedError as error:
        raise ShaderError(error.message, hint=error.hint, where=declared_at(file, error.name, included)) from None
    except SpirvError as error:
        raise ShaderError(f"malformed SPIR-V: {error}", hint="compile the shader again", where=where) from error
    except IndexError as error:
        raise ShaderError(
            "malformed SPIR-V: an instruction lacks operands", hint="compile the shader again", where=where
        ) from error


def _module(found: Declarations, spirv: bytes, stage: ShaderStage, file: str, key: str) -> ShaderModule:
    entry = next((function for model, function in found.entry_points if model == _MODELS[stage]), None)
    if entry is None:
        raise SpirvError(f"it has no entry point of the {stage.value} stage")
    bindings = [_binding(found, variable) for variable in found.variables if variable.storage in _RESOURCES]
    push_members = _push_members(found)
    return ShaderModule(
        stage=stage,
        file=file,
        key=key,
        spirv=spirv,
        bindings=tuple(sorted(bindings, key=lambda binding: (binding.set, binding.binding, binding.name))),
        push_size=block_size(push_members, _PUSH_ALIGNMENT),
        push_members=push_members,
        reads=stage_variables(found, StorageClass.INPUT),
        writes=stage_variables(found, StorageClass.OUTPUT),
        local_size=_local_size(found, entry) if stage is ShaderStage.COMPUTE else (1, 1, 1),
    )


def _binding(found: Declarations, variable: Variable) -> ShaderBinding:
    type_id, count = element_of(found, variable.type)
    name = found.names.get(variable.id) or found.names.get(type_id) or f"binding{variable.id}"
    set_number = found.decoration(variable.id, Decoration.DESCRIPTOR_SET)
    binding = found.decoration(variable.id, Decoration.BINDING)
    if set_number is None or binding is None:
        raise SpirvError(f'"{name}" has no set or no binding number')
    if count == UNSIZED and (set_number == 0 or variable.storage != StorageClass.UNIFORM_CONSTANT):
        what = f'the array "{name}" of bindings has no length'
        raise _UnsupportedError(
            name, what, "give the array a length, or a node's own textures a set of their own (1 or more)"
        )
    if variable.storage == StorageClass.UNIFORM_CONSTANT:
        return _texture(found, variable, type_id, ShaderBinding(set_number, binding, name, BindingKind.SAMPLED, count))
    old_storage = found.decoration(type_id, Decoration.BUFFER_BLOCK) is not None
    if variable.storage == StorageClass.STORAGE_BUFFER or old_storage:
        writes = not _all_marked(found, variable.id, type_id, Decoration.NON_WRITABLE)
        reads = not _all_marked(found, variable.id, type_id, Decoration.NON_READABLE)
        size = storage_block_size(found, type_id)
        kind = BindingKind.STORAGE_BUFFER
        return ShaderBinding(set_number, binding, name, kind, count, writes=writes, reads=reads, size=size)
    members = block_members(found, type_id)
    size = block_size(members, _UNIFORM_ALIGNMENT)
    return ShaderBinding(set_number, binding, name, BindingKind.UNIFORM_BUFFER, count, size=size, members=members)


def _texture(found: Declarations, variable: Variable, type_id: int, plain: ShaderBinding) -> ShaderBinding:
    kind = found.type_of(type_id)
    sampled = kind.op == Op.TYPE_SAMPLED_IMAGE
    if sampled:
        kind = found.type_of(kind.operands[0])
    if kind.op != Op.TYPE_IMAGE:
        raise _UnsupportedError(
            plain.name,
            f'"{plain.name}" is {_UNBINDABLE.get(kind.op, "a type")} that cannot be bound',
            "use a combined sampler (sampler2D), an image or a buffer",
        )
    number, depth, arrayed, multisampled = kind.operands[1], kind.operands[2], kind.operands[3], kind.operands[4]
    use = kind.operands[5]
    dimension = _DIMENSIONS.get((number, arrayed))
    if dimension is None:
        what_for = _UNBOUND_DIMENSIONS.get(number, f"a texture of dimension {number}")
        raise _UnsupportedError(
            plain.name, f'"{plain.name}" is {what_for}, which is not supported', "use a buffer or a sampler2D"
        )
    scalar = numeric_type(found, kind.operands[0])
    if scalar is None:
        raise SpirvError(f'"{plain.name}" is a texture without numbers')
    texture = replace(plain, dimension=dimension, multisampled=multisampled == 1, numbers=scalar.numbers)
    if sampled:
        return replace(texture, shadow=depth == 1)
    if use != 2:
        raise _UnsupportedError(
            plain.name,
            f'"{plain.name}" is a texture without a sampler',
            "use a combined sampler (sampler2D) instead of texture2D",
        )
    writes = found.decoration(variable.id, Decoration.NON_WRITABLE) is None
    reads = found.decoration(variable.id, Decoration.NON_READABLE) is None
    storage = BindingKind.STORAGE_TEXTURE
    return replace(texture, kind=storage, writes=writes, reads=reads, format=image_format(kind.operands[6]))


def _all_marked(found: Declarations, variable: int, type_id: int, mark: Decoration) -> bool:
    """Whether a buffer is ``readonly`` or ``writeonly``: the decoration is on the variable or on all block members."""
    if found.decoration(variable, mark) is not None:
        return True
    members = range(len(found.type_of(type_id).operands))
    return all(found.member_decoration(type_id, index, mark) is not None for index in members)


def _push_members(found: Declarations) -> tuple[BlockMember, ...]:
    blocks = [variable for variable in found.variables if variable.storage == StorageClass.PUSH_CONSTANT]
    if len(blocks) > 1:
        raise SpirvError("it has more than one block of push constants")
    return block_members(found, blocks[0].type) if blocks else ()


def _local_size(found: Declarations, entry: int) -> tuple[int, int, int]:
    for function, mode, operands in found.modes:
        if function != entry or mode not in (_LOCAL_SIZE, _LOCAL_SIZE_ID):
            continue
        x, y, z = operands[0], operands[1], operands[2]
        return (found.constant(x), found.constant(y), found.constant(z)) if mode == _LOCAL_SIZE_ID else (x, y, z)
    raise SpirvError("a compute shader has no workgroup size")
