"""The OpenGL 4.5 backend: contexts by moderngl, entry points by cffi."""

from renderwright.render.backend.opengl.backend import OpenGLBackend

__all__ = ["OpenGLBackend"]
