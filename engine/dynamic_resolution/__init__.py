"""Dynamic resolution: the picture gets smaller while the GPU is too slow for the frame rate, and larger again after.

``scales`` are the sizes to choose from, ``controller`` chooses one from GPU times, ``driver`` lets a graph follow.
"""

from renderwright.engine.dynamic_resolution.controller import ResolutionController
from renderwright.engine.dynamic_resolution.driver import DynamicResolution
from renderwright.engine.dynamic_resolution.scales import scale_steps

__all__ = ["DynamicResolution", "ResolutionController", "scale_steps"]
