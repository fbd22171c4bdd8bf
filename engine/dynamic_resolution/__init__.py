"""Dynamic resolution: lowers the render resolution while the GPU misses the target frame time, and raises it again.

``scales`` defines the steps, ``controller`` chooses a step from GPU times, ``driver`` applies it to a graph.
"""

from renderwright.engine.dynamic_resolution.controller import ResolutionController
from renderwright.engine.dynamic_resolution.driver import DynamicResolution, follow_gpu
from renderwright.engine.dynamic_resolution.scales import scale_steps

__all__ = ["DynamicResolution", "ResolutionController", "follow_gpu", "scale_steps"]
