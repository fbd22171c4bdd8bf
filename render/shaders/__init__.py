"""GLSL 450 to SPIR-V: includes, batch compilation, a cache on disk, reflection, and packing of values into blocks.

``ShaderLibrary.load`` is the entry point: it finds the files, compiles changed ones and returns ``ShaderModule`` values
or errors. ``merge_bindings`` and ``merge_push`` join the stages of a pipeline; ``BlockPacker`` and ``PushPacker`` write
the values that the shaders read. Files of the project's GLSL: ``fullscreen.vert``, ``color.glsl``, ``constants.glsl``.
"""

from renderwright.render.shaders.cache import ShaderCache
from renderwright.render.shaders.compiler import CompiledShader, ShaderSource, compile_batch
from renderwright.render.shaders.includes import ExpandedSource, expand
from renderwright.render.shaders.interface import merge_bindings, merge_push
from renderwright.render.shaders.library import BUILTIN_FOLDER, ShaderLibrary, ShaderRequest
from renderwright.render.shaders.module import BindingKind, BlockMember, ShaderBinding, ShaderModule
from renderwright.render.shaders.packing import BlockPacker
from renderwright.render.shaders.push import PushPacker
from renderwright.render.shaders.reflect import reflect

__all__ = [
    "BUILTIN_FOLDER",
    "BindingKind",
    "BlockMember",
    "BlockPacker",
    "CompiledShader",
    "ExpandedSource",
    "PushPacker",
    "ShaderBinding",
    "ShaderCache",
    "ShaderLibrary",
    "ShaderModule",
    "ShaderRequest",
    "ShaderSource",
    "compile_batch",
    "expand",
    "merge_bindings",
    "merge_push",
    "reflect",
]
