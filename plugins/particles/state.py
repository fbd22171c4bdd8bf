"""The buffer that has the particles."""

STATE = "particles/state"
"""All particles at the end of the last step. The node ``move`` has those of the last frame as its history."""

PARTICLE_BYTES = 48
"""As in ``particles.glsl``."""
