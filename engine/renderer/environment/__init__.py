"""Image-based lighting: a scene's panorama, prefiltered on the GPU for each roughness."""

from renderwright.engine.renderer.environment.textures import (
    EnvironmentTextures,
    request_environment,
    request_panorama,
)

__all__ = ["EnvironmentTextures", "request_environment", "request_panorama"]
