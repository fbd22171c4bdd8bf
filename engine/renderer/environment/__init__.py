"""Image-based light: a scene's panorama, filtered on the GPU into what surfaces of each roughness see of it."""

from renderwright.engine.renderer.environment.textures import EnvironmentTextures, request_environment

__all__ = ["EnvironmentTextures", "request_environment"]
