"""Head-up display: a glyph atlas, and layout of text and rectangles to triangles on the CPU."""

import renderwright.engine.scene  # noqa: F401  # a scene has sprites, and these its images: it comes first
from renderwright.engine.hud.font import Atlas, Face, Glyph, default_atlas
from renderwright.engine.hud.layout import VERTEX_FLOATS, Hud

__all__ = ["VERTEX_FLOATS", "Atlas", "Face", "Glyph", "Hud", "default_atlas"]
