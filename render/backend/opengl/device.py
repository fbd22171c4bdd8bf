"""A device: its context, entry points, limits and supported formats."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext

from renderwright.render.backend.opengl import enums as gl
from renderwright.render.backend.opengl.api import Api, Wrapper, ffi
from renderwright.render.backend.opengl.context import Context
from renderwright.render.backend.opengl.defects import draws_first_command_only, filters_anisotropy_wrong
from renderwright.render.backend.opengl.errors import check
from renderwright.render.backend.opengl.formats import pixel_format
from renderwright.render.backend.opengl.shader_limits import shader_limits
from renderwright.render.backend.progress import SOFTWARE_WAIT_NANOSECONDS, Progress
from renderwright.render.errors import BackendError
from renderwright.render.formats import FORMATS
from renderwright.render.shaders.module import BindingKind
from renderwright.render.types.usages import Usage

_REQUIRED = ("GL_ARB_shader_draw_parameters",)
_COUNTED_DRAWS = ("GL_ARB_indirect_parameters",)
_COMPILES_BESIDE = frozenset({"GL_KHR_parallel_shader_compile", "GL_ARB_parallel_shader_compile"})
_UNITS = {
    BindingKind.SAMPLED: gl.MAX_COMBINED_TEXTURE_IMAGE_UNITS,
    BindingKind.STORAGE_TEXTURE: gl.MAX_IMAGE_UNITS,
    BindingKind.UNIFORM_BUFFER: gl.MAX_UNIFORM_BUFFER_BINDINGS,
    BindingKind.STORAGE_BUFFER: gl.MAX_SHADER_STORAGE_BUFFER_BINDINGS,
}
_BUFFER_LIMITS = {
    Usage.UNIFORM: gl.MAX_UNIFORM_BLOCK_SIZE,
    Usage.STORAGE: gl.MAX_SHADER_STORAGE_BLOCK_SIZE,
    Usage.STORAGE_READ: gl.MAX_SHADER_STORAGE_BLOCK_SIZE,
    Usage.STORAGE_WRITE: gl.MAX_SHADER_STORAGE_BLOCK_SIZE,
}
_TOOL = "GL_EXT_debug_tool"
"""The extension by which frame debuggers and profilers say that they are there."""

_SOFTWARE = ("llvmpipe", "softpipe", "swrast", "SWR")


class Device:
    """An open context with its fixed state set.

    ``software`` drivers run on the processor. ``waiting`` is entered around waits, ``texture_gone`` are called with
    each texture that is about to be deleted. With ``counted_draws`` the number of indirect draws can come from a
    buffer; ``single_draws`` take a call for each command. With ``links_beside`` the driver tells whether it has made a
    program. ``labels`` is whether commands get labels: only while
    something reads them. ``most_units`` are the units of each kind of binding,
    ``buffer_limits`` the most bytes of a buffer by usage.
    """

    def __init__(self, context: Context, wrap: Wrapper | None = None, *, labels: bool = False) -> None:
        self.context = context
        self.api = Api(context.load, wrap)
        info = context.moderngl.info
        self.name = context.name
        self.driver = str(info["GL_VERSION"])
        self.software = self.name.startswith(_SOFTWARE)
        self.waiting: Callable[[], AbstractContextManager[None]] = nullcontext
        self.progress = Progress()
        self.texture_gone: list[Callable[[object], None]] = []
        if self.software:
            self.progress.limit = SOFTWARE_WAIT_NANOSECONDS
        extensions = context.moderngl.extensions
        self.labels = labels or _TOOL in extensions
        missing = [name for name in _REQUIRED if name not in extensions]
        if missing:
            raise BackendError(f"{self.name} lacks {', '.join(missing)}", hint="update the driver, or use Vulkan")
        self.single_draws = draws_first_command_only(self.name)
        self.links_beside = not _COMPILES_BESIDE.isdisjoint(extensions)
        self.counted_draws = not self.single_draws and all(name in extensions for name in _COUNTED_DRAWS)
        # All limits are asked here, because plans are made on another thread, too.
        self.most_anisotropy = self._most_anisotropy()
        self.most_texels = self.api.integer(gl.MAX_TEXTURE_SIZE)
        self.most_layers = self.api.integer(gl.MAX_ARRAY_TEXTURE_LAYERS)
        self.most_samples = self.api.integer(gl.MAX_SAMPLES)
        self.most_colors = self.api.integer(gl.MAX_DRAW_BUFFERS)
        self.shader_limits = shader_limits(self.api, self.name)
        self.most_units = {kind: self.api.integer(limit) for kind, limit in _UNITS.items()}
        self.buffer_limits = {usage: self.api.integer(limit) for usage, limit in _BUFFER_LIMITS.items()}
        self._supported = self._ask_supported()
        self._sample_counts = self._ask_sample_counts()
        self._set_fixed_state()
        check(self.api, "set up the OpenGL context")

    def _most_anisotropy(self) -> float:
        there = "GL_ARB_texture_filter_anisotropic" in self.context.moderngl.extensions
        if not there or filters_anisotropy_wrong(self.name, self.driver):
            return 1.0
        value = ffi.new("GLfloat*")
        self.api.glGetFloatv(gl.MAX_TEXTURE_MAX_ANISOTROPY, value)
        return float(value[0])

    def _set_fixed_state(self) -> None:
        """The state that nothing changes later: clip space, rows and winding as Vulkan has them."""
        api = self.api
        api.glClipControl(gl.UPPER_LEFT, gl.ZERO_TO_ONE)
        api.glFrontFace(gl.CCW)
        for what in (gl.SCISSOR_TEST, gl.FRAMEBUFFER_SRGB, gl.PROGRAM_POINT_SIZE, gl.TEXTURE_CUBE_MAP_SEAMLESS):
            api.glEnable(what)
        api.glDisable(gl.DITHER)
        api.glPixelStorei(gl.UNPACK_ALIGNMENT, 1)
        api.glPixelStorei(gl.PACK_ALIGNMENT, 1)

    def supports(self, format_name: str, what: int) -> bool:
        """Whether textures of a format can be used so: FRAMEBUFFER_RENDERABLE, FILTER or SHADER_IMAGE_STORE."""
        return (pixel_format(format_name).internal, what) in self._supported

    def sample_counts(self, format_name: str) -> tuple[int, ...]:
        """The numbers of samples that textures of a format can have, besides 1."""
        return self._sample_counts[pixel_format(format_name).internal]

    def _ask_supported(self) -> frozenset[tuple[int, int]]:
        answer = ffi.new("GLint*")
        found = set()
        for name in FORMATS:
            internal = pixel_format(name).internal
            for what in (gl.FRAMEBUFFER_RENDERABLE, gl.FILTER, gl.SHADER_IMAGE_STORE):
                self.api.glGetInternalformativ(gl.TEXTURE_2D, internal, what, 1, answer)
                if answer[0]:
                    found.add((internal, what))
        return frozenset(found)

    def _ask_sample_counts(self) -> dict[int, tuple[int, ...]]:
        counts, number = ffi.new("GLint[16]"), ffi.new("GLint*")
        found = {}
        for name in FORMATS:
            internal = pixel_format(name).internal
            ask = self.api.glGetInternalformativ
            ask(gl.TEXTURE_2D_MULTISAMPLE, internal, gl.NUM_SAMPLE_COUNTS, 1, number)
            ask(gl.TEXTURE_2D_MULTISAMPLE, internal, gl.SAMPLES, 16, counts)
            found[internal] = tuple(int(counts[each]) for each in range(min(16, number[0])))
        return found

    def label(self, kind: int, name: int, text: str) -> None:
        """Name an object for capture tools and messages."""
        encoded = text.encode()[:200]
        self.api.glObjectLabel(kind, name, len(encoded), encoded)
