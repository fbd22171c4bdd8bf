"""Layers: a mask of 32 bits for each entity and each camera. A camera shows entities that have a bit in common."""

ALL_LAYERS = 0xFFFFFFFF
"""Every layer: those of a camera by default."""

FIRST_LAYER = 1
"""The layer of entities by default."""
