"""The buffer that has the particles, which the engine keeps from frame to frame."""

from renderwright.plugins.particles.table import NAME

STATE = f"{NAME}_state"
"""All particles at the end of the last step."""

MOVING = f"{NAME}_moving"
"""The blob that says whether there may have been a step since the last frame."""
