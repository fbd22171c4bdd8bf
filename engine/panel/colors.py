"""Colours of texts, sRGB-encoded."""

BAD = (1.0, 0.45, 0.4, 1.0)
DIM = (0.65, 0.65, 0.65, 1.0)
