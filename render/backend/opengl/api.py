"""The entry points of OpenGL, by cffi from the context's loader."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import cffi

from renderwright.render.errors import BackendError

CData = Any
"""A C value: an array, a pointer or a function."""

Wrapper = Callable[[str, Any], Any]
"""Takes a function's name and the C function, and returns the function to call in its place."""

_TYPES = """
typedef unsigned int GLenum; typedef unsigned int GLuint; typedef unsigned int GLbitfield; typedef int GLint;
typedef int GLsizei; typedef unsigned char GLboolean; typedef float GLfloat; typedef char GLchar;
typedef ptrdiff_t GLintptr; typedef ptrdiff_t GLsizeiptr; typedef uint64_t GLuint64; typedef void *GLsync;
"""

_PROTOTYPES = """
GLenum glGetError(void)
GLenum glGetGraphicsResetStatus(void)
void glGetIntegerv(GLenum name, GLint *data)
void glGetIntegeri_v(GLenum name, GLuint index, GLint *data)
void glGetFloatv(GLenum name, GLfloat *data)
void glGetInternalformativ(GLenum target, GLenum format, GLenum name, GLsizei count, GLint *values)
void glEnable(GLenum what)
void glDisable(GLenum what)
void glClipControl(GLenum origin, GLenum depth)
void glPixelStorei(GLenum name, GLint value)
void glFlush(void)
void glFinish(void)
void glCreateTextures(GLenum target, GLsizei count, GLuint *out)
void glGenTextures(GLsizei count, GLuint *out)
void glDeleteTextures(GLsizei count, const GLuint *names)
void glTextureStorage2D(GLuint texture, GLsizei levels, GLenum format, GLsizei width, GLsizei height)
void glTextureStorage3D(GLuint texture, GLsizei levels, GLenum format, GLsizei width, GLsizei height, GLsizei depth)
void glTextureStorage2DMultisample(GLuint texture, GLsizei samples, GLenum format, GLsizei width, GLsizei height, GLboolean fixed)
void glTextureStorage3DMultisample(GLuint texture, GLsizei samples, GLenum format, GLsizei width, GLsizei height, GLsizei depth, GLboolean fixed)
void glTextureView(GLuint texture, GLenum target, GLuint original, GLenum format, GLuint level, GLuint levels, GLuint layer, GLuint layers)
void glTextureSubImage2D(GLuint texture, GLint level, GLint x, GLint y, GLsizei width, GLsizei height, GLenum format, GLenum type, const void *pixels)
void glTextureSubImage3D(GLuint texture, GLint level, GLint x, GLint y, GLint z, GLsizei width, GLsizei height, GLsizei depth, GLenum format, GLenum type, const void *pixels)
void glGenerateTextureMipmap(GLuint texture)
void glGetTextureSubImage(GLuint texture, GLint level, GLint x, GLint y, GLint z, GLsizei width, GLsizei height, GLsizei depth, GLenum format, GLenum type, GLsizei size, void *pixels)
void glClearTexImage(GLuint texture, GLint level, GLenum format, GLenum type, const void *value)
void glClearTexSubImage(GLuint texture, GLint level, GLint x, GLint y, GLint z, GLsizei width, GLsizei height, GLsizei depth, GLenum format, GLenum type, const void *value)
void glCopyImageSubData(GLuint source, GLenum source_target, GLint source_level, GLint x, GLint y, GLint z, GLuint target, GLenum target_target, GLint target_level, GLint to_x, GLint to_y, GLint to_z, GLsizei width, GLsizei height, GLsizei depth)
void glBindTextureUnit(GLuint unit, GLuint texture)
void glBindImageTexture(GLuint unit, GLuint texture, GLint level, GLboolean layered, GLint layer, GLenum access, GLenum format)
void glCreateSamplers(GLsizei count, GLuint *out)
void glDeleteSamplers(GLsizei count, const GLuint *names)
void glSamplerParameteri(GLuint sampler, GLenum name, GLint value)
void glSamplerParameterf(GLuint sampler, GLenum name, GLfloat value)
void glBindSampler(GLuint unit, GLuint sampler)
void glCreateBuffers(GLsizei count, GLuint *out)
void glDeleteBuffers(GLsizei count, const GLuint *names)
void glNamedBufferStorage(GLuint buffer, GLsizeiptr size, const void *data, GLbitfield flags)
void glNamedBufferSubData(GLuint buffer, GLintptr offset, GLsizeiptr size, const void *data)
void glGetNamedBufferSubData(GLuint buffer, GLintptr offset, GLsizeiptr size, void *data)
void *glMapNamedBufferRange(GLuint buffer, GLintptr offset, GLsizeiptr size, GLbitfield access)
GLboolean glUnmapNamedBuffer(GLuint buffer)
void glCopyNamedBufferSubData(GLuint source, GLuint target, GLintptr from, GLintptr to, GLsizeiptr size)
void glClearNamedBufferSubData(GLuint buffer, GLenum internal, GLintptr offset, GLsizeiptr size, GLenum format, GLenum type, const void *data)
void glBindBuffer(GLenum target, GLuint buffer)
void glBindBufferRange(GLenum target, GLuint unit, GLuint buffer, GLintptr offset, GLsizeiptr size)
void glCreateFramebuffers(GLsizei count, GLuint *out)
void glDeleteFramebuffers(GLsizei count, const GLuint *names)
void glNamedFramebufferTexture(GLuint framebuffer, GLenum attachment, GLuint texture, GLint level)
void glNamedFramebufferTextureLayer(GLuint framebuffer, GLenum attachment, GLuint texture, GLint level, GLint layer)
void glNamedFramebufferDrawBuffers(GLuint framebuffer, GLsizei count, const GLenum *buffers)
void glNamedFramebufferReadBuffer(GLuint framebuffer, GLenum buffer)
GLenum glCheckNamedFramebufferStatus(GLuint framebuffer, GLenum target)
void glBindFramebuffer(GLenum target, GLuint framebuffer)
void glClearNamedFramebufferfv(GLuint framebuffer, GLenum buffer, GLint number, const GLfloat *value)
void glClearNamedFramebufferiv(GLuint framebuffer, GLenum buffer, GLint number, const GLint *value)
void glClearNamedFramebufferuiv(GLuint framebuffer, GLenum buffer, GLint number, const GLuint *value)
void glInvalidateNamedFramebufferData(GLuint framebuffer, GLsizei count, const GLenum *attachments)
void glBlitNamedFramebuffer(GLuint source, GLuint target, GLint x0, GLint y0, GLint x1, GLint y1, GLint to_x0, GLint to_y0, GLint to_x1, GLint to_y1, GLbitfield mask, GLenum filter)
GLuint glCreateShader(GLenum type)
void glDeleteShader(GLuint shader)
void glShaderSource(GLuint shader, GLsizei count, const GLchar *const *strings, const GLint *lengths)
void glCompileShader(GLuint shader)
void glGetShaderiv(GLuint shader, GLenum name, GLint *value)
void glGetShaderInfoLog(GLuint shader, GLsizei size, GLsizei *length, GLchar *log)
GLuint glCreateProgram(void)
void glDeleteProgram(GLuint program)
void glAttachShader(GLuint program, GLuint shader)
void glLinkProgram(GLuint program)
void glGetProgramiv(GLuint program, GLenum name, GLint *value)
void glGetProgramInfoLog(GLuint program, GLsizei size, GLsizei *length, GLchar *log)
void glUseProgram(GLuint program)
void glCreateVertexArrays(GLsizei count, GLuint *out)
void glDeleteVertexArrays(GLsizei count, const GLuint *names)
void glBindVertexArray(GLuint array)
void glEnableVertexArrayAttrib(GLuint array, GLuint location)
void glVertexArrayAttribFormat(GLuint array, GLuint location, GLint size, GLenum type, GLboolean normalized, GLuint offset)
void glVertexArrayAttribIFormat(GLuint array, GLuint location, GLint size, GLenum type, GLuint offset)
void glVertexArrayAttribBinding(GLuint array, GLuint location, GLuint binding)
void glVertexArrayVertexBuffer(GLuint array, GLuint binding, GLuint buffer, GLintptr offset, GLsizei stride)
void glVertexArrayElementBuffer(GLuint array, GLuint buffer)
void glCullFace(GLenum side)
void glFrontFace(GLenum winding)
void glDepthFunc(GLenum compare)
void glDepthMask(GLboolean write)
void glPolygonOffset(GLfloat slope, GLfloat constant)
void glBlendFuncSeparate(GLenum source, GLenum target, GLenum source_alpha, GLenum target_alpha)
void glColorMask(GLboolean red, GLboolean green, GLboolean blue, GLboolean alpha)
void glViewportIndexedf(GLuint number, GLfloat x, GLfloat y, GLfloat width, GLfloat height)
void glScissor(GLint x, GLint y, GLsizei width, GLsizei height)
void glDrawArraysInstancedBaseInstance(GLenum mode, GLint first, GLsizei count, GLsizei instances, GLuint base_instance)
void glDrawElementsInstancedBaseVertexBaseInstance(GLenum mode, GLsizei count, GLenum type, const void *indices, GLsizei instances, GLint base_vertex, GLuint base_instance)
void glMultiDrawElementsIndirect(GLenum mode, GLenum type, const void *indirect, GLsizei draws, GLsizei stride)
void glMultiDrawElementsIndirectCountARB(GLenum mode, GLenum type, const void *indirect, GLintptr count, GLsizei most, GLsizei stride)
void glDispatchCompute(GLuint x, GLuint y, GLuint z)
void glMemoryBarrier(GLbitfield barriers)
GLsync glFenceSync(GLenum condition, GLbitfield flags)
GLenum glClientWaitSync(GLsync sync, GLbitfield flags, GLuint64 nanoseconds)
void glDeleteSync(GLsync sync)
void glGenQueries(GLsizei count, GLuint *out)
void glDeleteQueries(GLsizei count, const GLuint *names)
void glQueryCounter(GLuint query, GLenum target)
void glGetQueryObjectuiv(GLuint query, GLenum name, GLuint *value)
void glGetQueryObjectui64v(GLuint query, GLenum name, GLuint64 *value)
void glPushDebugGroup(GLenum source, GLuint id, GLsizei length, const GLchar *text)
void glPopDebugGroup(void)
void glObjectLabel(GLenum kind, GLuint name, GLsizei length, const GLchar *label)
void glDebugMessageCallback(void *callback, const void *user)
"""  # noqa: E501

_PROTOTYPE = re.compile(r"(?P<result>.+?)(?P<name>gl\w+)\((?P<arguments>.*)\)")


def _declared() -> Any:
    declarations = cffi.FFI()
    declarations.cdef(_TYPES)
    return declarations


ffi: Any = _declared()

NULL: CData = ffi.NULL


def _signatures() -> dict[str, Any]:
    found = {}
    for line in _PROTOTYPES.strip().splitlines():
        parts = _PROTOTYPE.fullmatch(line)
        assert parts is not None, line
        found[parts["name"]] = ffi.typeof(f"{parts['result']}(*)({parts['arguments']})")
    return found


SIGNATURES = _signatures()


class Api:
    """Attributes named like OpenGL's functions, resolved at their first use.

    All calls of the backend go through one such object, so ``wrap`` applies to all functions.
    """

    def __init__(self, load: Callable[[str], int], wrap: Wrapper | None = None) -> None:
        self._load = load
        self._wrap = wrap

    def __getattr__(self, name: str) -> Any:
        signature = SIGNATURES.get(name)
        if signature is None:
            raise AttributeError(name)
        address = self._load(name)
        if not address:
            raise BackendError(f"the OpenGL driver lacks {name}", hint="update the driver")
        function = ffi.cast(signature, address)
        if self._wrap is not None:
            function = self._wrap(name, function)
        setattr(self, name, function)
        return function

    def create(self, what: str, *target: int) -> int:
        """The name of a new object: ``create("Buffers")`` calls glCreateBuffers."""
        name = ffi.new("GLuint*")
        getattr(self, f"glCreate{what}")(*target, 1, name)
        return int(name[0])

    def create_name(self, what: str) -> int:
        """A new name without an object: ``create_name("Textures")`` calls glGenTextures."""
        name = ffi.new("GLuint*")
        getattr(self, f"glGen{what}")(1, name)
        return int(name[0])

    def delete(self, what: str, name: int) -> None:
        """Delete an object: ``delete("Buffers", name)`` calls glDeleteBuffers."""
        getattr(self, f"glDelete{what}")(1, ffi.new("GLuint*", name))

    def integer(self, name: int, index: int | None = None) -> int:
        """A state of type integer; some have an index."""
        value = ffi.new("GLint[4]")
        if index is None:
            self.glGetIntegerv(name, value)
        else:
            self.glGetIntegeri_v(name, index, value)
        return int(value[0])
