"""Text and rectangles over the picture, on the CPU: a glyph atlas and the layout that makes triangles."""

from renderwright.engine.hud.font import Atlas, Face, Glyph, default_atlas
from renderwright.engine.hud.layout import VERTEX_FLOATS, Hud

__all__ = ["VERTEX_FLOATS", "Atlas", "Face", "Glyph", "Hud", "default_atlas"]
